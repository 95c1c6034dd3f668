"""The strength of the bots: games against each other and against OpenSpiel's bots, and positions with known values."""
