"""`hint`: at the prompt, at a terminal, in full screen, and of a save; it shows no more than the seat knows."""

from __future__ import annotations

import random
import re
import time

import pytest

from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.sampling import Sampler
from interpreter.opponents.review import Reviewer
from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.cli.at_table import at_table, session_of
from tests.cli.conftest import PEBBLES, QUIET, read, valid
from tests.cli.terminal import plain
from tests.cli.viewing import at_once

KNOWS = "from what this seat knows"
PERSONS = {"red": "human", "green": "human"}


@pytest.fixture
def nothing_found(monkeypatch):
    """No state agrees with what a seat has observed."""

    def none(self, count, hurry=None, **_):
        raise SamplingError("no state was found that agrees with what the seat has observed")

    monkeypatch.setattr(Sampler, "states", none)


def saved(path, state, kinds):
    write_save(path, state, SaveMeta(kinds, []))
    return path


def lines_with(words, output):
    return [line for line in output.splitlines() if words in line]


# ---- at the prompt


def test_the_best_moves_with_figures_and_the_numbers_of_the_question(run, own_folder):
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)"):  # cross wins with a3
        state.push(move)
    path = saved(own_folder / "a.json", state, {"cross": "human", "nought": "random"})
    output = run("play", "--resume", path, typed=["hint 200", "quit"]).output
    assert "a hint for cross, from what this seat knows (" in output
    number = re.search(r"(\d+) mark a3", output.partition("a hint for")[0])[1]
    first = output.partition("a hint for")[2].splitlines()[2]
    assert re.fullmatch(rf" +{number}  100 % +certain +1\.0  mark a3 *", first)
    assert len(read(path)["moves"]) == 4


def test_the_limit_is_written_as_at_the_prompt(run, own_folder):
    """`hint 1000` of a save: as documented for the prompt, and the same as `--budget 1000`."""
    path = saved(own_folder / "a.json", load("tic_tac_toe").start(seed=1), {"cross": "human", "nought": "random"})
    asked = run("play", "--resume", path, typed=["hint 1000", "quit"]).output
    shown = run("hint", path, "1000")
    assert "(1000 iterations of a search)" in asked and shown.exit_code == 0
    assert shown.output == run("hint", path, "--budget", "1000").output
    assert shown.output.splitlines()[2] in asked
    assert "iterations of a search" in run("hint", path, "200ms").output
    for limit in ("soon", "0", "10000000000"):
        assert run("hint", path, limit).exit_code == 2
    both = run("hint", path, "1000", "--budget", "2s")
    assert both.exit_code == 2 and "give one limit" in both.output


def test_a_hint_changes_nothing(run, own_folder):
    for name, typed in (("a.json", ["hint 30", "1", "hint 30", "1", "quit"]), ("b.json", ["1", "1", "quit"])):
        run("play", PEBBLES, "--bots", "greedy", "--seed", QUIET, "--save", name, typed=typed)
    assert read(own_folder / "a.json")["moves"] == read(own_folder / "b.json")["moves"]
    assert read(own_folder / "a.json")["notes"] == read(own_folder / "b.json")["notes"]


@pytest.mark.parametrize("limit", ["soon", "0", "-1", "1 s", "99999s"])
def test_a_limit_that_is_none(run, limit):
    output = run("play", PEBBLES, "--seed", QUIET, typed=[f"hint {limit}", "quit"]).output
    assert f"`{limit}`" in output and KNOWS not in output


def test_help_lists_it(run):
    assert "hint, hint 5s" in run("play", PEBBLES, "--seed", QUIET, typed=["?", "quit"]).output


def test_where_no_state_is_found(run, nothing_found):
    result = run("play", PEBBLES, "--seed", QUIET, typed=["hint 10", "build", "quit"])
    assert result.exit_code == 0, result.output
    assert "there is no hint: no state was found that agrees with what the seat has observed" in " ".join(
        result.output.split()
    )


def test_a_move_that_asks_in_several_steps_has_the_numbers_of_the_steps_that_are_one_move(run):
    output = run("play", PEBBLES, "--seed", QUIET, typed=["hint 60", "quit"]).output
    asked, _, hint = output.partition("a hint for red")
    for number, label in re.findall(r"^ +(\d+) +\d+ % +\S.*?\d  (\S.*?) *$", hint, re.MULTILINE):
        assert re.search(rf"\b{number} {re.escape(label)}", asked)


def test_nobody_else_sees_it(run):
    """It is shown between two hand-overs only, and no log has it."""
    typed = ["", "hint 40", "build", "", "", "log all", "quit"]
    output = run("play", PEBBLES, "--seed", QUIET, "--seat", "all=human", "--save", "a.json", typed=typed).output
    parts = re.split(r"pass the keyboard to (\w+)\n", output)
    assert [seat for seat, text in zip(parts[1::2], parts[2::2], strict=True) if KNOWS in text] == ["red"]
    assert "hint" not in parts[-1]


