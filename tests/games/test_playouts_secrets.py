"""What a seat may not know never shows: states that differ only in that look, ask and tell the same."""

from __future__ import annotations

import random

import pytest

from interpreter.play.game import State
from tests.games.playing import FOLDER, TABLES, at_random, even_chunks, every_table, game_of, games, settings
from tests.interpreter.watching import Known, news
from tests.support.resampling import resampled

SAMPLES = 3


def asks_secretly(name: str) -> bool:
    """Whether the rules seem to put some question in secret; they are not read while tests are collected."""
    return "secretly" in (FOLDER / f"{name}.rules").read_text("utf-8")


@even_chunks
@every_table
def test_nothing_hidden_can_be_inferred(name: str, players: int, chunk: int, many_games: int, long_run: bool) -> None:
    """Many decisions of some games and a few of the others; in the long run every decision of some games.

    One decision of every game is looked at in any case.
    """
    looked = different = 0
    for game, seed in games(name, players, chunk, many_games):
        state, rng = game.start(seed), random.Random(seed)
        often, seldom = (1.0, 0.04) if long_run else (0.03, 0.003)
        looks = often if seed % 49 == 1 else seldom
        while state.player is not None:
            before = state.copy() if rng.random() < looks or state.ply == seed else None
            move = at_random(state, rng)
            zones = None if before is None else before.view(None).zones
            for seat in game.seats if before is not None else ():
                assert before is not None
                known = Known(before, seat, move.notation)
                others = [resampled(before, seat, (seed + before.ply) * SAMPLES + sample) for sample in range(SAMPLES)]
                looked += 1
                different += any(other.view(None).zones != zones for other in others)
                for other in others:
                    known.compare(other)
    assert different > 0.9 * looked, "the resampler changes too little"


def counts(state: State) -> dict[str, int]:
    """How many pieces lie in each zone that is about no piece."""
    return {name: state.cells[place.mask].bit_count() for place, name in state.program.places_about_no_piece}


@every_table
def test_a_resample_keeps_to_the_rules(name: str, players: int, long_run: bool) -> None:
    """Pieces are conserved, and the game can be played on to its end, also after another resample.

    In the normal run from one decision in forty, with the usual options and with all unusual ones together; in the long
    one from every twentieth, and with every option.
    """
    for options in settings(name, players)[:: 1 if long_run else len(settings(name, players)) - 1]:
        state, rng = game_of(name, players, options).start(1), random.Random(1)
        for number in range(80):
            if state.player is None:
                break
            at_random(state, rng)
            other = resampled(state, rng.choice(state.game.seats), number)
            assert counts(other) == counts(state)
            if number % (20 if long_run else 40) == 0:
                while other.player is not None:
                    at_random(other, rng)
                assert other.outcome is not None


@pytest.mark.parametrize(("name", "players"), [(name, players) for name, players in TABLES if asks_secretly(name)])
def test_a_secret_question_shows_to_nobody_else(name: str, players: int, long_run: bool) -> None:
    game = game_of(name, players)
    for start in range(30 if long_run else 2):
        state, rng = game.start(start), random.Random(start)
        while state.question is None or not state.question.secretly:
            at_random(state, rng)
        mover = state.player
        assert mover is not None
        later = state.copy()
        later.push("done")
        for seat in game.seats:
            if seat != mover:
                assert state.view(seat) == later.view(seat)
                assert state.view(seat).question is None
                assert news(later, seat, state.ply) == []
                assert later.log(seat) == state.log(seat)
        assert later.log(mover, since=state.ply)[-1].text == "go on"
        unasked = [resampled(state, seat, n) for n in range(20) for seat in game.seats if seat != mover]
        assert any(other.question != state.question for other in unasked), "the question is put whatever is held"
