"""Chinesische Mauer in plain Python, written from the rulebook and not from the rules file, to compare the two.

`Game` plays one game: piles and supply are given top first, and `legal` and `do` follow the decisions. Moves are
tuples: ("lay", rank, number, section), ("also", rank), ("cover", section, position), ("ride", section), ("draw",),
("done",), ("section", s), ("prize", value), ("bearer", section, position).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

SEATS = ("red", "green", "blue", "yellow", "brown")
FACE = {"wall": 1, "gate": 2, "watchtower": 3, "noble": 1, "warrior": 1, "rider": 2, "dragon": 1}
SET = Counter(wall=7, gate=3, watchtower=1, noble=1, warrior=5, rider=2, dragon=1)
TOKENS = Counter({1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2})
SECTIONS = {2: "AB", 3: "ABC", 4: "ABCD", 5: "ABCD"}
HAND = 5

Move = tuple[str | int, ...]
Asking = Generator[tuple[str, list[Move]], Move, None]


@dataclass(eq=False)
class Card:
    """A card in a row, with the cards it covers and the token on it."""

    rank: str
    owner: str
    covers: list[Card] = field(default_factory=list)
    token: int | None = None

    @property
    def name(self) -> str:
        return f"{self.owner} {self.rank}"


class GameOver(Exception):
    """No section is left."""


class Game:
    """One game, always at a decision or over (`player` is None)."""

    def __init__(
        self, seats: Sequence[str], piles: Mapping[str, Sequence[str]], supply: Iterable[int],
        options: Mapping[str, str], start: str,
    ) -> None:  # fmt: skip
        self.seats, self.options = list(seats), options
        self.pile = {seat: [Card(rank, seat) for rank in piles[seat]] for seat in seats}
        self.hand: dict[str, list[Card]] = {}
        self.won: dict[str, list[int]] = {seat: [] for seat in seats}
        self.supply = list(supply)
        self.sections = list(SECTIONS[len(self.seats)])
        self.row: dict[str, list[Card]] = {section: [] for section in self.sections}
        self.display: dict[str, list[int]] = {}
        self.cards_gone = self.tokens_gone = 0
        self.finisher: str | None = None
        self.turns: Counter[str] = Counter()
        self.scorings: Counter[str] = Counter()
        self.ending = False
        assert all(Counter(piles[seat]) == SET for seat in seats)
        assert Counter(self.supply) == TOKENS
        for seat in seats:
            self.hand[seat] = [self.pile[seat].pop(0) for _ in range(HAND)]
        for section in list(self.sections):
            self._reveal(section)
        self.player: str | None = None
        self.legal: list[Move] = []
        self._course = self._play(start)
        self._resume(None)

    def do(self, move: Move) -> None:
        """Make a move of the player whose decision it is."""
        assert move in self.legal, (move, self.legal)
        self._resume(move)

    def _resume(self, move: Move | None) -> None:
        try:
            self.player, self.legal = next(self._course) if move is None else self._course.send(move)
        except (StopIteration, GameOver):
            self.player, self.legal = None, []

    # ------------------------------------------------------------ points

    def value(self, card: Card, section: str) -> int:
        """What an uncovered card counts."""
        row = self.row[section]
        if any(other.rank == "noble" for other in row if other is not card):
            return 1
        if card.rank == "warrior":
            left = row[: row.index(card)]
            return 1 + len([other for other in left if (other.rank, other.owner) == ("warrior", card.owner)])
        return FACE[card.rank]

    def points(self, seat: str, section: str) -> int:
        """Points of a seat in a section, tokens on its cards taken off."""
        own = [card for card in self.row[section] if card.owner == seat]
        return sum(self.value(card, section) for card in own) - sum(card.token or 0 for card in own)

    def present(self, seat: str, section: str) -> bool:
        """Whether a seat is compared in a section."""
        if any(card.owner == seat for card in self.row[section]):
            return True
        covered = self.options["covered_only_counts_as_present"] == "true"
        return covered and any(below.owner == seat for card in self.row[section] for below in card.covers)

    def ahead(self, seat: str, section: str) -> bool:
        """Whether a seat alone has the most points of those present."""
        if not self.present(seat, section):
            return False
        others = [self.points(other, section) for other in self.seats if other != seat and self.present(other, section)]
        return not others or self.points(seat, section) > max(others)

    # ------------------------------------------------------------ the course of play

    def _play(self, start: str) -> Asking:
        seat = start
        while self.finisher is None:
            yield from self._turn(seat)
            seat = self._next(seat)
        seat = self._next(self.finisher)
        while seat != self.finisher:
            yield from self._turn(seat)
            seat = self._next(seat)
        self.ending = True
        while any(self.ahead(other, section) for other in self.seats for section in self.sections):
            yield from self._score(seat)
            seat = self._next(seat)

    def _next(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _turn(self, seat: str) -> Asking:
        self.turns[seat] += 1
        yield from self._score(seat)
        hand, pile = self.hand[seat], self.pile[seat]
        forced = not pile and all(card.rank == "rider" for card in hand)
        if not forced:
            yield from self._window(seat)
        moves = self._actions(seat)
        if self.options["rider_as_action2"] == "always":
            moves += self._rides(seat)
        yield from self._ask(seat, moves or self._rides(seat))
        yield from self._window(seat)
        yield from self._ask(seat, self._actions(seat))

    def _ask(self, seat: str, moves: list[Move]) -> Asking:
        if moves:
            move = yield seat, moves
            self._apply(seat, move)
            if move[0] == "lay" and self.options["together"] == "same_value":
                yield from self._lay_equals(seat, str(move[1]), str(move[3]))

    def _lay_equals(self, seat: str, laid: str, section: str) -> Asking:
        """Card by card until `done`, always further on in the list of kinds; all of them lie down at the end."""
        equals = [rank for rank in FACE if FACE[rank] == FACE[laid] and rank not in (laid, "rider")]
        also = Counter[str]()
        any_held = any(self._held(seat)[rank] for rank in equals)
        while any_held:
            more = [rank for rank in equals if self._held(seat)[rank] > also[rank]]
            move = yield seat, [("done",), *(("also", rank) for rank in more)]
            if move == ("done",):
                break
            also[str(move[1])] += 1
            equals = equals[equals.index(str(move[1])) :]
        for rank in also.elements():
            self._apply(seat, ("lay", rank, 1, section))

    def _held(self, seat: str) -> Counter[str]:
        return Counter(card.rank for card in self.hand[seat])

    def _window(self, seat: str) -> Asking:
        rides = self._rides(seat)
        while rides:
            move = yield seat, [*rides, ("done",)]
            if move == ("done",):
                return
            self._apply(seat, move)
            rides = self._rides(seat)

    def _actions(self, seat: str) -> list[Move]:
        held = self._held(seat)
        moves: list[Move] = [
            ("lay", rank, number, section)
            for rank in held
            if rank != "rider"
            for number in range(1, held[rank] + 1)
            for section in self.sections
        ]
        if held["dragon"]:
            for section in self.sections:
                free = [place for place, card in enumerate(self.row[section]) if card.token is None]
                moves += [("cover", section, place) for place in free]
        if self.pile[seat]:
            moves.append(("draw",))
        return moves

    def _rides(self, seat: str) -> list[Move]:
        rider = any(card.rank == "rider" for card in self.hand[seat])
        return [("ride", section) for section in self.sections] if rider else []

    def _apply(self, seat: str, move: Move) -> None:
        match move:
            case ("lay", str(rank), int(number), str(section)):
                self.row[section] += [self._from_hand(seat, rank) for _ in range(number)]
            case ("ride", str(section)):
                self.row[section].append(self._from_hand(seat, "rider"))
            case ("cover", str(section), int(place)):
                dragon, below = self._from_hand(seat, "dragon"), self.row[section][place]
                dragon.covers, below.covers = [below, *below.covers], []
                self.row[section][place] = dragon
            case ("draw",):
                self.hand[seat].append(self.pile[seat].pop(0))
        if self.finisher is None and not self.hand[seat] and not self.pile[seat]:
            self.finisher = seat

    def _from_hand(self, seat: str, rank: str) -> Card:
        card = next(card for card in self.hand[seat] if card.rank == rank)
        self.hand[seat].remove(card)
        return card

    # ------------------------------------------------------------ tokens

    def _score(self, seat: str) -> Asking:
        due = [section for section in self.sections if self.ahead(seat, section)]
        while due:
            section = due[0]
            if self.options["scoring_order"] == "player":
                section = str((yield seat, [("section", name) for name in due])[1])
            due.remove(section)
            yield from self._win(seat, section)

    def _win(self, seat: str, section: str) -> Asking:
        if self.ending:
            self.scorings[section] += 1
        shown = self.display[section]
        if len(shown) == 2:
            prize = (yield seat, [("prize", value) for value in sorted(set(shown))])[1]
            own: list[Move] = [
                ("bearer", section, place) for place, card in enumerate(self.row[section]) if card.owner == seat
            ]
            place = (yield seat, own)[2]
            assert isinstance(prize, int) and isinstance(place, int)
            shown.remove(prize)
            self.row[section][place].token = prize
            return
        self.won[seat] += shown
        for card in self.row[section]:
            if card.token is not None:
                self.won[card.owner].append(card.token)
            self.cards_gone += 1 + len(card.covers)
        self.row[section] = []
        self._reveal(section)

    def _reveal(self, section: str) -> None:
        shown: list[int] = []
        while len(self.supply) >= 2 and not shown:
            shown = [self.supply.pop(0), self.supply.pop(0)]
            if len(self.seats) == 2 and shown[0] == shown[1]:
                self.tokens_gone += 2
                shown = []
        self.display[section] = shown
        if not shown:
            self.sections.remove(section)
            if not self.sections:
                raise GameOver

    # ------------------------------------------------------------ the end

    def winners(self) -> tuple[str, ...]:
        """Who has the most points in won tokens."""
        best = max(sum(tokens) for tokens in self.won.values())
        return tuple(seat for seat in self.seats if sum(self.won[seat]) == best)
