"""Dschingis Khan in plain Python, written from the rulebook and not from the rules file, to compare the two.

`Game` plays one game: passive supplies are given top first, and `legal` and `do` follow the decisions. Moves are
tuples: ("settle", {(village, kind), (village, kind)}), ("camp", village), ("wall",), ("token",), ("walls_out",),
("tokens_out",), ("lift",), ("pass",), ("build", line), ("step", village, how, lines that close, kind).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.games.reference_dschingis_khan_wall import AT_VILLAGE, LINES, VILLAGES, Wall, lines_along, other_village

WALLS, HAND = 28, 4
SET = Counter(chinese=5, mongol=5, peasant=5, plague=1, herb=1)

Move = tuple[object, ...]
Asking = Generator[tuple[str, list[Move]], Move, None]


@dataclass(eq=False)
class Token:
    """A token and who has lawfully seen it."""

    kind: str
    owner: str
    seen: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"{self.owner} {self.kind}"


class GameOver(Exception):
    """So many turns were played as were to be."""


class Game:
    """One game, always at a decision or over (`player` is None)."""

    def __init__(
        self, seats: Sequence[str], passive: Mapping[str, Sequence[str]], options: Mapping[str, str], start: str
    ) -> None:
        self.seats = list(seats)
        self.on = {name: value == "true" for name, value in options.items() if value in ("true", "false")}
        self.any_rim, self.turn_cap = options["wall_ends"] == "any_rim", int(options["turn_cap"])
        self.wall = Wall(options["initial_wall"] == "eight_pieces")
        self.supply = WALLS - len(self.wall.piece)
        self.set_aside = self.turns = 0
        self.passive = {seat: [Token(kind, seat) for kind in passive[seat]] for seat in seats}
        assert all(Counter(passive[seat]) == SET for seat in seats)
        self.active: dict[str, list[Token]] = {seat: [] for seat in seats}
        self.lost: dict[str, list[Token]] = {seat: [] for seat in seats}
        self.held = dict.fromkeys(seats, 0)
        self.stack: dict[str, list[Token]] = {village: [] for village in VILLAGES}
        self.scout: dict[str, str | None] = dict.fromkeys(seats)
        self.announcer: str | None = None
        self.last_round = False
        self.used: set[str] = set()
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
        self._note_what_is_seen()

    # ------------------------------------------------------------ who may look

    def controller(self, village: str) -> str | None:
        return self.stack[village][0].owner if self.stack[village] else None

    def _note_what_is_seen(self) -> None:
        for seat in self.seats:
            for token in self.active[seat]:
                token.seen.add(seat)
        for village in VILLAGES:
            for token in self.stack[village]:
                token.seen.add(self.controller(village) or "")

    def seen_in(self, village: str, seat: str) -> list[bool]:
        """Which tokens of a village, from the top, a seat may look at."""
        remembers = self.on["remember_seen"]
        return [self.controller(village) == seat or (remembers and seat in token.seen) for token in self.stack[village]]

    def seen_lost(self, owner: str, seat: str) -> bool:
        return self.on["remember_seen"] and owner == seat

    # ------------------------------------------------------------ the course of play

    def _next(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _from(self, seat: str) -> list[str]:
        place = self.seats.index(seat)
        return self.seats[place:] + self.seats[:place]

    def _play(self, start: str) -> Asking:
        for seat in self._from(start):
            self._take(seat, 2)
            yield from self._settle(seat)
        for seat in self._from(start):
            self._take(seat, 2)
            self.held[seat] += 2
            self.supply -= 2
        seat = start
        while self.announcer is None:
            yield from self._turn(seat)
            seat = self._next(seat)
        self.last_round = True
        for seat in self._from(self._next(self.announcer)):
            yield from self._turn(seat)

    def _take(self, seat: str, number: int) -> None:
        for _ in range(number):
            self.active[seat].append(self.passive[seat].pop(0))
            self.active[seat][-1].seen.add(seat)

    def _settle(self, seat: str) -> Asking:
        one, two = (token.kind for token in self.active[seat])
        scouts = set(self.scout.values())
        moves: list[Move] = []
        for name, line in LINES.items():
            pair = (line["left"], line["right"])
            taken = any(village in scouts for village in pair)
            empty = not any(self.stack[village] for village in pair)
            if line["road"] and name not in self.wall.piece and not taken and (empty or self.on["setup_on_occupied"]):
                ways = {frozenset({(pair[0], one), (pair[1], two)}), frozenset({(pair[0], two), (pair[1], one)})}
                moves += [("settle", way) for way in ways]
        chosen = (yield seat, moves)[1]
        assert isinstance(chosen, frozenset)
        for village, kind in sorted(chosen):
            self._lay(seat, village, kind)
        self.scout[seat] = str((yield seat, [("camp", village) for village, _ in sorted(chosen)])[1])

    def _lay(self, seat: str, village: str, kind: object) -> None:
        token = next(token for token in self.active[seat] if token.kind == kind)
        self.active[seat].remove(token)
        self.stack[village].insert(0, token)
        self._note_what_is_seen()

    def _turn(self, seat: str) -> Asking:
        for _ in range(2):
            yield from self._draw(seat)
        moves: list[Move] = []
        if self.held[seat]:
            moves.append(("walls_out",))
        blocked = self.blocked(seat)
        if self.active[seat]:
            away = self.scout[seat] is None
            if self._camps(seat) if away else not blocked or self.on["blocked_may_deploy"]:
                moves.append(("tokens_out",))
        nothing = not self.held[seat] and not self.active[seat]
        if blocked:
            moves.append(("lift",))
        if nothing or not moves:
            moves.append(("pass",))
        what = (yield seat, moves)[0]
        if what == "walls_out":
            yield from self._build(seat)
        elif what == "tokens_out":
            yield from self._walk(seat)
        elif what == "lift":
            self.scout[seat] = None
        if self.on["check_trigger_at_turn_end"]:
            self._look_for_end(seat)
        self.turns += 1
        if self.turns == self.turn_cap:
            raise GameOver

    def _draw(self, seat: str) -> Asking:
        moves: list[Move] = []
        if self.supply and self.held[seat] < HAND:
            moves.append(("wall",))
        if self.passive[seat] and len(self.active[seat]) < HAND:
            moves.append(("token",))
        if not moves:
            return
        if (yield seat, moves) == ("wall",):
            self.supply -= 1
            self.held[seat] += 1
        else:
            self._take(seat, 1)
        self._check(seat)

    # ------------------------------------------------------------ the end

    def _check(self, seat: str) -> None:
        """What is done after every part that moved."""
        if not self.on["check_trigger_at_turn_end"]:
            self._look_for_end(seat)

    def _look_for_end(self, seat: str) -> None:
        played = self.on["supply_means_all_played"]
        dry = [not self.supply and not (played and any(self.held.values()))]
        dry += [not self.passive[other] and not (played and self.active[other]) for other in self.seats]
        if self.announcer is None and sum(dry) >= 2:
            self.announcer = seat

    # ------------------------------------------------------------ the scout

    def steps(self, seat: str, here: str, visited: set[str]) -> Iterator[tuple[str, str, frozenset[str]]]:
        """Every step a scout could go: where to, how, and which lines it closes."""
        piece, course = self.wall.piece, set(lines_along(self.wall.main))
        barred = visited | {here} | {str(self.scout[other]) for other in self.seats if other != seat}
        shut = self.used_up
        for line in AT_VILLAGE[here]:
            there, road = other_village(line, here), LINES[line]["road"]
            if there in barred:
                continue
            branch_in_the_way = line in piece and self.on["branch_blocks_road"]
            if road and line not in course and not branch_in_the_way:
                yield there, "road", frozenset()
            if line in piece and line not in shut and (road or not self.on["gate_needs_road"]):
                yield there, "gate", frozenset({line})
        stairs = [line for line in piece if line not in shut and (self.on["walk_on_branches"] or line in course)]
        for up in stairs:
            for down in stairs:
                if up != down and here in (LINES[up]["left"], LINES[up]["right"]):
                    for there in (LINES[down]["left"], LINES[down]["right"]):
                        if there not in barred:
                            yield there, "walk", frozenset({up, down})

    @property
    def used_up(self) -> set[str]:
        return {line for line, state in self.wall.piece.items() if state == "closed"}

    def _can_leave(self, seat: str, village: str) -> bool:
        return any(True for _ in self.steps(seat, village, set()))

    def blocked(self, seat: str) -> bool:
        village = self.scout[seat]
        return village is not None and not self._can_leave(seat, village)

    def _camps(self, seat: str) -> list[str]:
        own = [village for village in VILLAGES if self.controller(village) == seat]
        useful = [village for village in own if self._can_leave(seat, village)]
        empty = [village for village in VILLAGES if not self.stack[village] and village not in self.scout.values()]
        if self.on["reenter_any_own"]:
            return own if useful else own + empty
        return useful or empty

    def _walk(self, seat: str) -> Asking:
        if self.scout[seat] is None:
            self.scout[seat] = str((yield seat, [("camp", village) for village in self._camps(seat)])[1])
        start = self.scout[seat]
        assert start is not None
        visited = {start}
        while self.active[seat]:
            kinds = {token.kind for token in self.active[seat]}
            here = self.scout[seat]
            assert here is not None
            moves: list[Move] = [("step", *step, kind) for step in self.steps(seat, here, visited) for kind in kinds]
            if not moves:
                break
            _, village, _, closing, kind = yield seat, moves
            assert isinstance(village, str) and isinstance(closing, frozenset)
            if self.on["close_at_turn_end"]:
                self.used |= closing
            else:
                self.wall.piece.update(dict.fromkeys(closing, "closed"))
            self.scout[seat] = village
            visited.add(village)
            self._lay(seat, village, kind)
            self._check(seat)
        self.wall.piece.update(dict.fromkeys(self.used, "closed"))
        self.used = set()
        self.lost[seat] += self.active[seat]
        self.active[seat] = []
        self._check(seat)

    # ------------------------------------------------------------ walls

    def _build(self, seat: str) -> Asking:
        while self.held[seat]:
            moves: list[Move] = [
                ("build", name)
                for name, line in LINES.items()
                if name not in self.wall.piece
                and any(self.wall.touched(tower) for tower in line["ends"])
                and not (self.on["forbid_branch_loop"] and self.wall.rings_branches(name))
            ]
            if not moves:
                break
            line = str((yield seat, moves)[1])
            self.held[seat] -= 1
            self._check(seat)
            gone = len(self.wall.place(line, self.any_rim))
            if self.last_round:
                self.set_aside += gone
            else:
                self.supply += gone
            self._check(seat)

    # ------------------------------------------------------------ scoring

    def score(self, seat: str) -> int:
        """The points of all villages a seat controls."""
        mongolia = self.wall.mongolia()
        return sum(
            self.points(village, village in mongolia) for village in VILLAGES if self.controller(village) == seat
        )

    def points(self, village: str, mongolian: bool) -> int:
        """What the tokens of a village count together."""
        kinds = Counter(token.kind for token in self.stack[village])
        if bool(kinds["plague"]) != bool(kinds["herb"]):
            sign = -1 if kinds["plague"] else 1
            return sign * (3 * kinds["chinese"] + 3 * kinds["mongol"] + kinds["peasant"])
        fighters = kinds["mongol"] - kinds["chinese"] if mongolian else kinds["chinese"] - kinds["mongol"]
        return 3 * fighters + kinds["peasant"]

    def winners(self) -> tuple[str, ...]:
        """Who has the most points."""
        scores = {seat: self.score(seat) for seat in self.seats}
        return tuple(seat for seat in self.seats if scores[seat] == max(scores.values()))
