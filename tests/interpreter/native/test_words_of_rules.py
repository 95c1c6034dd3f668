"""No text of a rules file reaches the C source: only numbers do."""

import re
from pathlib import Path

from interpreter import load
from interpreter.native.building import build
from interpreter.native.library import Library, ResultShape
from interpreter.native.source import Rules, source
from interpreter.passes.playouts import copied, for_playouts
from interpreter.passes.record import PassRecords
from tests.test_project import keywords

RULES = Path(__file__).with_name("odd_words.rules")
OF_THE_LANGUAGE = {"components", "empty", "include", "me", "nobody", "only", "player", "players", "true", "truth"}
"""Words of the language that are no keywords of its grammar, and ordinary ones."""


def c_source(path: Path) -> tuple[str, ResultShape]:
    program = load(path).program
    prepared = for_playouts(copied(program.as_lowered), program.layout, program.initial, PassRecords())
    attached = [[entry[0] for entry in entries] for entries in program.runtime.attached]
    rules = Rules(program.layout, attached, program.conditions, program.model.teams is not None)
    return source(prepared, rules), ResultShape(len(program.layout.seats), len(prepared.results[0]))


def test_no_word_of_the_rules_is_in_the_source() -> None:
    lines = RULES.read_text("utf-8").partition("\n")[2]  # without the comment
    words = {word.lower() for word in re.findall(r"[A-Za-z]{2,}", lines)} - keywords() - OF_THE_LANGUAGE
    assert {"quockerwodger", "wuzzle", "cattywampus", "lollygag", "ratoon", "yarborough", "zzpath", "xertz"} <= words
    text, shape = c_source(RULES)
    assert {word for word in words if word in text.lower()} == set()
    built = build(text, optimise=False)
    assert isinstance(built, Library), built
    assert built.play_games(0, 20, shape).failed.tolist() == [0] * 20
