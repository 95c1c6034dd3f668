"""What the games of a run were like: one record a game, by whatever bots, in whatever process it was played."""
