"""Text and files from outside: sources with spans, safe display, spelling, numbers."""
