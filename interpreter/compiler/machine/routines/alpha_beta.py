"""Alpha-beta search of one depth, for two seats with perfect information and no chance in play.

The value of a position is from the point of view of the deciding seat. A win in n decisions is worth `WIN - n`, so that
the nearest win and the farthest loss are preferred; a game that nobody wins is worth 0. Where the search stops before
the end, the value is the seat's lead in the first number of `winner`.

The positions from the root to the present one are open. Each has its moves and the best value so far in arrays, not in
the variables of a recursion: so a search can be interrupted after any number of moves, and goes on in the next call.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.language import Array, Game, Number, Truth, scrambled

WIN = 1 << 40
"""The value of an immediate win."""

MAX_AHEAD = 256
"""Maximum depth of a search, in decisions."""

SURE = WIN - MAX_AHEAD
"""Values of at least this size, positive or negative, are those of decided games."""

EXACT, AT_LEAST, AT_MOST = range(3)
"""Whether a stored value is exact or a bound."""

NUMBER_BITS = 24
NUMBER_MASK = (1 << NUMBER_BITS) - 1
MAX_GOOD = (1 << 36) - 1

# Numbers of a search.
BEST, BEST_VALUE, WAS_CUT, PLY, VALUE, STACK_ROOM, TABLE_MASK, STORED, GOOD_MASK, GOOD_COUNT, IS_UNSCORED, CRITERIA = (
    range(12)
)
MOVE_ROOM, SCORE_PLACE = 12, 13


@dataclass
class Lookahead:
    """A search: `order` are the moves at the root in the order to try them in.

    Of each open position, by its distance from the root: how deep it is searched, the window, the best value and move,
    how many of its moves have been tried, their number and place on the `stack`, its hashes, whether a line had been
    cut off before, and 1 if the seat that moved there decides again, -1 otherwise.

    The table of positions has two hashes, the value, and in `searched` the depth, whether the value is a bound, and the
    best move. `good` counts how often moves have refuted others, by their keys.
    """

    numbers: Array[Number]
    order: Array[Number]
    own_keys: Array[Number]
    public_keys: Array[Number]
    stack: Array[Number]
    depths: Array[Number]
    lows: Array[Number]
    highs: Array[Number]
    bests: Array[Number]
    choices: Array[Number]
    tried: Array[Number]
    counts: Array[Number]
    bases: Array[Number]
    open_first: Array[Number]
    open_second: Array[Number]
    cut_before: Array[Number]
    signs: Array[Number]
    first_hashes: Array[Number]
    second_hashes: Array[Number]
    values: Array[Number]
    searched: Array[Number]
    good_keys: Array[Number]
    good: Array[Number]


def begin(game: Game, search: Lookahead, depth: Number, count: Number) -> None:
    """Begin to search the moves at the root to a depth."""
    game.load_world(0)
    for place in range(count):
        # As `list_moves` puts them there.
        search.stack[place] = NUMBER_MASK - search.order[place]
    search.numbers[WAS_CUT] = 0
    search.numbers[PLY] = 0
    open_position(search, 0, depth, -WIN, WIN, 0, count)


def open_position(
    search: Lookahead, ply: Number, depth: Number, low: Number, high: Number, base: Number, count: Number
) -> None:
    """Open a position whose moves are on the stack."""
    search.depths[ply] = depth
    search.lows[ply] = low
    search.highs[ply] = high
    search.bests[ply] = -WIN
    search.tried[ply] = 0
    search.bases[ply] = base
    search.counts[ply] = count


def run(game: Game, search: Lookahead, limit: Number) -> Truth:
    """Go on, and try at most `limit` moves; whether the depth is finished.

    `BEST` is the best move so far: that of an earlier depth as long as none has been searched. `WAS_CUT` is whether a
    line ended at the depth: then a deeper search may find something better.
    """
    numbers = search.numbers
    moves_tried = 0
    while moves_tried < limit:
        ply = numbers[PLY]
        tried = search.tried[ply]
        # All moves have been tried, or one is so good that the other seat would not have let it come to this position.
        if tried == search.counts[ply] or (tried and search.bests[ply] >= search.highs[ply]):
            if not ply:
                return True
            value = close_position(search, ply) * search.signs[ply]
            game.pop()
            numbers[PLY] = ply - 1
            take(search, ply - 1, value)
        else:
            moves_tried += 1
            try_move(game, search, ply)
    return False


def try_move(game: Game, search: Lookahead, ply: Number) -> None:
    """Make the next move of an open position, and open the position after it, or take its value."""
    mover = game.acting()
    game.push(NUMBER_MASK - (search.stack[search.bases[ply] + search.tried[ply]] & NUMBER_MASK))
    low = max(search.lows[ply], search.bests[ply])
    high = search.highs[ply]
    if game.is_over():
        value = final_value(game, mover, ply + 1)
    elif game.acting() == mover:
        search.signs[ply + 1] = 1
        if enter(game, search, ply + 1, search.depths[ply] - 1, low, high):
            return
        value = search.numbers[VALUE]
    else:
        search.signs[ply + 1] = -1
        if enter(game, search, ply + 1, search.depths[ply] - 1, -high, -low):
            return
        value = -search.numbers[VALUE]
    game.pop()
    take(search, ply, value)


def take(search: Lookahead, ply: Number, value: Number) -> None:
    """The value of the move that was tried last."""
    place = search.bases[ply] + search.tried[ply]
    if not search.tried[ply] or value > search.bests[ply]:
        search.bests[ply] = value
        search.choices[ply] = NUMBER_MASK - (search.stack[place] & NUMBER_MASK)
        if not ply:
            search.numbers[BEST] = search.choices[ply]
            search.numbers[BEST_VALUE] = value
    search.tried[ply] += 1


def enter(game: Game, search: Lookahead, ply: Number, depth: Number, low: Number, high: Number) -> Truth:
    """Open a position within a window; false if its value is known, or the search is cut off here."""
    numbers = search.numbers
    count = game.move_count()
    base = search.bases[ply - 1] + 2 * search.counts[ply - 1]
    if depth <= 0 or ply >= MAX_AHEAD or base + 2 * count > numbers[STACK_ROOM] or count > numbers[MOVE_ROOM]:
        numbers[VALUE] = lead(game, search)
        return False
    game.hash()
    search.open_first[ply] = game.first_hash()
    search.open_second[ply] = game.second_hash()
    slot = slot_of(search, search.open_first[ply], search.open_second[ply])
    best_before = -1
    if search.searched[slot]:
        entry = search.searched[slot]
        best_before = (entry & NUMBER_MASK) - 1
        bound = entry >> NUMBER_BITS & 3
        depth_before = entry >> NUMBER_BITS + 2
        value = search.values[slot]
        # Values of decided games count decisions from the root. The same position may be met at another distance from
        # it, so the table has them from the position itself.
        if value >= SURE:
            value -= ply
        elif value <= -SURE:
            value += ply
        if depth_before >= depth and (
            bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low)
        ):
            if depth_before < MAX_AHEAD:
                numbers[WAS_CUT] = 1
            numbers[VALUE] = value
            return False
    list_moves(game, search, base, count, best_before)
    # Whether any line ended at the depth is asked of each position alone, and after it is closed, of those before it
    # again.
    search.cut_before[ply] = numbers[WAS_CUT]
    numbers[WAS_CUT] = 0
    open_position(search, ply, depth, low, high, base, count)
    numbers[PLY] = ply
    return True


def close_position(search: Lookahead, ply: Number) -> Number:
    """The value of a position that has been searched; it is put into the table, if there is room."""
    numbers = search.numbers
    best = search.bests[ply]
    count = search.counts[ply]
    if best >= search.highs[ply]:
        praise(search, search.stack[search.bases[ply] + count + search.choices[ply]], search.depths[ply])
        bound = AT_LEAST
    else:
        bound = AT_MOST if best <= search.lows[ply] else EXACT
    # If no line below was cut off, a deeper search would find the same, so the value holds for every depth.
    depth = search.depths[ply] if numbers[WAS_CUT] else MAX_AHEAD
    slot = slot_of(search, search.open_first[ply], search.open_second[ply])
    if search.searched[slot] or 2 * numbers[STORED] < numbers[TABLE_MASK]:
        if not search.searched[slot]:
            numbers[STORED] += 1
        search.first_hashes[slot] = search.open_first[ply]
        search.second_hashes[slot] = search.open_second[ply]
        search.values[slot] = best + ply if best >= SURE else best - ply if best <= -SURE else best
        search.searched[slot] = (depth << 2 | bound) << NUMBER_BITS | search.choices[ply] + 1
    if search.cut_before[ply]:
        numbers[WAS_CUT] = 1
    return best


def final_value(game: Game, seat: Number, ply: Number) -> Number:
    """The value of a game that is over."""
    game.score_now()
    winners = game.winners()
    if winners != 1 and winners != 2:
        return 0
    return WIN - ply if winners >> seat & 1 else ply - WIN


def lead(game: Game, search: Lookahead) -> Number:
    """The lead of the deciding seat in the first number of `winner`, where the search is cut off."""
    search.numbers[WAS_CUT] = 1
    if search.numbers[IS_UNSCORED]:
        return 0
    game.score_now()
    seat = game.acting()
    criteria = search.numbers[CRITERIA]
    place = search.numbers[SCORE_PLACE]
    difference = game.score(seat * criteria + place) - game.score((1 - seat) * criteria + place)
    return max(1 - SURE, min(SURE - 1, difference))


def slot_of(search: Lookahead, first_hash: Number, second_hash: Number) -> Number:
    """The place of a position in the table, or where it would be."""
    slot = scrambled(first_hash) & search.numbers[TABLE_MASK]
    while search.searched[slot] and (
        search.first_hashes[slot] != first_hash or search.second_hashes[slot] != second_hash
    ):
        slot = slot + 1 & search.numbers[TABLE_MASK]
    return slot


def list_moves(game: Game, search: Lookahead, base: Number, count: Number, first: Number) -> None:
    """Put the moves on the stack, the best of an earlier search first and then those that refuted most; then the keys.

    Equally good ones are in the order of their numbers, as an entry is how good a move is and what is left to the
    greatest number.
    """
    stack = search.stack
    game.offer(search.own_keys, search.public_keys)
    for number in range(count):
        key = search.own_keys[number]
        stack[base + count + number] = key
        goodness = MAX_GOOD if number == first else min(MAX_GOOD - 1, search.good[good_slot(search, key)])
        stack[base + number] = goodness << NUMBER_BITS | NUMBER_MASK - number
    gap = count // 2  # Shell's sort: lists are hundreds of moves at most
    while gap > 0:
        for start in range(gap, count):
            entry = stack[base + start]
            place = start
            while place >= gap and stack[base + place - gap] < entry:
                stack[base + place] = stack[base + place - gap]
                place -= gap
            stack[base + place] = entry
        gap = gap // 2


def good_slot(search: Lookahead, key: Number) -> Number:
    """The place of a move in the table of good ones, or where it would be."""
    slot = scrambled(key) & search.numbers[GOOD_MASK]
    while search.good[slot] and search.good_keys[slot] != key:
        slot = slot + 1 & search.numbers[GOOD_MASK]
    return slot


def praise(search: Lookahead, key: Number, depth: Number) -> None:
    """A move has refuted another one (Schaeffer 1989, "The history heuristic")."""
    slot = good_slot(search, key)
    if not search.good[slot]:
        if 2 * search.numbers[GOOD_COUNT] >= search.numbers[GOOD_MASK]:
            return
        search.numbers[GOOD_COUNT] += 1
        search.good_keys[slot] = key
    search.good[slot] += depth * depth
