"""Rendering of pieces, tables, moves, logs, endings. Data in, rich renderables out; no decisions are made here."""
