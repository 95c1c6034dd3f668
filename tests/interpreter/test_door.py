"""The Python door: loading, moves, pushing, asking why, views, logs, outcomes."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from dsl.text.files import Disk, reading_from
from interpreter.errors import (
    IllegalMoveError,
    OptionError,
    PlayersError,
    UnknownGameError,
    UnknownSeatError,
    UsageError,
)
from interpreter.loading.game_library import find
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, State, load
from interpreter.runtime.layout import IDLE, MOVES
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.notation.moves import Move

RULES = Path(__file__).parent / "rules"
RIDERS = RULES / "riders.rules"
SMALL = Path(__file__).parent.parent / "games" / "small"
WALL = "chinesische_mauer"


@pytest.fixture
def state() -> State:
    """Ann holds two walls, a gate and a rider; ben four others."""
    return load(RIDERS).start(chance=lambda event: [0, 4, 8, 9, 1, 2, 5, 6, 3, 7, 10, 11])


def ended(game: Game, seed: int = 1) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.player is not None:
        state.push(rng.choice(state.legal_moves))
    return state


# ---------------------------------------------------------------- loading


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "chinesische_maur",
            "there is no game `chinesische_maur`; did you mean chinesische_mauer or chinese_checkers?",
        ),
        ("zzz", "there is no game `zzz`; known games: "),
        ("nowhere/zzz.rules", "there is no rules file `nowhere/zzz.rules`"),
        ("", "there is no game ``"),
    ],
)
def test_unknown_games(name: str, said: str) -> None:
    with pytest.raises(UnknownGameError) as caught:
        load(name)
    assert str(caught.value).startswith(said)
    assert isinstance(caught.value, UsageError)
    assert "\n" not in str(caught.value)


class Watched(Disk):
    """The files of the disk, and which of them are read or looked at."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def read(self, path: Path, most: int) -> bytes:
        self.names.add(path.name)
        return super().read(path, most)

    def is_file(self, path: Path) -> bool:
        self.names.add(path.name)
        return super().is_file(path)


