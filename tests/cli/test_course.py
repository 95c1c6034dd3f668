"""The course of a game without a screen: what it requests of any front end, and how it takes interruptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from cli.play import requests
from cli.play.course import Course
from cli.play.file_watcher import Watcher
from interpreter.loading.rules import files_of
from interpreter.play.saves.files import read_save
from tests.cli.at_table import session_of
from tests.cli.conftest import PEBBLES
from tests.support.hush import HUSH


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def until(course: Course, kind: type, first: requests.Request | None = None) -> requests.Request:
    """Reply with None up to the next request of a kind."""
    request = first or course.reply()
    for _ in range(200):
        if isinstance(request, kind):
            return request
        assert not isinstance(request, requests.Ask | requests.Consent | None), request
        request = course.reply()
    raise AssertionError(kind)


def said(course: Course, reply: requests.Reply, kind: type) -> list[requests.Request]:
    """What is requested after a reply, up to a request of a kind, or to a question."""
    return list(_said(course, reply, kind))


def _said(course: Course, reply: requests.Reply, kind: type) -> Iterator[requests.Request]:
    request = course.reply(reply)
    while request is not None:
        yield request
        if isinstance(request, kind | requests.Ask | requests.Consent):
            return
        request = course.reply()


def typed(course: Course, text: str) -> requests.Typed:
    return requests.Typed(text, course.narrowing.step(lambda words: True))


def kinds(found: list[requests.Request]) -> list[type]:
    return [type(request) for request in found]


def as_text(parts: Sequence[RenderableType]) -> str:
    console = Console(width=200, file=StringIO())
    with console.capture() as capture:
        console.print(*parts)
    return capture.get()


def first_of(found: list[requests.Request], kind: type) -> requests.Request:
    return next(request for request in found if isinstance(request, kind))


def own_game(folder: Path) -> tuple[Path, str]:
    path, text = folder / "mine.rules", Path(PEBBLES).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    return path, text


def test_rules_that_change_while_the_keyboard_is_passed_on_show_nothing(own_folder: Path) -> None:
    """The next person must confirm again: the one before may still be looking."""
    path, text = own_game(own_folder)
    session = session_of(str(path), 2, seats={"all": "human"})
    course = Course(session, watcher=Watcher(files_of(session.game.rules)))
    until(course, requests.PassOn)
    path.write_text(text + "\n# changed\n", encoding="utf-8")
    request = course.rules_changed()
    assert request == requests.Say("the rules were reloaded; the game continues under them")
    assert isinstance(course.reply(), requests.PassOn)
    assert course.seat is None
    until(course, requests.Ask, course.reply())
    assert course.seat == session.state.player


def test_a_mistake_in_changed_rules_keeps_the_answers_so_far(own_folder: Path) -> None:
    path, text = own_game(own_folder)
    session = session_of(str(path), 2, seats={"red": "human"})
    course = Course(session, watcher=Watcher(files_of(session.game.rules)))
    until(course, requests.Ask)
    said(course, requests.Typed("show"), requests.Ask)
    narrowing = course.narrowing
    assert narrowing.before is not None
    path.write_text(text + "\nnonsense\n", encoding="utf-8")
    assert isinstance(course.rules_changed(), requests.Explained)
    until(course, requests.Ask)
    assert course.narrowing is narrowing
    said(course, requests.Typed("back"), requests.Ask)
    assert course.narrowing is narrowing.before


def test_rules_that_change_again_while_somebody_is_asked_about_them(own_folder: Path) -> None:
    path, text = own_game(own_folder)
    session = session_of(str(path), 2, seats={"red": "human"})
    course = Course(session, watcher=Watcher(files_of(session.game.rules)))
    until(course, requests.Ask)
    path.write_text(text + "\nnonsense\n", encoding="utf-8")
    request = course.rules_changed()
    assert isinstance(request, requests.Explained)
    path.write_text(text + "\n# changed\n", encoding="utf-8")
    assert isinstance(course.rules_changed(), requests.Say)
    assert isinstance(until(course, requests.Ask), requests.Ask)


def test_an_undo_needs_the_consent_of_the_person_who_has_decided_since() -> None:
    session = session_of(PEBBLES, 2, seats={"all": "human"})
    course = Course(session)
    until(course, requests.Ask)
    first = course.seat
    for _ in range(2):  # a turn of each
        said(course, requests.Typed("grab"), requests.Ask)
    for _ in range(2):
        if course.seat != first:
            said(course, typed(course, "1"), requests.Ask)
    assert course.seat == first
    played = session.state.ply
    found = said(course, typed(course, "undo"), requests.Consent)
    assert isinstance(found[-1], requests.Consent)
    assert course.seat is None
    refused = said(course, False, requests.Ask)
    assert kinds(refused).count(requests.PassOn) == 1
    assert kinds(refused).count(requests.Say) == 2, "at once, and after the keyboard is back"
    assert session.state.ply == played
    said(course, typed(course, "undo"), requests.Consent)
    agreed = said(course, True, requests.Ask)
    assert requests.Say("taken back") in agreed
    assert session.state.ply < played
    assert course.seat == session.state.player == first


@pytest.mark.parametrize(("opened", "notes"), [(False, 0), (True, 1)])
def test_the_undo_of_a_secret_decision_is_noted_for_nobody(own_folder: Path, opened: bool, notes: int) -> None:
    """The others have not even been told that something was decided."""
    (own_folder / "hush.rules").write_text(HUSH, encoding="utf-8")
    session = session_of(str(own_folder / "hush.rules"), 2, seats={"all": "human"})
    session.opened = opened
    course = Course(session)
    until(course, requests.Ask)
    for line in ("1", "hide", "undo"):
        said(course, typed(course, line), requests.Ask)
    assert (session.state.ply, course.seat, len(session.notes)) == (1, "ann", notes)
    assert not opened or "took back" in session.log("ben")[-1].text
    assert len(read_save(session.path).notes) == notes


def test_another_program_that_changes_the_save_is_noticed_by_every_kind_of_save(own_folder: Path) -> None:
    session = session_of("tic_tac_toe", seats={"all": "human"})
    session.save()
    course = Course(session)
    until(course, requests.Ask)
    for line in ("1", "1", "undo"):
        session.path.write_text("changed by another program", encoding="utf-8")
        changed = session.path
        found = said(course, typed(course, line), requests.Consent if line == "undo" else requests.Ask)
        if isinstance(found[-1], requests.Consent):
            found = said(course, True, requests.Ask)
        warning = first_of(found, requests.Warn)
        assert isinstance(warning, requests.Warn)
        assert warning.title
        assert changed.read_text(encoding="utf-8") == "changed by another program"
        assert read_save(session.path).game == "tic_tac_toe"


def test_commands_while_a_bot_thinks_leave_its_thought(own_bots: object) -> None:
    session = session_of("tic_tac_toe", seats={"nought": "slow"})
    course = Course(session)
    until(course, requests.Ask)
    waiting = said(course, typed(course, "1"), requests.Wait)[-1]
    assert isinstance(waiting, requests.Wait)
    assert kinds(said(course, requests.Typed("log"), requests.Wait)) == [requests.Log, requests.Wait]
    assert course.request is waiting
    waiting.thought.stop()
    waiting.thought.wait()
    said(course, None, requests.Ask)
    assert session.state.ply == 2


def test_an_interruption_during_a_thought_leaves_a_game_that_can_be_saved(own_bots: object) -> None:
    session = session_of("tic_tac_toe", seats={"nought": "slow"})
    course = Course(session)
    until(course, requests.Ask)
    said(course, typed(course, "1"), requests.Wait)
    session.bots.leave()  # the front end was interrupted; the course is never continued
    session.save()
    assert [move.move for move in read_save(session.path).moves] == ["put(a1)"]


def test_nobody_learns_from_a_query_what_a_thinking_bot_may_do(own_bots: object) -> None:
    session = session_of("tic_tac_toe", seats={"nought": "slow"})
    course = Course(session)
    until(course, requests.Ask)
    said(course, typed(course, "1"), requests.Wait)
    why, _ = said(course, requests.Typed("why put(a2)"), requests.Wait)
    assert isinstance(why, requests.Explained)
    assert "it is not cross's decision" in as_text(why.parts)
    preview = said(course, requests.Typed("preview put(a2)"), requests.Wait)[0]
    assert isinstance(preview, requests.Say)
    session.bots.leave()


def test_quitting() -> None:
    course = Course(session_of("tic_tac_toe"))
    until(course, requests.Ask)
    with pytest.raises(requests.Quit):
        course.reply(typed(course, "quit"))
