"""Rules that fail in play: one clear message with its line, and the state is as it was before the move."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.analysis.playouts import play_at_random
from interpreter.errors import PlayError
from interpreter.play.game import State, load
from interpreter.runtime.layout import IDLE, MOVES

PATH = Path(__file__).parent / "rules" / "faults.rules"
LINES = PATH.read_text(encoding="utf-8").splitlines()
FAULTS = {
    "leave_range": ("4 is outside the range 0..3", "add 2 to count_up"),
    "overfill": ("slot can hold only one piece", "move 1 of blue from bag to slot"),
    "need_none": ("there is no `first\\(line\\)`: `line` is empty", "set top_colour to first(line).colour"),
    "spin": ("reactions trigger each other endlessly: `turning` → `turning`$", "when turning: add red to spins"),
    "idle_on": ("turns repeat endlessly", "phase breaking, turns from ann, over when moves_made >= 50:"),
}


def everything(state: State) -> list[object]:
    cells = [cell for number, cell in enumerate(state.cells) if number not in (MOVES, IDLE)]
    return [
        cells,
        list(state.journal),
        state.key(),
        state.legal_moves,
        state.history,
        state.view(None),
        state.log(None),
    ]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("action", FAULTS)
@pytest.mark.parametrize("players", [1, 2])
def test_an_error_names_its_line_and_changes_nothing(action: str, players: int, traced: bool) -> None:
    message, line = FAULTS[action]
    state = load(PATH, players).start(traced=traced)
    state.push("fine")
    before = everything(state)
    with pytest.raises(PlayError, match=message) as caught:
        state.push(action)
    file, number, column = caught.value.location.rsplit(":", 2)
    assert file.endswith("faults.rules")
    assert LINES[int(number) - 1].strip().startswith(line)
    assert int(column) >= 1
    assert str(caught.value) == f"{caught.value.location}: {caught.value.message}"
    assert everything(state) == before
    state.push("fine")
    assert state.ply == 2
    state.pop()
    assert everything(state) == before


def test_an_error_in_the_setup(tmp_path: Path) -> None:
    text = PATH.read_text(encoding="utf-8")
    broken = tmp_path / "broken.rules"
    broken.write_text(
        text.replace("== phases ==", "== setup ==\n\nadd 2 to count_up\n\n== phases =="), encoding="utf-8"
    )
    with pytest.raises(PlayError, match=r"4 is outside the range 0\.\.3"):
        load(broken).start()


def test_an_error_in_playouts() -> None:
    with pytest.raises(PlayError):
        for seed in range(20):
            play_at_random(load(PATH), seed)
