"""The parser kept between runs."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from lark.exceptions import UnexpectedInput

from dsl.syntax import parse, parser_cache
from dsl.syntax.layout import LayoutError
from dsl.text.span import Source

ROOT = Path(__file__).parent.parent.parent
GAME = 'game "X" for 2 players red, blue\n\n== setup ==\n\nif a:\n    go\n'


@pytest.fixture(scope="module")
def made() -> parser_cache.lark.Lark:
    return parser_cache.build()


def test_kept_and_loaded(made: parser_cache.lark.Lark, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "parser.bin"
    assert parser_cache.store(made, path)
    loaded = parser_cache.load(path)
    assert loaded is not None
    assert loaded.parse(GAME, start="start") == made.parse(GAME, start="start")
    assert [entry.name for entry in path.parent.iterdir()] == ["parser.bin"]


def test_what_is_loaded_is_not_built(
    made: parser_cache.lark.Lark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "parser.bin"
    parser_cache.store(made, path)
    monkeypatch.setattr(parser_cache, "build", lambda: pytest.fail("the parser was built"))
    assert parser_cache.load(path)


@pytest.mark.parametrize("cut", [0, 5, 30, 60, 1000, -1])
def test_a_spoilt_file_is_not_loaded(made: parser_cache.lark.Lark, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "parser.bin"
    parser_cache.store(made, path)
    path.write_bytes(path.read_bytes()[:cut])
    assert parser_cache.load(path) is None


def test_a_changed_byte_is_noticed(made: parser_cache.lark.Lark, tmp_path: Path) -> None:
    path = tmp_path / "parser.bin"
    parser_cache.store(made, path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert parser_cache.load(path) is None


@pytest.mark.parametrize("call", [os.mkdir, Path.touch], ids=["a function", "a method"])
def test_a_file_that_is_no_parser_calls_nothing(call: Callable[[Path], object], tmp_path: Path) -> None:
    class Call:
        def __reduce__(self) -> tuple[object, ...]:
            return call, (tmp_path / "called",)

    path, body = tmp_path / "parser.bin", pickle.dumps(Call())
    path.write_bytes(parser_cache.FORMAT + hashlib.sha256(body).digest() + body)
    assert parser_cache.load(path) is None
    assert not (tmp_path / "called").exists()


def test_a_folder_that_cannot_be_written_is_left_alone(made: parser_cache.lark.Lark, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not parser_cache.store(made, tmp_path / "file" / "parser.bin")
    assert parser_cache.load(tmp_path / "file" / "parser.bin") is None
    assert parser_cache.load(tmp_path) is None


def test_many_may_write_at_once(made: parser_cache.lark.Lark, tmp_path: Path) -> None:
    path = tmp_path / "parser.bin"
    with ThreadPoolExecutor(8) as pool:
        stored = list(pool.map(lambda _: parser_cache.store(made, path), range(16)))
    assert all(stored)
    assert parser_cache.load(path) is not None
    assert [entry.name for entry in tmp_path.iterdir()] == ["parser.bin"]


def test_the_name_of_the_file_depends_on_the_grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = parser_cache.cache_path()
    other = tmp_path / "grammar.lark"
    other.write_text(parser_cache.GRAMMAR.read_text("utf-8") + "\n", "utf-8")
    monkeypatch.setattr(parser_cache, "GRAMMAR", other)
    assert parser_cache.cache_path() != before


def test_threads_do_not_disturb_one_another() -> None:
    texts = [GAME + "go\n" * number for number in range(40)]
    alone = [parse(Source("x", text))[0] for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: parse(Source("x", text))[0], texts)) == alone


def test_importing_the_parser_loads_no_parser_library() -> None:
    code = "import sys, dsl.syntax; print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def outcome(parser: parser_cache.lark.Lark, text: str) -> object:
    """The tokens of a text with their places, and the error at which they end."""
    tokens: list[tuple[object, ...]] = []
    try:
        for token in parser.parse_interactive(text, start="start").iter_parse():
            places = (token.start_pos, token.line, token.column, token.end_line, token.end_column, token.end_pos)
            tokens.append((token.type, str(token), *places))
    except (UnexpectedInput, LayoutError) as error:
        return tokens, type(error), sorted(str(error).splitlines())  # the order of what is expected is arbitrary
    return tokens, None, []


def test_the_lexer_finds_the_tokens_that_the_one_of_lark_finds(
    made: parser_cache.lark.Lark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser_cache, "PLUGINS", {})
    of_lark, random = parser_cache.build(), Random(7)
    damages = ["", "=", "-", '"', "$", "\t", "the ", "seen  by ", "[RB-1]", "\n  ", "#", "1 player", "0x"]
    for path in sorted((ROOT / "games").glob("*.rules"))[::4]:
        text = path.read_text(encoding="utf-8") + "\n"
        cut = random.randrange(len(text))
        for variation in (text, text[:cut] + random.choice(damages) + text[cut:]):
            assert outcome(made, variation) == outcome(of_lark, variation), (path.name, cut)


def test_no_state_accepts_a_sign_and_a_pattern_that_it_matches(made: parser_cache.lark.Lark) -> None:
    """Lark would prefer the sign to the pattern, the lexer here the longer text of the two in the grammar."""
    signs = [terminal for terminal in made.terminals if terminal.pattern.type == "str"]
    patterns = [terminal for terminal in made.terminals if terminal.pattern.type == "re"]
    alike = [
        {sign.name, pattern.name}
        for sign in signs
        for pattern in patterns
        if re.fullmatch(pattern.pattern.to_regexp(), sign.pattern.value.replace("\\", ""))
    ]
    accepted = [set(actions) for actions in made.parser.parser._parse_table.states.values()]
    assert alike  # `-`
    assert not [pair for pair in alike for names in accepted if pair <= names]
