"""What holds in every game of fells and becks, beside its examples: it is the game that the model plays."""

from __future__ import annotations

import random
import re
from collections import Counter

from interpreter import State, View
from interpreter.loading.rules import Rules
from tests.games.reference_fells_and_becks import (
    DESIGNS,
    DIRECTIONS,
    SEATS,
    WARDENS,
    Dale,
    Game,
    Side,
    Spot,
    all_tiles,
    beside,
    opposite,
)
from tests.support.positions import opening

NARROW = 5
"""The rows of a steepsided dale."""
COMPARED = 5
"""After so many turns everything is compared; legal moves are compared at every decision."""


def spot_of(name: str) -> Spot:
    """The column and the row of a place by its name, such as `w2n1`."""
    across, columns, up, rows = re.fullmatch(r"([ew])(\d+)([ns])(\d+)", name).groups()  # type: ignore[union-attr]
    return int(columns) * (-1 if across == "w" else 1), int(rows) * (-1 if up == "s" else 1)


def sides_of(name: str) -> list[Side]:
    """The two sides that meet between two places, by the name of the edge."""
    one, other = map(spot_of, name.split("_"))
    return [
        (*first, direction)
        for first, second in ((one, other), (other, one))
        for direction in DIRECTIONS
        if beside(first, direction) == second
    ]


def lying(view: View, zone: str) -> dict[str, str]:
    """What lies at the places of a zone: the design of a tile, the owner of a warden."""
    found = {}
    for name, content in view.zones.items():
        if name.startswith(f"{zone}[") and content.pieces:
            piece = content.pieces[0]
            found[name[len(zone) + 1 : -1]] = piece.owner or str(piece.attributes["design"])
    return found


def designs(view: View, zone: str) -> Counter[str]:
    """The tiles of a heap, by their designs."""
    return Counter(str(piece.attributes["design"]) for piece in view.zones[zone].pieces)


def compare(view: View, game: Game) -> None:
    """The map, the wardens and the points are those of the model, and nothing has been lost."""
    tiles, wardens = lying(view, "tile"), lying(view, "warden")
    assert {spot_of(name): design for name, design in tiles.items()} == game.dale.tiles
    lands = {
        side: view.notes[f"land[{name}]"]
        for name in (note[5:-1] for note in view.notes if note.startswith("land["))
        for side in sides_of(name)
        if view.notes[f"land[{name}]"] is not None and side[:2] in game.dale.tiles
    }
    assert lands == game.dale.lands
    posted = {name: {game.wardens[side] for side in sides_of(name) if side in game.wardens} for name in wardens}
    assert posted == {name: {owner} for name, owner in wardens.items()}
    assert len(game.wardens) == len(wardens)
    for seat in SEATS[: game.players]:
        assert view.notes[f"score[{seat}]"] == game.score[seat]
        assert view.zones[f"home[{seat}]"].count == game.home(seat)
        assert game.home(seat) + list(wardens.values()).count(seat) == WARDENS[game.players]
    known = Counter(tiles.values()) + designs(view, "aside") + designs(view, "drawn")
    assert sum(known.values()) + view.zones["bag"].count == sum(all_tiles().values())
    assert known <= all_tiles()
    for (column, row, direction), land in game.dale.lands.items():
        assert game.dale.lands.get((*beside((column, row), direction), opposite(direction)), land) == land


def play(rules: Rules, players: int, seed: int, *, highest: int = 9, full_shares: bool = False) -> Counter[str]:
    """Play a random game beside the model; return what has happened in it, to see that all of it does."""
    state, draw, seen = opening(rules, players, seed), random.Random(seed), Counter[str]()
    game = Game(players, Dale(highest), full_shares)
    game.dale.put("force", (0, 0), "north")
    aside: Counter[str] = Counter()
    turn = 0
    while not state.over:
        aside = refused(state, game, aside, seen)
        seat = SEATS[turn % players]
        spot = laid(state, game, seat, draw)
        if posts := game.free(seat, spot):
            assert (state.player, offered(state)) == (seat, {*(f"post({one})" for one in posts), "done"})
            move = draw.choice(state.legal_moves)
            if move.notation != "done":
                game.post(seat, spot, move.notation[5:-1])
            seen[move.name] += 1
            state.push(move)
        before = len(game.wardens)
        game.finish(spot)
        seen["returned"] += before - len(game.wardens)
        turn += 1
        if turn % COMPARED == 0 and not state.over:
            compare(state.view(None), game)
    refused(state, game, aside, seen)
    game.end()
    compare(state.view(None), game)
    assert state.outcome is not None
    assert dict(state.outcome.places) == game.places()
    assert state.view(None).zones["bag"].count == 0
    return seen


def offered(state: State) -> set[str]:
    """The legal moves; none is offered twice."""
    found = [move.notation for move in state.legal_moves]
    assert len(set(found)) == len(found)
    return set(found)


def refused(state: State, game: Game, before: Counter[str], seen: Counter[str]) -> Counter[str]:
    """What has been set aside since fits nowhere."""
    aside = designs(state.view(None), "aside")
    assert before <= aside
    for design in aside - before:
        assert not list(game.dale.fitting(design))
        seen["aside"] += 1
    return aside


def laid(state: State, game: Game, seat: str, draw: random.Random) -> Spot:
    """Lay the tile that has been drawn somewhere; return where."""
    (piece,) = state.view(None).zones["drawn"].pieces
    design = str(piece.attributes["design"])
    assert design in DESIGNS
    named = {(spot_of(move.split(", ")[0][4:]), move.split(", ")[1][:-1]) for move in offered(state)}
    assert (state.player, named) == (seat, set(game.dale.fitting(design)))
    move = draw.choice(state.legal_moves)
    place, north = move.notation[4:-1].split(", ")
    assert move.label == f"lay it at {place}, its north to the {north}"
    game.dale.put(design, spot_of(place), north)
    state.push(move)
    return spot_of(place)


def the_model_plays_the_same(rules: Rules) -> None:
    """A game of each number of players."""
    seen: Counter[str] = Counter()
    for players in WARDENS:
        seen += play(rules, players, players)
    assert seen.keys() >= {"post", "done", "returned"}


PROPERTIES = {"the model plays the same": the_model_plays_the_same}
