"""Small games with all constructs in which one name is misspelt, or is that of something else: `check` says so.

A name is tried wherever it is used. The normal run tries each name of an action or step at one of its places, and a
sample of all other words; each is misspelt or replaced, in turn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.syntax import parse
from dsl.text.span import Source
from tests.support.long_run import one_in
from tests.support.project import ROOT
from tests.support.slips import WORD, turned

FOLDERS = ("language/rules", "interpreter/rules", "dsl/accepted", "games/small")
GAMES = sorted(path for folder in FOLDERS for path in (ROOT / "tests" / folder).glob("*.rules"))
IN_TEXTS = re.compile(r'"[^"\n]*"|#[^\n]*|\[[A-Z]+-[^\]\n]*\]')
SAMPLE = 1
"""How many other words of a game are changed in the normal run."""


def tree_of(text: str) -> ast.GameFile | None:
    tree = parse(Source("x.rules", text))[0]
    return tree if isinstance(tree, ast.GameFile) else None


def mistakes(text: str, rng: random.Random, long_run: bool) -> Iterator[str]:
    """The text with one name misspelt, or replaced by another name of the text."""
    game = tree_of(text)
    assert game is not None
    bare = IN_TEXTS.sub(lambda found: " " * len(found.group()), text)
    words = [found.span() for found in WORD.finditer(bare)]
    acts = {node.span.start for node in game.walk() if isinstance(node, ast.Act)}
    of_acts = [span for span in words if span[0] in acts]
    others = [span for span in words if span[0] not in acts]
    if not long_run:
        rng.shuffle(of_acts)
        of_acts = list({text[start:end]: (start, end) for start, end in of_acts}.values())
        others = rng.sample(others, SAMPLE)
    for place, (start, end) in enumerate([*of_acts, *others]):
        another = [text[a:b] for a, b in words if text[a:b] != text[start:end]]
        replacements = turned(text[start:end]), rng.choice(another)
        for new in replacements if long_run else replacements[place % 2 :][:1]:
            yield text[:start] + new + text[end:]


@pytest.mark.parametrize("path", one_in(2, GAMES), ids=lambda path: path.stem)
def test_a_name_that_is_wrong_never_breaks_the_check(path: Path, long_run: bool) -> None:
    text = path.read_text("utf-8")
    if tree_of(text) is None:
        pytest.skip("rules for examples of another file")
    for changed in mistakes(text, random.Random(path.name), long_run):
        game = tree_of(changed)
        if game is not None:
            model, findings = check(game)
            assert all(finding.draw() for finding in findings)
            assert (model is None) == any(finding.severity == "error" for finding in findings)
