"""Scopa with nobody in the middle: the game, its table, its interface.

Code says ``import protocol`` and ``import ai`` everywhere. Other distributions own
these two names, so an installed copy keeps both folders in ``_bundled``, and
importing this package puts that folder first on the search path. Hence every entry
point starts here, and in our process the two names are ours.
"""

import os
import sys

__all__ = ["HOME", "__version__"]

__version__ = "0.1.0"

_package = os.path.dirname(os.path.abspath(__file__))

HOME = os.path.join(_package, "_bundled")
"""The folder in which our ``ai`` and ``protocol`` lie."""

if os.path.isdir(HOME):
    sys.path.insert(0, HOME)
else:
    HOME = os.path.dirname(_package)
