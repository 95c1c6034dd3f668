"""What went wrong where reading stopped: the mistakes people make, each with the way out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from dsl.diagnostics import Diagnostic, Label
from dsl.parse import words
from dsl.parse.layout import LayoutFault
from dsl.span import Source, Span

_PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Problem:
    """A place where reading stopped. `begin`: where it began; `kind`: the terminal found, None for a character
    no word begins with; `expected`: the terminals that could have stood there."""

    source: Source
    begin: int
    start: int
    end: int
    kind: str | None
    expected: frozenset[str]
    layout: LayoutFault | None = None

    @property
    def text(self) -> str:
        """The whole text of the source."""
        return self.source.text

    @cached_property
    def line_start(self) -> int:
        """Where the line begins."""
        return self.text.rfind("\n", 0, self.start) + 1

    @cached_property
    def before(self) -> str:
        """The line up to the place."""
        return self.text[self.line_start : self.start]

    @cached_property
    def line(self) -> str:
        """The whole line."""
        end = self.text.find("\n", self.start)
        return self.text[self.line_start : end if end >= 0 else len(self.text)].rstrip("\r")

    @cached_property
    def found(self) -> str:
        """The text that was found there."""
        return self.text[self.start : self.end]

    @cached_property
    def first_word(self) -> str:
        """The first word of the line."""
        match = _WORD.match(self.line.lstrip())
        return match.group() if match else ""

    @cached_property
    def last_word(self) -> str:
        """The word right before the place."""
        match = re.search(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*$", self.before)
        return match.group(1) if match else ""

    @cached_property
    def at_line_end(self) -> bool:
        """Whether the line ended too early."""
        return self.kind in ("_NL", "CITE", "_DEDENT", "$END")

    def span(self) -> Span:
        """The place, at least one character wide where there is one."""
        return Span(self.source, self.start, max(self.end, min(self.start + 1, len(self.text))))

    def error(
        self, code: str, message: str, *helps: str, at: Span | None = None, labels: tuple[Label, ...] = ()
    ) -> Diagnostic:
        """A diagnostic here, or at another span."""
        return Diagnostic(code, "error", message, at or self.span(), labels, tuple(helps)[:4])


Mistake = Callable[[Problem], Diagnostic | None]


def explain(problem: Problem) -> Diagnostic:
    """The diagnostic for a place where reading stopped: the first mistake that fits it."""
    for mistake in MISTAKES:
        found = mistake(problem)
        if found is not None:
            return found
    return _plain(problem)


def unclosed(problem: Problem) -> int | None:
    """Where the innermost bracket stands that was opened on an earlier line and not closed."""
    opened: list[int] = []
    for piece in _PIECES.finditer(problem.text, problem.begin, problem.start):
        sign = piece.group()
        if sign in _CLOSES:
            opened.append(piece.start())
        elif sign in ")]}" and opened:
            opened.pop()
    if opened and (opened[-1] < problem.line_start or problem.kind == "$END"):
        return opened[-1]
    return None


def _layout(problem: Problem) -> Diagnostic | None:
    if problem.layout is None:
        return None
    return problem.error("E0107", problem.layout.message, *problem.layout.helps)


def _bracket(problem: Problem) -> Diagnostic | None:
    place = unclosed(problem)
    if place is None:
        return None
    sign = problem.text[place]
    return problem.error(
        "E0109", f"`{sign}` is not closed", f"a `{_CLOSES[sign]}` is missing",
        at=Span(problem.source, place, place + 1),
    )  # fmt: skip


MISTAKES: list[Mistake] = [_layout, _bracket]


def _plain(problem: Problem) -> Diagnostic:
    expected = words.expected_words(problem.expected)
    helps = [f"here can stand: {words.listed(expected)}"] if expected else []
    if problem.kind == "$END":
        return problem.error("E0106", "the file ends too early", *helps)
    if problem.at_line_end:
        return problem.error("E0105", "the line ends too early", *helps)
    what = problem.found.strip() or "this"
    return problem.error("E0105", f"`{what}` cannot stand here", *helps)
