"""How many pieces of a kind lie somewhere, instead of which: the passes that keep only that."""
