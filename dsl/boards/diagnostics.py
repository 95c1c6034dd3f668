"""Diagnostics of boards, located by their path in the file; spans are computed only when they are reported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches

from dsl.boards.positions import Positions, Where
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible

SEARCHED = 2000
"""Maximum number of names searched for the nearest; with more it would take too long."""


@dataclass(frozen=True)
class BoardDiagnostic:
    """A diagnostic without its span.

    `key`: it is about the name of the field, not its value. `alternatives` are texts that can replace it.
    """

    code: str
    message: str
    where: Where
    helps: tuple[str, ...] = ()
    labels: tuple[tuple[Where, str], ...] = ()
    key: bool = False
    alternatives: tuple[str, ...] = ()

    def diagnostic(self, located: Positions) -> Diagnostic:
        """The diagnostic with its span in the file."""
        labels = tuple(Label(located.span(where), text) for where, text in self.labels)
        span = located.span(self.where, self.key)
        replacements = tuple(Replacement(span, json.dumps(text, ensure_ascii=False)) for text in self.alternatives)
        question = f"did you mean {' or '.join(f'`{name}`' for name in self.alternatives)}?"
        helps = (question, *self.helps) if self.alternatives else self.helps
        return Diagnostic(self.code, "error", self.message, span, labels, helps[:4], replacements)


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The names closest in spelling, closest first."""
    names = sorted(set(candidates))
    return tuple(get_close_matches(name, names, n=3, cutoff=0.6)) if len(names) <= SEARCHED else ()


def listed(names: Iterable[object]) -> str:
    """`a`, `b` and 3 more."""
    every = [f"`{name}`" for name in names]
    if len(every) > 8:
        return f"{', '.join(every[:7])} and {len(every) - 7} more"
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def quoted(name: object) -> str:
    """Format a name from the file for use in a message."""
    text = visible(str(name)).replace("`", "'")
    return f"`{text if len(text) <= 40 else text[:39] + '…'}`"
