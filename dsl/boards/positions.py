"""Where the values of a JSON text are: paths, and the spans at these paths."""

from __future__ import annotations

from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source, Span

Where = tuple[str | int, ...]
"""The path from the top of the file to a value: names of fields and indices in lists, from 0."""

MAX_JSON_DEPTH = 32
"""Maximum nesting depth of brackets."""

Extent = tuple[int, int]
"""Start and end in the text."""


@dataclass
class JsonError(Exception):
    """The first characters that cannot be JSON, with an explanation and a correction."""

    start: int
    end: int
    message: str
    help: str


@dataclass
class Positions:
    """Spans of values and of field names by path, and duplicate names; `fault` is where a text stops being JSON."""

    source: Source
    values: dict[Where, Extent] = field(default_factory=dict)
    keys: dict[Where, Extent] = field(default_factory=dict)
    duplicates: list[tuple[Where, Extent]] = field(default_factory=list)
    fault: JsonError | None = None

    def span(self, where: Where, key: bool = False) -> Span:
        """Span of a value, or of the name of its field (`key`); if missing, of the innermost ancestor present."""
        while where and where not in self.values:
            where = where[:-1]
        name_bounds = self.keys.get(where) if key else None
        start, end = name_bounds or self.values.get(where, (0, 1))
        return Span(self.source, start, end)
