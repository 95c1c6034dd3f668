"""The workshop of an author: rules being written, and a table to play them at, in one process and one thread."""
