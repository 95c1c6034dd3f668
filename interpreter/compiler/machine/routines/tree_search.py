"""Monte Carlo tree search over worlds, with one tree for each observing seat: the iterations of one decision.

The method is MO-ISMCTS (Cowling, Powley and Whitehouse 2012, "Information set Monte Carlo tree search"). An iteration
takes a world that agrees with what the deciding seat knows, descends in it, adds one new node, and plays at random to
the end. In the tree of a seat, the moves of others appear as it learns of them, so that no seat responds to what it
cannot know. The trees are open-loop: chance has no nodes. If all seats learn the same, they share one tree.

All numbers are whole: values are in units of 1 / `ONE`, so that sums do not depend on their order and every machine
and either engine finds the same. Square roots and logarithms come from tables (`opponents/search.py` makes them).

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

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.language import Array, Game, Number, Truth, highest_bit, scrambled

ONE = 1 << 20
"""The value of a win."""

HALF = ONE // 2
NUMBER_BITS = 24
NUMBER_MASK = (1 << NUMBER_BITS) - 1

MAX_DEPTH = 500
"""Maximum depth of the descent in an iteration, in decisions."""

MAX_LINE = 8
"""Maximum length of an expected line, in decisions."""

MIN_LINE_VISITS = 2

FIRST_MOVES = 5
"""Progressive widening (Coulom 2007) considers the first `FIRST_MOVES + 2 * sqrt(visits)` moves."""

PRIOR_GAMES = 8
PRIOR_VARIANCE = HALF * HALF
"""The prior variance of values is that of wins and losses, with the weight of this many games."""

MIN_SPREAD_GAMES = 100
"""The spread of values is learned from at least this many games."""

MANTISSA_BITS = 6
EXACT_ENTRIES = 1 << MANTISSA_BITS + 1
"""Tables have an entry for each number below this one, and then `1 << MANTISSA_BITS` for each power of two."""

ROOT_BITS = 30
"""The table of inverse square roots is in units of 2 ** -ROOT_BITS."""

LUCK_BASE, LUCK_STEPS = 4608, 1024
"""Luck multiplies the exploration by (LUCK_BASE + x) / (LUCK_BASE + LUCK_STEPS / 2) with x below LUCK_STEPS."""

MARGIN_LIMIT = 1 << 36
TANH_STEP_BITS = 4
TANH_UNIT_BITS = 10
"""Margins in units of their deviation / 2 ** TANH_UNIT_BITS; the table of tanh has an entry for each 16 of them."""

TANH_ENTRIES = 321

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


# ---------------------------------------------------------------- numbers


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


# ---------------------------------------------------------------- trees


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


# ---------------------------------------------------------------- descent


def begin_path(search: Search, world: Number) -> None:
    """Begin at the roots of a world."""
    path = search.path
    seats = search.scoring.facts[SEATS]
    for number in range(3):
        path.numbers[number] = 0
    for seat in range(seats):
        path.at[seat] = search.roots[world * seats + seat]


def arrived(game: Game, search: Search, seat: Number) -> Number:
    """The node of the seat that decides; if a simultaneous choice is complete, all seats now learn of it."""
    path = search.path
    untold = path.numbers[UNTOLD]
    if untold:
        has_chosen = False
        for place in range(untold):
            if path.untold_seats[place] == seat:
                has_chosen = True
        if game.is_several() and path.untold_seats[untold - 1] == seat:
            has_chosen = False
        if has_chosen or not game.is_at_once():
            for place in range(untold):
                tell(search, path.untold_seats[place], path.untold_keys[place])
            path.numbers[UNTOLD] = 0
    return path.at[seat if search.numbers[MASKED] else 0]


def tell(search: Search, seat: Number, key: Number) -> None:
    """All but one seat learn of its move."""
    path = search.path
    for observer in range(search.scoring.facts[SEATS]):
        if observer != seat:
            node = child(search.trees, path.at[observer], key)
            if node:
                path.at[observer] = node
                pass_by(path, node, seat)


def pass_by(path: Path, node: Number, mover: Number) -> None:
    """A node is on the path."""
    path.passed[path.numbers[PASSED]] = node
    path.movers[path.numbers[PASSED]] = mover
    path.numbers[PASSED] += 1


def follow(search: Search, seat: Number, node: Number, public_key: Number, at_once: Truth, choice: Truth) -> None:
    """Follow a move of a seat to a node of its own tree."""
    path = search.path
    pass_by(path, node, seat)
    if choice:
        place = path.numbers[CHOSEN]
        path.chosen[place] = node
        path.chosen_seats[place] = seat
        path.numbers[CHOSEN] += 1
    if not search.numbers[MASKED]:
        path.at[0] = node
        return
    path.at[seat] = node
    if public_key >= 0:  # otherwise the others do not notice it
        if at_once:
            path.untold_seats[path.numbers[UNTOLD]] = seat
            path.untold_keys[path.numbers[UNTOLD]] = public_key
            path.numbers[UNTOLD] += 1
        else:
            tell(search, seat, public_key)


def iterate(game: Game, search: Search) -> None:
    """Choose a move at the root, where all worlds have the same moves in the same order, and continue in a world.

    Every move is tried with the same worlds and seeds of chance in the same order, which makes comparisons between
    moves more precise (common random numbers).
    """
    trees = search.trees
    path = search.path
    numbers = search.numbers
    root = search.roots[numbers[SEAT]]
    seat = numbers[SEAT]
    block = trees.blocks[root]
    place = selected(search, root, block, seat)
    entry = trees.pool[block + BLOCK_HEAD + place]
    number = entry & NUMBER_MASK
    node = entry >> NUMBER_BITS
    times = trees.visits[node]
    new = times == 0
    seed = numbers[SEED] + times
    begin_path(search, times % numbers[WORLDS])
    game.load_world(times % numbers[WORLDS])
    game.draw_chance(seed)
    follow(search, seat, node, search.root_public[number], game.is_at_once(), True)
    numbers[PLACE] = number
    numbers[RUNNING] = 1
    depth = 0
    while True:
        game.make(number)
        depth += 1
        if new or game.is_over() or depth >= MAX_DEPTH or trees.proven[node]:
            break
        count = game.move_count()
        if count > path.numbers[MOVE_ROOM]:
            break
        seat = game.acting()
        at = arrived(game, search, seat)
        block = trees.blocks[at]
        if trees.visits[at] < trees.numbers[MIN_VISITS] and not block:
            break
        is_listed = not block or not numbers[PROVABLE]  # otherwise the node is one position, with one list of moves
        if is_listed:
            game.offer(path.own_keys, path.public_keys)
        number = 0
        node = 0
        if count > 1:
            if is_listed:
                block = block_of(search, at, count)
                if not block:
                    break
            place = selected(search, at, block, seat)
            number = trees.pool[block + BLOCK_HEAD + place] & NUMBER_MASK
            node = trees.pool[block + BLOCK_HEAD + place] >> NUMBER_BITS
        if not node:
            if not is_listed:
                game.offer(path.own_keys, path.public_keys)
            node = child(trees, at, path.own_keys[number])
            if not node:
                break
        if count > 1:
            trees.pool[block + BLOCK_HEAD + place] = node << NUMBER_BITS | number
            new = trees.visits[node] == 0
            if new and (trees.pool[trees.blocks[at] + BLOCK_NEXT] or numbers[MASKED]):
                trees.possible[node] = max(1, trees.possible[node])
        follow(search, seat, node, path.public_keys[number], game.is_at_once(), count > 1)
    over = game.is_over()
    seed = scrambled(seed)  # other chance than that of the descent, which would repeat it
    game.draw_chance(seed)
    game.play_on(seed, numbers[HORIZON])
    judge(game, search)
    if numbers[PROVABLE]:
        if trees.proven[node]:
            take_proven(search, trees.proven[node])
        elif over and numbers[SCORED]:
            prove(search, node)
    if new or numbers[SPREAD_GAMES] < MIN_SPREAD_GAMES:
        learn_spread(search)
    note(search)


def run(game: Game, search: Search, target: Number) -> Truth:
    """Iterate until there are `target` iterations in all; whether nothing is left to find out.

    An iteration in which a rule fails ends the call: `abandon` closes it, and another call goes on.
    """
    while search.numbers[ITERATIONS] < target and not is_settled(search):
        iterate(game, search)
    return is_settled(search)


def is_settled(search: Search) -> Truth:
    """Whether the root, or each of its moves, is proven."""
    trees = search.trees
    if not search.numbers[PROVABLE]:
        return False
    root = search.roots[search.numbers[SEAT]]
    if trees.proven[root]:
        return True
    block = trees.blocks[root]
    for place in range(trees.pool[block + BLOCK_COUNT]):
        if not trees.proven[trees.pool[block + BLOCK_HEAD + place] >> NUMBER_BITS]:
            return False
    return True


def abandon(game: Game, search: Search) -> None:
    """Count the iteration that is running as neither good nor bad: a rule failed in it."""
    results = search.results
    if search.numbers[RUNNING]:
        for seat in range(search.scoring.facts[SEATS]):
            results.values[seat] = HALF
            results.game_shares[seat] = HALF
        search.numbers[SCORED] = 0
        note(search)


def note(search: Search) -> None:
    """Add the values of the iteration to all nodes on its path."""
    numbers = search.numbers
    trees = search.trees
    path = search.path
    results = search.results
    seats = search.scoring.facts[SEATS]
    world = trees.visits[path.passed[0]] % numbers[WORLDS]
    for place in range(path.numbers[CHOSEN]):
        value = results.values[path.chosen_seats[place]]
        trees.totals[path.chosen[place]] += value
        add_to_history(trees, trees.keys[path.chosen[place]], value)
    for seat in range(seats):
        if numbers[MASKED] or not seat:
            visit(search, search.roots[world * seats + seat])
    for place in range(path.numbers[PASSED]):
        visit(search, path.passed[place])
    numbers[ITERATIONS] += 1
    first = numbers[PLACE] * seats
    for seat in range(seats):
        results.shares[seat] += results.game_shares[seat]
        results.move_shares[first + seat] += results.game_shares[seat]
    numbers[RUNNING] = 0


def visit(search: Search, node: Number) -> None:
    """Count a visit of a node, the value of which its total has already."""
    trees = search.trees
    visits = trees.visits[node] + 1
    trees.visits[node] = visits
    width = trees.widths[node]
    if (width + 1) * (width + 1) <= 4 * visits:
        trees.widths[node] = width + 1
    trees.means[node] = max(0, trees.totals[node] + trees.priors[node]) // visits
    trees.inverse_roots[node] = search.inverse_roots[table_index(visits)]


# ---------------------------------------------------------------- values


def judge(game: Game, search: Search) -> None:
    """The value of a finished or cut-off game and the share of the win of each seat; see `opponents/evaluation.py`."""
    numbers = search.numbers
    results = search.results
    facts = search.scoring.facts
    seats = facts[SEATS]
    if not game.is_scored():
        numbers[SCORED] = 0
        for seat in range(seats):
            results.values[seat] = HALF
            results.game_shares[seat] = HALF
        return
    numbers[SCORED] = 1
    numbers[GAMES] += 1
    winners = game.winners()
    for seat in range(seats):
        results.points[seat] = game.score(seat * facts[CRITERIA] + facts[SCORE_PLACE])
    for seat in range(seats):
        share = share_of(search.scoring, winners, seat)
        results.game_shares[seat] = share
        results.values[seat] = share
        if facts[WIN_SHARE] < ONE:
            worth = value_of_margin(search.scoring, margin_of(results.points, search.scoring, seat))
            results.values[seat] = (facts[WIN_SHARE] * share + (ONE - facts[WIN_SHARE]) * worth) >> 20
        results.scores[seat] += results.points[seat]
        if seat == numbers[SEAT]:
            results.move_scores[numbers[PLACE]] += results.points[seat]
            results.move_scored[numbers[PLACE]] += 1


def share_of(scoring: Scoring, winners: Number, seat: Number) -> Number:
    """A seat's share of the win: winning sides get equal parts, and all seats of a side get its part."""
    if scoring.facts[COOPERATIVE]:
        return ONE if winners else 0
    if not winners >> seat & 1:
        return 0
    count = 0
    for winner in range(scoring.facts[SEATS]):
        side = scoring.sides[winner] & winners
        if winners >> winner & 1 and not side & (1 << winner) - 1:
            count += 1
    return ONE // count