def test_a_game_is_loaded_without_a_look_at_others() -> None:
    """However many games, variants and languages are beside it."""
    watched = Watched()
    with reading_from(watched):
        load_rules(find("nim"), examples=True)
    assert {name.partition(".")[0] for name in watched.names} == {"nim"}


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (1, "`riders` is for 2 to 3 players, not 1"),
        (4, "`riders` is for 2 to 3 players, not 4"),
        (0, "not 0"),
        (-1, "not -1"),
        (["ann"], "not 1"),
        (["dora"], "`riders` has no seat `dora`; it has ann, ben, cleo"),
        (["ann", "bern"], "`riders` has no seat `bern`; did you mean ben?"),
        (["ann", "ann"], "a seat is named twice"),
    ],
)
def test_bad_players(players: Any, said: str) -> None:
    with pytest.raises(PlayersError) as caught:
        load(RIDERS, players)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"begin": "ann"}, "`riders` has no option `begin`; did you mean begins?"),
        ({"zzz": 1}, "it has begins, long"),
        ({"begins": "dora"}, "option `begins` must be"),
        ({"long": "maybe"}, "option `long` must be true or false, not `maybe`"),
        ({"long": 1}, "not `1`"),
    ],
)
def test_bad_options(options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        load(RIDERS, options=options)
    assert said in str(caught.value)


def test_rules_with_errors(tmp_path: Path) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text(RIDERS.read_text(encoding="utf-8").replace("from hand[me]", "from hnd[me]"), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load(broken)
    assert all(found.severity == "error" for found in caught.value.diagnostics)
    assert "hnd" in str(caught.value)


def test_the_properties_of_a_game() -> None:
    game = load(RIDERS, players=["cleo", "ann"], options={"long": True})
    assert (game.name, game.title, game.path) == ("riders", "Riders", RIDERS)
    assert (game.fewest, game.most, game.all_seats) == (2, 3, ("ann", "ben", "cleo"))
    assert game.seats == ("ann", "cleo"), "seats play in the order of the file"
    assert game.options == {"begins": "ann", "long": "true"}
    infos = {info.name: (info.values, info.default) for info in game.option_info}
    assert infos["long"][1] == "false" and set(infos["long"][0]) == {"true", "false"}
    assert load(RIDERS).seats == ("ann", "ben")
    assert load(RIDERS, 3).seats == ("ann", "ben", "cleo")


# ---------------------------------------------------------------- moves


def test_the_fields_of_moves(state: State) -> None:
    assert state.player == "ann"
    question = state.question
    assert question is not None
    assert (question.player, question.duty, question.names, question.secretly) == ("ann", "may", ("ride",), True)
    assert question.location.rsplit("/", 1)[-1].startswith("riders.rules:")
    assert [move.notation for move in state.legal_moves] == ["ride", "done"]
    state.push("done")
    moves = {move.notation: move for move in state.legal_moves}
    assert list(moves) == ["lay(wall, 1)", "lay(wall, 2)", "lay(gate, 1)", "draw"]
    lay = moves["lay(wall, 2)"]
    assert (lay.name, lay.arguments, lay.label) == ("lay", {"kind": "wall", "n": 2}, "lay 2 wall")
    assert str(lay) == "lay(wall, 2)"
    assert moves["draw"].arguments == {}


@pytest.mark.parametrize("text", ["lay(wall, 2)", "lay(wall,2)", " lay ( wall , 2 ) "])
def test_push_by_notation(state: State, text: str) -> None:
    state.push("done")
    state.push(text)
    assert state.history[-1].notation == "lay(wall, 2)"


@pytest.mark.parametrize(
    "text", ["lay(rider, 1)", "lay(wall, 3)", "lay(wall)", "done", "ride", "", "(", "LAY(wall, 2)"]
)
def test_illegal_moves_change_nothing(state: State, text: str) -> None:
    state.push("done")
    before = [list(state.cells), list(state.journal), state.key(), state.legal_moves, state.ply]
    with pytest.raises(IllegalMoveError, match="not a legal move now"):
        state.push(text)
    assert [list(state.cells), list(state.journal), state.key(), state.legal_moves, state.ply] == before


def test_a_move_of_another_decision_is_refused(state: State) -> None:
    ride = state.legal_moves[0]
    state.push("done")
    first = state.legal_moves[0]
    assert ride.code[0] == first.code[0] == 0
    with pytest.raises(IllegalMoveError):
        state.push(ride)


def test_a_choice_of_another_decision_is_refused() -> None:
    rng, refused = random.Random(1), 0
    state = load(WALL, 3).start(1)
    old: list[Move] = []
    while state.player is not None:
        legal = state.legal_moves
        for move in old:
            if move.notation not in [other.notation for other in legal]:
                with pytest.raises(IllegalMoveError):
                    state.push(move)
                refused += 1
        old = [*old[-20:], *(move for move in legal if move.name == "choose")]
        state.push(rng.choice(legal))
    assert refused > 100


def test_pop_at_the_start_is_refused(state: State) -> None:
    with pytest.raises(IllegalMoveError, match="no decision to take back"):
        state.pop()


def test_unknown_seats_are_refused(state: State) -> None:
    for look in (state.view, state.log):
        with pytest.raises(UnknownSeatError, match="no seat `cleo`"):
            look("cleo")


# ---------------------------------------------------------------- why


def test_why_a_legal_move_is_legal(state: State) -> None:
    state.push("done")
    why = state.why("lay(wall, 2)")
    assert why == state.why("lay", kind="wall", n=2)
    assert why.legal
    assert [reason.holds for reason in why.reasons] == [True, True, True]
    assert why.reasons[0].text.startswith("the rule asks: must lay or draw")
    assert why.reasons[2].values == (("n", "2"), ("count hand[me] of kind", "2"))
    refused = state.why("lay(wall, 9)").reasons[2]
    assert refused.values == (("n", "9"), ("count hand[me] of kind", "2"), ("hand[me] of kind", "2 wall"))
    assert why.reasons[2].cites == ("R-3",)
    assert why.reasons[1].cites == ("R-2", "R-3")
    assert all("riders.rules:" in reason.location for reason in why.reasons)
    assert why.lines()[0] == why.headline


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lay(rider, 1)", "riders are laid beside"),
        ("lay(gate, 2)", "you hold only 1"),
        ("lay(wall, 9)", ""),
        ("lay(moon, 1)", "`moon` is not a value for `kind` of `lay` here"),
        ("lay(wall)", "`lay` takes (kind, n)"),
        ("lay(wall, 1, 1)", "`lay` takes (kind, n)"),
        ("lay(wall, x)", "`x` is not a value for `n`"),
        ("lay(", ""),
        ("lay)", ""),
        ("lay((((", ""),
        ("ride", "is not offered now"),
        ("rest", "not offered here"),
        ("dance", "there is no move `dance`"),
        ("choose(A)", "is not legal: you must lay or draw or rest"),
        ("done", ""),
        ("", "there is no move ``; the actions are"),
    ],
)
def test_why_not(state: State, text: str, said: str) -> None:
    state.push("done")
    key = state.key()
    why = state.why(text)
    assert not why.legal
    assert said in why.headline
    assert not why.nearest or why.nearest[0] in state.legal_moves
    assert state.key() == key


