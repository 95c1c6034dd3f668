"""Writing in an editor: processor time from a keystroke to fresh findings, and of a completion.

A requirement from the middle of the game is written once more below itself, letter by letter: nearly every state on the
way has an error, as it has under an author's hands. Then empty lines are added to rules, and to examples, that stay
right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, seconds
from dsl.text.folders import EXAMPLES_SUFFIX, shipped_folder
from editors.service.analysis import Analysis, Trees, analyse
from editors.service.completing import completions
from editors.service.names import Names
from editors.service.texts import DISK

GAMES = ("mauerbauer", "china")
"""Of the shipped games, the one whose check takes longest, and the one with the most text."""

MAX_KEYSTROKES = 120
_LINE = re.compile(r"^ +(?:require|set|move) .*$", re.MULTILINE)


def measure(game: str, rounds: int, length: float) -> list[Figure]:
    """Findings and completions while a line is written in large games; with one round at every tenth keystroke."""
    every = 10 if rounds == 1 else 1
    return [figure for name in GAMES for figure in _game(shipped_folder() / f"{name}.rules", rounds, every)]


def _game(path: Path, rounds: int, every: int) -> Iterator[Figure]:
    path, trees = path.absolute(), Trees()
    text = path.read_text("utf-8")
    lines = list(_LINE.finditer(text))
    line = lines[len(lines) // 2]
    names = Names(analyse(path, {}, DISK, trees))
    findings, offered = [], []
    for written in range(1, min(len(line.group()), MAX_KEYSTROKES) + 1, every):
        begun = f"\n{line.group()[:written]}"
        now = text[: line.end()] + begun + text[line.end() :]
        findings.append(1000 * seconds(partial(_fresh, path, now, trees)))
        offered.append(1000 * seconds(partial(completions, names, path, now, line.end() + len(begun))))
    right = [1000 * seconds(partial(_fresh, path, text + "\n" * number, trees)) for number in range(1, rounds + 1)]
    examples = path.with_name(f"{path.stem}{EXAMPLES_SUFFIX}")
    companion = examples.read_text("utf-8")
    beside = [
        1000 * seconds(partial(analyse, path, {path: text, examples: companion + "\n" * number}, DISK, trees))
        for number in range(1, rounds + 1)
    ]
    yield Figure(f"findings after a keystroke, {path.stem}", "ms", tuple(findings), f"{len(findings)} keystrokes")
    yield Figure(f"findings in rules without errors, {path.stem}", "ms", tuple(right))
    yield Figure(f"findings in examples without errors, {path.stem}", "ms", tuple(beside))
    yield Figure(f"completion after a keystroke, {path.stem}", "ms", tuple(offered))


def _fresh(path: Path, text: str, trees: Trees) -> Analysis:
    return analyse(path, {path: text}, DISK, trees)
