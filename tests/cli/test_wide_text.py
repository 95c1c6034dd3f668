"""Labels of double-width characters, emoji and combining marks stand in columns at the prompt and in full screen."""

import os
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.at_table import at_table, session_of
from tests.cli.viewing import at_once

WIDE = str(Path(__file__).parent / "games" / "wide.rules")
GOLDEN = Path(__file__).parent / "golden" / "wide"
NUMBERED = re.compile(r"(?<!\S)\d+ (?=\S+( \S+)?に置く)")


def columns_of(lines):
    """For each column of moves, the cells at which its labels begin."""
    found = {}
    for line in lines:
        for place, number in enumerate(NUMBERED.finditer(line)):
            found.setdefault(place, set()).add(cell_len(line[: number.end()]))
    return found


@pytest.mark.parametrize("columns", [80, 60])
def test_the_prompt(run, columns):
    typed = ["1", "log", "why 1", "rules", "names", "quit"]
    output = run(
        "play",
        WIDE,
        "--seed",
        1,
        "--seat",
        "bernadette=random",
        "--save",
        "wide.json",
        typed=typed,
        COLUMNS=str(columns),
    ).output
    golden = GOLDEN / f"prompt_{columns}.txt"
    if os.environ.get("REGELWERK_UPDATE") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(output, encoding="utf-8")
    assert output == golden.read_text(encoding="utf-8")
    begins = columns_of(output.split("ann> ")[0].splitlines())
    assert begins and all(len(cells) == 1 for cells in begins.values())
    assert all(cell_len(line) <= columns for line in output.splitlines() if "に置く" in line)


@at_once
async def test_the_full_screen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with at_table(session_of(WIDE, seed=1, seats={"bernadette": "random"}), size=(120, 40)) as table:
        await table.press("=1")
        lines = table.lines
        begins = columns_of(lines)
        assert begins and all(len(cells) == 1 for cells in begins.values())
        assert all(cell_len(line) <= 120 for line in lines)
