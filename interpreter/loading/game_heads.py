"""The title of a game and other facts at the beginning of its rules file, read without parsing the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import Unreadable, read_file
from dsl.text.nouns import numbers_in
from dsl.text.variant_files import HEAD

T = TypeVar("T")

_BEFORE = r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*"
_GAME = re.compile(_BEFORE + r'game[ \t]+"([^"\n]*)"[ \t]+for[ \t]+(\d[\dtor, \t]*)[ \t]players?\b[^\n]*\n')
_SENTENCE = re.compile(r'[ \t]+"([^"\n]*)"')
_FACT = re.compile(r'[ \t]+(family|designer)[ \t]+"([^"\n]*)"')
_MINUTES = re.compile(r"[ \t]+minutes[ \t]+(\d{1,5})(?:[ \t]+to[ \t]+(\d{1,5}))?")
_TEXT = re.compile(r'^[ \t]*"([^"\n]*)"[ \t]*:\s*"([^"\n]*)"', re.MULTILINE)


@dataclass(frozen=True)
class GameHead:
    """The title of a game, its numbers of players, and what it says about itself.

    `family` is the same in every language, so that games can be grouped by it; `family_words` is translated.
    """

    title: str
    counts: tuple[int, ...]
    sentence: str = ""
    family: str = ""
    designer: str = ""
    minutes: tuple[int, int] | None = None
    family_words: str = ""


def game_head(path: Path, words: Path | None = None) -> GameHead | None:
    """Read what a rules file says about its game; None if it does not begin as a game does.

    `words` is the file of a language into which title, sentence and family are translated.
    """
    text = _beginning(path)
    match = _GAME.match(text)
    counts = numbers_in(match[2]) if match is not None else ()
    if match is None or not counts:
        return None
    head = GameHead(match[1], counts)
    for line in text[match.end() :].splitlines():
        if line.strip() and not line.strip().startswith("#"):
            if line[:1] not in (" ", "\t"):
                break
            head = _with_line(head, line)
    texts = {} if words is None else texts_in(words)
    title, sentence, family = (texts.get(text, text) for text in (head.title, head.sentence, head.family))
    return replace(head, title=title, sentence=sentence, family_words=family)


def by_family(games: Iterable[tuple[T, GameHead | None]]) -> list[tuple[str, list[tuple[T, GameHead]]]]:
    """Games in their families, in alphabetical order; each family in words if one of its games translates it.

    Games without a family come last, under an empty text; those without a head are left out.
    """
    families: dict[str, list[tuple[T, GameHead]]] = {}
    for game, head in games:
        if head is not None:
            families.setdefault(head.family, []).append((game, head))
    words = {
        family: next((head.family_words for _, head in members if head.family_words != family), family)
        for family, members in families.items()
    }
    ordered = sorted(families, key=lambda family: (not family, words[family].casefold()))
    return [(words[family], families[family]) for family in ordered]


def texts_in(path: Path, language: str = "") -> dict[str, str]:
    """The translated texts in the file of a language; in another file, those below `names LANGUAGE`."""
    text = _beginning(path)
    heading = re.search(rf"^[^\n#]*\bnames[ \t]+{re.escape(language)}", text, re.MULTILINE)
    return dict(_TEXT.findall(text, heading.end())) if heading else {}


def _with_line(head: GameHead, line: str) -> GameHead:
    """The head with what a line of the block below it says."""
    if sentence := _SENTENCE.match(line):
        return replace(head, sentence=sentence[1])
    if fact := _FACT.match(line):
        return replace(head, family=fact[2]) if fact[1] == "family" else replace(head, designer=fact[2])
    if minutes := _MINUTES.match(line):
        return replace(head, minutes=(int(minutes[1]), int(minutes[2] or minutes[1])))
    return head


def _beginning(path: Path) -> str:
    """The beginning of a file, empty if it cannot be read."""
    try:
        return read_file(path, HEAD)[:HEAD].decode("utf-8-sig", "replace")
    except Unreadable:
        return ""