@pytest.mark.parametrize("text", ["9" * 5000, f"lay(wall, {'9' * 5000})", f"lay({'x' * 5000}, 1)", "x" * 5000])
def test_a_long_query_is_abbreviated_in_the_answer(state: State, text: str) -> None:
    state.push("done")
    assert len(state.why(text).headline) < 300


def test_why_with_unknown_arguments(state: State) -> None:
    assert "`lay` has no parameter `colour`; it has kind, n" in state.why("lay", colour="red").headline
    assert not state.why("lay", kind="wall").legal
    assert not state.why("dance", x=1).legal


def test_why_agrees_with_what_is_legal() -> None:
    """For every move that could be written down, at decisions of random games."""
    state, rng = load(RIDERS, 3).start(3), random.Random(3)
    words = [f"lay({kind}, {n})" for kind in ("wall", "gate", "rider") for n in (1, 2)] + ["draw", "rest", "ride"]
    while state.player is not None:
        legal = {move.notation for move in state.legal_moves}
        for text in words:
            assert state.why(text).legal == (text in legal), text
        state.push(rng.choice(state.legal_moves))
    assert state.why("draw").headline == "the game is over: no more moves are possible"


# ---------------------------------------------------------------- outcome


def test_there_is_no_outcome_before_the_end(state: State) -> None:
    assert state.outcome is None and not state.over
    assert state.view(None).outcome is None


def test_a_shared_win() -> None:
    game = load(RIDERS)
    shared = next(found for seed in range(500) if len((found := ended(game, seed).outcome).winners) == 2)  # type: ignore[union-attr]
    assert shared is not None
    assert shared.winners == ("ann", "ben")
    assert len(set(shared.scores.values())) == 1
    assert shared.reason.startswith("ann and ben share the win")


@pytest.mark.parametrize("players", [2, 3])
def test_explained_trees_add_up(players: int) -> None:
    for seed in range(20):
        outcome = ended(load(RIDERS, players), seed).outcome
        assert outcome is not None
        assert outcome.criteria == ("highest worth(me)",)
        for seat, (tree,) in outcome.explained.items():
            assert tree.text == f"worth({seat})"
            assert tree.value == str(outcome.scores[seat][0])
            assert tree.cites == ("R-4",)
            sums(tree)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_explained_trees_of_the_shipped_game_add_up(players: int) -> None:
    outcome = ended(load(WALL, players), players).outcome
    assert outcome is not None
    for seat, (tree,) in outcome.explained.items():
        assert tree.value == str(outcome.scores[seat][0])
        sums(tree)
        assert "CM-63" in tree.cites


def sums(tree: Explanation) -> None:
    """These trees have only sums."""
    if tree.children:
        assert int(tree.value) == sum(int(child.value) for child in tree.children)
    for child in tree.children:
        sums(child)
    assert len(list(tree.lines())) >= 1 + len(tree.children)


# ---------------------------------------------------------------- views and logs


@pytest.mark.parametrize(
    ("name", "players"),
    [
        (RIDERS, 3),
        (SMALL / "pig.rules", 3),
        *((WALL, number) for number in (2, 5)),
        *(pytest.param(WALL, number, marks=pytest.mark.long) for number in (3, 4)),
    ],
)
def test_views_are_plain_data(name: str | Path, players: int, long_run: bool) -> None:
    """In the normal run at one decision in four, and at the end."""
    state, rng = load(name, players).start(2), random.Random(2)
    while True:
        looked = long_run or state.player is None or state.ply % 4 == players % 4
        for seat in (None, *state.game.seats) if looked else ():
            view = state.view(seat)
            data = view.as_data()
            assert json.loads(json.dumps(data, allow_nan=False)) == data
            assert view.viewer == seat and view.turn == state.player
            assert (view.question is not None) == (state.player is not None and seat in (None, state.player))
        if state.player is None:
            break
        state.push(rng.choice(state.legal_moves))
    assert view.over and view.outcome is not None and view.outcome.winners


