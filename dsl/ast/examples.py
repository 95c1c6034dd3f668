"""Examples: given, when, then."""

from __future__ import annotations

from typing import Literal

from dsl.ast.base import Node
from dsl.ast.expressions import Act, Expression, Text
from dsl.ast.statements import Citations
from dsl.lazy_dataclasses import node_class


@node_class
class GivenSeats(Node):
    """`given 3 players` (the first seats) or `given players red, blue`."""

    kind: Literal["given_seats"] = "given_seats"
    count: int | None
    seats: tuple[str, ...]


@node_class
class Given(Node):
    """`given row[A] is [red ace]`."""

    kind: Literal["given"] = "given"
    condition: Expression


@node_class
class GivenShown(Node):
    """`given cube shows 4`: the face a die shows before it is rolled again."""

    kind: Literal["given_shown"] = "given_shown"
    die: Expression
    face: Expression


@node_class
class Choosing(Node):
    """`choose 5` as a move."""

    kind: Literal["choosing"] = "choosing"
    value: Expression


Choice = Act | Choosing


@node_class
class Played(Node):
    """`when red: put(ace, 1, A)`."""

    kind: Literal["played"] = "played"
    seat: str
    choice: Choice


@node_class
class Begun(Node):
    """`when phase main`: play continues from there; `when phase main from blue`: with a turn of that seat."""

    kind: Literal["begun"] = "begun"
    phase: str
    seat: str | None = None


@node_class
class Then(Node):
    """`then points(red, A) is 2`."""

    kind: Literal["then"] = "then"
    condition: Expression


@node_class
class ThenMay(Node):
    """`then red may put(ace, 1, A) or draw`; `only`: nothing else."""

    kind: Literal["then_may"] = "then_may"
    seat: str
    choices: tuple[Choice, ...]
    only: bool


@node_class
class ThenMayNot(Node):
    """`then red may not put(A) because "..."`."""

    kind: Literal["then_may_not"] = "then_may_not"
    seat: str
    choice: Choice
    because: Text | None


Scene = GivenSeats | Given | GivenShown | Played | Begun | Then | ThenMay | ThenMayNot


@node_class
class Example(Node):
    """A worked example: run as a test, printed in the documentation."""

    kind: Literal["example"] = "example"
    title: Text
    scenes: tuple[Scene, ...]
    cites: Citations = ()
