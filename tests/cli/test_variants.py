"""Variants on the command line: every verb that takes them, what they are told as, what goes wrong."""

import json
import re
import shutil
from pathlib import Path

import pytest

from cli.json_output import schema
from tests.cli.conftest import read, valid
from tests.support.json_schemas import validate

FOLDER = Path(__file__).parents[1] / "dsl" / "variants"

COVERED = ("test", "pond", "--variant", "rain", "--playouts", 20)


@pytest.fixture
def here(own_folder):
    """The small game with its variants in the current folder."""
    shutil.copytree(FOLDER, own_folder, dirs_exist_ok=True)
    return own_folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def heavy(here: Path) -> Path:
    text = 'variant "Heavy" of pond:\n    in define worth:\n        replace if c.fish is pike: 9 if c.fish is pike\n'
    return write(here / "variants" / "heavy.rules", text)


# ---- which there are


def test_games_lists_them(run, here):
    output = run("games", "pond").output
    assert "  variants deep: Deep pond\n           kind: Kind\n           rain: Rain\n" in output
    document = json.loads(run("games", "pond", "--format", "json").output)
    validate(document, schema("games"))
    (entry,) = document["games"]
    assert [one["name"] for one in entry["variants"]] == ["deep", "kind", "rain"]


def test_a_game_without_any_says_nothing_of_them(run, here):
    shutil.rmtree(here / "variants")
    assert "variants" not in run("games", "pond").output


# ---- play, and the save


def test_play_with_variants_and_resume(run, here):
    words = ("play", "pond", "--variant", "rain", "--variant", "deep", "--seat", "all=random", "--seed", 3)
    result = run(*words, "--save", "a.json")
    assert result.exit_code == 0, result.output
    assert "Pond (Deep pond, Rain)" in result.output
    assert [Path(path).name for path in read(here / "a.json")["variants"]] == ["deep.rules", "rain.rules"]
    again = run("play", "--resume", "a.json")
    assert (again.exit_code, "Pond (Deep pond, Rain)" in again.output) == (0, True)
    assert run("trace", "a.json", "--plain").exit_code == 0
    refused = run("play", "--resume", "a.json", "--variant", "kind")
    assert (refused.exit_code, "--variant cannot be changed with --resume" in refused.output) == (2, True)


def test_a_save_whose_variant_has_gone(run, here):
    assert run("play", "pond", "--variant", "kind", "--seat", "all=random", "--save", "a.json").exit_code == 0
    (here / "variants" / "kind.rules").unlink()
    for words in (("play", "--resume", "a.json"), ("trace", "a.json", "--plain")):
        result = run(*words)
        assert result.exit_code == 1
        assert "was played with the variant" in result.output


def test_the_file_of_a_variant_can_be_played(run, here):
    result = run("play", "variants/deep.rules", "--seat", "all=random", "--save", "a.json")
    assert (result.exit_code, "Pond (Deep pond)" in result.output) == (0, True)


# ---- check and test


def test_check_a_variant_with_its_game(run, here):
    for words in (
        ("variants/kind.rules",),
        ("pond", "--variant", "kind"),
        ("pond", "--variant", "variants/kind.rules"),
    ):
        result = run("check", *words)
        assert (result.exit_code, result.output) == (0, "no problems in 1 file\n")


def test_check_names_the_examples_that_fail(run, here):
    heavy(here)
    result = run("check", "variants/heavy.rules")
    assert result.exit_code == 1
    assert "error[E0807]: the example `a pike counts double` fails" in result.output
    assert "pond.rules:" in result.output
    assert "variants/heavy.rules:1:9: with this variant" in result.output
    assert 'add `remove example "a pike counts double"` to the variant, or replace the example' in result.output
    document = json.loads(run("check", "variants/heavy.rules", "--format", "json").output)
    validate(document, schema("check"))
    assert [one["code"] for one in document["files"][0]["diagnostics"]] == ["E0807"]


