"""`arena`: bots against each other, balanced, paired and resumable, with shares, ratings and intervals."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from interpreter.laboratory.confidence import SCALE, excluded, interval, log_capital, ratings
from tests.cli.conftest import DUEL, PEBBLES, TOGETHER, valid
from tests.cli.terminal import plain
from tests.cli.walk import with_one_process
from tests.support.own_bots import install_bots

RATED = importlib.util.find_spec("choix") is not None
if not RATED and "CI" in os.environ:
    raise AssertionError("choix is not installed: pip install 'regelwerk[arena]'")
needs_choix = pytest.mark.skipif(not RATED, reason="choix is not installed: pip install 'regelwerk[arena]'")


@pytest.fixture
def run(run):
    return with_one_process(run)


def arena(run, *words):
    return valid("arena", run("arena", *words, "--format", "json").output)


def games(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


# ---- seats, seeds and results


@pytest.mark.parametrize(("players", "rotation"), [(2, 2), (3, 6)])
def test_every_two_bots_have_every_seat_equally_often(run, duel, players, rotation):
    run("arena", "duel.rules", "random", "greedy", "random", "-n", 12, "--players", players, "--into", "r.jsonl")
    found = games(duel / "r.jsonl")
    assert len(found) == 3 * 12
    for pair in ({0, 1}, {0, 2}, {1, 2}):
        own = [one for one in found if set(one["seating"]) == pair]
        assert len(own) == 12
        for seat in range(players):
            assert Counter(one["seating"][seat] for one in own) == dict.fromkeys(pair, 6)
        seatings_of = {number: {tuple(one["seating"]) for one in own if one["rotation"] == number}
                     for number in range(12 // rotation)}  # fmt: skip
        assert all(len(each) == rotation for each in seatings_of.values())


def test_games_of_a_rotation_have_the_same_seed(run, duel):
    """Two equal bots make the same moves, whichever seats they have."""
    run("arena", "duel.rules", "random", "random", "-n", 20, "--into", "r.jsonl", "--seed", 7)
    digests = {}
    for one in games(duel / "r.jsonl"):
        digests.setdefault(one["rotation"], set()).add(one["result"]["digest"])
    assert all(len(each) == 1 for each in digests.values())
    assert len(set.union(*digests.values())) > 1


def test_the_stronger_bot_is_found(run, duel):
    document = arena(run, "duel.rules", "random", "greedy", "-n", 60)
    (pairing,) = document["pairings"]
    assert pairing["bots"] == ["random", "greedy"]
    assert pairing["share"] < 0.2 and pairing["high"] < 0.5 and pairing["decided"] and pairing["complete"]
    assert [one["bot"] for one in document["standings"]] == ["greedy", "random"]
    assert document["standings"][0]["share"] == pytest.approx(1 - pairing["share"])
    assert document["standings"][0]["scores"][0]["mean"] > document["standings"][1]["scores"][0]["mean"]


def test_the_report(run, duel):
    output = run("arena", "duel.rules", "random", "greedy", "random", "-n", 20, "--seed", 3).output
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert lines[0] == "Duel: random #1, greedy, random #2"
    assert lines[1] == "seeds 3 to 12"
    assert "rotations of 2 games with the same seed, in which each of two bots has each seat" in lines[2]
    assert "greedy is stronger" in output and "undecided" in output
    assert any(line.startswith("share (%) against greedy random") for line in lines)


def test_equal_results_for_any_number_of_jobs(run, duel):
    outputs = {run("arena", "duel.rules", "random", "greedy", "mcts:5", "-n", 8, "-j", jobs, "--format", "json").output
               for jobs in (1, 2, 3)}  # fmt: skip
    assert len(outputs) == 1


def test_games_rounded_up_to_rotations(run, duel):
    assert arena(run, "duel.rules", "random", "greedy", "-n", 7, "--players", 3)["pairings"][0]["games"] == 12


def test_options_and_players(run):
    document = arena(run, PEBBLES, "random", "random", "-n", 2, "--option", "turns=many", "--players", "red,blue")
    assert document["options"]["turns"] == "many" and document["players"] == ["red", "blue"]


def test_bots_of_a_team_sit_together(run, own_folder):
    run("arena", "spades", "random", "random", "-n", 2, "--into", "r.jsonl")
    assert {tuple(one["seating"]) for one in games(own_folder / "r.jsonl")} == {(0, 1, 0, 1), (1, 0, 1, 0)}


def test_where_all_win_together_bots_play_games_of_their_own(run, own_folder):
    (own_folder / "together.rules").write_text(TOGETHER)
    output = run("arena", "together.rules", "random", "greedy", "-n", 40, "--into", "r.jsonl").output
    assert "each bot plays separate games; those with the same seed are compared" in output
    assert {tuple(one["seating"]) for one in games(own_folder / "r.jsonl")} == {(0, 0), (1, 1)}
    assert "greedy is stronger" in output
    assert arena(run, "together.rules", "random", "greedy", "-n", 4)["together"]


def test_games_that_repeat_each_other_are_mentioned(run, duel):
    text = (duel / "duel.rules").read_text()
    (duel / "one.rules").write_text(text.replace("    must take or pass", "    must take"))
    output = run("arena", "one.rules", "random", "random", "-n", 8).output
    assert "all rotations of random #1 and random #2 were identical, move by move" in output
    assert arena(run, "one.rules", "random", "random", "-n", 8)["pairings"][0]["all_the_same"]


# ---- stopping early


def test_a_pairing_ends_when_it_is_decided(run, duel):
    words = ("duel.rules", "random", "greedy", "-n", 400, "--until-decided")
    documents = [arena(run, *words, "-j", jobs) for jobs in (1, 3)]
    assert documents[0] == documents[1]
    (pairing,) = documents[0]["pairings"]
    assert pairing["decided"] and pairing["complete"] and 16 <= pairing["games"] < 60
    assert pairing["high"] < 0.5


def test_games_after_the_decision_do_not_count(run, duel):
    run("arena", "duel.rules", "random", "greedy", "-n", 30, "--into", "r.jsonl")
    before = (duel / "r.jsonl").read_text()
    with_file = arena(run, "duel.rules", "random", "greedy", "-n", 30, "--until-decided", "--into", "r.jsonl")
    assert with_file == arena(run, "duel.rules", "random", "greedy", "-n", 30, "--until-decided")
    assert (duel / "r.jsonl").read_text() == before


def test_equal_bots_stay_undecided(run, duel):
    (pairing,) = arena(run, "duel.rules", "random", "random", "-n", 20, "--until-decided")["pairings"]
    assert pairing["games"] == 20 and not pairing["decided"] and pairing["complete"]


# ---- the file


def test_a_run_goes_on_where_it_was(run, duel):
    words = ("arena", "duel.rules", "random", "greedy", "--into", "r.jsonl")
    run(*words, "-n", 4)
    first = (duel / "r.jsonl").read_text()
    output = run(*words, "-n", 10).output
    assert (duel / "r.jsonl").read_text().startswith(first)
    assert len(games(duel / "r.jsonl")) == 10
    assert output == run("arena", "duel.rules", "random", "greedy", "-n", 10).output
    assert output == run(*words, "-n", 10).output
    assert len(games(duel / "r.jsonl")) == 10


def test_a_game_counts_once_however_often_it_is_in_the_file(run, duel):
    words = ("duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 4)
    before = arena(run, *words)
    path = duel / "r.jsonl"
    path.write_text(path.read_text() + path.read_text().split("\n", 1)[1])
    assert arena(run, *words) == before


@pytest.mark.parametrize("cut", [1, 30, -1])
def test_a_line_that_a_kill_cut_off_is_played_again(run, duel, cut):
    words = ("duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 4)
    before = arena(run, *words)
    path = duel / "r.jsonl"
    text = path.read_text()
    last = text.rstrip("\n").rindex("\n") + 1
    path.write_text(text[:last] + text[last:].rstrip("\n")[:cut])
    assert arena(run, *words) == before
    assert sorted(path.read_text().splitlines()[1:]) == sorted(text.splitlines()[1:])


def test_a_kill_in_the_first_line(run, duel):
    words = ("duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 4)
    before = arena(run, *words)
    path = duel / "r.jsonl"
    path.write_text(path.read_text()[:50])
    assert arena(run, *words) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("duel.rules", "random", "mcts:5"), "bots was random, greedy, now it is random, mcts:5"),
        (("duel.rules", "random", "greedy", "--seed", "1"), "seed was 0, now it is 1"),
        (("duel.rules", "random", "greedy", "--players", "3"), "players was ann, ben, now it is ann, ben, cleo"),
        (("other.rules", "random", "greedy"), "game was duel, now it is other"),
    ],
)
def test_a_file_of_other_games_is_refused(run, duel, words, message):
    run("arena", "duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 2)
    (duel / "other.rules").write_text(DUEL)
    before = (duel / "r.jsonl").read_bytes()
    result = run("arena", *words, "--into", "r.jsonl", "-n", 4)
    assert result.exit_code == 1
    assert f"r.jsonl holds results of other games: {message}; name a new file" in " ".join(result.output.split())
    assert (duel / "r.jsonl").read_bytes() == before


def test_changed_rules_and_another_version_are_refused(run, duel, monkeypatch):
    words = ("arena", "duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 2)
    run(*words)
    with monkeypatch.context() as patched:
        patched.setattr("interpreter.laboratory.results_file.__version__", "99.0")
        assert "the version of Regelwerk was" in run(*words).output
    (duel / "duel.rules").write_text(DUEL.replace("turns is 6", "turns is 8"))
    result = run(*words)
    assert result.exit_code == 1 and "the hash of the rules was" in result.output


@pytest.mark.parametrize("text", ["precious", "precious\n", "{}\n", '{"format":"regelwerk save"}\n', "\xff\n", "[1]\n"])
def test_other_files_are_left_as_they_are(run, duel, text):
    (duel / "r.jsonl").write_bytes(text.encode("latin-1"))
    result = run("arena", "duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 2)
    assert result.exit_code == 1 and "r.jsonl is not a file of arena results" in result.output
    assert (duel / "r.jsonl").read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"seating":[0,1],"rotation":0}', '{"seating":[0,5],"rotation":0,"result":{}}']
)
def test_a_damaged_line_is_named(run, duel, line):
    words = ("arena", "duel.rules", "random", "greedy", "--into", "r.jsonl", "-n", 2)
    run(*words)
    path = duel / "r.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, *lines[1:], ""]))
    result = run(*words)
    assert result.exit_code == 1 and "line 2 of r.jsonl is damaged" in result.output


def wait_for_games(path: Path, number: int) -> None:
    end = time.monotonic() + 120
    while not path.exists() or path.read_text("utf-8").count("\n") <= number:
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_lost_or_counted_twice_after_a_kill(run, terminal, duel, jobs, sent):
    words = ("duel.rules", "random", "greedy", "--games", "3000", "--into", "r.jsonl", "--jobs", jobs)
    playing = terminal("arena", *words, columns=120)
    wait_for_games(duel / "r.jsonl", 10)
    playing.process.send_signal(sent)
    code, out = playing.end(120), plain(playing.raw)
    kept = len(games(duel / "r.jsonl")) if (duel / "r.jsonl").read_text().endswith("\n") else 10
    assert 10 <= kept < 3000
    if sent == signal.SIGINT:
        assert code == 130 and "Duel: random, greedy" in out
        assert "interrupted: the figures cover the games played so far" in out
    else:
        assert code == -sent
    few = ("duel.rules", "random", "greedy", "--games", kept + 4)
    assert arena(run, *few, "--into", "r.jsonl") == arena(run, *few)


# ---- games that fail, and wrong arguments


def test_a_game_that_fails_is_reported_saved_and_not_counted(run, own_folder):
    text = DUEL.replace('    "pass"\n', '    "pass"\n    if turns is 5: add 99 to turns\n')
    (own_folder / "duel.rules").write_text(text)
    result = run("arena", "duel.rules", "random", "random", "-n", 12, "--into", "r.jsonl")
    assert result.exit_code == 1
    assert "ended in an error; their rotations do not count" in result.output
    assert "104 is outside the range 0..99" in result.output and "regelwerk trace" in result.output
    again = run("arena", "duel.rules", "random", "random", "-n", 12, "--into", "r.jsonl", "--format", "json")
    document = valid("arena", again.output)
    assert document["failed"] and document["failed"][0]["save"]
    assert document["pairings"][0]["games"] == 12 - len(document["failed"])


@pytest.fixture
def own_bots(tmp_path, monkeypatch):
    """Custom bots are installed."""
    monkeypatch.syspath_prepend(str(install_bots(tmp_path / "bots")))
    return tmp_path / "bots"


def test_bots_of_ones_own_play_and_their_package_is_part_of_the_setting(run, duel, own_bots):
    words = ("arena", "duel.rules", "first", "first:1", "-n", 4, "--into", "r.jsonl")
    assert "first is stronger" in run(*words[:4], "-n", 40).output
    run(*words)
    metadata = own_bots / "bots_for_tests-1.0.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.0", "Version: 1.1"))
    result = run(*words)
    assert result.exit_code == 1
    assert "packages of bots was first=bots_for_tests 1.0, now it is" in " ".join(result.output.split())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_ends_the_arena_and_the_games_before_are_kept(run, duel, own_bots, jobs):
    words = ("arena", "duel.rules", "last", "random", "broken", "-n", 4, "-j", jobs, "--into", "r.jsonl")
    result = run(*words)
    assert result.exit_code == 1 and "the bot `broken`" in result.output
    assert len(games(duel / "r.jsonl")) >= 4


def test_bots_that_think_for_a_time_are_mentioned(run, duel):
    words = "with a time limit, mcts:1ms may play differently in another run"
    assert words in run("arena", "duel.rules", "random", "mcts:1ms", "-n", 2).output
    assert "with a time limit" not in run("arena", "duel.rules", "greedy", "mcts:2", "-n", 2).output


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("duel.rules",), 2, "missing argument"),
        (("duel.rules", "random"), 2, "an arena takes 2 to 32 bots, not 1"),
        (("duel.rules", "random", "gredy"), 2, "did you mean greedy"),
        (("duel.rules", "random", "mcts:0"), 2, "mcts"),
        (("duel.rules", "random", "alphabeta"), 2, "alphabeta"),
        (("duel.rules", "random", "random", "-n", "0"), 2, "--games must be at least 1"),
        (("duel.rules", "random", "random", "-n", "100001"), 2, "--games must be at most 100000"),
        (("duel.rules", "random", "random", "-j", "0"), 2, "--jobs must be at least 1"),
        (("duel.rules", "random", "random", "--format", "xml"), 2, "text or json"),
        (("duel.rules", "random", "random", "--players", "7"), 2, "players"),
        (("duel.rules", "random", "random", "--into", "."), 2, "a folder"),
        (("nowhere", "random", "random"), 2, "nowhere"),
    ],
)
def test_wrong_arguments(run, duel, words, code, message):
    result = run("arena", *words)
    assert result.exit_code == code, result.output
    assert message in " ".join(result.output.split()).lower()


# ---- statistics


def test_intervals_contain_what_was_observed():
    for won, lost in ((0, 5), (5, 0), (3, 7), (100, 100)):
        low, high = interval([1.0] * won + [0.0] * lost)
        assert low <= won / (won + lost) <= high and low < high
    assert interval([]) == (0, 1)
    low, high = interval([1.0] * 200 + [0.0] * 200)
    assert 0.08 < (high - low) / 2 < 0.09


def test_an_interval_is_where_nothing_is_excluded():
    values = [1.0] * 30 + [0.5] * 5 + [0.0] * 10
    low, high = interval(values)
    counts = Counter(values)
    for bound in (low, high):
        assert log_capital(counts, bound) == pytest.approx(2.9957, abs=0.001)


def ever_excluded(values, mean):
    counts = Counter()
    for value in values:
        counts[value] += 1
        if excluded(counts, mean):
            return True
    return False


def test_who_looks_after_every_game_is_wrong_seldom():
    """Equality is excluded in at most one of twenty series of equal bots, although each value is looked at."""
    rng = random.Random(1)
    series = [[float(rng.random() < 0.5) for _ in range(200)] for _ in range(160)]
    assert sum(ever_excluded(values, 0.5) for values in series) <= 8


def test_a_real_difference_is_found():
    rng = random.Random(2)
    series = [[float(rng.random() < 0.7) for _ in range(200)] for _ in range(50)]
    assert sum(ever_excluded(values, 0.5) for values in series) >= 49


@needs_choix
def test_ratings_are_those_of_bradley_and_terry():
    found = ratings(2, {(0, 1): 300, (1, 0): 100})
    assert found is not None
    assert found[0].rating - found[1].rating == pytest.approx(SCALE * 1.0986, rel=0.02)
    assert found[0].low < found[0].rating < found[0].high
    assert found[0].rating == pytest.approx(-found[1].rating)
    many = ratings(2, {(0, 1): 3000, (1, 0): 1000})
    assert many is not None
    assert many[0].high - many[0].low == pytest.approx((found[0].high - found[0].low) / 10**0.5, rel=0.05)


@needs_choix
def test_a_bot_that_has_won_every_game_has_a_rating():
    found = ratings(3, {(0, 1): 40, (1, 2): 40, (0, 2): 40})
    assert found is not None
    assert found[0].low > found[1].high > found[1].low > found[2].high


@needs_choix
def test_the_intervals_of_ratings_cover_true_strengths():
    rng, covered = random.Random(3), 0
    for _ in range(20):
        wins = Counter((0, 1) if rng.random() < 0.731 else (1, 0) for _ in range(60))
        found = ratings(2, wins)
        assert found is not None
        covered += found[0].low <= SCALE * 0.5 <= found[0].high
    assert covered >= 16


def test_without_the_library_there_are_shares_but_no_ratings(run, duel, monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    result = run("arena", "duel.rules", "random", "greedy", "-n", 4)
    assert result.exit_code == 0
    assert "to get ratings, install the library choix: pip install 'regelwerk[arena]'" in result.output
    assert arena(run, "duel.rules", "random", "greedy", "-n", 4)["standings"][0]["rating"] is None
