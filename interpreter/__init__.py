"""Everything between checked rules and people: it runs games, explains them and plays them. It prints nothing."""
