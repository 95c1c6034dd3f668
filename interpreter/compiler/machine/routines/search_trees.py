"""The trees of a search: their nodes and moves, which move is tried next, and which positions are proven.

    root of the seat that decides              node: visits, total (for the seat that moved here), prior, ...
     |- block: hash, next, count, entries      entry: child << NUMBER_BITS | number of the move
         |- child of key 17 ...                edges: (node, key) -> child, in one open hash table for all trees

A node gets a block for each list of legal moves that it is met with; several worlds can offer different ones. It must
have been visited `MIN_VISITS` times before: once at first, but not where seats have a tree for each holding, as another
random reply in each of them would make bluffs seem to succeed. The less room is left, the more visits are needed: 4
from `THRIFT` nodes on, when half of the room is used, and fourfold each time half of the rest is. Thus a long search
still grows where it is most promising. When there is no room for a node or block, iterations play at random from where
they are.
"""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Number, scrambled
from interpreter.compiler.machine.routines.search_records import (
    BLOCK_COUNT,
    BLOCK_HASH,
    BLOCK_HEAD,
    BLOCK_NEXT,
    HALF,
    HISTORY_COUNT,
    HISTORY_MASK,
    MASKED,
    MIN_VISITS,
    NODE_ROOM,
    NODES,
    NUMBER_BITS,
    NUMBER_MASK,
    ONE,
    PASSED,
    POOL_END,
    POOL_ROOM,
    PROVABLE,
    PROVEN,
    PROVEN_ROOM,
    ROOT_BITS,
    SEAT,
    SEATS,
    SLOT_MASK,
    THRIFT,
    Search,
    Trees,
    drawn,
    table_index,
)  # fmt: skip

FIRST_MOVES = 5
"""Progressive widening (Coulom 2007) considers the first `FIRST_MOVES + 2 * sqrt(visits)` moves."""

LUCK_BASE, LUCK_STEPS = 4608, 1024
"""Luck multiplies the exploration by (LUCK_BASE + x) / (LUCK_BASE + LUCK_STEPS / 2) with x below LUCK_STEPS."""


# ---------------------------------------------------------------- nodes and their moves


def new_node(trees: Trees, parent: Number, key: Number) -> Number:
    """A new node; 0 if there is no room."""
    if trees.numbers[NODES] + 1 >= trees.numbers[NODE_ROOM]:
        return 0
    trees.numbers[NODES] += 1
    node = trees.numbers[NODES]
    if node >= trees.numbers[THRIFT]:
        trees.numbers[MIN_VISITS] = 4 * max(1, trees.numbers[MIN_VISITS])
        trees.numbers[THRIFT] = (node + trees.numbers[NODE_ROOM] >> 1) + 1
    trees.parents[node] = parent
    trees.keys[node] = key
    return node


def slot_of(trees: Trees, parent: Number, key: Number) -> Number:
    """The place in the hash table where a child is, or would be."""
    slot = scrambled(key ^ scrambled(parent)) & trees.numbers[SLOT_MASK]
    while trees.slots[slot] and not (
        trees.parents[trees.slots[slot]] == parent and trees.keys[trees.slots[slot]] == key
    ):
        slot = slot + 1 & trees.numbers[SLOT_MASK]
    return slot


def child(trees: Trees, parent: Number, key: Number) -> Number:
    """The node after a move; 0 if there is no room for a new one."""
    slot = slot_of(trees, parent, key)
    if not trees.slots[slot]:
        trees.slots[slot] = new_node(trees, parent, key)
    return trees.slots[slot]


def history_slot(trees: Trees, key: Number) -> Number:
    """The place of the average value of a move; if there is no room, one that is used already."""
    slot = scrambled(key) & trees.numbers[HISTORY_MASK]
    while trees.history_visits[slot] and trees.history_keys[slot] != key:
        slot = slot + 1 & trees.numbers[HISTORY_MASK]
    return slot


