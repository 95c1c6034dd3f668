"""How a game went, found by playing it again: its decisions, positions, points, and what could be expected when.

A game is identified by its seed and its choices: the number of each chosen move among the legal ones. It is played once
with a journal and in step with instrumented code, and then taken back moment by moment. Random games from each moment
show which part of the win every seat could expect. Nothing is hidden here: this measures a game, it plays none.

For example, a game of 60 decisions has `PARTS + 1` moments at equal distances, from before its first decision to its
end. At each of them `rollouts` random games are played; if red wins 70 of 100, its share at that moment is 0.7. Moments
rather than decisions are compared, so that short and long games have figures of the same length.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeVar

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import PLAYER, PieceType, Several, Type, bare
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import MAX_DECISIONS, never_ends
from interpreter.analysis.random_choices import random_choice
from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend
from interpreter.authoring.coverage.instrumentation import InstrumentedGame, instrumented
from interpreter.authoring.coverage.random_games import CoveragePlayer
from interpreter.compiler.decisions import acts_of, chosen_type
from interpreter.compiler.names import InCell
from interpreter.engine.program import Program
from interpreter.errors import PlayError, UsageError
from interpreter.opponents.evaluation import sides_of, win_shares
from interpreter.opponents.seat_observer import seed_from
from interpreter.play.game import Game, State
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import (
    Cells,
    JournalEntry,
    MoveCode,
    NoteCell,
    ReasonPayload,
    StoredValue,
    members_in,
    number_in,
)
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.explain.outcome import score_criterion, scores_now, winners_of
from interpreter.seat.notation.moves import DECLINING
from interpreter.seat.notation.words import name_by_attributes
from interpreter.wording.words import PLAIN, Words

# ---- Records of games: the result of each, and how it went. Plain data, the same for every backend and any process


PARTS = 20
"""The equal parts into which the decisions of a game are divided, so that long and short games can be compared."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points that one rule gave one seat in a game, with the reason it states in `because`."""

    node: int
    seat: int
    times: int
    amount: int


@dataclass(frozen=True, slots=True)
class Picks:
    """How often pieces of a kind were offered in the decisions of a game, and how often they were chosen.

    `kind` describes what can be seen of such a piece. A decision offers a kind if one of its legal moves has such a
    piece among its arguments; it counts once, however many of these moves there are.
    """

    kind: str
    offered: int
    chosen: int


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, found by playing it again.

    `forced` is the number of decisions with a single legal move. `branching` has the mean number of legal moves in each
    of the `PARTS` parts of the game. `scores` and `shares` have a value for each seat at `PARTS + 1` moments, from the
    first decision to the end: the first criterion of `winner` as if the game ended there, empty if that is a condition
    or has no value at one of these moments; and the expected share of the win if everyone continues at random.
    `repeats` is how often the most frequent position occurred. `branches` are the numbers of the branches of the rules
    that were taken, in the numbering of the coverage report.
    """

    forced: int
    branching: tuple[float, ...]
    scores: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    repeats: int
    branches: tuple[int, ...]
    points: tuple[Points, ...]
    picks: tuple[Picks, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that is over.

    `number` is its place in the run, from 0; its seed is that of the run plus the number. `winners` are numbers of
    seats. `scores` has one number for each seat and criterion, higher is better. `teams` are the names of the teams of
    the seats, None for a seat that plays alone; empty if there are no teams. `choices` is the number of legal moves
    summed over all decisions, `widest` the largest at a single one. Of some games of a run the `course` is known.
    `at_a_loss` is the number of moves that bots made at random, as they found no state to search.
    """

    number: int
    winners: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    teams: tuple[str | None, ...]
    decisions: int
    choices: int
    widest: int
    course: Course | None = None
    at_a_loss: int = 0


@dataclass(frozen=True, slots=True)
class FailedRecord:
    """A game that ended in an error; `moves` are the notations of its first moves, empty if all moved at random."""

    number: int
    failed: Failed
    moves: tuple[str, ...] = ()


Record = GameRecord | FailedRecord
"""What is known of a game of a run."""


Value = TypeVar("Value", int, float)


def course_of(game: Game, seed: int, chosen: Sequence[int] | None, rollouts: int, backend: Backend) -> Course:
    """How a single game went; for many games use `Courses`, which compiles the rules once."""
    return Courses(game, rollouts, backend).of(seed, chosen)


