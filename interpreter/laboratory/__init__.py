"""Records of the games of a run: one for each game, for any bots and in any process."""