def test_changing_a_view_does_not_change_the_state(state: State) -> None:
    """Nothing done to a view is seen in the next one."""
    key, before = state.key(), str(state.view("ann"))
    view: Any = state.view("ann")
    with pytest.raises(FrozenInstanceError):
        view.over = True
    maps = [view.zones, view.notes]
    for zone in view.zones.values():
        with pytest.raises(FrozenInstanceError):
            zone.pieces = ()
        maps += [piece.attributes for piece in zone.pieces] + [piece.attached for piece in zone.pieces]
    changes = {
        "clear": (), "popitem": (), "update": ({"x": 1},), "pop": ("x",), "setdefault": ("x",),
        "__setitem__": ("x", 1), "__delitem__": ("x",), "__ior__": ({"x": 1},),
    }  # fmt: skip
    for found in maps:
        for change, arguments in changes.items():
            with pytest.raises(TypeError, match="a view cannot be changed"):
                getattr(found, change)(*arguments)
    assert str(state.view("ann")) == before
    assert state.key() == key
    for move in state.legal_moves:
        move.arguments["x"] = 1
    assert all("x" not in move.arguments for move in state.legal_moves)


@pytest.mark.parametrize(
    ("name", "players"),
    [(RIDERS, 3), (SMALL / "pig.rules", 2), (WALL, 2), pytest.param(WALL, 5, marks=pytest.mark.long)],
)
def test_logs_grow_and_can_be_read_from_anywhere(name: str | Path, players: int) -> None:
    state, rng = load(name, players).start(6), random.Random(6)
    past = {seat: state.log(seat) for seat in (None, *state.game.seats)}
    while state.player is not None:
        state.push(rng.choice(state.legal_moves))
        for seat, before in past.items() if state.ply % 5 == 0 or state.over else ():
            now = state.log(seat)
            assert now[: len(before)] == before, "what was told stays as it was told"
            assert [entry.ply for entry in now] == sorted(entry.ply for entry in now)
            if state.ply % 10 == 0:
                since = rng.randrange(1, state.ply + 1)
                news = state.log(seat, since=since)
                assert now[len(now) - len(news) :] == news
            past[seat] = now
    assert len(past[None]) == state.ply + 2, "the set-up, every decision, the end"
    assert past[None][-1].kind == "end"
    assert state.log(None, since=10_000) == []


def test_what_the_logs_of_seats_show(state: State) -> None:
    state.push("done")
    state.push("draw")
    mine, theirs = state.log("ann", since=1), state.log("ben", since=1)
    assert [(entry.player, entry.text) for entry in mine] == [("ann", "draw")]
    assert [(entry.player, entry.text) for entry in theirs] == [("ann", "draw")]
    assert [entry.ply for entry in mine] == [2] and [entry.ply for entry in theirs] == [1]
    assert mine[0].details[0] == "rider: deck → hand[ann]"
    assert theirs[0].details[0] == "card: deck → hand[ann]"


def test_a_shuffle_is_logged_with_its_place() -> None:
    state = load(RIDERS).start(chance=lambda event: list(range(event.size)))
    details = state.log("ann")[0].details
    assert details[0] == "deck is shuffled", "also if everything came to lie as before"
    assert details[1].endswith("deck → hand[ann]")


# ---------------------------------------------------------------- copies and keys


def test_copies_are_independent(state: State) -> None:
    other = state.copy()
    assert other.key() == state.key() and other.legal_moves == state.legal_moves
    other.push("ride")
    assert state.ply == 0 and state.key() != other.key()
    state.push("done")
    assert other.history[0].notation == "ride"
    other.pop()
    state.pop()
    assert state.key() == other.key()


def test_keys_distinguish_states() -> None:
    keys: Counter[str] = Counter()
    state, rng = load(RIDERS, 3).start(1), random.Random(1)
    while state.player is not None:
        keys[state.key()] += 1
        for move in state.legal_moves:
            other = state.copy()
            other.push(move)
            assert other.key() != state.key()
        state.push(rng.choice(state.legal_moves))
    assert set(keys.values()) == {1}
    assert all(key.isalnum() for key in keys)


def test_a_key_does_not_depend_on_earlier_queries(state: State) -> None:
    other = state.copy()
    for _ in range(2):
        assert state.legal_moves and state.view(None) and state.log(None) and state.why("lay(wall, 1)")
        assert state.key() == other.key()
        state.push("done")
        other.push("done")
        state.pop()
        other.pop()
    cells = [[cell for number, cell in enumerate(one.cells) if number not in (MOVES, IDLE)] for one in (state, other)]
    assert cells[0] == cells[1]
