"""What a seat knows: its observations since the start, and complete states that agree with them."""
