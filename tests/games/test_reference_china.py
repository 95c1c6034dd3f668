"""The model of China itself on positions whose points are known, and the rows of the rules on many random positions."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_checked
from interpreter.loading.rules import load_rules
from tests.games.reference_china import Board, board_of, connected, house_points, row_points

HERE = Path(__file__).parent
RULES = HERE.parent.parent / "games" / "china.rules"
DATA = json.loads((HERE / "data" / "china.json").read_text(encoding="utf-8"))
SIDES = {3: "side_3_4", 5: "side_4_5"}
MOST = 20


@pytest.mark.parametrize("case", DATA["rows"], ids=lambda case: f"{case['case']}-{case['side']}")
def test_rows_of_the_model(case: dict[str, object]) -> None:
    found = row_points(case["houses"], case["fortified"], board_of(str(case["side"])).beside)  # type: ignore[arg-type]
    assert found == case["points"]


@pytest.mark.parametrize("side", ["side_3_4", "side_4_5"])
def test_the_pictures_of_the_rulebook_in_the_model(side: str) -> None:
    (layout,) = DATA["layouts"]
    own = layout["houses"]["blue"]
    row = layout["expect"]["road_row"]
    beside = board_of(side).beside
    assert row_points(own, (), beside) == row_points(row, (), beside) == layout["expect"]["road_points_blue"]
    assert layout["expect"]["branch"] not in row


@pytest.mark.parametrize(
    ("houses", "points"),
    [
        ("421", "742"), ("221", "552"), ("331", "773"), ("222", "666"), ("11111", "55555"), ("2", "2"),
        ("3221", "8332"), ("3211", "7322"), ("0", "0"), ("1203", "2306"),
    ],
)  # fmt: skip
def test_ranks_of_the_model(houses: str, points: str) -> None:
    found = house_points({str(index): int(number) for index, number in enumerate(houses)})
    assert "".join(str(number) for number in found.values()) == points


def test_four_ranks_of_the_model() -> None:
    assert house_points({"a": 4, "b": 3, "c": 2, "d": 1, "e": 0}) == {"a": 10, "b": 4, "c": 3, "d": 2, "e": 0}


def position(board: Board, rng: random.Random) -> tuple[list[str], list[str]]:
    """Houses of one player, as near to one another as it happens, and up to two of them fortified."""
    spaces = sorted(board.beside)
    own = {rng.choice(spaces)}
    many, near = rng.randint(4, MOST), rng.random()
    while len(own) < many:
        edge = sorted({y for x in own for y in board.beside[x]} - own)
        own.add(rng.choice(edge if edge and rng.random() < near else spaces))
    return sorted(own), rng.sample(sorted(own), rng.choice([0, 0, 1, 2]))


@pytest.mark.parametrize("way", ["disjoint", "longest_per_network"])
@pytest.mark.parametrize("players", SIDES)
def test_rows_of_the_rules_are_those_of_the_model(players: int, way: str, tmp_path: Path, long_run: bool) -> None:
    """Rows as the rules find them are worth as much as the best of all there are."""
    board, rng = board_of(SIDES[players]), random.Random(players)
    lines = ["examples of china"]
    networks = 0
    for number in range(400 if long_run else 40):
        own, strong = position(board, rng)
        networks += len(connected(own, board.beside))
        lines += [
            f'example "{number}":',
            f"    given {players} players and advanced is true and rows is {way}".replace(" and ", "\n    and "),
            f"    and house of green is {{{', '.join(own)}}}",
            *(f"    and fort of {seat} is {{{x}}}" for seat, x in zip(("green", "red"), strong, strict=False)),
            f"    then (sum worth(r) for r in rows_of(green)) is {row_points(own, strong, board.beside, way)}",
            "    and no r in rows_of(green) where count r < 4",
        ]
        if way == "disjoint":
            lines.append("    and no r in rows_of(green) with q in rows_of(green) where q is not r and r & q is not {}")
    assert networks > number + 1
    shutil.copytree(RULES.parent / "boards", tmp_path / "boards")
    rules = tmp_path / "china.rules"
    rules.write_text(RULES.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "china.examples.rules").write_text("\n".join(lines) + "\n", encoding="utf-8")
    results = run_checked(load_rules(rules, examples=True))
    assert len(results) == number + 1
    assert [failure for result in results for failure in result.failures] == []
