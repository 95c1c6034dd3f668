"""The program of a game with its seats and options: layout, generated Python, and the loop that runs it.

It gives the value of an expression for a node of the rules, a state, and the names in scope; no other module knows how
rules are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import field, replace
from functools import cached_property, wraps
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

from dsl import ast
from dsl.checker.query import ask
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, LocalSymbol, RuleSymbol
from dsl.types import PieceType, Type, bare, numeric
from interpreter.compiler.decisions import Decision
from interpreter.compiler.expression_facts import captures, mentions
from interpreter.compiler.ir.module import Module, named
from interpreter.compiler.ir.statements import Goto
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.course import begun_from
from interpreter.compiler.lowering.effects import rule_function
from interpreter.compiler.lowering.footprints import ME_NAME, reads
from interpreter.compiler.lowering.functions import TEAM
from interpreter.compiler.lowering.queries import Detail, QueryForm
from interpreter.compiler.names import NO_NAMES, Destructured, Names
from interpreter.compiler.passes.facts.accesses import AccessAnalysis
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.requirements import BoundRequirement, Requirements
from interpreter.engine.evaluation import Evaluation
from interpreter.errors import ExpressionError, PlayError
from interpreter.runtime.cells import (
    LEFT,
    LOOP,
    Cells,
    Generated,
    Journal,
    MoveCode,
    Namespace,
    NumberCell,
    StoredValue,
    number_in,
)
from interpreter.runtime.layout import MOVES, POINT, Layout, Place, acting_as
from interpreter.runtime.node_table import NodeTable
from interpreter.runtime.primitives import Leave, Runtime
from interpreter.runtime.ranking import Rank, ranks_of, ranks_of_teams
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

MAX_QUERIES = 256
"""The number of parsed queries that a program keeps; watched expressions are evaluated repeatedly."""

Fact = TypeVar("Fact")


@dataclass(frozen=True, eq=False)
class Program:
    """Generated code and its data, which nothing changes. `source` is the Python text, for people who want to read it.

    What other modules work out about a program they keep themselves: see `once_for_program`.

    `lowered` and `names` belong to the compiler: nothing outside of it reads them. `records` say what passes did.
    `as_lowered` are the rules before passes, and `called` what generated code calls. `solo` are the decisions that
    examples begin by themselves. `words` are those in which people are shown the game.
    """

    model: Model
    layout: Layout
    runtime: Runtime
    lowered: Context
    records: PassRecords
    source: str
    as_lowered: Module
    called: Namespace
    names: Namespace
    initial: Cells
    blocks: list[Callable[[Cells, Journal | None], int]]
    moves: dict[int, Callable[[Cells], list[MoveCode]]]
    apply: dict[int, Callable[[Cells, Journal | None, MoveCode], int]]
    nodes: NodeTable
    solo: dict[str, int]
    evaluation: Evaluation
    words: Words = PLAIN
    _queries: dict[tuple[Hashable, ...], tuple[Self, ast.Expression]] = field(default_factory=dict, init=False)
    _mentioning_me: dict[int, bool] = field(default_factory=dict, init=False)

    def in_words(self, words: Words) -> Self:
        """The same program for people who read the game in these words."""
        return self._with(words=words, _queries={})

    def query(self, text: str, names: tuple[LocalSymbol, ...] = ()) -> tuple[Self, ast.Expression]:
        """Parse and check an expression about the game that may use local names. Raises ExpressionError.

        Gives its node and the program extended by it; this one stays as it is, so that threads do not meet.
        """
        key = (text, *names)
        query = self._queries.get(key)
        if query is None:
            model = self.model.extended()
            node, diagnostics = ask(model, text, names)
            if node is None:
                raise ExpressionError(diagnostics)
            if len(self._queries) >= MAX_QUERIES:
                self._queries.clear()
            query = self._queries[key] = self.extended(model, node), node
        return query

    def extended(self, model: Model, query: ast.Node) -> Self:
        """The same program with the nodes of a query or an example, whose types are in `model`."""
        layout, runtime = copy(self.layout), copy(self.runtime)
        layout.model, runtime.layout = model, layout
        nodes = runtime.nodes = NodeTable((query,), self.nodes)
        lowered = replace(self.lowered, layout=layout, required=Requirements(model))
        names = self.names | runtime.names()
        program = self._with(
            model=model, layout=layout, runtime=runtime, nodes=nodes, lowered=lowered, names=names,
            evaluation=Evaluation(lowered, names),
        )  # fmt: skip
        names["PROGRAM"] = program
        return program

    def _with(self, **changes: object) -> Self:
        """A copy with changed fields; facts about the rules that were derived already are true of it, too."""
        program = copy(self)
        program.__dict__.update(changes)
        return program

    def begun_from(self, cells: Cells) -> Self:
        """The same program for games that begin in these cells, without a setup.

        A decision has the number of the block that waits for it, so it is the first block, the setup, that changes.
        """
        pending = cells[POINT] if cells[POINT] >= 0 else self.lowered.over_block
        as_lowered = self.as_lowered.copied()
        as_lowered.blocks[0].body = (Goto(pending),)
        blocks = [self.blocks[pending], *self.blocks[1:]]
        return self._with(initial=Cells(cells), blocks=blocks, as_lowered=as_lowered)

    @property
    def module(self) -> Module:
        """The rules in intermediate form."""
        return self.lowered.module

    # ------------------------------------------------------------ running

    def _too_deep(self, fault: RecursionError) -> PlayError:
        return too_deep(self.evaluation.module, self.model.file.header, fault)

    def run(self, state: Cells, journal: Journal | None, block: int) -> None:
        """Run from a block until a decision is pending or the game is over. Raises PlayError if a rule fails."""
        blocks = self.blocks
        while True:
            try:
                while block >= 0:
                    block = blocks[block](state, journal)
                return
            except Leave as leave:
                block = self._leave(journal, leave)
            except RecursionError as fault:
                raise self._too_deep(fault) from None

    def _leave(self, journal: Journal | None, leave: Leave) -> int:
        """The block to continue with when a running rule is left."""
        if journal is not None:
            journal.append((LOOP, LEFT))
        return leave.point

    def do(self, state: Cells, journal: Journal | None, move: MoveCode) -> None:
        """Make a move of the pending decision and run on. Raises PlayError if a rule fails."""
        try:
            block = self.apply[state[POINT]](state, journal, move)
        except Leave as leave:
            block = self._leave(journal, leave)
        except RecursionError as fault:
            raise self._too_deep(fault) from None
        self.run(state, journal, block)

    def legal(self, state: Cells) -> list[MoveCode]:
        """The moves of the pending decision; none when nothing is pending. Raises PlayError if a rule fails.

        They are kept in `MOVES` from when the decision is reached; code that changes cells afterwards must reset it.
        The list is a new one for every state, as listed moves are recognised by it, and never changed.
        """
        moves: list[MoveCode] | None = state[MOVES]
        if moves is None:
            try:
                moves = self.moves[state[POINT]](state) if state[POINT] >= 0 else []
            except RecursionError as fault:
                raise self._too_deep(fault) from None
            state[MOVES] = moves
        return moves

    # ------------------------------------------------------------ running parts of the rules by themselves

    def begin_phase(self, state: Cells, journal: Journal | None, phase: str, seat: int | None) -> None:
        """Begin a phase as an example does, with the turn of a seat or (None) of the one its rules name."""
        lowered = self.lowered
        for choice in lowered.at_once:
            state[choice.flag.group.first] = 0
        assert lowered.begins_cell is not None
        state[lowered.begins_cell.group.first] = -1 if seat is None else begun_from(lowered, phase, seat)
        self.run(state, journal, lowered.phase_entries[phase])

    def begin_course(self, state: Cells, journal: Journal | None) -> None:
        """Begin the first phase after the setup, where an example has paused."""
        self.run(state, journal, self.lowered.course_block)

    def perform(self, rule: str, state: Cells, journal: Journal | None, values: Sequence[StoredValue]) -> None:
        """Run a step on its own, after which nothing is pending. Raises PlayError if a rule fails."""
        lowered = self.lowered
        if rule in lowered.suspending.rules:
            entry = lowered.entries[rule]
            for cell, value in zip(entry.parameters, values, strict=True):
                state[cell.group.first] = value
            state[entry.back.group.first] = lowered.free_block
            self.run(state, journal, entry.block)
            return
        try:
            self.names[rule_function(lowered, self.model.rules[rule], quiet=False)](state, journal, *values)
        except Leave as leave:
            self.run(state, journal, self._leave(journal, leave))
        except RecursionError as fault:
            raise self._too_deep(fault) from None

    def supposed(self, node: ast.Hypothesis, state: Cells, names: Names) -> Cells:
        """The position after the step of a hypothesis. Raises PlayError if a rule fails."""
        rule = self.model.rules[node.step.name]
        self.value_of(node, state, names)  # so that the step is compiled
        pairs = zip(node.step.arguments, rule.parameters, strict=True)
        values = [self.fitted_value(argument, parameter.type, state, names) for argument, parameter in pairs]
        position = state.copy()
        with suppress(Leave):
            self.evaluation.step(rule)(position, None, *values)
        return position

    def supply(self, **functions: Generated) -> None:
        """Supply functions that rules call by these names: those that only examples use, or others to measure."""
        self.names.update(functions)
        self.evaluation.supply(functions)

    # ------------------------------------------------------------ values of expressions; all raise PlayError

    # `Any`: what comes out is what the form says, a number, a list of terms, a place …
    def evaluate(self, form: QueryForm, node: ast.Expression, state: Cells, names: Names, detail: Detail = None) -> Any:
        """See `Evaluation.evaluate`; the methods below say what each form gives."""
        try:
            return self.evaluation.evaluate(form, node, state, names, detail)
        except RecursionError as fault:
            raise self._too_deep(fault) from None

    def value_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> StoredValue:
        """The value of an expression; None only where its type is `or none`."""
        value: StoredValue = self.evaluate("value", node, state, names)
        return value

    def number_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> int:
        """The value of a number, which must not be none."""
        return int(self.evaluate("needed", node, state, names))

    def fitted_value(self, node: ast.Expression, type_: Type, state: Cells, names: Names = NO_NAMES) -> StoredValue:
        """The value of an expression for something of a declared type, which it must fit."""
        value: StoredValue = self.evaluate("fitted", node, state, names, type_)
        return value

    def set_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> int:
        """A set, the contents of a zone, or a single piece, as a bit set."""
        return int(self.evaluate("set", node, state, names))

    def members_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> tuple[StoredValue, ...]:
        """What an expression after `in` iterates over, in order."""
        members: tuple[StoredValue, ...] = self.evaluate("members", node, state, names)
        return members

    def terms_of(
        self, node: ast.Aggregate, state: Cells, names: Names = NO_NAMES
    ) -> list[tuple[tuple[StoredValue, ...], int]]:  # fmt: skip
        """The terms of a sum, or of a highest or lowest value: the values of its binders, and the term.

        Of a search for the best choice of sets only this choice.
        """
        terms: list[tuple[tuple[StoredValue, ...], int]] = self.evaluate("terms", node, state, names)
        return terms

    def kind_of(
        self, node: ast.Expression, piece_types: frozenset[str], state: Cells, names: Names = NO_NAMES
    ) -> int:  # fmt: skip
        """All pieces of a kind, such as `red king`, as a bit set; `piece_types` are the types it is about."""
        return int(self.evaluate("kind", node, state, names))

    def kinds_of(self, item: ast.Expression, piece_types: frozenset[str], state: Cells) -> Iterator[int]:
        """The kinds of an item of a list of pieces: two for `2 king`."""
        amount = item.amount if isinstance(item, ast.Pattern) and item.amount is not None else 1
        return (self.kind_of(item, piece_types, state) for _ in range(amount))

    def place_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> int:
        """The number of the place that a zone expression names."""
        return int(self.evaluate("place", node, state, names))

    def cell_of(self, node: ast.Expression, state: Cells, names: Names = NO_NAMES) -> int:
        """The number of the cell that a note or die expression names."""
        return int(self.evaluate("cell", node, state, names))

    def position(self, node: ast.Name, state: Cells) -> tuple[StoredValue, ...]:
        """The present values of a position, equal where the rules count it as the same; `node` is a mention of it."""
        values: tuple[StoredValue, ...] = self.evaluate("position", node, state, NO_NAMES)
        return values

    def value_of_name(self, symbol: LocalSymbol, state: Cells, names: Names) -> StoredValue:
        """The value of one of the names."""
        try:
            return self.evaluation.value_of_name(symbol, state, names)
        except RecursionError as fault:
            raise self._too_deep(fault) from None

    def with_captures(self, condition: ast.Expression, names: Names) -> Names:
        """The names, and those that a condition such as `x is run(n)` introduces if it holds."""
        captured = dict(names)
        for symbol, test, position in captures(self.model, condition):
            captured[symbol] = Destructured(test, position, dict(captured))
        return captured

    def requirements(self, rule: RuleSymbol, names: Names) -> list[BoundRequirement]:
        """Everything that must hold for an action whose parameters have values, in the order of the text.

        Steps that it does add theirs, whose names are evaluated only when a condition reads them.
        """
        return self.evaluation.requirements(rule, names)

    # ------------------------------------------------------------ other functions of the rules; all raise PlayError

    def _function(self, name: str, state: Cells, *values: StoredValue) -> Any:  # generated code
        try:
            return self.names[name](state, *values)
        except RecursionError as fault:
            raise self._too_deep(fault) from None

    def definition(self, name: str, state: Cells, values: Sequence[StoredValue]) -> StoredValue:
        """The value of a definition, or whether a reaction holds, for these arguments."""
        value: StoredValue = self._function(named("f", name), state, *values)
        return value

    def seen_by(self, zone: str, attribute: str, state: Cells, index: Sequence[int], piece: int) -> int:
        """The set of seats that see an attribute of a piece at a place of a zone."""
        return int(self._function(named("see", zone, attribute), state, *index, piece))

    def note_seen_by(self, note: str, state: Cells, index: Sequence[int]) -> int:
        """The set of seats that see a note."""
        return int(self._function(named("see_note", note), state, *index))

    def criteria(self, state: Cells, seat: int) -> tuple[int, ...]:
        """What decides who wins, for a seat, in order of precedence: numbers, and 1 for a condition that it meets."""
        assert self.model.winner is not None
        alone = acting_as(state, seat)
        return tuple(int(self._function(f"criterion_{n}", alone)) for n in range(len(self.model.winner.criteria)))

    def criteria_of_all(self, state: Cells) -> list[tuple[int, ...]]:
        """The same for all seats."""
        return [self.criteria(state, seat) for seat in range(len(self.layout.seats))]

    def ranks(self, state: Cells, criteria: Sequence[Sequence[int]]) -> list[Rank]:
        """What the seats are ordered by if the game is over now and these are the criteria of all seats."""
        ranks = ranks_of(criteria, self.conditions)
        return ranks if self.model.teams is None else ranks_of_teams(ranks, self.teams(state))

    def teams(self, state: Cells) -> tuple[int | None, ...]:
        """The number of the team of every seat, None for a seat that plays alone; empty if there are no teams."""
        if self.model.teams is None:
            return ()
        return tuple(self._function(TEAM, acting_as(state, seat)) for seat in range(len(self.layout.seats)))

    def team_name(self, team: int | None) -> str | None:
        """The name of the team with this number; None for None."""
        assert self.model.teams is not None
        core = bare(self.model.types[self.model.teams.value.number])
        if team is None:
            return None
        return f"team {team}" if numeric(core) else self.layout.name_of(core, team)

    @cached_property
    def conditions(self) -> tuple[int, ...]:
        """The numbers of the criteria that are conditions."""
        criteria = self.model.winner.criteria if self.model.winner is not None else ()
        return tuple(number for number, criterion in enumerate(criteria) if criterion.is_condition)

    def is_same_for_all(self, criterion: ast.Criterion) -> bool:
        """True if a criterion does not depend on the seat that it is evaluated for."""
        return ME_NAME not in self.reads(criterion.value)

    # ------------------------------------------------------------ facts about the rules

    def mentions(self, node: ast.Node, symbol: LocalSymbol) -> bool:
        """True if a node mentions a local name."""
        return mentions(self.model, node, symbol)

    def mentions_me(self, node: ast.Node) -> bool:
        """True if a node mentions `me`."""
        if node.number not in self._mentioning_me:
            symbols = (self.model.refers.get(part.number) for part in node.walk())
            mentioned = any(isinstance(symbol, BuiltinSymbol) and symbol.name == "me" for symbol in symbols)
            self._mentioning_me[node.number] = mentioned
        return self._mentioning_me[node.number]

    def reads(self, node: ast.Node) -> frozenset[str]:
        """The zones, notes and dice that an expression looks at, and `me`."""
        return reads(self.lowered, node)

    def names_in_sight(self, what: str, node: int) -> tuple[LocalSymbol, ...]:
        """The names whose values a mark of a traced program gives: what is at work, and the number of its node."""
        return self.lowered.names_in_sight[what, node]

    def scopes(self, file: str | None = None, line: int | None = None) -> Iterator[tuple[LocalSymbol, ...]]:
        """The names in scope at the marks of a traced program, or at those of one line, each combination once."""
        scopes = set()
        for (_, number), symbols in self.lowered.names_in_sight.items():
            span = self.nodes[number].span
            if line is None or (span.line == line and span.source.name == file):
                scopes.add(symbols)
        yield from scopes

    @cached_property
    def _zones_seen_by_piece(self) -> frozenset[str]:
        """The zones in which the visibility of a piece depends on the piece."""
        zones = set()
        for zone in self.model.zones.values():
            read = (node for sight in zone.declaration.sights for node in sight.viewers.walk())
            symbols = (self.model.refers.get(node.number) for node in read)
            if any(isinstance(symbol, LocalSymbol) and symbol.name == "it" for symbol in symbols):
                zones.add(zone.name)
        return frozenset(zones)

    @cached_property
    def parents(self) -> dict[int, ast.Node]:
        """The parent of each node of the rules, by number."""
        return {child.number: node for node in self.model.nodes for child in node.children()}

    def visibility_depends_on_piece(self, zone: str) -> bool:
        """True if the visibility of a piece in a zone depends on the piece."""
        return zone in self._zones_seen_by_piece

    @cached_property
    def zones_of_fixed_visibility(self) -> frozenset[str]:
        """The zones in which the visibility of a piece depends on its type and its place alone, in no position."""
        accesses = AccessAnalysis(self.module)

        def is_fixed(zone: str) -> bool:
            held = (self.model.pieces[piece.name] for piece in self.model.zones[zone].declaration.holds)
            sights = [accesses.function(named("see", zone, name)) for piece in held for name in piece.attributes]
            return not any(sight.reads or sight.everything for sight in sights)

        return frozenset(
            zone for zone in self.model.zones if not self.visibility_depends_on_piece(zone) and is_fixed(zone)
        )

    @cached_property
    def notes_about(self) -> list[tuple[tuple[str, int, tuple[int, ...]], ...]]:
        """For each piece the notes about it: name, cell, and index."""
        notes: list[list[tuple[str, int, tuple[int, ...]]]] = [[] for _ in self.layout.pieces]
        for cell, (name, slot) in self.layout.notes_of_cell.items():
            symbol = self.model.notes.get(name)
            for type_, value in zip(symbol.index if symbol else (), slot, strict=False):
                if isinstance(type_, PieceType):
                    notes[value].append((name, cell, slot))
        return [tuple(entry) for entry in notes]

    @cached_property
    def notes_about_pieces(self) -> frozenset[str]:
        """The names of the notes about pieces."""
        return frozenset(name for notes in self.notes_about for name, _, _ in notes)

    @cached_property
    def places_about_no_piece(self) -> tuple[tuple[Place, str], ...]:
        """The places that do not belong to a piece, with their names."""
        layout, zones = self.layout, self.model.zones
        return tuple(
            (place, layout.place_name(place.number))
            for place in layout.places[1:]
            if not any(isinstance(type_, PieceType) for type_ in zones[place.zone].index)
        )

    # ------------------------------------------------------------ facts about a state

    @property
    def phase_cell(self) -> NumberCell:
        """The cell with the number of the phase."""
        assert self.lowered.phase_cell is not None
        return NumberCell(self.lowered.phase_cell.group.first)

    @cached_property
    def phase_of_round(self) -> dict[int, str]:
        """The repeated phases, by the cell with the number of their round; outer phases come before inner ones."""
        rounds = {phase.round.name: name for name, phase in self.model.phases.items() if phase.round is not None}
        return {cell: rounds[name] for cell, (name, _) in self.layout.notes_of_cell.items() if name in rounds}

    @cached_property
    def rounds_around(self) -> list[dict[NumberCell, str]]:
        """For each phase by its number, those of `phase_of_round` that it is or that are around it."""
        inside = {
            cell: {node.name for node in self.model.phases[phase].declaration.walk() if isinstance(node, ast.Phase)}
            for cell, phase in self.phase_of_round.items()
        }  # fmt: skip
        rounds = self.phase_of_round.items()
        return [
            {NumberCell(cell): phase for cell, phase in rounds if name in inside[cell]} for name in self.model.phases
        ]

    def decision(self, state: Cells) -> Decision | None:
        """The pending decision."""
        return self.lowered.decisions.get(state[POINT])

    def caller(self, rule: ast.Node, state: Cells, quiet: bool) -> ast.Node | None:
        """What did a rule that waits for a decision, or what a reaction followed.

        None if it was done by a decision or an example. `quiet`: in the setup or in a reaction.
        """
        lowered = self.lowered
        name = f"{getattr(rule, 'name', '')}{' quiet' if quiet else ''}"
        entry = lowered.reacting if isinstance(rule, ast.When) else lowered.entries.get(name)
        return None if entry is None else lowered.origins.get(number_in(state[entry.back.group.first]))

    def contents(self, state: Cells, place: int) -> Sequence[int]:
        """The pieces at a place: a row from the left, a stack from the top."""
        return self.runtime.contents(state, place)


def once_for_program(work_out: Callable[[Program], Fact]) -> Callable[[Program], Fact]:
    """A function that works out a fact about a program once, and keeps it as long as the program is in use.

    INVARIANT: a fact holds no reference to its program, whose use would otherwise never end.
    """
    facts: WeakKeyDictionary[Program, Fact] = WeakKeyDictionary()

    @wraps(work_out)
    def fact_about(program: Program) -> Fact:
        try:
            return facts[program]
        except KeyError:
            return facts.setdefault(program, work_out(program))

    return fact_about


def rule_at_work(frames: Iterable[FrameType]) -> ast.Node | None:
    """The rule, definition, decision or statement at work in frames of Python, the innermost first.

    None if no rules are at work there, the header of the rules if it cannot be said which.
    """
    running = [(frame, frame.f_globals["PROGRAM"]) for frame in frames if "PROGRAM" in frame.f_globals]
    rules = (rule_at(program.evaluation.module, frame) for frame, program in running)
    header = running[0][1].model.file.header if running else None
    return next(filter(None, rules), header)


# ---- The rule behind a running function of generated code, and the fault of rules that go too deep


def rule_at(module: Module, frame: FrameType) -> ast.Node | None:
    """The rule, definition, decision or statement that a function of generated code was made from."""
    name = frame.f_code.co_name
    if name in module.functions:
        return module.functions[name].source
    block = int(name[1:]) if name[0] == "b" and name[1:].isdigit() else -1
    return module.blocks[block].source if block in module.blocks else None


def too_deep(module: Module, header: ast.Node, fault: RecursionError) -> PlayError:
    """The fault for rules that ask each other more deeply than Python can follow."""
    rules = [rule_at(module, frame) for frame in _frames(fault.__traceback__) if "PROGRAM" in frame.f_globals]
    node = next(filter(None, reversed(rules)), header)
    return PlayError(Phrase("definitions and steps are nested too deeply here"), node.span.location)


def _frames(traceback: TracebackType | None) -> Iterator[FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next
