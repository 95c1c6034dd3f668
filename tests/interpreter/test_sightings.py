"""What the log says of a move once it has been made: what each reader saw of the pieces it names, never more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.play.game import Game, State, load
from tests.interpreter.watching import Known
from tests.support.resampling import resampled

CARDS = """
game "Laid down" for 2 players ann, ben

== components ==

type Rank is two, three, four
piece Card: 1 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone face_down holds stack of Card, seen by nobody
zone open_row holds row of Card
zone of_ben holds row of Card, seen by ben
zone pile holds stack of Card, seen by (all if it is top(pile) else {})
zone flat holds row of Card, seen by (all if turned else {})
note turned: Truth = false

== setup ==

move deck to hand[ann]

== phases ==

phase playing, turns from ann, over when hand[ann] is empty:
    must act

action act(c in hand[me]):
    "play {c}"
    EFFECT

== scoring ==

winner me is ann
"""


ALL = ("play two", "play two", "play two")
UNSEEN = ("play two", "play card", "play card")

EFFECTS = {
    "face up": ("move c to open_row", ALL),
    "face down": ("move c to face_down", UNSEEN),
    "for one seat": ("move c to of_ben", ("play two", "play two", "play card")),
    "not at all": ("set turned to true", UNSEEN),
    "on top": ("move c to pile", ALL),
    "covered": ("move c to pile\n    for each d in hand[me]: move d to pile", UNSEEN),
    "turned over where it lies": ("move c to flat\n    set turned to true", UNSEEN),
    "open and then away": ("move c to open_row\n    move c to face_down", ALL),
    "among others, shuffled, turned up": (
        "move hand[me] to face_down\n    shuffle face_down\n    move face_down to open_row", UNSEEN
    ),
    "shuffled where only the top lies open": (
        "move hand[me] to pile\n    shuffle pile", UNSEEN
    ),
    "the whole hand": ("move hand[me] to open_row", UNSEEN),
    "the last of chance": ("move 1 at random from hand[me] to open_row", UNSEEN),
}  # fmt: skip


def made_of(effect: str, folder: Path) -> Game:
    """The game in which a card that is played goes where the effect says."""
    path = folder / "laid.rules"
    path.write_text(CARDS.replace("EFFECT", effect), encoding="utf-8")
    return load(path)


def texts(state: State) -> tuple[str, ...]:
    """The last move as the log of ann, ben and a spectator has it."""
    return tuple([entry.text for entry in state.log(seat) if entry.kind == "move"][-1] for seat in ("ann", "ben", "*"))


@pytest.mark.parametrize("case", EFFECTS)
def test_a_move_is_named_by_what_is_seen_of_its_pieces(case: str, tmp_path: Path) -> None:
    effect, expected = EFFECTS[case]
    game = made_of(effect, tmp_path)
    state = game.start(1)
    state.push("act(two)")
    assert texts(state) == expected
    # The history that is rendered at once for all moves is that of a game that is read move by move.
    assert state.history == state.copy().history
    again = game.start(1)
    assert not again.history
    again.push("act(two)")
    assert again.history == state.history


@pytest.mark.parametrize("case", EFFECTS)
def test_logs_of_moves_tell_no_states_apart(case: str, tmp_path: Path) -> None:
    state = made_of(EFFECTS[case][0], tmp_path).start(1)
    for seat in state.game.seats:
        for move in state.legal_moves:
            known = Known(state, seat, move.notation)
            for seed in range(3):
                known.compare(resampled(state, seat, seed))


def played(name: str, seed: int, moves: int) -> State:
    """A random game of a shipped game."""
    state, rng = load(name).start(seed), random.Random(seed)
    while state.player is not None and state.ply < moves:
        state.push(rng.choice(state.legal_moves))
    return state


def test_others_read_the_cards_of_a_trick() -> None:
    state = played("hearts", 1, 8)
    assert [f"{entry.player}: {entry.text}" for entry in state.log("*") if entry.kind == "move"] == [
        f"{record.player}: {record.label}" for record in state.history
    ]
    assert "card" not in " ".join(entry.text for entry in state.log("*"))


def test_a_secret_argument_stays_masked() -> None:
    state = played("euchre", 1, 2)
    assert [record.labels[-1] for record in state.history][1] == "discard …"


def test_a_card_drawn_from_a_hand_stays_unnamed() -> None:
    state = played("old_maid", 1, 4)
    moves = [entry for entry in state.log("*") if entry.kind == "move"]
    assert len(moves) == 4
    assert all(entry.text == f"draw a card of {entry.details[0][11:].split(']')[0]}" for entry in moves)


def test_a_simultaneous_choice_stays_untold() -> None:
    state = played("goofspiel", 1, 1)
    assert state.history[0].labels[-1] == "chooses"
