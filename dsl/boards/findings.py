"""Diagnostics of boards, located by their path in the file; spans are computed only when they are reported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from dsl.boards.positions import Positions, Where
from dsl.diagnostics import Diagnostic, Label, Replacement

SEARCHED = 2000
"""Maximum number of names searched for the nearest; with more it would take too long."""


@dataclass(frozen=True)
class BoardDiagnostic:
    """A diagnostic without its span.

    `key`: it is about the name of the field, not its value. `meant` are texts that can replace it.
    """

    code: str
    message: str
    where: Where
    helps: tuple[str, ...] = ()
    labels: tuple[tuple[Where, str], ...] = ()
    key: bool = False
    meant: tuple[str, ...] = ()

    def diagnostic(self, found: Positions) -> Diagnostic:
        """The diagnostic with its span in the file."""
        labels = tuple(Label(found.span(where), text) for where, text in self.labels)
        span = found.span(self.where, self.key)
        ways = tuple(Replacement(span, json.dumps(text, ensure_ascii=False)) for text in self.meant)
        asked = f"did you mean {' or '.join(f'`{word}`' for word in self.meant)}?"
        helps = (asked, *self.helps) if self.meant else self.helps
        return Diagnostic(self.code, "error", self.message, span, labels, helps[:4], ways)


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The names closest in spelling, closest first."""
    known = sorted(set(candidates))
    return tuple(get_close_matches(name, known, n=3, cutoff=0.6)) if len(known) <= SEARCHED else ()


def listed(names: Iterable[object]) -> str:
    """`a`, `b` and 3 more."""
    every = [f"`{name}`" for name in names]
    if len(every) > 8:
        return f"{', '.join(every[:7])} and {len(every) - 7} more"
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)
