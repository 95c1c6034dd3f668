"""Choices of several: every handful once, by itself and one by one, and nothing told of what is hidden."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import PlayError
from interpreter.play.game import State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.runtime.subsets import Groups, count_subsets, picks, singles, subsets_of_sizes
from tests.support.resampling import resampled

BUNDLES = Path(__file__).parents[1] / "games" / "small" / "bundles.rules"
sizes = st.lists(st.integers(1, 3), max_size=5)


def grouped(counts: list[int]) -> list[tuple[int, ...]]:
    """Groups of so many members, in no particular order of numbers."""
    numbers = [(7 * number) % 31 for number in range(sum(counts))]
    left = iter(numbers)
    return [tuple(itertools.islice(left, count)) for count in counts]


def as_counts(groups: Groups, handful: int) -> tuple[int, ...]:
    return tuple(sum(handful >> member & 1 for member in group) for group in groups)


def every_handful(counts: list[int], fewest: int, most: int) -> set[tuple[int, ...]]:
    ways = itertools.product(*(range(count + 1) for count in counts))
    return {way for way in ways if fewest <= sum(way) <= most}


@given(sizes, st.integers(-1, 6), st.integers(0, 9))
def test_every_subset_occurs_once(counts: list[int], fewest: int, most: int) -> None:
    groups = grouped(counts)
    found = subsets_of_sizes(groups, fewest, most)
    assert Counter(as_counts(groups, handful) for handful in found) == Counter(every_handful(counts, fewest, most))
    assert count_subsets(groups, fewest, most) == len(found)
    assert [handful.bit_count() for handful in found] == sorted(handful.bit_count() for handful in found)


@given(sizes, st.integers(0, 6), st.integers(0, 6))
def test_choosing_one_by_one_reaches_every_subset_in_one_way(counts: list[int], fewest: int, more: int) -> None:
    groups, most = grouped(counts), fewest + more
    reached: Counter[tuple[int, ...]] = Counter()
    waiting = [0]
    while waiting:
        chosen = waiting.pop()
        following = picks(groups, chosen, fewest) if chosen.bit_count() < most else []
        if chosen.bit_count() >= fewest or not following:
            reached[as_counts(groups, chosen)] += 1
        waiting += [chosen | 1 << member for member in following]
    assert reached == Counter(every_handful(counts, min(fewest, sum(counts)), most))


def test_subsets_of_many_members_are_counted_without_listing_them() -> None:
    groups = singles(range(300))
    assert count_subsets(groups, 3, 3) == math.comb(300, 3)
    assert len(subsets_of_sizes(singles(range(30)), 28, 30)) == math.comb(30, 28) + 30 + 1


# ---------------------------------------------------------------- in a game


def swapping(seed: int, players: int = 2) -> State:
    """A game of bundles at a question for cards to exchange."""
    state = load(BUNDLES, players=players).start(seed=seed)
    while state.question is None or state.question.names != ("choose swapped",):
        state.push(state.legal_moves[0])
    return state


def handful_of(state: State) -> list[str]:
    """The chosen cards, from the log of whose they are."""
    seat = state.history[-1].player
    told = [entry.text for entry in state.log(seat) if entry.player == seat]
    last = next(place for place in range(len(told) - 1, -1, -1) if told[place].startswith(("lay", "rest")))
    return [text.removeprefix("choose ") for text in told[last + 1 :] if text != "go on"]


@pytest.mark.parametrize("seed", range(4))
def test_no_subset_is_chosen_in_two_ways(seed: int) -> None:
    state = swapping(seed)
    hand = [piece.name for piece in state.view(state.player).zones[f"hand[{state.player}]"].pieces]
    ways: Counter[tuple[str, ...]] = Counter()

    def go_on() -> None:
        assert state.question is not None
        if state.question.names != ("choose swapped",):
            ways[tuple(sorted(handful_of(state)))] += 1
            return
        for move in state.legal_moves:
            state.push(move)
            go_on()
            state.pop()

    go_on()
    wanted = {tuple(sorted(some)) for size in range(3) for some in itertools.combinations(hand, size)}
    assert ways == Counter(wanted)


def test_the_question_says_how_many_have_been_chosen() -> None:
    state = swapping(1)
    assert state.question is not None
    assert state.question.so_far == "0 of up to 2"
    state.push(state.legal_moves[0])
    assert state.question.so_far == "1 of up to 2"
    assert state.view(state.player).question.so_far == "1 of up to 2"
    state.pop()
    state.push("done")
    assert state.question is not None
    assert state.question.names != ("choose swapped",)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_goes_on_from_every_decision(players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, game = random.Random(players), load(BUNDLES, players=players)
    monkeypatch.setattr("interpreter.play.saves.files.load", lambda *ignored, **others: game)
    state = game.start(seed=5)
    path = tmp_path / "a.save"
    while state.player is not None and state.ply < 40:
        state.push(rng.choice(state.legal_moves))
        write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")), durable=False)
        again = resume(read_save(path))
        assert again.key() == state.key()
        assert again.legal_moves == state.legal_moves


def test_others_are_shown_a_chosen_subset_as_far_as_they_see_it() -> None:
    """Of cards in a hand only the baskets are seen; once they are laid, others read which ones they are."""
    for seed in range(30):
        state = swapping(seed)
        made = next(made for made in state.history if made.notation.startswith("lay"))
        own = made.label.removeprefix("lay ").split(", ")
        other = state.game.seats.index("ben" if made.player == "ann" else "ann")
        assert sorted(made.labels[other].removeprefix("lay ").split(", ")) == sorted(own)


def test_the_order_in_which_cards_are_chosen_reveals_nothing() -> None:
    """What others see of the cards, one after the other, does not depend on what they do not see."""
    heard: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for seed in range(40):
        state = swapping(seed)
        seat = state.player
        other = "ben" if seat == "ann" else "ann"
        start = state.ply
        while state.question is not None and state.question.names == ("choose swapped",):
            state.push(state.legal_moves[0 if seed % 2 else -2 if len(state.legal_moves) > 1 else -1])
        baskets = tuple(entry.text for entry in state.log(other)[-(state.ply - start) :])
        heard.setdefault(tuple(sorted(baskets)), set()).add(baskets)
    assert len(heard) > 3
    assert all(len(orders) == 1 for orders in heard.values())


def test_others_do_not_learn_that_nothing_could_follow() -> None:
    """Whether the last card was chosen or another one: going on is told in both cases."""
    state = swapping(2)
    cards = [move for move in state.legal_moves if move.name == "choose"]
    assert len(cards) > 1
    for move in (cards[0], cards[-1]):
        state.push(move)
        state.push("done")
        assert [made.notation for made in state.history[-2:]] == [move.notation, "done"]
        state.pop()
        state.pop()


def test_pieces_chosen_by_a_waiting_rule_stay_where_they_lie() -> None:
    for seed in range(10):
        state = swapping(seed)
        seat = state.player
        assert seat is not None
        state.push(state.legal_moves[0])
        for viewer in state.game.seats:
            other = resampled(state, viewer, seed)
            other.push("done")
            counts = {name: zone.count for name, zone in other.view(None).zones.items()}
            assert counts["away"] == 1
            assert other.view(None).zones[f"hand[{seat}]"].count == counts[f"hand[{seat}]"]


def test_why_of_a_subset() -> None:
    state = load(BUNDLES, players=2).start(seed=3)
    while "lay" not in [move.name for move in state.legal_moves]:
        state.push(state.legal_moves[0])
    for move in state.legal_moves:
        why = state.why(move.notation)
        assert why.legal, move
        if move.name == "lay":
            assert state.why("lay", cards=move.arguments["cards"]).legal
    hand = [piece.name for piece in state.view(None).zones[f"hand[{state.player}]"].pieces]
    small = next(name for name in hand if name.endswith("small"))
    broad = next(name for name in hand if name.endswith("broad"))
    why = state.why(f"lay([{small}, {broad}])")
    assert not why.legal
    assert why.headline.endswith("one basket only")
    assert "is not a value for `cards`" in state.why("lay([nothing])").headline
    assert "is not a value for `cards`" in state.why("lay(pear)").headline


def test_too_many_subsets_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "many.rules"
    path.write_text(
        'game "Many" for 1 to 2 players ann, ben\n\n== components ==\n\npiece Coin: 1 for each n: 1..40 in heap\n'
        "zone heap holds Coin\nzone box holds Coin\n\n== phases ==\n\n"
        "phase main, turns from ann, over when box is not empty:\n    must take\n\n"
        "action take(coins in handfuls(heap, 1, 10)):\n    move coins to box\n\n== scoring ==\n\nwinner highest 1\n",
        encoding="utf-8",
    )
    with pytest.raises(PlayError, match="more than 100000 handfuls") as caught:
        load(path).start()
    assert ":14:22" in caught.value.location


def test_nothing_is_chosen_where_there_is_nothing_to_choose(tmp_path: Path) -> None:
    """Also when something was chosen there before: every coin is taken once, then none."""
    path = tmp_path / "coins.rules"
    path.write_text(
        'game "Coins" for 1 to 2 players ann, ben\n\n== components ==\n\npiece Coin: 1 for each n: 1..2 in heap\n'
        "zone heap holds Coin\nzone box holds Coin\nnote turns: 0..9 = 0\nnote missed: 0..9 = 0\n\n== phases ==\n\n"
        "phase main, turns from ann, over when turns is 4:\n    add 1 to turns\n    must choose coin from heap\n"
        "    if coin is none: add 1 to missed\n    else: move coin to box\n\n== scoring ==\n\nwinner highest missed\n",
        encoding="utf-8",
    )
    state = load(path).start()
    for _ in range(2):
        state.push(state.legal_moves[0])
    assert state.outcome is not None
    assert state.outcome.scores["ann"] == (2,)
