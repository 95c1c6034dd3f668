"""Rules written once for each value: their clauses are checked, and expanded into rules of their own."""
