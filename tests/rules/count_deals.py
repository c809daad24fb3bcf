"""Counts the positions of every preset by brute force, and writes the vector."""

import json

from tests.rules.test_brute_force import FIGURES, counted_by_brute_force
from tests.support.deals import PRESETS

if __name__ == "__main__":
    figures = {name: counted_by_brute_force(name) for name in PRESETS}
    lines = [f"  {json.dumps(name)}: {json.dumps(n)}" for name, n in figures.items()]
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
