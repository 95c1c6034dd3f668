"""`compare`: two sets of rules by games with the same seeds, with differences, intervals and verdicts."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys

import pytest

from interpreter.laboratory.running import play_run
from tests.cli.conftest import PEBBLES, valid
from tests.cli.walk import WALK

if importlib.util.find_spec("scipy") is None:
    if "CI" in os.environ:
        raise AssertionError("scipy is not installed: pip install 'regelwerk[lab]'")
    pytest.skip("scipy is not installed: pip install 'regelwerk[lab]'", allow_module_level=True)


def compared(alone, *words):
    return valid("compare", alone("compare", *words, "--format", "json").stdout)


def verdicts(document):
    return {each["key"]: each["verdict"] for each in document["differences"]}


# ---- sides


def test_a_variant_is_compared_with_its_game(alone, walk):
    document = compared(alone, "walk.rules", "far", "-n", 30)
    assert (document["a"]["variants"], document["b"]["variants"]) == ([], ["far"])
    assert (document["a"]["options"]["length"], document["b"]["options"]["length"]) == ("6", "12")
    (decisions,) = [each for each in document["differences"] if each["key"] == "decisions"]
    assert (decisions["a"], decisions["b"], decisions["difference"], decisions["verdict"]) == (6, 12, 6, "more")
    assert document["pairs"] == decisions["pairs"] == decisions["differing"] == 30


def test_options_of_one_side_and_of_both(alone, walk):
    words = ("walk.rules", "walk.rules", "-n", 5, "-o", "slow=true", "--option-a", "length=3", "--option-b", "length=4")
    document = compared(alone, *words)
    assert document["a"]["options"] == {"length": "3", "slow": "true"}
    assert document["b"]["options"] == {"length": "4", "slow": "true"}
    output = alone("compare", *words).output
    assert "A: Walk, length is 3\nB: Walk, length is 4\n5 pairs of games of 2 random bots" in output
    assert "slow is true" in output
    again = alone("compare", "walk.rules", "walk.rules", "-o", "slow=true", "--option-b", "slow=false")
    assert again.exit_code == 2
    assert "the option slow is given twice, by --option for both sides and by --option-b" in again.output


def test_the_players_fit_both_sides(alone, walk):
    (walk / "three.rules").write_text(WALK.replace("2 to 3", "3 to 3").replace('"Walk"', '"Three"'))
    assert compared(alone, "walk.rules", "three.rules", "-n", 3)["b"]["players"] == ["ann", "ben", "cleo"]
    result = alone("compare", "walk.rules", "three.rules", "--players", 2)
    assert (result.exit_code, "--players 2: both games are for 3 players" in result.output) == (2, True)
    (walk / "two.rules").write_text(WALK.replace("2 to 3", "2 to 2").replace(", cleo", "").replace('"Walk"', '"Two"'))
    result = alone("compare", "two.rules", "three.rules")
    assert (result.exit_code, "no number of players fits both games" in result.output) == (2, True)


def test_measures_that_mean_something_else_are_not_compared(alone, walk):
    (walk / "low.rules").write_text(WALK.replace("winner highest steps[me]", "winner lowest steps[me]"))
    document = compared(alone, "walk.rules", "low.rules", "-n", 20)
    assert {each["key"] for each in document["only_a"]} == {"score1:ann", "score1:ben", "margin"}
    assert {each["key"] for each in document["only_a"]} == {each["key"] for each in document["only_b"]}
    assert "win:ann" in verdicts(document)
    assert "only of A: highest steps[me], ann; " in alone("compare", "walk.rules", "low.rules", "-n", 20).output


# ---- pairs and verdicts


def test_the_same_rules_are_the_same_in_every_pair(alone, walk):
    document = compared(alone, "walk.rules", "walk.rules", "-n", 40)
    assert set(verdicts(document).values()) == {"same"}
    assert document["tests"] == 0
    assert document["same_winners"]["mean"] == 1
    output = alone("compare", "walk.rules", "walk.rules", "-n", 40).output
    assert "the same in every pair\n" in output
    assert "the same seats have won in 100.0% of the pairs (91.2% to 100.0%)" in output
    assert "no difference shown" not in output
    assert "corrected for" not in output, "where nothing is compared"


def test_pairs_with_the_same_winners(alone, walk):
    winners = []
    for name in ("short.json", "long.json"):
        variant = [] if name == "short.json" else ["--variant", "far"]
        alone("simulate", "walk.rules", "-n", 50, *variant, "--per-game", name)
        winners.append([game["winners"] for game in json.loads((walk / name).read_text())])
    same = sum(one == other for one, other in zip(*winners, strict=True))
    assert 0 < same < 50
    assert compared(alone, "walk.rules", "far", "-n", 50)["same_winners"]["mean"] == pytest.approx(same / 50)
    table = alone(
        "sweep", "walk.rules", "--variant", "none,far", "-n", 50, "-m", "same_winners", "--format", "csv"
    ).output
    assert [line.split(",")[2] for line in table.splitlines()[1:]] == ["1.0", str(same / 50)]


def test_verdicts(alone, walk):
    words = ("walk.rules", "walk.rules", "-n", 200, "--option-b", "slow=true", "-o", "length=5")
    document = compared(alone, *words)
    assert verdicts(document)["score1:ann"] == verdicts(document)["score1:ben"] == "less"
    assert verdicts(document)["decisions"] == "same"
    for each in document["differences"]:
        if each["verdict"] in ("more", "less"):
            assert each["corrected_p_value"] <= 0.05
            assert each["low"] > 0 or each["high"] < 0
        if each["corrected_p_value"] is not None:
            assert each["p_value"] <= each["corrected_p_value"] <= each["p_value"] * document["tests"]
            assert each["at_most"] == max(abs(each["low"]), abs(each["high"]))
        assert each["difference"] == pytest.approx(each["b"] - each["a"])
    assert document["tests"] == sum(each["corrected_p_value"] is not None for each in document["differences"]) > 1
    output = alone("compare", *words).output
    assert f"corrected for {document['tests']} comparisons" in output
    assert re.search(r"\nless in B\n(  .*\n)*  highest steps\[me\], ann .*\n  highest steps\[me\], ben .*\n", output)
    assert re.search(r"no difference shown\n  margin in highest steps\[me\] .* ±\d+\.\d\d\n", output)


def test_too_few_pairs_to_tell(alone, walk):
    document = compared(alone, "walk.rules", "walk.rules", "-n", 6, "--option-b", "length=7")
    assert verdicts(document)["decisions"] == "too few"
    (length,) = [each for each in document["differences"] if each["key"] == "decisions"]
    assert length["low"] is length["p_value"] is None
    output = alone("compare", "walk.rules", "walk.rules", "-n", 6, "--option-b", "length=7").output
    assert re.search(
        r"too few pairs differ to tell\n(  .*\n)*  decisions per game +6\.00 +7\.00 +\+1\.00 +6 of 6\n", output
    )


def test_one_pair(alone, walk):
    document = compared(alone, "walk.rules", "far", "-n", 1)
    assert document["pairs"] == 1
    assert set(verdicts(document).values()) <= {"too few", "same"}


def test_bots_and_seats(alone, walk):
    document = compared(alone, "walk.rules", "far", "-n", 3, "--seat", "ben=greedy", "--seed", 9)
    assert document["a"]["bots"] == document["b"]["bots"] == ["random", "greedy"]
    assert document["a"]["seed"] == document["b"]["seed"] == 9
    output = alone("compare", "walk.rules", "far", "-n", 3, "--seat", "ben=greedy").output
    assert "3 pairs of games of random as ann, greedy as ben, with the same seeds, 0 to 2" in output


def test_games_analysed_in_detail_are_compared_as_well(alone, walk):
    document = compared(alone, "walk.rules", "far", "-n", 12, "--details", 4)
    pairs = {each["key"]: each["pairs"] for each in document["differences"]}
    assert pairs["forced"] == 4
    assert pairs["decisions"] == 12


def test_compare_is_the_same_for_any_number_of_jobs(alone):
    words = ("compare", PEBBLES, PEBBLES, "--option-b", "turns=many", "-n", 60, "--format", "json")
    assert alone(*words, "-j", 1).output == alone(*words, "-j", 2).output


# ---- until it is known


PIGS = ("pig", "pig", "--option-a", "goal=20", "--option-b", "goal=25")


def halves(document):
    """Half the widths of the intervals of differences of wins."""
    wins = [each for each in document["differences"] if each["key"].startswith("win:")]
    assert len(wins) == 2
    return [(each["high"] - each["low"]) / 2 for each in wins]


def test_pairs_end_when_differences_are_known(alone):
    found = compared(alone, *PIGS, "--until", "3%")
    assert found["pairs"] % 100 == 0 and found["pairs"] > 200
    assert found["a"]["wanted"] == found["b"]["wanted"] == found["a"]["games"] == found["b"]["games"] == found["pairs"]
    assert max(halves(found)) <= 0.03
    assert max(halves(compared(alone, *PIGS, "-n", found["pairs"] - 100))) > 0.03, "and not later than that"
    assert found["differences"] == compared(alone, *PIGS, "-n", found["pairs"])["differences"]
    assert found == compared(alone, *PIGS, "--until", "3%", "-j", 2)
    assert compared(alone, *PIGS, "--until", "3%", "-n", 150)["pairs"] == 150


def test_it_is_said_that_differences_are_not_known(alone):
    note = alone("compare", *PIGS, "--until", "3%", "-n", 150).stderr
    found = re.fullmatch(
        r"note: after 150 pairs the differences of the wins are known to ±(\S+)%; ±3% takes about (\d+)\n", note
    )
    assert float(found[1]) == pytest.approx(100 * max(halves(compared(alone, *PIGS, "-n", 150))), abs=0.01)
    assert int(found[2]) == pytest.approx(150 * (float(found[1]) / 3) ** 2, abs=100)
    assert "note" not in alone("compare", *PIGS, "--until", "9%").stderr


def test_kept_pairs_count_until_differences_are_known(alone, own_folder):
    """It looks as if 400 were needed, but 300 are enough."""
    words = (*PIGS, "--until", "4.2%")
    found = compared(alone, *words)
    assert found["pairs"] == found["a"]["games"] == 300
    assert compared(alone, *words, "--into", "kept") == found
    kept = [(own_folder / "kept" / name).read_text() for name in ("a.jsonl", "b.jsonl")]
    assert len(kept[0].splitlines()) == 401
    assert compared(alone, *words, "--into", "kept") == found
    assert [(own_folder / "kept" / name).read_text() for name in ("a.jsonl", "b.jsonl")] == kept
    more = compared(alone, *PIGS, "--until", "3%", "--into", "kept")
    assert more["pairs"] > found["pairs"]
    assert compared(alone, *words, "--into", "kept") == found, "games beyond those that are needed do not count"


@pytest.mark.parametrize("runs", [1, 2, 3])
def test_an_interrupt_of_pairs_that_are_to_be_known(alone, own_folder, monkeypatch, runs):
    """After the first run of A there are no pairs yet, later there are the first hundred."""
    left = iter(range(runs))

    def interrupted(*arguments):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return play_run(*arguments)

    words = ("compare", *PIGS, "--until", "3%", "--into", "kept")
    monkeypatch.setattr("interpreter.laboratory.running.play_run", interrupted)
    result = alone(*words)
    assert result.exit_code == 130 and "the same command goes on with kept" in result.stderr
    assert ("no games of B were played" in result.stderr) == (runs == 1)
    assert ("100 pairs of 1,000,000" in result.stderr) == (runs > 1)
    monkeypatch.setattr("interpreter.laboratory.running.play_run", play_run)
    assert compared(alone, *words[1:]) == compared(alone, *words[1:-2])


def test_pairs_that_fail_do_not_make_differences_known(alone, walk):
    broken = WALK.replace("add luck to steps[me]", "add luck to steps[me]\n    if luck is 6: add 99 to steps[me]")
    (walk / "broken.rules").write_text(broken.replace('"Walk"', '"Broken"'))
    found = valid("compare", alone("compare", "walk.rules", "broken.rules", "--until", "8%", "--format", "json").output)
    assert found["a"]["games"] % 100 == 0
    assert found["pairs"] == found["b"]["games"] < found["a"]["games"]
    assert max(halves(found)) <= 0.08


def test_games_that_never_end_end_the_series(alone, walk, monkeypatch):
    monkeypatch.setattr("interpreter.analysis.playouts.MAX_DECISIONS", 50)
    endless = WALK.replace("    add 1 to turns\n", "    if turns is 99: add 1 to turns\n").replace(
        '"Walk"', '"Endless"'
    )
    (walk / "endless.rules").write_text(endless)
    result = alone("compare", "walk.rules", "endless.rules", "--until", "5%", "--backend", "python")
    assert result.exit_code == 1
    assert "3 games of B ended in an error; their pairs do not count" in result.output
    assert re.search(r"the remaining \S+ of B were not played: endless games take too long", result.output)


# ---- keeping games, and games that fail


def test_games_are_kept_and_not_played_again(alone, walk):
    words = ("compare", "walk.rules", "far", "--into", "kept", "--format", "json")
    first = alone(*words, "-n", 20)
    assert sorted(path.name for path in (walk / "kept").iterdir()) == ["a.jsonl", "b.jsonl"]
    kept = (walk / "kept" / "a.jsonl").read_text()
    assert alone(*words, "-n", 20).output == first.output
    assert (walk / "kept" / "a.jsonl").read_text() == kept
    more = json.loads(alone(*words, "-n", 30).output)
    assert more["pairs"] == 30
    assert (walk / "kept" / "a.jsonl").read_text().startswith(kept)
    other = alone("compare", "walk.rules", "walk.rules", "--option-a", "length=9", "--into", "kept")
    assert other.exit_code == 1
    assert "holds results of other games" in other.output
    (walk / "file").write_text("")
    result = alone(*words, "--into", "file")
    assert (result.exit_code, "file is a file, not a folder" in result.output) == (1, True)


def test_an_interrupt_before_there_are_pairs(alone, walk, monkeypatch):
    runs = iter((play_run, None))

    def interrupted(*arguments):
        if (play := next(runs)) is None:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr("interpreter.laboratory.running.play_run", interrupted)
    result = alone("compare", "walk.rules", "far", "-n", 10, "--into", "kept")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "interrupted: no games of B were played; the same command goes on with kept\n"
    monkeypatch.setattr("interpreter.laboratory.running.play_run", play_run)
    assert compared(alone, "walk.rules", "far", "-n", 10, "--into", "kept")["pairs"] == 10


def test_games_that_fail_are_left_out_with_their_pairs(alone, walk):
    broken = WALK.replace("add luck to steps[me]", "add luck to steps[me]\n    if luck is 6: add 99 to steps[me]")
    (walk / "broken.rules").write_text(broken.replace('"Walk"', '"Broken"'))
    result = alone("compare", "walk.rules", "broken.rules", "-n", 30)
    assert result.exit_code == 1
    assert re.search(r"\d+ games of B ended in an error; their pairs do not count\n broken.rules:", result.output)
    assert "rules of B, decision" in result.output
    result = alone("compare", "walk.rules", "broken.rules", "-n", 30, "--format", "json")
    document = valid("compare", result.output)
    assert document["failed"]
    assert {each["side"] for each in document["failed"]} == {"b"}
    assert document["pairs"] == document["b"]["games"] == 30 - len(document["failed"])
    assert document["a"]["games"] == 30


def test_without_the_library_it_says_how_to_install_it(alone, walk, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    result = alone("compare", "walk.rules", "far")
    assert result.exit_code == 1
    assert "comparing needs the library scipy: pip install 'regelwerk[lab]'" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-n", 0), "--games must be at least 1"),
        (("--details", -1), "--details must be from 0"),
        (("--option-a", "length"), "--option-a expects NAME=VALUE"),
        (("--seat", "dan=random"), "there is no seat `dan`"),
        (("--bots", "nobody"), "there is no bot `nobody`"),
        (("--until", "1"), "--until must be a percentage"),
    ],
)
def test_misuse(alone, walk, words, message):
    result = alone("compare", "walk.rules", "far", *words)
    assert result.exit_code == 2
    assert message in result.output


def test_differences_of_games_without_a_common_seat_are_never_known(alone, walk):
    (walk / "other.rules").write_text(WALK.replace("ann, ben, cleo", "red, blue, gold").replace("from ann", "from red"))
    result = alone("compare", "walk.rules", "other.rules", "--until", "5%")
    assert result.exit_code == 2
    assert "A and B have no seat in common" in " ".join(result.output.split())
