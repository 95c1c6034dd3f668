"""Expressions: values and conditions."""

from __future__ import annotations

from typing import Literal

from dsl.ast.base import Node
from dsl.lazy_dataclasses import node_class


@node_class
class Name(Node):
    """A name that refers to something declared, bound or predeclared."""

    kind: Literal["name"] = "name"
    name: str


@node_class
class Number(Node):
    """A whole number."""

    kind: Literal["number"] = "number"
    value: int


@node_class
class Text(Node):
    """A quoted text; `{...}` in it is an expression. `parts` are texts and expressions in turn."""

    kind: Literal["text"] = "text"
    value: str
    parts: tuple[str | Expression, ...]


@node_class
class Range(Node):
    """`1..7`, `n..count hand[me]`: the numbers from `low` to `high`, inclusive; none if `high` is lower."""

    kind: Literal["range"] = "range"
    low: Expression
    high: Expression

    @property
    def numbers(self) -> range | None:
        """The numbers, if both ends are written as numbers."""
        if isinstance(self.low, Number) and isinstance(self.high, Number):
            return range(self.low.value, self.high.value + 1)
        return None


@node_class
class Index(Node):
    """`hand[me]`: the place of a zone, note or die at an index."""

    kind: Literal["index"] = "index"
    base: Expression
    arguments: tuple[Expression, ...]


@node_class
class Call(Node):
    """`points(p, s)`: a definition or a function of the language, or a value with arguments."""

    kind: Literal["call"] = "call"
    base: Expression
    arguments: tuple[Expression, ...]


@node_class
class Attribute(Node):
    """`c.rank`."""

    kind: Literal["attribute"] = "attribute"
    base: Expression
    name: str


Word = Name | Call


@node_class
class Pattern(Node):
    """`red ace`, `2 ace`, `2 run(1)`: pieces by the values of their attributes; `amount` may be left out."""

    kind: Literal["pattern"] = "pattern"
    amount: int | None
    words: tuple[Word, ...]


@node_class
class ListOf(Node):
    """`[a, b]`: ordered."""

    kind: Literal["list"] = "list"
    items: tuple[Expression, ...]


@node_class
class SetOf(Node):
    """`{a, b}`: unordered."""

    kind: Literal["set"] = "set"
    items: tuple[Expression, ...]


@node_class
class Binder(Node):
    """`x in S`."""

    kind: Literal["binder"] = "binder"
    name: str
    domain: Expression


@node_class
class Filter(Node):
    """`{x in S where P}`: the members of S for which P holds."""

    kind: Literal["filter"] = "filter"
    binder: Binder
    where: Expression | None


@node_class
class Builder(Node):
    """`{E for x in S where P}`: the set of values of E."""

    kind: Literal["builder"] = "builder"
    value: Expression
    binders: tuple[Binder, ...]
    where: Expression | None


@node_class
class Either(Node):
    """`(a if c else b)`."""

    kind: Literal["either"] = "either"
    then: Expression
    condition: Expression
    otherwise: Expression


@node_class
class Quantified(Node):
    """`count|some|no|the x in S where P`."""

    kind: Literal["quantified"] = "quantified"
    quantifier: Literal["count", "some", "no", "the"]
    binders: tuple[Binder, ...]
    where: Expression | None


Extreme = Literal["highest", "lowest"]


@node_class
class Best(Node):
    """`the x in S with highest E where P`: the first of several."""

    kind: Literal["best"] = "best"
    function: Extreme
    binder: Binder
    value: Expression
    where: Expression | None


AggregateFunction = Literal["sum", "highest", "lowest"]


@node_class
class Aggregate(Node):
    """`sum|highest|lowest E for x in S where P`."""

    kind: Literal["aggregate"] = "aggregate"
    function: AggregateFunction
    value: Expression
    binders: tuple[Binder, ...]
    where: Expression | None


@node_class
class Count(Node):
    """`count Z`: the number of members."""

    kind: Literal["count"] = "count"
    operand: Expression


@node_class
class Of(Node):
    """`hand[me] of ace`: the pieces of that kind; in a move, `2 of ace`."""

    kind: Literal["of"] = "of"
    whole: Expression
    part: Expression


Comparison = Literal["<", "<=", ">", ">=", "is", "is not", "is in", "is not in", "before", "after"]


@node_class
class Compare(Node):
    """`a is b`, `a < b`, `a is in b`, `a before b`."""

    kind: Literal["compare"] = "compare"
    operator: Comparison
    left: Expression
    right: Expression


ArithmeticOperator = Literal["+", "-", "*", "&"]


@node_class
class Arithmetic(Node):
    """`+` and `-` of numbers and of sets, `*` of numbers, `&` of sets."""

    kind: Literal["arithmetic"] = "arithmetic"
    operator: ArithmeticOperator
    left: Expression
    right: Expression


@node_class
class Division(Node):
    """`a / b rounded up`, `a / b rounded down`, of whole numbers."""

    kind: Literal["division"] = "division"
    left: Expression
    right: Expression
    rounded: Literal["up", "down"]


@node_class
class Negative(Node):
    """`-x`."""

    kind: Literal["negative"] = "negative"
    operand: Expression


@node_class
class Not(Node):
    """`not P`."""

    kind: Literal["not"] = "not"
    operand: Expression


@node_class
class And(Node):
    """`P and Q`; Q is evaluated only if P holds."""

    kind: Literal["and"] = "and"
    left: Expression
    right: Expression


@node_class
class Or(Node):
    """`P or Q`; Q is evaluated only if P does not hold."""

    kind: Literal["or"] = "or"
    left: Expression
    right: Expression


@node_class
class Act(Node):
    """`put` or `put(ace, 2, A)`: a step or an action with arguments for its leading parameters."""

    kind: Literal["act"] = "act"
    name: str
    arguments: tuple[Expression, ...]


@node_class
class ClauseAct(Act):
    """A clause that a decision offers for a computed value, `resolve(c.kind)`: only if this is the value it is for.

    It is not in the file: there is one for each clause, instead of the act that is written there.
    """

    kind: Literal["clause_act"] = "clause_act"  # type: ignore[assignment]  # it is an act of another kind
    condition: Expression


@node_class
class Hypothesis(Node):
    """`E given step(x)`: the value of E in the position in which the effects of the step have been carried out."""

    kind: Literal["hypothesis"] = "hypothesis"
    value: Expression
    step: Act


@node_class
class Times(Node):
    """`times(pattern)`: how often the present values of a position have been recorded."""

    kind: Literal["times"] = "times"
    position: Name


Expression = (
    Name
    | Number
    | Text
    | Range
    | Index
    | Call
    | Attribute
    | Pattern
    | ListOf
    | SetOf
    | Filter
    | Builder
    | Either
    | Quantified
    | Best
    | Aggregate
    | Count
    | Of
    | Compare
    | Arithmetic
    | Division
    | Negative
    | Not
    | And
    | Or
    | Hypothesis
    | Times
)


def conjuncts(node: Expression | None) -> list[Expression]:
    """`P and Q and R` as a list; empty for no condition."""
    if node is None:
        return []
    return conjuncts(node.left) + conjuncts(node.right) if isinstance(node, And) else [node]
