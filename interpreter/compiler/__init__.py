"""From a checked model to code: an intermediate form, passes over it, and printers for Python and WebAssembly."""
