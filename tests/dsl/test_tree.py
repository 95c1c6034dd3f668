"""What is said in the text stands in the tree, and where the tree says it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from dsl import ast
from dsl.schema import as_data
from dsl.syntax import parse, parse_expression, read_source
from dsl.text.span import Source
from tests.support.library import of_representatives
from tests.support.project import ROOT

FILES = of_representatives((ROOT / "games").glob("*.rules"))
HEAD = 'game "X" for 2 to 3 players red, green, blue\n\n'
EXPRESSIONS = get_args(get_args(ast.Expression)[0])


def tree(source: object, first_number: int = 0) -> ast.RulesFile:
    assert isinstance(source, Source)
    found, diagnostics = parse(source, first_number)
    assert diagnostics == [], "\n".join(diagnostic.draw() for diagnostic in diagnostics)
    assert found is not None
    return found


@cache
def tree_of(path: Path) -> ast.RulesFile:
    """The tree of a game, read once for all tests."""
    return tree(read_source(path))


def part(name: str, text: str) -> ast.Part:
    file = tree(Source("x", f"{HEAD}== {name} ==\n\n{text}\n"))
    assert isinstance(file, ast.GameFile)
    return file.parts[0]


def declared(text: str, name: str = "components") -> Any:
    return part(name, text).declarations[0]


def stated(text: str) -> Any:
    return part("setup", text).statements[0]


def expressed(text: str) -> Any:
    found, diagnostics = parse_expression(Source("x", text))
    assert diagnostics == []
    return found


def parents(node: ast.Node) -> Iterator[tuple[ast.Node, ast.Node]]:
    for child in node.children():
        yield node, child
        yield from parents(child)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_spans_cover_exactly_what_they_stand_for(path: Path) -> None:
    file = tree_of(path)
    for outer, inner in parents(file):
        text = inner.span.text
        below = isinstance(inner, ast.About)  # the span of a header is its line, which ends where this block begins
        assert outer.span.start <= inner.span.start < inner.span.end, (outer, inner)
        assert (inner.span.start if below else inner.span.end) <= outer.span.end, (outer, inner)
        assert text == text.strip(), inner
    for node in file.walk():
        apart = (
            ast.lets_at_head(node) if isinstance(node, ast.Action | ast.Step) else ()
        )  # they may be above requirements
        children = [child for child in node.children() if not isinstance(child, ast.Clause) and child not in apart]
        starts = [child.span.start for child in children]
        assert starts == sorted(starts) or isinstance(node, ast.Part | ast.GameFile), node


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_text_of_an_expression_means_the_same_alone(path: Path) -> None:
    nodes = [node for node in tree_of(path).walk() if isinstance(node, EXPRESSIONS)]
    for node in nodes[:1500]:
        span = node.span
        assert parse_expression(span.source, span.start, span.end)[0] == node, span.text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_numbers_are_given_once_and_go_on(path: Path) -> None:
    file = tree(read_source(path), 1000)
    numbers = [node.number for node in file.walk()]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= 1000
    assert max(numbers) == file.number


def test_equality_does_not_look_at_places() -> None:
    one, other = stated("move a to b"), stated("move   a   to b  # so")
    assert one == other
    assert hash(one) == hash(other)
    assert one != stated("move b to a")


@pytest.mark.parametrize(
    ("written", "counts"),
    [("2 players", (2,)), ("2 or 4 players", (2, 4)), ("1, 3 or 5 players", (1, 3, 5))],
)  # fmt: skip
def test_numbers_of_players(written: str, counts: tuple[int, ...]) -> None:
    seats = ", ".join("abcdef"[: counts[-1]])
    file = tree(Source("x", f'game "X" for {written} {seats}\n== setup ==\ngo\n'))
    assert isinstance(file, ast.GameFile)
    assert (file.header.counts, file.header.fewest, file.header.most) == (counts, counts[0], counts[-1])


def test_header_and_options() -> None:
    file = tree(Source("x", HEAD + "option a: x or y = x [AB-1]\n== setup ==\ngo\n"))
    assert isinstance(file, ast.GameFile)
    assert (file.header.counts, file.header.seats) == ((2, 3), ("red", "green", "blue"))
    assert file.header.title.value == "X"
    assert [(option.name, option.cites) for option in file.options] == [("a", ("AB-1",))]
    assert [found.name for found in file.parts] == ["setup"]


@pytest.mark.parametrize(
    ("text", "shape", "holds"),
    [
        ("Card", "heap", ["Card"]),
        ("Card or Token", "heap", ["Card", "Token"]),
        ("one Token", "one", ["Token"]),
        ("one Card or Token", "one", ["Card", "Token"]),
        ("row of Card", "row", ["Card"]),
        ("stack of Card or Token", "stack", ["Card", "Token"]),
    ],
)
def test_what_zones_hold(text: str, shape: str, holds: list[str]) -> None:
    zone = declared(f"zone a[p: Player] holds {text}, seen by p, owner seen by all  [AB-1 AB-2]")
    assert (zone.shape, [sort.name for sort in zone.holds]) == (shape, holds)
    assert [sight.attribute for sight in zone.sights] == [None, "owner"]
    assert zone.cites == ("AB-1", "AB-2")


def test_types_and_tables_of_values() -> None:
    table = declared("type T with a: -2..3, b: U:   [AB-1]\n    x  -1  y  [AB-2]\n    7   2  z")
    assert (table.columns[0].type.members[0].low, table.columns[0].type.members[0].high) == (-2, 3)
    assert [(row.key, row.cells, row.cites) for row in table.rows] == [("x", (-1, "y"), ("AB-2",)), (7, (2, "z"), ())]
    assert table.cites == ("AB-1",)
    listed = declared("type T is a, b(1..3, U), 4..6")
    assert [(s.name, len(s.arguments), s.low, s.high) for s in listed.shapes] == [
        ("a", 0, None, None), ("b", 2, None, None), (None, 0, 4, 6),
    ]  # fmt: skip
    by_players = declared("by players 2 3:\n    cards  5  4")
    assert (by_players.counts, by_players.rows[0].cells) == ((2, 3), (5, 4))


def test_cites_of_definitions() -> None:
    block = declared("define f(x: T) -> U:  [AB-1]\n    1 if x  [AB-2]\n    2 otherwise", "scoring")
    assert block.cites == ("AB-1",)
    assert [(case.condition is None, case.cites) for case in block.cases] == [(False, ("AB-2",)), (True, ())]
    assert block.result.members[0].name == "U"
    lone = declared("define f:  [AB-1]\n    1  [AB-2]", "scoring")
    assert (lone.cites, lone.cases[0].cites, lone.cases[0].span.text) == (("AB-1",), ("AB-2",), "1  [AB-2]")
    line = declared("define f: 1  [AB-1]", "scoring")
    assert (line.cites, line.cases[0].cites) == (("AB-1",), ())


def test_cites_of_statements() -> None:
    found = stated("if a:  [AB-1]\n    go  [AB-2]\nelse:  [AB-3]\n    wait")
    assert found.cites == ("AB-1", "AB-3")
    assert found.then[0].cites == ("AB-2",)
    line = stated("if a: go  [AB-1]\nelse: wait  [AB-2]")
    assert (line.cites, line.then[0].cites, line.otherwise[0].cites) == ((), ("AB-1",), ("AB-2",))
    assert line.then[0].span.text == "go  [AB-1]"
    assert stated("for each x in S where a:  [AB-1]\n    go").cites == ("AB-1",)
    assert stated("each player from a to b:  [AB-1]\n    go").cites == ("AB-1",)
    assert stated("up to 3 times while a:  [AB-1]\n    go").cites == ("AB-1",)


def test_a_bracket_is_no_citation_where_it_is_an_index() -> None:
    found = stated("set a[B] to c [AB-1]\nset a [B] to c")
    assert found.cites == ("AB-1",)
    assert expressed("a [B]").kind == "index"


def test_actions_steps_and_phases() -> None:
    action = declared(
        'action lay(secret c in hand[me], n: 1..3):  [AB-1]\n    "lay {c}"  [AB-2]\n'
        '    require a because "b"  [AB-3]\n    go',
        "phases",
    )
    assert action.cites == ("AB-1", "AB-2")
    assert [(p.name, p.secret, p.type is None, p.domain is None) for p in action.parameters] == [
        ("c", True, True, False), ("n", False, False, True),
    ]  # fmt: skip
    assert (action.requires[0].cites, action.requires[0].reason.value, len(action.body)) == (("AB-3",), "b", 1)
    phase = declared(
        "phase a, turns from b to c, over when d, over as soon as e:  [AB-1]\n    phase f:\n        go", "phases"
    )
    assert (phase.first.name, phase.last.name, phase.over_when.name, phase.over_at_once.name) == ("b", "c", "d", "e")
    assert (len(phase.phases), phase.body, phase.cites) == (1, (), ("AB-1",))
    assert declared("step go: end game  [AB-1]", "phases").body[0].cites == ("AB-1",)
    assert declared("when a(x: T):  [AB-1]\n    go", "phases").cites == ("AB-1",)


def test_decisions() -> None:
    found = stated("may secretly lay(a, 1) or draw else wait up to 2 times while b")
    assert (found.duty, found.secretly, [act.name for act in found.acts]) == ("may", True, ["lay", "draw"])
    assert ([act.name for act in found.otherwise], found.bound.condition.name) == (["wait"], "b")
    one = stated("must choose c from S where a")
    assert (one.amount, one.name) == (None, "c")
    for text, fewest, most, exactly in (("2", None, 2, True), ("up to 3", None, 3, False), ("2 to 3", 2, 3, False)):
        amount = stated(f"must choose {text} c from S where a").amount
        bounds = [None if bound is None else bound.value for bound in (amount.fewest, amount.most)]
        assert (bounds, amount.exactly) == ([fewest, most], exactly)
    assert stated("move 2 of red from a to b at bottom").position.relation == "at bottom"
    assert stated("move a to b before c").position.anchor.name == "c"
    assert [die.kind for die in stated("roll a, b[1]").dice] == ["name", "index"]


def test_scenes() -> None:
    example = declared(
        'example "e":\n    given 3 players\n    and a is b\n    and c\n    when red: lay(a)\n    when red: choose 5\n'
        "    when red: done\n    when phase main\n    then over\n    and red may lay or draw\n"
        '    and red may only done\n    and red may not choose 2 because "so"\n    given players red, blue',
        "examples",
    )
    assert [scene.kind for scene in example.scenes] == [
        "given_seats", "given", "given", "played", "played", "played", "begun", "then", "then_may", "then_may",
        "then_may_not", "given_seats",
    ]  # fmt: skip
    played = example.scenes[3:6]
    assert [scene.choice.kind for scene in played] == ["act", "choosing", "act"]
    assert played[2].choice.name == "done"
    assert [scene.only for scene in example.scenes[8:10]] == [False, True]
    assert example.scenes[9].span.text == "and red may only done"
    assert example.scenes[10].because.value == "so"
    assert example.scenes[11].seats == ("red", "blue")
    assert example.scenes[6].seat is None


def test_scenes_of_the_middle_of_a_game() -> None:
    example = declared(
        'example "e":\n    given a shows 4\n    and a[1] shows red\n    when phase main from blue', "examples"
    )
    shown, also, begun = example.scenes
    assert [scene.kind for scene in example.scenes] == ["given_shown", "given_shown", "begun"]
    assert (shown.die.name, shown.face.value) == ("a", 4)
    assert (also.die.span.text, also.face.name) == ("a[1]", "red")
    assert (begun.phase, begun.seat) == ("main", "blue")


def test_texts() -> None:
    source = Source("x", '"lay {n} {count {t in z}} at {s}"')
    text, diagnostics = parse_expression(source)
    assert diagnostics == []
    assert isinstance(text, ast.Text)
    assert [part if isinstance(part, str) else part.span.text for part in text.parts] == [
        "lay ", "n", " ", "count {t in z}", " at ", "s",
    ]  # fmt: skip
    numbers = [node.number for node in text.walk()]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) == text.number


def test_precedence() -> None:
    def short(node: ast.Node) -> str:
        match node:
            case ast.Name(name=name):
                return name
            case ast.Number(value=value):
                return str(value)
            case _:
                inner = [short(child) for child in node.children()]
                return f"{getattr(node, 'operator', node.kind)}({' '.join(inner)})"

    cases = {
        "a or b and not c is d": "or(a and(b not(is(c d))))",
        "a + b * c - d": "-(+(a *(b c)) d)",
        "(a + b) * c": "*(+(a b) c)",
        "-a + b": "+(negative(a) b)",
        "count h of r < 2": "<(count(of(h r)) 2)",
        "a is not in b & c": "is not in(a &(b c))",
        "no x in s where a and b": "quantified(binder(s) and(a b))",
        "a and no x in s where b or c": "and(a quantified(binder(s) or(b c)))",
        "(a if b else c)": "either(a b c)",
        "{x in s where a}": "filter(binder(s) a)",
        "{a for x in s with y in t where b}": "builder(a binder(s) binder(t) b)",
        "sum x.a for x in s": "aggregate(attribute(x) binder(s))",
        "f(a)[b].c": "attribute(index(call(f a) b))",
        "[]": "list()",
        "{}": "set()",
        "2 red wall": "pattern(red wall)",
        "1..3": "range(1 3)",
        "a..count b": "range(a count(b))",
        "w before c": "before(w c)",
    }
    assert {text: short(expressed(text)) for text in cases} == cases


def test_a_variant_and_a_companion() -> None:
    variant = tree(
        Source("x", 'variant "V" of a_game:  [AB-1]\n    remove zone b\n    replace step c: go\n    remove define d\n')
    )
    assert isinstance(variant, ast.VariantFile)
    assert [(c.verb, c.declaration_kind, c.name) for c in variant.changes] == [
        ("remove", "zone", "b"), ("replace", None, None), ("remove", "define", "d"),
    ]  # fmt: skip
    for heading in ("", "== examples ==\n"):
        companion = tree(Source("x", f'examples of a_game\n{heading}example "e":\n    then over\n'))
        assert isinstance(companion, ast.ExamplesFile)
        assert [example.title.value for example in companion.examples] == ["e"]


def test_the_tree_of_a_small_statement() -> None:
    assert as_data(stated("add 1 to a[b]")) == {
        "kind": "add",
        "value": {"kind": "number", "value": 1},
        "target": {
            "kind": "index",
            "base": {"kind": "name", "name": "a"},
            "arguments": [{"kind": "name", "name": "b"}],
        },
        "because": None,
        "cites": [],
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_token_of_the_parser_is_left_in_a_tree(path: Path) -> None:
    def plain(value: Any) -> bool:
        return all(map(plain, value)) if isinstance(value, tuple) else type(value) is str or not isinstance(value, str)

    for node in tree_of(path).walk():
        assert all(map(plain, node.content().values())), f"{node.kind}: {node.span.text}"
