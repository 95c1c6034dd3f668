"""Games as trees with all outcomes of chance, and their exact values."""
