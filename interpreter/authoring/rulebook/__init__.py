"""A rulebook to play from, made from the rules of a game: see `building.py`."""
