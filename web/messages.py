"""The messages between a page and its session, the same over a WebSocket and with a worker.

What comes in is checked here against types and limits, before anything else looks at it. `messages.schema.json` and
the types of the scripts, `page/messages.d.ts`, are generated from these types (`tests/web/test_scripts.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.visible import brief
from interpreter.errors import UsageError
from web.scene import Scene, ShownBoard, ShownSeat, ShownTable

Message = TypeVar("Message")

MAX_MESSAGE_BYTES = 16_384
"""Maximum size of a message from a page."""

MAX_PATH = 32
"""Maximum number of answers by which a question is narrowed."""

MAX_IDENTIFIER = 40
Identifier = Annotated[str, Field(min_length=1, max_length=MAX_IDENTIFIER)]
"""Chosen by the page: the reply to a message carries its identifier."""

Words = Annotated[str, Field(max_length=400)]
"""What a person has typed, or a notation."""

Count = Annotated[int, Field(ge=0, le=1_000_000)]


class Incoming(BaseModel):
    """A message from a page."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Asking(Incoming):
    """A message that is replied to, under its identifier."""

    id: Identifier


class Take(Incoming):
    """The answer to a step of a question: its candidate with this number."""

    take: Count


class About(Incoming):
    """The moves that are about a value, such as a place of the board."""

    about: Words


class Match(Incoming):
    """The moves that match some words."""

    words: Words


Answer = Take | About | Match


class Join(Incoming):
    """The first message: who is at the page, by a secret; the language that the person would like best."""

    kind: Literal["join"]
    token: Annotated[str, Field(max_length=64)]
    language: Annotated[str, Field(max_length=16)] | None = None


class Ask(Asking):
    """How the pending question goes on after some answers."""

    kind: Literal["ask"]
    number: Count
    path: Annotated[tuple[Answer, ...], Field(max_length=MAX_PATH)]


class Play(Asking):
    """Make a move: at decision `number`, so that a message sent twice counts once."""

    kind: Literal["play"]
    number: Count
    notation: Words


class Why(Asking):
    """Why a move is legal or not, or how a value came about; `about` a thing, such as a card, why it can be chosen."""

    kind: Literal["why"]
    text: Words
    about: bool = False


class Rules(Asking):
    """The rules of the game, in short."""

    kind: Literal["rules"]


class Hint(Asking):
    """The best moves, found by a search that knows what the seat knows."""

    kind: Literal["hint"]


class Know(Asking):
    """What the seat can infer about what it does not see: at once, or all that can be found out in some seconds."""

    kind: Literal["know"]
    thorough: bool = False


class Trace(Asking):
    """What the rules did at a decision, by its number as the person counts them; by default at the last one."""

    kind: Literal["trace"]
    ply: Count | None = None


class Undo(Asking):
    """Go back to the seat's own last decision."""

    kind: Literal["undo"]


class Consent(Asking):
    """The answer to somebody who asks to undo; who has asked withdraws by not agreeing."""

    kind: Literal["consent"]
    agree: bool


Lengthy = Why | Hint | Know | Trace
"""Questions whose answers take seconds to find."""
Request = Ask | Play | Why | Rules | Hint | Know | Trace | Undo | Consent
Received = Annotated[Join | Request, Field(discriminator="kind")]
_received: TypeAdapter[Join | Request] = TypeAdapter(Received)


def received(text: str | bytes) -> Join | Request:
    """A message from a page. Raises UsageError for anything else."""
    if len(text) > MAX_MESSAGE_BYTES:
        raise UsageError(f"a message has at most {MAX_MESSAGE_BYTES} bytes")
    return read(_received, text)


def read(form: TypeAdapter[Message], text: str | bytes) -> Message:
    """A message of a form. Raises UsageError for anything else."""
    try:
        return form.validate_json(text)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"not a message of a page: {brief(where or 'message')}: {first['msg']}") from None


def identifier_of(text: str | bytes) -> str:
    """The identifier of a message that is of no known form, so that its page hears of that; empty if there is none."""
    try:
        identifier = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
    return identifier[:MAX_IDENTIFIER] if isinstance(identifier, str) else ""


# ---------------------------------------------------------------- from the session to the page