def add_to_history(trees: Trees, key: Number, value: Number) -> None:
    """Add the value of a game for the seat that made a move in it (Nijssen and Winands 2010, progressive history)."""
    slot = history_slot(trees, key)
    if not trees.history_visits[slot]:
        if 2 * trees.numbers[HISTORY_COUNT] > trees.numbers[HISTORY_MASK]:
            return
        trees.numbers[HISTORY_COUNT] += 1
        trees.history_keys[slot] = key
    trees.history_visits[slot] += 1
    trees.history_totals[slot] += value


def block_of(search: Search, node: Number, count: Number) -> Number:
    """The block of a node for the present offer, the most promising move first; 0 if there is no room for it."""
    trees = search.trees
    path = search.path
    hashed = count
    for place in range(count):
        hashed = scrambled(hashed ^ path.own_keys[place])
    block = trees.blocks[node]
    while block:
        if trees.pool[block + BLOCK_HASH] == hashed and trees.pool[block + BLOCK_COUNT] == count:
            return block
        block = trees.pool[block + BLOCK_NEXT]
    for place in range(count):
        slot = history_slot(trees, path.own_keys[place])
        mean = (trees.history_totals[slot] + HALF) // (trees.history_visits[slot] + 1)
        path.priorities[place] = (mean << 40) + (drawn(search) & (1 << 40) - 1)
    return new_block(search, node, count, hashed)


def new_block(search: Search, node: Number, count: Number, hashed: Number) -> Number:
    """A block with the moves in descending order of their priorities; 0 if there is no room for it."""
    trees = search.trees
    path = search.path
    block = trees.numbers[POOL_END]
    if block + BLOCK_HEAD + count > trees.numbers[POOL_ROOM]:
        return 0
    trees.numbers[POOL_END] = block + BLOCK_HEAD + count
    if trees.blocks[node] and not trees.pool[trees.blocks[node] + BLOCK_NEXT]:
        # This is the second list: moves of the first one were available as often as the node was visited.
        first = trees.blocks[node]
        for place in range(trees.pool[first + BLOCK_COUNT]):
            entry = trees.pool[first + BLOCK_HEAD + place] >> NUMBER_BITS
            if entry:
                trees.possible[entry] = trees.visits[node]
    trees.pool[block + BLOCK_HASH] = hashed
    trees.pool[block + BLOCK_NEXT] = trees.blocks[node]
    trees.pool[block + BLOCK_COUNT] = count
    trees.blocks[node] = block
    first_entry = block + BLOCK_HEAD
    for place in range(count):
        trees.pool[first_entry + place] = place
    gap = count // 2  # Shell's sort: lists are hundreds of moves at most
    while gap > 0:
        for start in range(gap, count):
            number = trees.pool[first_entry + start]
            place = start
            while place >= gap and path.priorities[trees.pool[first_entry + place - gap]] < path.priorities[number]:
                trees.pool[first_entry + place] = trees.pool[first_entry + place - gap]
                place -= gap
            trees.pool[first_entry + place] = number
        gap = gap // 2
    return block


# ---------------------------------------------------------------- selection


def selected(search: Search, node: Number, block: Number, seat: Number) -> Number:
    """The place of the move to try next: an untried one, or the one with the greatest upper confidence bound.

    Kocsis and Szepesvari 2006. For moves that are legal only in some worlds, their availability replaces the visits of
    the node, as in MO-ISMCTS.
    """
    trees = search.trees
    count = trees.pool[block + BLOCK_COUNT]
    considered = min(count, FIRST_MOVES + trees.widths[node])
    best = best_of(search, node, block, seat, considered)
    entry = trees.pool[block + BLOCK_HEAD + best] >> NUMBER_BITS
    if considered < count and entry and trees.proven[entry]:
        return best_of(search, node, block, seat, count)
    return best


