"""What passes `check` runs: expressions whose type nothing determines are reported, wherever they stand."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.errors import ExpressionError, PlayError
from interpreter.play.game import load
from interpreter.seat.explain.query import evaluate_query

RULES = """game "Undetermined" for 2 players ann, ben

== components ==

type Colour is red, blue
type Cell from grid(3, 3)
type Side from beside(Cell)
type Way from directions(Cell)
piece Card: 2 for each colour: Colour in bag
zone bag holds Card
zone line holds row of Card
zone at[c: Cell] holds one Card
zone hand[p: Player] holds Card
note n: 0..9 = 0
note spots: several Cell = {a1}
note shade: Colour or none = none
note flag: Truth = false

== phases ==

phase playing, turns from ann, over when n is 9:
    must go

action go:
    STATEMENT
    add 1 to n

step keep(z: several Cell): set spots to z
step keep_one(z: Cell or none): set spots to ({z} if z is not none else {})
define size(z: several Cell): count z
define lacks(z: Cell or none): z is none
define linked(u: Cell, v: Cell): u is v
DEFINITION

== scoring ==

winner n is 9
"""

EXPRESSIONS = (
    "{}", "none", "{none}", "{nobody}", "{none, none}", "{none, {}}", "[]", "[none]",
    "({} + {})", "({} - {})", "({} & {})", "(spots + {})", "({} + spots)", "(bag & {})", "({} + bag)",
    "({} if flag else {})", "(none if flag else none)", "(none if flag else {})", "({} if flag else none)",
    "first({})", "last({})", "nth(1, {})", "first(2, {})", "first({none})", "top({})", "bottom({})",
    "{x in {} where true}", "{x for x in {}}", "{x in [] where true}", "{c in {} + {} where true}",
    "{none for c in Cell}", "{{} for c in Cell}", "{first({}) for c in Cell}", "{shade for c in Cell}",
    "{first(s) for s in {{} for c in Cell}}", "({{a1} for c in Cell} + {})",
    "groups({}, Side)", "groups({}, linked)", "handfuls({}, 0, 1)", "handfuls({none}, 0, 1)", "packings({})",
    "packings({{} for c in Cell})", "paths({}, {}, 1)", "trails(Cell, {}, 1)", "lines({}, 3)",
    "next(none)", "next(none, north)", "left(none)", "left(nobody)", "near(none, Side)", "near(a1, {})",
    "path(none, none, Side)", "path(none, none, linked)", "reach(none, {})", "reach(none, linked)",
    "ray(none, north)", "between(none, none)",
    "(the x in {} where true)", "(the x in {none} where true)", "(the x in {} with highest 1)",
    "(sum 1 for x in {})", "(highest n for x in {})", "(count {})", "(count {} + {})", "(count none)",
    "(no x in {} where true)", "(some x in {} + {} where true)", "(some x in [none] where true)",
    "(count x in none where true)", "none.colour", "{}.colour", "magnitude(none)", "larger(none, none)",
    "remainder(none, 1)", "(-none)", "(none + none)", "(none / 1 rounded up)", "(bag of none)", "hand[none]",
    "at[none]",
    "(none before none)", "(none < none)", "(not none)", "(none and none)", "size({})", "size({} + {})",
    "lacks(none)", "size(({} if flag else {}))", "(n given keep({}))", "({} given keep({a1}))",
    "(none given keep({a1}))",
)  # fmt: skip

PLACES = (
    'require E is none because "x"', 'require E is empty because "x"', 'require E is {} because "x"',
    'require E is E because "x"', 'require E is in spots because "x"', 'require a1 is in E because "x"',
    'require none is in E because "x"', 'require E is in {E} because "x"', 'require E is not shade because "x"',
    'require E is spots because "x"', 'require E is [] because "x"', 'require E is in [none] because "x"',
    'require E because "x"', 'require n < 3 because "x {E}"', 'require first(E) is none because "x"',
    'require (E + E) is E because "x"', 'require (E if flag else E) is E because "x"',
    'require some x in E where x is x because "x"', 'require (the x in E where true) is none because "x"',
    'require {E for c in Cell} is empty because "x"', 'require bag of E is empty because "x"',
    'require hand[E] is empty because "x"', "let y = E", "let y = E\n    add (1 if y is none else 0) to n",
    "set spots to E", "set shade to E", "set flag to E", "add E to spots", "remove E from spots", "add E to n",
    "for each x in E: add 1 to n", "for each x in E where x is none: add 1 to n", "may choose y from E",
    "may choose 2 ys from E", "if E: add 1 to n", "move E to line", "move 1 from E to line", "keep(E)", "keep_one(E)",
    'tell "{E}"', 'add 1 to n because "{E}"', "each player from E: add 1 to n", "add count E to n",
    "up to E times while flag: add 1 to n",
)  # fmt: skip

DEFINITIONS = (
    "define d: E", "define d: E\ndefine e: count d", "define d: E\ndefine e: d is none",
    "define d:\n    E   if flag\n    E   otherwise", "position q: E",
)  # fmt: skip

QUERIES = ("E", "E is E", "count E", "E is none", "first(E)", "E + E", "{E}", "some x in E where x is x", "E is {}")

PLACES_OF_EACH = 3
"""How many of the places of an expression are tried in the normal run, each time others."""


def programs(expression: str) -> list[str]:
    """Games with an expression in every place."""
    quoted = '"' in expression
    statements = [place.replace("E", expression) for place in PLACES if not quoted]
    texts = [RULES.replace("STATEMENT", statement).replace("DEFINITION", "") for statement in statements]
    declared = [text.replace("E", expression) for text in DEFINITIONS]
    return [*texts, *(RULES.replace("STATEMENT", "set flag to true").replace("DEFINITION", text) for text in declared)]


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
def test_what_passes_the_check_runs(number: int, tmp_path: Path, long_run: bool) -> None:
    path, texts = tmp_path / "undetermined.rules", programs(EXPRESSIONS[number])
    step = 1 if long_run else len(texts) // PLACES_OF_EACH
    for text in islice(texts, 0 if long_run else number % step, None, step):
        path.write_text(text, encoding="utf-8")
        try:
            state = load(path, 2).start(seed=1)
            if state.legal_moves:
                state.push(state.legal_moves[0])
        except (RulesError, PlayError):
            continue


def test_what_passes_the_check_of_a_query_has_a_value_or_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "undetermined.rules"
    path.write_text(RULES.replace("STATEMENT", "set flag to true").replace("DEFINITION", ""), encoding="utf-8")
    state = load(path, 2).start(seed=1)
    for expression in EXPRESSIONS:
        for query in QUERIES:
            try:
                evaluate_query(state.program, state.cells, query.replace("E", expression), None)
            except (ExpressionError, PlayError):
                continue


@pytest.mark.parametrize(
    "expression, where",
    [
        ("first({})", "{}"), ("{} + {}", "{}"), ("{none}", "{none}"), ("first(2, {})", "{}"),
        ("({} if flag else {})", "{}"), ("{none for c in Cell}", "{none for c in Cell}"), ("first({none})", "{none}"),
    ],
)  # fmt: skip
def test_the_set_of_unknown_type_is_named(expression: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "undetermined.rules"
    text = RULES.replace("STATEMENT", f'require ({expression}) is empty because "x"').replace("DEFINITION", "")
    path.write_text(text.replace("is empty", "is none") if "first({" in expression else text, encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load(path, 2)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.text) == ("E0340", where)


def test_a_step_may_be_performed_by_a_hypothesis_alone(tmp_path: Path) -> None:
    path = tmp_path / "hypothesis.rules"
    supposed = "step rise: set n to 8\ndefine risen: (n given rise)"
    path.write_text(RULES.replace("STATEMENT", "set flag to true").replace("DEFINITION", supposed), encoding="utf-8")
    assert load(path, 2).start(seed=1).evaluate("risen") == 8
