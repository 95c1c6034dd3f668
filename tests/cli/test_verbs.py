"""The verbs that do not ask: games, check, test, trace, simulate; their JSON; messages and exit codes of all."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

from cli.json_output import schema
from cli.statistics import Criterion, figure, quantile, share, summary
from cli.verbs import VERBS
from interpreter.analysis.results import Playout
from tests.cli.conftest import GAMES, PEBBLES, saves, valid

ROOT = Path(__file__).parents[2]


@pytest.fixture
def here(own_folder):
    """The small game in the current folder."""
    shutil.copy(PEBBLES, own_folder)
    return own_folder


# ---- help


def test_without_a_verb_it_shows_its_help(run):
    result = run()
    assert result.exit_code == 0
    assert all(f"  {verb} " in result.output for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(run, verb):
    for flag in ("--help", "-h"):
        result = run(verb, flag)
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: regelwerk {verb}") or f" {verb} " in result.output.splitlines()[0]


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_begins_with_its_short_text(verb):
    function = getattr(import_module(f"cli.verbs.{verb}"), verb)
    assert function.__doc__.partition("\n")[0] == f"{VERBS[verb]}."


def test_the_verbs_are_the_modules_in_their_folder():
    assert set(VERBS) == {path.stem for path in (ROOT / "cli" / "verbs").glob("[!_]*.py")}


def test_the_readme_lists_the_verbs_as_the_help_does(run):
    listed = re.findall(
        r"^regelwerk (\w+)[A-Z ]*  ?([A-Z][a-z].*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert dict(listed) == VERBS
    assert all(f"  {verb:<8}  {text}\n" in run("--help").output for verb, text in listed)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["pley"], ["fmt", "--help"], ["explain", "E0101"]])
def test_the_interpreter_is_loaded_only_by_the_verbs_that_use_it(words):
    code = "import sys, cli.main as m; m.app(sys.argv[1:], standalone_mode=False); print('interpreter' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_version(run):
    result = run("--version")
    assert (result.exit_code, result.output.split()[0]) == (0, "regelwerk")


# ---- check


def test_check_a_good_file(run):
    result = run("check", PEBBLES)
    assert (result.exit_code, result.output) == (0, "no problems in 1 file\n")


def test_check_by_name_and_a_file_once(run, here):
    assert run("check", "pebbles", "pebbles").output == "no problems in 1 file\n"


@pytest.fixture
def wrong(own_folder):
    path = own_folder / "wrong.rules"
    text = Path(PEBBLES).read_text()
    path.write_text(text.replace("set thrown to luck", "set throw to luck").replace("count store[p]", "count stoer[p]"))
    return path


def test_check_a_bad_file(run, wrong):
    result = run("check", wrong.name, PEBBLES)
    assert result.exit_code == 1
    assert "error[E" in result.output
    assert "wrong.rules:" in result.output
    assert "^^^" in result.output
    assert result.output.splitlines()[-1].endswith("errors in 2 files")


def test_check_as_json(run, wrong):
    result = run("check", wrong, "--format", "json")
    assert result.exit_code == 1
    found = valid("check", result.output)["files"][0]["diagnostics"]
    assert {finding["severity"] for finding in found} == {"error"}
    assert all(finding["place"]["line"] > 1 for finding in found)


BOARD = {
    "format": 1,
    "name": "Triangle",
    "posts": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    "hedges": [{"id": "ab", "ends": ["a", "b"]}, {"id": "bc", "ends": ["b", "c"]}, {"id": "ca", "ends": ["c", "a"]}],
    "meadows": [{"id": "inner", "edges": ["ab", "bc", "ca"]}],
}


def test_check_a_board(run, own_folder):
    (own_folder / "triangle.json").write_text(json.dumps(BOARD))
    result = run("check", "triangle.json", PEBBLES)
    assert result.exit_code == 0
    assert result.output == "triangle.json: 3 places, 3 edges, 1 face, no errors\nno problems in 2 files\n"
    assert valid("check", run("check", "triangle.json", "--format", "json").output)["files"] == [
        {"path": "triangle.json", "diagnostics": []}
    ]


def test_check_a_bad_board(run, own_folder):
    text = json.dumps(BOARD, indent=1).replace('"id": "bc"', '"id": "bd"')
    (own_folder / "triangle.json").write_text(text)
    result = run("check", "triangle.json")
    assert result.exit_code == 1
    assert "error[E0707]: there is no edge `bc`" in result.output
    assert "triangle.json:" in result.output
    assert result.output.splitlines()[-1] == "1 error in 1 file"
    (finding,) = valid("check", run("check", "triangle.json", "--format", "json").output)["files"][0]["diagnostics"]
    assert finding["code"] == "E0707"


def test_check_a_board_that_is_not_there(run):
    result = run("check", "nowhere.json")
    assert result.exit_code == 1
    assert "no such file" in result.output


def test_check_the_companion_means_its_game(run, here):
    (here / "pebbles.examples.rules").write_text('examples of pebbles\n\nexample "x":\n    then thrown is red\n')
    result = run("check", "pebbles.examples.rules")
    assert result.exit_code == 1
    assert "pebbles.examples.rules:4" in result.output


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"\xff\xfe", b"game", b"(" * 20_000])
def test_check_says_what_is_wrong_with_anything(run, own_folder, content):
    (own_folder / "x.rules").write_bytes(content)
    result = run("check", "x.rules")
    assert result.exit_code == 1
    assert "error[E" in result.output
    assert run("play", "x.rules").exit_code == 1


# ---- test

EXAMPLES = """examples of pebbles

