"""Mauerbauer beside its model in plain Python: what is the same, and what always holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from interpreter.play.game import State
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.model import View
from tests.games import reference_mauerbauer as reference
from tests.games.playing import Shuffles
from tests.games.reference_mauerbauer import BOARD

PIECES = {"Wall": 33, "Tower": 30, "House": 60, "Palace": 15, "Card": 60}
NAMES = {
    "fields": "size", "tower_in": "tower", "build": "build", "out_house": "out-house", "out_region": "out-region",
    "out_tower": "out-tower",
}  # fmt: skip
PLAIN = {"fields_7": "size-7", "all_towers": "towers", "all_palaces": "palaces", "all_cities": "cities"}


def begun(state: State, chance: Shuffles) -> reference.Game:
    """The same game in plain Python."""
    game = state.game
    start = chance.picked.get("start", game.options["start"])

    def pile() -> list[str]:
        return [card(name) for name in chance.orders["pile"]]

    def dice() -> reference.Dice:
        return chance.picked["shade_die"], chance.picked["colour_die[1]"], chance.picked["colour_die[2]"]

    return reference.Game(game.seats, game.options, start, pile(), dice, pile)


def card(name: str) -> str:
    """A kind of card as the other game writes it: `build(red)` is `build-red`."""
    kind, _, which = name.rstrip(")").partition("(")
    return f"{NAMES[kind]}-{which}" if which else PLAIN.get(name, name.replace("_", "-"))


def cards(words: str) -> tuple[str, ...]:
    return tuple(sorted(card(name) for name in words.strip("[]").split(", ")))


def fields(words: str) -> frozenset[str]:
    return frozenset(words.strip("{}").split(", "))


def meant(move: Move, other: reference.Game) -> reference.Move:
    """A move as the other game writes it."""
    given = {name: str(value) for name, value in move.arguments.items()}
    match move.name:
        case "build_wall":
            return ("wall", given["l"])
        case "raise_one":
            return ("towers", frozenset({(given["v"], given["a"])}))
        case "raise_two":
            spots = sorted({v for way in other.legal for v, _ in way[1]}, key=BOARD.spots.index)
            return ("towers", frozenset(zip(spots, (given["a"], given["b"]), strict=True)))
        case "settle_one":
            return ("houses", frozenset({(given["f"], given["a"])}))
        case "settle_two":
            sides = sorted({f for way in other.legal for f, _ in way[1]}, key=BOARD.fields.index)
            return ("houses", frozenset(zip(sides, (given["a"], given["b"]), strict=True)))
        case "choose" if "city_to_join" in given:
            return ("merge", fields(given["city_to_join"]))
        case "choose":
            return ("give", card(given["cards_to_exchange"]))
        case "lay_off":
            return ("lay off", card(given["c"]))
        case "play_for_a_city":
            return ("last", fields(given["g"]), cards(given["cards"]))
        case "play" if other.legal[0] == ("done",):
            return ("last", frozenset(), cards(given["cards"]))
        case "play":
            return ("play", cards(given["cards"]))
        case "play_nothing":
            return ("done",)
        case name:
            return (name,)


def eagerly(moves: Sequence[Move], other: reference.Game, rng: random.Random) -> int:
    """The number of a random move, but of a wall that closes a city if there is one, and rather of joining cities."""

    def wanted(move: Move) -> bool:
        if move.name == "build_wall":
            return closes(str(move.arguments["l"]), other.table)
        return "city_to_join" in move.arguments

    return rng.choice([index for index, move in enumerate(moves) if wanted(move)] or range(len(moves)))


def closes(line: str, table: reference.Table) -> bool:
    """Whether a wall on a free line would close a city."""
    table.walls.add(line)
    closed = any(table.flood(field) for field in BOARD.sides[line])
    table.walls.remove(line)
    return closed


def same_table(state: State, view: View, other: reference.Game) -> None:
    """Everything on the table is the same in both games."""
    zones, notes, table = view.zones, view.notes, other.table

    def kinds(zone: str, attribute: str) -> Counter[str]:
        return Counter(piece.attributes[attribute] for piece in zones[zone].pieces)

    def held(zone: str) -> Counter[str]:
        return Counter(card(piece.name) for piece in zones[zone].pieces)

    assert state.player == other.player
    assert {line for line in BOARD.ends if zones[f"wall[{line}]"].count} == table.walls
    for spot in BOARD.spots:
        assert kinds(f"tower[{spot}]", "shade") == Counter([table.tower[spot]] if spot in table.tower else [])
    for field in BOARD.fields:
        assert kinds(f"house[{field}]", "colour") == table.houses[field]
        assert kinds(f"palace[{field}]", "colour") == table.palaces[field]
    walls, towers, houses, palaces = table.left()
    assert zones["walls"].count == walls
    assert kinds("towers", "shade") == towers
    assert kinds("houses", "colour") == houses
    assert kinds("palaces", "colour") == palaces
    assert [card(piece.name) for piece in zones["pile"].pieces] == other.pile
    assert held("discard_pile") == other.discards
    for seat in other.seats:
        assert held(f"hand[{seat}]") == other.hand[seat]
        assert held(f"played[{seat}]") == other.shown[seat]
        assert held(f"laid_off[{seat}]") == other.hidden[seat]
        assert notes[f"score[{seat}]"] == other.score[seat]
    assert set(notes["new_city"]) == other.city
    assert (notes["finisher"] is not None) == other.ended
    (cities,) = (each for each in view.tables if each.title == "Cities")
    assert [fields(row[0].text) for row in cities.rows] == table.cities()
    invariants(state, view, table.in_cities())


def invariants(state: State, view: View, inside: set[str]) -> None:
    """All pieces are there, and no line in a city is free."""
    lying = Counter(piece.type for zone in view.zones.values() for piece in zone.pieces)
    assert lying == PIECES
    for move in state.legal_moves:
        if move.name == "build_wall":
            assert not inside & set(BOARD.sides[str(move.arguments["l"])])


def same_end(state: State, other: reference.Game) -> None:
    """Points, winners and the one who ended the game agree; no line was used twice."""
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winners == other.winners()
    assert outcome.scores == {seat: (other.score[seat], other.hand[seat].total()) for seat in other.seats}
    assert state.view(None).notes["finisher"] == other.last
    assert other.turns <= len(BOARD.ends)
    lines = [made.notation for made in state.history if made.notation.startswith("build_wall")]
    assert len(set(lines)) == len(lines) == other.turns
