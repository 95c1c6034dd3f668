"""Declarations, pieces and zones that nothing uses."""
