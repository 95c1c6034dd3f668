"""The types of declarations, expressions and statements."""