example "a throw":                          [P-1]
    given 2 players
    given luck is 3
    when red: throw
    then thrown is 3

example "a wrong throw":                    [P-2]
    given 2 players
    given luck is 3
    when red: throw
    then thrown is 4
"""


def test_examples(run, here):
    (here / "pebbles.examples.rules").write_text(EXAMPLES)
    result = run("test", "pebbles")
    assert result.exit_code == 1
    assert 'FAILED "a wrong throw" [P-2]' in result.output
    assert "pebbles.examples.rules:13" in result.output
    assert result.output.splitlines()[-1] == "1 of 2 examples passed in 1 file, 1 failed"


def test_examples_of_a_folder_as_json(run, here):
    (here / "pebbles.examples.rules").write_text(EXAMPLES)
    result = run("test", ".", "--format", "json")
    assert result.exit_code == 1
    document = valid("test", result.output)
    assert (document["passed"], document["failed"]) == (1, 1)


def test_no_examples(run, here):
    result = run("test", "pebbles.rules")
    assert (result.exit_code, result.output) == (0, "no examples in 1 file\n")


def test_examples_of_rules_with_errors(run, wrong):
    result = run("test", wrong)
    assert result.exit_code == 1
    assert "error[E" in result.output


# ---- perft


def test_perft_counts_every_sequence_of_moves(run):
    result = run("perft", "tic_tac_toe", "--depth", 5)
    assert result.exit_code == 0
    assert [line.split() for line in result.output.splitlines()[-7:-2]] == [
        ["1", "9", "0"], ["2", "72", "0"], ["3", "504", "0"], ["4", "3024", "0"], ["5", "15120", "1440"],
    ]  # fmt: skip
    document = valid("perft", run("perft", "tic_tac_toe", "--depth", 5, "--format", "json").output)
    assert (document["over"], document["chance"]) == (1440, False)
    assert valid("perft", run("perft", "pig", "--depth", 2, "--format", "json").output)["chance"]
    assert run("perft", "nim", "--depth", 0).exit_code == 2


# ---- simulate


def test_simulate(run):
    result = run("simulate", PEBBLES, "-n", 30, "--players", 3, "--seed", 5, "--option", "turns=many")
    assert result.exit_code == 0
    assert "Pebbles: 30 games of 3 random bots" in result.output
    assert "seeds 5 to 34, turns is many" in result.output
    assert re.search(r"games won \(%\), blue +\d+\.\d\d +\d+\.\d\d to \d+\.\d\d", result.output)


def test_simulate_is_the_same_for_any_number_of_jobs(run):
    outputs = {run("simulate", PEBBLES, "-n", 60, "-j", jobs, "--format", "json").output for jobs in (1, 2, 3)}
    assert len(outputs) == 1
    document = valid("simulate", outputs.pop())
    assert document["games"] == 60
    assert sum(seat["wins"]["mean"] for seat in document["seats"]) == pytest.approx(1)
    assert document["criteria"] == ["highest points(me)", "highest count store[me]"]


def test_simulate_goes_on_where_a_seed_ends(run):
    def total(seed, games):
        document = json.loads(run("simulate", PEBBLES, "-n", games, "--seed", seed, "--format", "json").output)
        return document["length"]["mean"] * games

    assert total(3, 30) == pytest.approx(total(3, 10) + total(13, 20))


def test_one_game_has_no_interval(run):
    document = json.loads(run("simulate", PEBBLES, "-n", 1, "--format", "json").output)
    assert document["length"]["low"] is document["length"]["high"] is None
    output = run("simulate", PEBBLES, "-n", 1).output
    assert output.startswith("Pebbles: 1 game of 2 random bots\nseed 0, ")
    assert re.search(r"decisions per game +\d+\.00 +\d+ +\d+\n", output)


def test_intervals():
    assert figure([1, 2, 3]).mean == 2
    assert figure([1, 2, 3]).low == pytest.approx(2 - 2.484, abs=0.001)
    assert figure([1, 2, 3]).high == pytest.approx(2 + 2.484, abs=0.001)
    assert figure([5]).low is figure([5]).high is None
    assert figure([]).mean == 0
    for freedom, point in ((1, 12.706), (4, 2.776), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)):
        assert quantile(freedom) == pytest.approx(point, abs=0.004)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (0, 1000, 0, 0.00383), (1, 1, 0.2065, 1), (3, 10, 0.1078, 0.6032),
     (50, 100, 0.4038, 0.5962)],
)  # fmt: skip
def test_the_interval_of_a_share_is_never_empty(won, games, low, high):
    """Wilson's score interval, as in published tables."""
    found = share([1.0] * won + [0.0] * (games - won))
    assert (found.low, found.high) == (pytest.approx(low, abs=0.0001), pytest.approx(high, abs=0.0001))
    assert found.low < found.high


