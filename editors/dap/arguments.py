"""The arguments of requests, as far as they are read here; unknown ones are ignored, as the protocol demands."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Arguments(BaseModel):
    """Arguments of a request, written in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class ClientSettings(Arguments):
    """`initialize`: how the client counts."""

    lines_start_at1: bool = True
    columns_start_at1: bool = True


class Launch(Arguments):
    """`launch`: what is debugged.

    Exactly one of `program` (a game by name or path), `save` (a path or the name of a save) and, with `program`,
    `example` (the title of one, or a part of it) says what. `seats` maps seats, or `all`, to the bots that play them;
    the others are played at the console. `moves` are made first, in the notation of moves. Until a game of people is
    over, `as` limits what is shown to what that seat knows, and `everything` lifts the limit.
    """

    program: str | None = None
    save: str | None = None
    example: str | None = None
    players: int | list[str] | None = None
    options: dict[str, str | int] = Field(default_factory=dict)
    variants: list[str] = Field(default_factory=list)
    board: str | None = None
    seed: int | None = None
    seats: dict[str, str] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    as_seat: str | None = Field(default=None, alias="as")
    everything: bool = False
    stop_on_entry: bool = False
    no_debug: bool = False


class SourceReference(Arguments):
    """A file."""

    path: str = ""


class WantedBreakpoint(Arguments):
    """A breakpoint as the client wants it: on a line, a rule or a place, whichever the request is about."""

    line: int = 0
    name: str = ""
    data_id: str = ""
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None


class SetBreakpoints(Arguments):
    """`setBreakpoints`, `setFunctionBreakpoints`, `setDataBreakpoints`: all of one kind, and of one file."""

    source: SourceReference = SourceReference()
    breakpoints: list[WantedBreakpoint] = Field(default_factory=list)


class SetExceptionBreakpoints(Arguments):
    """`setExceptionBreakpoints`."""

    filters: list[str] = Field(default_factory=list)


class BreakpointLocations(Arguments):
    """`breakpointLocations`, `gotoTargets`: lines of a file."""

    source: SourceReference = SourceReference()
    line: int = 1
    end_line: int | None = None


class Goto(Arguments):
    """`goto`."""

    target_id: int


class StackTrace(Arguments):
    """`stackTrace`: some frames; `levels` 0 means all."""

    start_frame: int = 0
    levels: int = 0


class Scopes(Arguments):
    """`scopes`."""

    frame_id: int = 0


class Variables(Arguments):
    """`variables`: the parts of a value; `count` 0 means all."""

    variables_reference: int
    start: int = 0
    count: int = 0


class Evaluate(Arguments):
    """`evaluate`."""

    expression: str
    context: str = "repl"


class DataBreakpointInfo(Arguments):
    """`dataBreakpointInfo`."""

    name: str
    variables_reference: int = 0
