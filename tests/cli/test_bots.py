"""Bots at the table: who plays, saves, refusals, custom bots, and waiting for one at a terminal."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace

import pytest

from dsl.text.folders import shipped_folder
from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.sampling import Sampler
from interpreter.opponents.situation import Considered
from interpreter.play.saves.files import read_save, resume
from tests.cli.at_table import session_of
from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.terminal import CLEARED, plain
from tests.cli.test_injection import EVIL, hidden_in, written
from tests.support.own_bots import install_bots

QUICK = "mcts:30"
THINKING = "is thinking (slow)"


# ---- who plays


def test_bots_play_all_seats_without_a_person(run, own_folder):
    result = run(
        "play", PEBBLES, "--players", 3, "--bots", "greedy", "--seed", QUIET, "--save", "a.json", typed=["quit"]
    )
    assert result.exit_code == 0
    assert "3 players: red (you), green (greedy), blue (greedy)" in result.output
    assert read(own_folder / "a.json")["seats"] == {"red": "human", "green": "greedy", "blue": "greedy"}


def test_a_seat_has_another_bot_than_the_others(run, own_folder):
    flags = ("--seat", "green=mcts:30", "--seat", "blue=human", "--bots", "greedy")
    run("play", PEBBLES, "--players", 3, *flags, "--seed", QUIET, "--save", "a.json", typed=["quit"])
    assert read(own_folder / "a.json")["seats"] == {"red": "greedy", "green": "mcts:30", "blue": "human"}


@pytest.mark.parametrize("bot", ["random", "greedy", QUICK, "alphabeta:2"])
def test_a_whole_game_between_bots(run, own_folder, bot):
    result = run("play", "tic_tac_toe", "--seat", f"all={bot}", "--seed", 3, "--save", "a.json")
    assert result.exit_code == 0
    assert "the game is over" in result.output
    assert resume(read_save(own_folder / "a.json")).over


def test_the_same_seed_gives_the_same_game(run, own_folder):
    for name in ("a.json", "b.json"):
        run("play", PEBBLES, "--seat", f"all={QUICK}", "--seed", 5, "--save", name)
    assert read(own_folder / "a.json")["moves"] == read(own_folder / "b.json")["moves"]


def test_a_game_left_and_resumed_has_the_same_replies(run, own_folder):
    flags = ("--bots", QUICK, "--seed", QUIET)
    run("play", PEBBLES, *flags, "--save", "a.json", typed=["1", "1", "quit"])
    run("play", PEBBLES, *flags, "--save", "b.json", typed=["1", "quit"])
    run("play", "--resume", "b.json", typed=["1", "quit"])
    assert read(own_folder / "a.json")["moves"] == read(own_folder / "b.json")["moves"]


def test_an_undo_gets_the_same_reply(run, own_folder):
    run("play", PEBBLES, "--bots", QUICK, "--seed", QUIET, "--save", "a.json", typed=["1", "undo", "1", "quit"])
    run("play", PEBBLES, "--bots", QUICK, "--seed", QUIET, "--save", "b.json", typed=["1", "quit"])
    assert read(own_folder / "a.json")["moves"] == read(own_folder / "b.json")["moves"]
    assert [note["kind"] for note in read(own_folder / "a.json")["notes"]] == ["undo"]


# ---- what is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seat", "green=mtcs"), "a seat is played by `human` or a bot: there is no bot `mtcs`; did you mean mcts?"),
        (("--seat", "green=hunam"), "did you mean human?"),
        (("--seat", "green=mcts:0"), "`mcts:0`: after the colon comes a number of iterations, or a time"),
        (("--bots", "mtcs"), "--bots: there is no bot `mtcs`; did you mean mcts?"),
        (("--bots", "human"), "--bots names a bot; for persons: --seat all=human"),
        (("--bots", "greedy", "--seat", "all=human"), "--seat all=human already assigns all other seats"),
        (("--bots", "alphabeta"), "`alphabeta` cannot play Pebbles: "),
    ],
)
def test_what_is_refused(run, own_folder, words, message):
    result = run("play", PEBBLES, *words, "--save", "a.json")
    assert result.exit_code == 2
    assert message in result.output
    assert not (own_folder / "a.json").exists()


def test_the_refusal_says_what_to_use_instead(run):
    output = run("play", "pig", "--bots", "alphabeta:6").output
    assert "`alphabeta:6` cannot play Pig: chance plays a part (" in output
    assert "use `mcts` for ben" in output


# ---- saves


def test_a_save_of_before_keeps_its_random_bots(run, save, own_folder):
    assert set(read(save)["seats"].values()) == {"random"}
    assert run("play", "--resume", save).exit_code == 0


def test_bots_are_changed_on_resuming(run, own_folder):
    run("play", PEBBLES, "--players", 3, "--seed", QUIET, "--save", "a.json", typed=["quit"])
    run("play", "--resume", "a.json", "--bots", "greedy", "--seat", "blue=mcts:30", typed=["quit"])
    document = read(own_folder / "a.json")
    assert document["seats"] == {"red": "human", "green": "greedy", "blue": "mcts:30"}
    assert [(note["player"], note["text"]) for note in document["notes"]] == [
        ("green", "is played by greedy from here on"),
        ("blue", "is played by mcts:30 from here on"),
    ]
    run("play", "--resume", "a.json", typed=["quit"])
    assert read(own_folder / "a.json") == document


@pytest.mark.parametrize("kind", ["gone", "mcts:many", EVIL])
def test_a_save_with_an_unknown_bot(run, own_folder, running, kind):
    document = read(running)
    path = written(own_folder / "a.json", {**document, "seats": {"red": "human", "green": kind}})
    before = path.read_bytes()
    result = run("play", "--resume", path)
    assert result.exit_code == 1
    assert "choose with --seat green=…" in result.output
    assert hidden_in(result.output) == []
    assert path.read_bytes() == before
    assert run("play", "--resume", path, "--seat", "green=random", typed=["quit"]).exit_code == 0


# ---- custom bots


def test_a_bot_of_ones_own_plays(run, own_folder, own_bots):
    result = run("play", "tic_tac_toe", "--seat", "cross=last", "--seat", "nought=first:1", "--save", "a.json")
    assert result.exit_code in (0, 1)
    moves = [move["move"] for move in read(own_folder / "a.json")["moves"]]
    assert moves[:2] == ["put(c3)", "put(b1)"]


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("broken", "the bot `broken` of nought failed: KeyError: 'nought' (bots_for_tests.py:"),
        ("leaving", "the bot `leaving` of nought failed: SystemExit: 3"),
        ("wordy", "the bot `wordy` of nought chose 'put("),
        ("first:99", "the bot `first:99` of nought chose 99, which is not a move: there are 8 legal moves"),
        ("unready", r"the bot `unready` cannot be made: ValueError: the book of openings is missing"),
        ("missing", "the bot `missing` cannot be made: AttributeError"),
        ("interrupting", "the bot `interrupting` of nought failed: KeyboardInterrupt (bots_for_tests.py:"),
        (
            "cancelled",
            "the bot `cancelled` of nought failed: BaseException: an object of class BaseException whose text",
        ),
        ("huge", "the bot `huge` of nought chose a number too large, which is not a move: there are 8 legal moves"),
        ("odd:None", "the bot `odd:None` of nought chose None, which is not a move"),
        ("odd:1.0", "the bot `odd:1.0` of nought chose 1.0, which is not a move"),
        ("odd:True", "the bot `odd:True` of nought chose True, which is not a move"),
        ("odd:float('nan')", "of nought chose nan, which is not a move"),
        ("odd:[10**5000]", "of nought chose an object of class list whose text cannot be shown (ValueError), which is"),
        ("odd:Silent()", "of nought chose an object of class Silent whose text cannot be shown (ValueError), which is"),
        ("odd:Exiting()", "nought chose an object of class Exiting whose text cannot be shown (SystemExit), which is"),
        ("odd:Masked()", "of nought chose an object of class Masked whose text cannot be shown (TypeError), which is"),
        ("unspeakable", "of nought failed: Mute: an object of class Mute whose text cannot be shown (SystemExit)"),
        ("odd:-1", "of nought chose -1, which is not a move"),
        ("hiding", "the bot `hiding` cannot be made: KeyboardInterrupt"),
        ("stillborn", "the bot `stillborn` cannot be made: KeyboardInterrupt"),
    ],
)
def test_a_bot_that_fails_loses_nothing(run, own_folder, own_bots, bot, message):
    result = run("play", "tic_tac_toe", "--bots", bot, "--seed", 1, "--save", "a.json", typed=["1"])
    assert result.exit_code == 1
    assert message in " ".join(result.output.split())
    assert "decision 2 (nought)" in result.output
    assert "saved; resume with: regelwerk play --resume a" in result.output
    assert "with another bot: add --seat nought=random" in result.output
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]
    again = run("play", "--resume", "a.json", "--seat", "nought=random", typed=["1", "quit"])
    assert again.exit_code == 0
    assert len(read(own_folder / "a.json")["moves"]) >= 3


@pytest.mark.parametrize("screen", [[], ["--plain"]])
@pytest.mark.parametrize("bot", ["interrupting", "huge"])
def test_a_bot_that_fails_at_a_terminal(terminal, own_folder, own_bots, screen, bot):
    one = terminal("play", "tic_tac_toe", "--bots", bot, "--save", "a.json", *screen, **own_bots, columns=120)
    one.until("cross")
    one.type("a1\n")
    one.until(f"the bot `{bot}` of nought")
    one.until("with another bot: add --seat nought=random")
    assert one.end() == 1
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_that_interrupts_many_games(run, own_bots, jobs):
    for bot, message in (
        ("interrupting", "the bot `interrupting` of nought failed: KeyboardInterrupt"),
        ("huge", "the bot `huge` of nought chose a number too large"),
    ):
        for words in (
            ["simulate", "tic_tac_toe", "--games", "4", "--seat", f"nought={bot}"],
            ["arena", "tic_tac_toe", bot, "random", "--games", "4"],
        ):
            result = run(*words, "--jobs", jobs)
            assert result.exit_code == 1, result.output
            assert re.search(message.replace("nought", "(cross|nought)"), " ".join(result.output.split()))


def test_ctrl_c_while_many_games_are_played(terminal, own_bots):
    one = terminal("simulate", "tic_tac_toe", "--bots", "deaf", "--games", "2", "--jobs", "1", **own_bots)
    one.until("/2")  # the progress bar is shown, so games have begun
    one.type("\x03")
    assert one.end() == 130
    assert "failed" not in one.raw


def test_what_a_bot_says_is_no_command_to_the_terminal(run, own_folder, monkeypatch):
    text = f"class Evil:\n    def choose(self, situation):\n        raise ValueError({EVIL!r})\n"
    monkeypatch.syspath_prepend(str(install_bots(own_folder / "installed", text, ("evil",), "evil_bots")))
    result = run("play", "tic_tac_toe", "--bots", "evil", "--save", "a.json", typed=["1"])
    assert result.exit_code == 1
    assert hidden_in(result.output) == []


# ---- what a bot considers, and that it found nothing to consider


@pytest.mark.parametrize(
    ("name", "opened", "is_shown"),
    [("connect_four", False, True), ("go_fish", False, False), ("go_fish", True, True), ("goofspiel", False, False)],
)
def test_what_a_bot_considers_is_shown_only_where_nothing_is_hidden_from_the_viewer(name, opened, is_shown):
    session = session_of(name)
    session.opened = opened
    while session.state.player in session.people or len(session.state.legal_moves) == 1:
        session.state.push(session.state.legal_moves[0])
    label = session.state.legal_moves[1].label
    session.bots.thought = SimpleNamespace(seconds=2, considered=Considered(((1, 0.625), (0, None)), iterations=40))
    assert label not in session.thinking(session.viewer)
    session.shows_thoughts = True
    shown = session.thinking(session.viewer)
    assert (f"2 s, 40 iterations: {label} 62 %; " in shown) is is_shown


def test_what_a_bot_considers_is_shown_while_it_thinks(terminal, own_folder):
    one = terminal("play", "connect_four", "--plain", "--thoughts", "--bots", "mcts:20s", "--save", "a.json")
    one.enter("4", "yellow is thinking (mcts:20s)")
    assert "s, " in plain(one.until(" iterations: drop a disc to "))
    one.type("\n")
    one.until("red> ")
    one.enter("thoughts", "what bots consider is no longer shown")


def test_alphabeta_reports_the_depth_of_its_search(terminal, own_folder):
    one = terminal("play", "othello", "--plain", "--thoughts", "--bots", "alphabeta:20s", "--save", "a.json")
    one.enter("1", "decisions ahead")
    one.type("\x03")
    one.end()


def test_a_bot_that_finds_no_state_does_not_move_at_random_in_silence(run, own_folder, monkeypatch):
    def none(self, count, *_, **__):
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    flags = ("--players", 2, "--seed", 3)
    for bot in ("mcts:30", "greedy"):
        shown = " ".join(
            run(
                "play", "go_fish", "--seat", f"all={bot}", *flags, "--follow", "--save", f"{bot[:4]}.json"
            ).output.split()
        )
        assert "ann moves at random: no state was found in time that agrees with what this seat has observed" in shown
    assert "at random" not in run("play", "go_fish", "--seat", "all=random", *flags).output


# ---- waiting at a terminal


def thinking(terminal, own_bots, *words, **flags):
    """A game on a terminal, once the slow bot is thinking."""
    one = terminal("play", "tic_tac_toe", "--plain", "--bots", "slow", "--save", "a.json", *words, **own_bots, **flags)
    one.until("cross> ")
    one.type("1\n")
    one.until(THINKING)
    return one


def test_enter_lets_the_bot_move_at_once(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    shown = plain(one.until("2 s"))
    assert "Enter: move now" in shown
    one.type("\n")
    one.until("cross> ")
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)", "put(c3)"]
    assert CLEARED not in one.raw


def test_ctrl_c_while_a_bot_thinks(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    one.type("\x03")
    one.until("saved; resume with: regelwerk play --resume a")
    assert one.end() == 130
    assert "Traceback" not in one.raw
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]


def test_a_bot_that_listens_to_nobody_is_left_behind(terminal, own_folder, own_bots):
    one = terminal("play", "tic_tac_toe", "--plain", "--bots", "deaf", "--save", "a.json", **own_bots)
    one.enter("1", "is thinking (deaf)")
    before = time.monotonic()
    one.type("\x03")
    one.until("saved; resume with: regelwerk play --resume a")
    assert one.end() == 130
    assert time.monotonic() - before < 300
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]


def test_end_of_input_while_a_bot_thinks(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    one.type("\x04")
    one.until("--resume a.json")
    assert one.end() == 0
    assert len(read(own_folder / "a.json")["moves"]) == 1


def test_what_is_typed_ahead_answers_the_next_question(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    one.type("put(b2)\n")
    time.sleep(0.5)
    one.type("\n")
    one.until("cross> ")
    one.until(THINKING)
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)", "put(c3)", "put(b2)"]


def test_a_bot_with_a_budget_keeps_to_it(terminal, own_bots):
    one = terminal("play", "connect_four", "--plain", "--bots", "mcts:1s", "--save", "a.json")
    one.until("red> ")
    before = one.processor_time()
    one.type("4\n")
    one.until("yellow is thinking (mcts:1s)")
    one.until("red> ")
    assert 0 < one.processor_time() - before < 6


def test_a_terminal_that_cannot_rewrite_a_line(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots, TERM="dumb")
    one.type("\n")
    one.until("cross> ")
    assert "\x1b[2K" not in one.raw
    assert len(read(own_folder / "a.json")["moves"]) == 2


def test_the_rules_are_reloaded_while_a_bot_thinks(terminal, own_folder, own_bots):
    text = (shipped_folder() / "tic_tac_toe.rules").read_text(encoding="utf-8")
    (own_folder / "mine.rules").write_text(text, encoding="utf-8")
    flags = ("--plain", "--watch", "--bots", "slow", "--save", "a.json")
    one = terminal("play", "mine.rules", *flags, **own_bots)
    one.enter("1", THINKING)
    (own_folder / "mine.rules").write_text(text.replace("three in a row", "3 in a row"), encoding="utf-8")
    one.until("the rules were reloaded; the game continues under them")
    one.until(THINKING)
    one.type("\n")
    one.until("cross> ")
    assert len(read(own_folder / "a.json")["moves"]) == 2


def test_rules_are_changed_so_that_a_bot_cannot_play_on(terminal, own_folder, own_bots):
    text = (shipped_folder() / "nim.rules").read_text(encoding="utf-8").split("== examples ==")[0]
    path = own_folder / "mine.rules"
    path.write_text(text, encoding="utf-8")
    one = terminal("play", path, "--plain", "--watch", "--bots", "alphabeta:2", "--save", "a.json", **own_bots)
    one.until("ann> ")
    changed = text.replace("note taker", "die fate: 1, 2, 3\nnote taker")
    path.write_text(changed.replace("to box\n    set", "to box\n    roll fate\n    set"), encoding="utf-8")
    one.until("the rules were reloaded")
    one.until("ann> ")
    one.type("take(4, 1)\n")
    shown = plain(one.until("with another bot: add --seat ben=random"))
    assert "nothing can play ben: `alphabeta:2` cannot play Nim: chance plays a part" in " ".join(shown.split())
    assert one.end() == 1
    assert len(read(own_folder / "a.json")["moves"]) == 1
