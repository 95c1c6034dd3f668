"""`copy`: a game with everything that belongs to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.text.folders import shipped_folder
from interpreter.loading.game_files import files_of_game


def test_a_copy_passes_check_and_test_as_it_is(run, tmp_path):
    result = run("copy", "china", tmp_path / "mine")
    assert result.exit_code == 0
    assert "copied 8 files; check the copy with: regelwerk check" in result.output
    copied = {
        path.relative_to(tmp_path / "mine").as_posix() for path in (tmp_path / "mine").rglob("*") if path.is_file()
    }
    assert copied == {
        "china.rules", "china.examples.rules", "china.items", "languages/china.de.rules",
        "boards/china.json", "variants/even_cards.rules", "variants/fifty_will_do.rules",
        "variants/fort_opens_no_land.rules",
    }  # fmt: skip
    assert run("test", tmp_path / "mine" / "china.rules").exit_code == 0
    assert run("rules", tmp_path / "mine" / "china.rules", "--language", "de").exit_code == 0
    assert run("check", tmp_path / "mine" / "variants" / "fifty_will_do.rules").exit_code == 0


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "hex.rules").write_text("mine", encoding="utf-8")
    result = run("copy", "hex", tmp_path / "mine")
    assert result.exit_code == 2
    assert "hex.rules already exists; choose another folder" in result.output
    assert (tmp_path / "mine" / "hex.rules").read_text(encoding="utf-8") == "mine"


def test_not_a_folder(run, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = run("copy", "hex", tmp_path / "file")
    assert result.exit_code == 2
    assert "is a file, not a folder" in result.output


def test_nothing_is_left_of_a_copy_that_fails(run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "languages").write_text("a file where a folder belongs", encoding="utf-8")
    result = run("copy", "china", tmp_path / "mine")
    assert result.exit_code == 1
    assert "languages" in result.output and "copied" not in result.output and "bug" not in result.output
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["languages"]


@pytest.mark.parametrize("path", sorted(shipped_folder().glob("*.items")), ids=lambda path: path.stem)
def test_items_and_boards_belong_to_a_game(path: Path) -> None:
    found = files_of_game(path.with_suffix(".rules"))
    assert path in found
    assert all(one.is_relative_to(shipped_folder()) for one in found)
