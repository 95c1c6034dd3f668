"""The messages between the page of an author and the workshop; those of tables are in `web/messages.py`.

The types of the scripts, `playground/src/messages.d.ts`, are generated from these types (`tests/web/test_scripts.py`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.visible import visible
from web.messages import Asking, Done, Refused, read, schema_of


def _seen(path: str) -> str:
    """The path itself. Raises ValueError if it has characters that nobody sees."""
    if visible(path) != path:
        raise ValueError("a path has no hidden characters")
    return path


FilePath = Annotated[
    str, Field(pattern=r"^[^\s./\\:][^/\\:]*(/[^\s./\\:][^/\\:]*)*$", max_length=200), AfterValidator(_seen)
]
"""A path in the folder of the workshop: no part of it begins with a dot, and all its characters are seen."""

Offset = Annotated[int, Field(ge=0, lt=2**53)]
"""Of a character in a file, in units of UTF-16."""

Level = Literal["moves", "rules", "requirements", "everything"]


class Write(Asking):
    """Write files by path; None removes one."""

    kind: Literal["write"]
    files: dict[FilePath, str | None]


class Subject(Asking):
    """A request about a game with variants, by the paths of their files."""

    rules: FilePath
    variants: tuple[FilePath, ...] = ()


class Check(Subject):
    """Check the rules with their examples."""

    kind: Literal["check"]


class Complete(Subject):
    """What can be written at an offset of the present text of a file, in units of UTF-16."""

    kind: Literal["complete"]
    file: FilePath
    text: str
    offset: Offset


class Hover(Subject):
    """What is known about the words at an offset of a file, as it was last checked."""

    kind: Literal["hover"]
    file: FilePath
    offset: Offset


class Test(Subject):
    """Run the examples. Another request for it ends this one."""

    kind: Literal["test"]


class Begin(Subject):
    """Begin a game at the table, with the decisions made before as far as they are legal now.

    `kinds` says who plays each seat, a person or a bot; `seed` is a whole number in words, empty for a new one.
    """

    kind: Literal["begin"]
    kinds: dict[str, str]
    options: dict[str, str]
    seed: Annotated[str, Field(pattern=r"^\d{0,20}$")] = ""
    decisions: tuple[tuple[str, str], ...] = ()


class Trace(Asking):
    """The trace of the game at the table, of its last `plies` decisions."""

    kind: Literal["trace"]
    level: Level
    plies: Annotated[int, Field(ge=1, le=1000)]


AuthorRequest = Write | Check | Complete | Hover | Test | Begin | Trace
AuthorReceived = Annotated[AuthorRequest, Field(discriminator="kind")]
_received: TypeAdapter[AuthorRequest] = TypeAdapter(AuthorReceived)


def author_received(text: str) -> AuthorRequest:
    """A message from the page of an author. Raises UsageError for anything else."""
    return read(_received, text)


# ---------------------------------------------------------------- from the workshop to the page


@dataclass(frozen=True, slots=True)
class Range:
    """Characters of a file, counted in units of UTF-16, as scripts do."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """A text in place of some characters."""

    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class ShownFix:
    """A correction that can be applied as it is."""

    title: str
    edits: tuple[ShownEdit, ...]


@dataclass(frozen=True, slots=True)
class ShownRelated:
    """A message at another range that is part of a diagnostic."""

    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class ShownDiagnostic:
    """A diagnostic of the rules; `message` has its helps below it."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    range: Range
    related: tuple[ShownRelated, ...]
    fixes: tuple[ShownFix, ...]


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option of a game."""

    name: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Playable:
    """What can be chosen for a game of checked rules."""

    title: str
    seats: tuple[str, ...]
    counts: tuple[int, ...]
    options: tuple[OptionChoice, ...]
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The reply to `check`; `game` is None for rules that cannot be played."""

    id: str
    diagnostics: tuple[ShownDiagnostic, ...]
    game: Playable | None
    kind: Literal["checked"] = "checked"


@dataclass(frozen=True, slots=True)
class ShownCompletion:
    """A text that can be written from `start` on; of a snippet, `text` has stops such as `${1:name}`."""

    label: str
    type: str
    text: str
    start: int
    detail: str
    documentation: str
    rank: int
    is_snippet: bool


@dataclass(frozen=True, slots=True)
class Completions:
    """The reply to `complete`."""

    id: str
    options: tuple[ShownCompletion, ...]
    kind: Literal["completions"] = "completions"


@dataclass(frozen=True, slots=True)
class Hovered:
    """The reply to `hover`: a text in Markdown about some characters, empty if nothing is known."""

    id: str
    text: str
    start: int
    end: int
    kind: Literal["hovered"] = "hovered"


@dataclass(frozen=True, slots=True)
class ShownExample:
    """The result of an example; `file` and `line` say where it is, `failures` what failed and where."""

    title: str
    file: str
    line: int
    passed: bool
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tested:
    """The reply to `test`."""

    id: str
    examples: tuple[ShownExample, ...]
    kind: Literal["tested"] = "tested"


@dataclass(frozen=True, slots=True)
class Begun:
    """The reply to `begin`; `note` says which of the decisions made before could not be made again."""

    id: str
    title: str
    seed: str
    note: str
    kind: Literal["begun"] = "begun"


@dataclass(frozen=True, slots=True)
class Changed:
    """What was decided at the table: from number `start` on, these are its decisions, by seat and notation."""

    start: int
    decisions: tuple[tuple[str, str], ...]
    kind: Literal["changed"] = "changed"


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event of the trace; `depth` indents it, `line` is 0 if no line of the rules has caused it."""

    ply: int
    depth: int
    event: str
    text: str
    file: str
    line: int
    values: tuple[tuple[str, str], ...]
    verdict: bool | None


@dataclass(frozen=True, slots=True)
class Traced:
    """The reply to `trace`."""

    id: str
    first: int
    plies: int
    events: tuple[ShownEvent, ...]
    kind: Literal["traced"] = "traced"


AuthorSent = Checked | Completions | Hovered | Tested | Begun | Changed | Traced | Done | Refused


def author_schema() -> JsonObject:
    """The JSON Schema of these messages: `AuthorReceived` by the workshop, and `AuthorSent` by it."""
    sent: TypeAdapter[AuthorSent] = TypeAdapter(Annotated[AuthorSent, Field(discriminator="kind")])
    description = "Messages between the page of an author and the workshop"
    return schema_of(description, {"AuthorReceived": _received}, {"AuthorSent": sent})