def test_a_seat_that_never_wins_has_an_interval(run, own_folder):
    text = Path(PEBBLES).read_text(encoding="utf-8")
    (own_folder / "x.rules").write_text(text.replace("highest points(me) then", "highest (1 if me is red else 0) then"))
    seats = valid("simulate", run("simulate", "x.rules", "-n", 20, "--format", "json").output)["seats"]
    assert [(one["wins"]["mean"], one["wins"]["low"] == 0, one["wins"]["high"] == 1) for one in seats] == [
        (1, False, True), (0, True, False),
    ]  # fmt: skip
    assert seats[1]["wins"]["high"] == pytest.approx(0.1611, abs=0.0001)
    output = run("simulate", "x.rules", "-n", 20).output
    assert re.search(r"games won \(%\), red +100\.00 +83\.89 to 100\.00", output)
    assert re.search(r"games won \(%\), green +0\.00 +0\.00 to 16\.11", output)


def test_simulate_says_how_often_nobody_wins(run, own_folder):
    text = Path(PEBBLES).read_text(encoding="utf-8")
    (own_folder / "x.rules").write_text(text.replace("highest points(me) then", "me is red and points(me) > 99 then"))
    document = valid("simulate", run("simulate", "x.rules", "-n", 20, "--format", "json").output)
    assert document["criteria"][0] == "me is red and points(me) > 99"
    assert [(seat["wins"]["mean"], seat["scores"][0]["high"]) for seat in document["seats"]] == [
        (0, pytest.approx(0.1611, abs=0.0001))
    ] * 2
    assert document["nobody"]["mean"] == 1
    output = run("simulate", "x.rules", "-n", 20).output
    assert re.search(r"me is red and points\(me\) > 99 \(%\), red +0\.00 +0\.00 to 16\.11 *\n", output)
    assert re.search(r"games won \(%\), nobody +100\.00 +83\.89 to 100\.00", output)
    assert "nobody" not in run("simulate", PEBBLES, "-n", 20).output


