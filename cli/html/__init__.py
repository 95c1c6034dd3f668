"""The trace of a game as one standalone page: collected here, displayed by a script; see `docs/trace.md`."""
