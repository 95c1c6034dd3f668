"""Examples: given, when, then."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dsl.ast.base import Node
from dsl.ast.expressions import Expression, Text
from dsl.ast.statements import Act, Citations


class GivenSeats(Node):
    """`given 3 players` (the first seats) or `given players red, blue`."""

    kind: Literal["given_seats"] = "given_seats"
    count: int | None
    seats: tuple[str, ...]


class Given(Node):
    """`given row[A] is [red ace]`."""

    kind: Literal["given"] = "given"
    condition: Expression


class GivenShown(Node):
    """`given cube shows 4`: the face a die shows before it is rolled again."""

    kind: Literal["given_shown"] = "given_shown"
    die: Expression
    face: Expression


class Choosing(Node):
    """`choose 5` as a move."""

    kind: Literal["choosing"] = "choosing"
    value: Expression


Choice = Annotated[Act | Choosing, Field(discriminator="kind")]


class Played(Node):
    """`when red: put(ace, 1, A)`."""

    kind: Literal["played"] = "played"
    seat: str
    choice: Choice


class Begun(Node):
    """`when phase main`: play continues from there; `when phase main from blue`: with a turn of that seat."""

    kind: Literal["begun"] = "begun"
    phase: str
    seat: str | None = None


class Then(Node):
    """`then points(red, A) is 2`."""

    kind: Literal["then"] = "then"
    condition: Expression


class ThenMay(Node):
    """`then red may put(ace, 1, A) or draw`; `only`: nothing else."""

    kind: Literal["then_may"] = "then_may"
    seat: str
    choices: tuple[Choice, ...]
    only: bool


class ThenMayNot(Node):
    """`then red may not put(A) because "..."`."""

    kind: Literal["then_may_not"] = "then_may_not"
    seat: str
    choice: Choice
    because: Text | None


Scene = Annotated[
    GivenSeats | Given | GivenShown | Played | Begun | Then | ThenMay | ThenMayNot, Field(discriminator="kind")
]


class Example(Node):
    """A worked example: run as a test, printed in the documentation."""

    kind: Literal["example"] = "example"
    title: Text
    scenes: tuple[Scene, ...]
    cites: Citations = ()
