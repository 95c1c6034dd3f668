"""Coverage: the parts of a game's rules that its examples and random games reach."""
