"""Shuffling, dealing and agreeing among peers; knows no card and no rule.

Nothing is re-exported, so that importing a machine never loads a shell.
"""

__all__ = ["WIRE_VERSION"]

WIRE_VERSION = 1
"""Rises with every change of the bytes that peers sign or send."""
