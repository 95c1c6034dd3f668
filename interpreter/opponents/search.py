"""The search of one decision: what the routine of the tree search is given, and what it finds out about each move.

`compiler/machine/routines/tree_search.py` explains the method.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from statistics import fmean
from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import SearchState
from interpreter.analysis.searches import Contents, Lengths, search_from
from interpreter.compiler.machine.routines import search_records as records
from interpreter.compiler.machine.routines.language import scrambled
from interpreter.compiler.machine.routines.search_records import HALF, NUMBER_BITS, NUMBER_MASK, ONE
from interpreter.compiler.machine.routines.search_values import TANH_ENTRIES
from interpreter.compiler.machine.routines.tree_search import MAX_DEPTH, MAX_LINE
from interpreter.compiler.machine.searches import SEARCH
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, look, note_seen
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import HORIZON, Scoring
from interpreter.opponents.information import can_be_proven, masks_moves
from interpreter.opponents.situation import Considered
from interpreter.play.game import State
from interpreter.runtime.cells import Cells, NoteCell
from interpreter.runtime.layout import ME

SECONDS_OF_A_CALL = 0.01
"""The time that the iterations of one call take: between calls, the search looks at the clock."""

SECONDS_BETWEEN_REPORTS, MAX_REPORTED = 0.2, 3
"""The time between two reports, and the number of moves in each."""

MIN_ITERATIONS = 8
"""Number of iterations of a search whose time is up before it begins: a move that follows from none is a random one."""

MAX_NODES = 1 << 17
"""Maximum number of nodes of a search, which it uses up ever more slowly."""

NODES_OF_AN_ITERATION = 4
"""Nodes that an iteration adds for each seat at most, on average, where each seat has a tree."""

BIAS = 1.0
"""The weight of the prior value of an untried position at the root, in random games."""

MAX_ENTRIES, ENTRIES_OF_AN_ITERATION = 3 << 20, 1 << 12
"""Room for lists of legal moves, in moves."""

MAX_LISTED_MOVES = 1 << 13
"""Below the root, decisions with more legal moves are made at random."""

MAX_HOLDINGS = 12
"""Maximum number of possible holdings of a seat with a tree for each."""

HISTORY_ENTRIES = 1 << 14
TABLE_ENTRIES = records.EXACT_ENTRIES + (62 - records.MANTISSA_BITS << records.MANTISSA_BITS)


Holdings = tuple[Hashable, ...]
"""The holding of each seat in a world, as it sees its own pieces; None for a seat with a single tree."""


@dataclass(frozen=True)
class RootMove:
    """The results for a legal move: `number` is its index, `value` what the search maximises.

    `shares` are the mean shares of the win of all seats, `score` is the mean score of the deciding seat, None
    if no game had one. `proven`: the value and the shares are certain.
    """

    number: int
    visits: int
    value: float
    shares: tuple[float, ...]
    score: float | None
    proven: bool


class Search:
    """The search of one decision from some worlds, in which it has the same moves in the same order.

    `values` are estimates of the moves that order them; `only` restricts the search to one move. `budget` decides how
    much room there is.
    """

    def __init__(
        self, worlds: Sequence[SearchState[State]], scoring: Scoring, holdings: Sequence[Holdings], seed: int,
        horizon: int | None, budget: Budget, values: Sequence[float] | None = None, only: int | None = None,
    ) -> None:  # fmt: skip
        first = worlds[0]
        self.seat, self.scoring, self.count = first.seat, scoring, first.move_count
        by_holding = any(held is not None for held in holdings[0])
        masked = masks_moves(first.game.program) or by_holding
        lengths = _lengths(first, scoring, len(worlds), budget, masked)
        roots, count = _roots(holdings, self.seat, scoring.seats, masked)
        numbers = [0] * lengths["Search"]["numbers"]
        numbers[records.WORLDS], numbers[records.SEED], numbers[records.SEAT] = len(worlds), scrambled(seed), self.seat
        numbers[records.HORIZON] = HORIZON if horizon is None else horizon
        numbers[records.MASKED], numbers[records.PROVABLE] = masked, can_be_proven(first.game)
        trees = [0] * lengths["Trees"]["numbers"]
        room = lengths["Trees"]["visits"]
        trees[records.NODES], trees[records.NODE_ROOM] = count, room
        trees[records.MIN_VISITS], trees[records.THRIFT] = not by_holding, room if room < MAX_NODES else room // 2
        trees[records.SLOT_MASK] = lengths["Trees"]["slots"] - 1
        trees[records.POOL_END], trees[records.POOL_ROOM] = 1, lengths["Trees"]["pool"]
        trees[records.PROVEN_ROOM] = lengths["Trees"]["proven_values"] // scoring.seats
        trees[records.HISTORY_MASK] = lengths["Trees"]["history_keys"] - 1
        priors = [0.0] * self.count if values is None else [value - fmean(values) for value in values]
        order = sorted(range(self.count), key=lambda number: (-priors[number], number))
        priorities = [0] * self.count
        for rank, number in enumerate(order):
            priorities[number] = self.count - rank
        contents: Contents = {
            "Search": {
                "numbers": numbers, "roots": roots, "logarithms": LOGARITHM_ROOTS, "inverse_roots": INVERSE_ROOTS,
            },
            "Trees": {"numbers": trees},
            "Path": {"numbers": [0, 0, 0, lengths["Path"]["own_keys"]], "priorities": priorities},
            "Scoring": scoring.arrays(),
            "Results": {
                "exploration": [HALF] * scoring.seats,
                "move_priors": [round(BIAS * ONE * prior) for prior in priors],
            },
        }  # fmt: skip
        self._search = search_from(SEARCH, worlds, lengths, contents)
        self._search.call("search_begin", -1 if only is None else only)

    def run(self, clock: Clock, iterations: int | None, report: Callable[[Considered], None] | None = None) -> None:
        """Search until the time is up, there are as many iterations, or nothing is left to find out.

        Unless the move is wanted at once, there are always a few: what precedes the first one of a process can take
        longer than the time. What was found out so far is reported now and then.
        """
        numbers, count, reported = self._search.arrays["Search"]["numbers"], 1, perf_counter()
        while not clock.is_up() or (self.iterations < MIN_ITERATIONS and not clock.is_stopped):
            if iterations is not None and self.iterations >= iterations:
                break
            begun, iterations_before = perf_counter(), self.iterations
            target = iterations_before + count if iterations is None else min(iterations_before + count, iterations)
            settled = self._search.call("search_run", target)
            if settled is None:
                self._search.call("search_abandon")
            elif settled:
                break
            seconds = (perf_counter() - begun) / max(1, numbers[records.ITERATIONS] - iterations_before)
            count = max(1, min(2 * count, int(SECONDS_OF_A_CALL / max(seconds, 1e-9))))
            if report is not None and perf_counter() - reported > SECONDS_BETWEEN_REPORTS:
                reported = perf_counter()
                moves = tuple((move.number, move.shares[self.seat]) for move in self.best_first()[:MAX_REPORTED])
                report(Considered(moves, self.iterations))

    @property
    def iterations(self) -> int:
        """The number of iterations so far."""
        return self._search.arrays["Search"]["numbers"][records.ITERATIONS]

    @property
    def shares(self) -> list[float]:
        """The mean share of the win of each seat; a guess if there were no iterations."""
        results = self._search.arrays["Results"]
        return [_mean(results["shares"][seat], self.iterations) for seat in range(self.scoring.seats)]

    @property
    def scores(self) -> list[float] | None:
        """The mean score of each seat; None if no game had one."""
        games = self._search.arrays["Search"]["numbers"][records.GAMES]
        results = self._search.arrays["Results"]
        return [results["scores"][seat] / games for seat in range(self.scoring.seats)] if games else None

    def best_first(self) -> list[RootMove]:
        """The moves searched: certain wins first, certain losses last, and the most visited first."""
        trees = self._search.arrays["Trees"]
        root = self._search.arrays["Search"]["roots"][self.seat]
        block = trees["blocks"][root]
        first = block + records.BLOCK_HEAD
        entries = [trees["pool"][first + place] for place in range(trees["pool"][block + records.BLOCK_COUNT])]
        moves = [self._move(entry & NUMBER_MASK, entry >> NUMBER_BITS) for entry in entries]
        return sorted(moves, key=lambda move: (-_certainty(move, self.seat), -move.visits, -move.value))

    def _move(self, number: int, node: int) -> RootMove:
        trees, results, seats = self._search.arrays["Trees"], self._search.arrays["Results"], self.scoring.seats
        visits, proven, scored = trees["visits"][node], trees["proven"][node], results["move_scored"][number]
        score = results["move_scores"][number] / scored if scored else None
        if proven:
            at = proven * seats
            shares = tuple(trees["proven_shares"][at + seat] / ONE for seat in range(seats))
            return RootMove(number, visits, trees["proven_values"][at + self.seat] / ONE, shares, score, proven=True)
        shares = tuple(_mean(results["move_shares"][number * seats + seat], visits) for seat in range(seats))
        return RootMove(number, visits, _mean(trees["totals"][node], visits), shares, score, proven=False)

    def line(self, number: int) -> list[int]:
        """A move and its most frequent continuation in the first world, as numbers of legal moves."""
        length = self._search.call("search_line", number) or 0
        line = self._search.arrays["Results"]["line"]
        return [line[place] for place in range(length)]


def _certainty(move: RootMove, seat: int) -> int:
    """1 for a certain win, -1 for a certain loss."""
    share = move.shares[seat] if move.proven else 0.5
    return 1 if share == 1.0 else -1 if share == 0.0 else 0


def _mean(total: int, count: int) -> float:
    return total / (count * ONE) if count else 0.5


def _roots(holdings: Sequence[Holdings], seat: int, seats: int, masked: bool) -> tuple[list[int], int]:
    """The root of each seat in each world, and how many there are: seats in the same position share their root."""
    if not masked:
        return [1] * (seats * len(holdings)), 1
    numbers: dict[Hashable, int] = {}
    roots = [
        numbers.setdefault(other if other == seat else (other, held), len(numbers) + 1)
        for of_seats in holdings
        for other, held in enumerate(of_seats)
    ]
    return roots, len(numbers)


def holdings_of(states: Sequence[State]) -> list[Holdings]:
    """The holdings in each world; always None for the deciding seat and for seats with too many possible holdings.

    A player with a good card plays differently from one with a bad card. So a seat with few possible holdings has a
    tree for each; with many, none of the trees would be visited often enough.
    """
    first = states[0]
    of_seats = [
        [None] * len(states) if seat == first.cells[ME] else _of_seat(states, seat)
        for seat in range(len(first.game.seats))
    ]
    return list(zip(*of_seats, strict=True))


def _of_seat(states: Sequence[State], seat: int) -> list[Hashable]:
    holdings: list[Hashable] = []
    for state in states:
        holdings.append(_held(state.program, state.cells, seat))
        if len(set(holdings)) > MAX_HOLDINGS:
            return [None] * len(states)
    return holdings if len(set(holdings)) > 1 else [None] * len(states)


def _held(program: Program, S: Cells, seat: int) -> Hashable:
    """What a seat sees of everything that is hidden from some seat."""
    layout, model = program.layout, program.model
    sights: list[Hashable] = []
    for place in layout.places[1:]:
        if model.zones[place.zone].declaration.sights:
            pieces = program.contents(S, place.number)
            looks = [look(program, piece, known_attributes(program, S, seat, piece)) for piece in pieces]
            sights.append(tuple(looks if place.order else sorted(looks)))
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = model.notes.get(name)
        if note is not None and note.declaration.sights:
            sights.append(S[NoteCell(cell)] if note_seen(program, S, seat, name, slot) else None)
    return tuple(sights)


def _lengths(first: SearchState[State], scoring: Scoring, worlds: int, budget: Budget, masked: bool) -> Lengths:
    """The lengths of all arrays. With a number of iterations they follow from it, the same for both engines."""
    seats, moves = scoring.seats, first.move_count
    nodes, entries = MAX_NODES, MAX_ENTRIES
    if budget.iterations is not None:
        added = NODES_OF_AN_ITERATION * seats if masked else 1
        nodes = min(nodes, 64 + moves + worlds * seats + added * budget.iterations)
        entries = min(entries, 1024 + moves + ENTRIES_OF_AN_ITERATION * budget.iterations)
    slots = 2 << nodes.bit_length()
    listed = max(moves, MAX_LISTED_MOVES)
    decisions = MAX_DEPTH + 2
    passed = decisions * (seats if masked else 1)
    proven = seats * ((nodes if can_be_proven(first.game) else 0) + 2)
    of_nodes = (
        "visits", "totals", "possible", "priors", "widths", "means", "inverse_roots", "proven", "blocks", "parents",
        "keys",
    )  # fmt: skip
    history = min(HISTORY_ENTRIES, 1 << nodes.bit_length())
    lengths = {
        "Search": {
            "numbers": 16, "roots": seats * worlds, "root_public": listed, "logarithms": TABLE_ENTRIES,
            "inverse_roots": TABLE_ENTRIES,
        },
        "Trees": {
            "numbers": 16, **dict.fromkeys(of_nodes, nodes + 2), "slots": slots, "pool": entries,
            "proven_values": proven, "proven_shares": proven,
            **dict.fromkeys(("history_keys", "history_visits", "history_totals"), history),
        },
        "Path": {
            "numbers": 4, "passed": passed, "movers": passed, "at": seats, "untold_seats": decisions,
            **dict.fromkeys(("chosen", "chosen_seats", "untold_keys"), decisions),
            **dict.fromkeys(("own_keys", "public_keys", "priorities"), listed),
        },
        "Scoring": {"facts": 9, "sides": seats, "rivals": seats, "tanh": TANH_ENTRIES},
        "Results": {
            **dict.fromkeys(
                ("sums", "squares", "exploration", "shares", "scores", "values", "game_shares", "points"), seats
            ),
            "move_shares": seats * moves, "line": MAX_LINE,
            **dict.fromkeys(("move_scores", "move_scored", "move_priors"), moves),
        },
    }  # fmt: skip
    return lengths


def _table(entry: Callable[[int], float], unit: int) -> tuple[int, ...]:
    """A function of numbers from 1 as `table_index` of the routine finds it, in units of 1 / `unit`."""
    exact, mantissas = records.EXACT_ENTRIES, 1 << records.MANTISSA_BITS
    numbers = [*range(1, exact), *[
        mantissas + (place & mantissas - 1) << (place >> records.MANTISSA_BITS) + 1
        for place in range(TABLE_ENTRIES - exact)
    ]]  # fmt: skip
    return (0, *[round(unit * entry(number)) for number in numbers])


LOGARITHM_ROOTS = _table(lambda number: sqrt(log(number)), ONE)
INVERSE_ROOTS = _table(lambda number: 1 / sqrt(number), 1 << records.ROOT_BITS)
