"""Diagnostics of rules files as data; `draw` renders them for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from dsl.text.visible import visible

Severity = Literal["error", "warning"]
MAX_LINES = 8
"""Maximum number of further lines listed in a diagnostic."""


@dataclass(frozen=True)
class Label:
    """A message at another span that is part of the diagnostic."""

    span: Span
    text: str


@dataclass(frozen=True)
class Replacement:
    """A text that can replace a span: a correction that can be applied as it is."""

    span: Span
    text: str

    @property
    def result(self) -> str:
        """The whole source text with the replacement applied."""
        text = self.span.source.text
        return text[: self.span.start] + self.text + text[self.span.end :]


@dataclass(frozen=True)
class Cause:
    """The mistake behind a diagnostic, so that diagnostics with the same cause can be reported as one.

    - `unknown`: a name that nothing declares
    - `declared`: a declaration that its uses disagree with; `name` identifies it, `span` is where it is, `instead` is
      the type they take it for
    - `hidden`: a declared name that other declarations would hide
    - `secret`: a declaration that keeps something secret which its uses would reveal
    - `missing`: types that are named and not declared; unknown names may be values of them
    """

    kind: Literal["unknown", "declared", "hidden", "secret", "missing"]
    name: str
    span: Span | None = None
    instead: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic: a code of the catalogue (`dsl/catalogue`), a message, its span, and corrections.

    `message` is lower case, without a full stop, names in backticks; `helps` has at most four lines. `replacements` are
    for editors and programs: each is a complete correction, the likeliest first. `other_spans` have the same
    cause. `causes`, the likeliest first, serve only to group diagnostics.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    helps: tuple[str, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    other_spans: tuple[Span, ...] = ()
    causes: tuple[Cause, ...] = field(default=(), compare=False, repr=False)

    def draw(self) -> str:
        """Render the diagnostic as lines of plain text with excerpts and carets."""
        width = len(str(max([self.span.line, *(label.span.line for label in self.labels)])))
        lines = [f"{self.severity}[{self.code}]: {visible(self.message)}", f"  {self.span.location}"]
        lines += self.span.excerpt(width)
        for label in self.labels:
            lines.append(f"  {label.span.location}: {visible(label.text)}")
            lines += label.span.excerpt(width)
        if self.other_spans:
            lines.append(f"   = {visible(self.elsewhere)}")
        lines += [f"   = help: {visible(text)}" for text in self.helps]
        return "\n".join(lines)

    @property
    def elsewhere(self) -> str:
        """The further spans in words: `also in lines 12, 31 and 40`; those in another file with its name."""
        files: dict[str, list[int]] = {}
        for span in self.other_spans:
            files.setdefault(span.source.name, []).append(span.line)
        parts = []
        for name, numbers in files.items():
            lines = list(dict.fromkeys(numbers))
            words = [str(line) for line in lines[:MAX_LINES]]
            omitted = len(numbers) - sum(numbers.count(line) for line in lines[:MAX_LINES])
            if omitted:
                words.append(f"{omitted} more")
            listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
            where = "" if name == self.span.source.name else f" of {name}"
            parts.append(f"in line{'s' if len(lines) > 1 else ''} {listed}{where}")
        return f"also {', '.join(parts)}"


class RegelwerkError(Exception):
    """The base of all errors in arguments, files and rules."""


class RulesError(RegelwerkError):
    """Raised for a rules file that cannot be played; carries its diagnostics, at least one of them an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(diagnostic.draw() for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """True if at least one of them is an error, not only a warning."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort by file and position, without duplicates."""
    return sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span.source.name, d.span.start, d.code))