@dataclass(frozen=True, slots=True)
class Welcome:
    """What does not change at a table: the game, its seats, whose page this is, and the words of the page itself."""

    game: str
    title: str
    seats: tuple[ShownSeat, ...]
    seat: str | None
    players: Mapping[str, str]
    language: str
    languages: tuple[str, ...]
    phrases: Mapping[str, str]
    kind: Literal["welcome"] = "welcome"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: its words, the names of the places and other values in it, and how many moves it leaves."""

    words: str
    names: tuple[str, ...]
    moves: int


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The move that is left: how it is written, and its effects as far as they can be told beforehand.

    `names` are those of the places and other values that it is about.
    """

    notation: str
    label: str
    effects: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the pending question: what is asked, the answers so far, and the possible ones or the chosen move.

    `label` has the parts of what all moves have in common, None for a part that is open; `part` is the one asked for.
    """

    asked: Literal["move", "action", "value"]
    answers: tuple[str, ...]
    label: tuple[str | None, ...]
    part: int | None
    candidates: tuple[Candidate, ...]
    move: ChosenMove | None


@dataclass(frozen=True, slots=True)
class Question:
    """The pending question, if it is the seat's own: its words and its first step."""

    text: str
    step: Step


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of the log; `details` say what it has changed beyond its words."""

    number: int
    seat: str | None
    text: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LogPart:
    """The log from an entry on; what the page has from there on is replaced."""

    start: int
    entries: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class ShownClock:
    """The clock of a seat: how many seconds are left, and whether it runs. It is the same for all pages."""

    seat: str
    seconds: float
    runs: bool


@dataclass(frozen=True, slots=True)
class Position:
    """The table as the seat sees it; `number` is how many decisions it knows of.

    `board` is left out where the page has it already. `waiting` says whom the table waits for, `asks` who asks this
    seat to agree to an undo, `asked` whom this seat has asked, which it can withdraw. `moved` are the places of the
    board that the last decision changed.
    """

    number: int
    scene: Scene
    board: ShownBoard | None
    log: LogPart
    question: Question | None
    waiting: str
    may_undo: bool
    asks: str
    asked: str
    clocks: tuple[ShownClock, ...]
    moved: tuple[str, ...]
    kind: Literal["position"] = "position"


@dataclass(frozen=True, slots=True)
class Asked:
    """The reply to `ask`."""

    id: str
    step: Step
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True, slots=True)
class Told:
    """The reply to a question for information: a table if there is one, then line by line; `depth` indents a line.

    `decision` is the number of the one it is about, with how many there are, None for other questions. Of an
    `estimate` there is more to be found out, if the question is asked more thoroughly.
    """

    id: str
    title: str
    lines: tuple[tuple[int, str], ...]
    table: ShownTable | None = None
    decision: tuple[int, int] | None = None
    estimate: bool = False
    kind: Literal["told"] = "told"


@dataclass(frozen=True, slots=True)
class Done:
    """The reply to what was done; the position follows."""

    id: str
    kind: Literal["done"] = "done"


@dataclass(frozen=True, slots=True)
class Refused:
    """The reply to what was not done, with the reason; without `id`, the connection ends."""

    id: str
    reason: str
    kind: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a person is to hear, such as that an undo was refused."""

    text: str
    kind: Literal["note"] = "note"


Sent = Welcome | Position | Asked | Told | Done | Refused | Note


def schema() -> JsonObject:
    """The JSON Schema of all messages: `Received` by a session, and `Sent` by it."""
    sent: TypeAdapter[Sent] = TypeAdapter(Annotated[Sent, Field(discriminator="kind")])
    return schema_of("Messages between a page and its session", {"Received": _received}, {"Sent": sent})


def schema_of(
    description: str, received: Mapping[str, TypeAdapter[Any]], sent: Mapping[str, TypeAdapter[Any]]
) -> JsonObject:
    """The JSON Schema of messages by the names of their unions, as they come in and as they are sent."""
    from pydantic.json_schema import GenerateJsonSchema

    class Complete(GenerateJsonSchema):
        """Every field of what a session sends is always there, those with a default too."""

        def field_is_required(self, *_: object, **__: object) -> bool:
            return True

    template = "#/$defs/{model}"
    parts = {name: adapter.json_schema(ref_template=template) for name, adapter in received.items()} | {
        name: adapter.json_schema(mode="serialization", ref_template=template, schema_generator=Complete)
        for name, adapter in sent.items()
    }
    definitions: JsonObject = {}
    for name, part in parts.items():
        definitions |= part.pop("$defs")
        definitions[name] = part
    for definition in definitions.values():
        for described in definition.get("properties", {}).values():
            described.pop("title", None)  # the name of the property again
        if "properties" in definition:
            definition["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages",
        "description": description,
        "$defs": definitions,
    }
