"""After every change, what is read again in part is what a fresh check reads: trees, tables and findings."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dsl import ast
from dsl.model import Model
from dsl.symbols import Symbol
from dsl.syntax import parse
from dsl.syntax.blocks import Blocks
from dsl.text.span import Source
from editors.service.analysis import Trees, analyse
from editors.service.texts import DISK
from tests.support.library import of_representatives
from tests.support.long_run import one_in
from tests.support.project import ROOT

FILES = [path.relative_to(ROOT).as_posix() for path in of_representatives((ROOT / "games").rglob("*.rules"))]
SIGNS = ("", " ", "x", "(", ")", ":", ",", '"', "{", "# ", "is ", "\n", "    ", "é")


def edited(text: str, choose: random.Random) -> str:
    """The text with one of its lines changed, doubled, moved, removed or commented, or with an empty one more."""
    lines = text.splitlines(keepends=True) or [""]
    number = choose.randrange(len(lines))
    match choose.randrange(7):
        case 0:
            lines.insert(number, choose.choice(("\n", "# a comment\n")))
        case 1:
            lines.insert(number, choose.choice(lines))
        case 2:
            del lines[number]
        case 3:
            lines.append(lines.pop(number))
        case _:
            words = lines[number].split(" ")
            position = choose.randrange(len(words))
            words[position : position + 1] = choose.choice(([], [choose.choice(SIGNS) + words[position]]))
            lines[number] = " ".join(words)
    return "".join(lines)


def places(tree: ast.Node | None) -> list[tuple[type[ast.Node], int, int, int]]:
    nodes: Iterator[ast.Node] = iter(()) if tree is None else tree.walk()
    return [(type(node), node.number, node.span.start, node.span.end) for node in nodes]


def assert_same_tree(blocks: Blocks, name: str, text: str) -> bool:
    """Compare the trees of a text; return whether it has any."""
    source = Source(name, text)
    tree, diagnostics = blocks.parse(source, 7)
    fresh, expected = parse(source, 7)
    assert diagnostics == expected
    assert tree == fresh and places(tree) == places(fresh)
    assert tree is None or all(node.span.source is source for node in tree.walk())
    return tree is not None


@pytest.mark.parametrize("file", one_in(6, FILES, 1))
def test_blocks_make_the_tree_of_a_shipped_file(file: str) -> None:
    blocks = Blocks()
    text = (ROOT / file).read_text("utf-8")
    assert assert_same_tree(blocks, file, text)
    assert assert_same_tree(blocks, file, f"# moved\n\n{text}")


@pytest.mark.parametrize("file", ["games/nim.rules", "games/go.examples.rules", "games/variants/chess960.rules"])
def test_blocks_make_the_tree_after_edits(file: str, long_run: bool) -> None:
    choose, blocks = random.Random(file), Blocks()
    original = text = (ROOT / file).read_text("utf-8")
    for number in range(3_000 if long_run else 60):
        text = edited(original if number % 3 == 0 else text, choose)
        assert_same_tree(blocks, file, text)


@pytest.mark.parametrize("text", [
    "", "game", "examples of nim\n", 'game "A" for 2 players a, b\n', '== setup ==\n', "[\n", '\n\nzone a holds B\n',
    'game "A" for 2 players a, b\n== setup ==\n== phases ==\nphase main:\n    end game\n',
    'game "A" for 2 players a, b\noption x: truth = true\nzone a holds B\n',
    'game "A" for 2 players a, b\n== setup ==\nif 1 is 1:\n    end game\nelse:\n    end game\n',
    'game "A" for 2 players a, b\n== components == # all\nzone a[\np: Player\n] holds B\n',
    'examples of a\nexample "b":\n    then 1 is 1\n== examples ==\nexample "c":\n    then 1 is 1\n',
    f'game "A" for 2 players a, b\n== scoring ==\nwinner highest {"(" * 115}1{")" * 115}\n',
    f'game "A" for 2 players a, b\n== scoring ==\nwinner highest {"not " * 118}1\n',
])  # fmt: skip
def test_blocks_leave_to_the_parser_what_is_not_simple(text: str) -> None:
    assert_same_tree(Blocks(), "small", text)


def named(model: Model, symbol: Symbol) -> tuple[object, ...]:
    place = None if symbol.node is None else (symbol.node.number, symbol.node.span.source.name, symbol.node.span.start)
    return type(symbol), symbol.name, place, model.globals.get(symbol.name) is symbol


def tables(model: Model | None) -> Mapping[str, object]:
    if model is None:
        return {}
    refers = {number: named(model, symbol) for number, symbol in model.refers.items()}
    return {"types": model.types, "attributes": model.attribute_of, "refers": refers, "open": model.open_notes}


@pytest.mark.parametrize("game", ["go", pytest.param("weir_keepers", marks=pytest.mark.long)])
def test_what_is_remembered_is_what_a_fresh_check_finds(game: str, long_run: bool) -> None:
    choose, trees = random.Random(game), Trees()
    path = ROOT / "games" / f"{game}.rules"
    original = {file: file.read_text("utf-8") for file in (path, path.with_name(f"{game}.examples.rules"))}
    texts: Mapping[Path, str] = original
    right = 0
    for number in range(5_000 if long_run else 27):
        file = choose.choice(list(original))
        texts = original if number % 3 == 0 else texts
        texts = {**texts, file: edited(texts[file], choose)}
        analysis, fresh = analyse(path, texts, DISK, trees), analyse(path, texts, DISK, Trees())
        assert analysis.findings == fresh.findings
        assert tables(analysis.model) == tables(fresh.model)
        right += all(finding.severity != "error" for finding in fresh.findings)
    assert right >= 3
