"""Building events from the journal of traced code: rules at work, nesting, and changes.

The journal is one flat list of changes and marks. For the rule

    step pay:
      if gold[me] > 0:
        gold[me] -= 1
      for each c in market: move c to discard

it contains: enter `pay`, `if` holds, statement `gold[me] -= 1`, the change, loop, each, statement, the changes, each,
…, leave `pay`. Nothing marks the end of an `if`, a round or a statement: such marks would make traced games slower, and
wrong where a rule is broken off. The nesting of a mark follows from the rules themselves: a statement is nested in the
rule that was entered last, inside the loops and `if`s that contain it in the tree.

An observer who does not see everything gets fewer events. A condition that reads something hidden is omitted together
with all that is nested in it (`Frame.seen`), but changes in it that the seat does see are shown; otherwise the log
would contain more than the trace. A name whose value is hidden (`unknown`) makes every condition that uses it hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from dsl.text.addressing import for_others
from interpreter.compiler.decisions import acts_of
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.play.trace.events import Event, EventKind
from interpreter.play.trace.frames import Frame, enclosing_nodes, names_of, open_frames
from interpreter.runtime.cells import LOOP, MARK, Cells, Change, LoopPayload, MarkPayload, mark_in
from interpreter.runtime.layout import ME, acting_as
from interpreter.seat.explain.evaluator import NOTHING, Bindings, SeatEvaluator, ShownValue
from interpreter.seat.explain.moves import requirements_of
from interpreter.seat.hidden_loops import end_of_loop, is_blind
from interpreter.seat.notation.words import question_names
from interpreter.seat.views.history import DecisionRecord
from interpreter.seat.views.log import LogLine, LogRenderer
from interpreter.wording.phrases import Phrase

SET_UP = Phrase("the game is set up")
OUTCOMES = {True: Phrase("holds"), False: Phrase("does not hold"), None: Phrase("hidden")}
CHOOSING = "choose "
QUESTIONS = {
    ("must", False): Phrase("must {choice}"), ("must", True): Phrase("must secretly {choice}"),
    ("may", False): Phrase("may {choice}"), ("may", True): Phrase("may secretly {choice}"),
}  # fmt: skip
"""The question to a seat, by its duty and by whether it is asked in secret."""
SCENES = frozenset({"begun", "played", "then", "then_may", "then_may_not"})
SHOWN_KINDS = frozenset({"setup", "decision", "asked", "requirement", "change", "chance", "told", "end"})
"""The kinds of events that a seat is shown or can derive from what it is shown."""


@dataclass(frozen=True)
class TraceLine:
    """An event with the names in scope, and the rules and statements that enclose it, outermost first."""

    event: Event
    names: Bindings
    frames: tuple[Frame, ...]


class TraceBuilder:
    """Reads one segment; `cells` follow the reading. `seat` is the observer, None for one who sees everything."""

    def __init__(self, program: Program, cells: Cells, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self.evaluator = SeatEvaluator(program, seat)
        self.log = LogRenderer(program, cells, seat)
        self.lines: list[TraceLine] = []
        self.frames = open_frames(program, cells, self.evaluator.active_visibility(cells) is not None)
        self.names = names_of(program, cells, self.frames)
        self.hidden_arguments: frozenset[int] = frozenset()
        self.own_decision = True
        self.hidden_loops: set[int] = set()
        self.continued_loops = {frame.node.number for frame in self.frames if isinstance(frame.node, ast.Loop)}
        self.rounds = {(program.layout.cell_name(cell),) for cell in program.phase_of_round}
        self.entries_read = 0

    @property
    def cells(self) -> Cells:
        """The state as far as it has been read."""
        return self.log.cells

    # ------------------------------------------------------------ adding events

    def _add(
        self, kind: EventKind, text: str, node: ast.Node | None = None, *, names: Bindings | None = None,
        values: Sequence[ShownValue] = (), what: tuple[str, ...] = (), verdict: bool | None = None,
        seat: str | None = None, cites: tuple[str, ...] | None = None,
    ) -> None:  # fmt: skip
        unwritten = self.program.model.unwritten
        if node is not None and node.number in unwritten:
            return
        # INVARIANT: the depth counts only frames that the observer sees, and one for all others together, so it does
        # not reveal how many hidden statements enclose an event.
        written = [frame for frame in self.frames if frame.node.number not in unwritten]
        depth = sum(1 for frame in written if frame.seen) + (not self._seen)
        cited = cites if cites is not None else getattr(node, "cites", ())
        span = None if node is None else node.span
        number = -1 if node is None else node.number
        event = Event(
            kind, text, depth, self.entries_read, seat, span, cited, tuple(values), what, verdict, number,
        )  # fmt: skip
        self.lines.append(TraceLine(event, self.names if names is None else names, tuple(self.frames)))

    @property
    def _seen(self) -> bool:
        return not self.frames or self.frames[-1].seen

    @property
    def _unknown(self) -> frozenset[LocalSymbol]:
        return self.frames[-1].unknown if self.frames else frozenset()

    def _push(self, node: ast.Node, role: str, seen: bool = True) -> None:
        self.frames.append(Frame(node, role, seen and self._seen, self._unknown))

    # ------------------------------------------------------------ the beginning of a segment

    def setup(self) -> None:
        """Begin the segment of the setup."""
        self._add("setup", self.program.words.phrase(SET_UP))
        first = self.program.model.setup[0] if self.program.model.setup else None
        part = self.program.parents[first.number] if first is not None else self.program.model.file
        self._push(part, "enter")

    def decision(self, record: DecisionRecord, legal: int) -> None:
        """Add a decision to the segment; `legal` is the number of legal moves. The cells must precede it."""
        decision = self.program.decision(self.cells)
        assert decision is not None
        node, me = decision.node, self.cells[ME]
        self.own_decision = self.seat is None or self.seat == me
        self._leave_statements(node)
        text = record.label if self.own_decision or self.seat is None else record.labels[self.seat]
        if self.seat != me:
            text = for_others(text, record.player)
        may_know = self.own_decision or (self._seen and not node.secretly)
        self._add(
            "decision",
            f"{self.program.words.name(record.player)}: {text}",
            node if may_know else None,
            seat=record.player,
        )
        unknown, symbol = self._unknown, self.program.model.refers.get(node.number)
        if isinstance(symbol, LocalSymbol) and node.secretly and not self.own_decision:
            unknown |= {symbol}
        # The answer and its effects are logged even if the reason for asking is hidden.
        self.frames.append(Frame(node, "inside", True, unknown))
        if not may_know:
            return
        words = self.program.words
        names = words.either([self._offered(name) for name in question_names(node)])
        text = words.phrase(QUESTIONS[node.duty, node.secretly], choice=names)
        if self.own_decision:
            text += words.counted_phrase("; {number} legal move", "; {number} legal moves", legal)
        self._add("asked", text, node, seat=record.player)
        if self.own_decision:
            self._requirements(record, node)

    def _offered(self, name: str) -> str:
        """The answer that a question offers, in words."""
        words, value = self.program.words, name.removeprefix(CHOOSING)
        return words.name(name) if value == name else words.phrase("choose {value}", value=words.name(value))

    def _requirements(self, record: DecisionRecord, node: ast.Question) -> None:
        if record.code[0] < 0 or isinstance(node, ast.Choose):
            return
        rule = self.program.model.rules[acts_of(node)[record.code[0]].name]
        for reason in requirements_of(self.program, self.cells, rule, record.code[1:], self.seat):
            self._add(
                "requirement", reason.text, reason.node, values=reason.values, verdict=reason.holds, cites=reason.cites
            )

    def scene(self, scene: ast.Scene) -> None:
        """Begin the segment of an example's scene."""
        self._add("decision", " ".join(scene.span.text.split()), scene)
        self._push(scene, "enter")

    # ------------------------------------------------------------ the journal

    def read(self, run: Sequence[Change]) -> None:
        """Read on; `run` are the changes and marks that follow.

        Changes are collected up to the next mark, since several entries of the journal make one event.
        """
        # INVARIANT: `entries_read` is the number of entries that precede the event being added. Snapshots replay the
        # journal up to `Event.end`, so a mark counts as read before its event, and a change with its event.
        base, start, index = self.entries_read, 0, 0
        while index < len(run):
            cell, payload, _ = run[index]
            if cell in (MARK, LOOP):
                self._changes(run[start:index], base + start)
                start = index + 1
                self.entries_read = base + start
            if cell == MARK:
                self._mark(mark_in(payload))
            elif isinstance(payload, LoopPayload) and is_blind(self.program, self.cells, self.seat, payload):
                start = end_of_loop(run, index) + 1
                self._blind(payload.node, run[index:start], base + index)
                index = start - 1
            index += 1
        self._changes(run[start:], base + start)
        self.entries_read = base + len(run)

    def _blind(self, number: int, run: Sequence[Change], base: int) -> None:
        """Add a loop whose order of rounds reveals hidden information: only its overall effect, no rounds."""
        node = self.program.nodes[number]
        if isinstance(node, ast.Phase):  # notes about pieces begin anew
            self._changes(run, base)
            self.entries_read = base + len(run)
            return
        assert isinstance(node, ast.Loop)
        self._leave_statements(node)
        self._add_hidden(node, self.program.layout.seats[self.cells[ME]])
        self._push(node, "inside", False)
        self._changes(run, base)
        self.entries_read = base + len(run)
        self._leave_statements(node)

    def _changes(self, run: Sequence[Change], base: int) -> None:
        for line in self.log.lines(run):
            self.entries_read = base + line.end
            if line.what not in self.rounds:  # the mark after it has an event of its own
                self._change(line)

    def _change(self, line: LogLine) -> None:
        kind: EventKind = "chance" if line.chance else "told" if line.announced else "change"
        self._add(kind, line.text, what=line.what)

    def omit_tail(self) -> None:
        """Omit everything after the last thing that was logged, at the end of the game so far.

        Nobody else may know whether the rules continued from there or wait for somebody who was asked in secret.
        """
        hiding = self.evaluator.active_visibility(self.cells) is not None
        while hiding and self.lines and not _is_shown(self.lines[-1].event):
            self.lines.pop()

    def end(self, reason: str) -> None:
        """Add the end of the game."""
        self.frames.clear()
        self._add("end", reason, names=NOTHING)

    def _mark(self, mark: MarkPayload) -> None:
        kind, number, me, values = mark
        node = self.program.nodes[number]
        if kind == "leave":
            self._leave(node)
            return
        self.names = Bindings.of(self.program.names_in_sight(kind, number), values, self._unknown)
        seat = self.program.layout.seats[me]
        match node, kind:
            case _, "enter":
                self._enter(node, seat)
            case _, "turn":
                words = self.program.words
                self._repetition(node, words.phrase("turn of {seat}", seat=words.name(seat)), seat=seat)
            case ast.Phase(), "round":
                self._round_of_phase(node)
            case ast.Decide(), "fails":
                self._nothing_possible(node, seat)
            case ast.If(), _:
                self._condition(node, kind == "holds", seat)
            case ((ast.ForEach() | ast.EachPlayer() | ast.Repeat() as loop), "loop"):
                self._loop(loop, seat)
            case ((ast.ForEach() | ast.EachPlayer() | ast.Repeat() as loop), "again"):
                self._next_round(loop, seat)
            case ((ast.ForEach() | ast.EachPlayer() | ast.Repeat() as loop), "each"):
                self._round(loop, seat)
            case ((ast.ForEach() | ast.EachPlayer() | ast.Repeat() as loop), "changes"):
                self._changes_at_once(loop, seat)
            case _:
                self._statement(node, seat)

    def _leave(self, node: ast.Node) -> None:
        """Leave everything nested in a rule or phase that ends, including what was broken off."""
        # Loops and conditions that are broken off have no marks of their ends: they go with the rule around them.
        for index in range(len(self.frames) - 1, -1, -1):
            if self.frames[index].node.number == node.number and self.frames[index].role == "enter":
                del self.frames[index:]
                break
        self.names = NOTHING

    def _leave_statements(self, node: ast.Node) -> None:
        """Leave the statements that do not contain a node."""
        # INVARIANT: the frames of the innermost rule are a path down its tree, so those that do not enclose the node
        # are the last ones. A frame of a rule is only left by its own mark: the node may be in the rule that called it.
        ancestors = {ancestor.number for ancestor in enclosing_nodes(self.program, node)}
        while self.frames and self.frames[-1].role == "inside" and self.frames[-1].node.number not in ancestors:
            self.frames.pop()
        self.names = replace(self.names, unknown=self._unknown)

    def _enter(self, node: ast.Node, seat: str) -> None:
        if isinstance(node, ast.Phase):
            self._leave_statements(node)
            if not enclosing_nodes(self.program, node):  # setup, or the previous outermost phase, has ended
                self.frames = [frame for frame in self.frames if frame.node.kind in SCENES]
        # A rule that the seat may not know of is not shown, nor what it does, but its frame is there all the same: the
        # mark at its end has to find it, and what is inside it has to find that it is hidden.
        seen, unknown = self._seen, frozenset[LocalSymbol]()
        if self.evaluator.active_visibility(self.cells) is not None:
            seen = seen and self._reaction_known(node)
            unknown = self._hidden_parameters(node, seat)
            self.names = replace(self.names, unknown=unknown)
        if seen:
            values = self.evaluator.values_in_scope(self.names, self.cells)
            argument_values = self.evaluator.arguments_in_scope(self.names, self.cells)
            arguments = (
                f"({', '.join(f'{name} = {value}' for name, value in argument_values)})" if argument_values else ""
            )
            name = getattr(node, "name", node.kind)
            self._add("rule", f"{node.kind} {name}{arguments}", node, values=values, seat=seat)
        self.frames.append(Frame(node, "enter", seen, unknown))

    def _hidden_parameters(self, node: ast.Node, acting: str) -> frozenset[LocalSymbol]:
        """The parameters of a rule whose values the seat may not know; `acting` is the seat that does it."""
        rule = self.program.model.rules.get(getattr(node, "name", "")) if not isinstance(node, ast.When) else None
        if rule is None:
            return frozenset()
        # Done by `do`, the arguments are what the calling rule says: those are hidden that it computes from something
        # hidden. Done as a move, they are what the acting seat chose: hidden from others if they are declared `secret`.
        caller = self.frames[-1].node if self.frames else None
        if isinstance(caller, ast.Do):
            return frozenset(p for index, p in enumerate(rule.parameters) if index in self.hidden_arguments)
        if self.seat is None or self.program.layout.seats[self.seat] == acting:
            return frozenset()
        parameters = zip(rule.parameters, rule.declaration.parameters, strict=True)
        return frozenset(symbol for symbol, parameter in parameters if parameter.secret)

    def _reaction_known(self, node: ast.Node) -> bool:
        """True if the seat may know why a reaction happened."""
        visibility = self.evaluator.active_visibility(self.cells)
        if visibility is None or not isinstance(node, ast.When):
            return True
        return any(
            visibility.reaction_seen(self.cells, when) for when in self.program.model.whens if when.declaration is node
        )

    def _round_of_phase(self, node: ast.Phase) -> None:
        note = self.program.model.phases[node.name].round
        assert note is not None
        number = self.cells[self.program.layout.first_note[note.name]]
        words = self.program.words
        text = words.phrase("{name}, round {number}", name=words.heading(node.name), number=number)
        self._repetition(node, text, what=(note.name,))

    def _repetition(self, node: ast.Node, text: str, seat: str | None = None, what: tuple[str, ...] = ()) -> None:
        """Begin a turn or a round of a phase."""
        while self.frames and self.frames[-1].role != "enter":
            self.frames.pop()
        self._add("turn", text, node, names=NOTHING, what=what, seat=seat, cites=())
        self._push(node, "turn")

    def _condition(self, node: ast.If, holds: bool, seat: str) -> None:
        self._leave_statements(node)
        names = self.evaluator.with_captures(node.condition, self.names)
        # INVARIANT: which branch is taken shows the outcome, so the branch is hidden with the condition.
        open_ = self.evaluator.is_open(node.condition, names, self.cells)
        if self._seen:
            source = " ".join(node.condition.span.text.split())
            verdict = holds if open_ else None
            outcome = self.program.words.phrase(OUTCOMES[verdict])
            values = self.evaluator.operand_values(node.condition, names, self.cells)
            self._add("condition", f"if {source}: {outcome}", node, values=values, verdict=verdict, seat=seat)
        self._push(node, "inside", open_)

    def _nothing_possible(self, node: ast.Decide, seat: str) -> None:
        """Enter what happens where a decision has no possible move: secret if the decision is."""
        self._leave_statements(node)
        open_ = not node.secretly or self.seat is None or self.program.layout.seats[self.seat] == seat
        if self._seen and open_:
            source = " ".join(node.span.text.partition(" else:")[0].split())
            text = f"{source}: {self.program.words.phrase('nothing is possible')}"
            self._add("condition", text, node, verdict=False, seat=seat)
        self._push(node, "inside", open_)

    def _loop(self, node: ast.Loop, seat: str) -> None:
        """Enter a loop; its number of rounds is shown only if that depends on nothing hidden."""
        self._leave_statements(node)
        self.hidden_loops.discard(node.number)
        self.continued_loops.discard(node.number)
        if self.evaluator.active_visibility(self.cells) is not None and not self._rounds_open(node):
            self._add_hidden(node, seat)

    def _continue(self, node: ast.Loop) -> None:
        """Go on with a loop that began in an earlier segment.

        That its rounds are hidden is not said again: it would tell that there is another one.
        """
        if node.number in self.continued_loops:
            self.continued_loops.remove(node.number)
            if self.evaluator.active_visibility(self.cells) is not None and not self._rounds_open(node):
                self.hidden_loops.add(node.number)

    def _next_round(self, node: ast.Loop, seat: str) -> None:
        """Hide a loop if the test before its next round may not be known."""
        self._leave_statements(node)
        self._continue(node)
        if not all(self.evaluator.is_open(part, self.names, self.cells) for part in loop_parts(node)):
            self._add_hidden(node, seat)

    def _add_hidden(self, node: ast.Loop, seat: str) -> None:
        """Record that a loop is hidden, once, regardless of its number of rounds."""
        if node.number not in self.hidden_loops:
            self.hidden_loops.add(node.number)
            if self._seen:
                self._add("round", f"{header_of(node)}: {self.program.words.phrase('hidden')}", node, seat=seat)

    def _rounds_open(self, node: ast.Loop) -> bool:
        """True if the seat may know which rounds a loop has, as far as that is decidable at its beginning."""
        cells = self.cells
        match node:
            case ast.ForEach():
                return self._combinations_open(node, 0, self.names)
            case ast.EachPlayer():
                acting = (acting_as(cells, seat) for seat in range(len(self.program.layout.seats)))
                return all(self.evaluator.is_open(end, self.names, cells) for end in node.course) and all(
                    self.evaluator.is_open(node.where, self.names, cells_of_seat) for cells_of_seat in acting
                )
            case ast.Repeat():
                return self.evaluator.is_open(node.bound.times, self.names, cells)
            case _ as never:
                assert_never(never)

    def _combinations_open(self, node: ast.ForEach, index: int, names: Bindings) -> bool:
        """True if the seat may know what the binders of a loop from one on iterate over, and what is filtered out."""
        if index == len(node.binders):
            return self.evaluator.is_open(node.where, names, self.cells)
        binder = node.binders[index]
        symbol = self.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        if not self.evaluator.is_open(binder.domain, names, self.cells):
            return False
        if node.where is None and index + 1 == len(node.binders):
            return True
        try:
            values = self.program.members_of(binder.domain, self.cells, names.values)
        except PlayError:
            return True
        for value in values:
            member_names = replace(names, values={**names.values, symbol: value})
            if not self._combinations_open(node, index + 1, member_names):
                return False
        return True

    def _round(self, node: ast.Loop, seat: str) -> None:
        """Enter a round of a loop."""
        self._leave_statements(node)
        self._continue(node)
        if node.number in self.hidden_loops:
            self._push(node, "inside", False)
            return
        binders = node.binders if isinstance(node, ast.ForEach) else ()
        bound_symbols = [self.program.model.refers.get(binder.number) for binder in binders]
        names_before, parts = self._names_without(bound_symbols), loop_parts(node)
        names_of_domain = {
            binder.domain.number: self._names_without(bound_symbols[index:]) for index, binder in enumerate(binders)
        }
        open_ = all(
            self.evaluator.is_open(part, names_of_domain.get(part.number, self.names), self.cells) for part in parts
        )
        if not open_:
            self._add_hidden(node, seat)
        elif self._seen:
            values, text = self.evaluator.values_in_scope(names_before, self.cells, node), ""
            if isinstance(node, ast.ForEach):
                inside = dict(self.evaluator.values_in_scope(self.names, self.cells))
                bound = tuple(ShownValue(binder.name, inside[binder.name]) for binder in binders)
                text, values = ", ".join(f"{name} = {value}" for name, value in bound), (*bound, *values)
            elif isinstance(node, ast.EachPlayer):
                text = self.program.words.name(seat)
            header = header_of(node)
            self._add("round", f"{header}: {text}" if text else header, node, values=values, seat=seat)
        self._push(node, "inside", open_)

    def _changes_at_once(self, node: ast.Loop, seat: str) -> None:
        """Leave the iterations of a loop at once; what follows is what all of them change."""
        self._leave_statements(node)
        hidden = node.number in self.hidden_loops
        if self._seen and not hidden:
            self._add("round", f"{header_of(node)}: {self.program.words.phrase('the changes')}", node, seat=seat)
        self._push(node, "inside", not hidden)

    def _names_without(self, symbols: Sequence[object]) -> Bindings:
        """The names in scope without some of them."""
        values = {symbol: value for symbol, value in self.names.values.items() if symbol not in symbols}
        return replace(self.names, values=values)

    def _statement(self, node: ast.Node, seat: str) -> None:
        self._leave_statements(node)
        if isinstance(node, ast.Let):
            self._let(node)
        if isinstance(node, ast.Do):
            arguments = enumerate(node.act.arguments)
            self.hidden_arguments = frozenset(
                n for n, a in arguments if not self.evaluator.is_open(a, self.names, self.cells)
            )
        if self._seen:
            values = self.evaluator.values_in_scope(self.names, self.cells, node)
            if isinstance(node, ast.Let):
                values = tuple(
                    pair for pair in self.evaluator.values_in_scope(self.names, self.cells) if pair[0] == node.name
                )
            self._add("statement", first_line(node), node, values=values, seat=seat)
        self._push(node, "inside")

    def _let(self, node: ast.Let) -> None:
        """Mark a name as unknown up to the end of the rule if its value may not be known."""
        symbol = self.program.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        if self.evaluator.is_open(node.value, self.names, self.cells):
            return
        self.names = replace(self.names, unknown=self.names.unknown | {symbol})
        self.frames = [
            replace(frame, unknown=frame.unknown | {symbol}) if index >= self._rule() else frame
            for index, frame in enumerate(self.frames)
        ]

    def _rule(self) -> int:
        """The index of the innermost rule among the frames."""
        return max((index for index, frame in enumerate(self.frames) if frame.role == "enter"), default=0)


def _is_shown(event: Event) -> bool:
    """True if a seat is shown an event or can derive it from what it is shown; a round that begins is logged."""
    return event.kind in SHOWN_KINDS or event.what != ()


def loop_parts(node: ast.Loop) -> list[ast.Expression]:
    """The expressions in the header of a loop, in source order."""
    match node:
        case ast.ForEach():
            parts = [*(binder.domain for binder in node.binders), node.where]
        case ast.EachPlayer():
            parts = [*node.course, node.where]
        case ast.Repeat():
            parts = [node.bound.times, node.bound.condition]
        case _ as never:
            assert_never(never)
    return [part for part in parts if part is not None]


def header_of(node: ast.Loop) -> str:
    """The source of the header of a loop."""
    header = " ".join(node.span.source.text[node.span.start : loop_parts(node)[-1].span.end].split())
    return f"{header} at once" if isinstance(node, ast.ForEach | ast.EachPlayer) and node.at_once else header


def first_line(node: ast.Node) -> str:
    """The first line of a node's source, without citations and comments."""
    line = node.span.text.splitlines()[0] if node.span.text else node.kind
    return " ".join(line.split("#")[0].split("  [")[0].split())
