"""What a seat knows: all it has observed since the start, and complete states that agree with that."""
