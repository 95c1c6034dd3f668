"""The parser reads texts as the parser that lark generates from the grammar."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.syntax import parse, parser, preparing
from dsl.syntax.layout import LayoutError, Token
from dsl.syntax.parser import TABLES, Unexpected
from dsl.text.span import Source

ROOT = Path(__file__).parent.parent.parent
GAME = 'game "X" for 2 players red, blue\n\n== setup ==\n\nif a:\n    go\n'
DAMAGES = ("", "=", "-", '"', "$", "\t", "the ", "seen  by ", "[RB-1]", "\n  ", "#", "1 player", "0x", "gameé", " of ")


@pytest.fixture(scope="module")
def of_lark() -> Lark:
    """The parser that lark makes of the grammar, and does not make if terminals collide; that takes two seconds."""
    return preparing.generated(strict=True)


def test_the_tables_are_those_of_the_grammar(of_lark: Lark, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.environ.get("REGELWERK_UPDATE"):
        preparing.write()
    monkeypatch.setattr(preparing, "generated", lambda: of_lark)
    is_current = json.loads(json.dumps(preparing.prepared())) == json.loads(TABLES.read_text("utf-8"))
    assert is_current, "the grammar has changed: python -m dsl.syntax.preparing"


Outcome = tuple[list[tuple[str, str, int | None, int | None]], object]
"""The tokens of a text with their places, and its tree, or the error at which they end."""


def until_stopped(tokens: Iterator[Token | LarkToken]) -> Iterator[tuple[str, str, int | None, int | None]]:
    with contextlib.suppress(Unexpected, UnexpectedInput, LayoutError):
        for token in tokens:
            yield token.type, str(token), token.start_pos, token.end_pos


def outcome(text: str, start: str) -> Outcome:
    read = [*until_stopped(parser.tokens(text, start))]
    try:
        parsed = parser.expression_tree(text) if start == "expr" else parser.tree(text, start)
    except LayoutError as error:
        return read, (error.message, error.position)
    except Unexpected as error:
        # The end of a text has no place for Lark where nothing, or only the end of a block, is before it.
        place = () if error.kind == "$END" else (error.start, error.end)
        return read, (error.kind, *place, error.expected)
    return read, plain(parsed)


def outcome_of_lark(generated: Lark, text: str, start: str) -> Outcome:
    read = [*until_stopped(generated.parse_interactive(text, start=start).iter_parse())]
    try:
        parsed = generated.parse(text, start=start)
    except LayoutError as error:
        return read, (error.message, error.position)
    except UnexpectedToken as error:
        token = error.token
        place = () if token.type == "$END" else (token.start_pos, token.end_pos or 0)
        return read, (token.type, *place, frozenset(error.accepts or error.expected))
    except UnexpectedCharacters as error:
        return read, (None, error.pos_in_stream, error.pos_in_stream + 1, frozenset(error.allowed))
    return read, plain(parsed)


def plain(tree: object) -> object:
    if isinstance(tree, Tree | parser.Tree):
        return str(tree.data), [plain(child) for child in tree.children]
    return tree if tree is None else (tree.type, str(tree))  # type: ignore[attr-defined]


def test_texts_are_read_as_lark_reads_them(of_lark: Lark, long_run: bool) -> None:
    random = Random(7)
    ends = set()
    for path in sorted((ROOT / "games").glob("*.rules"))[:: 12 if long_run else 36]:
        text = path.read_text(encoding="utf-8") + "\n"
        variations = [text]
        for _ in range(4):
            cut = random.randrange(len(text))
            variations += [text[:cut] + random.choice(DAMAGES) + text[cut:], f"{text[:cut]}\n"]
        for variation in variations:
            expected = outcome_of_lark(of_lark, variation, "start")
            assert outcome(variation, "start") == expected, path.name
            ends.add(str(expected[1])[:6])
    assert len(ends) > 4


@pytest.mark.parametrize("start", ["expr", "rest", "changes"])
def test_parts_of_texts_are_read_as_lark_reads_them(of_lark: Lark, start: str) -> None:
    random = Random(start)
    text = (ROOT / "games/china.rules").read_text("utf-8")
    lines = [line.partition("  [")[0] for line in text.splitlines() if line.strip()]
    for line in random.sample(lines, 80):
        part = line.strip().partition(": ")[2] if start == "expr" else f"{line}\n"
        assert outcome(part, start) == outcome_of_lark(of_lark, part, start), part


def test_threads_do_not_disturb_one_another() -> None:
    texts = [GAME + "go\n" * number for number in range(40)]
    parser.tables.cache_clear()  # all of them decode what they need
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: parse(Source("x", text))[0], texts))
    assert together == [parse(Source("x", text))[0] for text in texts]


def test_parsing_loads_no_parser_library() -> None:
    code = f"import sys; from dsl.syntax.parser import tree; tree({GAME!r}, 'start'); print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_state_accepts_a_sign_and_a_pattern_that_it_matches(of_lark: Lark) -> None:
    """Lark would prefer the sign to the pattern, the lexer here the longer text of the two in the grammar."""
    signs = [terminal for terminal in of_lark.terminals if terminal.pattern.type == "str"]
    patterns = [terminal for terminal in of_lark.terminals if terminal.pattern.type == "re"]
    alike = [
        {sign.name, pattern.name}
        for sign in signs
        for pattern in patterns
        if re.fullmatch(pattern.pattern.to_regexp(), sign.pattern.value.replace("\\", ""))
    ]
    tables = parser.tables()
    accepted = [set(tables.actions(state)) for state in range(len(tables.states))]
    assert alike  # `-`
    assert not [pair for pair in alike for names in accepted if pair <= names]


def test_keywords_of_one_word_are_tried_last() -> None:
    """The lexer looks them up together, once nothing else has matched: see `Tables`."""
    tables = parser.tables()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        names = [name for name, initial in tables.initials if initial == letter or name == "NAME"]
        is_one_word = [bool(re.fullmatch(r"[a-z0-9]+\\b", tables.terminals[name])) for name in names]
        assert is_one_word == sorted(is_one_word), names
