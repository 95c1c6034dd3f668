"""The workshop of an author, message by message, without a browser."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.errors import SamplingError
from interpreter.loading.game_library import shipped_folder
from interpreter.opponents.knowledge.sampling import Sampler
from interpreter.watchdog import CHECK_INTERVAL, Watchdog
from tests.web.test_patience import ENDLESS
from web.workshop.workshop import AUTHOR, Workshop

TABLE = 1
NIM = (shipped_folder() / "nim.rules").read_text("utf-8")


class Author:
    """An author and a page of the table, with what they are sent."""

    def __init__(self) -> None:
        self.workshop = Workshop()
        self.heard: list[tuple[int, dict[str, Any]]] = []
        self.workshop.send = lambda line, text: self.heard.append((line, json.loads(text)))

    def ask(self, kind: str, line: int = AUTHOR, **message: object) -> Any:
        """The reply to a message, after all steps that follow."""
        self.heard.clear()
        self.workshop.hear(line, json.dumps({"kind": kind, "id": "1", **message}))
        while self.workshop.step():
            pass
        return next((sent for to, sent in self.heard if to == line and sent.get("id") == "1"), None)

    def begin(self, kinds: dict[str, str], **more: object) -> Any:
        begun = self.ask("begin", rules="game.rules", kinds=kinds, options={}, **more)
        if begun["kind"] == "begun":
            self.workshop.hear(TABLE, json.dumps({"kind": "join", "token": ""}))
        return begun

    @property
    def positions(self) -> list[dict[str, Any]]:
        return [sent for _, sent in self.heard if sent["kind"] == "position"]


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Author:
    monkeypatch.chdir(tmp_path)
    author = Author()
    assert author.ask("write", files={"game.rules": NIM})["kind"] == "done"
    return author


@pytest.fixture
def signals() -> Iterator[None]:
    """Signals as the worker sends them: whenever Python asks, if some time has passed."""
    before = signal.signal(signal.SIGVTALRM, Watchdog(3 * CHECK_INTERVAL, 2**31).look)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, CHECK_INTERVAL, CHECK_INTERVAL)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("bot", ["mcts:20", "easy", "greedy", "alphabeta:2"])
def test_bots_play_to_the_end(author: Author, bot: str) -> None:
    assert author.begin({"ann": bot, "ben": bot})["kind"] == "begun"
    while author.workshop.step():
        pass
    assert author.positions[-1]["scene"]["result"] is not None


def test_a_hint_is_given(author: Author) -> None:
    author.begin({"ann": "human", "ben": "mcts:20"})
    hint = author.ask("hint", TABLE)
    assert hint["kind"] == "told"
    assert len(hint["lines"]) >= 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # as the watchdog says of destructors
def test_rules_that_never_end_are_stopped(author: Author, signals: None) -> None:
    """By the handler of signals that the playground has; what was written and decided stays."""
    author.ask("write", files={"game.rules": ENDLESS})
    author.begin({"ann": "human", "ben": "human"})
    assert author.ask("play", TABLE, number=0, notation="look")["kind"] == "done"
    refused = author.ask("play", TABLE, number=1, notation="fall")
    assert refused["kind"] == "refused"
    assert "game.rules:18:" in refused["reason"]
    assert "took longer than" in refused["reason"]
    assert author.ask("play", TABLE, number=1, notation="look")["kind"] == "done"


@pytest.mark.parametrize(
    "path",
    [
        "game\u202e.rules", "game\0.rules", "ga\u200bme.rules", "ga\nme.rules", "../game.rules", "/game.rules",
        ".game.rules", "a" * 201, "ü" * 200, "game.rules/inside.rules", "\ud800.rules",
    ],
    ids=ascii,
)  # fmt: skip
def test_files_with_names_that_cannot_be_are_refused(author: Author, path: str) -> None:
    refused = author.ask("write", files={path: "x"})
    assert refused["kind"] == "refused"
    assert refused["reason"]
    assert "\u202e" not in refused["reason"]
    assert author.ask("check", rules="game.rules")["game"] is not None


def test_texts_without_meaning_in_unicode_are_refused(author: Author) -> None:
    assert author.ask("write", files={"game.rules": "\ud800"})["kind"] == "refused"


@pytest.mark.parametrize("offset", [1_000_001, 2**52])
def test_offsets_beyond_the_text_are_its_end(author: Author, offset: int) -> None:
    large = {"rules": "game.rules", "file": "game.rules", "offset": offset}
    assert author.ask("complete", text=NIM, **large)["kind"] == "completions"
    assert author.ask("hover", **large)["kind"] == "hovered"


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "hover"},
        {"kind": "nothing"},
        {"kind": "trace", "level": "all", "plies": 1},
        {"kind": "trace", "level": "moves", "plies": 1},
    ],
    ids=json.dumps,
)
def test_whoever_asks_what_cannot_be_asked_is_told_so(author: Author, message: dict[str, Any]) -> None:
    refused = author.ask(**message)
    assert refused["kind"] == "refused"
    assert refused["reason"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"id": 1}', "[" * 100_000])
def test_what_is_no_message_is_refused(author: Author, text: str) -> None:
    author.heard.clear()
    author.workshop.hear(AUTHOR, text)
    assert [sent["kind"] for _, sent in author.heard] == ["refused"]


@pytest.mark.parametrize(
    "kinds", [{"ann": "human"}, {"ann": "human", "ben": "human", "eve": "human"}, {"ann": "human", "eve": "human"}]
)  # fmt: skip
def test_seats_are_those_of_the_game(author: Author, kinds: dict[str, str]) -> None:
    refused = author.begin(kinds)
    assert refused["kind"] == "refused"
    assert refused["reason"]


def test_seats_in_another_order_are_those_of_the_game(author: Author) -> None:
    assert author.begin({"ben": "random", "ann": "human"})["kind"] == "begun"
    welcome = next(sent for _, sent in author.heard if sent["kind"] == "welcome")
    assert (welcome["seat"], welcome["players"]) == ("ann", {"ann": "", "ben": "random"})
    assert author.positions[-1]["scene"]["turn"] == "ann"


def test_hidden_characters_of_rules_are_spelled_out(author: Author) -> None:
    author.ask("write", files={"game.rules": NIM.replace('game "Nim"', 'game "N\u202eim\u200b"')})
    checked = author.ask("check", rules="game.rules")
    author.begin({"ann": "human", "ben": "human"})
    said = json.dumps([checked, [sent for _, sent in author.heard]], ensure_ascii=False)
    assert "\u202e" not in said
    assert "\u200b" not in said


def test_a_bot_that_finds_no_state_does_not_move_at_random_in_silence(
    author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(self: object, count: int, *_: object, **__: object) -> None:
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    author.ask("write", files={"game.rules": (shipped_folder() / "kuhn_poker.rules").read_text("utf-8")})
    assert author.begin({"ann": "human", "ben": "greedy"})["kind"] == "begun"
    author.ask("play", TABLE, number=0, notation="check")
    notes = [sent["text"] for to, sent in author.heard if to == TABLE and sent["kind"] == "note"]
    told = "ben moves at random: no state was found in time that agrees with what this seat has observed"
    assert notes == [told]
