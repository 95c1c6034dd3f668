"""Chinesische Mauer beside its model in plain Python: what is the same, and what always holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from interpreter.play.game import Game, State
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.model import PieceView, View
from tests.games import reference_chinesische_mauer as reference
from tests.games.playing import Shuffles, pieces


def begun(state: State, chance: Shuffles) -> reference.Game:
    """The same game in plain Python."""
    game = state.game
    options = {**game.options, "together": "same_value" if "equal_cards" in game.variants else "same_kind"}
    piles = {seat: [name.split()[1] for name in chance.orders[f"pile[{seat}]"]] for seat in game.seats}
    supply = [int(name) for name in chance.orders["supply"]]
    start = chance.picked.get("start", game.options["start"])
    return reference.Game(game.seats, piles, supply, options, start)


def meant(move: Move, other: reference.Game) -> reference.Move:
    """A move as the other game writes it."""
    given = move.arguments
    match move.name:
        case "lay":
            return ("lay", given["kind"], given["n"], given["s"])
        case "ride":
            return ("ride", given["s"])
        case "cover":
            return ("cover", given["s"], position(str(given["c"]), "cover", str(given["s"]), other))
        case "choose" if "s" in given:
            return ("section", given["s"])
        case "choose" if "cards_of_equal_value" in given:
            return ("also", str(given["cards_of_equal_value"]).split()[-1])
        case "choose" if "prize" in given:
            return ("prize", int(given["prize"]))
        case "choose":
            section = next(str(legal[1]) for legal in other.legal)
            return ("bearer", section, position(str(given["bearer"]), "bearer", section, other))
        case name:
            return (name,)


def position(words: str, kind: str, section: str, other: reference.Game) -> int:
    """Where the piece lies that a move names: by its number, or the only one of its name that can be meant."""
    if words.startswith("nth("):
        return int(words.removeprefix("nth(").split(",")[0]) - 1
    found = [
        int(legal[2])
        for legal in other.legal
        if legal[:2] == (kind, section) and other.row[section][int(legal[2])].name == words
    ]
    assert len(found) == 1, (words, found)
    return found[0]


def names(cards: Iterable[PieceView]) -> list[str]:
    return [card.name for card in cards]


def same_table(state: State, view: View, other: reference.Game) -> None:
    """Everything on the table is the same in both games."""
    zones: dict[str, Any] = {name: zone.pieces for name, zone in view.zones.items()}
    assert state.player == other.player
    assert list(view.notes["open"]) == other.sections
    assert view.notes["finisher"] == other.finisher
    for seat in other.seats:
        assert Counter(names(zones[f"hand[{seat}]"])) == Counter(card.name for card in other.hand[seat])
        assert names(zones[f"pile[{seat}]"]) == [card.name for card in other.pile[seat]]
        assert sorted(map(int, names(zones[f"won[{seat}]"]))) == sorted(other.won[seat])
    assert list(map(int, names(zones["supply"]))) == other.supply
    for section in other.sections:
        assert Counter(map(int, names(zones[f"display[{section}]"]))) == Counter(other.display[section])
        laid = [
            (
                card.name,
                sorted(names(card.attached.get("under", []))),
                [int(token.name) for token in card.attached.get("fame_on", [])],
            )
            for card in zones[f"row[{section}]"]
        ]
        assert laid == [
            (card.name, sorted(c.name for c in card.covers), [] if card.token is None else [card.token])
            for card in other.row[section]
        ]
    gone = Counter(piece.type for piece in zones["box"])
    assert (gone["Card"], gone["Token"]) == (other.cards_gone, other.tokens_gone)
    same_points(view, other)
    invariants(view, state.game)


def same_points(view: View, other: reference.Game) -> None:
    """The points and card values shown are those worked out independently."""
    wall = next(table for table in view.tables if table.title == "Wall")
    assert [row[0].text for row in wall.rows] == other.sections
    for (_, _, cards, points), section in zip(wall.rows, other.sections, strict=True):
        values = [entry.note.value for entry in cards.entries]
        assert values == [other.value(card, section) for card in other.row[section]]
        shown = {entry.item.text: entry.note.value for entry in points.entries}
        present = [seat for seat in other.seats if other.present(seat, section)]
        assert shown == {seat: other.points(seat, section) for seat in present}


def invariants(view: View, game: Game) -> None:
    """Section 5i of the acceptance specification."""
    everything = [piece for zone in view.zones.values() for piece in pieces(zone.pieces)]
    owners = Counter(piece.attributes["owner"] for piece in everything if piece.type == "Card")
    assert [owners[seat] for seat in game.seats] == [20] * len(game.seats)
    assert Counter(piece.type for piece in everything)["Token"] == 36
    for zone, content in view.zones.items():
        kind, _, section = zone.partition("[")
        if kind != "row":
            continue
        shown = view.zones[f"display[{section}"].count
        laid = sum("fame_on" in card.attached for card in content.pieces)
        known = section.rstrip("]") in view.notes["open"]
        assert (shown, laid) in (((2, 0), (1, 1)) if known else ((0, 0),))
        assert known or not content.pieces
    wall = next(table for table in view.tables if table.title == "Wall")
    for row in wall.rows:
        points = {entry.item.text: entry.note.value for entry in row[3].entries}
        burdened = {
            entry.item.pieces[0].attributes["owner"]
            for entry in row[2].entries
            if "fame_on" in entry.item.pieces[0].attached
        }
        below = {seat for seat, number in points.items() if number < 0}
        assert len(below) <= 1
        assert below <= burdened


def same_end(state: State, other: reference.Game) -> None:
    """Points and winners agree, and nobody had more turns than there are cards to play."""
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winners == other.winners()
    assert outcome.scores == {seat: (sum(other.won[seat]),) for seat in other.seats}
    assert max(other.turns.values()) <= 36
    assert max(other.scorings.values(), default=0) <= 2