def margin_of(points: Array[Number], scoring: Scoring, seat: Number) -> Number:
    """The lead of a seat's side over its best rival by the scores of all seats.

    In a cooperative game, or if scores are payments, it is the score itself.
    """
    if scoring.facts[COOPERATIVE] or scoring.facts[PAYMENTS]:
        return points[seat]
    best_own = points[seat]
    best_rival = 0
    has_rivals = False
    for scorer in range(scoring.facts[SEATS]):
        if scoring.sides[seat] >> scorer & 1:
            best_own = max(best_own, points[scorer])
        if scoring.rivals[seat] >> scorer & 1:
            best_rival = max(best_rival, points[scorer]) if has_rivals else points[scorer]
            has_rivals = True
    return best_own - best_rival


def value_of_margin(scoring: Scoring, margin: Number) -> Number:
    """The value of a margin: see `opponents/evaluation.py`."""
    facts = scoring.facts
    margin = min(MARGIN_LIMIT, max(-MARGIN_LIMIT, margin))
    if facts[PAYMENTS]:
        part = min(HALF, HALF * abs_of(margin) // facts[STAKE])
        return HALF + part if margin > 0 else HALF - part
    lead = (margin << MEAN_BITS) - facts[MEAN]
    units = (abs_of(lead) << TANH_UNIT_BITS) // facts[DEVIATION]
    place = units >> TANH_STEP_BITS
    if place >= TANH_ENTRIES - 1:
        part = scoring.tanh[TANH_ENTRIES - 1]
    else:
        low = scoring.tanh[place]
        part = low + ((scoring.tanh[place + 1] - low) * (units & (1 << TANH_STEP_BITS) - 1) >> TANH_STEP_BITS)
    return HALF + part if lead > 0 else HALF - part


def abs_of(number: Number) -> Number:
    """The absolute value."""
    return number if number >= 0 else -number


def learn_spread(search: Search) -> None:
    """Explore in proportion to the spread of the values of random games, which differs by game.

    Beyond the first games, only those count that were played at random from a new node. Once the trees are complete,
    iterations repeat the line that the search prefers, whose values may all be the same: a spread that shrank with them
    would end exploration.
    """
    results = search.results
    search.numbers[SPREAD_GAMES] += 1
    games = search.numbers[SPREAD_GAMES]
    for seat in range(search.scoring.facts[SEATS]):
        value = results.values[seat]
        results.sums[seat] += value
        results.squares[seat] += value * value
        squares = results.squares[seat] - results.sums[seat] // games * results.sums[seat]
        variance = (squares + PRIOR_GAMES * PRIOR_VARIANCE) // (games + PRIOR_GAMES)
        results.exploration[seat] = square_root(variance, results.exploration[seat])


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


# ---------------------------------------------------------------- expected play


def continue_line(game: Game, search: Search, number: Number) -> Number:
    """The most frequent continuation of a move at the root in the first world: its moves are in `line`."""
    trees = search.trees
    path = search.path
    line = search.results.line
    root = search.roots[search.numbers[SEAT]]
    seat = search.numbers[SEAT]
    block = trees.blocks[root]
    node = 0
    for place in range(trees.pool[block + BLOCK_COUNT]):
        if trees.pool[block + BLOCK_HEAD + place] & NUMBER_MASK == number:
            node = trees.pool[block + BLOCK_HEAD + place] >> NUMBER_BITS
    begin_path(search, 0)
    game.load_world(0)
    follow(search, seat, node, search.root_public[number], game.is_at_once(), True)
    line[0] = number
    length = 1
    while length < MAX_LINE:
        game.make(number)
        if game.is_over() or game.move_count() > path.numbers[MOVE_ROOM]:
            return length
        seat = game.acting()
        count = game.offer(path.own_keys, path.public_keys)
        at = arrived(game, search, seat)
        most = MIN_LINE_VISITS - 1
        for place in range(count):
            child_node = trees.slots[slot_of(trees, at, path.own_keys[place])]
            if child_node and trees.visits[child_node] > most:
                most = trees.visits[child_node]
                node = child_node
                number = place
        if most < MIN_LINE_VISITS:
            return length
        follow(search, seat, node, path.public_keys[number], game.is_at_once(), count > 1)
        line[length] = number
        length += 1
    return length


def begin(game: Game, search: Search, only: Number) -> None:
    """Make the block of the root and the nodes of its moves, in the order of `priorities`; or of only one move."""
    trees = search.trees
    path = search.path
    root = search.roots[search.numbers[SEAT]]
    game.load_world(0)
    count = game.offer(path.own_keys, search.root_public)
    if only >= 0:
        block = new_block(search, root, 1, 0)
        trees.pool[block + BLOCK_HEAD] = only
        count = 1
    else:
        block = new_block(search, root, count, 0)
    for place in range(count):
        number = trees.pool[block + BLOCK_HEAD + place]
        node = child(trees, root, path.own_keys[number])
        trees.pool[block + BLOCK_HEAD + place] = node << NUMBER_BITS | number
        trees.priors[node] = search.results.move_priors[number]
