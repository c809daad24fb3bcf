"""Builds a program from its parts: reactor, seats, players, links, store, runner.

It decides nothing but the exit code with which the whole ends. Each way to play is a
module of its own, so that a match offline does not load the wire.
"""
