"""The search for leaks finds them: in rules that tell what they hide, and in an interpreter tampered with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import HiddenError
from interpreter.play.game import Game, load
from interpreter.seat.views import log
from interpreter.seat.views import seat_view as views
from tests.interpreter.watching import leaks
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules"
SEEDS = range(8)


def changed(name: str, folder: Path, *changes: tuple[str, str]) -> Game:
    """A game with other words in some of its lines."""
    text = (RULES / f"{name}.rules").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_honest_rules_reveal_nothing() -> None:
    assert leaks(load(RULES / "riders.rules"), SEEDS) == []


@pytest.mark.parametrize("players", [2, 3])
def test_cards_seen_one_by_one_reveal_nothing(players: int) -> None:
    game = load(RULES / "peeking.rules", players)
    assert leaks(game, SEEDS) == []
    state = game.start(1)
    state.push("peek")
    first, *others = state.view("ann").zones["spread[ann]"].pieces
    assert not first.hidden and first.notes == {"known": ("ann",)}
    assert all(piece.hidden for piece in others)
    assert state.view("ben").zones["spread[ann]"].pieces[0].hidden


def test_the_examples_of_pieces_seen_one_by_one_hold() -> None:
    assert [result.failures for result in run_examples(RULES / "peeking.rules") if not result.passed] == []


def test_moves_that_depend_on_what_is_hidden_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="E0606"):
        load(RULES / "guessing.rules")
    open_hands = changed("guessing", tmp_path, ("holds Card, seen by p", "holds Card"))
    assert leaks(open_hands, SEEDS) == []


def test_a_choice_among_unseen_pieces_is_refused() -> None:
    """Before anything is played: what is taken unseen is chance."""
    with pytest.raises(RulesError, match="E0605"):
        load(RULES / "thieves.rules")


def test_a_question_asked_openly_is_found(tmp_path: Path) -> None:
    """Before anything is played: the check refuses it."""
    with pytest.raises(RulesError):
        changed("riders", tmp_path, ("may secretly ride", "may ride"))


@pytest.mark.parametrize("seat", ["ann", "ben"])
def test_what_all_see_is_not_resampled(tmp_path: Path, seat: str) -> None:
    hidden = load(RULES / "riders.rules").start(1)
    shown = changed("riders", tmp_path, ("hand[p: Player] holds Card, seen by p", "hand[p: Player] holds Card")).start(
        1
    )
    other = "ben" if seat == "ann" else "ann"

    def hands(state: Any) -> set[str]:
        return {str(resampled(state, seat, n).view(None).zones[f"hand[{other}]"]) for n in range(30)}

    assert len(hands(hidden)) > 1
    assert len(hands(shown)) == 1
    assert hidden.view(seat).zones[f"hand[{other}]"] != shown.view(seat).zones[f"hand[{other}]"]


# ---------------------------------------------------------------- an interpreter that leaks


def test_views_that_show_everything_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(RULES / "riders.rules")

    class Careless(views.SeatObserver):
        def known(self, piece: int, place: int) -> frozenset[str]:
            return frozenset(self.layout.pieces[piece].attributes)

    monkeypatch.setattr(views, "SeatObserver", Careless)
    assert leaks(game, SEEDS)


def test_questions_shown_to_all_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(RULES / "riders.rules")
    asked = views._question
    monkeypatch.setattr(views, "_question", lambda program, S, seat: asked(program, S, None))
    assert leaks(game, SEEDS)


def test_logs_that_mention_declined_secret_questions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(RULES / "riders.rules")
    monkeypatch.setattr(log.LogRenderer, "knows", lambda self, made: True)
    assert leaks(game, SEEDS)


def test_logs_that_name_hidden_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(RULES / "riders.rules")
    monkeypatch.setattr(log.LogRenderer, "_sees", lambda *_: True)
    assert leaks(game, SEEDS)


@pytest.mark.parametrize("seat", ["ann", "ben"])
def test_a_small_hidden_hand_is_not_counted_by_what_it_holds(seat: str) -> None:
    """In a game of few pieces sets are looked up in a table, which must not be entered by a hidden one."""
    state = load("kuhn_poker").start(seed=1)
    (other,) = {"ann", "ben"} - {seat}
    for rank in ("jack", "queen", "king"):
        for zone in (f"hand[{other}]", "deck"):
            for text in (f"count c in {zone} where c.rank is {rank}", f"count {zone} of {rank}"):
                with pytest.raises(HiddenError):
                    state.evaluate(text, seat)
    assert state.evaluate(f"count hand[{other}]", seat) == 1
