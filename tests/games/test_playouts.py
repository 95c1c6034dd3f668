"""What must hold at every decision of every random game, for all numbers of players and all options."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter.analysis.playouts import play_at_random, playouts
from interpreter.analysis.random_choices import random_choice, random_move
from interpreter.errors import IllegalMoveError
from interpreter.play.game import Game, State
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.games.playing import (
    CHUNKS,
    COUNTS,
    TABLES,
    at_random,
    cells,
    dealt,
    even_chunks,
    even_tables,
    every_game,
    every_table,
    finished,
    game_of,
    games,
    odd_chunks,
    odd_tables,
    pieces,
    settings,
)  # fmt: skip

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"


def notations(state: State) -> list[str]:
    return [move.notation for move in state.legal_moves]


@every_game
def test_every_value_of_every_option_is_played(name: str, many_games: int, long_run: bool) -> None:
    """In the normal run, those of games that take long with one number of players each."""
    everything, wanted = set(), set()
    for players in COUNTS[name]:
        tried = [game for chunk in range(CHUNKS) for game, _ in games(name, players, chunk, many_games)]
        played = {tuple(game.options.items()) for game in tried}
        ways = [tuple(game_of(name, players, way).options.items()) for way in settings(name, players)]
        assert {ways[0], ways[-1]} <= played <= set(ways)
        assert played == set(ways) or not long_run
        everything |= played
        wanted |= set(ways)
    assert everything == wanted
    for players in COUNTS[name]:
        game = game_of(name, players)
        for info in game.option_info:
            values = {value for value in info.values if value in game.seats or value not in game.all_seats}
            assert {dict(options)[info.name] for options in everything} >= values


# ---------------------------------------------------------------- legal moves


@odd_chunks
@every_table
def test_legal_moves_are_distinct_stable_and_never_none(name: str, players: int, chunk: int, many_games: int) -> None:
    for game, seed in games(name, players, chunk, many_games):
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            moves = state.legal_moves
            assert moves
            names = [move.notation for move in moves]
            assert len(set(names)) == len(names)
            assert len({move.code for move in moves}) == len(moves)
            assert moves == state.legal_moves
            if rng.random() < 0.05:
                assert moves == state.copy().legal_moves
            state.push(rng.choice(moves))


@even_chunks
@odd_tables
def test_two_moves_never_have_the_same_effect(
    name: str, players: int, chunk: int, many_games: int, long_run: bool
) -> None:
    for game, seed in games(name, players, chunk, many_games):
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            if rng.random() < (0.05 if long_run else 0.01):
                results = Counter(result(state, name) for name in notations(state))
                assert set(results.values()) == {1}, (game.options, seed, state.ply)
            at_random(state, rng)


def result(state: State, notation: str) -> str:
    """What everybody would see after a move, and be told of it."""
    state.push(notation)
    view, told = state.view(None), state.log(None, since=state.ply - 1)[0]
    state.pop()
    return json.dumps([view.as_data(), told.text, told.details])


# ---------------------------------------------------------------- back and forth


@odd_chunks
@every_table
def test_undo_to_the_start_and_redo(name: str, players: int, chunk: int, many_games: int) -> None:
    for game, seed in games(name, players, chunk, many_games):
        state, rng = game.start(seed), random.Random(seed)
        past = [(state.key(), cells(state), state.chance_results)]
        made = []
        while state.player is not None:
            made.append(at_random(state, rng).notation)
            past.append((state.key(), cells(state), state.chance_results))
        for number in range(len(made), 0, -1):
            assert (state.key(), cells(state), state.chance_results) == past[number]
            assert state.ply == number
            state.pop()
        assert (state.key(), cells(state), state.chance_results) == past[0]
        with pytest.raises(IllegalMoveError):
            state.pop()
        for number, notation in enumerate(made, start=1):
            state.push(notation)
            assert state.key() == past[number][0]


@even_tables
def test_moves_that_were_undone_leave_no_trace(name: str, players: int, long_run: bool) -> None:
    """In the normal run the whole log is compared at one decision in eight, otherwise its end."""
    game = game_of(name, players)
    state, rng = game.start(5), random.Random(5)
    while state.player is not None:
        since = 0 if long_run or state.ply % 8 == players else max(0, state.ply - 3)
        key, moves, log = state.key(), notations(state), state.log(None, since=since)
        steps = 0
        for _ in range(rng.randrange(6)):
            if state.player is not None:
                at_random(state, rng)
                steps += 1
        for _ in range(steps):
            state.pop()
        assert (state.key(), notations(state), state.log(None, since=since)) == (key, moves, log)
        at_random(state, rng)


# ---------------------------------------------------------------- the same game, however it is run


@even_chunks
@even_tables
def test_one_seed_is_one_game(name: str, players: int, chunk: int, many_games: int, long_run: bool) -> None:
    """In the normal run games are traced with the usual options and with all unusual ones together.

    What traces is compiled for each choice of options, which takes longer than to play; and to read all words of all
    moves takes longer than everything else, so the normal run does so at one decision in eight.
    """
    ways = settings(name, players)
    usual, unusual = (game_of(name, players, way) for way in (ways[0], ways[-1]))
    for game, seed in games(name, players, chunk, many_games):
        plain = game.start(seed)
        traced = game.start(seed, traced=True) if long_run or game in (usual, unusual) else game.start(seed)
        assert plain.key() == traced.key() == game.start(seed).key()
        choices = widest = 0
        branch: State | None = None
        while plain.player is not None:
            moves = plain.legal_moves
            assert [move.code for move in moves] == [move.code for move in traced.legal_moves]
            if long_run or plain.ply % 8 == seed % 8:
                assert moves == traced.legal_moves
            choices, widest = choices + len(moves), max(widest, len(moves))
            move = moves[random_choice(seed, plain.ply, len(moves))]
            if plain.ply == 20:
                branch = plain.copy()
            plain.push(move)
            traced.push(move.notation)
            assert plain.key() == traced.key()
        assert plain.outcome is not None
        bulk = play_at_random(game, seed)
        assert bulk.decisions == plain.ply
        assert (bulk.choices, bulk.widest) == (choices, widest)
        assert (bulk.scores, bulk.winners) == (plain.outcome.scores, plain.outcome.winners)
        assert branch is not None
        assert branch.ply == 20, "a copy went along with its original"
        key = plain.key()
        for made in plain.history[20:]:
            branch.push(made.notation)
        assert branch.key() == key
        branch.pop()
        assert plain.key() == key


@every_table
def test_another_seed_is_another_game(name: str, players: int) -> None:
    game = game_of(name, players)
    assert len({game.start(seed).key() for seed in range(50)}) == 50


@every_game
def test_a_seed_means_the_same_game_on_every_machine(name: str) -> None:
    found = {}
    for players in COUNTS[name]:
        for seed in (0, 1, 7, 2**40):
            state = game_of(name, players).start(seed)
            begun = state.key()
            while state.player is not None:
                state.push(random_move(state))
            assert state.outcome is not None
            scores = list(state.outcome.scores.values())
            found[f"{players} players, seed {seed}"] = [begun, state.key(), state.ply, scores]
    text, golden = json.dumps(found, indent=1) + "\n", GOLDEN / f"{name}.json"
    if UPDATE:
        GOLDEN.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes the file anew"


# ---------------------------------------------------------------- saves


@pytest.fixture
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resuming uses a game already loaded; that loading gives equal games is tested elsewhere."""

    def known(rules: Path | str, players: tuple[str, ...], options: dict[str, str], *_: Any, **__: Any) -> Game:
        name, count = Path(rules).stem, len(players)
        usual = game_of(name, count).options
        return game_of(name, count, tuple(each for each in options.items() if each[1] != usual[each[0]]))

    monkeypatch.setattr("interpreter.play.saves.files.load", known)