def test_check_of_two_that_do_not_go_together(run, here):
    heavy(here)
    result = run("check", "pond", "--variant", "heavy", "--variant", "kind")
    assert result.exit_code == 1
    assert "error[E0806]" in result.output
    assert "variants/heavy.rules:3" in result.output
    assert "variants/kind.rules:5" in result.output


def test_variants_want_something_to_check_them_with(run, here):
    write(here / "board.json", "{}")
    result = run("check", "board.json", "--variant", "deep")
    assert (result.exit_code, "--variant needs a rules file" in result.output) == (2, True)


def test_test_runs_the_examples_of_game_and_variant(run, here):
    assert "5 of 5 examples passed" in run("test", "pond").output
    assert "6 of 6 examples passed" in run("test", "pond", "--variant", "deep").output
    assert "7 of 7 examples passed" in run("test", "pond", "--variant", "deep", "--variant", "rain").output
    assert "17 of 17 examples passed in 3 files" in run("test", "variants").output
    heavy(here)
    result = run("test", "pond", "--variant", "heavy")
    assert result.exit_code == 1
    assert 'FAILED "a pike counts double"\n  pond.rules:' in result.output


def test_coverage_of_a_variant(run, here):
    result = run(*COVERED, "--coverage", "--jobs", 2)
    assert result.exit_code == 0
    assert "variants/rain.rules:" in run(*COVERED, "--annotate", "-").output
    lines = run(*COVERED, "--annotate", "-").output.splitlines()
    own = lines[lines.index("variants/rain.rules:") :]
    (case,) = [line for line in own if "add 1 if c.fish is carp" in line]
    assert not case.split("|")[0].isspace()
    (gone,) = [line for line in lines if 'because "no bait is left"' in line]
    assert gone.split("|")[0].split() == ["64"]


# ---- figures


def test_simulate_and_perft(run, here):
    words = ("simulate", "pond", "--games", 60, "--seed", 1)
    one, two = (run(*words, "--variant", "deep", "--jobs", jobs) for jobs in (1, 2))
    assert one.exit_code == 0
    assert one.output == two.output
    assert one.output != run(*words, "--jobs", 1).output
    document = json.loads(run(*words, "--variant", "deep", "--format", "json").output)
    validate(document, schema("simulate"))
    assert document["variants"] == ["deep"]
    assert "Pond (Rain): move sequences" in run("perft", "pond", "--variant", "rain").output
    document = json.loads(run("perft", "pond", "--variant", "rain", "--format", "json").output)
    validate(document, schema("perft"))
    assert document["variants"] == ["rain"]


# ---- what goes wrong


@pytest.mark.parametrize("verb", ["play", "check", "test", "simulate", "perft"])
def test_a_variant_that_is_not_there(run, here, verb):
    result = run(verb, "pond", "--variant", "deeep")
    assert result.exit_code == 2
    assert result.output == "error: `pond` has no variant `deeep`; did you mean deep?\n"
    result = run(verb, "variants/wrong.rules")
    assert result.exit_code == 2


def test_a_variant_of_a_game_that_is_not_there(run, here):
    write(here / "variants" / "far.rules", 'variant "Far" of lake:\n    remove die wind\n')
    result = run("check", "variants/far.rules")
    assert result.exit_code == 2
    assert result.output.startswith("error: there is no game `lake`")


# ---- examples of the game that a variant breaks


def test_what_a_variant_breaks_is_accepted(run, here):
    path = heavy(here)
    assert "error[E0807]" in run("check", path).output
    accepted = run("check", path, "--accept")
    assert accepted.exit_code == 0, accepted.output
    location, reason = re.search(r"  (.*pond\.rules:\d+:\d+): (.*)\n", accepted.output).groups()
    assert reason == "expected total(ann) is 8, found 9"
    assert accepted.output == (
        "variants/heavy.rules: 1 example replaced, 0 removed\n"
        'replaced "a pike counts double", broken by `in define worth`\n'
        f"  {location}: {reason}\n"
        "  -     then total(ann) is 8\n"
        "  +     then total(ann) is 9\n"
        "\n"
        "no problems in 1 file\n"
    )
    assert run("test", path).exit_code == 0
    text = path.read_text(encoding="utf-8")
    assert text.endswith(
        """
    # Broken by `in define worth`:
    replace example "a pike counts double":
        given net[ann] is [pike]
        then total(ann) is 9
"""
    )
    again = run("check", path, "--accept")
    assert again.exit_code == 0
    assert path.read_text(encoding="utf-8") == text


