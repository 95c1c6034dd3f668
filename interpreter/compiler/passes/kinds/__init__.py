"""The pass that counts pieces of each kind instead of distinguishing them."""
