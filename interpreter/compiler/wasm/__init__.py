"""WebAssembly: typed instructions, functions and modules, in the binary and the text format."""
