"""Nothing that players read is left untranslated: in a language made of Greek letters, no Latin word is shown."""

from __future__ import annotations

import gettext
import io
import json
import os
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from rich.console import Console
from textual.strip import Strip

import cli.choosing
import cli.errors
import cli.verbs.hint
import cli.verbs.play
import cli.verbs.saves
import cli.verbs.trace  # modules of verbs are imported before any test replaces the words that they import
import interpreter.engine.seated_game
import interpreter.loading.rules
import interpreter.wording.words
from cli.html.page import page
from cli.viewer.keys import KEYS, helped
from cli.viewer.source import SourcePane
from interpreter.loading.game_heads import game_head
from interpreter.loading.game_library import all_games
from interpreter.opponents.specs import bot_names
from interpreter.play.game import load
from interpreter.play.saves.files import Note
from interpreter.play.story import BRANCHED, HANDED_OVER, OPENED, STILL_LEGAL, note_words, rules_changed
from interpreter.play.trace import Timeline
from interpreter.play.undo import undone
from interpreter.wording.phrases import Catalogue, catalogue_of
from interpreter.wording.words import Words
from tests.cli.at_table import at_table, session_of
from tests.cli.test_saves import edited
from tests.cli.viewing import at_once, viewing
from tests.support.long_run import one_in

GREEK = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "αβγδεζηθικλμνξοπρστυφχψωϊϋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫ"
)
SAVES = re.compile(
    r"(regelwerk \w+ (--resume )?)?[~/.]*[\w./~-]*\.json|regelwerk (play|trace) (--resume )?\w[^\n]*|--\w+"
)
TYPED = re.compile(r"`[^`]*`|\b(\d+m?s|1000)\b")
FROM_RULES = re.compile(r"\[[\w -]+-\d+(\s+[\w -]+-\d+)*\]|\b\w+\.rules:\d+|[-\w()\[\], ]+ = -?\w+")
"""Items of the rulebook, lines of the rules, and their expressions with values."""
COMMANDS = frozenset(
    {"help", "view", "table", "names", "rules", "log", "all", "why", "know", "preview", "hint", "trace", "back", "undo"}
    | {"save", "quit", "more", "hand", "me", "random", "foo", "thoughts"}
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

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)
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
    monkeypatch.setattr(interpreter.wording.words, "Words", GreekWords)


def words_of_game(name: str) -> frozenset[str]:
    """Names of a game that are the same in every language: of people, boards, and actions as they are typed."""
    model = load(name).rules.model
    about, board = model.file.header.about, model.board
    title = model.file.header.title.value
    of_board = [board.name, board.note or ""] if board else []
    texts = [title, about.designer if about else "", *of_board, *model.rules]
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


@pytest.mark.parametrize("game", ["kuhn_poker", "chinesische_mauer", "mauerbauer", "tic_tac_toe", "pig"])
def test_the_prompt_is_translated(run, own_folder, in_greek, game: str) -> None:
    output = run("play", game, "--seed", 3, typed=PROMPT).output
    assert "τεεδ" in output
    words = latin_words(output, game, PROMPT)
    assert not words, "\n".join(words)


PRESSED = (
    "f1",
    "f5",
    "=log",
    "=why 1",
    "=why foo(1)",
    "=know",
    "=preview 1",
    "=foo",
    "=99",
    "=undo",
    "=save",
    "=hint x",
)
"""What is pressed and typed in full screen; each answer is closed again."""


@pytest.mark.parametrize("game", one_in(2, ["kuhn_poker", "tic_tac_toe"]))
@at_once
async def test_the_full_screen_is_translated(game: str, own_folder, in_greek) -> None:
    async with at_table(session_of(game), size=(120, 50)) as table:
        shown = [table.text]
        for key in PRESSED:
            await table.press(key)
            shown.append(table.text)
            await table.press("escape", "escape")
        await table.press("f3", "=1")
        words = latin_words("\n".join([*shown, table.text]), game)
        assert not words, "\n".join(dict.fromkeys(words))


IN_VIEWER = (
    "i", "o", "u", "minus", "comma", "home", "minus", "comma", "question_mark", "escape", "g", "=99", "escape", "g",
    "=2", "c", "=foo", "escape", "e", "=1 + 1", "escape", "w", "=1 + 1", "5", "W", "escape", "W", "1", "W", "y",
    "=foo(1)", "escape", "d", "escape", "r", "b", "b", "r", "n", "N", "h", "slash", "=foo", "m", "v", "1", "v", "2",
    "s", "escape", "4", "6", "7", "end", "i", "full_stop", "6",
)  # fmt: skip
"""What is pressed and typed in the viewer: every question, message and pane."""


