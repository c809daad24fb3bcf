"""Bots to begin from, one of each kind; ai/README.md shows them."""
