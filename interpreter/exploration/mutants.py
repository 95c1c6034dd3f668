"""Small changes of a game's rules, one at a time: what examples and properties have to notice.

`mutants` knows the language and no game. Each mutant shares all nodes with the file it comes from but those on the way
from the change up to the file, which are copies under the same number; a node that is new, or stands in another place
than before, gets a number of its own, since the side tables of the later stages are keyed by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import choice_of

N = TypeVar("N", bound=ast.Node)

FIRST_NEW_NUMBER = 1_000_000
"""New nodes are numbered from here on, above all numbers of the file."""

OPPOSITE: dict[str, str] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "is": "is not", "is not": "is", "is in": "is not in",
    "is not in": "is in",
}  # fmt: skip
"""The comparison that holds where another one does not."""

NEIGHBOUR: dict[str, str] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "before": "after", "after": "before"}
"""The comparison that differs from another one only where both sides are equal, or in its direction."""

COUNTERPART: dict[str, str] = {
    "must": "may", "may": "must", "some": "no", "no": "some", "highest": "lowest", "lowest": "highest",
    "sum": "highest", "+": "-", "-": "+", "true": "false", "false": "true", "before": "after",
    "after": "before", "up": "down", "down": "up", "larger": "smaller", "smaller": "larger",
}  # fmt: skip
"""The word or operator that takes the place of another one."""

FIELDS_OF_WORDS: dict[type[ast.Node], str] = {
    ast.Decide: "duty", ast.Choose: "duty", ast.Criterion: "direction", ast.Aggregate: "function",
    ast.Quantified: "quantifier", ast.Arithmetic: "operator", ast.Division: "rounded", ast.Position: "relation",
}  # fmt: skip
"""The fields of nodes that hold such a word."""

NUMBERS: dict[type[ast.Node], tuple[str, ...]] = {
    ast.Number: ("value",), ast.TypeRange: ("low", "high"), ast.Shape: ("low", "high"),
}  # fmt: skip
"""The fields of nodes that are numbers."""

REMOVABLE_OPERANDS: dict[str, tuple[str, ...]] = {"&": ("left", "right"), "+": ("left", "right"), "-": ("right",)}
"""Which operands an operation of numbers or sets can lose and still be of the same type."""

CONDITIONS = ("condition", "where", "over_when", "repeated_until", "over_at_once")
"""The fields of nodes that are conditions."""


@dataclass(frozen=True)
class Mutant:
    """A changed file.

    `description` says in which rule what was changed and is unique among the mutants of a file. `cites` are the items
    cited where the change is, `around` the numbers of the nodes there, from the innermost. `is_display`: only what
    people are shown is changed, a table or a label, which no example can notice.
    """

    description: str
    location: str
    cites: tuple[str, ...]
    around: tuple[int, ...]
    is_display: bool
    file: ast.GameFile


@dataclass(frozen=True)
class Change:
    """In words, and the nodes (perhaps none) that come to stand where `old` stood.

    `definition` is added to the file; the new nodes refer to it.
    """

    words: str
    old: ast.Node
    new: tuple[ast.Node, ...]
    definition: ast.Define | None = None


def mutants(file: ast.GameFile) -> Iterator[Mutant]:
    """Every mutant of a game, in the order of the text; its examples are left alone."""
    tree = Tree(file)
    told: Counter[str] = Counter()
    yielded: set[tuple[int, tuple[ast.Node, ...]]] = set()
    for node in tree.nodes:
        for change in changes(node, tree):
            if (change.old.number, change.new) in yielded or change.new == (change.old,):
                continue
            yielded.add((change.old.number, change.new))
            words = f"{tree.owner(change.old)}: {change.words}"
            told[words] += 1
            if told[words] > 1:
                words = f"{words} ({told[words]})"
            around = tuple(node.number for node in tree.upward(change.old))
            file = tree.replaced(change.old, change.new)
            if change.definition is not None:
                file = with_definition(file, change.definition)
            yield Mutant(
                words, change.old.span.location, tree.cites(change.old), around, tree.is_display(change.old), file
            )


class Tree:
    """A file with the node above each node; gives copies of the file in which one node is replaced."""

    def __init__(self, file: ast.GameFile) -> None:
        self.file = file
        self.above: dict[int, ast.Node] = {}
        self.nodes = list(self._through(file))
        self.definitions = {node.name: node for node in self.nodes if isinstance(node, ast.Define)}
        self.uses = Counter(node.name for node in self.nodes if isinstance(node, ast.Name))
        self._numbers = count(FIRST_NEW_NUMBER)
        assert len({node.number for node in self.nodes}) == len(self.nodes) < FIRST_NEW_NUMBER

    def _through(self, node: ast.Node) -> Iterator[ast.Node]:
        if isinstance(node, ast.Example):
            return
        yield node
        for child in node.children():
            self.above[child.number] = node
            yield from self._through(child)

    def fresh(self, node: N, **fields: Any) -> N:
        """A copy under a new number, with other values of some fields."""
        return replace(node, number=next(self._numbers), **fields)

    def renumbered(self, value: Any) -> Any:
        """The value of a field in which every node is a copy under a new number."""
        if isinstance(value, tuple):
            return tuple(self.renumbered(item) for item in value)
        if not isinstance(value, ast.Node):
            return value
        return self.fresh(value, **{name: self.renumbered(field) for name, field in _fields(value)})

    def opposite(self, condition: ast.Expression) -> ast.Expression:
        """What holds where the condition does not."""
        match condition:
            case ast.Not():
                return condition.operand
            case ast.Compare() if condition.operator in OPPOSITE:
                return self.fresh(condition, operator=OPPOSITE[condition.operator])
            case ast.Quantified(quantifier="some" | "no"):
                return self.fresh(condition, quantifier=COUNTERPART[condition.quantifier])
            case ast.Name(name="true" | "false"):
                return self.fresh(condition, name=COUNTERPART[condition.name])
            case _:
                pass
        number = next(self._numbers)
        return ast.Not(span=condition.span, number=number, operand=condition)

    def owner(self, node: ast.Node) -> str:
        """The innermost declaration around a node in words."""
        for above in self.upward(node):
            match above:
                case ast.Row():
                    return f"{words_of(self.above[above.number])}, row {above.key}"
                case ast.Table():
                    return f"table {above.title.value}"
                case (
                    ast.TypeList() | ast.TypeTable() | ast.Piece() | ast.Zone() | ast.Note() | ast.Option() | ast.Die()
                    | ast.Define() | ast.Action() | ast.Step() | ast.When() | ast.Phase() | ast.ByPlayers()
                    | ast.Winner() | ast.Teams() | ast.Header()
                ):  # fmt: skip
                    return words_of(above)
                case ast.Part():
                    return above.name
                case _:
                    pass
        return "file"

    def cites(self, node: ast.Node) -> tuple[str, ...]:
        """The items cited by a node and those above it, nearest first."""
        return tuple(dict.fromkeys(item for above in self.upward(node) for item in getattr(above, "cites", ())))

    def is_display(self, node: ast.Node) -> bool:
        """True if a node says only what people are shown: it is part of a table or of the label of an action."""
        above = list(self.upward(node))
        labels = [part.label for part in above if isinstance(part, ast.Action) and part.label is not None]
        return any(isinstance(part, ast.Table) or any(part is label for label in labels) for part in above)

    def upward(self, node: ast.Node) -> Iterator[ast.Node]:
        """A node and those above it, the nearest first."""
        above: ast.Node | None = node
        while above is not None:
            yield above
            above = self.above.get(above.number)

    def replaced(self, old: ast.Node, new: tuple[ast.Node, ...]) -> ast.GameFile:
        """The file with other nodes in the place of one."""
        while (above := self.above.get(old.number)) is not None:
            fields = {name: _spliced(value, old, new) for name, value in _fields(above)}
            old, new = above, (replace(above, **fields),)
        (file,) = new
        assert isinstance(file, ast.GameFile)
        return file


def _fields(node: ast.Node) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in node.content().items() if name != "kind"]


def with_definition(file: ast.GameFile, definition: ast.Define) -> ast.GameFile:
    """The file with one more definition in its first part."""
    first, *others = file.parts
    return replace(file, parts=(replace(first, declarations=(*first.declarations, definition)), *others))


def _spliced(value: Any, old: ast.Node, new: tuple[ast.Node, ...]) -> Any:
    """The value of a field with the nodes `new` in the place of `old`."""
    if value is old:
        return new[0] if new else None
    if isinstance(value, tuple):
        items: list[Any] = []
        for item in value:
            items += new if item is old else [_spliced(item, old, new)]
        return tuple(items)
    return value


def words_of(node: ast.Node) -> str:
    """A declaration by its kind and name."""
    name = getattr(node, "name", None)
    return f"{node.kind.replace('_', ' ')} {name}" if name else node.kind.replace("_", " ")


def text_of(node: ast.Node, width: int = 90) -> str:
    """A node as it stands in the text, in one line."""
    text = " ".join(node.span.text.split())
    return f"`{text if len(text) <= width else text[: width - 1] + '…'}`"


# ---------------------------------------------------------------- the changes at one node


def changes(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """All changes of one node: what it loses, what is negated, what becomes something else."""
    yield from dropped(node, tree)
    yield from wider_or_narrower(node, tree)
    yield from negated(node, tree)
    yield from swapped(node, tree)
    yield from shifted(node, tree)


def dropped(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """The node without one of its parts."""
    match node:
        case ast.Action():
            yield from _each_gone([node.label] if node.label else ())
            yield from _each_gone(node.once)
            yield from _each_gone(node.requires)
        case ast.Step():
            yield from _each_gone(node.requires)
        case ast.Define() if len(node.cases) > 1:
            yield from _each_gone(node.cases)
        case ast.Winner() if len(node.criteria) > 1:
            yield from _each_gone(node.criteria)
        case ast.Zone() | ast.Note():
            yield from _each_gone(node.sights)
        case ast.TypeTable() | ast.ByPlayers():
            yield from _each_gone(node.rows)
        case ast.Table() if len(node.columns) > 1:
            yield from _each_gone(node.columns)
        case ast.Part():
            yield from _each_gone(d for d in node.declarations if isinstance(d, ast.When | ast.Phase | ast.Table))
            yield from _each_gone(node.statements)
        case ast.Phase():
            yield from _each_gone(node.phases)
            yield from _each_gone(
                bound for bound in (node.last, node.over_when, node.repeated_until, node.over_at_once) if bound
            )
        case ast.Decide():
            yield from _each_gone(node.acts if len(node.acts) > 1 else ())
            yield from _each_gone(node.otherwise)
            if node.bound:
                yield from _each_gone([node.bound])
            if node.secretly:
                yield Change(f"drop `secretly` in {text_of(node)}", node, (tree.fresh(node, secretly=False),))
        case ast.Choose() if node.secretly:
            yield Change(f"drop `secretly` in {text_of(node)}", node, (tree.fresh(node, secretly=False),))
        case ast.Parameter() if node.secret:
            yield Change(f"drop `secret` in {text_of(node)}", node, (tree.fresh(node, secret=False),))
        case ast.Move() if node.position is not None:
            yield from _each_gone([node.position])
    yield from statements_dropped(node, tree)
    yield from restrictions_dropped(node)


def restrictions_dropped(node: ast.Node) -> Iterator[Change]:
    """The node without one of the operands or conditions that make it hold for more or fewer things."""
    match node:
        case ast.And() | ast.Or():
            yield Change(f"drop {text_of(node.left)} of {text_of(node)}", node, (node.right,))
            yield Change(f"drop {text_of(node.right)} of {text_of(node)}", node, (node.left,))
        case ast.Arithmetic() if node.operator in REMOVABLE_OPERANDS:
            operands = {"left": node.left, "right": node.right}
            for gone in REMOVABLE_OPERANDS[node.operator]:
                (remaining,) = (operand for side, operand in operands.items() if side != gone)
                yield Change(f"drop {text_of(operands[gone])} of {text_of(node)}", node, (remaining,))
    optional = ("where", "condition") if isinstance(node, ast.Bound | ast.Case) else ("where",)
    for condition in (getattr(node, name, None) for name in optional):
        if condition is not None:
            yield Change(f"drop the condition {text_of(condition)} of {text_of(node)}", condition, ())


def wider_or_narrower(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """One of several uses of a definition that lacks one of its restrictions for this use only.

    A change of the definition itself is noticed if a single use of it is tested; each use needs a test of its own.
    """
    if not isinstance(node, ast.Name) or node.name not in tree.definitions or tree.uses[node.name] < 2:
        return
    definition = tree.definitions[node.name]
    if len(definition.cases) > 1 or definition in tree.upward(node):
        return
    for part in definition.walk():
        for change in restrictions_dropped(part):
            file = tree.replaced(change.old, change.new)
            (changed,) = (
                define for define in file.walk() if isinstance(define, ast.Define) and define.name == node.name
            )
            copy = replace(tree.renumbered(changed), name=f"mutant_of_{node.name}")
            words = f"{change.words} for this use in {text_of(_used_in(node, tree))}"
            yield Change(words, node, (tree.fresh(node, name=copy.name),), copy)


def _used_in(name: ast.Node, tree: Tree) -> ast.Node:
    """What a definition is used in: around its arguments, if it has any."""
    above = tree.above[name.number]
    return tree.above[above.number] if isinstance(above, ast.Call) else above


def statements_dropped(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """The node without one of the statements in it; a loop that would be left empty is dropped by the node above."""
    match node:
        case ast.If():
            if len(node.then) > 1:
                yield from _each_gone(node.then)
            elif node.otherwise:
                turned = tree.fresh(node, condition=tree.opposite(node.condition), then=node.otherwise, otherwise=())
                yield Change(f"drop {text_of(node.then[0])}", node, (turned,))
            yield from _each_gone(node.otherwise)
        case ast.ForEach() | ast.EachPlayer() | ast.Repeat() if len(node.body) > 1:
            yield from _each_gone(node.body)
        case ast.Action() | ast.Step() | ast.When() | ast.Phase():
            yield from _each_gone(node.body)
        case _:
            pass


def _each_gone(nodes: Iterable[ast.Node]) -> Iterator[Change]:
    for node in nodes:
        yield Change(f"drop {text_of(node)}", node, ())


def negated(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """The node with its condition, or what it holds to be so, turned round."""
    conditions: list[ast.Expression] = [
        condition for name in CONDITIONS if (condition := getattr(node, name, None)) is not None
    ]
    match node:
        case ast.Then() | ast.Given():
            conditions = []
        case ast.Case() if isinstance(node.value, ast.Compare | ast.And | ast.Or | ast.Not | ast.Quantified):
            conditions.append(node.value)
        case _:
            pass
    for condition in conditions:
        if not (isinstance(condition, ast.Quantified) and condition.quantifier in ("count", "the")):
            yield Change(f"negate {text_of(condition)}", condition, (tree.opposite(condition),))


def swapped(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """The node with one of its words changed for another."""
    field = FIELDS_OF_WORDS.get(type(node), "")
    word = getattr(node, field, None)
    if word in COUNTERPART:
        where = "" if isinstance(node, ast.Criterion) else f" in {text_of(node)}"
        yield Change(
            f"`{COUNTERPART[word]}` for `{word}`{where}", node, (tree.fresh(node, **{field: COUNTERPART[word]}),)
        )
    match node:
        case ast.Compare():
            for operators in (OPPOSITE, NEIGHBOUR):
                if (operator := operators.get(node.operator)) is not None:
                    words = f"`{operator}` for `{node.operator}` in {text_of(node)}"
                    yield Change(words, node, (tree.fresh(node, operator=operator),))
        case ast.Call(base=ast.Name(name="larger" | "smaller" as name) as base):
            words = f"`{COUNTERPART[name]}` for `{name}` in {text_of(node)}"
            yield Change(words, node, (tree.fresh(node, base=tree.fresh(base, name=COUNTERPART[name])),))
        case ast.Name(name="true" | "false"):
            yield Change(
                f"`{COUNTERPART[node.name]}` for `{node.name}`", node, (tree.fresh(node, name=COUNTERPART[node.name]),)
            )
        case ast.Option():
            yield from defaults(node, tree)
        case _:
            pass


def defaults(node: ast.Option, tree: Tree) -> Iterator[Change]:
    """The option with another word as its default."""
    if not isinstance(node.default, ast.Name):
        return
    words: list[str] = []
    for member in node.type.members:
        if isinstance(member, ast.TypeName):
            words += tree.file.header.seats if member.name == "Player" else [member.name]
    for word in words:
        if word[0].islower() and word != node.default.name:
            yield Change(f"default `{word}`", node.default, (tree.fresh(node.default, name=word),))


def shifted(node: ast.Node, tree: Tree) -> Iterator[Change]:
    """The node with one of its numbers one more or one less."""
    for name in NUMBERS.get(type(node), ()):
        number = getattr(node, name)
        if number is not None:
            range_, end = (tree.above[node.number], _end(node, tree)) if name == "value" else (node, name)
            label = f" as {end}" if end else ""
            inside = text_of(range_ if end else _around(node, tree))
            for neighbour in (number - 1, number + 1):
                words = f"{neighbour} for {number}{label} in {inside}"
                yield Change(words, node, (tree.fresh(node, **{name: neighbour}),))
    if isinstance(node, ast.Header):
        for counts in (
            node.counts[1:],
            node.counts[:-1],
            (node.fewest - 1, *node.counts),
            (*node.counts, node.most + 1),
        ):
            if counts:
                yield Change(f"for {choice_of(counts)} players", node, (tree.fresh(node, counts=counts),))
    if isinstance(node, ast.Row):
        for index, cell in enumerate(node.cells):
            for neighbour in (cell - 1, cell + 1) if isinstance(cell, int) else ():
                cells = (*node.cells[:index], neighbour, *node.cells[index + 1 :])
                yield Change(f"{neighbour} for {cell} in column {index + 1}", node, (tree.fresh(node, cells=cells),))
        if isinstance(node.key, int):
            for neighbour in (node.key - 1, node.key + 1):
                yield Change(f"{neighbour} for the key", node, (tree.fresh(node, key=neighbour),))


def _end(node: ast.Node, tree: Tree) -> str:
    """Which end of a range a number is, if it is one."""
    range_ = tree.above.get(node.number)
    if not isinstance(range_, ast.Range):
        return ""
    return "low" if range_.low is node else "high"


def _around(node: ast.Node, tree: Tree) -> ast.Node:
    """What a number stands in."""
    above = tree.above[node.number]
    return tree.above[above.number] if isinstance(above, ast.Amount) else above