# ---- at a terminal


def test_enter_shows_at_once_what_was_found(terminal):
    one = terminal("play", "connect_four", "--plain", "--save", "a.json")
    one.until("red> ")
    before = time.monotonic()
    one.type("hint 300s\n")
    shown = plain(one.until("searching for a hint, 1 s"))
    assert "Enter: show it now" in shown
    one.type("\n")
    assert KNOWS in plain(one.until("red> "))
    assert time.monotonic() - before < 150


def test_ctrl_c_during_a_hint_saves_and_stops(terminal, own_folder):
    one = terminal("play", "connect_four", "--plain", "--save", "a.json")
    one.until("red> ")
    one.type("4\n")
    one.until("red> ")
    one.type("hint 300s\n")
    one.until("searching for a hint")
    one.type("\x03")
    one.until("saved; resume with: regelwerk play --resume a")
    assert one.end() == 130
    assert "Traceback" not in one.raw
    assert len(read(own_folder / "a.json")["moves"]) == 2


# ---- in full screen


@at_once
async def test_it_is_shown_above_the_table():
    async with at_table(session_of("tic_tac_toe")) as table:
        await table.pilot.press(*"hint", "space", *"50", "enter")
        await table.until(KNOWS)
        assert "50 iterations" in table.text
        await table.press("enter")
        assert KNOWS not in table.text
        assert table.state.ply == 0


@at_once
async def test_enter_ends_the_search_and_escape_gives_it_up():
    async with at_table(session_of("connect_four")) as table:
        await table.pilot.press(*"hint", "space", *"300s", "enter")
        await table.until("s; Enter: show it now")
        await table.pilot.press("enter")
        await table.until(KNOWS)
        await table.pilot.press("escape")
        await table.pilot.press(*"hint", "space", *"300s", "enter")
        await table.until("searching for a hint")
        await table.press("escape")
        assert "searching for a hint" not in table.text
        await table.press("=1")
        assert table.state.ply >= 1


@at_once
async def test_a_limit_that_is_none_in_full_screen():
    async with at_table(session_of("tic_tac_toe")) as table:
        await table.press("=hint soon")
        assert "`soon` is no limit of a hint" in table.text


@at_once
async def test_while_the_keyboard_is_passed_on_there_is_none():
    session = session_of("chinesische_mauer", seats=PERSONS)
    async with at_table(session) as table:
        assert "pass the keyboard to red" in table.text
        await table.press(*"hint")
        assert KNOWS not in table.text and "searching for a hint" not in table.text
        await table.press("enter")
        await table.pilot.press(*"hint", "space", *"20", "enter")
        await table.until(KNOWS)
        await table.press("escape")
        while "press Enter" not in table.text:
            await table.press("=1")
        await table.press("enter")
        assert "pass the keyboard to green" in table.text
        assert KNOWS not in table.text
        await table.press("enter")
        assert KNOWS not in table.text


@at_once
async def test_when_a_bot_decides_there_is_none(own_bots):
    async with at_table(session_of("tic_tac_toe", seats={"nought": "slow"})) as table:
        await table.pilot.press("1", "enter")
        await table.until("nought is thinking (slow)")
        await table.pilot.press(*"hint", "enter")
        await table.until("hints are for the deciding seat")
        await table.pilot.press("enter")


# ---- of a save


def test_the_hint_of_a_save_is_the_same_every_time(run, running):
    first = run("hint", running, "--budget", 80)
    assert first.exit_code == 0
    assert "a hint for red, from what this seat knows (80 iterations of a search):" in first.output
    assert run("hint", running, "--budget", 80).output == first.output
    assert run("hint", running, "--budget", 80, "--as", "red").output == first.output


def test_as_data(run, running):
    document = valid("hint", run("hint", running, "--budget", 80, "--format", "json").output)
    assert (document["seat"], document["iterations"]) == ("red", 80)
    best = document["moves"][0]
    assert best["low"] <= best["win_share"] <= best["high"]
    assert best["line"][0] == f"red: {best['label']}"
    assert sum(move["visits"] for move in document["moves"]) <= 80
    assert {move["move"] for move in document["moves"]} <= set(_legal(running))


def _legal(path):
    return [move.notation for move in resume(read_save(path)).legal_moves]


def test_a_time(run, running):
    result = run("hint", running, "--budget", "300ms")
    assert result.exit_code == 0
    assert KNOWS in result.output


@pytest.mark.parametrize("budget", ["soon", "0", "1 s", "-5", ""])
def test_a_budget_that_is_none(run, running, budget):
    result = run("hint", running, f"--budget={budget}")
    assert result.exit_code == (0 if budget == "" else 2)
    if budget:
        assert f"`{budget}` is no limit of a hint" in result.output


def test_of_a_finished_game(run, save):
    result = run("hint", save)
    assert result.exit_code == 2
    assert "the game is over" in result.output


