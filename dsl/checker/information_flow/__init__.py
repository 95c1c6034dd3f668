"""Secrets: what labels, choices, tables and the order of effects reveal, and to whom."""
