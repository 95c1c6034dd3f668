"""What holds in every game of spades, beside its examples: its options, what people see, and the deal."""

from __future__ import annotations

from interpreter.loading.rules import Rules
from interpreter.seat.views.model import HIDDEN, View
from tests.support.positions import opening, positions, texts

SEATS = ("north", "east", "south", "west")
SIDES = ("north_south", "east_west")
RANKS = "two three four five six seven eight nine ten jack queen king ace"
SUITS = "clubs diamonds hearts spades"
PACK = sorted(f"{rank} {suit}" for rank in RANKS.split() for suit in SUITS.split())


def cards(view: View, zone: str) -> list[str]:
    """The cards in a zone that a view shows."""
    pieces = view.zones[zone].pieces
    return [piece.name for piece in pieces if HIDDEN not in piece.attributes.values()]


def the_options(rules: Rules) -> None:
    """Their values, and what is played unless somebody chooses something else."""
    found = {info.name: info for info in opening(rules, 4, 0).game.option_info}
    for name, low, default in (("goal", 50, 500), ("mercy", 100, 350)):
        assert found[name].values == tuple(map(str, range(low, 501)))
        assert found[name].default == str(default)
    assert found["first_dealer"].values == (*SEATS, "random")
    assert found["first_dealer"].default == "random"


def the_tables_tell_the_state(rules: Rules) -> None:
    """What each player has bid, taken and played, what each side has, and one's own hand."""
    for state in positions(rules, 4, 1, {"goal": "100"}):
        for viewer in SEATS:
            view = state.view(viewer)
            found = [
                [seat, str(view.notes[f"bids[{seat}]"]).replace("None", "none"), str(view.notes[f"tricks[{seat}]"])]
                for seat in SEATS
            ]
            played = [" ".join(cards(view, f"played[{seat}]")) for seat in SEATS]
            assert texts(view, "Players") == [[*row, card] for row, card in zip(found, played, strict=True)]
            sides = [[side, str(view.notes[f"score[{side}]"]), str(view.notes[f"bags[{side}]"])] for side in SIDES]
            assert texts(view, "Sides") == sides
            assert texts(view, "Spades") == [["true" if view.notes["broken"] else "false"]]
            assert texts(view, "You") == [[" ".join(cards(view, f"held[{viewer}]"))]]


def moves_are_written_as_players_do(rules: Rules) -> None:
    """A bid is a number, and a card is played."""
    state = opening(rules, 4, 0)
    assert [move.label for move in state.legal_moves] == [f"bid {number}" for number in range(14)]
    for _ in SEATS:
        state.push("bid(1)")
    own = cards(state.view(state.player), f"held[{state.player}]")
    assert {move.label for move in state.legal_moves} <= {f"play {card}" for card in own}


def a_pack_is_dealt_at_random(rules: Rules) -> None:
    """Every card once, each hand seen by its owner only, in the table and in the log."""
    deals = set()
    for seed in range(3):
        state = opening(rules, 4, seed)
        views = {seat: state.view(seat) for seat in SEATS}
        hands = {seat: cards(views[seat], f"held[{seat}]") for seat in SEATS}
        assert sorted(card for hand in hands.values() for card in hand) == PACK
        deals.add(tuple(hands["north"]))
        for viewer in SEATS:
            log = str([entry.details for entry in state.log(viewer)])
            for seat in SEATS:
                assert seat == viewer or not cards(views[viewer], f"held[{seat}]")
                assert all((card in log) == (seat == viewer) for card in hands[seat])
    assert len(deals) == 3


PROPERTIES = {
    "the options": the_options,
    "the tables tell the state": the_tables_tell_the_state,
    "moves are written as players do": moves_are_written_as_players_do,
    "a pack is dealt at random": a_pack_is_dealt_at_random,
}