def test_the_keys_in_the_help_of_the_viewer_are_those_that_are_bound() -> None:
    console = Console(width=120, file=io.StringIO())
    console.print(*helped(Words(language="de")), sep="\n")
    words = [word for line in console.file.getvalue().splitlines() for word in line.split()[:2]]
    shown = {word[0] if word[1:] == "," else word for word in words}
    assert {key.label for key in KEYS if len(key.label) == 1} <= shown


def words_of_rules(game: str) -> frozenset[str]:
    """The words of the rules themselves, which the viewer shows as they are; without texts and comments."""
    source = re.sub(r'"[^"\n]*"|#[^\n]*', "", load(game).rules.model.file.span.source.text)
    return frozenset(re.findall(r"[A-Za-z]{2,}", source))


@pytest.mark.parametrize("game", one_in(2, ["kuhn_poker", "tic_tac_toe"]))
@at_once
async def test_the_viewer_is_translated(game: str, own_folder, in_greek, monkeypatch) -> None:
    monkeypatch.setattr(SourcePane, "render_line", lambda pane, y: Strip([]))  # the text of the rules, with comments
    state, random_moves = session_of(game).state, random.Random(3)
    while not state.over:
        state.push(random_moves.choice(state.legal_moves))
    async with viewing(state, size=(200, 60)) as viewer:
        shown = [viewer.text]
        for key in IN_VIEWER:
            await (viewer.answer(key[1:]) if key.startswith("=") else viewer.press(key))
            shown.append(viewer.text)
    rules = words_of_rules(game)
    words = [found for found in latin_words("\n".join(shown), game) if found.partition(" in: ")[0] not in rules]
    assert not words, "\n".join(dict.fromkeys(words))


@pytest.mark.parametrize(
    "words", ["trace a.json --plain --as {seat}", "hint a.json 20 --as {seat}", "hint a.json --review --as {seat}"]
)
def test_verbs_about_a_game_are_translated(run, own_folder, in_greek, words: str) -> None:
    run("play", "kuhn_poker", "--seed", 3, "--seat", "all=human", "--save", "a.json", typed=["", "1", "quit"])
    seat = load("kuhn_poker").seats[1]
    output = run(*words.format(seat=seat).split()).output
    rules = words_of_rules("kuhn_poker")
    found = [word for word in latin_words(output, "kuhn_poker") if word.partition(" in: ")[0] not in rules]
    assert output and not found, "\n".join(found)


def test_the_list_of_saves_and_games_is_translated(run, own_folder, in_greek, monkeypatch, capsys) -> None:
    run("play", "kuhn_poker", "--seed", 3, "--save", "spiel", typed=["quit"])
    answers = iter(("99", "zzz", "q"))
    monkeypatch.setattr("builtins.input", lambda question: (print(question), next(answers))[1])
    with pytest.raises(EOFError):
        cli.choosing.chosen_to_play(GreekWords(), None)
    titles = {word for game in all_games() for word in re.findall(r"[A-Za-z]+", f"{game.name} {game_head(game.path)}")}
    known = titles | {"spiel", "zzz", "ann"}
    found = [word for word in latin_words(capsys.readouterr().out, "nim") if word.partition(" in: ")[0] not in known]
    assert not found, "\n".join(found)


MISTAKES = (
    "play nimm --language xx", "play nim --players 9", "play nim --players ann,zoe", "play nim -o pile=no",
    "play nim -o x=1", "play nim --variant x", "play nim --bots mctss", "play nim --bots mcts:x",
    "play nim --bots greedy:1", "play nim --seat zoe=human", "play nim --seat ann=what", "play nim --seat ann",
    "play --resume x", "play nim --resume", "play --at 3", "play", "play kuhn_poker --bots alphabeta",
    "play nim --save a*b", "trace x", "trace", "hint x", "play x.rules", "play nim --players x --seat ann=human",
    "play nim --bots human --seat ann=human", "play nim --bots alphabeta:999999", "play nim --bots mcts:9999s",
)  # fmt: skip
"""Mistakes on the command line of somebody who wants to play."""


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes_on_the_command_line_are_translated(run, own_folder, in_greek, monkeypatch, line: str) -> None:
    monkeypatch.setattr(cli.errors, "catalogue_of", lambda language: Catalogue(GreekTranslations()))
    result = run(*line.split())
    assert result.exit_code in (1, 2)
    typed = {word for part in line.split() for word in re.findall(r"[A-Za-z]{2,}", part)}
    known = (
        typed
        | {"nim", "ann", "ben", "last", "loses", "data", "regelwerk", "saves"}
        | set(bot_names())
        | {part for game in all_games() for part in re.findall(r"[A-Za-z]+", game.name)}
    )
    found = [word for word in latin_words(result.stderr, "nim") if word.partition(" in: ")[0] not in known]
    assert not found, result.stderr


