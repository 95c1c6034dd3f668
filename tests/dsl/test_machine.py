"""The parser kept between runs."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dsl.syntax import parse, parser_cache
from dsl.text.span import Source

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
