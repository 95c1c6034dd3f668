"""What the course of a game asks of a front end, and the replies.

The reply to `Ask`, `Wait`, `Decided` and `End` can also be what was typed meanwhile: a `Typed` line or a `Command`. The
other requests have only the reply stated, by default None once they have been shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import RenderableType

from cli.play.prompt import Command
from dsl.lazy_dataclasses import dataclass
from interpreter.seat.narrowing import Narrowing, NarrowingStep

if TYPE_CHECKING:
    from cli.play.hints import Hint
    from interpreter.opponents.thinking import Thought
    from interpreter.play.game import State
    from interpreter.play.saves.replay import Divergence
    from interpreter.play.story import RenderedEntry
    from interpreter.play.undo import Undo

NO_STEP = NarrowingStep("move", ())
"""The question while nobody has to decide."""


class Quit(Exception):
    """Raised when somebody quits; the game is saved."""


@dataclass(frozen=True)
class Typed:
    """A reply: a line, and the question in the form in which it was shown, to which the numbers in the line refer."""

    text: str
    step: NarrowingStep = field(default=NO_STEP)


Reply = None | bool | Typed | Command | Narrowing

# ---- decisions


@dataclass(frozen=True, eq=False)
class Ask:
    """The person at the keyboard has to answer; the reply may also be the remaining moves."""


@dataclass(frozen=True, eq=False)
class Wait:
    """A bot is thinking. The reply is None once it has decided."""

    thought: Thought


@dataclass(frozen=True, eq=False)
class Decided:
    """A decision was made, the one after the first `since`; `by_hand` if a person had a choice."""

    since: int
    by_hand: bool


@dataclass(frozen=True, eq=False)
class End:
    """The game is over. The reply None ends the course."""


# ---- several persons at one keyboard


@dataclass(frozen=True)
class Seen:
    """Before the keyboard is passed on, a seat may look at the effects of its last decision."""

    seat: str


@dataclass(frozen=True)
class PassOn:
    """The keyboard is passed on to a seat; until it confirms, nothing may be visible that others must not see."""

    seat: str


@dataclass(frozen=True)
class Consent:
    """Does a seat agree to an undo? The reply is a bool."""

    undo: Undo
    seat: str


# ---- what a person is shown


@dataclass(frozen=True)
class Show:
    """Show something that depends on the front end: the table before a question, the question, the help and so on."""

    subject: Literal["table", "question", "help", "view", "names", "rules", "save"]


@dataclass(frozen=True)
class Say:
    """One sentence, with a path at its end if there is one."""

    message: str
    path: Path | None = None


@dataclass(frozen=True)
class Rejected:
    """A line that was not understood, and why."""

    text: str
    message: str


@dataclass(frozen=True)
class Explained:
    """The answer to a query; the title repeats the query."""

    title: str
    parts: Sequence[RenderableType]


@dataclass(frozen=True)
class Log:
    """The last `most` entries of the log."""

    entries: Sequence[RenderedEntry]
    most: int


@dataclass(frozen=True)
class Announced:
    """New announcements, which the person at the keyboard has to notice."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Look:
    """Open the viewer as a seat."""

    seat: str | None


@dataclass(frozen=True)
class Know:
    """Work out and show what a seat can infer."""

    seat: str


@dataclass(frozen=True)
class Search:
    """Wait for a hint and show it; the numbers are those of a question."""

    hint: Hint
    step: NarrowingStep


# ---- saves and rules


@dataclass(frozen=True)
class Warn:
    """Something is wrong with the save, under a title if it has to be noticed; `is_new` unless it was so before."""

    message: str
    title: str = ""
    is_new: bool = True


@dataclass(frozen=True)
class Diverged:
    """A decision is no longer legal under the changed rules: continue from there? The reply is a bool."""

    state: State
    divergence: Divergence


Request = (
    Ask | Wait | Decided | End | Seen | PassOn | Consent | Show | Say | Rejected | Explained | Log | Announced | Look
    | Know | Search | Warn | Diverged
)  # fmt: skip
