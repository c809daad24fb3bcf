"""The mathematics of a deck that nobody stacks and nobody looks into.

Values and functions only: no clock, no entropy of its own, no input or output.
Every module opens with the paper it follows and the places where it departs from it.
`hashing` and `group` carry the rest; `identity` signs; `proofs` and `shuffle` deal.
"""
