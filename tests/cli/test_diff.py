"""`diff A B`: what the rules say otherwise, and the first position where play parts."""

import shutil
from pathlib import Path

import pytest

from dsl import ast
from dsl.syntax import parse
from dsl.text.span import Source
from dsl.variants.comparison import written
from tests.cli.conftest import PEBBLES, valid

SHIPPED = Path(PEBBLES).parents[3] / "games"
WHOLE = ast.Action | ast.Define | ast.Step | ast.Table | ast.Example | ast.Zone | ast.TypeTable | ast.Winner


@pytest.fixture
def here(own_folder):
    """The small game in the current folder, and a copy of it to be changed."""
    shutil.copy(PEBBLES, own_folder)
    return own_folder


def changed(folder, *edits):
    text = (folder / "pebbles.rules").read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    (folder / "other.rules").write_text(text, encoding="utf-8")
    return "other.rules"


def variant(folder, *lines):
    (folder / "variants").mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    (folder / "variants" / "odd.rules").write_text(text, encoding="utf-8")


def test_nothing_is_otherwise(run, here):
    result = run("diff", "pebbles.rules", "pebbles.rules", "-n", 4)
    assert result.exit_code == 0
    assert "the rules are the same" in result.output
    assert "2 players: 0 of 2 pairs of random games diverge" in result.output


def test_a_requirement_and_where_it_matters(run, here):
    other = changed(here, ("require store[me] is not empty          because", "require count store[me] > 1 because"))
    result = run("diff", "pebbles.rules", other, "--players", 2, "-n", 10)
    assert "changed action `build`" in result.output
    assert '- require store[me] is not empty because "you have no hut left"' in result.output
    assert '+ require count store[me] > 1 because "you have no hut left"' in result.output
    assert "other.rules:62" in result.output
    assert "first divergence: 2 players, seed 0" in result.output
    assert "the legal moves differ\n   pebbles: only here build\n   other: no other moves" in result.output


def test_games_that_part_before_any_decision(run, here):
    other = changed(here, ("require store[me] is not empty          because", "require count store[me] > 99 because"))
    result = run("diff", "pebbles.rules", other, "--players", 2, "-n", 4)
    assert "2 players: 4 of 4 pairs of random games diverge, at once\n" in result.output


@pytest.mark.parametrize(
    ("old", "new", "differs", "what"),
    [
        ("turns from start", "turns from green", "player", "phase `main`"),
        ("gem    3  2", "gem    1  2", "score", "type `Worth`"),
        ("turns is few and count bag <= 2", "turns is few and count bag <= 5", "end", "phase `main`"),
        ("then highest count store[me]", "then lowest count store[me]", "score", "`winner`"),
        ("move 2 from bag to hand[p]", "move 1 from bag to hand[p]", "score", "`setup`"),
    ],
)
def test_what_differs(run, here, old, new, differs, what):
    other = changed(here, (old, new))
    document = valid("diff", run("diff", "pebbles.rules", other, "-n", 30, "--format", "json").output)
    assert [rule["what"] for rule in document["rules"]] == [what]
    parted = [pair for play in document["plays"] for pair in play["parted"]]
    assert parted
    assert {pair["differs"] for pair in parted} & {differs}
    text = run("diff", "pebbles.rules", other, "-n", 30).output
    assert "first divergence" in text


def test_added_and_removed(run, here):
    other = changed(
        here, ("action throw:", "action toss:"), ("grab or show or build or throw", "grab or show or build or toss")
    )
    rules = valid("diff", run("diff", "pebbles.rules", other, "-n", 2, "--format", "json").output)["rules"]
    assert [(rule["change"], rule["what"]) for rule in rules] == [
        ("changed", "phase `main`"),
        ("removed", "action `throw`"),
        ("added", "action `toss`"),
    ]


def test_a_variant_by_its_name(run, here):
    variant(here, 'variant "Odd" of pebbles:', "    replace winner lowest points(me)")
    for words in (["odd"], ["pebbles.rules+odd"], ["variants/odd.rules"]):
        document = valid("diff", run("diff", "pebbles.rules", *words, "-n", 4, "--format", "json").output)
        assert document["to"] == {"game": "pebbles", "variants": ["odd"]}
        assert [rule["what"] for rule in document["rules"]] == ["`winner`"]
    assert "from pebbles to pebbles with odd" in run("diff", "pebbles.rules", "odd").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pebbles.rules", "pebbels"], "has no variant `pebbels`"),
        (["pebbels", "pebbles.rules"], "there is no game `pebbels`"),
        (["pebbles.rules", "pebbles.rules", "--players", "7"], "both games are for 2 to 3 players"),
        (["pebbles.rules", "pebbles.rules", "-n", "-1"], "--games must be at least 0"),
        (["pebbles.rules", "pebbles.rules", "--option", "colour=red"], "no option `colour`"),
    ],
)
def test_what_cannot_be_compared(run, here, words, said):
    result = run("diff", *words)
    assert result.exit_code == 2
    assert said in result.output


