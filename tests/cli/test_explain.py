"""`explain`: pages of the catalogue in the terminal."""

import pytest

from dsl import catalogue
from tests.cli.terminal import Terminal

PAGE = """\
E0207: unknown attribute

The value before the dot has no attribute of this name.

Wrong:

    if hand[me].size > 3: end game
       ^^^^^^^^^^^^^ a zone of `Card` has no attribute `size`

Right:

    if count hand[me] > 3: end game

The help lists the attributes. The number of pieces is `count hand[me]`.
"""


@pytest.mark.parametrize("word", ["E0207", "e207", "207", "0207", " E0207 "])
def test_a_page_is_found_by_its_code(run, word):
    result = run("explain", word)
    assert (result.exit_code, result.output) == (0, PAGE)


def test_every_page_can_be_shown(run):
    for code in catalogue.codes():
        result = run("explain", code)
        assert result.exit_code == 0
        assert result.output.startswith(f"{code}: ")
        assert "](" not in result.output, "a link that nobody can follow"
        examples = [line for line in result.output.splitlines() if line.startswith("    ")]
        assert all(len(line) <= 80 for line in result.output.splitlines() if line not in examples)


def test_tables_of_a_page_stand_in_columns(run):
    lines = run("explain", "111").output.splitlines()
    assert "  instead of         write" in lines
    assert "  `&&`, `||`, `!`    `and`, `or`, `not`" in lines


def test_without_a_code_all_are_listed(run):
    result = run("explain")
    assert result.exit_code == 0
    lines = [line for line in result.output.splitlines() if not line.startswith(" ")]
    assert [line[:5] for line in lines] == catalogue.codes()
    assert "E0207  unknown attribute" in lines


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("E0200", "there is no code E0200; the nearest are E0201, E0202, E0203"),
        ("99999", "there is no code 99999"),
        ("E020X", "there is no code E020X; did you mean E0"),
        ("what", "there is no code what"),
    ],
)
def test_an_unknown_code_names_the_nearest(run, word, told):
    result = run("explain", word)
    assert result.exit_code == 2
    assert told in result.output


def test_check_says_once_how_to_learn_more(run, own_folder):
    (own_folder / "x.rules").write_text('game "X" for 2 players red, blue\n== setup ==\na == b\na != b\n')
    lines = run("check", "x.rules").output.splitlines()
    assert lines[-2:] == ["for details: `regelwerk explain E0111`", "2 errors in 1 file"]
    assert sum("for details" in line for line in lines) == 1


def test_what_is_wrong_is_red_on_a_terminal(own_folder):
    with Terminal("explain", "E0207") as one:
        shown = one.until("The help lists")
    assert "\x1b[91m^^^^^^^^^^^^^ a zone" in shown
