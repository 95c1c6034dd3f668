"""From files to sources: what is no text is told, not thrown."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import MAX_FILE_SIZE, parse, read_source
from dsl.text.span import Source

GAME = 'game "X" for 2 players red, blue\n\n== setup ==\n\nshuffle pile\nif a:\n    go  # on\n'


def told(path: Path, code: str) -> Diagnostic:
    found = read_source(path)
    assert isinstance(found, Diagnostic)
    assert found.code == code
    assert found.draw()
    return found


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "x.rules"
    path.write_bytes(data)
    return path


def read(path: Path) -> Source:
    found = read_source(path)
    assert isinstance(found, Source)
    return found


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    assert "no such file" in told(tmp_path / "none.rules", "E0101").message
    assert "folder" in told(tmp_path, "E0101").message
    told(Path("a\0b"), "E0101")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not text"),
        (b"game \0", "zero byte"),
        ('game "Männer"'.encode("latin-1"), "not UTF-8"),
        ('game "Männer"'.encode("utf-16"), "UTF-16 text"),
        (b"\xfe\xff\0g\0a\0", "UTF-16 text"),
        (b"game \xe2\x82", "not UTF-8"),
    ],
)
def test_what_is_not_text(tmp_path: Path, data: bytes, words: str) -> None:
    assert words in told(written(tmp_path, data), "E0101").message


def test_the_place_of_a_wrong_byte(tmp_path: Path) -> None:
    found = told(written(tmp_path, b"# ok\n# \xc3\xa4 \xff"), "E0101")
    assert (found.span.line, found.span.column) == (2, 5)
    wide = told(written(tmp_path, "# ä\ngame".encode("utf-16")), "E0101")
    assert wide.span.excerpt() == [" 1 | # ä", "   | ^"] and wide.helps == ("save the file as UTF-8",)


def test_too_large(tmp_path: Path) -> None:
    told(written(tmp_path, b"#" * (MAX_FILE_SIZE + 1)), "E0102")
    assert len(read(written(tmp_path, b"#" * MAX_FILE_SIZE)).text) == MAX_FILE_SIZE
    assert parse(Source("x", "#" * (MAX_FILE_SIZE + 1)))[1][0].code == "E0102"


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    source = read(written(tmp_path, b"\xef\xbb\xbf" + GAME.encode()))
    assert source.text == GAME


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends(tmp_path: Path, end: str) -> None:
    source = read(written(tmp_path, GAME.replace("\n", end).encode()))
    assert source.text.count("\r") == GAME.count("\n") * (end == "\r\n")
    tree, diagnostics = parse(source)
    assert diagnostics == []
    assert tree == parse(Source("y", GAME))[0]
    assert isinstance(tree, ast.GameFile)
    assert tree.parts[0].statements[1].span.text == f"if a:{end}    go"


def test_a_single_carriage_return_is_reported_once(tmp_path: Path) -> None:
    tree, diagnostics = parse(read(written(tmp_path, GAME.replace("\n", "\r").encode())))
    assert tree is None
    assert [d.code for d in diagnostics] == ["E0103"]
    assert "carriage return" in diagnostics[0].message


@pytest.mark.parametrize("character", ["\f", "\v", "\0", "\x1c", "\x85", "\u2028", "\u200b", "\ufeff", "\xa0"])
def test_characters_that_cannot_be_seen(character: str) -> None:
    tree, diagnostics = parse(Source("x", GAME.replace("shuffle pile", f"shuffle{character}pile")))
    assert tree is None
    assert [(d.code, d.span.text) for d in diagnostics] == [("E0103", character)]
    drawn = diagnostics[0].draw()
    assert all(sign.isprintable() or sign == "\n" for sign in drawn)


def test_a_file_may_end_without_a_line_end() -> None:
    for text in (GAME.rstrip(), GAME.rstrip() + "   ", GAME + "\n\n   \n# end", GAME + "    # end"):
        assert parse(Source("x", text))[0] == parse(Source("x", GAME))[0]
