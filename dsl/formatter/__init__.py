"""The canonical text of a rules file: the same words and comments in the one canonical layout.

`docs/formatting.md` defines what is canonical.
"""

from dsl.formatter.proving import FormatError, canonical

__all__ = ["FormatError", "canonical"]
