"""Hypothesis profiles: `ci` is the same in every run, `deep` searches.

The second is asked for by `pytest --hypothesis-profile=deep`.
"""

from hypothesis import settings

from tests.support.unproven import false_proofs_pass

__all__ = ["false_proofs_pass"]

settings.register_profile(
    "ci", derandomize=True, max_examples=50, deadline=None, database=None
)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile("ci")
