"""Decision points of the rules: where they stand, and the marks of a state in which nothing is to be decided."""

from __future__ import annotations

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol
from dsl.types import Several, Type, bare
from interpreter.compiler.names import Names
from interpreter.runtime.cells import NumberCell

OVER_POINT = -1
"""The pending decision of a state in which the game is over."""

FREE_POINT = -2
"""The pending decision of a state of an example in which nothing is pending."""

NOT_IN, ASKED, DECLINED, FIRST_ACT = range(4)
"""What a cell says of a seat in a choice that all make at once: not taking part, not yet chosen, declined, and from
FIRST_ACT on the number of the act it has chosen."""


@dataclass(frozen=True)
class Decision:
    """A decision point: where it stands, the names in scope there, and the cell of what is chosen so far.

    `quiet`: it is reached in the setup or in a reaction. `at_once`: all seats choose before anybody learns of it.
    """

    number: int
    node: ast.Question
    names: Names
    rule: str
    chosen: NumberCell | None = None
    quiet: bool = False
    at_once: bool = False


def acts_of(node: ast.Question) -> tuple[ast.Act, ...]:
    """The acts of a decision by number."""
    return node.offered if isinstance(node, ast.Decide) else ()


def chosen_type(model: Model, node: ast.Choose) -> Type:
    """The type of one thing chosen, also where several are chosen one by one."""
    symbol = model.refers[node.number]
    assert isinstance(symbol, LocalSymbol)
    core = bare(symbol.type)
    return core.element if node.amount is not None and isinstance(core, Several) else symbol.type