SIDES = """game "Sides" for 4 players north, east, south, west

== components ==

type Side is north_south, east_west
note tricks[s: Side]: 0..99 = 0
note turns: 0..99 = 0

== phases ==

phase main, turns from north, over when turns is 5:
    add 1 to turns
    must take or pass

action take:
    "take"
    add 1 to tricks[side(me)]

action pass:
    "pass"

define side(p: Player): (north_south if p is north or p is south else east_west)

== scoring ==

winner highest tricks[side(me)]
teams by side(me)
"""


def test_simulate_counts_the_wins_of_teams(run, own_folder):
    (own_folder / "x.rules").write_text(SIDES)
    document = valid("simulate", run("simulate", "x.rules", "-n", 40, "--format", "json").output)
    wins = {seat["seat"]: seat["wins"] for seat in document["seats"]} | {
        team["team"]: team["wins"] for team in document["teams"]
    }
    assert wins["north"] == wins["south"] == wins["north_south"]
    assert wins["east"] == wins["west"] == wins["east_west"]
    assert wins["north_south"]["mean"] + wins["east_west"]["mean"] == pytest.approx(1)
    output = run("simulate", "x.rules", "-n", 40).output
    mean, low, high = (100 * wins["north_south"][each] for each in ("mean", "low", "high"))
    assert re.search(rf"games won \(%\), north_south +{mean:.2f} +{low:.2f} to {high:.2f}", output)
    assert f"an even share is 50.0% of the games; {document['shared']} wins were shared" in output
    again = run("simulate", "x.rules", "-n", 40, "-j", 2).output
    assert again == output


def test_the_result_names_teams_and_places(run, own_folder):
    (own_folder / "x.rules").write_text(SIDES)
    output = run("play", "x.rules", "--seat", "all=random", "--seed", 2).output
    assert " north_south (north and south) wins: highest tricks[side(me)]\n" in output
    table = [line.split() for line in output[output.index("Place  Player  Team") :].split("\n")[1:5]]
    assert [row[:3] for row in table] == [
        ["1", "north", "north_south"], ["1", "south", "north_south"], ["3", "east", "east_west"],
        ["3", "west", "east_west"],
    ]  # fmt: skip


def test_the_result_says_that_all_lose(run, own_folder):
    (own_folder / "x.rules").write_text(
        SIDES.replace("winner highest tricks[side(me)]\nteams by side(me)", "winner turns > 5")
    )
    output = run("play", "x.rules", "--seat", "all=random", "--seed", 1).output
    assert " everyone loses: turns > 5\n" in output
    assert re.search(r"\n +1  north +no *\n", output)


def test_simulate_counts_the_wins_of_all_together(run, own_folder):
    text = SIDES.replace("winner highest tricks[side(me)]\nteams by side(me)", "winner tricks[north_south] > 1")
    (own_folder / "x.rules").write_text(text)
    document = valid("simulate", run("simulate", "x.rules", "-n", 40, "--format", "json").output)
    (together,) = document["teams"]
    assert together["team"] == "everyone"
    assert {seat["wins"]["mean"] for seat in document["seats"]} == {together["wins"]["mean"]}
    assert together["wins"]["mean"] + document["nobody"]["mean"] == pytest.approx(1)
    assert document["shared"] == 0
    output = run("simulate", "x.rules", "-n", 40).output
    assert re.search(r"games won \(%\), everyone +\d", output)
    assert "an even share" not in output


def test_a_shared_win_counts_in_parts_and_less_may_be_better():
    played = [
        Playout(0, {"red": (-3,), "green": (-3,)}, ("red", "green"), 4, 8, 3),
        Playout(1, {"red": (-2,), "green": (-5,)}, ("red",), 6, 12, 5),
    ]
    figures = summary(played, ("red", "green"), [Criterion("lowest p(me)", lowest=True)])
    assert [seat.wins.mean for seat in figures.seats] == [0.75, 0.25]
    assert figures.seats[0].scores[0].mean == 2.5
    assert (figures.shared, figures.widest, figures.sizes.mean) == (1, 5, 2.0)


# ---- messages and exit codes


