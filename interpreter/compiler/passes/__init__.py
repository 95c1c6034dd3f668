"""Passes: transformations that make a module faster without any observable change, one idea per file."""
