"""No text of a rules file reaches the C source: only numbers do."""

import re
from pathlib import Path

from interpreter import load
from interpreter.native.building import build
from interpreter.native.games import native_source, shape_of
from interpreter.native.library import Library, open_library
from tests.test_project import keywords

RULES = Path(__file__).with_name("odd_words.rules")
OF_THE_LANGUAGE = {"components", "empty", "include", "me", "nobody", "only", "player", "players", "true", "truth"}
"""Words of the language that are no keywords of its grammar, and ordinary ones."""


def test_no_word_of_the_rules_is_in_the_source() -> None:
    lines = RULES.read_text("utf-8").partition("\n")[2]  # without the comment
    words = {word.lower() for word in re.findall(r"[A-Za-z]{2,}", lines)} - keywords() - OF_THE_LANGUAGE
    assert {"quockerwodger", "wuzzle", "cattywampus", "lollygag", "ratoon", "yarborough", "zzpath", "xertz"} <= words
    program = load(RULES).program
    text = native_source(program)
    assert {word for word in words if word in text.lower()} == set()
    built = build(text, open_library, optimise=False)
    assert isinstance(built, Library), built
    assert built.play_games(0, 20, shape_of(program)).failed.tolist() == [0] * 20
