"""Routines of the machine engine: searches over graphs, rows and packings, as Python that is printed as WebAssembly."""
