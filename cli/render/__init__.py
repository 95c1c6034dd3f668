"""Rendering of pieces, tables, moves, logs, endings: data in, rich renderables out, without any logic of play."""
