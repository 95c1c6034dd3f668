"""`play` in a pipe: seats, moves, undo, hand-over, saves, secrets. `test_terminal.py` has the same on a terminal."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.errors import MisuseError
from cli.play.seats import check_kinds, choose_seats, fill_kinds
from interpreter.analysis.random_choices import random_move
from interpreter.play.game import load
from interpreter.play.saves.files import read_save, resume
from interpreter.play.saves.model import schema
from tests.cli.conftest import PEBBLES, QUIET, read, saves
from tests.support.json_schemas import validate

SEATS = ("red", "green", "blue")


# ---- who plays


@pytest.mark.parametrize(
    ("players", "wanted", "seats"),
    [
        (None, {}, 2),
        (3, {}, 3),
        (None, {"blue": "human"}, ["red", "blue"]),
        (2, {"green": "human", "blue": "human"}, ["green", "blue"]),
        (None, {"red": "human", "green": "human", "blue": "human"}, 3),
        (("blue", "red"), {"blue": "human"}, ("blue", "red")),
        (None, {"all": "random"}, 2),
    ],
)
def test_which_seats_are_in_the_game(players, wanted, seats):
    assert choose_seats(players, wanted, SEATS, (2, 3)) == seats


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        ({}, "human normal normal"),
        ({"blue": "human"}, "normal normal human"),
        ({"red": "random"}, "random human normal"),
        ({"all": "random"}, "random random random"),
        ({"all": "human"}, "human human human"),
        ({"all": "human", "green": "random"}, "human random human"),
        ({"all": "random", "green": "human"}, "random human random"),
    ],
)
def test_who_sits_where(wanted, kinds):
    assert fill_kinds(wanted, SEATS) == dict(zip(SEATS, kinds.split(), strict=True))


def test_a_seat_is_added_where_the_game_is_for_no_such_number():
    assert choose_seats(None, dict.fromkeys("abc", "human"), "abcd", (2, 4)) == 4
    assert choose_seats(None, dict.fromkeys("d", "human"), "abcd", (2, 4)) == ["a", "d"]


@given(st.dictionaries(st.sampled_from([*SEATS, "all"]), st.sampled_from(["human", "random"])), st.integers(0, 3))
def test_every_named_seat_is_in_the_game(wanted, players):
    check_kinds(wanted, SEATS)
    try:
        seats = choose_seats(players or None, wanted, SEATS, (2, 3))
    except MisuseError:
        assert players and len(wanted.keys() - {"all"}) > players
        return
    seats = SEATS[:seats] if isinstance(seats, int) else seats
    assert len(seats) == (players or max(2, len(wanted.keys() - {"all"})))
    assert set(wanted) - {"all"} <= set(seats)
    assert list(seats) == [seat for seat in SEATS if seat in seats]


def test_bots_do_not_depend_on_what_came_before():
    state = load(PEBBLES).start(seed=1)
    first = random_move(state)
    state.push(state.legal_moves[-1])
    state.pop()
    assert random_move(state) == first


# ---- a game of bots


def test_bots_alone_play_to_the_end_and_print_the_result(run, own_folder):
    result = run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--players", 3)
    assert result.exit_code == 0
    assert "Pebbles\n 3 players: red (random), green (random), blue (random)\n seed 53\n" in result.output
    assert "the game is over" in result.output
    assert re.search(r" wins: highest points\(me\)", result.output)
    assert re.search(r"points of red = \d+   pebbles.rules:\d+ \[P-\d\]", result.output)
    assert "\x1b" not in result.output
    assert all(line == line.rstrip() for line in result.output.splitlines())
    path = saves(own_folder)[0]
    assert f"regelwerk trace {path.stem}\n" in result.output
    validate(read(path), schema())
    assert resume(read_save(path)).outcome is not None


def test_the_same_seed_is_the_same_game(run, own_folder):
    games = []
    for _ in range(2):
        run("play", PEBBLES, "--seat", "all=random", "--seed", 11)
    games = [read(path)["moves"] for path in saves(own_folder)]
    assert len(games) == 2
    assert games[0] == games[1]


def test_without_a_seed_one_is_drawn_and_shown(run, own_folder):
    result = run("play", PEBBLES, "--seat", "all=random")
    shown = int(re.search(r"seed (\d+)", result.output)[1])
    assert read(saves(own_folder)[0])["seed"] == shown


def test_a_drawn_seed_has_64_bits_and_gives_the_same_game_again(run, own_folder):
    for number in range(8):
        run("play", PEBBLES, "--seat", "all=random", "--save", f"drawn{number}")
    games = {document["seed"]: document for document in map(read, saves(own_folder))}
    largest = max(games)
    assert len(games) == 8
    assert largest > 1 << 60  # fails for one in four billion runs
    again = run("play", PEBBLES, "--seat", "all=random", "--seed", largest, "--save", own_folder / "again.json")
    assert f" seed {largest}\n" in again.output
    document = read(own_folder / "again.json")
    assert (document["moves"], document["chance"]) == (games[largest]["moves"], games[largest]["chance"])
    assert resume(read_save(own_folder / "again.json")).seed == largest


def test_options_that_are_not_as_usual_are_shown(run):
    result = run("play", PEBBLES, "--option", "turns=many", "--option", "start=green", "--seed", 1)
    assert " seed 1; option turns is many, start is green\n" in result.output


def test_a_trace_of_bots_shows_everything(run):
    result = run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--trace")
    assert "the game is set up" in result.output
    assert "pebbles.rules:" in result.output


def test_watching_bots(run):
    result = run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--follow")
    assert result.output.count(" Street\n") > 4


# ---- a person and bots


def test_a_person_sees_table_moves_and_what_happened(run):
    result = run("play", PEBBLES, "--seed", 53, "--players", 3, typed=["grab", "quit"])
    assert result.exit_code == 0
    first, second = result.output.split("red> grab\n")
    assert "Pebbles\n 3 players: red (you), green (random), blue (random)\n" in first
    assert " main, turn of red  r red  g green  b blue ──" in first
    assert " red, you must grab, show, build or throw:\n  grab\n    1 take a pebble out of the bag\n" in first
    assert " since your last decision\n  red    take a pebble out of the bag\n" in second
    assert "bag → hand[red]" in second
    assert "bag → hand[green]" not in second
    assert "saved; resume with: regelwerk play --resume pebbles-" in second


def test_typing_nonsense_changes_nothing(run, own_folder):
    words = ["dance", "99", "", "why", "why 99", "why dance", "help", "view", "log", "log all", "save", "undo", "q"]
    result = run("play", PEBBLES, "--seed", 53, typed=words)
    assert result.exit_code == 0
    assert read(saves(own_folder)[0])["moves"] == []
    for part in (
        "there is no move `dance`; ? for help",
        "the moves are numbered 1 to",
        "`why` expects a move",
        "there is no move `dance`",
        "show the moves again",
        "the game is set up",
        "you have made no decision yet",
    ):
        assert part in result.output


def test_as_much_of_the_log_as_asked_for(run):
    def told(text):
        output = run("play", "nim", "--seed", 1, typed=["1", "1", text, "quit"]).output
        return re.findall(r"^  (?:ann|ben)  take .*", output.rpartition("so far")[2], re.MULTILINE)

    everything = told("log all")
    assert len(everything) > 3
    assert told("log") == told(f"log {'9' * 30}") == everything
    assert told("log 2") == everything[-2:]


@pytest.mark.parametrize("text", ["log -1", "log 0", "log ²", "log some", "log 2.5", f"log -{'9' * 30}"])
def test_log_wants_a_number(run, text):
    output = run("play", PEBBLES, typed=[text, "quit"]).output
    assert "`log` expects a number of entries, at least 1, or `all`" in output


def test_why(run):
    result = run("play", PEBBLES, "--seed", 53, typed=["why show(gem)", "why 1", "why 1 more", "why show(gem) MORE"])
    brief, further = result.output.split("red> why 1 more")
    assert "`show(gem)` is not legal: you hold no gem\n  [P-2]\n  nearest legal moves: " in brief
    assert "`grab` is legal\n  `why 1 more` shows the rest\n" in brief
    assert "pebbles.rules:" not in brief and "hand[me]" not in brief and "the rule asks" not in brief
    assert "`show(gem)` is not legal: you hold no gem\n  + the rule asks: must grab or show or build" in further
    assert "\n  - you hold no gem\n      hand[me] of kind = nothing\n" in further
    assert "`grab` is legal\n  + the rule asks: must grab or show or build or throw" in further
    assert "\n  + bag is not empty\n" in further and "shows the rest" not in further
    assert "[P-2]" in further


def test_end_of_input_leaves_a_save(run, own_folder):
    result = run("play", PEBBLES, "--seed", 53, typed=["grab"])
    assert result.exit_code == 0
    assert "saved; resume with: regelwerk play --resume" in result.output
    assert read(saves(own_folder)[0])["moves"][0] == {"player": "red", "move": "grab"}


def test_odd_bytes_do_no_harm(run):
    result = run(
        "play", PEBBLES, "--seed", 53, typed=["\udcff\udc00".encode("utf-8", "surrogatepass").decode("latin-1")]
    )
    assert result.exit_code == 0


def test_a_whole_game_by_hand(run, own_folder):
    result = run("play", PEBBLES, "--seed", 53, "--seat", "all=human", typed="\n".join(["1", ""] * 200))
    assert result.exit_code == 0
    assert "the game is over" in result.output


@pytest.mark.parametrize("width", [40, 44, 60, 80, 120, 200])
def test_every_width_is_usable(run, width):
    result = run(
        "play", PEBBLES, "--seed", 53, "--players", 3, typed=["1", "?", "why 1", "log"] * 30, COLUMNS=str(width)
    )
    assert result.exit_code == 0
    long = [line for line in result.output.splitlines() if len(line) > max(40, min(120, width))]
    unbroken = ("--resume", "saved after", "> ", " trace ", "play again: ")
    assert all(any(words in line for words in unbroken) for line in long), long


def test_the_log_marks_moves_without_alternative(run, own_folder):
    text = Path(PEBBLES).read_text().replace("    must grab or show or build or throw", "    must grab")
    (own_folder / "forced.rules").write_text(text)
    result = run("play", "forced", "--seed", 0, "--seat", "all=human", typed=["", "", "log all"])
    if "red>" in result.output:
        assert "take a pebble out of the bag (the only move)" in result.output
    assert "the game is over" in result.output or "(the only move)" in result.output


# ---- saves and resuming


def test_every_decision_is_in_the_save_at_once(run, own_folder):
    for number in range(1, 4):
        path = own_folder / f"{number}.json"
        run(
            "play",
            PEBBLES,
            "--seed",
            QUIET,
            "--seat",
            "all=human",
            "--save",
            path,
            typed=["", *(["build", "", ""] * number)],
        )
        assert len(read(path)["moves"]) >= number


def test_resume_goes_on_to_the_same_end(run, own_folder):
    typed = [str(1 + n % 3) for n in range(100)]
    run("play", PEBBLES, "--seed", 8, "--players", 3, "--save", "whole.json", typed=typed)
    whole = read(own_folder / "whole.json")
    mine = [move["move"] for move in whole["moves"]]
    run("play", PEBBLES, "--seed", 8, "--players", 3, "--save", "parts.json", typed=typed[:1])
    for _ in range(60):
        before = read(own_folder / "parts.json")["moves"]
        state = resume(read_save(own_folder / "parts.json"))
        if state.outcome is not None:
            break
        result = run("play", "--resume", "parts.json", typed=[mine[len(before)]])
        assert result.exit_code == 0
    assert read(own_folder / "parts.json")["moves"] == whole["moves"]
    assert read(own_folder / "parts.json")["chance"] == whole["chance"]


def test_resume_tells_what_happened_before(run, own_folder):
    run("play", PEBBLES, "--seed", QUIET, "--save", "a.json", typed=["build"])
    result = run("play", "--resume", "a.json")
    assert " Pebbles, resumed\n" in result.output
    assert " since your last decision\n  red    build a hut\n  green  " in result.output


def test_resuming_into_another_file_leaves_the_old_one(run, own_folder):
    run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=["build"])
    before = (own_folder / "a.json").read_text()
    assert run("play", "pebbles", "--resume", "a.json", "--save", "b.json", typed=["build"]).exit_code == 0
    assert (own_folder / "a.json").read_text() == before
    assert len(read(own_folder / "b.json")["moves"]) > len(json.loads(before)["moves"])


def test_a_seat_may_be_given_to_somebody_else(run, own_folder):
    run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=["build"])
    result = run("play", "--resume", "a.json", "--seat", "all=random")
    assert "the game is over" in result.output
    assert read(own_folder / "a.json")["notes"][0]["text"] == "is played by random from here on"


def test_a_finished_game_shows_its_end_again(run, own_folder):
    run("play", PEBBLES, "--seed", 53, "--seat", "all=random", "--save", "a.json")
    result = run("play", "--resume", "a.json")
    assert result.exit_code == 0
    assert "the game is over" in result.output


def test_a_save_is_not_overwritten(run, own_folder):
    (own_folder / "a.json").write_text("mine")
    result = run("play", PEBBLES, "--save", "a.json")
    assert (result.exit_code, (own_folder / "a.json").read_text()) == (2, "mine")
    assert "already exists; resume it with --resume a.json" in result.output


def test_a_save_of_another_game(run, own_folder):
    run("play", PEBBLES, "--seed", 53, "--save", "a.json")
    result = run("play", "marbles", "--resume", "a.json")
    assert (result.exit_code, result.output) == (1, "error: a.json is a save of `pebbles`, not of `marbles`\n")


def test_changed_rules_are_said(run, own_folder):
    (own_folder / "own.rules").write_text(Path(PEBBLES).read_text())
    run("play", "own", "--seed", 53, "--save", "a.json", typed=["build"])
    text = Path(PEBBLES).read_text()
    (own_folder / "own.rules").write_text(text.replace("gem    3  2", "gem    2  2"))
    result = run("play", "--resume", "a.json")
    assert "the rules have been changed since the save was written" in result.output
    (own_folder / "own.rules").write_text(Path(PEBBLES).read_text().replace("build", "raise_it"))
    result = run("play", "--resume", "a.json")
    assert result.exit_code == 1
    assert "move 1, `build` by red, is no longer legal" in result.output


def test_a_copy_of_the_save(run, own_folder):
    (own_folder / "there.json").write_text("mine")
    typed = ["build", "save copy.json", "save there.json", "save no/folder.json", "save ."]
    result = run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=typed)
    assert resume(read_save(own_folder / "copy.json")).ply > 0
    assert "copied the save to copy.json" in result.output
    assert "there.json already exists" in result.output
    assert "cannot write no/folder.json: no such file or directory" in result.output
    assert (own_folder / "there.json").read_text() == "mine"


def test_a_folder_that_cannot_be_written_to(run, own_folder):
    (own_folder / "data").write_text("a file where the folder should be")
    result = run("play", PEBBLES)
    assert result.exit_code == 1
    assert result.output.startswith("error: ")
    assert "see --save" in result.output


@pytest.fixture
def filling_up(monkeypatch):
    """The disk fills up after two writes of a save."""
    import cli.play.table as table

    real, calls = table.write_save, []

    def full(*arguments, **flags):
        calls.append(1)
        if len(calls) > 2:
            raise OSError(28, "No space left on device")
        return real(*arguments, **flags)

    monkeypatch.setattr(table, "write_save", full)


def test_a_disk_that_fills_up(run, own_folder, filling_up):
    result = run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=["build", "build", "quit"])
    assert result.exit_code == 0
    assert "cannot write the save: no space left on device; the game continues unsaved" in result.output
    assert "NOT saved (no space left on device): a.json" in result.output


def test_a_game_that_ends_without_being_saved(run, own_folder, filling_up):
    result = run("play", "tic_tac_toe", "--seed", 1, "--save", "a.json", typed=["1"] * 9)
    assert "cross" in result.output.partition("the game is over")[2]
    assert "NOT saved (no space left on device): a.json" in result.output
    assert "regelwerk trace" not in result.output
    assert "play again: regelwerk play tic_tac_toe" in result.output


# ---- several persons


def test_the_keyboard_is_passed_on(run):
    typed = ["", "build", "", "", "build", "", ""]
    result = run("play", PEBBLES, "--seed", QUIET, "--seat", "all=human", typed=typed)
    parts = re.split(r"pass the keyboard to (\w+)\n", result.output)
    assert parts[1::2][:3] == ["red", "green", "red"]
    assert "red, press Enter when you have seen this" in parts[2]


@pytest.mark.parametrize("flags", [["tic_tac_toe"], [PEBBLES, "--all"]], ids=["open game", "everything shown"])
def test_the_keyboard_is_not_passed_on_where_nothing_is_hidden(run, flags):
    result = run("play", *flags, "--seed", QUIET, "--seat", "all=human", "--save", "a.json", typed=["1", "1"])
    assert "Enter" not in result.output.partition("> ")[2]
    assert len(read(Path("a.json"))["moves"]) >= 2


def test_nobody_sees_the_hand_of_another(run):
    """Between two hand-overs only the hand of the one who has the keyboard is shown."""
    typed = ["", "build", "", ""] * 6
    result = run("play", PEBBLES, "--seed", 53, "--seat", "all=human", "--players", 3, typed=typed)
    hands = {seat: load(PEBBLES, 3).start(seed=53).view(seat).zones[f"hand[{seat}]"].pieces for seat in SEATS}
    parts = re.split(r"pass the keyboard to (\w+)\n", result.output)
    for seat, text in zip(parts[1::2], parts[2::2], strict=True):
        shown = re.findall(r" You: Hand: (.*)", text)
        assert shown
        names = sorted(piece.name for piece in hands[seat])
        words = [word for name in names for word in name.split()]
        assert all(word in words or word.isdigit() for word in re.findall(r"\w+", " ".join(shown)))


def test_undo_is_free_with_bots_only(run, own_folder):
    result = run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=["throw", "undo", "build"])
    saved = read(own_folder / "a.json")
    assert saved["moves"][0]["move"] == "build"
    assert saved["notes"][0] == {
        "ply": 0,
        "kind": "undo",
        "player": "red",
        "text": "took back the last decision",
        "agreed": [],
        "moves": saved["notes"][0]["moves"],
    }
    assert saved["notes"][0]["moves"][0] == {"player": "red", "move": "throw"}
    assert "agree" not in result.output


def test_after_an_undo_the_same_move_meets_the_same_answers(run, own_folder):
    run("play", PEBBLES, "--seed", 53, "--save", "a.json", typed=["throw"])
    run("play", PEBBLES, "--seed", 53, "--save", "b.json", typed=["throw", "undo", "build", "undo", "throw"])
    assert read(own_folder / "a.json")["moves"] == read(own_folder / "b.json")["moves"]
    assert read(own_folder / "a.json")["chance"] == read(own_folder / "b.json")["chance"]


def test_undo_across_another_person_needs_agreement(run, own_folder):
    begin = ["", "build", "", "", "build", "", "", "undo"]
    refused = run(
        "play", PEBBLES, "--seed", QUIET, "--seat", "all=human", "--save", "a.json", typed=[*begin, "n", "", "quit"]
    )
    assert "red asks to go back to red's last decision." in refused.output
    assert refused.output.count("green does not agree; nothing is taken back") == 2
    assert refused.output.index("green does not agree") < refused.output.rindex("red, press Enter")
    assert refused.output.rindex("red, press Enter") < refused.output.rindex("green does not agree")
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["build", "build"]
    agreed = run(
        "play", PEBBLES, "--seed", QUIET, "--seat", "all=human", "--save", "b.json", typed=[*begin, "y", "", "log"]
    )
    assert "taken back" in agreed.output
    saved = read(own_folder / "b.json")
    assert saved["moves"] == []
    assert saved["notes"][0]["agreed"] == ["green"]
    assert "red  took back the last decision; green agreed" in agreed.output


SOLO = """    must grab or show or build or throw
    must grab or show or build or throw
