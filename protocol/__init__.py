"""Shuffling, dealing and agreeing among peers; knows no card and no rule.

Nothing is re-exported, so that importing a machine never loads a shell.
"""