def test_a_game_with_errors(run, here):
    result = run("diff", "pebbles.rules", changed(here, ("move 1 from store[me] to field", "move 1 from store[me] to")))
    assert result.exit_code == 1
    assert "error[E" in result.output


def written_again(lines):
    """The rules that are printed after a sign, as they would be copied."""
    return [[line[5:] for line in lines if line.startswith(f"   {sign}")] for sign in "-+"]


BUILD = [
    '    "build  a hut"',
    '    require count store[me] > 1     because "you have  no hut left"',
    "    if count store[me] > 2:",
    "        # two at once",
    "        move 1 from store[me] to field",
    "",
    "        if count store[me] > 3:",
    "            move 1 from store[me] to field",
    "    else:",
    "        move 1 from store[me] to field",
]
"""The body of an action, as it would be written at the margin."""


def test_what_is_replaced_is_printed_as_it_would_stand_at_the_margin(run, here):
    variant(
        here,
        'variant "Odd" of pebbles:',
        "    replace action build:                                                   [P-3]",
        *(line and f"    {line}" for line in BUILD),
        "    replace setup:",
        "        shuffle bag",
        "        each player from start:",
        "            move 2 from bag to hand[me]",
        "    replace type Worth with points: 1..3, copies: 2..6:",
        "        chip   1  6",
        "        stone  3  4",
        "        gem    2  2",
        "    in action show:",
        '        replace require because "you hold no {kind}":',
        '            require hand[me] of kind is not empty   because "you  hold no {kind}"',
    )
    lines = run("diff", "pebbles.rules", "odd", "-n", 0).output.splitlines()
    ours, theirs = written_again(lines)
    assert ours[ours.index("action build:") :][:4] == [
        "action build:",
        '    "build a hut"',
        '    require store[me] is not empty          because "you have no hut left"',
        "    move 1 from store[me] to field",
    ]
    begin = next(place for place, line in enumerate(theirs) if line.startswith("action build:"))
    assert theirs[begin + 1 : begin + 1 + len(BUILD)] == BUILD
    assert [line for line in theirs if "from bag" in line] == ["    move 2 from bag to hand[me]"]
    assert theirs[theirs.index("each player from start:") + 1] == "    move 2 from bag to hand[me]"
    assert {"stone 3 4", "gem 2 2"} <= set(theirs)
    assert 'require hand[me] of kind is not empty because "you  hold no {kind}"' in theirs  # texts keep their blanks
    data = valid("diff", run("diff", "pebbles.rules", "odd", "-n", 0, "--format", "json").output)
    texts = {said["text"] for rule in data["rules"] for said in rule["said"] if said["sign"] == "+"}
    assert "\n".join(theirs[begin : begin + 11]) in texts


def test_long_rules_are_not_broken(run, here):
    long = "require " + " and ".join(["store[me] is not empty"] * 6)
    other = changed(here, ("require store[me] is not empty          because", f"{long} because"))
    (line,) = written_again(run("diff", "pebbles.rules", other, "-n", 0).output.splitlines())[1]
    assert line == f'{long} because "you have no hut left"'


def test_a_set_up_that_only_one_side_has(run, here):
    text = (here / "pebbles.rules").read_text(encoding="utf-8")
    setup = "== setup ==\n\nshuffle bag\nfor each p in Player: move 2 from bag to hand[p]\n\n"
    assert setup in text
    (here / "bare.rules").write_text(text.replace(setup, ""), encoding="utf-8")
    ours, theirs = written_again(run("diff", "pebbles.rules", "bare.rules", "-n", 0).output.splitlines())
    assert (ours, theirs) == (["shuffle bag", "for each p in Player: move 2 from bag to hand[p]"], [])


def test_every_declaration_of_the_shipped_games_is_printed_so_that_it_can_be_read_again(long_run):
    """In the normal run, of every third game and variant."""
    for path in sorted([*SHIPPED.glob("*.rules"), *SHIPPED.glob("variants/*.rules")])[:: 1 if long_run else 3]:
        file, findings = parse(Source(path.name, path.read_text(encoding="utf-8")))
        assert not findings
        if isinstance(file, ast.GameFile):
            nodes = [node for part in file.parts for node in part.declarations]
        elif isinstance(file, ast.VariantFile):
            nodes = [node for change in file.walk() for node in change.children() if isinstance(node, WHOLE)]
        else:
            continue
        assert nodes
        for node in nodes:
            text = "\n".join(f"    {line}" if line else "" for line in written(node).splitlines())
            again, findings = parse(Source("again", f'variant "V" of g:\n    add {text.lstrip()}\n'))
            assert not findings, text
            assert any(each == node for each in again.walk()), text