def best_of(search: Search, node: Number, block: Number, seat: Number, considered: Number) -> Number:
    """The best of the first moves of a block."""
    trees = search.trees
    scoring = search.scoring
    masked = search.numbers[MASKED]
    sometimes = trees.pool[trees.blocks[node] + BLOCK_NEXT] != 0
    exploration = search.results.exploration[seat]
    spread = exploration * search.logarithms[table_index(trees.visits[node] + masked)]
    best = 0
    best_bound = -1
    for place in range(considered):
        entry = trees.pool[block + BLOCK_HEAD + place]
        child_node = entry >> NUMBER_BITS
        if not child_node:
            if not search.numbers[PROVABLE]:  # otherwise only this list of moves leads there
                child_node = trees.slots[slot_of(trees, node, search.path.own_keys[entry & NUMBER_MASK])]
            if not child_node:
                return place
            trees.pool[block + BLOCK_HEAD + place] = child_node << NUMBER_BITS | entry
        if masked or sometimes:
            trees.possible[child_node] += 1
        if not trees.visits[child_node]:
            return place
        if trees.proven[child_node]:
            bound = trees.proven_values[trees.proven[child_node] * scoring.facts[SEATS] + seat]
        else:
            if sometimes:
                spread = exploration * search.logarithms[table_index(trees.possible[child_node])]
            term = (spread >> 20) * trees.inverse_roots[child_node] >> ROOT_BITS
            if masked:
                # Without luck, seats that choose at once could cycle through their moves in lockstep.
                term = term * (LUCK_BASE + (drawn(search) & LUCK_STEPS - 1)) // (LUCK_BASE + LUCK_STEPS // 2)
            bound = trees.means[child_node] + term
        if bound > best_bound:
            best = place
            best_bound = bound
    return best


# ---------------------------------------------------------------- proven positions


def take_proven(search: Search, proven: Number) -> None:
    """Let the iteration have the values of a proven position."""
    seats = search.scoring.facts[SEATS]
    for seat in range(seats):
        search.results.values[seat] = search.trees.proven_values[proven * seats + seat]
        search.results.game_shares[seat] = search.trees.proven_shares[proven * seats + seat]


def prove(search: Search, last: Number) -> None:
    """The game is over after the path: propagate its value, in games of perfect information without chance.

    Winands, Bjornsson and Saito 2008, "Monte-Carlo tree search solver", for any number of seats: a position has the
    value of the deciding seat's best move, if that move wins outright or all moves are proven.
    """
    trees = search.trees
    path = search.path
    seats = search.scoring.facts[SEATS]
    if trees.numbers[PROVEN] + 1 >= trees.numbers[PROVEN_ROOM]:
        return
    trees.numbers[PROVEN] += 1
    proven = trees.numbers[PROVEN]
    for seat in range(seats):
        trees.proven_values[proven * seats + seat] = search.results.values[seat]
        trees.proven_shares[proven * seats + seat] = search.results.game_shares[seat]
    trees.proven[last] = proven
    place = path.numbers[PASSED] - 1
    while place >= 0:
        node = path.passed[place - 1] if place else search.roots[search.numbers[SEAT]]
        proven = proven_by(trees, node, path.passed[place], path.movers[place], seats)
        if not proven:
            return
        trees.proven[node] = proven
        place -= 1


def proven_by(trees: Trees, node: Number, proven_child: Number, seat: Number, seats: Number) -> Number:
    """The value of a position, one of whose moves has just been proven, for the deciding seat; 0 if not proven."""
    best = trees.proven[proven_child]
    if trees.proven_shares[best * seats + seat] == ONE:
        return best
    block = trees.blocks[node]
    if not block:
        return best  # its only move
    for place in range(trees.pool[block + BLOCK_COUNT]):
        entry = trees.pool[block + BLOCK_HEAD + place] >> NUMBER_BITS
        if not entry or not trees.proven[entry]:
            return 0
        proven = trees.proven[entry]
        if trees.proven_values[proven * seats + seat] > trees.proven_values[best * seats + seat]:
            best = proven
    return best
