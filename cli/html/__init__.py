"""The trace of a game as one page that stands alone: collected here, shown by a script; see `docs/trace.md`."""
