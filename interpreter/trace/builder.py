"""Building events from the journal of traced code: rules at work, nesting, and changes.

The journal is one flat list of changes and marks. The nesting of a mark follows from the rules themselves: a statement
is nested in the rule that was entered last, inside the loops and `if`s that contain it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.text.nouns import counted
from interpreter.errors import PlayError
from interpreter.explain.evaluator import NOTHING, Bindings, SeatEvaluator
from interpreter.explain.moves import requirements_of
from interpreter.layout.cells import ME
from interpreter.notation.words import acts_of, names_asked
from interpreter.program import Program
from interpreter.runtime.primitives import LOOP, MARK, Cells
from interpreter.trace.events import Event, EventKind
from interpreter.trace.frames import Frame, around, names_of, open_frames
from interpreter.views.history import DecisionRecord
from interpreter.views.log import LogLine, LogRenderer
from interpreter.visibility.hidden_loops import Change, closing, is_blind

SET_UP = "the game is set up"
SCENES = frozenset({"begun", "played", "then", "then_may", "then_may_not"})
TOLD = frozenset({"setup", "decision", "asked", "requirement", "change", "chance", "end"})
"""The kinds of events that a seat is shown or can derive from what it is shown."""


@dataclass(frozen=True)
class TraceLine:
    """An event with the names in scope."""

    event: Event
    names: Bindings


class TraceBuilder:
    """Reads one segment; `cells` follow what is read. `seat` is the observer, None for one who sees everything."""

    def __init__(self, program: Program, cells: Cells, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self.looking = SeatEvaluator(program, seat)
        self.teller = LogRenderer(program, cells, seat)
        self.lines: list[TraceLine] = []
        self.frames = open_frames(program, cells, self.looking.hiding(cells) is not None)
        self.names = names_of(program, cells, self.frames)
        self.passed: frozenset[int] = frozenset()
        self.own = True
        self.hidden_loops: set[int] = set()
        self.moment = 0

    @property
    def cells(self) -> Cells:
        """The state as far as it has been read."""
        return self.teller.cells

    # ------------------------------------------------------------ what is added

    def _add(
        self, kind: EventKind, text: str, node: ast.Node | None = None, *, names: Bindings | None = None,
        values: Sequence[tuple[str, str]] = (), what: tuple[str, ...] = (), verdict: bool | None = None,
        seat: str | None = None, cites: tuple[str, ...] | None = None,
    ) -> None:  # fmt: skip
        depth = sum(1 for frame in self.frames if frame.seen) + (not self._seen)
        said = cites if cites is not None else getattr(node, "cites", ())
        span = None if node is None else node.span
        number = -1 if node is None else node.number
        event = Event(
            kind, text, depth, self.moment, seat, span, said, tuple(values), what, verdict, number,
        )  # fmt: skip
        self.lines.append(TraceLine(event, self.names if names is None else names))

    @property
    def _seen(self) -> bool:
        return not self.frames or self.frames[-1].seen

    @property
    def _unknown(self) -> frozenset[LocalSymbol]:
        return self.frames[-1].unknown if self.frames else frozenset()

    def _push(self, node: ast.Node, what: str, seen: bool = True) -> None:
        self.frames.append(Frame(node, what, seen and self._seen, self._unknown))

    # ------------------------------------------------------------ the beginning of a segment

    def setup(self) -> None:
        """Begin the segment of the setup."""
        self._add("setup", SET_UP)
        first = self.program.model.setup[0] if self.program.model.setup else None
        part = self.program.parents[first.number] if first is not None else self.program.model.file
        self._push(part, "enter")

    def decision(self, made: DecisionRecord, legal: int) -> None:
        """Add a decision to the segment; `legal` is the number of legal moves. The cells must precede it."""
        decision = self.program.decision(self.cells)
        assert decision is not None
        node, me = decision.node, self.cells[ME]
        self.own = self.seat is None or self.seat == me
        self._settle(node)
        text = made.label if self.own or self.seat is None else made.told[self.seat]
        known = self.own or (self._seen and not node.secretly)
        self._add("decision", f"{made.player}: {text}", node if known else None, seat=made.player)
        unknown, symbol = self._unknown, self.program.model.refers.get(node.number)
        if isinstance(symbol, LocalSymbol) and node.secretly and not self.own:
            unknown |= {symbol}
        # whatever led to the question: that it was answered so is logged, and with it the effects of the answer
        self.frames.append(Frame(node, "inside", True, unknown))
        if not known:
            return
        secretly = " secretly" if node.secretly else ""
        asked = f"{node.duty}{secretly} {' or '.join(names_asked(node))}"
        moves = f"; {counted(legal, 'legal move')}" if self.own else ""
        self._add("asked", asked + moves, node, seat=made.player)
        if self.own:
            self._requirements(made, node)

    def _requirements(self, made: DecisionRecord, node: ast.Decide | ast.Choose) -> None:
        if made.code[0] < 0 or isinstance(node, ast.Choose):
            return
        rule = self.program.model.rules[acts_of(node)[made.code[0]].name]
        for reason in requirements_of(self.program, self.cells, rule, made.code[1:], self.seat):
            self._add(
                "requirement", reason.text, reason.node, values=reason.values, verdict=reason.holds, cites=reason.cites
            )

    def scene(self, scene: ast.Scene) -> None:
        """Begin the segment of an example's scene."""
        self._add("decision", " ".join(scene.span.text.split()), scene)
        self._push(scene, "enter")

    # ------------------------------------------------------------ the journal

    def read(self, found: Sequence[Change]) -> None:
        """Read on; `found` are the changes and marks that follow."""
        base, start, place = self.moment, 0, 0
        while place < len(found):
            cell, payload, _ = found[place]
            if cell in (MARK, LOOP):
                self._changes(found[start:place], base + start)
                start = place + 1
                self.moment = base + start
            if cell == MARK:
                self._mark(*payload)
            elif cell == LOOP and payload and is_blind(self.program, self.cells, self.seat, payload):
                start = closing(found, place) + 1
                self._blind(payload[0], found[place:start], base + place)
                place = start - 1
            place += 1
        self._changes(found[start:], base + start)
        self.moment = base + len(found)

    def _blind(self, number: int, run: Sequence[Change], base: int) -> None:
        """Add a loop whose order of rounds reveals hidden information: only its overall effect, no rounds."""
        node = self.program.nodes[number]
        self._settle(node)
        self._hide(node, self.program.layout.seats[self.cells[ME]])
        self._push(node, "inside", False)
        self._changes(run, base)
        self.moment = base + len(run)
        self._settle(node)

    def _changes(self, run: Sequence[Change], base: int) -> None:
        for told in self.teller.told(run):
            self.moment = base + told.end
            self._change(told)

    def _change(self, told: LogLine) -> None:
        self._add("chance" if told.chance else "change", told.text, what=told.what)

    def cut(self) -> None:
        """Omit everything after the last thing that was logged, at the end of the game so far.

        Nobody else may know whether the rules continued from there or wait for somebody who was asked in secret.
        """
        while self.lines and self.lines[-1].event.kind not in TOLD and self.looking.hiding(self.cells) is not None:
            self.lines.pop()

    def end(self, reason: str) -> None:
        """Add the end of the game."""
        self.frames.clear()
        self._add("end", reason, names=NOTHING)

    def _mark(self, what: str, number: int, me: int, values: tuple[Any, ...]) -> None:
        node = self.program.nodes[number]
        if what == "leave":
            self._leave(node)
            return
        self.names = Bindings.of(self.program.points.in_sight[what, number], values, self._unknown)
        seat = self.program.layout.seats[me]
        match node, what:
            case _, "enter":
                self._enter(node, seat)
            case _, "turn":
                self._turn(node, seat)
            case ast.If(), _:
                self._condition(node, what == "holds", seat)
            case _, "loop":
                self._loop(node, seat)
            case _, "again":
                self._goes_on(node, seat)
            case _, "each":
                self._round(node, seat)
            case _:
                self._statement(node, seat)

    def _leave(self, node: ast.Node) -> None:
        """Leave everything nested in a rule or phase that ends, including what was broken off."""
        for place in range(len(self.frames) - 1, -1, -1):
            if self.frames[place].node.number == node.number and self.frames[place].what == "enter":
                del self.frames[place:]
                break
        self.names = NOTHING

    def _settle(self, node: ast.Node) -> None:
        """Leave the statements that do not contain a node."""
        outer = {inner.number for inner in around(self.program, node)}
        while self.frames and self.frames[-1].what == "inside" and self.frames[-1].node.number not in outer:
            self.frames.pop()
        self.names = replace(self.names, unknown=self._unknown)

    def _enter(self, node: ast.Node, seat: str) -> None:
        if isinstance(node, ast.Phase):
            self._settle(node)
            if not around(self.program, node):  # setup, or the previous outermost phase, has ended
                self.frames = [frame for frame in self.frames if frame.node.kind in SCENES]
        seen, unknown = self._seen, frozenset[LocalSymbol]()
        if self.looking.hiding(self.cells) is not None:
            seen = seen and self._may_happen(node)
            unknown = self._not_passed(node)
            self.names = replace(self.names, unknown=unknown)
        if seen:
            values = self.looking.in_sight(self.names, self.cells)
            arguments = f"({', '.join(f'{name} = {value}' for name, value in values)})" if values else ""
            name = getattr(node, "name", node.kind)
            self._add("rule", f"{node.kind} {name}{arguments}", node, values=values, seat=seat)
        self.frames.append(Frame(node, "enter", seen, unknown))

    def _not_passed(self, node: ast.Node) -> frozenset[LocalSymbol]:
        """The parameters of a rule whose values the seat may not know."""
        rule = self.program.model.rules.get(getattr(node, "name", "")) if not isinstance(node, ast.When) else None
        if rule is None:
            return frozenset()
        caller = self.frames[-1].node if self.frames else None
        if isinstance(caller, ast.Do):
            return frozenset(p for place, p in enumerate(rule.parameters) if place in self.passed)
        if self.own:
            return frozenset()
        said = zip(rule.parameters, rule.declaration.parameters, strict=True)
        return frozenset(symbol for symbol, parameter in said if parameter.secret)

    def _may_happen(self, node: ast.Node) -> bool:
        """True if the seat may know why a reaction happened."""
        visibility = self.looking.hiding(self.cells)
        if visibility is None or not isinstance(node, ast.When):
            return True
        return any(
            visibility.reaction(self.cells, when) for when in self.program.model.whens if when.declaration is node
        )

    def _turn(self, node: ast.Node, seat: str) -> None:
        while self.frames and self.frames[-1].what != "enter":
            self.frames.pop()
        self._add("turn", f"turn of {seat}", node, names=NOTHING, seat=seat, cites=())
        self._push(node, "turn")

    def _condition(self, node: ast.If, holds: bool, seat: str) -> None:
        self._settle(node)
        open_ = self.looking.open(node.condition, self.names, self.cells)
        if self._seen:
            said = " ".join(node.condition.span.text.split())
            verdict = holds if open_ else None
            told = {True: "holds", False: "does not hold", None: "hidden"}[verdict]
            values = self.looking.parts(node.condition, self.names, self.cells)
            self._add("condition", f"if {said}: {told}", node, values=values, verdict=verdict, seat=seat)
        self._push(node, "inside", open_)

    def _loop(self, node: ast.Node, seat: str) -> None:
        """Enter a loop; its number of rounds is shown only if that depends on nothing hidden."""
        self._settle(node)
        self.hidden_loops.discard(node.number)
        if self.looking.hiding(self.cells) is not None and not self._rounds_open(node):
            self._hide(node, seat)

    def _goes_on(self, node: ast.Node, seat: str) -> None:
        """Hide a loop if the test before its next round may not be known."""
        self._settle(node)
        if not all(self.looking.open(part, self.names, self.cells) for part in loop_parts(node)):
            self._hide(node, seat)

    def _hide(self, node: ast.Node, seat: str) -> None:
        """Record that a loop is hidden, once, regardless of its number of rounds."""
        if node.number not in self.hidden_loops:
            self.hidden_loops.add(node.number)
            if self._seen:
                self._add("round", f"{header_of(node)}: hidden", node, seat=seat)

    def _rounds_open(self, node: ast.Node) -> bool:
        """True if the seat may know which rounds a loop has, as far as that is decidable at its beginning."""
        cells = self.cells
        match node:
            case ast.ForEach():
                return self._combinations_open(node, 0, self.names)
            case ast.EachPlayer():
                ends = [part for part in (node.first, node.last) if part is not None]
                acting = ([*cells[:ME], seat, *cells[ME + 1 :]] for seat in range(len(self.program.layout.seats)))
                return all(self.looking.open(end, self.names, cells) for end in ends) and all(
                    self.looking.open(node.where, self.names, each) for each in acting
                )
            case ast.Repeat():
                return self.looking.open(node.bound.times, self.names, cells)
            case _:
                return True

    def _combinations_open(self, node: ast.ForEach, place: int, names: Bindings) -> bool:
        """True if the seat may know what the binders of a loop from one on iterate over, and what is filtered out."""
        if place == len(node.binders):
            return self.looking.open(node.where, names, self.cells)
        binder = node.binders[place]
        symbol = self.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        if not self.looking.open(binder.domain, names, self.cells):
            return False
        if node.where is None and place + 1 == len(node.binders):
            return True
        try:
            text = self.program.text("loop", binder.domain, names.env)
            values = self.program.evaluate(text, self.cells, **names.known)
        except PlayError:
            return True
        key = f"bound{place}"
        for value in values:
            inner = replace(names, env={**names.env, symbol: key}, known={**names.known, key: value})
            if not self._combinations_open(node, place + 1, inner):
                return False
        return True

    def _round(self, node: ast.Node, seat: str) -> None:
        """Enter a round of a loop."""
        self._settle(node)
        if node.number in self.hidden_loops:
            self._push(node, "inside", False)
            return
        binders = node.binders if isinstance(node, ast.ForEach) else ()
        own = [self.program.model.refers.get(binder.number) for binder in binders]
        before, said = self._names_without(own), loop_parts(node)
        known = {binder.domain.number: self._names_without(own[place:]) for place, binder in enumerate(binders)}
        open_ = all(self.looking.open(part, known.get(part.number, self.names), self.cells) for part in said)
        if not open_:
            self._hide(node, seat)
        elif self._seen:
            values, told = self.looking.in_sight(before, self.cells, node), ""
            if isinstance(node, ast.ForEach):
                inside = dict(self.looking.in_sight(self.names, self.cells))
                bound = tuple((binder.name, inside[binder.name]) for binder in binders)
                told, values = ", ".join(f"{name} = {value}" for name, value in bound), (*bound, *values)
            elif isinstance(node, ast.EachPlayer):
                told = seat
            header = header_of(node)
            self._add("round", f"{header}: {told}" if told else header, node, values=values, seat=seat)
        self._push(node, "inside", open_)

    def _names_without(self, symbols: Sequence[object]) -> Bindings:
        """The names in scope without some of them."""
        return replace(
            self.names, env={symbol: text for symbol, text in self.names.env.items() if symbol not in symbols}
        )

    def _statement(self, node: ast.Node, seat: str) -> None:
        self._settle(node)
        if isinstance(node, ast.Let):
            self._let(node)
        if isinstance(node, ast.Do):
            arguments = enumerate(node.act.arguments)
            self.passed = frozenset(n for n, a in arguments if not self.looking.open(a, self.names, self.cells))
        if self._seen:
            values = self.looking.in_sight(self.names, self.cells, node)
            if isinstance(node, ast.Let):
                values = tuple(pair for pair in self.looking.in_sight(self.names, self.cells) if pair[0] == node.name)
            self._add("statement", first_line(node), node, values=values, seat=seat)
        self._push(node, "inside")

    def _let(self, node: ast.Let) -> None:
        """Mark a name as unknown up to the end of the rule if its value may not be known."""
        symbol = self.program.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        if self.looking.open(node.value, self.names, self.cells):
            return
        self.names = replace(self.names, unknown=self.names.unknown | {symbol})
        self.frames = [
            replace(frame, unknown=frame.unknown | {symbol}) if place >= self._rule() else frame
            for place, frame in enumerate(self.frames)
        ]

    def _rule(self) -> int:
        """The index of the innermost rule among the frames."""
        return max((place for place, frame in enumerate(self.frames) if frame.what == "enter"), default=0)


def loop_parts(node: ast.Node) -> list[ast.Expression]:
    """The expressions in the header of a loop, in source order."""
    match node:
        case ast.ForEach():
            parts = [*(binder.domain for binder in node.binders), node.where]
        case ast.EachPlayer():
            parts = [node.first, node.last, node.where]
        case ast.Repeat():
            parts = [node.bound.times, node.bound.condition]
        case _:
            parts = []
    return [part for part in parts if part is not None]


def header_of(node: ast.Node) -> str:
    """The source of the header of a loop."""
    return " ".join(node.span.source.text[node.span.start : loop_parts(node)[-1].span.end].split())


def first_line(node: ast.Node) -> str:
    """The first line of a node's source, without citations and comments."""
    line = node.span.text.splitlines()[0] if node.span.text else node.kind
    return " ".join(line.split("#")[0].split("  [")[0].split())
