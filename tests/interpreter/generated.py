"""Random games played from every seat, beside states that the seat cannot tell from the real ones."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from dsl import ast
from dsl.types import PieceType, Several, bare
from interpreter import Game, IllegalMove, RulesError, RuntimeFault, State, load
from interpreter.compile.layout import FIRST_FREE
from interpreter.compile.program import Program
from interpreter.log import changes
from interpreter.masks import bits
from interpreter.resampling import appearance_of, resampled
from interpreter.runtime import LOOP, Cells
from interpreter.sight import known_attributes, look, place_standing
from interpreter.trace import Timeline
from interpreter.why import why_move
from interpreter.wording import chosen_type
from tests.interpreter.watching import news
from tests.support.secret_games import rules

MOST_DECISIONS = 4
ASKED = ("latest", "chosen", "tally", "sum mark[c] for c in Card", "sum 1 for c in Card", "score[me]")
"""Values a seat asks for."""


@dataclass
class Figures:
    """The results of a number of games."""

    games: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    compared: int = 0
    leaks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{dict(self.games)}, {self.decisions} decisions, {self.compared} comparisons, {len(self.leaks)} leaks"


def asked_about(notation: str) -> list[str]:
    """Moves that a seat asks about: one that is legal, and some that may not be."""
    head = notation.partition("(")[0]
    return [notation, *(f"{head}({word})" for word in ("card #1", "card #2", "one", "nth(1, deck)"))]


class Seen:
    """Everything a seat sees and learns of a state and of a move made there."""

    def __init__(self, state: State, seat: str, notation: str, traced: bool) -> None:
        self.seat, self.own = seat, state.player == seat
        self.before: dict[str, object] = {"view": state.view(seat), "player": state.player}
        moves = state.legal_moves
        self.legal = notation in [move.notation for move in moves]
        if self.own:
            self.before |= {"question": state.question, "moves": moves}
            self.before["why"] = [self._why(state, text) for text in asked_about(notation)] if traced else []
        self.question = state.question
        self.after: dict[str, object] = {}
        if not self.legal:
            return
        self.named = pieces_named(state, notation, seat)
        after = state.copy()
        try:
            after.push(notation)
        except RuntimeFault as fault:
            self.after["fault"] = fault.message
            return
        self.over = after.over
        self.after["view"] = after.view(seat)
        self.ways = way_of_each(state, after, seat)
        told = news(after, seat, state.ply)
        self.heads = [(entry.player, entry.text) for entry in told[:1]]
        self.after["log"] = told
        if traced and not after.over:
            timeline = Timeline(after, seat)
            if len(timeline.decisions(timeline.plies)) == 1:
                self.after["trace"] = [
                    (event.kind, event.text, event.depth, event.values, event.what, event.verdict, event.seat)
                    for event in timeline.events(timeline.plies)
                ]
                moment = timeline.moment(timeline.last)
                self.after["values"] = [list(moment.evaluate(text).lines()) for text in ASKED]

    def _why(self, state: State, text: str) -> list[str]:
        return why_move(state.program, state.cells, text, {}, state.seat_number(self.seat)).lines()

    def differs(self, other: Seen) -> str:
        """A difference from the other, although the seat must not tell the states apart; empty if there is none."""
        for what, value in self.before.items():
            if other.before.get(what) != value:
                return f"{what}:\n{value}\n{other.before.get(what)}"
        if not (self.legal and other.legal) or "fault" in self.after or "fault" in other.after:
            return "legal" if self.own and self.legal != other.legal else ""
        if self.over or other.over:
            return ""
        if self.named != other.named:
            return ""  # to this seat these are moves of different pieces
        if self.question == other.question and self.heads != other.heads:
            return f"heads:\n{self.heads}\n{other.heads}"
        if self.after["view"] != other.after["view"]:
            return ""  # what the move lets the seat see may be told
        if self.ways != other.ways:
            return ""  # so may what it lets the seat see of a piece on its way
        for what, value in self.after.items():
            if what in other.after and other.after[what] != value:
                return f"{what} of the move:\n{value}\n{other.after[what]}"
        return ""


def pieces_named(state: State, notation: str, seat: str) -> list[str]:
    """The seat's view of the pieces that a legal move names.

    Whoever acts may see other attributes than somebody who watches, so that one notation can name two pieces that the
    watching seat tells apart.
    """
    program, number = state.program, state.seat_number(seat)
    assert number is not None
    decision = program.decision(state.cells)
    move = next(move for move in state.legal_moves if move.notation == notation)
    if decision is None or move.code[0] < 0:
        return []
    types = (
        [chosen_type(program, decision.node)]
        if isinstance(decision.node, ast.Choose)
        else [parameter.type for parameter in program.model.rules[move.name].parameters]
    )
    pieces: list[int] = []
    for type_, value in zip(types, move.code[1:], strict=False):
        core = bare(type_)
        if isinstance(core, PieceType):
            pieces.append(value)
        elif isinstance(core, Several) and isinstance(core.element, PieceType):
            pieces += bits(value)
    return sorted(_seen_of(program, state.cells, number, piece) for piece in pieces)


def way_of_each(before: State, after: State, seat: str) -> list[str]:
    """The seat's view of each piece before, during and after a move, and of any note it saw for a while.

    The seat may learn from that, say, that the card from the hand now lies open, and not the one from the pile.
    """
    program, number = before.program, before.seat_number(seat)
    assert number is not None
    layout = program.layout
    pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
    cells, found = changes(after.cells, after.journal, after.history[-1].start)
    ways = [[_seen_of(program, cells, number, piece)] for piece in range(len(layout.pieces))]
    noted = Counter[int]()
    step = inside = 0  # steps are counted outside of loops, whose rounds follow the order of the pieces
    moving = False
    for cell, payload, new in found:
        if cell == LOOP:
            inside = 0 if payload == () else inside + (1 if payload is not None else -1)
        if cell in pieces:
            step += not moving and not inside
            piece = cell - pieces.start
            ways[piece].append(f"{step} {look(program, piece, known_attributes(program, cells, number, piece))}")
        moving = cell in pieces
        if cell >= 0:
            cells[cell] = new
            noted[cell] += cell in layout.notes_of_cell
    for piece, way in enumerate(ways):
        way.append(_seen_of(program, after.cells, number, piece))
    passing = [layout.notes_of_cell[cell][0] for cell, times in noted.items() if times > 1]
    return sorted(str(way) for way in ways) + sorted(passing)


def _seen_of(program: Program, cells: Cells, seat: int, piece: int) -> str:
    place = cells[program.layout.place_cells + piece]
    return f"{appearance_of(program, cells, seat, piece)} {place_standing(program, cells, seat, place)}"


def in_the_middle(state: State) -> bool:
    """True if a choice of several is half made: in the other state it could not have begun with what was chosen."""
    question = state.question
    return question is not None and question.so_far != "" and not question.so_far.startswith("0 ")


def pieces_differ(one: State, other: State) -> bool:
    """True if the states differ in more than chance to come."""
    kept = slice(FIRST_FREE, None)
    return one.cells[kept] != other.cells[kept]


def loaded(number: int, folder: Path) -> Game | None:
    """A generated game, None if `check` refuses it."""
    path = folder / f"game_{number}.rules"
    path.write_text(rules(number), encoding="utf-8")
    try:
        return load(path)
    except RulesError:
        return None
    finally:
        path.unlink()


def play(game: Game, number: int, figures: Figures) -> None:
    """Play a game at random and compare at every decision."""
    rng = random.Random(number)
    try:
        state = game.start(number)
    except RuntimeFault:
        figures.games["fault"] += 1
        return
    traced = rng.randrange(MOST_DECISIONS) if number % 2 == 0 else -1
    while state.player is not None and state.ply < MOST_DECISIONS:
        notation = rng.choice(state.legal_moves).notation
        figures.decisions += 1
        others = [seat for seat in game.seats if seat != state.player]
        for seat in (state.player, rng.choice(others)):
            other = resampled(state, seat, number * 100 + state.ply)
            if not pieces_differ(state, other) or in_the_middle(state):
                continue
            seen = Seen(state, seat, notation, state.ply == traced)
            found = seen.differs(Seen(other, seat, notation, state.ply == traced))
            figures.compared += 1
            if found:
                figures.leaks.append(f"game {number}, ply {state.ply}, {notation}, {seat}: {found}")
        try:
            state.push(notation)
        except RuntimeFault:
            figures.games["fault"] += 1
            return
        except IllegalMove:
            figures.leaks.append(f"game {number}, ply {state.ply}: {notation} was offered and is not legal")
            return


def tried(numbers: range, folder: Path) -> Figures:
    """Games checked and played."""
    figures = Figures()
    for number in numbers:
        game = loaded(number, folder)
        figures.games["refused" if game is None else "accepted"] += 1
        if game is not None:
            play(game, number, figures)
    return figures
