"""What passes did and why not, for those who want to know how their rules are carried out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl import ast

COURSE_OF_PLAY = "the course of play"
"""The subject of what is about the whole game, not about one rule."""


@dataclass(frozen=True)
class PassRecord:
    """A pass applied to a subject (a rule, definition or decision), or the reason why it was not.

    `name` is that of the pass, `source` the node of the rules it is about.
    """

    name: str
    subject: str
    source: ast.Node | None
    applied: bool
    reason: str


@dataclass
class PassRecords:
    """The records of all passes over a module, in the order in which they were made; `off` are those left out."""

    entries: list[PassRecord] = field(default_factory=list)
    off: frozenset[str] = frozenset()

    def applied(self, name: str, subject: str, source: ast.Node | None, reason: str = "") -> None:
        """A pass has been applied; `reason` may say how."""
        self.entries.append(PassRecord(name, subject, source, True, reason))

    def refused(self, name: str, subject: str, source: ast.Node | None, reason: str) -> None:
        """A pass could not be applied, for this reason."""
        self.entries.append(PassRecord(name, subject, source, False, reason))


@dataclass(frozen=True)
class Finding:
    """What all passes say about one subject: of each pass where it first applied, and its first reason why not."""

    subject: str
    source: ast.Node | None
    records: tuple[PassRecord, ...]


def findings(records: Iterable[PassRecord]) -> list[Finding]:
    """The records by subject, in the order of the rules; what comes from no line of the rules stands last."""
    found: dict[str, dict[tuple[str, bool], PassRecord]] = {}
    sources: dict[str, ast.Node] = {}
    for record in records:
        found.setdefault(record.subject, {}).setdefault((record.name, record.applied), record)
        if record.source is not None:
            sources.setdefault(record.subject, record.source)

    def position(finding: Finding) -> tuple[bool, str, int]:
        if finding.source is None:
            return True, "", 0
        return False, finding.source.span.source.name, finding.source.span.start

    listed = [Finding(subject, sources.get(subject), _in_order(each)) for subject, each in found.items()]
    return sorted(listed, key=position)


def _in_order(records: dict[tuple[str, bool], PassRecord]) -> tuple[PassRecord, ...]:
    """The records of one subject: those of a pass together, first what it did."""
    passes = dict.fromkeys(name for name, _ in records)
    return tuple([records[key] for name in passes for key in ((name, True), (name, False)) if key in records])
