"""Passes that leave less to do: known values, definitions and rules where they are asked, no marks."""
