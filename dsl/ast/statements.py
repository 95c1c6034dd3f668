"""Statements: effects, and who must or may do what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Literal, assert_never, get_args

from dsl.ast.base import Node
from dsl.ast.expressions import Act, Binder, Expression, Index, Name, Text
from dsl.lazy_dataclasses import node_class

Target = Name | Index
TargetName = Name
"""A target that has no index."""
Citations = tuple[str, ...]
"""The ids of the rules in the rulebook that a construct implements."""

Duty = Literal["must", "may"]


@node_class
class Position(Node):
    """A position in an ordered zone: `before c`, `after c`, `at bottom`."""

    kind: Literal["position"] = "position"
    relation: Literal["before", "after", "at bottom"]
    anchor: Expression | None


@node_class
class Move(Node):
    """`move E to Z`, `move N [of K] [at random] from Z to Z`; `source` is None in the first form.

    `at_random`: chance chooses the pieces, which otherwise are the first ones.
    """

    kind: Literal["move"] = "move"
    what: Expression
    source: Expression | None
    target: Target
    position: Position | None
    at_random: bool = False
    cites: Citations = ()


@node_class
class SetTo(Node):
    """`set note to E`."""

    kind: Literal["set_to"] = "set_to"
    target: Target
    value: Expression
    cites: Citations = ()


@node_class
class Add(Node):
    """`add E to note`: a number to a number, a value to a set."""

    kind: Literal["add"] = "add"
    value: Expression
    target: Target
    because: Text | None
    cites: Citations = ()


@node_class
class Remove(Node):
    """`remove E from note`: a value from a set."""

    kind: Literal["remove"] = "remove"
    value: Expression
    target: Target
    cites: Citations = ()


@node_class
class Shuffle(Node):
    """`shuffle zone`."""

    kind: Literal["shuffle"] = "shuffle"
    target: Target
    cites: Citations = ()


@node_class
class Roll(Node):
    """`roll die, die`."""

    kind: Literal["roll"] = "roll"
    dice: tuple[Target, ...]
    cites: Citations = ()


@node_class
class Pick(Node):
    """`choose [N] x at random from S [where P]`: chance chooses; `amount` None means one."""

    kind: Literal["pick"] = "pick"
    amount: Expression | None
    name: str
    domain: Expression
    where: Expression | None
    cites: Citations = ()


@node_class
class Record(Node):
    """`record pattern`: remembers the present values of a position."""

    kind: Literal["record"] = "record"
    target: TargetName
    cites: Citations = ()


@node_class
class Let(Node):
    """`let x = E`: a name for a value, until the end of the rule."""

    kind: Literal["let"] = "let"
    name: str
    value: Expression
    cites: Citations = ()


@node_class
class Bound(Node):
    """`up to N times [while C]`."""

    kind: Literal["bound"] = "bound"
    times: Expression
    condition: Expression | None


@node_class
class Decide(Node):
    """`must|may [secretly] a or b [else c] [up to N times]`, or `must … [else c] else:` with a block, `instead`.

    The block is carried out if none of the moves is possible.
    """

    kind: Literal["decide"] = "decide"
    duty: Duty
    secretly: bool
    acts: tuple[Act, ...]
    otherwise: tuple[Act, ...]
    bound: Bound | None
    instead: tuple[Statement, ...] = ()
    cites: Citations = ()

    @property
    def offered(self) -> tuple[Act, ...]:
        """All acts, in the order of their numbers."""
        return (*self.acts, *self.otherwise)


@node_class
class Amount(Node):
    """How many to choose: `2`, `up to 3`, `2 to 3`; an expression is in brackets.

    `fewest` is None unless both bounds are given; `exactly`: as many as `most`.
    """

    kind: Literal["amount"] = "amount"
    fewest: Expression | None
    most: Expression
    exactly: bool


@node_class
class Choose(Node):
    """`must|may choose [N | up to N | N to M] x from S [where P]`; `amount` None means one."""

    kind: Literal["choose"] = "choose"
    duty: Duty
    secretly: bool
    amount: Amount | None
    name: str
    domain: Expression
    where: Expression | None
    cites: Citations = ()


@node_class
class Do(Node):
    """A step called by name."""

    kind: Literal["do"] = "do"
    act: Act
    cites: Citations = ()


@node_class
class Tell(Node):
    """`tell "text"`: an announcement; `tell p "text"`: to that seat only, and if it is none, to nobody."""

    kind: Literal["tell"] = "tell"
    seat: Expression | None
    text: Text
    cites: Citations = ()


@node_class
class EndGame(Node):
    """`end game`: at once."""

    kind: Literal["end_game"] = "end_game"
    cites: Citations = ()


@node_class
class If(Node):
    """`if C: ... else: ...`."""

    kind: Literal["if"] = "if"
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    cites: Citations = ()


@node_class
class ForEach(Node):
    """`for each x in S with y in T where P [at once]:`, in declared order; S, T and P are evaluated as the loop begins.

    `at_once`: all iterations are computed before any of them changes anything.
    """

    kind: Literal["for_each"] = "for_each"
    binders: tuple[Binder, ...]
    where: Expression | None
    at_once: bool = False
    body: tuple[Statement, ...]
    cites: Citations = ()


@node_class
class Backwards(Node):
    """`backwards [if C]`: the seats come counterclockwise, if C holds or always."""

    kind: Literal["backwards"] = "backwards"
    condition: Expression | None


@node_class
class EachPlayer(Node):
    """`each player from P [to Q] [backwards [if C]] [where C] [at once]:` each seat once, bound to `me`.

    `at_once`: the body begins with a decision that all seats make without learning of each other's choice; the rest
    follows when everybody has chosen.
    """

    kind: Literal["each_player"] = "each_player"
    first: Expression
    last: Expression | None
    backwards: Backwards | None
    where: Expression | None
    at_once: bool = False
    body: tuple[Statement, ...]
    cites: Citations = ()

    @property
    def course(self) -> list[Expression]:
        """What decides, when the loop begins, which seats come in which order."""
        condition = None if self.backwards is None else self.backwards.condition
        return [part for part in (self.first, self.last, condition) if part is not None]


@node_class
class Repeat(Node):
    """`up to N times [while C]:`."""

    kind: Literal["repeat"] = "repeat"
    bound: Bound
    body: tuple[Statement, ...]
    cites: Citations = ()


Moving = Move
"""The statements that move pieces from place to place."""
Question = Decide | Choose
"""The statements that ask a player."""
Chance = Shuffle | Roll | Pick
"""The statements whose outcome depends on chance; and a `Move` may, `is_chance`."""
Assignment = SetTo | Add | Remove
Loop = ForEach | EachPlayer | Repeat
Simple = Moving | Assignment | Chance | Record | Let | Do | Tell | EndGame
"""The statements that contain no others and ask nobody."""
Statement = Simple | Question | If | Loop


def is_chance(node: Node) -> bool:
    """True for a statement whose outcome depends on chance."""
    return isinstance(node, Chance) or (isinstance(node, Move) and node.at_random)


_BLOCK_TYPES = frozenset({"tuple[Statement, ...]"})
_TARGET_TYPES = frozenset({"Target", "TargetName", "tuple[Target, ...]"})


def _fields_of_types(types: frozenset[str]) -> Mapping[type, tuple[str, ...]]:
    """The fields of each class of statements whose type is written in one of these ways."""
    return {
        class_: tuple([part.name for part in fields(class_) if part.type in types]) for class_ in get_args(Statement)
    }


_BLOCKS, _TARGETS = _fields_of_types(_BLOCK_TYPES), _fields_of_types(_TARGET_TYPES)


def blocks(node: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of statements directly inside a statement."""
    return tuple([getattr(node, name) for name in _BLOCKS[type(node)]])


