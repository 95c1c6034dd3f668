"""Many games at once: playouts, perft, divergence."""
