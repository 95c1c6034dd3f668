"""The tree-sitter grammar: its parser reads every shipped file, and a broken line takes little with it.

It is made from the grammar of the language, generated and compiled here. That needs a generator, a C compiler and the
package `tree-sitter`; `tests/support/tree_sitter_generator.py` builds a generator.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from dsl.syntax import parse
from dsl.text.span import Source
from editors.tree_sitter.__main__ import write
from editors.tree_sitter.grammar import EXTERNAL, tree_sitter_grammar
from tests.support.long_run import one_in
from tests.support.project import ROOT
from tests.support.tree_sitter_generator import generator

UNINDENTED = {"as_written/brackets.rules"}
"""Files with lines in brackets that are indented no further than the line of the bracket, which ends there."""


def symbols(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if part.get("type") == "SYMBOL":
            yield str(part["name"])
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from symbols(inner)


def test_every_rule_is_there() -> None:
    rules: Any = tree_sitter_grammar()["rules"]
    assert next(iter(rules)) == "start"
    assert set(symbols(rules)) <= {*rules, *symbols(list(EXTERNAL))}


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Any:
    tree_sitter = pytest.importorskip("tree_sitter")
    command, compiler = generator(), shutil.which("cc")
    if command is None or compiler is None:
        pytest.skip("no generator of tree-sitter, or no C compiler")
    folder = tmp_path_factory.mktemp("tree_sitter")
    write(folder)
    subprocess.run([command, "generate", "src/grammar.json"], cwd=folder, check=True)
    strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Isrc", "src/scanner.c"]
    made = ["-shared", "-fPIC", "-Isrc", "src/parser.c", "src/scanner.c", "-o", "rules.so"]
    for flags in (strict, made):
        subprocess.run([compiler, *flags], cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "rules.so"))
    library.tree_sitter_regelwerk.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    language = tree_sitter.Language(capsule(library.tree_sitter_regelwerk(), b"tree_sitter.Language", None))
    tree_sitter.Query(language, (folder / "queries" / "highlights.scm").read_text("utf-8"))
    return tree_sitter.Parser(language)


def errors(node: Any) -> Iterator[Any]:
    if node.type == "ERROR" or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from errors(child)


def lost(parser: Any, text: str) -> set[int]:
    """The lines of which something is in no node but that of an error."""
    lines: set[int] = set()
    for error in errors(parser.parse(text.encode()).root_node):
        for part in error.children or [error]:
            if not part.child_count or part is error:
                lines |= set(range(part.start_point[0], part.end_point[0] + (part.end_point[1] > 0))) or {
                    part.start_point[0]
                }
    return lines


@pytest.mark.parametrize("folder", one_in(2, ["games", "tests"]))
def test_all_rules_without_errors_are_read(parser: Any, folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.rules")):
        text = path.read_text("utf-8")
        if "/".join(path.parts[-2:]) in UNINDENTED or (folder != "games" and parse(Source(path.name, text), 0)[1]):
            continue
        assert not parser.parse(text.encode()).root_node.has_error, path


@pytest.mark.parametrize("game", ["nim", "go"])
def test_a_broken_line_takes_little_with_it(parser: Any, game: str) -> None:
    lines = (ROOT / "games" / f"{game}.rules").read_text("utf-8").split("\n")
    choose, more = random.Random(game), Counter[int]()
    for number, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            for broken in broken_lines(line, choose):
                text = "\n".join([*lines[:number], broken, *lines[number + 1 :]])
                more[len(lost(parser, text) - {number})] += 1
    assert more[0] >= 0.7 * more.total()
    assert more[0] + more[1] + more[2] >= 0.85 * more.total()


def broken_lines(line: str, choose: random.Random) -> Iterator[str]:
    """A line without one of its words, with signs of no language, cut off, and with an open bracket."""
    words = line.split(" ")
    position = choose.choice([index for index, word in enumerate(words) if word])
    indentation = len(line) - len(line.lstrip())
    yield " ".join([*words[:position], *words[position + 1 :]])
    yield " ".join([*words[:position], "?!", *words[position:]])
    yield line[: choose.randrange(indentation, len(line))]
    yield f"{line} ("


def test_the_end_of_a_file_needs_no_end_of_line(parser: Any) -> None:
    text = (ROOT / "games" / "nim.rules").read_text("utf-8")
    assert not parser.parse(text.rstrip().encode()).root_node.has_error
    assert not parser.parse(text.replace("\n", "\r\n").encode()).root_node.has_error
