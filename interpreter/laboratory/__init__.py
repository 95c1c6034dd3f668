"""What the games of a run were like: one record for each game, for any bots and in any process."""
