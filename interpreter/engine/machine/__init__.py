"""The machine engine: a module of WebAssembly that plays, in Wasmtime or in a browser."""
