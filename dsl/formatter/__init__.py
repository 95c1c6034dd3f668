"""The canonical text of a rules file: the same words and comments, laid out in the one way there is.

What canonical means is told in `docs/formatting.md`.
"""

from dsl.formatter.proving import FormatError, canonical

__all__ = ["FormatError", "canonical"]
