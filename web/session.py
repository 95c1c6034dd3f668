"""The session of one page: it answers the messages of the page, and says what its person sees.

The page does not know whether its messages cross a network or come from a worker in the same browser. A session belongs
to one connection; it remembers what it has sent, so that it sends only what is new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files

from dsl.text.visible import visible
from interpreter.errors import PlayError, RegelwerkError, UsageError
from interpreter.opponents.situation import at_a_loss
from interpreter.play.game import WATCHING, State
from interpreter.play.saves.files import PERSON
from interpreter.play.shown import is_secret
from interpreter.play.story import decisions_seen
from interpreter.play.trace.failed_decision import told_to
from interpreter.seat.explain.rules_summary import RulesSummary, rules_summary
from interpreter.seat.narrowing import Narrowing, NarrowingStep
from interpreter.seat.notation.moves import Move
from interpreter.seat.question_words import choice_words, question_phrase, words_of
from interpreter.seat.views.model import BoardView
from interpreter.wording.phrases import Phrase, catalogue_languages
from interpreter.wording.words import OWN, Words
from web import messages
from web.messages import (
    Asked,
    Candidate,
    ChosenMove,
    Done,
    LogLine,
    LogPart,
    Note,
    Position,
    Question,
    Refused,
    Step,
    Told,
)
from web.scene import Scene, ShownTable, TextCell, board_shown, scene_of, seats_shown
from web.shown import shown_to
from web.table import Table
from web.thinking import Answer, advise, explain, know, trace

MAX_CANDIDATES = 24
"""Maximum number of candidates of a step that a page shows as a list."""

SCRIPT_PHRASE = re.compile(r'\bphrase\("([^"\\]*)"')
"""A text of the page's scripts that is translated."""
PAGE_PHRASE = re.compile(r"<[^>]* data-phrase>([^<]+)<")
"""A text of a page that is translated: all of an element that says so."""

WAITING = Phrase("{seat} decides")
THINKING = Phrase("{seat} is thinking ({bot})")
SECRETLY = Phrase("others decide")
ASKED = Phrase("your undo needs the consent of {seats}")


@cache
def phrases_of_page() -> tuple[str, ...]:
    """The texts of the pages and their scripts in English."""
    parts = [path for path in files("web.page").iterdir() if path.name.endswith((".js", ".html"))]
    return tuple(sorted({phrase for path in parts for phrase in phrases_in(path.read_text("utf-8"))}))


def phrases_in(source: str) -> list[str]:
    """The texts in a script or a page, in English."""
    return [*SCRIPT_PHRASE.findall(source), *PAGE_PHRASE.findall(source)]


def translations(words: Words, phrases: Iterable[str]) -> dict[str, str]:
    """The phrases of a page that are others in the language of its reader."""
    translated = ((phrase, words.template(phrase)) for phrase in phrases)
    return {phrase: text for phrase, text in translated if text != phrase}


