"""From the checked model to specialised Python."""
