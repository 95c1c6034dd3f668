"""China in plain Python, written from the rulebook and not from the rules file, to compare the two.

`Game` plays one game: the deck is given top first, and `legal` and `do` follow the decisions. Moves are tuples:
("house", space, colour of the cards paid), ("emissary", province, colour), ("fort", space, colour),
("exchange", colour), ("exchange too", colour), ("waste", colour), ("open", colour), ("hidden",), ("done",), ("pass",).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

SEATS = ("green", "red", "violet", "blue", "yellow")
CARDS = {
    "printed": Counter(red=13, green=12, orange=11, yellow=11, violet=10),
    "even": Counter(red=12, green=12, orange=12, yellow=12, violet=9),
}
REMOVED = {3: 2, 4: 1, 5: 0}
HAND, OPEN = 3, 4
HOUSES, EMISSARIES = 20, 8
SHORTEST_ROW = 4

Move = tuple[str, ...]
Asking = Generator[tuple[str, list[Move]], Move, None]
Row = frozenset[str]


class Board:
    """One side of the board as the file has it."""

    def __init__(self, side: str) -> None:
        path = Path(__file__).parent.parent.parent / "games" / "boards" / "china.json"
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.spaces: dict[str, list[str]] = {p["id"]: [x["id"] for x in p["spaces"]] for p in data["provinces"]}
        self.colour: dict[str, str] = {p["id"]: p["colour"] for p in data["provinces"]}
        self.province = {x: p for p, spaces in self.spaces.items() for x in spaces}
        self.alliances: list[list[str]] = [
            a["provinces"] for a in sorted(data["alliances"], key=lambda a: int(a["number"]))
        ]
        self.beside: dict[str, set[str]] = {x: set() for x in self.province}
        (roads,) = (each["roads"] for each in data["sides"] if each["id"] == side)
        for road in roads:
            one, other = road["ends"]
            self.beside[one].add(other)
            self.beside[other].add(one)


@cache
def board_of(side: str) -> Board:
    """A side of the board, read once."""
    return Board(side)


# ---------------------------------------------------------------- rows, by trying everything


def simple_paths(own: Iterable[str], beside: Mapping[str, set[str]]) -> set[Row]:
    """The spaces of every line of four own houses or more, each joined to the next by a road."""
    mine, found = set(own), set[Row]()

    def go_on(way: list[str]) -> None:
        if len(way) >= SHORTEST_ROW:
            found.add(frozenset(way))
        for following in beside[way[-1]] & mine - set(way):
            go_on([*way, following])

    for space in mine:
        go_on([space])
    return found


def best_rows(rows: Iterable[Row], worth: Callable[[Row], int]) -> int:
    """The most that rows without a common house are worth together."""
    through: dict[str, list[Row]] = {}
    for row in rows:
        through.setdefault(min(row), []).append(row)
    known: dict[Row, int] = {}

    def best(free: Row) -> int:
        """The most with the rows that lie in these spaces."""
        if not free:
            return 0
        if free not in known:
            first = min(free)
            results = [best(free - {first})]
            results += [worth(row) + best(free - row) for row in through.get(first, ()) if row <= free]
            known[free] = max(results)
        return known[free]

    return best(frozenset(space for rows in through.values() for row in rows for space in row))


def connected(own: Iterable[str], beside: Mapping[str, set[str]]) -> list[set[str]]:
    """Own spaces by the networks they form."""
    left, groups = set(own), []
    while left:
        group, edge = set[str](), {min(left)}
        while edge:
            group |= edge
            edge = {y for x in edge for y in beside[x]} & left - group
        groups.append(group)
        left -= group
    return groups


def row_points(
    own: Iterable[str], doubled: Iterable[str], beside: Mapping[str, set[str]], way: str = "disjoint"
) -> int:
    """What the rows of a player are worth; `doubled` are the spaces with a fortification."""
    strong, mine = set(doubled), set(own)

    def worth(row: Row) -> int:
        return len(row) * (2 if row & strong else 1)

    if way == "disjoint":
        return best_rows(simple_paths(mine, beside), worth)
    rows = [simple_paths(group, beside) for group in connected(mine, beside)]
    return sum(max(map(worth, found), default=0) for found in rows)


def house_points(houses: Mapping[str, int]) -> dict[str, int]:
    """What each player scores in a province for so many houses."""
    ranks = sorted({number for number in houses.values() if number}, reverse=True)
    above = dict(zip(ranks, [sum(houses.values()), *ranks], strict=False))
    return {player: above[number] if number else 0 for player, number in houses.items()}


# ---------------------------------------------------------------- the game


class Game:
    """One game, always at a decision or over (`player` is None); `mixed` gives the discards in their new order."""

    def __init__(
        self, seats: Sequence[str], deck: Sequence[str], options: Mapping[str, str], start: str,
        mixed: Callable[[], list[str]],
    ) -> None:  # fmt: skip
        self.seats, self.options, self.start, self.mixed = list(seats), options, start, mixed
        self.advanced = options["advanced"] == "true"
        four = options["side_for_four"]
        self.side = {3: "side_3_4", 4: four, 5: "side_4_5"}[len(seats)]
        self.board = board_of(self.side)
        self.deck = list(deck)
        self.cards = CARDS[options["cards"]] - Counter(dict.fromkeys(CARDS["printed"], REMOVED[len(seats)]))
        assert Counter(self.deck) == self.cards
        self.hand: dict[str, list[str]] = {}
        at = self.seats.index(start)
        for seat in [*self.seats[at:], *self.seats[:at]]:
            self.hand[seat] = [self.deck.pop(0) for _ in range(HAND)]
        self.display = [self.deck.pop(0) for _ in range(OPEN)]
        self.discards: list[str] = []
        self.house: dict[str, str] = {}
        self.fort: set[str] = set()
        self.court: dict[str, list[str]] = {province: [] for province in self.board.spaces}
        self.stock = {seat: Counter(house=HOUSES, emissary=EMISSARIES, fort=int(self.advanced)) for seat in self.seats}
        self.score = dict.fromkeys(self.seats, 0)
        self.scored: list[str] = []
        self.ends_of_deck = self.drawn = 0
        self.turns: Counter[str] = Counter()
        self.player: str | None = None
        self.legal: list[Move] = []
        self._course = self._play()
        self._resume(None)

    def do(self, move: Move) -> None:
        """Make a move of the player whose decision it is."""
        assert move in self.legal, (move, self.legal)
        self._resume(move)

    def _resume(self, move: Move | None) -> None:
        try:
            self.player, self.legal = next(self._course) if move is None else self._course.send(move)
        except StopIteration:
            self.player, self.legal = None, []

    # ------------------------------------------------------------ the board

    def houses(self, province: str) -> dict[str, int]:
        """How many houses each player has in a province."""
        owners = Counter(self.house.get(space) for space in self.board.spaces[province])
        return {seat: owners[seat] for seat in self.seats}

    def limit(self, province: str) -> int:
        """How many emissaries a province admits."""
        return max(self.houses(province).values())

    def bare(self, province: str) -> bool:
        """Whether no stone of any kind stands there."""
        spaces = self.board.spaces[province]
        return not self.court[province] and not any(space in self.house or space in self.fort for space in spaces)

    def full(self, province: str) -> bool:
        """Whether every space has a house."""
        return all(space in self.house for space in self.board.spaces[province])

    def stuck(self) -> bool:
        """Whether nobody could place anything, whatever cards he held."""
        return not any(self._stones(seat, province) for seat in self.seats for province in self.board.spaces)

    def _stones(self, seat: str, province: str) -> list[tuple[str, str]]:
        """Kind and place of each stone that may be put into a province, cards apart."""
        stock, spaces = self.stock[seat], self.board.spaces[province]
        found = []
        if stock["house"]:
            found += [("house", space) for space in spaces if space not in self.house]
        if stock["emissary"] and len(self.court[province]) < self.limit(province):
            found.append(("emissary", province))
        if stock["fort"]:
            found += [("fort", space) for space in spaces if space not in self.house and space not in self.fort]
        return found

    def _payments(self, seat: str, province: str) -> list[list[str]]:
        """The cards that pay for a stone: one of the colour, or two alike of another."""
        colour, held = self.board.colour[province], Counter(self.hand[seat])
        return [[c] if c == colour else [c, c] for c in held if held[c] >= (1 if c == colour else 2)]

    def _placings(self, seat: str, provinces: Iterable[str]) -> list[Move]:
        return [
            (kind, place, cards[0])
            for province in provinces
            for cards in self._payments(seat, province)
            for kind, place in self._stones(seat, province)
        ]

    # ------------------------------------------------------------ the course of play

    def _play(self) -> Asking:
        seat = self.start
        while not (self.ends_of_deck == 2 and seat == self.start) and not self.stuck():
            before = self.drawn
            yield from self._turn(seat)
            assert self.drawn > before or self.ends_of_deck == 2, "a turn that takes no card from the deck"
            seat = self.seats[(self.seats.index(seat) + 1) % len(self.seats)]
        self._final_scoring()

    def _turn(self, seat: str) -> Asking:
        self.turns[seat] += 1
        assert len(self.hand[seat]) == HAND
        started_bare = {province for province in self.board.spaces if self.bare(province)}
        moves = self._placings(seat, self.board.spaces)
        if self.display or self._deck_can_be_drawn():
            moves += [("exchange", colour) for colour in set(self.hand[seat])]
        move = yield seat, moves or [("pass",)]
        if move[0] == "pass":
            return
        if move[0] == "exchange":
            held = len(self.hand[seat])
            self._discard(seat, move[1])
            yield from self._discard_more(seat, "exchange too", self.options["exchanged"] == "any_number")
            while len(self.hand[seat]) < held and (self.display or self._deck_can_be_drawn()):
                yield from self._draw_one(seat)
        else:
            province = self._place(seat, move)
            if province not in started_bare:
                second = self._placings(seat, [province])
                if second:
                    move = yield seat, [*second, ("done",)]
                    if move[0] != "done":
                        self._place(seat, move)
            yield from self._discard_more(seat, "waste", self.options["waste"] == "true")
            while len(self.hand[seat]) < HAND and (self.display or self._deck_can_be_drawn()):
                yield from self._draw_one(seat)
        while len(self.display) < OPEN and self.ends_of_deck < 2:
            card = self._from_deck()
            if card is not None:
                self.display.append(card)

    def _discard_more(self, seat: str, verb: str, allowed: bool) -> Asking:
        for _ in range(2):
            if not allowed or not self.hand[seat]:
                return
            move = yield seat, [*((verb, colour) for colour in set(self.hand[seat])), ("done",)]
            if move[0] == "done":
                return
            self._discard(seat, move[1])

    def _place(self, seat: str, move: Move) -> str:
        kind, place, paid = move
        province = place if kind == "emissary" else self.board.province[place]
        for _ in range(1 if paid == self.board.colour[province] else 2):
            self._discard(seat, paid)
        self.stock[seat][kind] -= 1
        if kind == "house":
            self.house[place] = seat
            if self.full(province):
                self._score_houses(province)
        elif kind == "fort":
            self.fort.add(place)
        else:
            self.court[province].append(seat)
        return province

    # ------------------------------------------------------------ cards

    def _discard(self, seat: str, colour: str) -> None:
        self.hand[seat].remove(colour)
        self.discards.append(colour)

    def _deck_can_be_drawn(self) -> bool:
        return bool(self.deck) or (self.options["exhaustion"] == "on_demand" and self.ends_of_deck == 0)

    def _draw_one(self, seat: str) -> Asking:
        moves: list[Move] = [("open", colour) for colour in set(self.display)]
        if self._deck_can_be_drawn():
            moves.append(("hidden",))
        move = yield seat, moves
        if move[0] == "open":
            self.display.remove(move[1])
            self.hand[seat].append(move[1])
        else:
            card = self._from_deck()
            assert card is not None
            self.hand[seat].append(card)

    def _from_deck(self) -> str | None:
        if not self.deck:
            self._deck_ended()
        if not self.deck:
            return None
        self.drawn += 1
        card = self.deck.pop(0)
        if not self.deck and self.options["exhaustion"] == "last_card":
            self._deck_ended()
        return card

    def _deck_ended(self) -> None:
        self.ends_of_deck += 1
        if self.ends_of_deck == 1:
            self.deck, old = self.mixed(), self.discards
            assert Counter(self.deck) == Counter(old)
            self.discards = []

    # ------------------------------------------------------------ scoring

    def _score_houses(self, province: str) -> None:
        self.scored.append(province)
        for seat, points in house_points(self.houses(province)).items():
            spaces = self.board.spaces[province]
            strong = any(self.house.get(space) == seat and space in self.fort for space in spaces)
            self.score[seat] += 2 * points if strong else points

    def _final_scoring(self) -> None:
        for province in self.board.spaces:
            if province not in self.scored:
                self._score_houses(province)
        for one, other in self.board.alliances:
            both = set(self._leaders(one)) & set(self._leaders(other))
            for seat in both:
                self.score[seat] += len(self.court[one]) + len(self.court[other])
        for seat in self.seats:
            own = [space for space, owner in self.house.items() if owner == seat]
            self.score[seat] += row_points(own, self.fort, self.board.beside, self.options["rows"])

    def _leaders(self, province: str) -> list[str]:
        sent = Counter(self.court[province])
        return [seat for seat in sent if sent[seat] == max(sent.values())]

    def left(self, seat: str) -> int:
        """Stones left in the stock."""
        return self.stock[seat].total()

    def winners(self) -> tuple[str, ...]:
        """Who has most points, and of these most stones left."""
        best = max((self.score[seat], self.left(seat)) for seat in self.seats)
        return tuple(seat for seat in self.seats if (self.score[seat], self.left(seat)) == best)
