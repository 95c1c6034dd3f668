"""`test --coverage`: the report, the rules with a gutter, JSON; what of it is refused."""

import json
import re
import shutil
from pathlib import Path

import pytest

from cli.json_output import schema
from tests.cli.conftest import DRAWING
from tests.support.json_schemas import validate

COVERED = Path(__file__).parents[1] / "interpreter" / "rules" / "covered.rules"


@pytest.fixture
def here(own_folder):
    """A game with rules that nothing reaches, in the current folder."""
    for path in (COVERED, COVERED.with_suffix(".items")):
        shutil.copy(path, own_folder)
    return own_folder


def covered(run, *words):
    return run("test", "covered.rules", "--coverage", "--playouts", 40, "--jobs", 1, *words)


def section(text, title):
    """The lines below a title, up to an empty one."""
    return [line.strip() for line in text.split(f"\n{title}\n")[1].split("\n\n")[0].splitlines()]


def test_what_is_not_reached_stands_first_with_its_place(run, here):
    result = covered(run)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "Coverage of covered.rules"
    assert lines[1].startswith("1 example, 40 random games of 2 to 3 players, ")
    assert lines[2] == "half of the games use other options, in 1 combination"
    assert section(result.output, "never reached by any example or random game") == [
        "covered.rules:28  action take never refuses: require n >= 1",
        "covered.rules:30  action take never holds: if count taken[me] >= 99",
        "covered.rules:34  action pass never done",
        "covered.rules:35  action pass never holds: require count pot is 1000",
        "covered.rules:38  when bored never happens",
        "covered.rules:43  define size case never taken: 3 if count taken[p] >= 99",
        "covered.rules:47  define nobody_asks never evaluated",
    ]
    shown = section(result.output, "only in random games, by no example")
    assert "covered.rules:21  phase taking never played" in shown
    assert section(result.output, "4 rulebook items: 1 cited by the rules and by passing examples") == [
        "cited nowhere: K-4",
        "cited by the rules but by no passing example: K-2",
        "cited by examples but by no rule: K-3",
    ]


def test_the_table_counts_examples_and_games(run, here):
    output = covered(run).output
    rows = {line.split()[0]: line for line in output.split("\nline ")[1].splitlines() if line.strip()[:1].isdigit()}
    assert re.search(r"action take +7/10 +1 +40$", rows["25"].rstrip())
    assert re.search(r"require n >= 1 +\+1 -0 +\+40 -0$", rows["28"].rstrip())
    assert re.search(r"3 if count taken\[p\] >= 99 +0 +0$", rows["43"].rstrip())
    assert re.search(r"\n7[0-9.]+% reached \(\d+ of 34\): 2[0-9.]+% by examples, 7[0-9.]+% in random games\n", output)
    assert output.endswith("1 of 1 examples passed in 1 file\n")


def test_the_rules_with_a_gutter(run, here):
    result = run("test", "covered.rules", "--annotate", "gutter.txt", "--playouts", 40, "--jobs", 1)
    assert result.exit_code == 0
    assert "% reached" in result.output and "never reached" not in result.output
    listing = (here / "gutter.txt").read_text(encoding="utf-8").splitlines()
    lines = [line.partition("| ")[::2] for line in listing if "|" in line]
    source = COVERED.read_text(encoding="utf-8").splitlines()
    assert [text for _, text in lines] == source
    gutter = {number: head[6:].rstrip() for number, (head, _) in enumerate(lines, 1)}
    assert gutter[9] == ""
    assert gutter[28] == "!    1    40 +"
    assert gutter[30] == "!    1    40  -"
    assert gutter[32] == "     1    40"
    assert gutter[34] == "!    0     0"
    assert gutter[21].startswith("g    0    40 +-")


def test_the_rules_with_a_gutter_on_the_screen(run, here):
    output = covered(run, "--annotate", "-").output
    assert "never reached by any" in output
    assert (
        '   28 !    1    40 +  |     require n >= 1                          because "never refuses anything"' in output
    )


SECRETS = (
    """game "Secrets" for 2 players ann, ben

option hands: open or hidden = hidden:
    "Whether all see the cards of all."

== components ==

piece Card: 1 for each rank: 1..20 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by may_look(p)

## Who sees the cards of somebody.
define may_look(p: Player):
    Player   if hands is open
    {p}      otherwise
"""
    + DRAWING
)


def test_what_is_worked_out_once_counts_in_each_game(run, own_folder):
    """Who sees a zone is remembered if it depends on no state; each process would count it in its first game only."""
    (own_folder / "secrets.rules").write_text(SECRETS, encoding="utf-8")
    words = ("test", "secrets.rules", "--coverage", "--playouts", 40, "--format", "json")
    alone, together = (json.loads(run(*words, "--jobs", jobs).output) for jobs in (1, 2))
    assert alone == together
    (look,) = [each for each in alone["files"][0]["coverage"]["declarations"] if each["name"] == "may_look"]
    assert [part["ways"]["reached"]["playouts"] for part in look["parts"]] == [20, 20]


