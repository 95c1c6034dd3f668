"""Simplifications: constant folding, inlining of definitions and rules, removal of marks."""
