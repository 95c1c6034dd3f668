"""States drawn for a seat, in every game: the seat cannot tell them from the real one, now or at any earlier decision.

And whatever is decided for a seat follows from that: in two states that it cannot tell apart, everything is the same.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from interpreter.analysis.search_states import search_state
from interpreter.opponents.budgets import Budget
from interpreter.opponents.greedy import Greedy
from interpreter.opponents.knowledge.recording import Recorder, observation_of
from interpreter.opponents.knowledge.sampling import determinizations, sampler_of
from interpreter.opponents.mcts import analyse
from interpreter.play.game import Game, State, load
from interpreter.runtime.layout import IDLE, MOVES, RANDOM
from tests.support.long_run import one_in
from tests.support.situations import situation_of

GAMES = [
    ("chinesische_mauer", 3), ("china", 3), ("mauerbauer", 2), ("dschingis_khan", 2), ("go_fish", 2), ("hearts", 4),
    ("spades", 4), ("kuhn_poker", 2), ("leduc_poker", 2), ("texas_holdem", 2), ("liars_dice", 2), ("goofspiel", 2),
    ("no_thanks", 3), ("tallow_lane", 2), ("fells_and_becks", 2), ("weir_keepers", 2), ("backgammon", 2), ("pig", 2),
    ("chess", 2), ("mancala", 2),
]  # fmt: skip


@cache
def loaded(name: str, players: int) -> Game:
    return load(name, players=players)


def played(game: Game, decisions: int, seed: int) -> State:
    """A random game after some decisions, where the seat that is asked has a choice."""
    state, rng = game.start(seed), random.Random(seed)
    while not state.over and (state.ply < decisions or len(state.legal_moves) < 2):
        state.push(rng.choice(state.legal_moves))
    while state.over:
        state.pop()
    return state


@pytest.mark.parametrize("decisions", [9, 15])
def test_what_another_seat_has_chosen_in_secret_late_in_a_game_differs(decisions: int) -> None:
    """A bid is no card of a shuffle, so no exchange of shuffled cards changes it."""
    state = played(loaded("goofspiel", 2), decisions, 3)
    before = state.copy()
    before.pop()
    worlds = sampler_of(state, str(state.player), 5).states(128)
    bids = {world.history[-1].notation for world in worlds}
    assert len(bids) >= 0.7 * len(before.legal_moves)


@pytest.mark.parametrize("decisions", [23, 24])
def test_what_lies_on_a_card_lies_on_that_card(decisions: int) -> None:
    """Two equal cards of a row, and a token on one of them: the log does not say on which, but the table shows it."""
    state = played(loaded("chinesische_mauer", 3), decisions, 3)
    seat = str(state.player)
    for other in sampler_of(state, seat, 5, size=8).states(12):
        assert other.view(seat) == state.view(seat)


def alike(name: str, players: int) -> tuple[State, State]:
    """A state of a game, and another one that the seat which is asked cannot tell apart from it."""
    state = played(loaded(name, players), 13, 3)
    return state, sampler_of(state, str(state.player), 8, size=2).states(2)[-1]


def made_again(state: State) -> State:
    """The same moves, from the setup on, with the same chance results."""
    results = iter(state.chance_results)
    other = state.game.start(0, chance=lambda _: next(results))
    for record in state.history:
        other.push(record.notation)
    return other


def key_without_chance(state: State) -> list[object]:
    return [cell for number, cell in enumerate(state.cells) if number not in (MOVES, IDLE, RANDOM)]


def own_decisions(state: State, seat: str) -> list[tuple[object, object, object]]:
    """What a seat saw at each of its decisions, the last one first; the decisions are taken back."""
    found = []
    while True:
        if state.player == seat:
            labels = [move.label for move in state.legal_moves]
            found.append((labels, state.view(seat), state.log(seat)))
        if not state.ply:
            return found
        state.pop()


@pytest.mark.parametrize(("name", "players"), one_in(2, GAMES))
def test_the_seat_has_seen_the_same_at_each_of_its_decisions(name: str, players: int, long_run: bool) -> None:
    """In the normal run early or late in a game, in turn."""
    chosen = ((1, 6), (2, 24)) if long_run else ((1, 6),) if GAMES.index((name, players)) % 4 else ((2, 24),)
    for seed, decisions in chosen:
        state = played(loaded(name, players), decisions, seed)
        seat = state.player
        assert seat is not None
        drawn = sampler_of(state, seat, seed, size=2).states(3)
        real = own_decisions(state, seat)
        for other in drawn:
            assert own_decisions(other, seat) == real


LONG = [
    ("china", 3, 60), ("chinesische_mauer", 3, 60), ("mauerbauer", 2, 40), ("hearts", 4, 30), ("spades", 4, 30),
    ("tallow_lane", 2, 40), ("dschingis_khan", 2, 50),
]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "decisions"), one_in(2, LONG))
def test_what_images_of_a_long_game_show_the_seat_is_what_it_saw(name: str, players: int, decisions: int) -> None:
    """Of an image only some decisions are made again; the past that it gives is one that the rules allow."""
    state = played(loaded(name, players), decisions, 5)
    seat = str(state.player)
    drawn = sampler_of(state, seat, 3, size=1).states(24)
    assert len({str(key_without_chance(other)) for other in drawn}) > 1
    real, log = own_decisions(state.copy(), seat), state.log(seat)
    for other in drawn[7::8]:
        cells = list(other.cells)
        assert other.log(seat) == log
        assert list(other.copy().cells) == cells
        assert key_without_chance(made_again(other)) == key_without_chance(other)
        assert own_decisions(other, seat) == real


HASTY = [("go_fish", 2), ("hearts", 4), ("kuhn_poker", 2), ("goofspiel", 2), ("weir_keepers", 2), ("china", 3)]


@pytest.mark.parametrize(("name", "players"), HASTY)
def test_states_drawn_without_time_show_the_seat_what_it_sees(name: str, players: int) -> None:
    """They are made from the observation alone, and said to agree with less than everything."""
    both = alike(name, players)
    seat, keys = str(both[0].player), []
    for state in both:
        sampler = sampler_of(state, seat, 5, size=2)
        drawn = sampler.states(4, too_late=lambda: True)
        for other in drawn:
            assert other.view(seat) == state.view(seat)
            assert [move.label for move in other.legal_moves] == [move.label for move in state.legal_moves]
        keys.append([other.key() for other in drawn])
    assert keys[0] == keys[1]


@pytest.mark.parametrize(("name", "players"), one_in(2, GAMES, 1))
def test_states_that_a_seat_cannot_tell_apart_are_equal_to_it(name: str, players: int) -> None:
    """All that a bot is given is equal, but for the sampler, which is made of the observation alone."""
    state, other = alike(name, players)
    seat = str(state.player)
    assert observation_of(other, seat) == observation_of(state, seat)
    one, two = situation_of(state, seed=4), situation_of(other, seed=4)
    assert (one.view, one.log, one.legal_moves) == (two.view, two.log, two.legal_moves)


FAST = [
    ("kuhn_poker", 2),
    ("leduc_poker", 2),
    ("liars_dice", 2),
    ("no_thanks", 3),
    ("goofspiel", 2),
    ("weir_keepers", 2),
]
SLOW = [pytest.param(*game, marks=pytest.mark.long) for game in GAMES if game not in [*FAST, ("chess", 2)]]


@pytest.mark.parametrize(("name", "players"), [*FAST, *SLOW])
def test_bots_choose_the_same_in_states_that_their_seat_cannot_tell_apart(name: str, players: int) -> None:
    both = alike(name, players)
    seat = str(both[0].player)
    first, second = ([one.key() for one in sampler_of(state, seat, 5, size=2).states(3)] for state in both)
    assert first == second
    choices = [Greedy("python").choose(situation_of(state, seed=4)) for state in both]
    assert choices[0] == choices[1]
    figures = [analyse(situation_of(state, seed=4), Budget(iterations=24), "python") for state in both]
    assert figures[0].moves == figures[1].moves


@pytest.mark.parametrize(("name", "players"), [("go_fish", 2), ("goofspiel", 2), ("tallow_lane", 2), ("china", 3)])
def test_what_is_recorded_little_by_little_is_what_is_recorded_at_once(name: str, players: int) -> None:
    game, rng = loaded(name, players), random.Random(6)
    state, recorder = game.start(6), Recorder(game.seats[0])
    while not state.over and state.ply < 50:
        state.push(rng.choice(state.legal_moves))
        if rng.random() < 0.2 and state.ply > 2:
            state.pop()
            state.pop()
        if rng.random() < 0.5:
            assert recorder.observation(state) == observation_of(state, game.seats[0])


@pytest.mark.parametrize(("name", "players"), [("go_fish", 2), ("chinesische_mauer", 3)])
def test_a_sampler_draws_the_same_whether_it_watched_or_came_late(name: str, players: int) -> None:
    state = played(loaded(name, players), 20, 9)
    seat = state.player
    assert seat is not None
    late = sampler_of(state, seat, 5, size=3).states(3)
    earlier = state.copy()
    for _ in range(12):
        earlier.pop()
    watching = sampler_of(earlier, seat, 5, size=3)
    watching.states(2)
    watching.observe(observation_of(state, seat))
    assert [each.key() for each in watching.states(3)] == [each.key() for each in late]


def test_a_deck_is_not_read_from_the_states_that_are_drawn(long_run: bool) -> None:
    """Of 20 decks, or 60, the top card is guessed as often as chance has it."""
    right, expected = 0, 0.0
    for seed in range(60 if long_run else 20):
        state = loaded("go_fish", 2).start(seed)
        seat = state.player
        assert seat is not None
        real = next(iter(contents_of_deck(state)))
        drawn = Counter(next(iter(contents_of_deck(each))) for each in sampler_of(state, seat, seed, size=6).states(12))
        right += drawn[real]
        expected += 12 / 13
    assert right < expected + 4 * expected**0.5 * 2


def contents_of_deck(state: State) -> list[object]:
    return [piece.name for piece in state.view(None).zones["pond"].pieces]


def test_states_that_are_drawn_can_be_played_on_and_searched() -> None:
    state = played(loaded("mauerbauer", 2), 9, 4)
    assert state.player is not None
    for other in sampler_of(state, state.player, 1).states(3):
        assert search_state(other, "python").rollouts(2, seed=3).over.tolist() == [1, 1]
        while not other.over:
            other.push(other.legal_moves[0])
        assert other.outcome is not None


@pytest.mark.parametrize("name", ["farkle", "mensch_aergere_dich_nicht"])
def test_dice_that_were_seen_need_not_be_found_by_chance(name: str) -> None:
    """Dozens of rolls between two decisions: a state takes no tries at all."""
    game = load(name)
    state, rng = game.start(seed=2), random.Random(3)
    for _ in range(30):
        state.push(rng.choice(state.legal_moves))
    seat = state.player
    assert seat is not None
    drawn = determinizations(state, seat, 2, 1)
    assert drawn.tries == 0
    assert [observation_of(each, seat) for each in drawn] == [observation_of(state, seat)] * 2


def test_worlds_differ_where_few_exchanges_agree() -> None:
    """Every hint of Hanabi says something about each card of a hand, so that most exchanges contradict one."""
    state, rng = load("hanabi", players=2).start(seed=3), random.Random(3)
    for _ in range(9):
        safe = [move for move in state.legal_moves if not move.name.startswith("play")]
        state.push(rng.choice(safe or state.legal_moves))
    seat = state.player
    assert seat is not None
    drawn = sampler_of(state, seat, 11).states(22)
    assert len({tuple(map(repr, each.cells[MOVES + 1 :])) for each in drawn}) >= 8