class Session:
    """The session of a page at a table; `seat` is that of its person, None for a spectator.

    Where the game does not speak the `language` of the person, they read the words of its rules.
    """

    def __init__(self, table: Table, seat: str | None, language: str = "") -> None:
        self.table, self.seat = table, seat
        self.language = language if language in self._spoken() else OWN
        self._log: tuple[LogLine, ...] = ()
        self._board: BoardView | None = None
        self._shown: Position | None = None

    @property
    def words(self) -> Words:
        """The words that the person reads."""
        return self.table.reading(self.language).program.words

    # ------------------------------------------------------------ what the person sees

    def welcome(self) -> messages.Welcome:
        """The first message to a page."""
        table, words = self.table, self.words
        players = {
            seat: visible(table.names.get(seat, "")) if kind == PERSON else visible(kind)
            for seat, kind in table.kinds.items()
        }
        return messages.Welcome(
            table.game.name, visible(table.reading(self.language).game.title), seats_shown(table.game.seats, words),
            self.seat, players,
            words.language or "en", self._languages(),
            translations(words, phrases_of_page()),
        )  # fmt: skip

    def _languages(self) -> tuple[str, ...]:
        """The languages in which the table can be read, besides the words of its rules, which are listed as English."""
        return tuple(sorted({"en", *self._spoken()}))

    def _spoken(self) -> set[str]:
        """The languages that the game or Regelwerk itself speaks."""
        return {name for name in self.table.game.rules.model.words if name is not None} | catalogue_languages()

    def position(self) -> Position | None:
        """What the person sees now; None if nothing of it has changed since the last time."""
        table, now = self.table, shown_to(self.table, self.seat, self.language)
        state, view, lines = now.state, now.view, now.lines
        same = next((at for at, (old, new) in enumerate(zip(self._log, lines, strict=False)) if old != new), None)
        start = min(len(self._log), len(lines)) if same is None else same
        others = () if state.over or self.seat is None or table.game.is_open else [
            shown_to(table, seat, self.language).view for seat in table.game.seats if seat != self.seat
        ]  # fmt: skip
        scene = scene_of(view, others, self.words, names_turn=not is_secret(state, self.seat), rows=now.rows)
        position = Position(
            number=decisions_seen(state, self.seat or WATCHING, state.ply),
            scene=scene,
            board=None if view.board is self._board else board_shown(view, self.words),
            log=LogPart(start, lines[start:]),
            question=self._question(),
            waiting="" if state.over else self._waiting(state),
            may_undo=not state.over and self.seat is not None and table.has_decided(self.seat),
            asks=self._asks(),
            asked=self._asked(),
            clocks=self._clocks(),
            moved=self._moved(scene),
        )  # fmt: skip
        last_shown, is_logged = self._shown, start == len(lines) == len(self._log)
        if last_shown is not None and is_logged and _without_news(position) == _without_news(last_shown):
            return None
        self._board, self._log, self._shown = view.board, lines, position
        return position

    def _waiting(self, state: State) -> str:
        """Whom the table waits for."""
        words, player = self.words, state.player
        if is_secret(state, self.seat) or player is None:
            return words.phrase(SECRETLY)
        kind = self.table.kinds[player]
        if kind != PERSON:
            return words.phrase(THINKING, seat=words.name(player), bot=visible(kind))
        return words.phrase(WAITING, seat=words.name(player))

    def _asks(self) -> str:
        """The request to agree to an undo, if this seat has not answered it yet."""
        asking = self.table.asking
        if asking is None or self.seat not in asking.missing:
            return ""
        return asking.undo.request(self.words)

    def _asked(self) -> str:
        """Who has not answered yet whether this seat may undo; empty if it has not asked."""
        asking = self.table.asking
        if asking is None or self.seat != asking.undo.seat:
            return ""
        missing = [seat for seat in self.table.people if seat in asking.missing]
        return self.words.phrase(ASKED, seats=self.words.both([self.words.name(seat) for seat in missing]))

    def _clocks(self) -> tuple[messages.ShownClock, ...]:
        """The clocks of the people: of moves, only that of the decision which everybody sees pending."""
        clock, people = self.table.clock, self.table.people
        if clock is None or self.table.state.over:
            return ()
        return tuple(
            messages.ShownClock(
                seat, round(max(0.0, clock.remaining(seat)), 1), seat == clock.seat and clock.since is not None
            )
            for seat in people
            if clock.limit.per == "game" or seat == clock.seat
        )

    def _moved(self, scene: Scene) -> tuple[str, ...]:
        """The places of the board whose contents have changed since the page was shown the last position."""
        if self._shown is None:
            return ()
        earlier, now = self._shown.scene.contents, scene.contents
        return tuple(sorted(place for place in earlier.keys() | now.keys() if earlier.get(place) != now.get(place)))

    # ------------------------------------------------------------ the question

    def _question(self) -> Question | None:
        state = self.table.reading(self.language)
        question = state.question
        if question is None or self.seat is None or question.player != self.seat:
            return None
        moves = state.legal_moves
        text = self.words.phrase(
            question_phrase(question, moves), seat=self.words.name(self.seat),
            choice=choice_words(question, moves, self.words),
        )  # fmt: skip
        return Question(visible(text), self._step(Narrowing(moves)))

    def _step(self, narrowing: Narrowing) -> Step:
        step, move = narrowing.step(_fits), narrowing.move
        return Step(
            step.asked,
            tuple(map(visible, narrowing.answers)),
            tuple(None if part is None else visible(part) for part in step.label),
            step.part,
            () if move is not None else tuple(self._candidates(step)),
            None if move is None else self._chosen(move),
        )

    def _candidates(self, step: NarrowingStep) -> Iterator[Candidate]:
        """The candidates, each with the names of what only its moves are about, which can be pointed at as well."""
        about = [{name for move in candidate.moves for name in move.concerned} for candidate in step.candidates]
        uses = Counter(name for names in about for name in names)
        for candidate, named in zip(step.candidates, about, strict=True):
            names = (candidate.names & step.telling) | {name for name in named if uses[name] == 1}
            alone = candidate.moves[0] if step.asked == "move" and len(candidate.moves) == 1 else None
            words = candidate.words if alone is None or alone.label != candidate.words else words_of(alone, self.words)
            yield Candidate(visible(words), tuple(sorted(names)), len(candidate.moves))

    def _chosen(self, move: Move) -> ChosenMove:
        effects = self.table.reading(self.language).effects(move)
        label, names = visible(words_of(move, self.words)), tuple(sorted(move.concerned))
        return ChosenMove(move.notation, label, tuple(map(visible, effects)), names)

    def _narrowed(self, path: Sequence[messages.Answer]) -> Narrowing:
        """The moves that are left after some answers. Raises UsageError for an answer that leaves none."""
        narrowing = Narrowing(self.table.reading(self.language).legal_moves)
        for answer in path:
            match answer:
                case messages.Take(take=number):
                    candidates = narrowing.step(_fits).candidates
                    following = narrowing.answer(candidates[number]) if number < len(candidates) else None
                case messages.About(about=name):
                    following = narrowing.about(name, self.words.name(name))
                case messages.Match(words=text):
                    following = narrowing.filtered(text)
            if following is None:
                raise UsageError(Phrase("no legal move fits that answer"))
            narrowing = following
        return narrowing

    # ------------------------------------------------------------ messages of the page

    def answer(self, request: messages.Request) -> messages.Sent:
        """The reply to a message; what it changes at the table, all pages are shown afterwards."""
        try:
            return self._answer(request)
        except RegelwerkError as fault:
            return self.refused(request, fault)

    def refused(self, request: messages.Request, fault: RegelwerkError) -> Refused:
        """The reply to a message that cannot be met."""
        return Refused(request.id, self.wrong(fault))

    def at_a_loss(self) -> Note | None:
        """That the bot that has to decide moves at random; None if the person may not know that it has to."""
        seat = self.table.state.player
        if seat is None or is_secret(self.table.state, self.seat):
            return None
        return Note(at_a_loss(seat, self.words))

    def wrong(self, fault: RegelwerkError) -> str:
        """An error in words, as the person may be told of it."""
        return visible(self.words.fault(self.permitted(fault)))

    def permitted(self, fault: RegelwerkError) -> RegelwerkError:
        """An error as the person may be told of it."""
        if not isinstance(fault, PlayError) or self.table.state.over:
            return fault
        return told_to(self.seat or WATCHING, fault, is_open=self.table.game.is_open)

    def _answer(self, request: messages.Request) -> messages.Sent:
        match request:
            case messages.Rules():
                return Told(request.id, self.table.reading(self.language).game.title, self._rules())
            case messages.Ask():
                self._own(request.number)
                return Asked(request.id, self._step(self._narrowed(request.path)))
            case messages.Play():
                self.table.play(self._seated(), request.number, request.notation)
            case messages.Why() | messages.Hint() | messages.Know() | messages.Trace():
                return self.told(request, self.lengthy(request)())
            case messages.Undo():
                self.table.ask_undo(self._seated())
            case messages.Consent():
                self.table.consent(self._seated(), request.agree)
        return Done(request.id)

    def _seated(self) -> str:
        if self.seat is None:
            raise UsageError(Phrase("spectators only watch"))
        return self.seat

    def _own(self, number: int) -> None:
        """Raise UsageError unless the pending decision is that of the seat, with this number."""
        if self.table.state.player != self._seated() or number != self.table.known(self.seat):
            raise UsageError(Phrase("somebody else has to decide now"))

    def lengthy(self, request: messages.Lengthy) -> Callable[[], Answer]:
        """What takes seconds of an answer, to be called here or in another process. Raises UsageError.

        It knows what the person is shown: while another decides secretly, no value may tell.
        """
        state = self.table.shown(self.seat, self.language).copy()
        if isinstance(request, messages.Why):
            return partial(explain, state, request.text, None if state.over else self._seated(), about=request.about)
        if isinstance(request, messages.Trace):
            return partial(trace, *self.traced(), request.ply)
        if isinstance(request, messages.Know):
            return partial(know, state, self._seated(), thorough=request.thorough)
        self._own(self.table.known(self.seat))
        return partial(advise, state, self._seated())

    def traced(self) -> tuple[State, str | None]:
        """The game whose trace the person may see, and as whose; None for everything. Raises UsageError."""
        state = self.table.shown(self.seat, self.language).copy()
        return state, None if state.over else self._seated()

    def told(self, request: messages.Lengthy, answer: Answer) -> Told:
        """The reply to a question that took long."""
        lines = tuple((depth, visible(line)) for depth, line in answer.lines)
        return Told(request.id, visible(answer.title), lines, _table(answer.table), answer.decision, answer.is_estimate)

    def _rules(self) -> tuple[tuple[int, str], ...]:
        game = self.table.reading(self.language).game
        return tuple(
            (depth, visible(line)) for depth, line in _summary(rules_summary(game.rules.model, self.words), self.words)
        )


