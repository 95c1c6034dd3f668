"""Dschingis Khan beside its model in plain Python: what is the same, and what always holds."""

from __future__ import annotations

from collections import Counter

from interpreter.play.game import State
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.model import View
from tests.games import reference_dschingis_khan as reference
from tests.games.playing import Shuffles
from tests.games.reference_dschingis_khan_wall import LINES, VILLAGES, lines_along

SIGHT = 7
"""At every so many decisions what each seat may look at is compared, too."""


def begun(state: State, chance: Shuffles) -> reference.Game:
    """The same game in plain Python."""
    options, seats = state.game.options, state.game.seats
    passive = {seat: [name.split()[1] for name in chance.orders[f"passive[{seat}]"]] for seat in seats}
    start = chance.picked.get("start", options["start"])
    return reference.Game(seats, passive, options, start)


def meant(move: Move, other: reference.Game) -> reference.Move:
    """A move as the other game writes it."""
    given = {name: str(value) for name, value in move.arguments.items()}
    kind = given["t"].split()[1] if "t" in given else ""
    assert other.player is not None
    here = other.scout[other.player]
    match move.name:
        case "take_wall" | "take_token":
            return (move.name.removeprefix("take_"),)
        case "choose":
            return ("camp", given["camp"])
        case "settle":
            kinds = [token.kind for token in other.active[other.player]]
            kinds.remove(kind)
            pair = sorted((LINES[given["l"]]["left"], LINES[given["l"]]["right"]), key=VILLAGES.index)
            return ("settle", frozenset(zip(pair, (kind, kinds[0]), strict=True)))
        case "go_by_road":
            return ("step", beyond(given["l"], here), "road", frozenset(), kind)
        case "go_through":
            return ("step", beyond(given["l"], here), "gate", frozenset({given["l"]}), kind)
        case "go_along":
            return ("step", given["w"], "walk", frozenset({given["x"], given["y"]}), kind)
        case "build":
            return ("build", given["l"])
        case name:
            return (name,)


def beyond(line: str, village: str | None) -> str:
    (there,) = {LINES[line]["left"], LINES[line]["right"]} - {village}
    return str(there)


def names(view: View, zone: str) -> list[str]:
    return [piece.name for piece in view.zones[zone].pieces]


def count(view: View, zone: str) -> int:
    return view.zones[zone].count


def same_table(state: State, view: View, other: reference.Game) -> None:
    """Everything on the table is the same in both games."""
    notes, wall, board = view.notes, other.wall, view.tables[0]
    assert state.player == other.player
    assert {line for line in LINES if count(view, f"wall[{line}]")} == set(wall.piece)
    assert set(notes["shut"]) == {line for line, gate in wall.piece.items() if gate == "closed"}
    assert set(notes["main"]) == set(lines_along(wall.main))
    assert (notes["head"], notes["tail"]) == (wall.main[0], wall.main[-1])
    assert notes["announcer"] == other.announcer
    assert (count(view, "walls"), count(view, "set_aside")) == (other.supply, other.set_aside)
    for seat in other.seats:
        assert count(view, f"held[{seat}]") == other.held[seat]
        assert names(view, f"passive[{seat}]") == [token.name for token in other.passive[seat]]
        assert Counter(names(view, f"active[{seat}]")) == Counter(token.name for token in other.active[seat])
        assert Counter(names(view, f"lost[{seat}]")) == Counter(token.name for token in other.lost[seat])
        assert notes[f"scout[{seat}]"] == other.scout[seat]
    for village in VILLAGES:
        assert names(view, f"stack[{village}]") == [token.name for token in other.stack[village]]
    shown = dict(zip(board.board.places, (row[0].text for row in board.rows), strict=True))
    mongolia = wall.mongolia()
    assert shown == {village: "mongolia" if village in mongolia else "china" for village in VILLAGES}
    invariants(view, other)
    if state.ply % SIGHT == 0 and not state.over:
        same_sight(state, other)


def same_sight(state: State, other: reference.Game) -> None:
    """Every seat may look at the same tokens in both games."""
    for seat in other.seats:
        zones = state.view(seat).zones

        def looked(zone: str, zones: View = zones) -> list[bool]:
            return [not piece.hidden for piece in zones[zone].pieces]

        for village in VILLAGES:
            assert looked(f"stack[{village}]") == other.seen_in(village, seat)
        for owner in other.seats:
            assert looked(f"active[{owner}]") == [owner == seat] * len(other.active[owner])
            assert looked(f"passive[{owner}]") == [False] * len(other.passive[owner])
            assert looked(f"lost[{owner}]") == [other.seen_lost(owner, seat)] * len(other.lost[owner])


def invariants(view: View, other: reference.Game) -> None:
    """What is conserved, the tree of the wall, and the limits of the hands."""
    zones = view.zones
    pieces = [piece for zone in zones.values() for piece in zone.pieces]
    owners = Counter(piece.attributes["owner"] for piece in pieces if piece.type == "Token")
    assert [owners[seat] for seat in other.seats] == [17] * len(other.seats)
    assert sum(piece.type == "Wall" for piece in pieces) == 28
    wall = {line for line in LINES if zones[f"wall[{line}]"].count}
    assert set(view.notes["main"]) <= wall
    assert set(view.notes["shut"]) <= wall
    towers = {tower for line in wall for tower in LINES[line]["ends"]}
    assert len(towers) == len(wall) + 1, "one tree has one line less than towers"
    assert connected(wall) == 1
    assert path_between(view.notes["head"], view.notes["tail"], wall) == set(view.notes["main"])
    for seat in other.seats:
        assert zones[f"held[{seat}]"].count <= 4
        assert zones[f"active[{seat}]"].count <= 4
    scouts = [village for name, village in view.notes.items() if name.startswith("scout") and village is not None]
    assert len(set(scouts)) == len(scouts)


def connected(lines: set[str]) -> int:
    """In how many parts the lines fall."""
    parts: list[set[str]] = []
    for line in lines:
        joined = set(LINES[line]["ends"])
        for part in [part for part in parts if part & joined]:
            parts.remove(part)
            joined |= part
        parts.append(joined)
    return len(parts)


def path_between(start: str, end: str, lines: set[str]) -> set[str]:
    """The lines that are left of a tree when dead ends other than these two are taken off again and again."""
    left = set(lines)
    while True:
        degree = Counter(tower for line in left for tower in LINES[line]["ends"])
        dead = {tower for tower, number in degree.items() if number == 1} - {start, end}
        if not dead:
            return left
        left = {line for line in left if not dead & set(LINES[line]["ends"])}


def same_end(state: State, other: reference.Game) -> None:
    """Points and winners agree, and everything is open."""
    outcome = state.outcome
    assert outcome is not None
    assert other.player is None
    assert outcome.winners == other.winners()
    assert outcome.scores == {seat: (other.score(seat),) for seat in other.seats}
