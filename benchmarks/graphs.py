"""`python -m benchmarks.graphs`: graph queries, updated incrementally or recomputed, and best packings.

Plain flood fill is measured in the same run, as the yardstick for incremental updates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.figures import Figure, table
from interpreter.analysis.playouts import playouts
from interpreter.play.game import load
from interpreter.runtime.graphs import Adjacency, Objective, best_rows, groups, reach

Question = tuple[int, int]  # places, edges
Ask = Callable[[Adjacency, int, int], object]


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Graphs: groups and reach after every move, and the best rows of a whole board."""
    board, stones = grid(6, 10), grid(19, 19)
    removed, placed = list(edges_removed(board)), list(stones_placed(stones))
    kept_up_to_date: list[tuple[str, Adjacency, list[Question], Ask, Ask]] = [
        ("groups, 60 places, edges removed", board, removed, flooded, groups),
        ("reach, 60 places, edges removed", board, removed, spread, reached),
        ("groups, 19 by 19, stones added", stones, placed, flooded, groups),
    ]
    figures = []
    for what, links, questions, plain, kept in kept_up_to_date:
        figures.append(asked(f"{what}: plain flooding", plain, links, questions, rounds))
        figures.append(asked(f"{what}: kept up to date", kept, links, questions, rounds))
    for name, links in (("hexagons", hexagons(6, 10)), ("squares", board)):
        for specials in (0, 3):
            figures.append(rows_of(f"best rows, 60 places in {name}, {specials} special", links, specials, rounds))
    return figures + in_games(rounds, span)


def in_games(rounds: int, span: float) -> list[Figure]:
    """Random games of two shipped games, with their graph queries updated incrementally, and by flood fill."""
    games = max(1, round(30 * min(span, 1.0)))
    figures = []
    for name in ("mauerbauer", "dschingis_khan"):
        game = load(name, 3)
        answers = {"kept up to date": (groups, reach), "plain flooding": (flooded, flood_from)}
        speeds: dict[str, list[float]] = {way: [] for way in answers}
        for turn in range(rounds):
            for way, (together, reached_from) in answers.items():
                game.program.supply(groups=together, reach=reached_from)
                started = time.perf_counter()
                played = sum(1 for _ in playouts(game, games, 100 * turn, "python"))
                speeds[way].append(played / (time.perf_counter() - started))
        game.program.supply(groups=groups, reach=reach)
        for way, measured in speeds.items():
            figures.append(Figure(f"random games of {name}: {way}", "games/s", tuple(measured), "3 players"))
    return figures


def flood_from(links: Adjacency, start: int, edges: int) -> int:
    """The places reachable from a place, by plain flood fill."""
    return flood(links, start, (1 << links.count) - 1, edges)


def asked(name: str, ask: Ask, links: Adjacency, questions: list[Question], rounds: int) -> Figure:
    """Microseconds per query, in a series of queries that starts with an empty cache."""
    values = []
    for _ in range(rounds):
        fresh = Adjacency(links.count, links.ends)
        started = time.perf_counter()
        for places, edges in questions:
            ask(fresh, places, edges)
        values.append((time.perf_counter() - started) / len(questions) * 1e6)
    return Figure(name, "µs", tuple(values))


def rows_of(name: str, links: Adjacency, specials: int, rounds: int) -> Figure:
    """Milliseconds to find the best rows of four places or more on a whole board, with an empty cache."""
    special = sum(1 << place for place in Random(specials).sample(range(links.count), specials))
    worth = Objective(((1,) * links.count,), (special,), lambda sums, flags: sums[0] * (2 if flags[0] else 1))
    values = []
    total = 0
    for _ in range(rounds):
        fresh = Adjacency(links.count, links.ends)
        started = time.perf_counter()
        total, _ = best_rows(fresh, (1 << links.count) - 1, (1 << len(links.ends)) - 1, 4, worth)
        values.append((time.perf_counter() - started) * 1000)
    return Figure(name, "ms", tuple(values), f"worth {total}")


def edges_removed(links: Adjacency) -> Iterator[Question]:
    """All edges are removed one by one, in several orders."""
    for seed in range(4):
        edges = (1 << len(links.ends)) - 1
        for edge in Random(seed).sample(range(len(links.ends)), len(links.ends)):
            edges ^= 1 << edge
            yield (1 << links.count) - 1, edges


def stones_placed(links: Adjacency) -> Iterator[Question]:
    """Two seats place stones alternately; after each the groups of the seat are queried."""
    for seed in range(2):
        seats = [0, 0]
        for number, place in enumerate(Random(seed).sample(range(links.count), 250)):
            seats[number % 2] |= 1 << place
            yield seats[number % 2], (1 << len(links.ends)) - 1


def grid(rows: int, columns: int) -> Adjacency:
    """Places in rows, each joined to its neighbours."""
    across = [(place, place + 1) for place in range(rows * columns) if (place + 1) % columns]
    down = [(place, place + columns) for place in range((rows - 1) * columns)]
    return Adjacency(rows * columns, across + down)


def hexagons(rows: int, columns: int) -> Adjacency:
    """The same without every other rung."""
    down = [(place, place + columns) for place in range((rows - 1) * columns) if (place // columns + place) % 2 == 0]
    across = [(place, place + 1) for place in range(rows * columns) if (place + 1) % columns]
    return Adjacency(rows * columns, across + down)


def reached(links: Adjacency, places: int, edges: int) -> int:
    """The places reachable from one place."""
    return reach(links, 17, edges)


def spread(links: Adjacency, places: int, edges: int) -> int:
    """The same by plain flood fill."""
    return flood_from(links, 17, edges)


def flooded(links: Adjacency, places: int, edges: int) -> tuple[int, ...]:
    """The groups by plain flood fill."""
    found = []
    while places:
        group = flood(links, (places & -places).bit_length() - 1, places, edges)
        places ^= group
        found.append(group)
    return tuple(found)


def flood(links: Adjacency, start: int, left: int, edges: int) -> int:
    """The component of one place."""
    around = links.incidences
    group = 1 << start
    left &= ~group
    waiting = [start]
    while waiting:
        for edge, other in around[waiting.pop()]:
            if edges & edge and left >> other & 1:
                left ^= 1 << other
                group |= 1 << other
                waiting.append(other)
    return group


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
