"""Bots and their arena, on top of the rules and the door for bots."""
