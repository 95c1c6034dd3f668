"""The trace viewer: a full-screen view of a played game, its rules and their effects, forwards and backwards."""