def saved(state: State, path: Path) -> State:
    """The state by way of a file."""
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "random")), durable=False)
    return resume(read_save(path))


def same(state: State, other: State) -> None:
    assert state.key() == other.key()
    assert state.legal_moves == other.legal_moves
    assert state.history == other.history
    for seat in (None, *state.game.seats):
        assert state.view(seat) == other.view(seat)


@odd_tables
@pytest.mark.usefixtures("loaded_once")
def test_save_and_resume_at_every_decision(name: str, players: int, tmp_path: Path, long_run: bool) -> None:
    """In the normal run at one decision in sixteen."""
    for seed in range(10 if long_run else 1):
        state, rng = game_of(name, players).start(seed), random.Random(seed)
        while state.player is not None:
            if long_run or state.ply % 16 == players:
                same(state, saved(state, tmp_path / "save.json"))
            at_random(state, rng)
        same(state, saved(state, tmp_path / "save.json"))


@odd_chunks
@even_tables
@pytest.mark.usefixtures("loaded_once")
def test_save_and_resume(name: str, players: int, chunk: int, many_games: int, tmp_path: Path) -> None:
    """The save of the whole game passes through every decision again; one decision of each game is resumed itself."""
    for game, seed in games(name, players, chunk, many_games):
        state, rng, keys = game.start(seed), random.Random(seed), []
        once = rng.randrange(100)
        while state.player is not None:
            keys.append((state.key(), notations(state)))
            if state.ply == once:
                same(state, saved(state, tmp_path / "save.json"))
            at_random(state, rng)
        write_save(tmp_path / "save.json", state, SaveMeta({}), durable=False)
        save = read_save(tmp_path / "save.json")
        again = resume(save, at=0)
        for (key, moves), made in zip(keys, save.moves, strict=True):
            assert (again.key(), notations(again)) == (key, moves)
            again.push(made.move)
        assert again.key() == state.key()


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(name, players, marks=() if players == min(COUNTS[name]) else pytest.mark.long)
        for name, players in TABLES
    ],
)
def test_resume_in_another_process(name: str, players: int, tmp_path: Path) -> None:
    state, rng = game_of(name, players, settings(name, players)[-1]).start(3), random.Random(3)
    for _ in range(60):
        at_random(state, rng)
    path = tmp_path / "save.json"
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "random")))
    program = (
        "import sys, json, pathlib\nfrom interpreter.play.saves.files import read_save, resume\n"
        "state = resume(read_save(pathlib.Path(sys.argv[1])))\n"
        "moves = [move.notation for move in state.legal_moves]\n"
        "print(json.dumps([state.key(), moves, [state.view(seat).as_data() for seat in (None, *state.game.seats)]]))\n"
    )
    root = HERE.parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "99"}
    answer = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True, cwd=root,
        env=environment, timeout=60,
    )  # fmt: skip
    views = [state.view(seat).as_data() for seat in (None, *state.game.seats)]
    assert json.loads(answer.stdout) == [state.key(), notations(state), json.loads(json.dumps(views))]


# ---------------------------------------------------------------- at the end


@odd_tables
def test_everything_is_open_at_the_end(name: str, players: int, long_run: bool) -> None:
    """In the normal run each unusual option is tried with one number of players."""
    for options in settings(name, players) if long_run else dealt(name, players):
        state = finished(game_of(name, players, options).start(1), 1)
        views = [state.view(seat) for seat in state.game.seats]
        assert all(piece.hidden is False for view in views for zone in view.zones.values()
                   for piece in pieces(zone.pieces))  # fmt: skip
        assert all(view.zones == state.view(None).zones for view in views)


# ---------------------------------------------------------------- very many games


@pytest.mark.long
@every_game
def test_ten_thousand_random_games_end(name: str) -> None:
    """Dealt to all numbers of players and all settings, as plain playouts."""
    tables = [game_of(name, players, options) for players in COUNTS[name] for options in settings(name, players)]
    for number, game in enumerate(tables):
        many = len(range(number, 10_000, len(tables)))
        assert all(played.winners for played in playouts(game, many, seed=number * 10_000))
