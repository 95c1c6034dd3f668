"""Analyses of the IR: effects of expressions, accesses to cells, traversal."""
