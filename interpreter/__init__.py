"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game."""
