"""Monte Carlo tree search over worlds, with one tree for each observing seat: the iterations of one decision.

The method is MO-ISMCTS (Cowling, Powley and Whitehouse 2012, "Information set Monte Carlo tree search"). An iteration
takes a world that agrees with what the deciding seat knows, descends in it, adds one new node, and plays at random to
the end. In the tree of a seat, the moves of others appear as it learns of them, so that no seat responds to what it
cannot know. The trees are open-loop: chance has no nodes. If all seats learn the same, they share one tree.
"""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Game, Number, Truth, scrambled
from interpreter.compiler.machine.routines.search_records import (
    BLOCK_COUNT,
    BLOCK_HEAD,
    BLOCK_NEXT,
    CHOSEN,
    HALF,
    HORIZON,
    ITERATIONS,
    MASKED,
    MIN_VISITS,
    MOVE_ROOM,
    NUMBER_BITS,
    NUMBER_MASK,
    PASSED,
    PLACE,
    PROVABLE,
    RUNNING,
    SCORED,
    SEAT,
    SEATS,
    SEED,
    SPREAD_GAMES,
    UNTOLD,
    WORLDS,
    Path,
    Search,
    table_index,
)  # fmt: skip
from interpreter.compiler.machine.routines.search_trees import (
    add_to_history,
    block_of,
    child,
    new_block,
    prove,
    selected,
    slot_of,
    take_proven,
)  # fmt: skip
from interpreter.compiler.machine.routines.search_values import judge, learn_spread

MAX_DEPTH = 500
"""Maximum depth of the descent in an iteration, in decisions."""

MAX_LINE = 8
"""Maximum length of an expected line, in decisions."""

MIN_LINE_VISITS = 2

MIN_SPREAD_GAMES = 100
"""The spread of values is learned from at least this many games."""


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
