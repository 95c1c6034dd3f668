"""Announcements: what the rules tell everyone, or one seat, and who hears it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Timeline
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

RULES = """game "Telling" for 2 to 3 players ann, ben, cleo

== components ==

piece Card: 1 for each n: 1..9 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note best: Player or nobody = nobody

== setup ==

shuffle deck
for each p in Player: move 2 from deck to hand[p]
tell "welcome, {ann} and {ben}"

== phases ==

phase main, turns from ann, over when count deck < 2:
    must draw

action draw:
    let card = top(deck)
    move card to hand[me]
    TOLD

define total(p: Player): sum c.n for c in hand[p]

== scoring ==

winner highest total(me)
"""
TOLD = """tell "{me} has drawn {card}"
    tell me "you hold {total(me)}"
    for each p in Player where p is not me: tell p "{me} has drawn, and you hold {total(p)}"
    tell best "nobody reads this"
"""


def telling(folder: Path, told: str = TOLD) -> Game:
    path = folder / "telling.rules"
    path.write_text(RULES.replace("TOLD", told), encoding="utf-8")
    return load(path)


@pytest.fixture
def state(tmp_path: Path) -> State:
    state = telling(tmp_path).start(1)
    state.push("draw")
    return state


def held(state: State, seat: str) -> int:
    """The numbers on the cards of a seat."""
    return sum(int(piece.name) for piece in state.view(None).zones[f"hand[{seat}]"].pieces)


def test_each_seat_hears_what_is_for_it_as_far_as_it_may_know(state: State) -> None:
    card = state.view(None).zones["hand[ann]"].pieces[-1].name
    ann, ben = (state.log(seat)[-1] for seat in ("ann", "ben"))
    assert state.log("ben")[0].told == ("welcome, ann and ben",)
    assert ann.told[0].startswith("ann has drawn ") and ann.told[1:] == (f"you hold {held(state, 'ann')}",)
    assert ben.told == ("ann has drawn card", f"ann has drawn, and you hold {held(state, 'ben')}")
    assert ann.told == ann.details[-2:] and card in "123456789"
    everything = [text for entry in state.log(None) for text in entry.told]
    assert len(everything) == 4 and "nobody reads this" not in everything


def test_the_trace_tells_a_seat_what_it_hears(state: State) -> None:
    heard = {seat: [text for entry in state.log(seat) for text in entry.told] for seat in ("ann", "ben", None)}
    for seat, texts in heard.items():
        timeline = Timeline(state, seat)
        events = [event for ply in range(timeline.plies + 1) for event in timeline.events(ply)]
        assert [event.text for event in events if event.kind == "told"] == texts


def test_saves_and_undo_keep_announcements(state: State, tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")), durable=False)
    assert "you hold" not in path.read_text("utf-8")
    assert resume(read_save(path)).log("ann") == state.log("ann")
    before = state.log("ben")
    state.push("draw")
    state.pop()
    assert state.log("ben") == before


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_reveals_nothing(tmp_path: Path, seed: int) -> None:
    state = telling(tmp_path).start(seed)
    other = resampled(state, "ben", seed)
    for each in (state, other):
        each.push("draw")
    assert state.log("ben")[-1] == other.log("ben")[-1]


def test_random_games_say_nothing(tmp_path: Path) -> None:
    game = telling(tmp_path)
    same_with_passes_and_without(game, range(3))
    assert compared(game, 0, 3)["games"] == 3


@pytest.mark.parametrize(
    "told, learner",
    [
        ('tell "you hold {total(me)}"', "everyone"),
        ('tell "{card.n}"', "everyone"),
        ('tell left(me) "they hold {total(me)}"', "everyone"),
        ('for each p in Player where p is not me: tell p "{total(left(p))}"', "`p`"),
        ('for each p in Player where p is not me: tell p "{total(me)}"', "everyone"),
    ],
)
def test_a_secret_must_not_be_announced(tmp_path: Path, told: str, learner: str) -> None:
    with pytest.raises(RulesError, match=f"E0607.*this text (would|might) tell {learner} about") as found:
        telling(tmp_path, told)
    assert {each.code for each in found.value.diagnostics if each.severity == "error"} == {"E0607"}