"""


@pytest.fixture
def two_steps(own_folder):
    """The game with two decisions a turn, so that one can go back within one's own turn."""
    text = Path(PEBBLES).read_text().replace("    must grab or show or build or throw\n", SOLO)
    (own_folder / "twice.rules").write_text(text)
    return "twice"


@pytest.mark.parametrize(("move", "asked"), [("build", False), ("show(chip)", False), ("throw", True), ("grab", True)])
def test_undo_within_ones_turn_is_free_unless_something_came_to_light(run, own_folder, two_steps, move, asked):
    typed = ["", move, "undo", "y", "", "quit"]
    result = run("play", two_steps, "--seed", 7, "--seat", "all=human", "--save", "a.json", typed=typed)
    assert ("green, do you agree?" in result.output) == asked
    assert read(own_folder / "a.json")["moves"] == []


def test_all_lays_the_game_open_and_says_so_to_everybody(run, own_folder):
    result = run("play", PEBBLES, "--seed", 53, "--all", "--save", "a.json", typed=["build"])
    assert "everything is revealed from here on (--all)" in result.output
    assert "\n green: Hand:" in result.output
    again = run("play", "--resume", "a.json", typed=["log all"])
    assert "everything is revealed from here on (--all)" in again.output
    assert "\n green: Hand:" in again.output


def test_a_rule_that_fails_ends_the_game_with_a_message(run, own_folder):
    gone = "(the c in hand[me] where c.worth is gem).worth.points"
    text = Path(PEBBLES).read_text().replace("set thrown to luck", f"set thrown to {gone}")
    (own_folder / "fails.rules").write_text(text)
    assert run("check", "fails").exit_code == 0
    result = run("play", "fails", "--seed", QUIET, "--save", "a.json", typed=["throw"])
    assert result.exit_code == 1
    assert "fails.rules:" in result.output
    assert read(own_folder / "a.json")["moves"] == []


@given(
    st.lists(st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=("Cs",)), max_size=30), max_size=15)
)
def test_whatever_is_typed_the_game_goes_on(tmp_path_factory, lines):
    from typer.testing import CliRunner

    from cli.main import app

    save = tmp_path_factory.mktemp("typed") / "a.json"
    words = ["play", PEBBLES, "--seed", "3", "--save", str(save)]
    result = CliRunner().invoke(
        app, words, input="".join(f"{line}\n" for line in lines if "save" not in line.casefold())
    )
    assert result.exit_code == 0, result.output
    assert "Traceback" not in result.output
    assert "bug in Regelwerk" not in result.output
    read_save(save)
