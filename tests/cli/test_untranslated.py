"""Nothing that players read is left untranslated: in a language made of Greek letters, no Latin word is shown."""

from __future__ import annotations

import gettext
import re

import pytest

import interpreter.loading.rules
import interpreter.seated_game
import interpreter.words
from interpreter import load
from interpreter.phrases import Catalogue
from interpreter.words import Words
from tests.cli.at_table import at_table, session_of
from tests.cli.viewing import at_once

GREEK = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "αβγδεζηθικλμνξοπρστυφχψωϊϋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫ"
)
SAVES = re.compile(r"(regelwerk \w+ (--resume )?)?[~/.]*[\w./~-]*\.json|regelwerk play \w[^\n]*|--\w+")
TYPED = re.compile(r"`[^`]*`|\b(\d+m?s|1000)\b")
FROM_RULES = re.compile(r"\[[\w -]+-\d+\]|\b\w+\.rules:\d+|[-\w()\[\], ]+ = -?\w+")
"""Items of the rulebook, lines of the rules, and their expressions with values."""
COMMANDS = frozenset(
    {"help", "view", "table", "names", "rules", "log", "all", "why", "know", "preview", "hint", "trace", "back", "undo"}
    | {"save", "quit", "more", "hand", "me", "random", "foo"}
)
"""What is typed as it is, such as the command that plays a game again, and who plays a seat."""


def greek(text: str) -> str:
    """A text in Greek letters, except placeholders."""
    return "".join(part if part.startswith("{") else part.translate(GREEK) for part in re.split(r"(\{[^}]*\})", text))


class GreekTranslations(gettext.NullTranslations):
    """Every phrase that is looked up, in Greek letters."""

    def gettext(self, message: str) -> str:
        return greek(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return greek(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return greek(message)


class GreekWords(Words):
    """Everything that is shown of the game, in Greek letters."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.language, self.catalogue = "xx", Catalogue(GreekTranslations())

    def name(self, word, number=1):
        return super().name(word, number).translate(GREEK)

    def heading(self, word):
        return super().heading(word).translate(GREEK)

    def place(self, name, index):
        return super().place(name, index).translate(GREEK)

    def piece(self, *arguments):
        return super().piece(*arguments).translate(GREEK)

    def type(self, type_, number=1):
        return super().type(type_, number).translate(GREEK)

    def text(self, original):
        return greek(super().text(original))

    def parts(self, text):
        return tuple(part.translate(GREEK) if isinstance(part, str) else part for part in super().parts(text))


@pytest.fixture
def in_greek(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are in Greek letters, whatever their language."""
    monkeypatch.setattr(interpreter.words, "Words", GreekWords)


def words_of_game(name: str) -> frozenset[str]:
    """Names of a game that are the same in every language: of people, boards, and actions as they are typed."""
    model = load(name).rules.model
    about, board = model.file.header.about, model.board
    title = model.file.header.title.value
    texts = [title, about.designer if about else "", board.name if board else "", *model.rules]
    return frozenset(re.findall(r"[A-Za-z]{2,}", " ".join(texts)))


def latin_words(output: str, game: str, typed: tuple[str, ...] = ()) -> list[str]:
    """The words in Latin letters in an output that nobody has typed, each with the text around it."""
    for line in typed:
        output = output.replace(f"> {line}\n", "\n")
    output = FROM_RULES.sub("", TYPED.sub("", SAVES.sub("", output)))
    known = COMMANDS | words_of_game(game)
    return [
        f"{found[0]} in: {output[max(0, found.start() - 30) : found.end() + 30]!r}"
        for found in re.finditer(r"[A-Za-z]{2,}", output)
        if found[0] not in known
    ]


PROMPT = (
    "help", "", "view", "names", "rules", "log", "log x", "why", "why 1", "why 99", "why foo(1)", "know",
    "preview", "preview 1", "hint 20", "hint x", "foo", "99", "undo", "back", "save", "1", "1",
    "log all", "undo", "quit",
)  # fmt: skip


@pytest.mark.parametrize("game", ["kuhn_poker", "chinesische_mauer", "tic_tac_toe", "pig"])
def test_the_prompt_is_translated(run, own_folder, in_greek, game: str) -> None:
    output = run("play", game, "--seed", 3, typed=PROMPT).output
    assert "τεεδ" in output
    words = latin_words(output, game, PROMPT)
    assert not words, "\n".join(words)


KEYS = ("f1", "f5", "=log", "=why 1", "=why foo(1)", "=know", "=preview 1", "=foo", "=99", "=undo", "=save", "=hint x")
"""What is pressed and typed in full screen; each answer is closed again."""


@pytest.mark.parametrize("game", ["kuhn_poker", "tic_tac_toe"])
@at_once
async def test_the_full_screen_is_translated(game: str, own_folder, in_greek) -> None:
    async with at_table(session_of(game), size=(120, 50)) as table:
        shown = [table.text]
        for key in KEYS:
            await table.press(key)
            shown.append(table.text)
            await table.press("escape", "escape")
        await table.press("f3", "=1")
        words = latin_words("\n".join([*shown, table.text]), game)
        assert not words, "\n".join(dict.fromkeys(words))
