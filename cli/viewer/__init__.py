"""The trace viewer: a full-screen look at a played game, its rules and what they did, forward and back."""
