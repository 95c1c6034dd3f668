"""What of a game's rules its examples and random games reach."""
