"""What the documents say can be typed works as it stands there: at the prompt, and of a save in a shell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
GAMES = {"chinesische_mauer": (1, "3"), "china": (2, "6"), "mauerbauer": (2, "6")}
"""The games of the examples in the documents, with a seed and a first answer: red holds two walls in the first."""

REFUSALS = ("there is no move", "there is no command", "error[E", "expects", "is no limit", "numbered 1 to")
VALUES = {"SAVE": "a.json", "SEAT": "cross", "QUESTION": "1", "…": "1"}


def prompt_commands() -> list[str]:
    """The first column of the table of commands at the prompt, and of the hints."""
    table = (DOCS / "play.md").read_text("utf-8").partition("## Commands at the prompt")[2].partition("\n###")[0]
    cells = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    hints = re.findall(r"`(hint[^`]*)`", (DOCS / "opponents.md").read_text("utf-8"))
    found = [command for cell in cells for command in re.findall(r"`([^`]+)`", cell)]
    return list(dict.fromkeys([*found, *(hint for hint in hints if not hint.startswith("hint --"))]))


def shell_commands() -> list[str]:
    """Every `regelwerk VERB SAVE …` in the documents."""
    texts = [path.read_text("utf-8") for path in sorted(DOCS.glob("*.md"))]
    found = [
        command for text in texts for command in re.findall(r"`regelwerk (\w+ SAVE[^`]*)`", " ".join(text.split()))
    ]
    return [command for command in dict.fromkeys(found) if not command.startswith("trace SAVE --html")]


def test_there_are_commands():
    assert {"why 3", "hint 1000", "preview 3", "lay 2 w"} <= set(prompt_commands())
    assert {"hint SAVE 1000", "hint SAVE --review", "why SAVE … --more"} <= set(shell_commands())


@pytest.mark.parametrize("command", prompt_commands())
def test_at_the_prompt(run, own_folder, command):
    """In one of these games at least it is understood; `back`, `undo` and `trace` may have nothing to do."""
    outputs = []
    for game, (seed, first) in GAMES.items():
        result = run("play", game, "--seed", seed, "--save", f"{game}.json", typed=[first, command, "quit"])
        assert result.exit_code == 0
        outputs.append(result.output)
        if not any(refusal in result.output for refusal in REFUSALS):
            return
    raise AssertionError(f"{command}: {outputs}")


@pytest.mark.parametrize("command", shell_commands())
def test_of_a_save(run, own_folder, command):
    assert run("play", "tic_tac_toe", "--seed", 1, "--save", "a.json", typed=["1", "quit"]).exit_code == 0
    result = run(*(VALUES.get(word, word) for word in command.split()))
    assert result.exit_code == 0, result.output