def _table(cells: Mapping[str, Mapping[str, str]]) -> ShownTable | None:
    """A table of texts by the labels of its rows and columns; None for none."""
    rows = tuple(
        (TextCell(visible(label)), *(TextCell(visible(text)) for text in row.values())) for label, row in cells.items()
    )
    columns = tuple(map(visible, next(iter(cells.values())))) if cells else ()
    return ShownTable("", ("", *columns), rows) if rows else None


def _without_news(position: Position) -> Position:
    """A position without what says how it differs from the one before, and without the time that has passed."""
    clocks = tuple(replace(clock, seconds=0.0) for clock in position.clocks)
    return replace(position, moved=(), log=LogPart(0, ()), board=None, clocks=clocks)


def _fits(texts: Sequence[str]) -> bool:
    return len(texts) <= MAX_CANDIDATES


def _summary(summary: RulesSummary, words: Words) -> Iterator[tuple[int, str]]:
    if summary.sentence:
        yield 0, summary.sentence
    yield 0, words.phrase("who wins")
    yield from ((1, goal) for goal in summary.goal)
    yield 0, words.phrase("course of play")
    for phase in summary.phases:
        yield phase.depth + 1, ", ".join((phase.name, *phase.ends))
        yield from ((phase.depth + 2, decision) for decision in phase.decisions)
    if summary.actions:
        yield 0, words.phrase("what may be done")
    for action in summary.actions:
        yield 1, f"{action.name}: {action.label}" if action.label else action.name
        yield from ((2, words.phrase("not allowed: ") + condition.reason) for condition in action.conditions)
    if summary.scoring:
        yield 0, words.phrase("points are given for")
        yield from ((1, reason) for reason in summary.scoring)
