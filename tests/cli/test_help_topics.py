"""`help`: pages of the documentation; and the help of every verb."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from cli.topics import sections, topics
from cli.verbs import EXAMPLES, VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_ends_with_two_examples(run, verb):
    text = run(verb, "--help").output
    assert all(f"\n    {line}\n" in text for line in EXAMPLES[verb])
    assert max(map(len, text.splitlines())) <= 80


def test_summaries_fit_on_a_line(run):
    text = run("--help").output
    for verb, about in VERBS.items():
        assert re.search(rf"^  {verb} +{re.escape(about)}$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80


def test_the_list_of_pages(run):
    text = run("help").output
    assert re.search(r"^ variants +Variants$", text, re.MULTILINE)
    assert all(f" {one.name} " in text for one in topics())


def test_a_page(run):
    text = run("help", "variants").output
    assert "A variant states only how it differs from a game." in text
    assert "## " not in text


def test_a_section(run):
    text = run("help", "play", "undo").output
    assert "Undo goes back to your own last decision" in text
    assert "Hand-over" not in text


def test_a_construct_is_found_by_its_words(run):
    text = run("help", "each", "player").output
    assert "does its block once for each seat" in text
    assert run("help", "reference", "each_player").output == text == run("help", "effects/each_player").output
    assert "One page for each construct" in run("help", "reference").output


def test_constructs_of_one_name_are_listed(run):
    text = run("help", "at", "once").output
    assert " decisions/at_once  Choices of all at once\n effects/at_once    Loops at once\n" in text
    assert "regelwerk help decisions/at_once shows the first of these pages" in text


def test_long_lines_of_code_go_on_below_indented_further(run):
    text = run("help", "actions").output
    assert re.search(r'^ {4}require s is in open +because "section \{s\} is not in the\n {8}game"$', text, re.MULTILINE)


@pytest.mark.parametrize("page", [one.name for one in topics()])
def test_no_code_is_lost(run, page):
    """Nor is it wider than the screen."""
    source = next(one.text() for one in topics() if one.name == page)
    shown = run("help", page).output
    assert max(map(cell_len, shown.splitlines())) <= 80
    for block in re.findall(r"^```[^\n]*\n(.*?)^```$", source, re.MULTILINE | re.DOTALL):
        assert "".join(block.split()) in "".join(shown.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("paly",), "there is no page `paly`; did you mean play?"),
        (("simulate",), "`regelwerk simulate --help` describes the verb"),
        (("e207",), "`regelwerk explain e207`"),
        (("play", "dragons"), "no heading of `play` contains `dragons`"),
    ],
)
def test_no_such_page(run, words, said):
    result = run("help", *words)
    assert result.exit_code == 2
    assert said in result.output


def test_sections_end_at_the_next_heading_of_their_level():
    text = "# A\n## Undo\none\n### More\ntwo\n```\n# no heading\n```\n## Other\nthree\n"
    assert sections(text, "undo") == ["## Undo\none\n### More\ntwo\n```\n# no heading\n```\n"]
