"""The files of a run: tables of figures and of games, pictures, and what is said where they cannot be written."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from cli.errors import CommandError, MisuseError
from cli.json_output import schema
from cli.laboratory.outputs import (
    FIGURES,
    GAMES,
    figures_frame,
    frame_path,
    games_frame,
    html_path,
    svg_folder,
    write_frame,
    write_svg,
)
from tests.cli.conftest import valid
from tests.cli.runs import HOSTILE, MARKET, game_of, made_up, run_of
from tests.support.json_schemas import validate

LIBRARIES = ("altair", "vl_convert", "polars")
MISSING = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
if MISSING and "CI" in os.environ:
    raise AssertionError(f"{', '.join(MISSING)}: not installed: pip install 'regelwerk[lab]'")
needs_libraries = pytest.mark.skipif(bool(MISSING), reason="not installed: pip install 'regelwerk[lab]'")


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_figure_is_in_the_table():
    report = run_of()
    rows = read(figures_frame(report).csv())
    assert [*rows[0]] == [*FIGURES]
    assert [row["measure"] for row in rows] == [each.measure.key for each in report.measures]
    for row, each in zip(rows, report.measures, strict=True):
        assert float(row["mean"]) == each.figure.mean
        assert (row["low"] == "") == (each.figure.low is None)
        assert row["share"] == str(each.measure.share).lower()
        assert row["subject"] == (each.measure.subject or "")
    assert {"decisions", "win:red", "score1:green", "score2:ann", "margin"} <= {row["measure"] for row in rows}


def test_every_game_has_its_row():
    report = run_of()
    rows = read(games_frame(report).csv())
    assert [*rows[0]][: len(GAMES)] == [*GAMES]
    assert [int(row["seed"]) for row in rows] == [7 + number for number in range(60)]
    for row, record in zip(rows, report.records, strict=True):
        assert row["winners"].split() == [report.setting.game.seats[seat] for seat in record.winners]
        assert float(row["decisions"]) == record.decisions
        assert float(row["score1:red"]) == record.scores[0][0]
        assert -float(row["score2:red"]) == record.scores[0][1], "less is better, and the table has it as the rules do"
        assert row["looked_at"] == str(record.course is not None).lower()
        assert (row["settled"] == "") >= (record.course is None)
    each = next(each for each in report.measures if each.measure.key == "win:green")
    assert sum(float(row["win:green"]) for row in rows) / 60 == pytest.approx(each.figure.mean)


def test_a_game_that_failed_has_no_values():
    report = made_up(game_of(MARKET), 10, 2, failed=3)
    rows = read(games_frame(report).csv())
    assert [row["failed"] for row in rows] == ["false"] * 10 + ["true"] * 3
    assert {row["decisions"] for row in rows[10:]} == {""}
    assert {row["winners"] for row in rows[10:]} == {""}


def test_games_as_plain_data():
    frame = games_frame(made_up(game_of(MARKET), 5, 2, failed=1))
    found, rows = json.loads(frame.json()), read(frame.csv())
    assert [game["game"] for game in found] == [0, 1, 2, 3, 4, 5]
    for game, row in zip(found, rows, strict=True):
        assert game.get("winners", "") == row["winners"]
        assert {key: float(value) for key, value in row.items() if key not in GAMES and value} == {
            key: value for key, value in game.items() if key not in GAMES
        }


@pytest.mark.parametrize("details", [0, 5])
def test_tables_fit_their_schemas(details):
    report = made_up(game_of(MARKET), 20, details, failed=2)
    valid("figures", figures_frame(report).json())
    rows = valid("per_game", games_frame(report).json())
    with pytest.raises(jsonschema.ValidationError):
        validate([rows[-1] | {"winners": "red"}], schema("per_game"))
    valid("figures", figures_frame(made_up(game_of(MARKET), 1, 0)).json())


@needs_libraries
@pytest.mark.parametrize("make", [figures_frame, games_frame])
def test_parquet_has_the_same_as_csv(tmp_path, make):
    import polars

    frame = make(made_up(game_of(MARKET), 20, 5, failed=2))
    write_frame(frame, tmp_path / "run.parquet", "parquet")
    write_frame(frame, tmp_path / "run.csv", "csv")
    table = polars.read_parquet(tmp_path / "run.parquet")
    assert table.columns == [*frame.columns]
    assert [tuple(row) for row in table.rows()] == [*frame.rows]
    again = polars.read_csv(tmp_path / "run.csv", schema=table.schema)
    assert again.fill_null("").equals(table.fill_null("")) or again.equals(table)


@needs_libraries
@pytest.mark.parametrize("seed", [(1 << 64) - 22, 9 - (1 << 64), (1 << 63) - 5])
def test_seeds_of_64_bits_are_the_same_in_every_kind_of_file(tmp_path, seed):
    import polars

    report = made_up(game_of(MARKET), 20, 0)
    frame = games_frame(replace(report, setting=replace(report.setting, seed=seed)))
    seeds = [seed + number for number in range(20)]
    assert [int(row["seed"]) for row in read(frame.csv())] == seeds
    assert [game["seed"] for game in json.loads(frame.json())] == seeds
    write_frame(frame, tmp_path / "run.parquet", "parquet")
    assert [*map(int, polars.read_parquet(tmp_path / "run.parquet")["seed"])] == seeds


@needs_libraries
def test_every_chart_is_a_picture_that_other_programs_can_read(tmp_path):
    found = write_svg(run_of(), tmp_path / "charts")
    names = {path.stem for path in found}
    assert names == {
        "win_shares", "scores", "scores2", "margin", "decisions", "branching", "expected_wins", "score_courses",
        "points", "usage", "picks",
    }  # fmt: skip
    assert {path.stem for path in (tmp_path / "charts").iterdir()} == names
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in text
        assert "<script" not in text
        assert "href" not in text


@needs_libraries
def test_whatever_rules_say_stays_text_in_pictures(tmp_path):
    for path in write_svg(run_of(HOSTILE, 20, 5), tmp_path):
        tags = {each.tag.partition("}")[2] for each in ElementTree.parse(path).iter()}
        assert tags <= {"svg", "g", "path", "text", "tspan", "line", "rect", "defs", "clipPath"}, path


def test_names_that_cannot_be_written_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("cli.laboratory.outputs.find_spec", lambda name: object())
    (tmp_path / "x.html").write_text("something else", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    for call, message in (
        (lambda: html_path(str(tmp_path)), "is a folder, not a file"),
        (lambda: html_path(str(tmp_path / "x.html")), "already exists and is not a page of a report"),
        (lambda: svg_folder(str(tmp_path / "file")), "is a file, not a folder"),
        (
            lambda: frame_path("run.txt", "--table"),
            "--table expects a file called ….csv, ….parquet or ….json, not run.txt",
        ),
        (lambda: frame_path(str(tmp_path), "--table"), "is a folder, not a file"),
    ):
        with pytest.raises(MisuseError, match=message.replace(".", r"\.")):
            call()
    for where in (html_path, svg_folder, lambda text: frame_path(f"{text}.csv", "--table")):
        with pytest.raises(CommandError, match="no such folder"):
            where(str(tmp_path / "no" / "x.html"))
        monkeypatch.setattr("cli.output_files.os.access", lambda path, mode: False)
        with pytest.raises(CommandError, match="no permission to write"):
            where(str(tmp_path / "x"))
        monkeypatch.undo()
        monkeypatch.setattr("cli.laboratory.outputs.find_spec", lambda name: object())


def test_without_the_libraries_it_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr("cli.laboratory.outputs.find_spec", lambda name: None)
    for call in (lambda: html_path("x.html"), lambda: svg_folder("x"), lambda: frame_path("x.parquet", "--table")):
        with pytest.raises(MisuseError, match=r"pip install 'regelwerk\[lab\]'"):
            call()
    assert frame_path("x.csv", "--table") == (Path("x.csv"), "csv")


def test_nothing_is_imported_before_it_is_needed():
    code = f"import sys, cli.laboratory.outputs; print([name for name in {LIBRARIES!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@needs_libraries
def test_a_sweep_writes_its_page_and_pictures(run, own_folder):
    (own_folder / "market.rules").write_text(MARKET, encoding="utf-8")
    words = ("sweep", "market.rules", "-o", "goal=6,7", "-n", 6, "--jobs", 1, "--format", "csv")
    result = run(*words, "--html", "sweep.html", "--svg", "charts")
    assert result.exit_code == 0
    assert [*read(result.stdout)[0]][:2] == ["goal", "games"]
    assert "sweep.html: " in result.stderr
    assert "charts: 3 pictures" in result.stderr
    assert {path.name for path in (own_folder / "charts").iterdir()} == {
        "sweep_win.svg", "sweep_decisions.svg", "sweep_moves.svg",
    }  # fmt: skip
    result = run(*words, "--html", "market.rules")
    assert result.exit_code == 2
    assert "already exists and is not a page of a report" in result.stderr
