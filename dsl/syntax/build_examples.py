"""Build functions for examples."""

from __future__ import annotations

from dataclasses import replace

from lark import Token

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.build_expressions import Expression
from dsl.syntax.build_tree import Builder, RuleSet, cites, parse_number
from dsl.text.span import Span

EXAMPLES = RuleSet()


@dataclass(frozen=True)
class Condition:
    """`… E`: after `given` or `then`."""

    condition: Expression


@dataclass(frozen=True)
class Shown:
    """`… die shows face`: after `given`."""

    die: Expression
    face: Expression


@dataclass(frozen=True)
class May:
    """`… red may [only] a or b`: after `then`."""

    seat: str
    choices: tuple[ast.Choice, ...]
    only: bool


@dataclass(frozen=True)
class MayNot:
    """`… red may not a [because "reason"]`: after `then`."""

    seat: str
    choice: ast.Choice
    because: ast.Text | None


Continuation = Condition | Shown | May | MayNot
"""The content of a scene that begins with `and`: the verb is that of the scene before it."""


@EXAMPLES.add("example")
def _example(
    b: Builder, span: Span, title: Token, citation: Token | None, *scenes: ast.Scene | tuple[Span, Continuation]
) -> ast.Example:
    built: list[ast.Scene] = []
    for scene in scenes:
        if isinstance(scene, tuple):
            continued = _continued(b, *scene, built[-1] if built else None)
            built += [continued] if continued is not None else []
        else:
            built.append(scene)
    return ast.Example(
        span=span, title=b.text(title), number=b.next(), scenes=tuple(built), cites=cites(citation)
    )  # fmt: skip


@EXAMPLES.add("scene")
def _scene(b: Builder, span: Span, scene: ast.Scene | Continuation) -> ast.Scene | tuple[Span, Continuation]:
    return (span, scene) if isinstance(scene, Continuation) else replace(scene, span=span)


def _continued(b: Builder, span: Span, content: Continuation, previous: ast.Scene | None) -> ast.Scene | None:
    """Build a scene that begins with `and`; a diagnostic if it cannot follow the scene before it.

    After such a diagnostic, it is taken for the scene that was meant: others that follow it are right then.
    """
    word = Span(b.source, span.start, span.start + len("and"))
    if previous is None:
        b.error("E0125", "`and` continues the scene before it, but this is the first", word, ["begin with `given`"])
    if isinstance(previous, ast.Played | ast.Begun):
        b.error(
            "E0125", "`and` can continue `given` or `then`, not `when`", word,
            ["write `when` again for the next move, or `then` for what should hold"],
        )  # fmt: skip
    after_given = previous is None or isinstance(previous, ast.Given | ast.GivenSeats | ast.GivenShown)
    match content:
        case Condition(condition) if after_given:
            return ast.Given(span=span, number=b.next(), condition=condition)
        case Condition(condition):
            return ast.Then(span=span, number=b.next(), condition=condition)
        case Shown(die, face) if after_given:
            return ast.GivenShown(span=span, number=b.next(), die=die, face=face)
        case Shown(die, face):
            instead = f"and {die.span.text} is {face.span.text}"
            helps = [f"write `{instead}`: the value of a die is the face it shows"]
            b.error("E0125", "`shows` can only follow `given`", span, helps, new=instead)
        case May() | MayNot() if after_given and previous is not None:
            b.error("E0125", "what a player may do comes after `then`, not after `given`", word, ["write `then` here"])
        case May(seat, choices, only):
            return ast.ThenMay(span=span, number=b.next(), seat=seat, choices=choices, only=only)
        case MayNot(seat, choice, because):
            return ast.ThenMayNot(span=span, number=b.next(), seat=seat, choice=choice, because=because)
    return None


# ---------------------------------------------------------------- given


@EXAMPLES.add("given_count")
def _given_count(b: Builder, span: Span, count: Token) -> ast.GivenSeats:
    return ast.GivenSeats(span=span, number=b.next(), count=parse_number(count), seats=())


@EXAMPLES.add("given_one")
def _given_one(b: Builder, span: Span) -> ast.GivenSeats:
    return ast.GivenSeats(span=span, number=b.next(), count=1, seats=())


@EXAMPLES.add("given_seats")
def _given_seats(b: Builder, span: Span, *seats: Token) -> ast.GivenSeats:
    return ast.GivenSeats(span=span, number=b.next(), count=None, seats=tuple(map(str, seats)))


@EXAMPLES.add("given_shown")
def _given_shown(b: Builder, span: Span, die: Expression, face: Expression) -> ast.GivenShown:
    return ast.GivenShown(span=span, number=b.next(), die=die, face=face)


@EXAMPLES.add("given_that")
def _given(b: Builder, span: Span, condition: Expression) -> ast.Given:
    return ast.Given(span=span, number=b.next(), condition=condition)


# ---------------------------------------------------------------- when


@EXAMPLES.add("played")
def _played(b: Builder, span: Span, seat: Token, choice: ast.Choice) -> ast.Played:
    return ast.Played(span=span, number=b.next(), seat=str(seat), choice=choice)


@EXAMPLES.add("begun")
def _begun(b: Builder, span: Span, phase: Token, seat: Token | None) -> ast.Begun:
    return ast.Begun(span=span, number=b.next(), phase=str(phase), seat=None if seat is None else str(seat))


@EXAMPLES.add("choosing")
def _choosing(b: Builder, span: Span, value: Expression) -> ast.Choosing:
    return ast.Choosing(span=span, number=b.next(), value=value)


# ---------------------------------------------------------------- then


@EXAMPLES.add("then_that")
def _then(b: Builder, span: Span, condition: Expression) -> ast.Then:
    return ast.Then(span=span, number=b.next(), condition=condition)


@EXAMPLES.add("then_may")
def _then_may(b: Builder, span: Span, seat: Token, *choices: ast.Choice) -> ast.ThenMay:
    return ast.ThenMay(span=span, number=b.next(), seat=str(seat), choices=choices, only=False)


@EXAMPLES.add("then_may_only")
def _then_may_only(b: Builder, span: Span, seat: Token, *choices: ast.Choice) -> ast.ThenMay:
    return ast.ThenMay(span=span, number=b.next(), seat=str(seat), choices=choices, only=True)


@EXAMPLES.add("then_may_not")
def _then_may_not(b: Builder, span: Span, seat: Token, choice: ast.Choice, reason: Token | None) -> ast.ThenMayNot:
    because = None if reason is None else b.text(reason)
    return ast.ThenMayNot(span=span, number=b.next(), seat=str(seat), choice=choice, because=because)


# ---------------------------------------------------------------- and


@EXAMPLES.add("again_that")
def _again(b: Builder, span: Span, condition: Expression) -> Condition:
    return Condition(condition)


@EXAMPLES.add("again_shown")
def _again_shown(b: Builder, span: Span, die: Expression, face: Expression) -> Shown:
    return Shown(die, face)


@EXAMPLES.add("again_may")
def _again_may(b: Builder, span: Span, seat: Token, *choices: ast.Choice) -> May:
    return May(str(seat), choices, only=False)


@EXAMPLES.add("again_may_only")
def _again_may_only(b: Builder, span: Span, seat: Token, *choices: ast.Choice) -> May:
    return May(str(seat), choices, only=True)


@EXAMPLES.add("again_may_not")
def _again_may_not(b: Builder, span: Span, seat: Token, choice: ast.Choice, reason: Token | None) -> MayNot:
    return MayNot(str(seat), choice, None if reason is None else b.text(reason))
