"""Mauerbauer in plain Python, written from the rules in words and not from the rules file, to compare the two.

`Game` plays one game: the pile is given top first, `dice` gives the tower die and the two house dice of a turn, `mixed`
the discards in their new order, and `legal` and `do` follow the decisions. Moves are tuples: ("wall", line),
("towers", spots with their colours), ("houses", fields with their colours), ("merge", fields), ("play", cards),
("lay off", card), ("give", card), ("last", fields or none, cards), ("done",).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

SHADES = ("white", "grey", "black")
COLOURS = ("yellow", "green", "blue", "pink", "red")
REGIONS = ("north", "west", "east")
WALLS, TOWERS, HOUSES, PALACES, HAND = 33, 10, 12, 3, 6
KINDS = (
    "size-1", "size-2", "size-3", "size-7", "colours",
    *(f"tower-{shade}" for shade in SHADES), "towers", "palaces", *(f"build-{colour}" for colour in COLOURS),
    *(f"out-house-{colour}" for colour in COLOURS), *(f"out-region-{region}" for region in REGIONS),
    "out-towers", *(f"out-tower-{shade}" for shade in SHADES), "out-water", "out-walls", "cities",
)  # fmt: skip

Move = tuple[Any, ...]
Asking = Generator[tuple[str, list[Move]], Move, None]
City = frozenset[str]
Dice = tuple[str, str, str]


class Board:
    """The planar graph of the file: lines with their two ends and the fields beside them, one at the rim."""

    def __init__(self) -> None:
        path = Path(__file__).parent.parent.parent / "games" / "boards" / "mauerbauer.json"
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.ends: dict[str, tuple[str, str]] = {e["id"]: tuple(e["ends"]) for e in data["edges"]}
        self.lines_of: dict[str, list[str]] = {f["id"]: f["edges"] for f in data["faces"]}
        self.region: dict[str, str] = {f["id"]: f["region"] for f in data["faces"]}
        self.water = {v["id"] for v in data["vertices"] if v["water"]}
        self.spots = [v["id"] for v in data["vertices"]]
        self.fields = list(self.lines_of)
        self.sides = {e: [f for f in self.fields if e in self.lines_of[f]] for e in self.ends}
        self.lines_at = {v: [e for e in self.ends if v in self.ends[e]] for v in self.spots}
        self.around = {v: {f for e in self.lines_at[v] for f in self.sides[e]} for v in self.spots}


BOARD = Board()


class Table:
    """Walls, towers, houses and palaces on the board, and what follows from where they stand."""

    def __init__(self) -> None:
        self.walls: set[str] = set()
        self.tower: dict[str, str] = {}
        self.houses: dict[str, Counter[str]] = {field: Counter() for field in BOARD.fields}
        self.palaces: dict[str, Counter[str]] = {field: Counter() for field in BOARD.fields}

    def flood(self, field: str) -> set[str] | None:
        """The fields that no wall parts from this one; none if the outside is reached."""
        found, edge = {field}, [field]
        while edge:
            for line in BOARD.lines_of[edge.pop()]:
                if line in self.walls:
                    continue
                if len(BOARD.sides[line]) == 1:
                    return None
                new = set(BOARD.sides[line]) - found
                found |= new
                edge += new
        return found

    def cities(self) -> list[City]:
        """All closed cities, each from its first field."""
        found: list[City] = []
        for field in BOARD.fields:
            if not any(field in city for city in found):
                city = self.flood(field)
                if city is not None:
                    found.append(frozenset(city))
        return found

    def in_cities(self) -> set[str]:
        return {field for city in self.cities() for field in city}

    def left(self) -> tuple[int, Counter[str], Counter[str], Counter[str]]:
        """What the supply holds: walls, towers, houses, palaces."""
        towers = Counter(dict.fromkeys(SHADES, TOWERS))
        houses, palaces = Counter(dict.fromkeys(COLOURS, HOUSES)), Counter(dict.fromkeys(COLOURS, PALACES))
        towers.subtract(self.tower.values())
        for field in BOARD.fields:
            houses.subtract(self.houses[field])
            palaces.subtract(self.palaces[field])
        return WALLS - len(self.walls), towers, houses, palaces

    def used_up(self) -> bool:
        """Whether the supply of one sort of pieces is empty, all its colours together."""
        walls, *others = self.left()
        return walls == 0 or any(sum(counted.values()) == 0 for counted in others)

    def points(self, card: str, city: Iterable[str]) -> int:
        """What a card is worth for a city, or for none if there are no fields."""
        fields, inside = set(city), self.in_cities()
        built = sum((self.houses[f] for f in fields), Counter[str]())
        grand = sum((self.palaces[f] for f in fields), Counter[str]())
        name, _, which = card.rpartition("-")
        outside = [f for f in BOARD.fields if f not in inside]
        towers = Counter(shade for v, shade in self.tower.items() if BOARD.around[v] & fields)
        away = {v: shade for v, shade in self.tower.items() if not BOARD.around[v] & inside}
        match name or card:
            case "size":
                size = int(which)
                return {1: 6, 2: 7, 3: 8, 7: 9}[size] if len(fields) == size or len(fields) > size == 7 else 0
            case "colours":
                return (0, 0, 4, 4, 7, 7)[len(+(built + grand))]
            case "tower":
                return 2 * towers[which]
            case "towers":
                return towers.total()
            case "palaces":
                return grand.total()
            case "build":
                return 3 * grand[which] + built[which]
            case "out-house":
                return sum(self.houses[f][which] for f in outside)
            case "out-region":
                return sum(self.houses[f].total() for f in outside if BOARD.region[f] == which)
            case "out-tower":
                return 2 * list(away.values()).count(which)
            case "cities":
                return len(self.cities())
        assert name == "out", card
        return {
            "towers": len(away),
            "water": 2 * len(away.keys() & BOARD.water),
            "walls": sum(1 for line in self.walls if not inside & set(BOARD.sides[line])),
        }[which]


def tower_ways(table: Table, line: str, die: str, satisfied: bool) -> set[frozenset[tuple[str, str]]]:
    """All different outcomes for the free ends of a new wall."""
    stock, ends = table.left()[1], BOARD.ends[line]
    free = [v for v in ends if v not in table.tower]
    rolled = {die} if stock[die] else {shade for shade in SHADES if stock[shade]}
    if len(free) == 1:
        (taken,) = (table.tower[v] for v in ends if v in table.tower)
        if satisfied and taken == die:
            rolled = {shade for shade in SHADES if stock[shade]}
        return {frozenset({(free[0], shade)}) for shade in rolled}
    found = set()
    for end, shade in product(free, sorted(rolled)):
        rest = stock - Counter([shade])
        if not rest:
            found.add(frozenset({(end, shade)}))
        found |= {frozenset({(end, shade), (v, other)}) for v in free if v != end for other in rest}
    return found


def house_ways(table: Table, line: str, dice: Sequence[str]) -> set[frozenset[tuple[str, str]]]:
    """All different outcomes for the fields beside a new wall."""
    stock, sides = +table.left()[2], BOARD.sides[line]

    def given(die: str, left: Counter[str]) -> list[str]:
        return [die] if left[die] else sorted(left)

    if len(sides) == 1 or stock.total() == 1:
        return {frozenset({(f, colour)}) for f in sides for die in dice for colour in given(die, stock)}
    found = set()
    for (one, two), (first, second) in product((sides, sides[::-1]), (dice, dice[::-1])):
        for colour in given(first, stock):
            for other in given(second, stock - Counter([colour])):
                found.add(frozenset({(one, colour), (two, other)}))
    return found


class Game:
    """One game, always at a decision or over (`player` is None)."""

    def __init__(
        self, seats: Sequence[str], options: Mapping[str, str], start: str, pile: Sequence[str],
        dice: Callable[[], Dice], mixed: Callable[[], list[str]],
    ) -> None:  # fmt: skip
        self.seats, self.options, self.dice, self.mixed = list(seats), options, dice, mixed
        self.table = Table()
        self.pile, self.discards = list(pile), Counter[str]()
        self.hand = {seat: Counter[str]() for seat in seats}
        self.shown = {seat: Counter[str]() for seat in seats}
        self.hidden = {seat: Counter[str]() for seat in seats}
        self.score = dict.fromkeys(seats, 0)
        self.ended = False
        self.last: str | None = None
        self.city: City = frozenset()
        self.turns = 0
        self.player: str | None = None
        self.legal: list[Move] = []
        for seat in self.order(start):
            for _ in range(HAND):
                self.hand[seat][self.pile.pop(0)] += 1
        self.play = self.whole(start)
        self.advance(None)

    def order(self, first: str) -> list[str]:
        place = self.seats.index(first)
        return self.seats[place:] + self.seats[:place]

    def advance(self, move: Move | None) -> None:
        try:
            self.player, self.legal = next(self.play) if move is None else self.play.send(move)
        except StopIteration:
            self.player, self.legal = None, []

    def do(self, move: Move) -> None:
        assert move in self.legal
        self.advance(move)

    def whole(self, start: str) -> Asking:
        """From the first turn to the last card."""
        active = start
        while True:
            yield from self.turn(active)
            if self.ended:
                break
            active = self.order(active)[1]
        self.last = active
        if not self.city:
            for seat in self.order(active):
                yield from self.last_cards(seat)

    # ---------------------------------------------------------------- a turn

    def placed(self) -> None:
        """Pieces have been placed: the end comes at once if it is meant so."""
        if self.options["trigger"] == "latched":
            self.ended = self.ended or self.table.used_up()

    def turn(self, me: str) -> Asking:
        table, self.city = self.table, frozenset()
        inside = table.in_cities()
        free = [e for e in BOARD.ends if e not in table.walls and not inside & set(BOARD.sides[e])]
        if not free:
            self.ended = True
            return
        self.turns += 1
        _, line = yield me, [("wall", e) for e in free]
        table.walls.add(line)
        self.placed()
        shade, *colours = self.dice()
        if any(v not in table.tower for v in BOARD.ends[line]):
            ways = tower_ways(table, line, shade, self.options["tower_die"] == "satisfied")
            _, towers = yield me, [("towers", way) for way in ways]
            table.tower.update(towers)
            self.placed()
        _, houses = yield me, [("houses", way) for way in house_ways(table, line, colours)]
        for field, colour in houses:
            table.houses[field][colour] += 1
        self.placed()
        new = [city for city in table.cities() if city & set(BOARD.sides[line])]
        if new:
            yield from self.closed(me, *new)
        self.ended = self.ended or table.used_up()
        if new:
            yield from self.scoring(me)

    def closed(self, me: str, city: City) -> Asking:
        self.city, table = city, self.table
        within = {e for e in table.walls if len(BOARD.sides[e]) == 2 and city.issuperset(BOARD.sides[e])}
        if self.options["inner"] == "detached":
            within -= self.hanging(within, {e for e in table.walls if city & set(BOARD.sides[e])} - within)
        self.take_down(within)
        self.crown()
        ways: dict[City, set[str]] = {}
        for other in table.cities():
            between = {e for e in table.walls if city & set(BOARD.sides[e]) and other & set(BOARD.sides[e])}
            if other != city and between:
                ways[other] = between
        if ways:
            move = yield me, [("done",), *(("merge", other) for other in ways)]
            if move != ("done",):
                self.take_down(ways[move[1]])
                self.city = city | move[1]
                self.crown()

    def hanging(self, loose: set[str], firm: set[str]) -> set[str]:
        """Those of the loose walls that hold together with the firm ones by way of common towers."""
        spots, found = {v for e in firm for v in BOARD.ends[e]}, set[str]()
        while more := {e for e in loose - found if spots & set(BOARD.ends[e])}:
            found |= more
            spots |= {v for e in more for v in BOARD.ends[e]}
        return found

    def take_down(self, gone: set[str]) -> None:
        table = self.table
        table.walls -= gone
        for spot in list(table.tower):
            if not table.walls.intersection(BOARD.lines_at[spot]):
                del table.tower[spot]

    def crown(self) -> None:
        """Pairs of houses become palaces while there are any of the colour."""
        table, city = self.table, [f for f in BOARD.fields if f in self.city]
        for colour in COLOURS:
            while table.left()[3][colour]:
                standing = [f for f in city for _ in range(table.houses[f][colour])]
                if self.options["pair"] == "field":
                    standing = [f for f in standing if table.houses[f][colour] > 1]
                if len(standing) < 2:
                    break
                for field in standing[:2]:
                    table.houses[field][colour] -= 1
                table.palaces[standing[0]][colour] += 1
        self.placed()

    # ---------------------------------------------------------------- cards

    def draw(self, seat: str, number: int) -> None:
        for _ in range(number):
            self.renew()
            if self.pile:
                self.hand[seat][self.pile.pop(0)] += 1
        self.renew()

    def renew(self) -> None:
        if not self.pile and self.discards:
            self.pile = self.mixed()
            assert Counter(self.pile) == self.discards
            self.discards.clear()

    def ways_to_play(self, seat: str) -> list[tuple[str, ...]]:
        held = sorted(self.hand[seat].elements())
        return [(card,) for card in sorted(set(held))] + sorted(set(combinations(held, 2)))

    def put_down(self, seat: str, cards: Sequence[str], city: Iterable[str]) -> None:
        self.score[seat] += sum(self.table.points(card, city) for card in cards)
        self.hand[seat] -= Counter(cards)
        self.shown[seat] += Counter(cards)

    def scoring(self, me: str) -> Asking:
        owed = dict.fromkeys(self.seats, 1)
        for seat in self.order(me):
            cards = self.ways_to_play(seat)
            if not cards:
                continue
            legal = [("play", way) for way in cards] + [("lay off", card) for card in sorted(self.hand[seat])]
            verb, what = yield seat, legal
            if verb == "play":
                self.put_down(seat, what, self.city)
            else:
                self.hand[seat] -= Counter([what])
                self.hidden[seat][what] += 1
                owed[seat] = 2
        for seat in self.seats:
            self.discards += self.shown[seat] + self.hidden[seat]
            self.shown[seat].clear()
            self.hidden[seat].clear()
        self.renew()
        for seat in self.order(me):
            self.draw(seat, owed[seat])
        if not self.ended:
            for seat in self.order(me):
                if self.may_exchange(seat):
                    yield from self.give(seat)

    def may_exchange(self, seat: str) -> bool:
        match self.options["exchange"]:
            case "last":
                return self.score[seat] == min(self.score.values())
            case "last_unless_all_level":
                return max(self.score.values()) > self.score[seat] == min(self.score.values())
            case "all_behind_leader":
                return self.score[seat] < max(self.score.values())
        return False

    def give(self, seat: str) -> Asking:
        """Card by card until `done`, always further on in the list of kinds, so that no handful comes up twice."""
        given, least = Counter[str](), 0
        while self.hand[seat]:
            more = [kind for kind in KINDS[least:] if (self.hand[seat] - given)[kind]]
            move = yield seat, [("done",), *(("give", kind) for kind in more)]
            if move == ("done",):
                break
            given[move[1]] += 1
            least = KINDS.index(move[1])
        self.hand[seat] -= given
        self.discards += given
        self.renew()
        self.draw(seat, given.total())

    def last_cards(self, seat: str) -> Asking:
        """At the end: up to two cards, for any city if one of them asks for one and there is one."""
        cities: list[City] = self.table.cities() or [frozenset()]
        legal: list[Move] = []
        for way in self.ways_to_play(seat):
            asking = any(KINDS.index(card) < KINDS.index("out-house-yellow") for card in way)
            legal += [("last", city, way) for city in (cities if asking else [frozenset()])]
        if legal:
            move = yield seat, [("done",), *legal]
            if move != ("done",):
                self.put_down(seat, move[2], move[1])

    def winners(self) -> tuple[str, ...]:
        best = max((self.score[seat], self.hand[seat].total()) for seat in self.seats)
        return tuple(seat for seat in self.seats if (self.score[seat], self.hand[seat].total()) == best)
