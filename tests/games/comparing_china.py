"""China beside its model in plain Python: what is the same, and what always holds."""

from __future__ import annotations

from collections import Counter

from interpreter.play.game import State
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.model import View
from tests.games import reference_china as reference
from tests.games.playing import Shuffles

TURN = ("build", "send", "fortify", "exchange")
CARDS = {3: 47, 4: 52, 5: 57}


def begun(state: State, chance: Shuffles) -> reference.Game:
    """The same game in plain Python."""
    game = state.game
    start = chance.picked.get("start", game.options["start"])
    options = {**game.options, "cards": "even" if "even_cards" in game.variants else "printed"}
    return reference.Game(game.seats, chance.orders["deck"], options, start, lambda: list(chance.orders["deck"]))


def meant(move: Move, other: reference.Game) -> reference.Move:
    """A move as the other game writes it."""
    given = {name: str(value) for name, value in move.arguments.items()}
    match move.name:
        case "build":
            assert other.board.province[given["x"]] == given["p"]
            return ("house", given["x"], given["paid"])
        case "fortify":
            assert other.board.province[given["x"]] == given["p"]
            return ("fort", given["x"], given["paid"])
        case "send":
            return ("emissary", given["p"], given["paid"])
        case "exchange":
            return ("exchange", given["given_up"])
        case "exchange_too":
            return ("exchange too", given["given_up"])
        case "throw_away":
            return ("waste", given["thrown"])
        case "take_open":
            return ("open", given["c"])
        case "take_hidden":
            return ("hidden",)
        case name:
            return (name,)


def same_table(state: State, view: View, other: reference.Game) -> None:
    """Everything on the table is the same in both games."""
    zones = view.zones

    def cards(zone: str) -> list[str]:
        return [piece.attributes["colour"] for piece in zones[zone].pieces]

    def owners(zone: str) -> Counter[str]:
        return Counter(piece.attributes["owner"] for piece in zones[zone].pieces)

    assert state.player == other.player
    assert cards("deck") == other.deck
    assert Counter(cards("display")) == Counter(other.display)
    assert cards("discard_top") == other.discards[-1:]
    assert Counter(cards("discard_pile")) == Counter(other.discards[:-1])
    for space in other.board.province:
        assert owners(f"house[{space}]") == Counter([other.house[space]] if space in other.house else [])
        assert zones[f"fort[{space}]"].count == (space in other.fort)
    for province, court in other.court.items():
        assert owners(f"court[{province}]") == Counter(court)
    for seat in other.seats:
        assert Counter(cards(f"hand[{seat}]")) == Counter(other.hand[seat])
        left = Counter(piece.type for piece in zones[f"stock[{seat}]"].pieces)
        stock = other.stock[seat]
        assert (left["House"], left["Emissary"], left["Fort"]) == (stock["house"], stock["emissary"], stock["fort"])
        assert view.notes[f"score[{seat}]"] == other.score[seat]
    assert set(view.notes["scored"]) == set(other.scored)
    assert view.notes["used_up_times"] == other.ends_of_deck
    invariants(state, view)


def invariants(state: State, view: View) -> None:
    """What holds at every decision, read from the view alone."""
    zones, game = view.zones, state.game
    lying = {name: Counter(piece.type for piece in zone.pieces) for name, zone in zones.items()}
    assert sum(found["Card"] for found in lying.values()) == CARDS[len(game.seats)]
    assert sum(found["House"] for found in lying.values()) == 20 * len(game.seats)
    assert sum(found["Emissary"] for found in lying.values()) == 8 * len(game.seats)
    assert sum(found["Fort"] for found in lying.values()) == len(game.seats) * (game.options["advanced"] == "true")
    houses: dict[str, Counter[str]] = {}
    for name, zone in zones.items():
        if name.startswith("house["):
            owners = (piece.attributes["owner"] for piece in zone.pieces)
            houses.setdefault(name[6:].rstrip("0123456789]"), Counter()).update(owners)
    for province, owned in houses.items():
        assert lying[f"court[{province}]"].total() <= max(owned.values(), default=0)
    question = state.question
    if question is not None and question.names == TURN:
        assert lying[f"hand[{question.player}]"]["Card"] == 3
        filled = lying["display"].total() == 4
        assert filled or view.notes["used_up_times"] == 2


def same_end(state: State, other: reference.Game) -> None:
    """Points, winners and turns agree, and every province is scored."""
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winners == other.winners()
    assert outcome.scores == {seat: (other.score[seat], other.left(seat)) for seat in other.seats}
    assert sorted(other.scored) == sorted(other.board.spaces), "every province is scored, and once"
    if other.ends_of_deck == 2:
        assert len(set(other.turns.values())) == 1
