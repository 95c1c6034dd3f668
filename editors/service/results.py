"""What the language service answers: places, edits and descriptions, in terms of texts and not of a protocol."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Literal

from dsl.lazy_dataclasses import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Place:
    """The characters of a file from offset `start` up to but excluding `end`."""

    path: Path
    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """True if an offset is inside, or right after the last character."""
        return self.start <= offset <= self.end


@dataclass(frozen=True)
class Edit:
    """A text in place of some characters."""

    place: Place
    text: str


@dataclass(frozen=True)
class Fix:
    """A correction that can be applied as it is; `code` is that of the diagnostic it corrects.

    `is_preferred`: it is the likeliest of those for the same diagnostic, and the one that "fix all" applies.
    """

    title: str
    edits: tuple[Edit, ...]
    code: str
    place: Place
    is_preferred: bool


@dataclass(frozen=True)
class Related:
    """Another place that a finding is about, and what is there."""

    place: Place
    text: str


@dataclass(frozen=True)
class Finding:
    """A diagnostic as an editor shows it. `message` has its helps below it.

    `code` has a page in the catalogue; it is empty for an example that fails, and for a part of the rules that no
    example reaches, which is no more than a hint.
    """

    place: Place
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    is_hint: bool = False


CompletionKind = Literal[
    "keyword", "type", "value", "piece", "zone", "note", "die", "position", "option", "constant", "definition",
    "action", "step", "phase", "local", "attribute", "function", "item", "snippet",
]  # fmt: skip


@dataclass(frozen=True)
class Completion:
    """A text that can be inserted at `place`; `rank` orders them, smallest first.

    With `is_snippet` the text has stops such as `${1:name}`.
    """

    label: str
    kind: CompletionKind
    text: str
    place: Place
    detail: str = ""
    documentation: str = ""
    rank: int = 0
    is_snippet: bool = False


@dataclass(frozen=True)
class Hover:
    """What is known about the words at a place, in Markdown."""

    place: Place
    text: str


OutlineKind = Literal[
    "file", "part", "type", "piece", "zone", "note", "die", "position", "option", "table", "definition", "winner",
    "action", "step", "reaction", "phase", "example", "change", "words", "item", "place",
]  # fmt: skip


@dataclass(frozen=True)
class Outline:
    """A declaration, or a part of a file: `place` is all of it, `name_place` its name."""

    name: str
    kind: OutlineKind
    place: Place
    name_place: Place
    detail: str = ""
    children: tuple[Outline, ...] = ()


FoldKind = Literal["region", "comment"]


@dataclass(frozen=True)
class Fold:
    """Lines, from 0, that can be folded into the first of them."""

    first: int
    last: int
    kind: FoldKind = "region"


Colour = Literal[
    "keyword", "comment", "string", "number", "heading", "citation", "type", "value", "piece", "zone", "note",
    "constant", "definition", "action", "phase", "parameter", "local", "attribute", "function",
]  # fmt: skip


@dataclass(frozen=True)
class Coloured:
    """Characters of a text, within one line, and what they are."""

    start: int
    end: int
    colour: Colour
    is_declaration: bool = False


@dataclass(frozen=True)
class Parameter:
    """A parameter of a signature: where it is in its label."""

    start: int
    end: int


@dataclass(frozen=True)
class Signature:
    """What a call expects; `active` is the index of the parameter being written."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int
    documentation: str = ""


@dataclass(frozen=True)
class InlayHint:
    """A text shown before an offset that is not in the file."""

    offset: int
    text: str
    is_parameter: bool = False


LensKind = Literal["run", "debug", "examples", "play", "simulate"]


@dataclass(frozen=True)
class Lens:
    """A line above a declaration that does something: run an example, list the examples of an action, play the game.

    `title` is the title of the example, or the name of the game; `places` are those of the listed examples.
    """

    kind: LensKind
    place: Place
    label: str
    title: str
    places: tuple[Place, ...] = field(default=())


@dataclass(frozen=True)
class Renaming:
    """The edits of a renaming, or the reason why it is refused."""

    edits: tuple[Edit, ...] = ()
    refusal: str = ""
