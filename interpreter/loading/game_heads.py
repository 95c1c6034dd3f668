"""The title of a game and other facts at the beginning of its rules file, read without parsing the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import Unreadable, read_file
from dsl.text.variant_files import HEAD

_BEFORE = r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*"
_GAME = re.compile(
    _BEFORE + r'game[ \t]+"([^"\n]*)"[ \t]+for[ \t]+(\d{1,4})(?:[ \t]+to[ \t]+(\d{1,4}))?[ \t]+players?\b[^\n]*\n'
)
_SENTENCE = re.compile(r'[ \t]+"([^"\n]*)"')
_DESIGNER = re.compile(r'[ \t]+designer[ \t]+"([^"\n]*)"')
_MINUTES = re.compile(r"[ \t]+minutes[ \t]+(\d{1,5})(?:[ \t]+to[ \t]+(\d{1,5}))?")
_TEXT = re.compile(r'^[ \t]*"([^"\n]*)"[ \t]*:\s*"([^"\n]*)"', re.MULTILINE)


@dataclass(frozen=True)
class GameHead:
    """The title of a game, its numbers of players, and what it says about itself."""

    title: str
    fewest: int
    most: int
    sentence: str = ""
    designer: str = ""
    minutes: tuple[int, int] | None = None


def game_head(path: Path, words: Path | None = None) -> GameHead | None:
    """Read what a rules file says about its game; None if it does not begin as a game does.

    `words` is the file of a language into which title and sentence are translated.
    """
    text = _beginning(path)
    match = _GAME.match(text)
    if match is None:
        return None
    least = int(match[2])
    head = GameHead(match[1], least, int(match[3] or least))
    for line in text[match.end() :].splitlines():
        if line.strip() and not line.strip().startswith("#"):
            if line[:1] not in (" ", "\t"):
                break
            head = _with_line(head, line)
    if words is None:
        return head
    texts = texts_in(words)
    return replace(head, title=texts.get(head.title, head.title), sentence=texts.get(head.sentence, head.sentence))


def texts_in(path: Path, language: str = "") -> dict[str, str]:
    """The translated texts in the file of a language; in another file, those below `names LANGUAGE`."""
    text = _beginning(path)
    heading = re.search(rf"^[^\n#]*\bnames[ \t]+{re.escape(language)}", text, re.MULTILINE)
    return dict(_TEXT.findall(text, heading.end())) if heading else {}


def _with_line(head: GameHead, line: str) -> GameHead:
    """The head with what a line of the block below it says."""
    if sentence := _SENTENCE.match(line):
        return replace(head, sentence=sentence[1])
    if designer := _DESIGNER.match(line):
        return replace(head, designer=designer[1])
    if minutes := _MINUTES.match(line):
        return replace(head, minutes=(int(minutes[1]), int(minutes[2] or minutes[1])))
    return head


def _beginning(path: Path) -> str:
    """The beginning of a file, empty if it cannot be read."""
    try:
        return read_file(path, HEAD)[:HEAD].decode("utf-8-sig", "replace")
    except Unreadable:
        return ""
