"""What others have chosen in secret, and notes that they keep, show no more than hidden pieces do.

States drawn from the present view leave both as they are. Here they differ: the states have pasts of their own, in
which others may have chosen anything else that the seat could not have told apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import Game, State, load
from interpreter.seat.views import history
from interpreter.seat.views import seat_view as views
from tests.interpreter.watching import leaks
from tests.support.secret_number import SECRET

AT_ONCE = Path(__file__).parents[1] / "language" / "rules" / "choose_at_once.rules"
SEEDS = range(2)


def leaks_of_choices(game: Game, seeds: range, samples: int = 4) -> Iterator[str]:
    """Where in random games a seat that decides could tell apart states that agree with all it has observed."""
    for seed in seeds:
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            before, seat, notation = state.copy(), state.player, rng.choice(state.legal_moves).notation
            state.push(notation)
            for other in sampler_of(before, seat, seed, size=samples).states(samples):
                found = difference(before, other, seat, notation)
                if found:
                    yield f"seed {seed}, ply {before.ply}, {seat}: {found}"


def difference(one: State, other: State, seat: str, notation: str) -> str:
    """What a seat could tell two states apart by, at its own decision or by what follows; empty if by nothing.

    The states have different pasts, so their decisions cannot be compared by number. What is reported of the move may
    differ by what it lets the seat see, and by what others have chosen once that is announced.
    """
    log = one.log(seat)
    if other.log(seat) != log:
        return "the log"
    if other.view(seat) != one.view(seat) or other.question != one.question:
        return "the view"
    if [move.label for move in other.legal_moves] != [move.label for move in one.legal_moves]:
        return "the legal moves"
    after, later = one.copy(), other.copy()
    after.push(notation)
    later.push(notation)
    if after.over or later.over:
        return ""
    own, others = after.log(seat)[len(log) :], later.log(seat)[len(log) :]
    if [entry.text for entry in own] != [entry.text for entry in others]:
        return "what follows"
    if after.view(seat) != later.view(seat):
        return ""
    announced = tuple(f"{player}: " for player in one.game.seats if player != seat)
    reported = [
        [line for entry in each for line in entry.told if not line.startswith(announced)] for each in (own, others)
    ]
    return "" if reported[0] == reported[1] else "what is reported"


@pytest.fixture
def secret(tmp_path: Path) -> Game:
    path = tmp_path / "secret.rules"
    path.write_text(SECRET, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long)])
def test_choices_at_once_reveal_nothing_before_all_have_chosen(seats: int) -> None:
    assert list(leaks_of_choices(load(AT_ONCE, seats), SEEDS)) == []


def test_notes_that_others_keep_reveal_nothing(secret: Game) -> None:
    assert list(leaks_of_choices(secret, SEEDS)) == []


@pytest.mark.parametrize("name", ["liars_dice", "kuhn_poker", pytest.param("goofspiel", marks=pytest.mark.long)])
def test_nor_do_they_in_shipped_games(name: str) -> None:
    assert list(leaks_of_choices(load(name), range(1))) == []


# ---------------------------------------------------------------- an interpreter that leaks


def test_views_that_show_notes_are_found(secret: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "note_seen", lambda *_: True)
    assert next(leaks_of_choices(secret, SEEDS), "")
    assert leaks(secret, SEEDS) == [], "in the present view notes do not differ"


def test_choices_that_are_mentioned_too_early_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(*given: Any) -> bool:
        return False

    monkeypatch.setattr(history, "is_unnoticed", plain)
    assert next(leaks_of_choices(load(AT_ONCE, 2), range(2, 8)), "")
