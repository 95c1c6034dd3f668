"""Secrets: who learns what from a label, a choice, a table or the order of effects."""
