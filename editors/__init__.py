"""What editors show about rules while they are written: the language service, and the protocols that bring it there."""