def test_as_json_and_the_same_for_any_number_of_jobs(run, here):
    words = ("test", "covered.rules", "--coverage", "--playouts", 40, "--seed", 3, "--format", "json")
    alone, together = (run(*words, "--jobs", jobs).output for jobs in (1, 2))
    assert alone == together
    document = json.loads(alone)
    validate(document, schema("test"))
    coverage = document["files"][0]["coverage"]
    assert coverage["playouts"]["games"] == 40
    assert coverage["playouts"]["settings"][0] == {"players": 2, "options": {}}
    take = next(one for one in coverage["declarations"] if one["name"] == "take")
    assert (take["kind"], take["examples"], take["playouts"], take["cites"]) == ("action", 1, 40, ["K-1"])
    requirement = take["parts"][1]
    assert requirement["place"].startswith("covered.rules:28:")
    assert requirement["ways"] == {"held": {"examples": 1, "playouts": 40}, "refused": {"examples": 0, "playouts": 0}}
    assert coverage["items"][3] == {"id": "K-4", "text": "nobody speaks of this", "rules": [], "examples": []}


def test_examples_alone(run, here):
    output = run("test", "covered.rules", "--coverage", "--playouts", 0).output
    assert output.splitlines()[1].startswith("1 example, 0 random games,")
    assert "covered.rules:21  phase taking never played" in output
    assert "only by examples" not in output


def test_every_game_of_several(run, here):
    shutil.copy(here / "covered.rules", here / "again.rules")
    output = run("test", ".", "--coverage", "--playouts", 2, "--jobs", 1).output
    assert "Coverage of again.rules" in output and "Coverage of covered.rules" in output


def test_a_failing_example_is_reported_first_and_counts(run, here):
    rules = here / "covered.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("size(ann) is 1", "size(ann) is 2"), encoding="utf-8")
    result = covered(run)
    assert result.exit_code == 1
    assert result.output.startswith('FAILED "two are taken"')
    assert "cited by the rules but by no passing example: K-1 K-2" in result.output


def test_games_that_end_in_a_fault_are_reported(run, here):
    rules = here / "covered.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("rounds: 0..99", "rounds: 0..2"), encoding="utf-8")
    result = covered(run)
    assert result.exit_code == 1
    assert re.search(r"\d+ of the games ended in an error, listed at the end\n", result.output)
    assert re.search(r"\d+ of 40 random games ended in an error\n covered.rules:22:", result.output)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--playouts", 3), 2, "--playouts requires --coverage"),
        (("--seed", 3), 2, "--seed requires --coverage"),
        (("--coverage", "--playouts", -1), 2, "--playouts must be at least 0"),
        (("--coverage", "--jobs", 0), 2, "--jobs must be at least 1"),
        (("--annotate", "-", "--format", "json"), 2, "--annotate needs a file with --format json"),
        (("covered.rules", "--annotate", "-"), 2, "--annotate expects one game, not 2"),
        (("--annotate", "no/where.txt", "--playouts", 1), 1, "cannot write no/where.txt"),
    ],
)
def test_misuse_is_one_clear_message(run, here, words, code, message):
    shutil.copy(here / "covered.rules", here / "again.rules")
    result = run("test", "again.rules", *words)
    assert (result.exit_code, message in result.stderr) == (code, True)


def test_random_games_play_the_variant_whatever_examples_there_are(run, here):
    """Ways are numbered by what is read: the games must read the same files as the report."""
    (here / "variants").mkdir()
    (here / "variants" / "all_at_once.rules").write_text(
        """variant "All at once" of covered:
    replace phase taking, turns from ann, over when pot is empty:
        must grab

    add action grab:
        move pot to taken[me]
""",
        encoding="utf-8",
    )
    words = ("--variant", "all_at_once", "--coverage", "--playouts", 20, "--jobs", 1)
    assert run("test", "covered.rules", *words).output.startswith("Coverage of covered.rules (All at once)\n")

    def reached():
        document = json.loads(run("test", "covered.rules", *words, "--format", "json").output)
        declarations = document["files"][0]["coverage"]["declarations"]
        return {one["name"]: (one["playouts"], [part["ways"] for part in one["parts"]]) for one in declarations}

    alone = reached()
    assert (alone["taking"][0], alone["grab"][0], alone["take"][0]) == (20, 20, 0)
    (here / "covered.examples.rules").write_text(
        'examples of covered\n\nexample "nothing is taken":\n    then taken[ann] is empty\n', encoding="utf-8"
    )
    beside = reached()
    assert {name: games for name, (games, _) in beside.items()} == {name: games for name, (games, _) in alone.items()}
