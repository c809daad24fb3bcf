"""The card game: values and functions, standard library only."""
