"""Conditions as terms, and what they imply."""
