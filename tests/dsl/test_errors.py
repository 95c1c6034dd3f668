"""Every wrong file in `bad/`, `wrong/` and `mistakes/` is told what it says beside its lines, and nothing else.

See `bad/README.md`. What is in `bad/` cannot be read; what is in `wrong/` can, and the checks find what is wrong. In
`mistakes/` is a small game for each mistake, with the way out.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse, read_source
from dsl.text.span import Source
from interpreter.loading.game_library import items_of
from interpreter.loading.rules import board_of
from tests.support.project import ROOT

FOLDER = Path(__file__).parent
BAD, WRONG = sorted((FOLDER / "syntax_errors").glob("*.rules")), sorted((FOLDER / "check_errors").glob("*.rules"))
MISTAKES = sorted((FOLDER / "newcomer_mistakes").glob("*.rules"))
FILES = [*BAD, *WRONG, *MISTAKES]
MARK = re.compile(r"[ \t]*#![ \t]*(.*?)[ \t]*$")
ALSO = "also "
CODE = re.compile(rf"(?:{ALSO})?[EW]\d{{4}}\b")
"""A finding in this line, or one in another line that names this one as well."""
LOOSE_ENDS = re.compile(r"E05(?!02)\d\d")
"""What is told about things that lead nowhere; in `mistakes/` it is beside the point."""

Expected = list[tuple[str, list[str]]]


def expected_on(line: str) -> Expected:
    found = MARK.search(line)
    wanted: Expected = []
    for part in found.group(1).split(" ; ") if found else []:
        code = CODE.match(part)
        if code:
            wanted.append((code.group(), []))
            part = part[code.end() :]
        if part.strip():
            wanted[-1][1].append(part.strip())
    return wanted


def told(path: Path) -> tuple[Source, dict[int, list[tuple[str, Diagnostic]]]]:
    """A file, and the findings about each line with their codes, in their order."""
    source = source_of(path)
    diagnostics = findings(path, source)
    tree, unreadable = parsed(source)
    assert (path in BAD) <= (tree is None)
    assert (path in WRONG) <= (unreadable == [])
    placed = [(found.span, found.code, found) for found in diagnostics]
    placed += [(span, f"{ALSO}{found.code}", found) for found in diagnostics for span in found.other_spans]
    lines = defaultdict(list)
    for span, code, found in sorted(placed, key=lambda place: place[0].start):
        if span.source == source:
            lines[span.line].append((code, found))
    return source, lines


@cache
def source_of(path: Path) -> Source:
    source = read_source(path, path.name)
    assert isinstance(source, Source)
    return source


parsed = cache(parse)


@cache
def findings(path: Path, source: Source) -> list[Diagnostic]:
    """What is told about a text that stands where the file does."""
    tree, unreadable = parsed(source)
    diagnostics = [*unreadable]
    if isinstance(tree, ast.GameFile):
        board, wrong = board_of(path, tree)
        diagnostics += wrong or check(tree, items=items_of(path), board=board)[1]
    return [found for found in diagnostics if path not in MISTAKES or not LOOSE_ENDS.fullmatch(found.code)]


def fits(diagnostic: Diagnostic, code: str, parts: list[str]) -> bool:
    drawn = "\n".join([diagnostic.message, *(label.text for label in diagnostic.labels), *diagnostic.helps])
    return diagnostic.code == code.removeprefix(ALSO) and all(part in drawn for part in parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".rules"))
def test_the_diagnostics_of_a_wrong_file(path: Path) -> None:
    source, lines = told(path)
    if os.environ.get("REGELWERK_UPDATE"):
        update(path, source, lines)
        source_of.cache_clear()
        source, lines = told(path)
    for number, line in enumerate(source.text.split("\n"), 1):
        wanted = expected_on(line)
        drawn = "\n".join(diagnostic.draw() for _, diagnostic in lines[number])
        codes = [code for code, _ in lines[number]]
        assert [code for code, _ in wanted] == codes, f"line {number}: {line}\n{drawn}"
        for (_, diagnostic), (code, parts) in zip(lines[number], wanted, strict=True):
            assert fits(diagnostic, code, parts), f"line {number}: {line}\n{drawn}"


def update(path: Path, source: Source, lines: dict[int, list[tuple[str, Diagnostic]]]) -> None:
    written = []
    for number, line in enumerate(source.text.split("\n"), 1):
        wanted = expected_on(line)
        words = []
        if [code for code, _ in wanted] == [code for code, _ in lines[number]] and all(
            fits(found, code, parts) for (_, found), (code, parts) in zip(lines[number], wanted, strict=True)
        ):
            written.append(line)
            continue
        for place, (code, diagnostic) in enumerate(lines[number]):
            _, parts = wanted[place] if place < len(wanted) else ("", [""])
            if code.startswith(ALSO):
                words.append(code)
                continue
            if not (place < len(wanted) and fits(diagnostic, *wanted[place])):
                parts = [diagnostic.message, *diagnostic.helps][: max(1, len(parts))]  # as much as was expected before
            words.append(" ; ".join([f"{code} {parts[0]}" if parts else code, *parts[1:]]))
        bare = MARK.sub("", line)
        written.append(f"{bare:<48} #! {' ; '.join(words)}" if words else bare)
    path.write_text("\n".join(written), encoding="utf-8")


def codes_in(folder: str) -> set[str]:
    files = [path for suffix in ("py", "toml") for path in (ROOT / "dsl" / folder).rglob(f"*.{suffix}")]
    texts = [path.read_text("utf-8") for path in files]
    return {code for text in texts for code in re.findall(r'"([EW]0\d\d\d)"', text)}


def codes_beside(paths: list[Path]) -> set[str]:
    lines = [line for path in paths for line in path.read_text("utf-8").split("\n")]
    return {code.removeprefix(ALSO) for line in lines for code, _ in expected_on(line)}


def test_every_code_of_the_language_is_reported_in_some_test() -> None:
    whole_files = {"E0101", "E0102", "E0117", "E0346"}  # test_reading.py, test_robust.py, test_chains.py
    assert codes_in("syntax") | codes_in("checker") == codes_beside(FILES) | whole_files


def test_there_is_a_small_game_for_many_a_mistake() -> None:
    assert len(MISTAKES) >= 200
    for path in MISTAKES:
        lines = path.read_text("utf-8").split("\n")
        assert any(expected_on(line) for line in lines), path
        assert any(line.startswith("#>") for line in lines), path


def test_messages_are_written_as_agreed() -> None:
    for path in FILES:
        for diagnostic in findings(path, source_of(path)):
            message = diagnostic.message
            assert message[0] in "`" or message[0].islower(), message
            assert not message.endswith("."), message
            assert 0 <= len(diagnostic.helps) <= 4
            for text in (message, *diagnostic.helps):
                assert not re.search(r"\b_[A-Z]|\b[A-Z]{3,}\b(?!\.)", text.replace("NAME", "")), text


CLASHES = {"E0121", "E0202", "E0204", "E0342", "E0418"}


def test_two_that_clash_are_shown_at_both_places() -> None:
    for path in FILES:
        for found in findings(path, source_of(path)):
            if found.code in CLASHES and "hide" not in found.message and "predeclared" not in found.message:
                assert found.labels, found.draw()
            assert all(label.span != found.span for label in found.labels), found.draw()


def test_diagnostics_are_reported_in_the_order_of_the_text() -> None:
    for path in FILES:
        told_at = [found.span.start for found in findings(path, source_of(path))]
        assert told_at == sorted(told_at)


def test_an_error_is_drawn_with_its_line() -> None:
    source = Source("x.rules", 'game "X" for 2 players red, blue\n\n== setup ==\n\nif a == b: go\n')
    (diagnostic,) = parse(source)[1]
    assert diagnostic.draw().split("\n") == [
        "error[E0111]: `==` is not an operator",
        "  x.rules:5:6",
        " 5 | if a == b: go",
        "   |      ^^",
        "   = help: write `is`",
    ]


def test_an_error_does_not_hide_the_ones_after_it() -> None:
    text = 'game "X" for 2 players red, blue\n== setup ==\n' + "go wait\n" * 10
    assert [d.span.line for d in parse(Source("x", text))[1]] == list(range(3, 13))


def test_not_more_than_25_errors_are_reported() -> None:
    text = 'game "X" for 2 players red, blue\n== setup ==\n' + "go wait\n" * 100
    assert len(parse(Source("x", text))[1]) == 25
