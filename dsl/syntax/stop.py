"""The point where parsing stopped, and the text around it."""

from __future__ import annotations

import re
from functools import cached_property

from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source, Span

CLOSES = {"(": ")", "[": "]", "{": "}"}
MAX_QUOTE_LENGTH = 60

MAX_LINE_LENGTH = 1_000
"""Nobody writes longer lines; only in such do the patterns of mistakes take noticeable time, some of it quadratic."""

_PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Problem:
    """The point where parsing stopped.

    `begin` is where parsing began, `limit` where the text ends; `kind` is the terminal found, None for a character no
    token begins with; `expected` are the terminals that were possible there. `alone`: a single expression is parsed,
    not a file.
    """

    source: Source
    begin: int
    limit: int
    start: int
    end: int
    kind: str | None
    expected: frozenset[str]
    alone: bool = False

    @property
    def text(self) -> str:
        """The whole text of the source."""
        return self.source.text

    @cached_property
    def line_start(self) -> int:
        """Offset of the beginning of the line."""
        return self.text.rfind("\n", 0, self.start) + 1

    @cached_property
    def line_end(self) -> int:
        """Offset of the end of the line, excluding the line break."""
        end = self.text.find("\n", self.start)
        return min(len(self.text) if end < 0 else end, self.limit)

    @cached_property
    def line_before(self) -> str:
        """The line up to this point."""
        return self.text[max(self.line_start, self.begin if self.alone else 0) : self.start]

    @cached_property
    def line(self) -> str:
        """The whole line."""
        return self.text[self.line_start : self.line_end].rstrip("\r")

    @cached_property
    def is_long(self) -> bool:
        """True if the line is too long to be compared with the patterns of mistakes."""
        return len(self.line) > MAX_LINE_LENGTH

    @cached_property
    def found_text(self) -> str:
        """The text found there, truncated if it is very long."""
        text = self.text[self.start : self.end]
        return text if len(text) <= MAX_QUOTE_LENGTH else text[: MAX_QUOTE_LENGTH - 1] + "…"

    @cached_property
    def words(self) -> list[Span]:
        """The words of the line."""
        body = self.line.split("#", 1)[0]
        return [
            Span(self.source, self.line_start + word.start(), self.line_start + word.end())
            for word in _WORD.finditer(re.sub(r'"[^"]*"', lambda text: " " * len(text.group()), body))
        ]

    @cached_property
    def first_word(self) -> str:
        """The first word of the line."""
        match = _WORD.match(self.line.lstrip(" \t"))
        return match.group() if match else ""

    @cached_property
    def at_first_words(self) -> bool:
        """True if parsing stopped at the first word of the line or right after it."""
        return self.line_before.strip() in ("", self.first_word)

    @cached_property
    def at_line_end(self) -> bool:
        """True if the line ended too early."""
        return self.kind in ("_NL", "CITE", "_DEDENT", "$END")

    @cached_property
    def brackets(self) -> list[int]:
        """Offsets of the brackets that are open at this point."""
        opened: list[int] = []
        for piece in _PIECES.finditer(self.text, self.begin, self.start):
            mark = piece.group()
            if mark in CLOSES:
                opened.append(piece.start())
            elif mark in ")]}" and opened:
                opened.pop()
        return opened

    @cached_property
    def unclosed(self) -> int | None:
        """Offset of the innermost bracket that nothing closes, if the line or the whole text ended before."""
        if self.brackets and (self.brackets[-1] < self.line_start or self.kind == "$END"):
            return self.brackets[-1]
        return None

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """The span of what was found, or of other offsets, at least one character wide where possible."""
        start = self.start if start is None else start
        end = (self.end if start == self.start else start + 1) if end is None else end
        return Span(self.source, start, max(end, min(start + 1, len(self.text))))

    def error(
        self,
        code: str,
        message: str,
        *helps: str,
        at: Span | None = None,
        labels: tuple[Label, ...] = (),
        new: str | Replacement | None = None,
    ) -> Diagnostic:
        """Create a diagnostic here, or at another span; `new` replaces that span, or another one."""
        at = at or self.span()
        replacement = Replacement(at, new) if isinstance(new, str) else new
        replacements = (replacement,) if replacement else ()
        return Diagnostic(code, "error", message, at, labels, tuple(helps)[:4], replacements)

    def put(self, text: str, start: int, end: int | None = None) -> Replacement:
        """Replace part of the source by a text, or insert it."""
        return Replacement(Span(self.source, start, start if end is None else end), text)

    def word(self, text: str, at: Span) -> Replacement:
        """Replace a sign by a word, with spaces around it where it would merge with its neighbours."""
        previous_character, next_character = self.text[at.start - 1 : at.start], self.text[at.end : at.end + 1]
        return Replacement(
            at, " " * _merges(previous_character) + text + " " * (_merges(next_character) or next_character in '("')
        )


def _merges(character: str) -> bool:
    """True if a word next to the character would merge with it."""
    return character.isalnum() or character in {"_", ")", "]", "}"}
