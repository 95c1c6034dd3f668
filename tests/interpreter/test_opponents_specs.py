"""Bots by name: what can be written, what is wrong otherwise, and custom bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.errors import BotError
from interpreter.opponents.alphabeta import AlphaBeta
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.greedy import Greedy
from interpreter.opponents.mcts import Mcts
from interpreter.opponents.specs import EXAMPLES, BotSpec, SpecProblem, bot_names, bot_of, spec_of, why_unfit
from interpreter.play.game import load
from tests.support.own_bots import install_bots


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(install_bots(tmp_path / "bots")))
    return tmp_path


def spec(text: str) -> BotSpec:
    found = spec_of(text)
    assert isinstance(found, BotSpec), found
    return found


def problem(text: str) -> str:
    found = spec_of(text)
    assert isinstance(found, SpecProblem), found
    return found.message


@pytest.mark.parametrize(
    ("text", "bot"),
    [
        ("random", None),
        ("greedy", Greedy()),
        ("mcts", Mcts(Budget(seconds=1.0))),
        ("mcts:1000", Mcts(Budget(iterations=1000))),
        ("mcts:200ms", Mcts(Budget(seconds=0.2))),
        ("mcts:1.5s", Mcts(Budget(seconds=1.5))),
    ],
)
def test_bots_with_their_limits(text: str, bot: object) -> None:
    assert bot_of(spec(text)) == bot
    assert spec(text).text == text


@pytest.mark.parametrize(
    ("text", "limits"), [("alphabeta", (None, 1.0)), ("alphabeta:6", (6, None)), ("alphabeta:2s", (None, 2.0))]
)
def test_limits_of_alphabeta(text: str, limits: tuple[int | None, float | None]) -> None:
    bot = bot_of(spec(text))
    assert isinstance(bot, AlphaBeta)
    assert (bot.depth, bot.seconds) == limits


def test_what_the_help_names_can_be_written() -> None:
    assert all(isinstance(spec_of(text), BotSpec) for text in EXAMPLES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "mtcs",
            "there is no bot `mtcs`; did you mean mcts? "
            "(there are easy, normal, hard, best, random, greedy, mcts, alphabeta)",
        ),
        ("", "there is no bot ``"),
        ("Random", "there is no bot `Random`; did you mean random?"),
        ("random:3", "`random:3`: nothing can follow `random`"),
        ("greedy:", "`greedy:`: nothing can follow `greedy`"),
        ("mcts:", "`mcts:`: after the colon comes a number of iterations, or a time: `mcts:1000`, "),
        ("mcts:0", "`mcts:0`: after the colon"),
        ("mcts:-5", "`mcts:-5`: after the colon"),
        ("mcts:1.5", "`mcts:1.5`: after the colon"),
        ("mcts:2m", "`mcts:2m`: after the colon"),
        ("mcts: 5", "`mcts: 5`: after the colon"),
        ("mcts:\u0663", "`mcts:\u0663`: after the colon"),
        ("mcts:" + "9" * 5000, "after the colon"),
        ("mcts:999999999", "the iterations are 1 to 100000000"),
        ("alphabeta:257", "`alphabeta:257`: the decisions looked ahead are 1 to 256"),
        ("mcts:2h", "or a time: `mcts:1000`, `mcts:200ms` or `mcts:2s`"),
        ("mcts:3601s", "`mcts:3601s`: the time is at most 3600s"),
        ("\x1b]0;owned\x07", r"there is no bot `\x1b]0;owned\x07`"),
    ],
)
def test_what_names_no_bot(text: str, words: str) -> None:
    assert words in problem(text)
    assert "\n" not in problem(text)


def test_alphabeta_says_why_it_cannot_play() -> None:
    reason = why_unfit(spec("alphabeta:6"), load("pig"))
    assert reason is not None
    assert reason.startswith("`alphabeta:6` cannot play Pig: chance plays a part (")
    assert reason.endswith("; use `mcts`")
    assert why_unfit(spec("alphabeta"), load("hex")) is None
    assert why_unfit(spec("mcts"), load("pig")) is None


# ---- custom bots


def test_bots_of_ones_own_are_found(own_bots: Path) -> None:
    assert {"first", "last", "slow"} < set(bot_names())
    assert "bad name" not in bot_names()
    assert spec("first:2") == BotSpec("first:2", "first", settings="2")
    assert spec("first").settings is None
    assert "did you mean first?" in problem("frist")
    state = load("tic_tac_toe").start()
    assert Driver(spec("first"), "cross").play(state).notation == state.legal_moves[0].notation
    assert Driver(spec("first:2"), "cross").play(state).notation == state.legal_moves[2].notation
    assert Driver(spec("last"), "cross").play(state).notation == state.legal_moves[-1].notation


def test_bots_that_come_with_regelwerk_cannot_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(install_bots(tmp_path, "class Mcts:\n    pass\n", ("mcts",), "replaced")))
    assert isinstance(bot_of(spec("mcts")), Mcts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("unready", r"the bot `unready` cannot be made: ValueError: the book of openings is missing (bots_for"),
        ("nothing", "the bot `nothing` has no method `choose`; `bots_for_tests:Nothing` gave Nothing"),
        ("missing", "the bot `missing` cannot be made: AttributeError: module 'bots_for_tests' has no"),
        ("last:3", "the bot `last` cannot be made: TypeError: "),
        ("first:three", "the bot `first` cannot be made: ValueError: invalid literal for int() with base 10: 'three'"),
    ],
)
def test_a_bot_that_cannot_be_made(own_bots: Path, text: str, words: str) -> None:
    with pytest.raises(BotError) as fault:
        Driver(spec(text), "cross")
    assert words in str(fault.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("broken", "the bot `broken` of cross failed: KeyError: 'cross' (bots_for_tests.py:"),
        ("leaving", "the bot `leaving` of cross failed: SystemExit: 3"),
        ("wordy", "the bot `wordy` of cross chose 'put(a1)', which is not a move: there are 9 legal moves, numbered"),
        ("first:9", "the bot `first:9` of cross chose 9, which is not a move"),
        ("first:-1", "the bot `first:-1` of cross chose -1, which is not a move"),
    ],
)
def test_a_bot_that_fails(own_bots: Path, text: str, words: str) -> None:
    with pytest.raises(BotError) as fault:
        Driver(spec(text), "cross").play(load("tic_tac_toe").start())
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)


def test_levels_think_longer_and_longer() -> None:
    budgets = [spec(level).budget for level in ("easy", "normal", "hard", "best")]
    assert [budget and budget.seconds for budget in budgets] == [0.25, 0.5, 2.0, 5.0]
    assert all(isinstance(bot_of(spec(level)), Mcts) for level in ("easy", "normal", "hard", "best"))
