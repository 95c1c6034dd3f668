"""Rewriting of the IR: substitution and renaming of locals."""
