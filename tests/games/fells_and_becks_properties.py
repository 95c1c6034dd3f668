"""What holds in every game of fells and becks, beside its examples: tiles, tables, labels, and play as in the model."""

from __future__ import annotations

import random
import re
from collections import Counter

from interpreter.loading.rules import Rules
from interpreter.play.game import State
from interpreter.seat.views.model import HIDDEN, View
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
    turned,
)
from tests.support.positions import after_example, opening, positions, texts

NARROW = 5
"""The rows of a steepsided dale."""
COMPARED = 5
"""After so many turns everything is compared; legal moves are compared at every decision."""
CAIRNS = 4
FITS_NOWHERE = 13
"""The seed of a random game of two in which a tile is set aside."""


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


def lying_in(state: State, heap: str) -> Counter[str]:
    """The tiles of a heap, by their designs, without a view of everything else."""
    found = state.evaluate(heap)
    assert isinstance(found, tuple) and set(found) <= DESIGNS.keys()
    return Counter(map(str, found))


def offered(state: State) -> set[str]:
    """The legal moves; none is offered twice."""
    found = [move.notation for move in state.legal_moves]
    assert len(set(found)) == len(found)
    return set(found)


def refused(state: State, game: Game, before: Counter[str], seen: Counter[str]) -> Counter[str]:
    """What has been set aside since fits nowhere."""
    aside = lying_in(state, "aside")
    assert before <= aside
    for design in aside - before:
        assert not list(game.dale.fitting(design))
        seen["aside"] += 1
    return aside


def laid(state: State, game: Game, seat: str, draw: random.Random) -> Spot:
    """Lay the tile that has been drawn somewhere; return where."""
    (design,) = lying_in(state, "drawn")
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


def the_tiles_are_those_of_the_model(rules: Rules) -> None:
    """Each design with its sides and what it keeps apart, how often it can be turned, and how many there are."""
    state = opening(rules, 2, 0)
    for design, (lands, parted, cairns, copies) in DESIGNS.items():
        looks = len({turned(design, north) for north in DIRECTIONS})
        columns = (*DIRECTIONS, "parted", "cairn", "turns", "copies")
        read = [state.evaluate(f"{design}.{column}") for column in columns]
        assert read == [*lands, parted or "heath", bool(cairns), looks, copies]


def mark_of(design: str) -> str:
    """What people see on a tile beside its sides."""
    _, parted, cairns, _ = DESIGNS[design]
    return "cairn" if cairns else "split" if parted else "plain"


def the_tables_tell_the_state(rules: Rules) -> None:
    """The tile to lay, the dale with its wardens, and what each player has."""
    for players in WARDENS:
        for state in positions(rules, players, players):
            view = state.view(None)
            drawn = designs(view, "drawn")
            assert texts(view, "To lay") == [[one, *DESIGNS[one][0], mark_of(one)] for one in drawn]
            tiles, wardens = lying(view, "tile"), lying(view, "warden")
            assert Counter(mark for (mark,) in texts(view, "Tiles")) == Counter(map(mark_of, tiles.values()))
            lands = {note[5:-1]: land for note, land in view.notes.items() if note.startswith("land[")}
            watchable = [side for side, land in lands.items() if land in ("fell", "beck")]
            expected = Counter((lands[side], wardens.get(side, "")) for side in watchable)
            assert Counter((land, owner) for land, owner in texts(view, "Lands")) == expected
            scores = [(seat, view.notes[f"score[{seat}]"], view.zones[f"home[{seat}]"].count) for seat in view.seats]
            assert texts(view, "Players") == [[seat, str(score), str(home)] for seat, score, home in scores]


def what_fits_nowhere_is_announced(rules: Rules) -> None:
    """It is named, once, and listed beside the number of tiles that are left."""
    aside: list[str] = []
    for state in positions(rules, 2, FITS_NOWHERE):
        view = state.view(None)
        aside = list(designs(view, "aside").elements())
        ((left, listed),) = (table.rows[0] for table in view.tables if table.title == "Bag")
        assert left.kind == "value" and left.value == view.zones["bag"].count
        assert listed.kind == "each" and sorted(entry.note.text for entry in listed.entries) == sorted(aside)
    assert aside and announced(state) == [f"the {design} fits nowhere" for design in aside]
    last = after_example(rules, "nobody lays a tile if none of the last ones fits")
    assert announced(last) == ["the straight fits nowhere", "the spring fits nowhere"]


def announced(state: State) -> list[str]:
    """What has been announced so far."""
    return [text for entry in state.log(None) for text in entry.told]


def wardens_are_posted_in_words(rules: Rules) -> None:
    """The land and the side, or that nobody is posted."""
    seen: set[str] = set()
    for seed in range(3):
        state, draw = opening(rules, 2, seed), random.Random(seed)
        while not state.over:
            for move in state.legal_moves:
                if move.name == "post":
                    side = move.notation[5:-1]
                    land = state.evaluate(f"facing(site, {side})")
                    assert move.label == f"post a warden on the {land} to the {side}"
                    seen.add(str(land))
            state.push(draw.choice(state.legal_moves))
    assert seen == {"fell", "beck"}


def points_say_what_they_are_for(rules: Rules) -> None:
    """Each gain names the land and its number of tiles: half a point to two points each, and for two winners half."""
    lands: set[str] = set()
    for seed in range(4):
        outcome = [*positions(rules, 2, seed)][-1].outcome
        assert outcome is not None
        for trees in outcome.explained.values():
            for gain in trees[0].children:
                article, land, of, tiles = gain.text.split()
                number, points = int(tiles), int(gain.value)
                assert (article, of) == ("a", "of")
                assert number <= 4 * points and points <= 2 * (number + CAIRNS)
                lands.add(land)
    assert lands == {"fell", "beck"}


def the_bag_is_shuffled_and_secret(rules: Rules) -> None:
    """Games begin with other tiles, and nobody knows the next one."""
    first: set[str] = set()
    for seed in range(12):
        state = opening(rules, 2, seed)
        zones = state.view("ann").zones
        assert all(piece.attributes["design"] is HIDDEN for piece in zones["bag"].pieces)
        first.update(piece.name for piece in zones["drawn"].pieces)
    assert len(first) > 3


PROPERTIES = {
    "the tiles are those of the model": the_tiles_are_those_of_the_model,
    "the tables tell the state": the_tables_tell_the_state,
    "what fits nowhere is announced": what_fits_nowhere_is_announced,
    "wardens are posted in words": wardens_are_posted_in_words,
    "points say what they are for": points_say_what_they_are_for,
    "the bag is shuffled and secret": the_bag_is_shuffled_and_secret,
    "the model plays the same": the_model_plays_the_same,
}