@dataclass
class _Replayed:
    """A game played again to its end, and what was noticed on the way; `counts` are the numbers of legal moves."""

    state: State
    counts: list[int]
    repeats: int
    branches: tuple[int, ...]


class Courses:
    """Finds out how games went. `rollouts` random games are played from each moment, by a backend; 0 for none."""

    def __init__(self, game: Game, rollouts: int, backend: Backend) -> None:
        self.game, self.rollouts, self.backend = game, rollouts, backend
        self._positions = Positions(game.program)
        self._picks = PickCounter(game.program)

    @cached_property
    def _instrumented(self) -> InstrumentedGame:
        return instrumented(self.game)

    @cached_property
    def _coverage(self) -> CoveragePlayer:
        return CoveragePlayer(self.game.rules)

    @cached_property
    def _together(self) -> bool:
        """True if all seats win or lose together, or there is only one."""
        winner, program = self.game.rules.model.winner, self.game.program
        assert winner is not None
        return len(self.game.seats) == 1 or all(map(program.is_same_for_all, winner.criteria))

    def of(self, seed: int, chosen: Sequence[int] | None = None) -> Course:
        """How the game with a seed and these choices went; without choices it is the one that random play makes.

        Raises PlayError if a rule fails, and UsageError if the choices do not lead to the end of a game.
        """
        offered, picked = Counter[str](), Counter[str]()
        points = PointCounter(self.game.program, self._together)
        course = self._replay(seed, chosen, points, offered, picked)
        scores, shares = self._moments(course.state)
        return Course(
            forced=course.counts.count(1),
            branching=parts_of(course.counts),
            scores=scores,
            shares=shares,
            repeats=course.repeats,
            branches=course.branches,
            points=points.points,
            picks=picks_of(offered, picked),
        )

    # ------------------------------------------------------------ forward

    def _replay(
        self, seed: int, chosen: Sequence[int] | None, points: PointCounter, offered: Counter[str], picked: Counter[str]
    ) -> _Replayed:
        """Play a game to its end, in step with instrumented code."""
        state = self.game.start(seed)
        program, counting = state.program, self._instrumented
        counting.branches.take()
        counted = counting.compiled()
        # INVARIANT: the plain cells and those of the instrumented code are in the same position before each decision,
        # with the same legal moves in the same order, so a number means the same move in both.
        T = Cells(counted.initial)
        T[RANDOM] = seeded(seed)
        counted.run(T, None, 0)
        points.add(state.cells, state.journal)
        counts, positions, entries_read = list[int](), Counter[bytes](), len(state.journal)
        while not state.over:
            positions[self._positions.key(state.cells)] += 1
            legal = program.legal(state.cells)
            number = self._choice(state, chosen, len(legal))
            self._picks.count(state.cells, legal, legal[number], offered, picked)
            counts.append(len(legal))
            counted.do(T, None, counted.legal(T)[number])
            state.push_number(number)
            points.add(state.cells, state.journal[entries_read:])
            entries_read = len(state.journal)
        if chosen is not None and len(chosen) != state.ply:
            raise UsageError(f"the game is over after {state.ply} of {len(chosen)} decisions")
        counted.ranks(T, counted.criteria_of_all(T))
        branches = self._coverage.with_derived(counting.branches.take())
        return _Replayed(state, counts, max(positions.values(), default=0), tuple(sorted(branches)))

    def _choice(self, state: State, chosen: Sequence[int] | None, count: int) -> int:
        if state.ply >= MAX_DECISIONS:
            raise never_ends(self.game)
        if chosen is None:
            return random_choice(state.seed, state.ply, count)
        if state.ply >= len(chosen) or not 0 <= chosen[state.ply] < count:
            raise UsageError(f"there is no choice of one of {count} legal moves for decision {state.ply + 1}")
        return chosen[state.ply]

    # ------------------------------------------------------------ and back

    def _moments(self, state: State) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[float, ...], ...]]:
        """Scores and expected shares of all seats at all moments; the state is taken back to the first decision."""
        # From the end to the beginning: taking moves back is cheap, while each moment would have to be reached from the
        # setup otherwise. The estimates do not depend on the order, as each moment has seeds of its own.
        at = [moment * state.ply // PARTS for moment in range(PARTS + 1)]
        scores, shares = dict[int, tuple[int, ...] | None](), dict[int, tuple[float, ...] | None]()
        for ply in sorted(set(at), reverse=True):
            while state.ply > ply:
                state.pop()
            scores[ply] = self._scores(state) if None not in scores.values() else None
            shares[ply] = self._shares(state) if None not in shares.values() else None
        return _by_seat([scores[ply] for ply in at]), _by_seat([shares[ply] for ply in at])

    def _scores(self, state: State) -> tuple[int, ...] | None:
        """The first criterion of `winner` for each seat, higher is better; None for a condition, or without a value."""
        winner = state.program.model.winner
        assert winner is not None
        first = winner.criteria[0]
        if score_criterion(state.program) is not first:
            return None
        sign = -1 if first.direction == "lowest" else 1
        scores = [None if score is None else sign * score for score in scores_now(state.program, state.cells, None)]
        return None if None in scores else tuple([score for score in scores if score is not None])

    def _shares(self, state: State) -> tuple[float, ...] | None:
        """The expected part of the win of each seat; None if a random game from here ends in an error.

        The seeds of the random games are derived from the seed of the game and the number of decisions made, so a
        position of a game has the same ones whatever is played besides. When the game is over there is only its result.
        """
        if not self.rollouts:
            return None
        sides = sides_of(state.program, state)
        if state.over:
            won = sum(1 << seat for seat in winners_of(state.program, state.cells))
            return win_shares(won, sides, self._together)
        seed = seed_from(f"{state.seed} {state.ply}".encode())
        try:
            winners = Counter(search_state(state, self.backend).rollouts(self.rollouts, seed).winners)
        except PlayError:
            return None
        win_chances = [(games, win_shares(won, sides, self._together)) for won, games in sorted(winners.items())]
        return tuple(
            [sum(games * shares[seat] for games, shares in win_chances) / self.rollouts for seat in range(len(sides))]
        )


def _by_seat(moments: Sequence[tuple[Value, ...] | None]) -> tuple[tuple[Value, ...], ...]:
    """The values of each seat over all moments; empty if there are none at one of them."""
    estimated = [values for values in moments if values is not None]
    return tuple(zip(*estimated, strict=True)) if len(estimated) == len(moments) else ()


def parts_of(counts: Sequence[int]) -> tuple[float, ...]:
    """The mean of the numbers of each of the `PARTS` equal parts of a row; empty for an empty row.

    A number that lies in several parts counts in each as far as it lies there, so a row may have fewer than `PARTS`.
    """
    length, parts = len(counts), list[float]()
    for part in range(PARTS if length else 0):
        first, last = part * length, (part + 1) * length  # number k reaches from k * PARTS to (k + 1) * PARTS
        inside = range(first // PARTS, -(-last // PARTS))
        total = sum(counts[k] * (min(last, (k + 1) * PARTS) - max(first, k * PARTS)) for k in inside)
        parts.append(total / length)
    return tuple(parts)


# ---- Who gets points, by which rule: the changes of numbers for which rules give a reason


@dataclass
class PointCounter:
    """Adds up the points of one game, by the statement that gives them and the seat that gets them.

    The points of a note with an index by seats belong to that seat, those by teams to each seat of the team. Where all
    win or lose together those of any other note belong to every seat; elsewhere they are nobody's and do not count.
    """

    program: Program
    shared: bool
    totals: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def add(self, state: Cells, entries: Iterable[JournalEntry]) -> None:
        """Count the points among entries of the journal, in the position to which they have led."""
        for _, payload in entries:
            if isinstance(payload, ReasonPayload):
                node, note, amount, _ = payload
                for seat in self._seats(state, note):
                    times, points = self.totals.get((node, seat), (0, 0))
                    self.totals[node, seat] = times + 1, points + amount

    def _seats(self, state: Cells, cell: int) -> Iterable[int]:
        """The seats whose number a cell is."""
        layout, model = self.program.layout, self.program.model
        name, slot = layout.notes_of_cell[cell]
        index = [bare(type_) for type_ in model.notes[name].index] if name in model.notes else list[Type]()
        if PLAYER in index:
            return (slot[index.index(PLAYER)],)
        team_type = None if model.teams is None else bare(model.types[model.teams.value.number])
        if team_type in index:
            team = slot[index.index(team_type)]
            return [seat for seat, of_seat in enumerate(self._teams(state)) if of_seat == team]
        return range(len(layout.seats)) if self.shared else ()

    def _teams(self, state: Cells) -> tuple[int | None, ...]:
        try:
            return self.program.teams(state)
        except PlayError:  # there are no teams yet
            return ()

    @property
    def points(self) -> tuple[Points, ...]:
        """The points counted, in the order of the rules and the seats."""
        return tuple(Points(node, seat, *self.totals[node, seat]) for node, seat in sorted(self.totals))


# ---- Which positions count as the same when repetitions are counted
# The cells themselves are too strict: they contain the state of chance, the number of the round and the numbers of
# pieces, so that two equal pawns that have changed places would be another position.


class Positions:
    """Tells the positions of a program apart.

    Two positions are the same if the same seat faces the same decision and, where the rules record positions, what they
    record is the same. Other games have the same position where everything on the table is the same: pieces by kind,
    notes, dice, and what has been chosen so far. Future chance, the number of a round and secret choices that nobody
    knows yet do not count.
    """

    def __init__(self, program: Program) -> None:
        self._program, self._layout = program, program.layout
        self._kinds = [piece.kind for piece in program.layout.pieces]

    def key(self, state: Cells) -> bytes:
        """Equal for the same position."""
        values = self._as_recorded(state) or self._table(state)
        return hashlib.sha256(repr((state[POINT], state[ME], self._pending(state), values)).encode()).digest()[:16]

    def _as_recorded(self, state: Cells) -> Sequence[Hashable]:
        """The positions as the rules record them; empty if they record none, or none that has a value now."""
        try:
            return [self._program.position(name, state) for name in self._recorded]
        except PlayError:
            return []

    @cached_property
    def _recorded(self) -> list[ast.Name]:
        """A mention of each position that the rules record."""
        nodes = self._program.model.nodes
        return list({node.target.name: node.target for node in nodes if isinstance(node, ast.Record)}.values())

    def _pending(self, state: Cells) -> Hashable:
        """The context of a decision: the values of names in suspended rules, and what has been chosen so far."""
        decision = self._program.decision(state)
        if decision is None:
            return ()
        named = [(symbol.type, bound.cell) for symbol, bound in decision.names.items() if isinstance(bound, InCell)]
        chosen = () if decision.chosen is None else self._alike(state, bits(state[decision.chosen]))
        return tuple([self._value(state, type_, state[NoteCell(cell)]) for type_, cell in named]), chosen

    def _table(self, state: Cells) -> Sequence[Hashable]:
        """Pieces by kind with the notes about them, the order of rows and stacks, other notes, and dice."""
        layout, kinds = self._layout, self._kinds
        about = self._program.notes_about
        pieces = sorted(
            repr((state[layout.place_cells + piece], kinds[piece], [state[cell] for _, cell, _ in about[piece]]))
            for piece in range(len(kinds))
        )
        rows = [tuple([kinds[piece] for piece in state[place.order]]) for place in layout.places if place.order]
        return [
            tuple(map(repr, pieces)),
            tuple(rows),
            tuple([self._value(state, type_, state[NoteCell(at)]) for at, type_ in self._notes]),
        ]

    @cached_property
    def _notes(self) -> list[tuple[int, Type | None]]:
        """The cells of notes and dice with their types, without those about pieces and the numbers of rounds."""
        model, program = self._program.model, self._program
        pieces = program.notes_about_pieces
        return [
            (cell, model.notes[name].type if name in model.notes else None)
            for cell, (name, _) in self._layout.notes_of_cell.items()
            if name not in pieces and cell not in program.phase_of_round
        ]

    def _value(self, state: Cells, type_: Type | None, value: StoredValue) -> Hashable:
        """A value, with pieces by kind and by where they lie."""
        core = None if type_ is None else bare(type_)
        if isinstance(core, PieceType):
            return None if value is None else self._alike(state, [number_in(value)])
        if isinstance(core, Several) and isinstance(bare(core.element), PieceType) and isinstance(value, int):
            return self._alike(state, bits(value))
        plain: Hashable = value
        return plain

    def _alike(self, state: Cells, pieces: Sequence[int]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((state[self._layout.place_cells + piece], self._kinds[piece]) for piece in pieces))


# ---- Which kinds of pieces moves are about: what decisions offer, and what is chosen


Pieces = Callable[[StoredValue], Sequence[int]]
"""The pieces that a value is or has."""


def kind_words(program: Program, words_shown: Words = PLAIN) -> dict[int, str]:
    """The names of the pieces of each kind, with everything open; as the rules name them if nothing else is said.

    Where pieces of two types have the same words, these begin with the type.
    """
    firsts = {piece.kind: program.layout.pieces[piece.kind] for piece in program.layout.pieces}
    words = {kind: name_by_attributes(program, kind, piece.attributes, words_shown) for kind, piece in firsts.items()}
    words = {kind: attributes or words_shown.type(firsts[kind].type) for kind, attributes in words.items()}
    times = Counter(words.values())
    return {
        kind: f"{words_shown.type(firsts[kind].type)} {attributes}" if times[attributes] > 1 else attributes
        for kind, attributes in words.items()
    }


def chosen_types(program: Program) -> frozenset[str]:
    """The types of pieces that moves of any decision can have among their arguments."""
    types: list[Type] = []
    for node in program.model.nodes:
        if isinstance(node, ast.Choose):
            types.append(chosen_type(program.model, node))
        elif isinstance(node, ast.Decide):
            types += [parameter.type for act in acts_of(node) for parameter in program.model.rules[act.name].parameters]
    return frozenset(name for type_ in types for name in _piece_types(bare(type_)))


def _piece_types(type_: Type) -> frozenset[str]:
    if isinstance(type_, Several):
        return _piece_types(bare(type_.element))
    return type_.piece_types if isinstance(type_, PieceType) else frozenset()


class PickCounter:
    """Counts for a game in progress what its decisions offer and what is chosen."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._readers: dict[int, dict[int, tuple[Pieces | None, ...]]] = {}

    @cached_property
    def _words(self) -> dict[int, str]:
        return kind_words(self._program)

    def count(
        self, state: Cells, legal: Sequence[MoveCode], chosen: MoveCode, offered: Counter[str], picked: Counter[str]
    ) -> None:
        """Count the kinds of pieces among the arguments of the legal moves, and of the one that was chosen."""
        acts = self._acts(state)
        if not acts:
            return
        words, kind_of = self._words, self._program.layout.kind_of
        kinds = {kind_of(piece) for move in legal for piece in _pieces_of(acts, move)}
        offered.update({words[kind] for kind in kinds})
        picked.update({words[kind] for kind in {kind_of(piece) for piece in _pieces_of(acts, chosen)}})

    def _acts(self, state: Cells) -> dict[int, tuple[Pieces | None, ...]]:
        """How the arguments of the acts of the pending decision are read, for those that can have pieces."""
        decision = self._program.decision(state)
        assert decision is not None
        if decision.number not in self._readers:
            acts = dict(_readers(self._program, decision.node))
            self._readers[decision.number] = {act: of for act, of in acts.items() if any(of)}
        return self._readers[decision.number]


def _readers(
    program: Program, node: ast.Question
) -> Iterator[tuple[int, tuple[Pieces | None, ...]]]:  # fmt: skip
    if isinstance(node, ast.Choose):
        yield 0, (_pieces_in(chosen_type(program.model, node)),)
        return
    for number, act in enumerate(acts_of(node)):
        yield number, tuple(_pieces_in(parameter.type) for parameter in program.model.rules[act.name].parameters)


def _pieces_of(acts: dict[int, tuple[Pieces | None, ...]], move: MoveCode) -> Iterator[int]:
    if move[0] != DECLINING:
        for read, value in zip(acts.get(move[0], ()), move[1:], strict=False):
            if read is not None:
                yield from read(value)


def _pieces_in(type_: Type) -> Pieces | None:
    """How the pieces of a value of a type are found; None if it has none."""
    core = bare(type_)
    if isinstance(core, PieceType):
        return lambda value: () if value is None else (number_in(value),)
    if not isinstance(core, Several):
        return None
    if isinstance(bare(core.element), PieceType):
        return lambda value: bits(number_in(value or 0))
    pieces_in_element = _pieces_in(core.element)
    return (
        None
        if pieces_in_element is None
        else lambda value: [piece for part in members_in(value or ()) for piece in pieces_in_element(part)]
    )


def picks_of(offered: Counter[str], picked: Counter[str]) -> tuple[Picks, ...]:
    """The counts, by kind in alphabetical order."""
    return tuple(Picks(kind, offered[kind], picked[kind]) for kind in sorted(offered))