def _changed(**changes: object) -> Callable[[Path], object]:
    return lambda save: edited(save, **changes)


def _replaced(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _cut(path: Path) -> None:
    path.write_text(path.read_text()[:500])


def _shifted(path: Path) -> None:
    path.write_text(path.read_text().replace("human", "random", 1))


def _other_move(path: Path) -> None:
    moves = json.loads(path.read_text())["moves"]
    edited(path, moves=[{**move, "move": "call"} for move in moves])


SPOILING: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "a folder": _folder,
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "empty": _replaced(b""),
    "not text": _replaced(b"\xff\xfe"),
    "not JSON": _replaced(b"no"),
    "not JSON of a save": _replaced(b"{}"),
    "a list": _replaced(b"[]"),
    "cut": _cut,
    "edited": _shifted,
    "too large": _replaced(b" 1" * 9_000_000),
    "too many values": _replaced(b"[," * 700_000),
    "another version": _changed(format_version=99),
    "half a character": _changed(title="\ud800"),
    "another seat": _changed(seats={"x": "human"}),
    "another option": _changed(options={"x": "1"}),
    "another game": _changed(game="nim", title="7"),
    "another board": _changed(board="/nowhere/board.json"),
    "a board by another name": _changed(board="/etc/passwd"),
    "another variant": _changed(variants=["/7.rules"]),
    "rules by another name": _changed(path="/etc/passwd"),
    "a move that is not legal": _other_move,
    "a move after the end": lambda path: edited(path, moves=json.loads(path.read_text())["moves"] * 9),
    "another shuffle": _changed(chance=[[2, 1, 0], 3]),
    "chance from outside": _changed(chance_from="supplied", chance=[]),
}
"""What can be wrong with a save, but for fields of another form, which a library names."""


@pytest.mark.parametrize("problem", SPOILING)
def test_what_is_wrong_with_a_save_is_translated(run, own_folder, in_greek, monkeypatch, problem: str) -> None:
    monkeypatch.setattr(cli.errors, "catalogue_of", lambda language: Catalogue(GreekTranslations()))
    save = own_folder / "a.json"
    run("play", "kuhn_poker", "--seed", 3, "--seat", "all=human", "--save", "a.json", typed=["", "1", "quit"])
    assert save.exists()
    SPOILING[problem](save)
    result = run("play", "--resume", "a.json", "--seat", "all=human", typed=["quit"])
    assert result.exit_code == 1, result.output
    known = {"JSON", "MB"} | words_of_rules("kuhn_poker")
    output = result.output.replace(str(load("kuhn_poker").rules.path), "")
    found = [word for word in latin_words(output, "kuhn_poker") if word.partition(" in: ")[0] not in known]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    ["", "a", "b --delete", "c --rename d", "--rename a b", "--delete", "--yes", "zzz", "a --delete --rename",
     "a --delete --format json", "a --format x", "a.json --rename b", "a --rename no/good", "c --delete"],
)  # fmt: skip
def test_the_verb_about_saves_is_translated(run, own_folder, in_greek, monkeypatch, line: str) -> None:
    monkeypatch.setattr(cli.errors, "catalogue_of", lambda language: Catalogue(GreekTranslations()))
    monkeypatch.setattr(cli.verbs.saves, "Words", GreekWords)
    for name in ("a", "b", "c"):
        run("play", "tic_tac_toe", "--seat", f"all={'random' if name == 'b' else 'human'}", "--save", name,
            typed=["quit"])  # fmt: skip
    run("play", "tic_tac_toe", "--save", "a.json", typed=["quit"])
    (damaged,) = (path for path in own_folder.rglob("c.json"))
    damaged.write_text(damaged.read_text()[:400])
    result = run("saves", *line.split(), typed=["n"])
    known = {"tic", "tac", "toe", "nought", "cross", "json", "text", "n", *line.replace("/", " ").split()}
    output = re.sub(r"regelwerk [\w-]+( --resume)? \w+( --language xx)?|data/regelwerk/saves", "", result.output)
    found = [word for word in latin_words(output, "tic_tac_toe") if word.partition(" in: ")[0] not in known]
    assert output and not found, "\n".join(found)


