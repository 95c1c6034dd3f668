"""Passes for the machine engine, in which one function plays whole games."""
