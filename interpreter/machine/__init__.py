"""The machine engine: the rules of a game as a WebAssembly module."""
