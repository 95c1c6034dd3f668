"""What a tree search holds: the records of its trees, paths and results, and the tables of its functions.

All numbers are whole: values are in units of 1 / `ONE`, so that sums do not depend on their order and every machine
and either engine finds the same. Square roots and logarithms come from tables (`opponents/search.py` makes them).
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.language import Array, Number, highest_bit, scrambled

ONE = 1 << 20
"""The value of a win."""

HALF = ONE // 2
NUMBER_BITS = 24
NUMBER_MASK = (1 << NUMBER_BITS) - 1

MANTISSA_BITS = 6
EXACT_ENTRIES = 1 << MANTISSA_BITS + 1
"""Tables have an entry for each number below this one, and then `1 << MANTISSA_BITS` for each power of two."""

ROOT_BITS = 30
"""The table of inverse square roots is in units of 2 ** -ROOT_BITS."""

# Numbers of a search.
(
    ITERATIONS, WORLDS, SEED, DRAWS, SEAT, HORIZON, MASKED, PROVABLE, PLACE, RUNNING, SCORED, GAMES, SPREAD_GAMES,
) = range(13)  # fmt: skip
# Numbers of its trees.
(
    NODES, NODE_ROOM, SLOT_MASK, POOL_END, POOL_ROOM, PROVEN, PROVEN_ROOM, HISTORY_MASK, HISTORY_COUNT, MIN_VISITS,
    THRIFT,
) = range(11)  # fmt: skip
# The parts of a block, before its entries.
BLOCK_HASH, BLOCK_NEXT, BLOCK_COUNT, BLOCK_HEAD = range(4)
# Numbers of a path.
PASSED, CHOSEN, UNTOLD, MOVE_ROOM = range(4)
# Facts of the scoring rules.
SEATS, CRITERIA, COOPERATIVE, WIN_SHARE, PAYMENTS, MEAN, DEVIATION, STAKE, SCORE_PLACE = range(9)
MEAN_BITS = 16


@dataclass
class Trees:
    """The nodes of all trees, numbered from 1, their children, and the average values of moves across the trees.

    `possible` counts how often a move was available, where a node is met with several lists of moves; `widths` is
    isqrt(4 * visits). `means` are mean values, with the prior, and `inverse_roots` those of the visits: moves are
    compared more often than they are visited. `proven` numbers the entries of `proven_values` and `proven_shares`, 0 if
    there is none.
    """

    numbers: Array[Number]
    visits: Array[Number]
    totals: Array[Number]
    possible: Array[Number]
    priors: Array[Number]
    widths: Array[Number]
    means: Array[Number]
    inverse_roots: Array[Number]
    proven: Array[Number]
    blocks: Array[Number]
    parents: Array[Number]
    keys: Array[Number]
    slots: Array[Number]
    pool: Array[Number]
    proven_values: Array[Number]
    proven_shares: Array[Number]
    history_keys: Array[Number]
    history_visits: Array[Number]
    history_totals: Array[Number]


@dataclass
class Path:
    """The path of one iteration.

    `passed` are the nodes visited, and `movers` the seats whose moves reached them; `chosen` are the nodes that a seat
    reached in its own tree by its own choice. `at` is where each seat is in its tree. `untold` are moves of a
    simultaneous choice, of which the others learn when all have chosen.
    """

    numbers: Array[Number]
    passed: Array[Number]
    movers: Array[Number]
    chosen: Array[Number]
    chosen_seats: Array[Number]
    at: Array[Number]
    untold_seats: Array[Number]
    untold_keys: Array[Number]
    own_keys: Array[Number]
    public_keys: Array[Number]
    priorities: Array[Number]


@dataclass
class Scoring:
    """The scoring rules: facts, the seats that win together with each and its rivals as bits, and a table of tanh."""

    facts: Array[Number]
    sides: Array[Number]
    rivals: Array[Number]
    tanh: Array[Number]


@dataclass
class Results:
    """Sums: of the values of all seats and their squares, of shares and scores, also for each move at the root."""

    sums: Array[Number]
    squares: Array[Number]
    exploration: Array[Number]
    shares: Array[Number]
    scores: Array[Number]
    move_shares: Array[Number]
    move_scores: Array[Number]
    move_scored: Array[Number]
    move_priors: Array[Number]
    values: Array[Number]
    game_shares: Array[Number]
    points: Array[Number]
    line: Array[Number]


@dataclass
class Search:
    """The search of one decision. `roots` are the roots of all seats in each world."""

    numbers: Array[Number]
    roots: Array[Number]
    root_public: Array[Number]
    logarithms: Array[Number]
    inverse_roots: Array[Number]
    trees: Trees
    path: Path
    scoring: Scoring
    results: Results


def table_index(number: Number) -> Number:
    """The place of a number in a table of a function that changes slowly."""
    if number < EXACT_ENTRIES:
        return number
    shift = highest_bit(number) - MANTISSA_BITS
    return EXACT_ENTRIES + ((shift - 1) << MANTISSA_BITS) + (number >> shift) - (1 << MANTISSA_BITS)


def square_root(number: Number, guess: Number) -> Number:
    """The square root, rounded down, by Newton's method from a guess."""
    if number <= 0:
        return 0
    root = max(1, guess)
    better = (root + number // root) >> 1
    while better > root:  # from below, the first step goes above the root
        root = better
        better = (root + number // root) >> 1
    while better < root:
        root = better
        better = (root + number // root) >> 1
    return root


def drawn(search: Search) -> Number:
    """The next random number, below 2 ** 62."""
    search.numbers[DRAWS] += 1
    return scrambled(search.numbers[SEED] + search.numbers[DRAWS])
