"""What holds in every game of Tallow Lane, beside its examples: cards, tables, labels, announcements, the end."""

from __future__ import annotations

import random
from collections import Counter

from interpreter.loading.rules import Rules
from interpreter.play.game import State
from interpreter.seat.views.model import View
from tests.games.tallow_lane_player import PLANS, next_move, number, played_out
from tests.support.positions import opening, positions, texts

SEATS = ("ada", "bram", "cora", "dirk")
HELPERS_LIGHTS_PENNIES = {2: (7, 7, 26), 3: (8, 10, 36), 4: (9, 12, 46)}
MONEY = {"penny": (0, 1), "shilling": (3, 2), "crown": (6, 3)}
CANDLES = {"stub": (2, 1), "chandelier": (5, 0), "candelabrum": (8, 6)}
HELPERS = {
    "lantern": (2, 0, 2, 0, 0), "snuffer": (2, 0, 0, 0, 0), "apprentice": (3, 0, 1, 2, 0), "candlemas": (3, 0, 2, 0, 0),
    "night_watch": (3, 0, 1, 1, 0), "chandler": (4, 0, 3, 0, 0), "double_dip": (4, 0, 0, 0, 0),
    "draught": (4, 2, 0, 0, 0), "handcart": (4, 2, 0, 1, 0), "moulder": (4, 0, 0, 0, 0), "beehive": (5, 2, 0, 0, 1),
    "stall": (5, 1, 1, 1, 1),
}  # fmt: skip
"""The price of a helper, and the coins, cards, plays and buys that it gives."""
LAST_ROUND = "shops are sold out: this round is the last"
LONGEST = 1_000


def printed(kind: str) -> list[str]:
    """What a row of the table says of a kind: its price, its light, the coins, cards, plays and buys that it gives."""
    if kind in HELPERS:
        price, *gives = HELPERS[kind]
        return [str(number) for number in (price, 0, *gives)]
    if kind in MONEY:
        price, coins = MONEY[kind]
        return [str(number) for number in (price, 0, coins, 0, 0, 0)]
    price, light = CANDLES[kind]
    return [str(number) for number in (price, light, 0, 0, 0, 0)]


def begun_with(players: int) -> Counter[str]:
    """All cards that there are."""
    helpers, lights, pennies = HELPERS_LIGHTS_PENNIES[players]
    return Counter(
        {
            **dict.fromkeys(HELPERS, helpers),
            **dict.fromkeys(CANDLES, lights),
            "penny": pennies,
            "shilling": 20,
            "crown": 12,
            "stub": lights + 3 * players,
        }
    )


def lying(view: View, *zones: str) -> Counter[str]:
    """The cards in these zones, of a zone without its index those at all its places."""
    return Counter(
        str(piece.attributes["kind"])
        for name, zone in view.zones.items()
        if name in zones or name.partition("[")[0] in zones
        for piece in zone.pieces
    )


def no_card_is_created_or_lost(rules: Rules) -> None:
    """Nothing stays behind on the counter, and nothing is shown but in passing."""
    for players in HELPERS_LIGHTS_PENNIES:
        for state in positions(rules, players, players):
            view = state.view(None)
            everywhere = lying(view, "shop", "deck", "hand", "bench", "counter", "shown", "discards", "ashes")
            assert everywhere == begun_with(players)
            assert not view.zones["shown"].count
            assert not view.zones["counter"].count or "cart" in offered(state)


def everybody_begins_with_the_same_cards(rules: Rules) -> None:
    """Seven pennies and three stubs, five of them in hand."""
    for players in HELPERS_LIGHTS_PENNIES:
        view = opening(rules, players, players).view(None)
        for seat in SEATS[:players]:
            assert [view.zones[f"{zone}[{seat}]"].count for zone in ("hand", "deck", "discards")] == [5, 5, 0]
            assert lying(view, f"hand[{seat}]", f"deck[{seat}]") == Counter(penny=7, stub=3)


def the_tables_tell_the_state(rules: Rules) -> None:
    """The shops with what is printed on their cards, the candle makers, and the bench."""
    for players in HELPERS_LIGHTS_PENNIES:
        for state in positions(rules, players, 20 + players):
            view = state.view(None)
            rows = {row[0]: row[1:-1] for row in texts(view, "The lane")}
            left = lying(view, "shop")
            assert rows.keys() == left.keys()
            for kind, (price, count, *gives) in rows.items():
                assert [price, *gives] == printed(kind)
                assert int(count) == left[kind]
            for seat, (name, deck, hand, discards) in zip(state.game.seats, texts(view, "Candle makers"), strict=True):
                assert name == seat
                assert int(deck) == view.zones[f"deck[{seat}]"].count
                assert Counter(hand.split()) == lying(view, f"hand[{seat}]") or hand in ("nothing", "")
                assert int(discards) == view.zones[f"discards[{seat}]"].count
            ((plays, buys, coins, bench),) = texts(view, "Bench")
            assert [int(plays), int(buys), int(coins)] == [view.notes[name] for name in ("plays", "buys", "coins")]
            assert Counter(bench.split()) == lying(view, "bench") or bench in ("nothing", "")


