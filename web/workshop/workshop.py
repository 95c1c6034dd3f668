"""The workshop: the files of an author in the current folder, and the game being played with them.

A page of the author sends its messages on line 0; the pages of the table have the other lines. What takes long is done
in steps, between which messages are heard (`Workshop.step`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from dsl.text.visible import json_text
from editors.service.analysis import Analysis, Trees, analyse
from editors.service.texts import DISK
from interpreter.authoring.examples.suite import ExampleResult, example_results
from interpreter.errors import RegelwerkError, UsageError
from interpreter.loading.rules import Rules
from interpreter.play.game import seat_game
from interpreter.play.saves.files import PERSON
from interpreter.play.saves.replay import replay
from interpreter.runtime.chance import drawn_seed
from interpreter.seat.views.model import plain_data
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN
from web.messages import Done, Refused, identifier_of
from web.table import Table
from web.thinking import problem_of
from web.workshop import authoring, messages
from web.workshop.messages import AuthorSent, Subject
from web.workshop.one_thread import Send, TableInOneThread

AUTHOR = 0
"""The number of the author's line."""


class Workshop:
    """The files in the current folder, and a table; `send` sends messages to pages."""

    def __init__(self) -> None:
        self.send: Send = lambda line, text: None
        self.hosted: TableInOneThread | None = None
        self._names = count()
        self._subject: tuple[str, tuple[str, ...]] | None = None
        self._analysis: Analysis | None = None
        self._trees = Trees()
        self._testing: tuple[str, list[ExampleResult], Iterator[ExampleResult]] | None = None
        self._told = 0, -1
        """How many decisions of the game the author's page knows, and of which version of the table."""

    # ------------------------------------------------------------ messages

    def hear(self, line: int, text: str) -> None:
        """Answer a message."""
        if line == AUTHOR:
            self._hear_author(text)
        elif self.hosted is not None:
            self.hosted.hear(line, text)
        self._tell_changes()

    def leave(self, line: int) -> None:
        """Forget a page of the table."""
        if self.hosted is not None:
            self.hosted.leave(line)

    def step(self) -> bool:
        """Do a part of what takes long; true if there is more to do."""
        if self._testing is not None:
            self._test_one(*self._testing)
            return True
        is_deciding = self.hosted is not None and self.hosted.step()
        self._tell_changes()
        return is_deciding

    def _tell(self, message: AuthorSent) -> None:
        self.send(AUTHOR, json_text(plain_data(message)))

    def _hear_author(self, text: str) -> None:
        identifier = ""
        try:
            request = messages.author_received(text)
            identifier = request.id
            answer = self._answer(request)
        except RegelwerkError as fault:
            answer = Refused(identifier or identifier_of(text), str(fault))
        if answer is not None:
            self._tell(answer)

    def _answer(self, request: messages.AuthorRequest) -> AuthorSent | None:
        match request:
            case messages.Write():
                return self._write(request)
            case messages.Check():
                return self._check(request)
            case messages.Complete():
                return authoring.completed(request, self._analysed(request))
            case messages.Hover():
                return authoring.hovered(request, self._analysed(request))
            case messages.Test():
                self._test(request)
                return None
            case messages.Begin():
                return self._begin(request)
            case messages.Trace():
                if self.hosted is None:
                    raise UsageError(Phrase("no game has begun"))
                return authoring.trace(request.id, self.hosted.table.state, request.level, request.plies)

    # ------------------------------------------------------------ files

    def _write(self, request: messages.Write) -> Done:
        self._analysis = None
        self._end_test()
        for name, text in request.files.items():
            try:
                _write(Path(name), text)
            except (OSError, UnicodeError) as fault:
                reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
                raise UsageError(
                    Phrase("{file} cannot be written: {reason}", file=name, reason=reason.lower())
                ) from None
        return Done(request.id)

    # ------------------------------------------------------------ rules

    def _analysed(self, subject: Subject) -> Analysis:
        """What is known about the rules, kept until a file changes."""
        if self._analysis is None or self._subject != (subject.rules, subject.variants):
            self._subject = subject.rules, subject.variants
            variants = [Path(name) for name in subject.variants]
            self._analysis = analyse(Path(subject.rules), {}, DISK, self._trees, variants=variants)
        return self._analysis

    def _loaded(self, subject: Subject) -> Rules:
        """The checked rules with their examples. Raises UsageError if they have errors."""
        analysis = self._analysed(subject)
        if analysis.reading is None or analysis.reading.rules is None:
            raise UsageError(Phrase("the rules have errors"))
        return analysis.reading.rules

    def _check(self, request: messages.Check) -> messages.Checked:
        analysis = self._analysed(request)
        rules = None if analysis.reading is None else analysis.reading.rules
        return authoring.checked(request.id, analysis, None if rules is None else authoring.playable(rules))

    def _test(self, request: messages.Test) -> None:
        rules = self._loaded(request)
        self._end_test()
        self._testing = request.id, [], example_results(rules)

    def _end_test(self) -> None:
        """Refuse the request whose examples are being run."""
        if self._testing is not None:
            self._tell(Refused(self._testing[0], ""))
            self._testing = None

    def _test_one(self, identifier: str, results: list[ExampleResult], rest: Iterator[ExampleResult]) -> None:
        """Run the next example; the last one makes the reply."""
        result = next(rest, None)
        if result is not None:
            results.append(result)
            return
        self._testing = None
        self._tell(messages.Tested(identifier, tuple(map(authoring.shown_example, results))))

    # ------------------------------------------------------------ the game

    def _begin(self, request: messages.Begin) -> messages.Begun:
        rules = self._loaded(request)
        game = seat_game(rules, tuple(request.kinds), request.options)
        for seat, kind in request.kinds.items():
            problem = "" if kind == PERSON else problem_of(kind, game)
            if problem:
                raise UsageError(Phrase("{bot} cannot play {seat}: {problem}", bot=kind, seat=seat, problem=problem))
        seed = int(request.seed) if request.seed else drawn_seed()
        state, divergence = replay(game.in_words(OWN), request.decisions, seed)
        table = Table(state, {seat: request.kinds[seat] for seat in game.seats})
        table.begin()
        pages = {} if self.hosted is None else self.hosted.pages
        self.hosted = TableInOneThread(str(next(self._names)), table, self.send)
        for line, page in pages.items():
            self.hosted.join(line, page.token, page.session.language)
        self._told = 0, -1
        return messages.Begun(request.id, game.title, str(seed), "" if divergence is None else divergence.reason)

    def _tell_changes(self) -> None:
        """Tell the author's page what has been decided since the last time."""
        if self.hosted is None:
            return
        table = self.hosted.table
        told_decisions, version = self._told
        if version == table.version:
            return
        start = min(told_decisions, table.unchanged_since(version)) if version >= 0 else 0
        decisions = tuple((record.player, record.notation) for record in table.state.history[start:])
        self._told = table.state.ply, table.version
        self._tell(messages.Changed(start, decisions))


def _write(path: Path, text: str | None) -> None:
    """Write a text to a file; None removes it. Raises OSError, UnicodeError."""
    if text is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
