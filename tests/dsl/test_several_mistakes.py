"""Files with several mistakes: all are reported at once, and nothing that only follows from them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic, RulesError
from interpreter.loading.rules import load_rules

FOLDER = Path(__file__).parent / "several_mistakes"
GAMES = Path(__file__).resolve().parents[2] / "games"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"


def errors_of(path: Path) -> list[Diagnostic]:
    """The errors in a rules file, in their order."""
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    return [one for one in caught.value.diagnostics if one.severity == "error"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.rules")), ids=lambda path: path.stem)
def test_every_mistake_is_reported_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    found = errors_of(path)
    shown = "\n\n".join(one.draw() for one in found) + "\n"
    golden = path.with_suffix(".txt")
    if UPDATE:
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes the file anew"
    assert len({one.span.line for one in found}) >= 5


MISTAKES = (
    ("zone court[p: Province] holds Emissary", "zone court[p: Province] hold Emissary", "hold"),
    ("zone display holds Card", "zone display holds Crad", "Crad"),
    ("note used_up_times: 0..2 = 0", "note used_up_times 0..2 = 0", "0"),
    ("== setup ==", "setup:", "setup:"),
    ("    refill  ", "    refil   ", "refil"),
    ("action fortify(p: Province,", "acton fortify(p: Province,", "acton"),
    ('    "discard {given_up} and draw"', '    "discard {givenup} and draw"', "givenup"),
)


def test_seven_mistakes_in_a_large_game(tmp_path: Path) -> None:
    text = (GAMES / "china.rules").read_text(encoding="utf-8")
    for right, wrong, _ in MISTAKES:
        assert right in text, right
        text = text.replace(right, wrong, 1)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "china.json").write_bytes((GAMES / "boards" / "china.json").read_bytes())
    (tmp_path / "china.rules").write_text(text, encoding="utf-8")
    found = errors_of(tmp_path / "china.rules")
    assert sorted(one.span.text for one in found) == sorted(word for *_, word in MISTAKES)
    assert all(one.span.text in one.span.source.line(one.span.line) for one in found)


def test_a_declaration_that_cannot_be_read_is_not_missed_elsewhere(tmp_path: Path) -> None:
    text = (GAMES / "tic_tac_toe.rules").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line[:1].isalpha() and not line.startswith("game "):
            broken = [*lines[:number], f"{line.rstrip()} ) \n", *lines[number + 1 :]]
            (tmp_path / "broken.rules").write_text("".join(broken), encoding="utf-8")
            assert [one.span.line for one in errors_of(tmp_path / "broken.rules")] == [number + 1], line


@pytest.mark.parametrize(
    ("written", "broken", "wrong", "meant"),
    [
        ("action fortify(", "acton fortify(", "fortfy", "fortify"),
        ("action fortify(p: Province,", "action fortify(p Province,", "fortfy", "fortify"),
        ("step refill:", "step refill", "refil", "refill"),
    ],
)
def test_what_cannot_be_read_is_suggested(tmp_path: Path, written: str, broken: str, wrong: str, meant: str) -> None:
    """A misspelt action or step may be one whose own declaration has a mistake."""
    text = (GAMES / "china.rules").read_text(encoding="utf-8")
    assert written in text
    head, _, rest = text.partition("== phases ==")
    rest = "".join(
        line if line.startswith(("action", "step")) else line.replace(f" {meant}", f" {wrong}", 1)
        for line in rest.splitlines(keepends=True)
    )
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "china.json").write_bytes((GAMES / "boards" / "china.json").read_bytes())
    (tmp_path / "china.rules").write_text(f"{head}== phases =={rest}".replace(written, broken, 1), encoding="utf-8")
    found = [one for one in errors_of(tmp_path / "china.rules") if one.code == "E0201"]
    assert found
    assert all(f"did you mean `{meant}`?" in one.helps for one in found), [one.draw() for one in found]