def test_notes_of_a_save_are_translated() -> None:
    words = GreekWords()
    texts = {
        "undo": [undone(()), undone(("ann", "ben"))],
        "rules": [rules_changed(0), rules_changed(1), rules_changed(2), STILL_LEGAL],
        "opened": [OPENED.format(command="7")],
        "seat": [HANDED_OVER.format(kind="8")],
        "branch": [BRANCHED.format(save="9")],
    }
    assert texts.keys() == set(get_args(get_type_hints(Note)["kind"]))
    for kind, notes in texts.items():
        for text in notes:
            agreed = ("ann", "ben") if "ben" in text else ()
            shown = note_words(Note(0, kind, None, text, agreed), words)
            assert not re.search("[A-Za-z]", re.sub(r"--all|ann|ben", "", shown)), shown


ON_PAGE = ("?", "Escape", "/", "Escape", "c", "Escape", "d", "Escape", "g", "Escape", "n", "b", "r", "i", "l", "h")
"""What is pressed on a page with a trace: every question, and messages."""
ALL_TEXTS = """Array.from(document.querySelectorAll("body *:not(script):not(noscript)"), e => [
    ...Array.from(e.childNodes).filter(n => n.nodeType === 3).map(n => n.data),
    ...["title", "aria-label", "aria-valuetext", "placeholder"].map(name => e.getAttribute(name) || ""),
]).flat().concat(document.title).join("\\n")"""
"""Every text of a page, and those that only some people are shown."""


@pytest.mark.parametrize("game", one_in(2, ["kuhn_poker", "tic_tac_toe"]))
def test_the_page_with_a_trace_is_translated(browser, own_folder, in_greek, game: str) -> None:
    state, random_moves = session_of(game).state, random.Random(3)
    while not state.over:
        state.push(random_moves.choice(state.legal_moves))
    (own_folder / "page.html").write_text(page(Timeline(state, None, then=True), "moves"), encoding="utf-8")
    browser.screen(1280, 800)
    browser.open(own_folder / "page.html")
    texts = [browser.ask(ALL_TEXTS)]
    for key in ON_PAGE:
        browser.press(key)
        texts.append(browser.ask(ALL_TEXTS))
    keys = {"Backspace", "Home", "End", "Esc", "moves", "svg", "lL", "Enter"}
    rules = words_of_rules(game) | comments_of_rules(game)
    found = [word for word in latin_words("\n".join(texts), game) if word.partition(" in: ")[0] not in rules | keys]
    assert not found, "\n".join(dict.fromkeys(found))
    assert browser.faults == []


def comments_of_rules(game: str) -> frozenset[str]:
    """The words of comments and texts of the rules, which a page shows as they are."""
    return frozenset(re.findall(r"[A-Za-z]{2,}", load(game).rules.model.file.span.source.text))


FAILING = """game "Failing" for 2 players ann, ben

== components ==

note stones: 0..9 = 1

== phases ==

phase main, turns from ann, over when stones is 9:
    must split

action split:
    set stones to 8 / (stones - 1) rounded down

== scoring ==

winner highest stones
"""


def test_a_rule_that_fails_in_play_is_reported_in_the_language_with_its_location(run, own_folder) -> None:
    (own_folder / "failing.rules").write_text(FAILING, encoding="utf-8")
    (own_folder / "languages").mkdir()
    (own_folder / "languages" / "failing.de.rules").write_text('names de of failing:\n    ann "Anna"\n')
    error = run("play", "failing.rules", "--seed", 3, "--language", "de", "--save", "a.json", typed=["1"]).stderr
    assert "failing.rules:13:" in error
    assert "`stones - 1` ist 0: dadurch lässt sich nicht teilen" in error


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(run, own_folder, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "polib", None)
    catalogue_of.cache_clear()
    result = run("play", "nim", "--language", "de")
    assert (result.exit_code, "bug" in result.stderr) == (1, False)
    assert "the package polib is missing; install it: pip install polib" in result.stderr
    catalogue_of.cache_clear()