def first_line(node: Statement) -> Statement:
    """The statement with empty blocks and without citations: what its first line says."""
    empty: dict[str, Any] = dict.fromkeys(_BLOCKS[type(node)], ())
    return replace(node, cites=(), **empty)


def nested(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Statements and all those in their blocks, in source order."""
    for node in statements:
        yield node
        for block in blocks(node):
            yield from nested(block)


def has_blocks(node: Statement) -> bool:
    """Whether it has blocks of statements, which a decision need not have."""
    return any(blocks(node))


def targets(node: Statement) -> tuple[Target, ...]:
    """The notes, dice, zones and positions that a statement names and changes.

    `move` also changes the zones that pieces come from.
    """
    held = [getattr(node, name) for name in _TARGETS[type(node)]]
    return tuple([target for value in held for target in (value if isinstance(value, tuple) else (value,))])


def entered(node: Statement) -> tuple[Target, ...]:
    """The zones that a statement puts pieces into."""
    if not isinstance(node, Moving):
        return ()
    match node:
        case Move():
            return (node.target,)
        case _ as never:
            assert_never(never)


def left(node: Statement) -> tuple[Expression, ...]:
    """What a statement takes pieces out of: a zone if it names one, else the pieces themselves."""
    if not isinstance(node, Moving):
        return ()
    match node:
        case Move():
            return (node.what if node.source is None else node.source,)
        case _ as never:
            assert_never(never)
