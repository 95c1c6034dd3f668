"""What the seats learn of a move, by the rules: which arguments are pieces, and which parts others do not see.

In states that a seat cannot tell apart, equal pieces have different numbers, so pieces count by their kind. For the
other seats, `secret` arguments are masked, and so are chosen pieces that are hidden from some seat. They do not notice
a declined secret question, and learn of simultaneous choices when all have chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import ZoneSymbol
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import Decision, acts_of, chosen_type


class Pieces(Enum):
    """Whether an argument is a piece, a set of pieces, or neither."""

    NONE = 0
    ONE = 1
    SET = 2


@dataclass(frozen=True)
class Argument:
    """An argument of a move: whether it is about pieces, and whether others do not learn it."""

    pieces: Pieces
    secret: bool = False


@dataclass(frozen=True)
class MovePrivacy:
    """What is learned of the moves of a decision.

    `secretly`: the others do not notice when it is declined; `at_once`: they learn of the choice when all have chosen.
    `several`: it is one of several successive picks. `hidden`: they do not learn what is chosen. `acts` are the
    arguments of each act by its number; those of a choice are `chosen`.
    """

    secretly: bool
    at_once: bool
    several: bool
    hidden: bool
    acts: Mapping[int, tuple[Argument, ...]]
    chosen: Argument | None

    def arguments(self, act: int, count: int) -> tuple[Argument, ...]:
        """The arguments of an act."""
        if self.chosen is not None:
            return (self.chosen,) * count
        return self.acts.get(act, ())


def privacy_of(model: Model, decision: Decision) -> MovePrivacy:
    """What is learned of the moves of a decision."""
    node = decision.node
    several = decision.chosen is not None
    if isinstance(node, ast.Choose):
        chosen = Argument(_pieces_in(chosen_type(model, node)))
        return MovePrivacy(node.secretly, decision.at_once, several, hides_pieces(model, node), {}, chosen)
    acts = {
        number: tuple(
            Argument(_pieces_in(parameter.type), declared.secret)
            for parameter, declared in zip(rule.parameters, rule.declaration.parameters, strict=True)
        )
        for number, act in enumerate(acts_of(node))
        for rule in (model.rules[act.name],)
    }
    return MovePrivacy(node.secretly, decision.at_once, several, False, acts, None)


def hides_pieces(model: Model, node: ast.Choose) -> bool:
    """True if the chosen pieces may, by the rules, be hidden from some seat."""
    if _pieces_in(chosen_type(model, node)) is Pieces.NONE:
        return False
    named = (model.refers.get(part.number) for part in node.domain.walk())
    zones = [symbol for symbol in named if isinstance(symbol, ZoneSymbol)]
    return not zones or any(zone.declaration.sights for zone in zones)


def has_masked_moves(model: Model) -> bool:
    """True if of some move, some seats learn more than others."""
    for node in model.nodes:
        match node:
            case ast.Decide() | ast.Choose() if node.secretly:
                return True
            case ast.Choose() if hides_pieces(model, node):
                return True
            case ast.Parameter() if node.secret:
                return True
            case ast.EachPlayer() if node.at_once:
                return True
    return False


def _pieces_in(type_: Type) -> Pieces:
    core = bare(type_)
    if isinstance(core, PieceType):
        return Pieces.ONE
    if isinstance(core, Several) and isinstance(bare(core.element), PieceType):
        return Pieces.SET
    return Pieces.NONE