def test_only_the_deciding_seat_gets_one(run, own_folder):
    state = load(PEBBLES, 2).start(seed=int(QUIET))
    path = saved(own_folder / "a.json", state, PERSONS)
    assert state.player == "red"
    asked = run("hint", path, "--as", "green", "--budget", 10)
    assert asked.exit_code == 2
    assert "green has nothing to decide now; it is red's decision" in asked.output
    unknown = run("hint", path, "--as", "pink", "--budget", 10)
    assert unknown.exit_code == 2
    assert "there is no seat `pink`" in unknown.output


def test_where_several_persons_play_a_seat_is_chosen(run, own_folder):
    path = saved(own_folder / "a.json", load(PEBBLES, 2).start(seed=int(QUIET)), PERSONS)
    result = run("hint", path, "--budget", 10)
    assert result.exit_code == 2
    assert "choose a seat with --as red or --as green" in " ".join(result.output.split())
    assert "--all" not in result.output
    assert run("hint", path, "--budget", 10, "--as", "red").exit_code == 0


def test_who_is_asked_in_secret_is_not_said(run, own_folder):
    state, rng = load(PEBBLES, 2).start(seed=53), random.Random(3)
    while state.question is None or not state.question.secretly:
        state.push(rng.choice(state.legal_moves))
    other = next(seat for seat in state.game.seats if seat != state.player)
    path = saved(own_folder / "a.json", state, PERSONS)
    result = run("hint", path, "--as", other, "--budget", 10)
    assert result.exit_code == 2
    assert f"{other} has nothing to decide now" in result.output
    assert state.player not in result.output


def test_a_save_without_a_state_that_agrees(run, running, nothing_found):
    result = run("hint", running, "--budget", 10)
    assert result.exit_code == 1
    assert "error: no state was found that agrees" in result.output
    assert "bug" not in result.output


def test_in_another_language(run, own_folder):
    assert run("play", "china", "--seed", 3, "--save", "a.json", typed=["1", "quit"]).exit_code == 0
    german = run("hint", "a.json", "--budget", 4, "--language", "de")
    assert german.exit_code == 0
    assert lines_with("aus der Auslage nehmen", german.output)


# ---- reviews of a save


def test_a_review_names_the_costliest_decisions(run, own_folder):
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(c2)"):  # cross could have won with a3
        state.push(move)
    path = saved(own_folder / "a.json", state, {"cross": "human", "nought": "random"})
    result = run("hint", path, "--review", "--budget", 100)
    assert result.exit_code == 0
    assert re.search(r"cross: accuracy \d+ % in 3 decisions, \d of them without a fault", result.output)
    first, second = result.output.splitlines()[2:4]
    assert re.fullmatch(r" +5 +\d+ % +.*  mark c2", first.rstrip())
    assert second.strip() == "better: mark a3"
    assert run("hint", path, "--review", "--budget", 100).output == result.output


def test_a_review_of_a_finished_game_as_data(run, save):
    document = valid("review", run("hint", save, "--review", "--as", "red", "--budget", 20, "--format", "json").output)
    assert [seat["seat"] for seat in document["seats"]] == ["red"]
    assert document["complete"] and document["decisions"]
    assert {decision["seat"] for decision in document["decisions"]} == {"red"}


def test_all_seats_of_a_finished_game_are_reviewed(run, save):
    document = valid("review", run("hint", save, "--review", "--budget", 20, "--format", "json").output)
    assert {seat["seat"] for seat in document["seats"]} == set(read(save)["seats"])
    for seat in document["seats"]:
        costs = [one["cost"] for one in document["decisions"] if one["seat"] == seat["seat"]]
        assert seat["decisions"] == len(costs) and seat["faultless"] == sum(1 for cost in costs if cost <= 0)
        assert seat["kept"] == pytest.approx(1 - sum(max(0, cost) for cost in costs) / len(costs))


def test_whose_decisions_are_reviewed_is_chosen(run, own_folder):
    path = saved(own_folder / "a.json", load(PEBBLES, 2).start(seed=int(QUIET)), PERSONS)
    result = run("hint", path, "--review", "--budget", 20)
    assert result.exit_code == 2
    assert "choose a seat with --as red or --as green" in result.output


def test_an_interrupted_review_shows_what_it_has_found_out(run, save, monkeypatch):
    judge, calls = Reviewer.judge, []

    def interrupted(self, ply, seconds=None):
        calls.append(ply)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return judge(self, ply, seconds)

    monkeypatch.setattr(Reviewer, "judge", interrupted)
    result = run("hint", save, "--review", "--budget", 20)
    assert result.exit_code == 130
    assert "accuracy" in result.output and "interrupted: the figures cover what was judged so far" in result.output


def test_the_decisions_of_a_bot_are_not_reviewed_before_the_end(run, running):
    result = run("hint", running, "--review", "--budget", 20, "--as", "green")
    assert result.exit_code == 2
    assert "green is not played by a person" in result.output
