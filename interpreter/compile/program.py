"""A game with its seats and options, compiled: layout, generated Python, and the loop that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dsl import ast
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, LocalSymbol
from dsl.types import PLAYER, Nothing, bare
from interpreter.compile.effects import Mode, Writer
from interpreter.compile.expressions import Expressions
from interpreter.compile.layout import ME, MOVES, POINT, Layout, add_pieces, finish, plan
from interpreter.compile.points import FREE_POINT, OVER_POINT, Decision, Points
from interpreter.compile.quantifiers import SMALL, Env
from interpreter.faults import RuntimeFault
from interpreter.runtime import FREE, Cells, Journal, Leave, Runtime, bits

Move = tuple[int, ...]


@dataclass
class Program:
    """Generated code and its data. `source` is the Python text, for people who wonder."""

    model: Model
    layout: Layout
    points: Points
    source: str
    names: dict[str, Any]
    initial: list[Any]
    blocks: list[Callable[[Cells, Journal | None], int]]
    moves: dict[int, Callable[[Cells], list[Move]]]
    apply: dict[int, Callable[[Cells, Journal | None, Move], int]]
    nodes: dict[int, ast.Node]
    solo: dict[str, int] = field(default_factory=dict)
    compiled: dict[tuple[str, ...], Any] = field(default_factory=dict)
    emitted: dict[tuple[Any, ...], str] = field(default_factory=dict)

    # ------------------------------------------------------------ running

    def run(self, S: Cells, J: Journal | None, block: int) -> None:
        """Run from a block until somebody has to decide, or the game is over."""
        blocks = self.blocks
        while True:
            try:
                while block >= 0:
                    block = blocks[block](S, J)
                return
            except Leave as leave:
                block = leave.point

    def do(self, S: Cells, J: Journal | None, move: Move) -> None:
        """Do a move of the pending decision and run on."""
        try:
            block = self.apply[S[POINT]](S, J, move)
        except Leave as leave:
            block = leave.point
        self.run(S, J, block)

    def call(self, rule: str, S: Cells, J: Journal | None, values: Sequence[Any]) -> None:
        """Do a step that asks nobody anything, by itself."""
        try:
            self.names[rule](S, J, *values)
        except Leave as leave:
            self.run(S, J, leave.point)

    def legal(self, S: Cells) -> list[Move]:
        """The moves of the pending decision; none when nothing is pending."""
        found: list[Move] | None = S[MOVES]
        if found is None:
            found = self.moves[S[POINT]](S) if S[POINT] >= 0 else []
            S[MOVES] = found
        return found

    # ------------------------------------------------------------ single expressions

    def evaluate(self, text: str, S: Cells, **known: Any) -> Any:
        """The value of emitted Python text in a state, with values for the names it uses."""
        key = (text, *known)
        function = self.compiled.get(key)
        if function is None:
            for name, content in self.points.tables.items():
                self.names.setdefault(name, content)
            parameters = ", ".join(["S", *known])
            function = self.compiled[key] = eval(f"lambda {parameters}: {text}", self.names)  # our own generated text
        return function(S, **known)

    def text(self, form: Literal["value", "place", "loop"], node: ast.Expression, env: Env) -> str:
        """Python text for an expression, emitted once: its value, its place, or all it goes through."""
        key = (form, node.number, *env.items())
        if key not in self.emitted:
            points = self.points
            match form:
                case "value":
                    self.emitted[key] = points.value(node, env)
                case "place":
                    self.emitted[key] = points.place(node, env)
                case "loop":
                    self.emitted[key] = f"tuple({points.loop(points.domain(node, env))})"
        return self.emitted[key]

    def speaks_of_me(self, node: ast.Node) -> bool:
        """Whether a node says `me` somewhere."""
        key = ("me", node.number)
        if key not in self.emitted:
            symbols = (self.model.refers.get(inner.number) for inner in node.walk())
            said = any(isinstance(symbol, BuiltinSymbol) and symbol.name == "me" for symbol in symbols)
            self.emitted[key] = "me" if said else ""
        return bool(self.emitted[key])

    def value_of(self, node: ast.Expression, S: Cells, env: Env | None = None) -> Any:
        """The value of an expression of the language in a state."""
        return self.evaluate(self.text("value", node, env or {}), S)

    def seen_by(self, zone: str, attribute: str, S: Cells, index: Sequence[int]) -> int:
        """The set of seats that see an attribute of the pieces at a place of a zone."""
        return int(self.names[f"see_{zone}_{attribute}"](S, *index))

    def decision(self, S: Cells) -> Decision | None:
        """The pending decision."""
        return self.points.decisions.get(S[POINT])

    def criteria(self, S: Cells, seat: int) -> tuple[int, ...]:
        """The numbers that decide who wins, for a seat, in their order."""
        assert self.model.winner is not None
        alone = list(S)
        alone[ME] = seat
        return tuple(int(self.names[f"criterion_{n}"](alone)) for n in range(len(self.model.winner.criteria)))


def build(
    model: Model, seats: tuple[str, ...], options: dict[str, str], traced: bool = False, solo: bool = False
) -> Program:
    """Compile a checked game. `solo`: actions and phases can be begun by themselves, as examples do."""
    layout = plan(model, seats, options)
    nodes = {node.number: node for root in (model.file, *model.examples) for node in root.walk()}
    _pieces(model, layout)
    finish(layout)
    chance = [name for name, option in model.options.items() if option.by_chance and options[name] == "random"]
    for name in chance:
        cell = layout.take()
        layout.first_note[f"option {name}"] = cell
    points = Points(layout, traced)
    points.phase_cell = layout.take()
    start = points.new_block()
    points.over_block = points.new_block()
    points.free_block = points.new_block()
    points.ending(points.over_block, OVER_POINT)
    points.ending(points.free_block, FREE_POINT)
    _begin(points, start, chance)
    found = _solo(points) if solo else {}
    points.emit_waiting()
    source = _source(points)
    runtime = Runtime(layout, lambda number: nodes[number].span.place if number in nodes else "")
    names: dict[str, Any] = runtime.names()
    names.update(points.tables, OVER=points.over_block, SMALL_SETS=_small_sets())
    exec(compile(source, f"<{model.file.header.title.value}>", "exec"), names)
    initial = _initial(points, names)
    decided = sorted(points.decisions)
    return Program(
        model, layout, points, source, names, initial,
        [names[f"b{number}"] for number in range(len(points.blocks))],
        {number: names[f"m{number}"] for number in decided},
        {number: names[f"a{number}"] for number in decided},
        nodes, found,
    )  # fmt: skip


def _small_sets() -> tuple[tuple[int, ...], ...]:
    """The members of every set of small numbers."""
    return tuple(tuple(bits(mask)) for mask in range(1 << SMALL))


def _pieces(model: Model, layout: Layout) -> None:
    """Work out how many of each piece there are."""
    emitter = Expressions(layout)
    known: dict[str, Any] = {function.__name__: function for function in FREE}
    known.update(SMALL_SETS=_small_sets(), need=lambda value, _: value or 0)
    known.update({name: lambda value, *_: value for name in ("in_range", "among", "subset")})
    for sort, symbol in model.pieces.items():
        rows: list[tuple[dict[str, int], int]] = []
        parameters = [model.refers[a.number] for a in symbol.declaration.attributes]
        for slot in layout.slots(tuple(symbol.attributes.values())):
            env: Env = {p: str(v) for p, v in zip(parameters, slot, strict=True) if isinstance(p, LocalSymbol)}
            text = emitter.needed(symbol.declaration.amount, env)
            count = eval(text, {**emitter.tables, **known})  # our own generated text
            rows.append((dict(zip(symbol.attributes, slot, strict=True)), int(count)))
        add_pieces(layout, sort, rows)


def _begin(points: Points, start: int, chance: list[str]) -> None:
    """The blocks from the set-up through the phases to the end."""
    course = points.over_block
    for phase in reversed(points.model.course):
        course = points.phase(phase, course)
    writer = points.blocks[start]
    for name in chance:
        option = points.model.options[name]
        values = tuple(points.layout.members(option.type))
        labels = tuple(points.layout.name_of(option.type, value) for value in values)
        table = points.table(f"C_{name}", (values, labels))
        cell = points.layout.first_note[f"option {name}"]
        writer.add(f"pick(S, J, {cell}, {table}, 'pick', {name!r}, {option.declaration.number})")
    points.flow(writer, points.model.setup, {}, Mode(quiet=True), "setup").add(f"return {course}")


def _solo(points: Points) -> dict[str, int]:
    """A decision point for every action by itself, after which nothing is pending."""
    found: dict[str, int] = {}
    for name, rule in points.model.rules.items():
        declaration = rule.declaration
        if rule.is_action:
            act = ast.Act.model_construct(
                kind="act", span=declaration.span, number=declaration.number, name=name, arguments=()
            )
            node = ast.Decide.model_construct(
                kind="decide", span=declaration.span, number=declaration.number, duty="must", secretly=False,
                acts=(act,), otherwise=(), bound=None, cites=(),
            )  # fmt: skip
            point = points.new_block()
            points.decisions[point] = Decision(point, node, {}, name)
            points.moves_function(points.functions, f"m{point}", node, {})
            points.blocks[point].add("return -1")
            points._apply(point, node, {}, Mode(), points.free_block, points.free_block)
            found[name] = point
        elif name in points.suspending:
            points.entry(rule, quiet=False)
        else:
            points.rule_name(rule, quiet=False)
    return found


def _source(points: Points) -> str:
    """All generated functions as one text."""
    writer = Writer()
    for define in points.model.defines.values():
        points.define_function(writer, define)
    for zone in points.model.zones.values():
        _sights(points, writer, zone.name)
    for note in points.model.notes.values():
        _note_sight(points, writer, note.name)
    if points.model.winner is not None:
        for number, criterion in enumerate(points.model.winner.criteria):
            sign = "" if criterion.direction == "highest" else "-"
            writer.add(f"def criterion_{number}(S): return {sign}{points.needed(criterion.value, {})}")
    done: set[str] = set()
    while True:
        missing = [name for name in points.wanted if name not in done]
        if not missing:
            break
        for name in missing:
            rule, quiet = points.wanted[name]
            points.rule_function(writer, name, rule, quiet)
            done.add(name)
    for when in points.model.whens:
        points.when_function(writer, when)
    late = [name for name in points.wanted if name not in done]
    while late:
        for name in late:
            rule, quiet = points.wanted[name]
            points.rule_function(writer, name, rule, quiet)
            done.add(name)
        late = [name for name in points.wanted if name not in done]
    for name in points.reacts:
        points.reaction(writer, name)
    text = "\n".join([*writer.lines, *points.functions.lines])
    blocks = "\n".join("\n".join(block.lines) for block in points.blocks.values())
    return f"{text}\n{blocks}\n"


def _sights(points: Points, writer: Writer, name: str) -> None:
    """`see_zone_attribute(S, index...)`: the set of seats that see it."""
    zone = points.model.zones[name]
    env: Env = {}
    for parameter in zone.declaration.index:
        symbol = points.model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        env[symbol] = points.variable(symbol)
    sights = {sight.attribute: sight.viewers for sight in zone.declaration.sights}
    for attribute in sorted({a for held in zone.declaration.holds for a in points.model.pieces[held.name].attributes}):
        viewers = sights.get(attribute, sights.get(None))
        text = _viewers(points, viewers, env)
        writer.add(f"def see_{name}_{attribute}({', '.join(['S', *env.values()])}): return {text}")


def _note_sight(points: Points, writer: Writer, name: str) -> None:
    """`see_note_name(S, index...)`: the set of seats that see a note."""
    note = points.model.notes[name]
    env: Env = {}
    for parameter in note.declaration.index:
        symbol = points.model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        env[symbol] = points.variable(symbol)
    sights = note.declaration.sights
    text = _viewers(points, sights[0].viewers if sights else None, env)
    writer.add(f"def see_note_{name}({', '.join(['S', *env.values()])}): return {text}")


def _viewers(points: Points, viewers: ast.Expression | None, env: Env) -> str:
    """The set of seats that `seen by` names, as Python text."""
    if viewers is None:
        return str((1 << len(points.layout.seats)) - 1)
    type_ = points.type_of(viewers)
    if isinstance(type_, Nothing):
        return "0"
    if bare(type_) == PLAYER:
        return f"as_set(({points.value(viewers, env)},))"
    return points.mask(viewers, env)


def _initial(points: Points, names: dict[str, Any]) -> list[Any]:
    """The state before the set-up: every piece in its home, every note at its first value."""
    layout, model = points.layout, points.model
    S: list[Any] = [0] * layout.size
    S[MOVES] = None
    for place in layout.places:
        if place.order:
            S[place.order] = ()
    names.update(points.tables)
    for sort, symbol in model.pieces.items():
        parameters = [model.refers[a.number] for a in symbol.declaration.attributes]
        for piece in layout.pieces[slice(*layout.piece_range[sort])]:
            env: Env = {
                p: str(v)
                for p, v in zip(parameters, piece.attributes.values(), strict=True)
                if isinstance(p, LocalSymbol)
            }
            home = 0
            if symbol.declaration.home is not None:
                home = eval(points.place(symbol.declaration.home, env), {**names, **points.tables, "S": S})
            where = layout.places[home]
            if where.shape == "one" and S[where.mask]:
                told = f"{layout.place_name(home)} holds one piece only"
                raise RuntimeFault(told, symbol.declaration.span.place)
            S[layout.place_cells + piece.number] = home
            S[where.mask] |= 1 << piece.number
            if where.order:
                S[where.order] += (piece.number,)
    for note in model.notes.values():
        parameters = [model.refers[p.number] for p in note.declaration.index]
        for offset, slot in enumerate(layout.slots(note.index)):
            env = {p: str(v) for p, v in zip(parameters, slot, strict=True) if isinstance(p, LocalSymbol)}
            assert note.type is not None
            text = points.fitted(note.declaration.first, note.type, env)
            S[layout.first_note[note.name] + offset] = eval(text, {**names, **points.tables, "S": S})
    for die in model.dice.values():
        for offset, _ in enumerate(layout.slots(die.index)):
            S[layout.first_note[die.name] + offset] = None
    for cell in layout.locals_of_cell:
        S[cell] = None
    return S