def the_last_words_say_what_a_card_does(rules: Rules) -> None:
    """Cards that do nothing but what their numbers say have no words."""
    words = {row[0]: row[-1] for row in texts(opening(rules, 2, 0).view(None), "The lane")}
    plain = {"penny", "shilling", "crown", "stub", "candelabrum", "apprentice", "chandler", "stall"}
    assert {kind for kind, text in words.items() if text == "nothing"} == plain
    assert len(set(words.values())) == 1 + len(words) - len(plain)


def offered(state: State) -> set[str]:
    """The names of the acts among which the seat chooses."""
    return {move.name for move in state.legal_moves}


def moves_are_put_into_words(rules: Rules) -> None:
    """The labels of all actions."""
    seen: set[str] = set()
    for seed in range(6):
        state, draw = opening(rules, 2 + seed % 3, seed), random.Random(seed)
        while not state.over:
            counter = str(state.evaluate("(the c in counter).kind")) if "cart" in offered(state) else ""
            for move in state.legal_moves:
                seen.add(move.name)
                kind = move.notation.removesuffix(")").replace("(", ", ").rpartition(", ")[2]
                assert move.name in ("choose", "done") or move.label == words(move.name, kind, counter), move.notation
            state.push(draw.choice(state.legal_moves))
    assert seen >= {"play", "stop", "buy", "dip", "forgo", "ward", "endure", "mould", "cart", "choose", "done"}


def words(name: str, kind: str, counter: str) -> str:
    """A move in words."""
    return {
        "play": f"play {kind}",
        "stop": "play no more",
        "buy": f"buy {kind}",
        "dip": f"use {kind} twice",
        "forgo": "use nothing twice",
        "ward": "show a lantern",
        "endure": "endure the draught",
        "mould": f"mould {kind}",
        "cart": f"put {counter} on the deck",
    }[name]


def the_round_is_played_to_its_end(rules: Rules) -> None:
    """Once shops are sold out, which is announced, those behind have a turn yet. Then the best light wins."""
    for players in HELPERS_LIGHTS_PENNIES:
        *_, last = positions(rules, players, 30 + players)
        the_end_is_right(last, {})
        plans = dict(zip(SEATS, PLANS.values(), strict=False))
        the_end_is_right(played_out(opening(rules, players, players), plans), {"candelabrum": 0})


def the_end_is_right(state: State, left: dict[str, int]) -> None:
    """What is sold out, what was announced, how the light is counted, and who wins."""
    view = state.view(None)
    shops = lying(view, "shop")
    empty = [kind for kind in begun_with(len(state.game.seats)) if not shops[kind]]
    assert len(empty) > 2 or not shops["candelabrum"]
    assert all(shops[kind] == count for kind, count in left.items()) or len(empty) > 2
    assert [text for entry in state.log(None) for text in entry.told].count(LAST_ROUND) == 1
    ranked = {}
    for seat in state.game.seats:
        cards = lying(view, f"deck[{seat}]", f"hand[{seat}]", f"discards[{seat}]")
        assert not view.zones["bench"].count
        light = sum(count * CANDLES.get(kind, (0, 0))[1] for kind, count in cards.items())
        ranked[seat] = (light + cards["chandelier"] * (cards.total() // 6), -cards.total())
    assert state.outcome is not None
    assert set(state.outcome.winners) == {seat for seat in ranked if ranked[seat] == max(ranked.values())}


def turns_are_equally_many(rules: Rules) -> None:
    """Everybody has as many turns as the first, each begun with one play, one buy and no coins."""
    for players in HELPERS_LIGHTS_PENNIES:
        state, turns, draw = opening(rules, players, players), Counter[str](), random.Random(players)
        first = acting = str(state.player)
        turns[first] += 1
        while not state.over:
            state.push(draw.choice(state.legal_moves))
            if state.player != acting and offered(state) & {"play", "stop"}:
                assert [state.evaluate(name) for name in ("plays", "buys", "coins")] == [1, 1, 0]
                assert state.player == SEATS[(SEATS.index(acting) + 1) % players]
                acting = str(state.player)
                turns[acting] += 1
        assert len(set(turns.values())) == 1, turns
        assert acting == SEATS[SEATS.index(first) - 1 if first != "ada" else players - 1]


def decks_are_shuffled(rules: Rules) -> None:
    """Games begin with other hands, another seat, and decks in other orders; a new deck is shuffled, too."""
    begun = [opening(rules, 2, seed) for seed in range(12)]
    decks = {
        tuple(str(card.attributes["kind"]) for card in state.view(None).zones["deck[ada]"].pieces) for state in begun
    }
    assert len(decks) > 5
    assert {state.player for state in begun} == {"ada", "bram"}
    later = set()
    for seed in range(8):
        state = opening(rules, 2, seed, {"start": "ada"})
        while number(state, "count discards[ada]") < 10:
            state.push(next_move(state, ()))
        while number(state, "count deck[ada]") < 5:
            state.push(next_move(state, ()))
        later.add(tuple(str(card.attributes["kind"]) for card in state.view(None).zones["deck[ada]"].pieces))
    assert len(later) > 5


PROPERTIES = {
    "no card is created or lost": no_card_is_created_or_lost,
    "everybody begins with the same cards": everybody_begins_with_the_same_cards,
    "the tables tell the state": the_tables_tell_the_state,
    "the last words say what a card does": the_last_words_say_what_a_card_does,
    "moves are put into words": moves_are_put_into_words,
    "the round is played to its end": the_round_is_played_to_its_end,
    "turns are equally many": turns_are_equally_many,
    "decks are shuffled": decks_are_shuffled,
}
