"""Text for people: phrases in their language, and the words in which a game is shown."""
