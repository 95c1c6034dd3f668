"""How things look: pieces, tables, moves, logs, endings. Data in, rich renderables out; nothing is decided here."""