@pytest.mark.parametrize("words", [("trace", "game.json"), ("play", "--resume", "game.json"), ("simulate", PEBBLES)])
def test_a_terminal_without_our_signs(save, words):
    import os
    import subprocess
    import sys

    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(GAMES.parents[2])}
    done = subprocess.run([sys.executable, "-m", "cli.main", *words], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_and_a_reader_who_has_gone(save):
    import os
    import subprocess
    import sys

    env = {**os.environ, "PYTHONPATH": str(GAMES.parents[2])}
    command = [sys.executable, "-m", "cli.main", "trace", "game.json"]
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(command, env=env, stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (1, b"error: no space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, env=env, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["pley"], 2, "did you mean"),
        (["play", "--sede", "3"], 2, "no such option"),
        (["play"], 2, "play needs a GAME"),
        (["play", "peebles"], 2, "there is no game `peebles`"),
        (["play", "nowhere/x.rules"], 2, "there is no rules file"),
        (["check", "nowhere.rules"], 2, "there is no rules file"),
        (["play", PEBBLES, "--players", "9"], 2, "is for 2 to 3 players, not 9"),
        (["play", PEBBLES, "--players", "-1"], 2, "not -1"),
        (["play", PEBBLES, "--players", "red,grene"], 2, "no seat `grene`; did you mean green"),
        (["play", PEBBLES, "--players", ","], 2, "a number of players or names"),
        (["play", PEBBLES, "--seed", "x"], 2, "invalid value for '--seed': expected a whole number"),
        (["play", PEBBLES, "--option", "turn=few"], 2, "no option `turn`; did you mean turns?"),
        (["play", PEBBLES, "--option", "turns=fwe"], 2, "few or many"),
        (["play", PEBBLES, "--option", "turns"], 2, "--option expects NAME=VALUE"),
        (["play", PEBBLES, "--option", "turns=few", "--option", "turns=many"], 2, "given twice"),
        (["play", PEBBLES, "--seat", "rad=human"], 2, "no seat `rad`; did you mean red?"),
        (["play", PEBBLES, "--seat", "red=humen"], 2, "did you mean human?"),
        (["play", PEBBLES, "--seat", "red"], 2, "--seat expects"),
        (["play", PEBBLES, "--seat", "blue=human", "--players", "red,green"], 2, "--players does not"),
        (["play", PEBBLES, "--seat", "all=human", "--follow"], 2, "at most one person"),
        (["play", PEBBLES, "--save", "."], 2, "is a folder"),
        (["play", "--resume", "none.json"], 1, "there is no save none.json"),
        (["play", "--resume", "x", "--seed", "3"], 2, "--seed cannot be changed with --resume"),
        (["play", "--resume", "x", "--seed", "0"], 2, "--seed cannot be changed with --resume"),
        (["simulate", PEBBLES, "-n", "0"], 2, "--games must be"),
        (["simulate", PEBBLES, "-j", "0"], 2, "--jobs must be"),
        (["simulate", PEBBLES, "--format", "xml"], 2, "text or json"),
        (["test", "nowhere"], 2, "there is no game `nowhere`"),
    ],
)
def test_misuse_is_one_clear_message(run, words, code, message):
    result = run(*words)
    assert result.exit_code == code, result.output
    assert message.casefold() in result.output.casefold()
    assert result.output.splitlines()[0].startswith("error: ")
    assert len(result.output.splitlines()) <= 2
    assert saves(Path.cwd()) == []


def test_errors_go_to_standard_error(run):
    result = run("play", "peebles")
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")


def test_the_help_speaks_of_no_game(run):
    words = {word.casefold() for path in Path("/").glob("nothing") for word in path.parts}
    texts = [run(verb, "--help").output for verb in VERBS] + [run().output]
    titles = {game["title"] for game in json.loads(run("games", "--format", "json").output)["games"]}
    for text in texts:
        assert not any(title.casefold() in text.casefold() for title in titles | words)


def test_the_schemas_are_schemas():
    for path in Path(schema.__code__.co_filename).parent.joinpath("schemas").glob("*.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
    assert GAMES.is_dir()


def test_games_tell_runs_of_numbers_by_their_ends(run, own_folder):
    shutil.copy(PEBBLES, own_folder)
    path = own_folder / "pebbles.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("option start", "option goal: 10..200 = 50\noption start", 1), encoding="utf-8")
    assert "goal = 50, or 10 to 49, 51 to 200" in run("games", "pebbles.rules").output