def test_what_is_accepted_is_listed_as_data(run, here):
    path = heavy(here)
    document = valid("check", run("check", path, "--accept", "--format", "json").output)
    (entry,) = document["files"]
    (accepted,) = entry["accepted"]
    assert (accepted["example"], accepted["change"]) == ("a pike counts double", "replaced")
    assert accepted["cause"] == "`in define worth`"
    assert accepted["reason"].endswith("expected total(ann) is 8, found 9")
    assert [line.strip() for line in accepted["before"]][-1] == "then total(ann) is 8"
    assert [line.strip() for line in accepted["after"]][-1] == "then total(ann) is 9"
    assert valid("check", run("check", path, "--accept", "--format", "json").output)["files"][0]["accepted"] == []


def test_a_removed_example_is_listed_with_all_its_lines(run, own_folder):
    write(own_folder / "debts.rules", DEBTS)
    change = 'replace action pay:\n        require me is bob   because "free"\n        add 1 to debt[me]\n'
    (own_folder / "variants").mkdir()
    path = write(own_folder / "variants" / "free.rules", f'variant "Free" of debts:\n    {change}')
    accepted = run("check", path, "--accept")
    assert accepted.exit_code == 0, accepted.output
    first, *told = accepted.output.split("\n")
    assert first == "variants/free.rules: 0 examples replaced, 1 removed"
    assert told[0] == 'removed "who pays is richer than nobody", broken by `replace action pay`'
    assert told[1].endswith("this is not legal: free")
    assert told[2:6] == [
        '  - example "who pays is richer than nobody":',
        "  -     when ann: pay",
        "  -     then debt[ann] is -2",
        "  -     then richest is ann",
    ]


DEBTS = """\
game "Debts" for 2 players ann, bob

== components ==

note debt[p: Player]: -9..9 = 0
note richest: Player or none = none

== phases ==

phase paying, turns from ann, over when debt[ann] < 0:
    must pay

action pay:
    add -2 to debt[me]
    set richest to ann

action keep:
    set richest to none

== scoring ==

winner highest debt[me]

== examples ==

example "who pays is richer than nobody":
    when ann: pay
    then debt[ann] is -2
    then richest is ann
"""


@pytest.mark.parametrize(
    ("paid", "richest", "shown"), [(-2, "none", "nobody"), (-3, "ann", "ann"), (2, "ann", "ann"), (-3, "bob", "bob")]
)
def test_negative_numbers_and_nobody_are_values(run, own_folder, paid, richest, shown):
    """What is written into the variant can be read again."""
    write(own_folder / "debts.rules", DEBTS)
    (own_folder / "variants").mkdir()
    change = f"replace action pay:\n        add {paid} to debt[me]\n        set richest to {richest}\n"
    path = write(own_folder / "variants" / "other.rules", f'variant "Other" of debts:\n    {change}')
    accepted = run("check", path, "--accept")
    assert accepted.exit_code == 0, accepted.output
    assert "1 example replaced, 0 removed" in accepted.output
    text = path.read_text(encoding="utf-8")
    assert f"then debt[ann] is {paid}\n" in text
    assert f"then richest is {shown}\n" in text
    assert run("test", path).exit_code == 0


def test_only_a_variant_can_accept(run, here):
    result = run("check", "pond", "--accept")
    assert result.exit_code == 2
    assert "--accept needs a variant" in result.output
