"""How strong the bots are: games against each other, against bots of OpenSpiel, and positions with known values."""
