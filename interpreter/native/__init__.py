"""Random games as C: printing the IR, finding a compiler, keeping libraries, playing games with them."""
