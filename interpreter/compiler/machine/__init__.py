"""The machine engine: rules printed as a module of WebAssembly, which plays at random and step by step."""
