"""Random games played from every seat, beside states that the seat cannot tell from the real ones."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dsl import ast
from dsl.diagnostics import RulesError
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import chosen_type
from interpreter.engine.program import Program
from interpreter.errors import ExpressionError, IllegalMoveError, PlayError
from interpreter.opponents.knowledge.exchanges import exchanged, with_exchanged
from interpreter.play.game import Game, State, load
from interpreter.play.trace import Timeline
from interpreter.runtime.bitset import bits
from interpreter.runtime.layout import FIRST_FREE, MOVES
from interpreter.seat.explain.moves import why_move
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.watching import label_before, news
from tests.interpreter.ways import Ways, pieces_in_note, seen_of, seen_on_the_way, ways_of
from tests.support.resampling import exchange_for, resampled
from tests.support.secret_games import rules

MAX_DECISIONS = 4
SCORE = "score[me]"
ASKED = ("latest", "chosen", "tally", "sum mark[card] for card in Card", "sum 1 for card in Card", SCORE)
"""Values a seat asks for."""


OF_THE_MOVE = " of the move:"


@dataclass
class Figures:
    """The results of a number of games."""

    games: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    compared: int = 0
    ordered: int = 0
    leaks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        compared = f"{self.compared} comparisons, {self.ordered} of them of the order"
        return f"{dict(self.games)}, {self.decisions} decisions, {compared}, {len(self.leaks)} leaks"


def asked_about(program: Program, notation: str) -> list[str]:
    """Moves that a seat asks about: one that is legal, and some that may not be, with every piece by its name."""
    head = notation.partition("(")[0]
    names = sorted({program.layout.piece_name(piece.number) for piece in program.layout.pieces})
    words = ("card #1", "card #2", "one", "nth(1, deck)", *names, *(f"[{name}]" for name in names))
    return [notation, *(f"{head}({word})" for word in words)]


def contents_of(program: Program) -> list[str]:
    """The contents of zones, and counts of them, as a seat asks for them."""
    zones = [f"{name}[me]" if symbol.index else name for name, symbol in program.model.zones.items()]
    return [text for zone in zones for text in (zone, f"count {zone}", f"count c in {zone} where c.rank is one")]


class Seen:
    """Everything a seat sees and learns of a state and of a move made there."""

    def __init__(self, state: State, seat: str, notation: str, traced: bool) -> None:
        self.seat, self.own = seat, state.player == seat
        self.before: dict[str, object] = {"view": state.view(seat), "player": state.player}
        moves = state.legal_moves
        self.legal = notation in [move.notation for move in moves]
        if self.own:
            self.before |= {"question": state.question, "moves": moves}
            self.before["why"] = (
                [self._why(state, text) for text in asked_about(state.program, notation)] if traced else []
            )
        if traced and not state.over:
            self.before["contents"] = [self._value(state, text) for text in contents_of(state.program)]
        self.question = state.question
        self.after: dict[str, object] = {}
        if not self.legal:
            return
        self.named = pieces_named(state, notation, seat)
        after = state.copy()
        try:
            after.push(notation)
        except PlayError as fault:
            self.after["fault"] = fault.message
            return
        self.made = (state, after)
        self.over = after.over
        self.after["view"] = after.view(seat)
        told = news(after, seat, state.ply)
        self.head = state.player, label_before(state, after, seat)
        self.after["log"] = told
        if traced and not after.over:
            timeline = Timeline(after, seat)
            if len(timeline.decisions(timeline.plies)) == 1:
                self.after["trace"] = [
                    (event.kind, event.text, event.depth, event.values, event.what, event.verdict, event.seat)
                    for event in timeline.events(timeline.plies)
                ]
                snapshot = timeline.snapshot(timeline.last)
                # Reasons of earlier points name pieces of the state that was really played.
                asked = [
                    text for text in ASKED if text != SCORE or not state.view(None).notes[f"score[{state.player}]"]
                ]
                self.after["values"] = [list(snapshot.evaluate(text).lines()) for text in asked]

    def _why(self, state: State, text: str) -> list[str]:
        return why_move(state.program, state.cells, text, {}, state.seat_number(self.seat)).lines()

    def _value(self, state: State, text: str) -> object:
        try:
            explained = evaluate_query(state.program, state.cells, text, state.seat_number(self.seat))
        except (PlayError, ExpressionError) as fault:
            return (str(fault),)
        return (
            list(explained.lines()),
            explained.shown,
            explained.members,
            [part.members for part in explained.children],
        )

    @cached_property
    def ways(self) -> Ways:
        """What the seat saw during the move."""
        return ways_of(*self.made, self.seat)

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
        if self.question == other.question and self.head != other.head:
            return f"heads:\n{self.head}\n{other.head}"
        if self.after["view"] != other.after["view"]:
            return ""  # what the move lets the seat see may be told
        for what, value in self.after.items():
            if what in other.after and other.after[what] != value:
                if self.ways != other.ways:
                    return ""  # so may what it lets the seat see of a piece on its way
                return f"{what}{OF_THE_MOVE}\n{value}\n{other.after[what]}"
        return ""


def types_chosen(program: Program, node: ast.Decide | ast.Choose, name: str) -> list[Type]:
    """The types of the values that a move holds."""
    if isinstance(node, ast.Choose):
        return [chosen_type(program.model, node)]
    return [parameter.type for parameter in program.model.rules[name].parameters]


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
    types = types_chosen(program, decision.node, move.name)
    pieces: list[int] = []
    for type_, value in zip(types, move.code[1:], strict=False):
        core = bare(type_)
        if isinstance(core, PieceType):
            pieces.append(value)
        elif isinstance(core, Several) and isinstance(core.element, PieceType):
            pieces += bits(value)
    return sorted(seen_of(program, state.cells, number, piece) for piece in pieces)


def follows_the_order(state: State, seat: str, notation: str, seed: int) -> str:
    """A change that depends on the order in which unseen pieces are declared; empty if there is none.

    With other pieces in the place of those a seat does not see, the same move must do the same to what is there. That
    holds for moves that ask for no attribute of a piece.
    """
    program, other = state.program, state.copy()
    exchange = exchange_for(state, seat, seed)
    other.cells[:] = exchanged(program, state.cells, exchange)
    other.cells[MOVES] = None
    move = next(move for move in state.legal_moves if move.notation == notation)
    decision = program.decision(state.cells)
    types = [] if decision is None or move.code[0] < 0 else types_chosen(program, decision.node, move.name)
    values = tuple(with_exchanged(type_, value, exchange) for type_, value in zip(types, move.code[1:], strict=False))
    code = (move.code[0], *values, *move.code[1 + len(values) :])
    same = next((each.notation for each in other.legal_moves if each.code == code), None)
    if same is None:
        return ""  # equal pieces are offered once, and it was another of them
    after, begun = state.copy(), other.copy()
    try:
        after.push(notation)
        other.push(same)
    except PlayError:
        return ""
    expected = exchanged(program, after.cells, exchange)
    shuffled = len(after.chance_results) > len(state.chance_results)
    bared = seen_on_the_way(begun, other, seat)
    rows = {place.order for place in program.layout.places if place.order}

    def only_seen(cell: int) -> bool:
        """True of pieces in another order that chance has mixed or the seat has seen whole, and of notes of such."""
        here, there = expected[cell], other.cells[cell]
        if cell in rows:
            moved = [piece for piece, instead in zip(there, here, strict=False) if piece != instead]
            return sorted(here) == sorted(there) and (shuffled or bared.issuperset(moved))
        named = pieces_in_note(program, other.cells, cell)
        return bool(named) and bared.issuperset(named)

    found = [
        str(program.layout.notes_of_cell.get(cell, cell))
        for cell in range(FIRST_FREE, len(expected))
        if expected[cell] != other.cells[cell] and not only_seen(cell)
    ]
    return f"depends on the declared order: {', '.join(found)}" if found else ""


def in_the_middle(state: State) -> bool:
    """True if a choice of several is half made: in the other state it could not have begun with what was chosen."""
    question = state.question
    return question is not None and question.so_far != "" and not question.so_far.startswith("0 ")


def pieces_differ(one: State, other: State) -> bool:
    """True if the states differ in more than chance to come."""
    kept = slice(FIRST_FREE, None)
    return one.cells[kept] != other.cells[kept]


ORDER = ("E0610", "E0611", "E0612")
"""The findings of `check` about the order of hidden pieces."""

TOLD = ("E0601", "E0602", "E0603", "E0606", "E0607")
"""The findings of `check` about secrets that are told, or may be."""

READS = re.compile(r"\.(rank|suit|owner)\b")
"""A rule that reads an attribute of a piece."""


def order_counts(game: Game) -> bool:
    """True if `check` warned that the rules depend on the order in which hidden pieces are declared."""
    return any(found.code in ORDER for found in game.rules.warnings)


def loaded(number: int, folder: Path) -> Game | None:
    """A generated game, None if `check` refuses it or warns that it may tell a secret."""
    path = folder / f"game_{number}.rules"
    path.write_text(rules(number), encoding="utf-8")
    try:
        game = load(path)
        return None if any(found.code in TOLD for found in game.rules.warnings) else game
    except RulesError:
        return None
    finally:
        path.unlink()


def play(game: Game, number: int, figures: Figures) -> None:
    """Play a game at random and compare at every decision."""
    rng = random.Random(number)
    try:
        state = game.start(number)
    except PlayError:
        figures.games["fault"] += 1
        return
    warned, reads = order_counts(game), READS.search(rules(number)) is not None
    traced = rng.randrange(MAX_DECISIONS) if number % 2 == 0 else -1
    while state.player is not None and state.ply < MAX_DECISIONS:
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
            seed = number * 100 + state.ply
            if (
                OF_THE_MOVE in found
                and warned
                and (seen.ways.passing or any(follows_the_order(state, seat, notation, seed + at) for at in range(8)))
            ):
                found = ""  # as `check` said
            elif not found and not warned and not reads:
                figures.ordered += 1
                found = follows_the_order(state, seat, notation, seed)
            if found:
                figures.leaks.append(f"game {number}, ply {state.ply}, {notation}, {seat}: {found}")
        try:
            state.push(notation)
        except PlayError:
            figures.games["fault"] += 1
            return
        except IllegalMoveError:
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
