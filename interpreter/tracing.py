"""The trace: every decision, rule, requirement, chance result and change of a game, in order, with where it stands.

A game is traced by playing it again with code that marks in the journal which rule is at work; the rules are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ast
from interpreter.chance import Chance, ChanceEvent
from interpreter.log import Change, Teller, changes
from interpreter.runtime import MARK
from interpreter.state import State


@dataclass(frozen=True)
class TraceLine:
    """One line: `kind` is decision, reason, rule, statement or change; `place` is `file:line:column` or empty."""

    depth: int
    text: str
    place: str
    cites: tuple[str, ...]
    ply: int
    kind: str


def replayed_chance(results: Sequence[Any]) -> Chance:
    """Chance that gives recorded results again."""
    left = iter(results)

    def give(_: ChanceEvent) -> Any:
        return next(left)

    return give


def traced(state: State) -> State:
    """The same game played again with marks."""
    chance = None if state.journal.chance is None else replayed_chance(state.chance_results)
    again = state.game.start(state.seed, chance, traced=True)
    for made in state.history:
        again.push(made.notation)
    return again


def trace_lines(state: State) -> Iterator[TraceLine]:
    """The trace of a game from its set-up to where it stands, seen by the eye that sees all."""
    again = state.game.start(
        state.seed, None if state.journal.chance is None else replayed_chance(state.chance_results), traced=True
    )
    tracer = Tracer(again)
    yield TraceLine(0, f"{state.game.title}: set-up", "", (), 0, "decision")
    yield from tracer.segment(0)
    for made in state.history:
        question = again.question
        assert question is not None
        secretly = " secretly" if question.secretly else ""
        asked = f"{question.duty}{secretly} {' or '.join(question.names)}"
        text = f"{made.player}: {made.label}"
        yield TraceLine(0, text, question.place, question.cites, again.ply + 1, "decision")
        count = len(again.legal_moves)
        offered = f"asked: {asked}; {count} legal move{'s' if count != 1 else ''}"
        yield TraceLine(1, offered, question.place, (), again.ply + 1, "reason")
        if "(" in made.notation or made.notation in again.program.model.rules:
            for reason in again.why(made.notation).reasons:
                values = ", ".join(f"{name} = {value}" for name, value in reason.values)
                told = f"holds: {reason.text}" + (f" ({values})" if values else "")
                yield TraceLine(1, told, reason.place, reason.cites, again.ply + 1, "reason")
        start = len(again.journal)
        again.push(made.notation)
        yield from tracer.segment(start)
    if again.outcome is not None:
        yield TraceLine(0, again.outcome.reason, "", (), again.ply, "decision")


class Tracer:
    """Turns stretches of a traced journal into lines; rules stay open from one stretch to the next."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.depth = 1

    def segment(self, start: int) -> Iterator[TraceLine]:
        """The lines of the journal from `start` to its end."""
        state = self.state
        cells, found = changes(state.cells, state.journal, start)
        teller = Teller(state.program, cells, None)
        run: list[Change] = []
        for change in found:
            if change[0] != MARK:
                run.append(change)
                continue
            yield from self._changes(teller, run)
            run = []
            yield from self._mark(*change[1])
        yield from self._changes(teller, run)

    def _changes(self, teller: Teller, run: list[Change]) -> Iterator[TraceLine]:
        for line in teller.tell(run):
            yield TraceLine(self.depth + 1, line, "", (), self.state.ply, "change")

    def _mark(self, what: str, number: int, me: int) -> Iterator[TraceLine]:
        node = self.state.program.nodes[number]
        cites: tuple[str, ...] = getattr(node, "cites", ())
        if what == "leave":
            self.depth = max(1, self.depth - 1)
            return
        if what == "enter":
            name = getattr(node, "name", node.kind)
            seat = self.state.game.seats[me]
            yield TraceLine(self.depth, f"{node.kind} {name} ({seat})", node.span.place, cites, self.state.ply, "rule")
            self.depth += 1
            return
        if isinstance(node, ast.If):
            told = f"{what}: {' '.join(node.condition.span.text.split())}"
            yield TraceLine(self.depth, told, node.span.place, cites, self.state.ply, "reason")
            return
        text = " ".join(first_line(node).split())
        yield TraceLine(self.depth, text, node.span.place, cites, self.state.ply, "statement")


def first_line(node: ast.Node) -> str:
    """The first line of what a node says, without citations and comments."""
    line = node.span.text.splitlines()[0] if node.span.text else node.kind
    return line.split("#")[0].split("  [")[0]
