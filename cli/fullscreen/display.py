"""The panes of the full screen, which show table, log and question to the person at the keyboard.

    head              title, phase, whose turn it is, the letters of the seats
    board | tables    side by side, one above the other, or one at a time, by the size of the terminal
          | log
    news              the latest lines of the log
    own               what only this person sees, if others may not: the hand stays in sight
    asking            the question, the answers so far, the candidates, the input line
    foot              keys, or a message

Everything is drawn again after each change, except the board, which is compared with what has been drawn before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from cli.fullscreen.arrangement import (
    MIN_LOG_LINES,
    MIN_SCREEN,
    NEWS_LINES,
    Arrangement,
    arranged,
    columns_of_tables,
    lines_of_board,
    most_lines,
    most_own_lines,
)
from cli.fullscreen.board_pane import BoardPane
from cli.fullscreen.candidates import CandidateList, height
from cli.fullscreen.command_line import KEYS, CommandLine
from cli.fullscreen.sight import Sight, own_lines
from cli.play import requests
from cli.render.board import board_drawing
from cli.render.ending import phase_words
from cli.render.log import story
from cli.render.moves import ask, asked, places_in
from cli.render.palette import palette
from cli.render.pieces import phrase_text
from cli.render.tables import columns_needed, draw_tables, legend_parts, on_board
from cli.widgets.full_screen import FullScreen
from cli.widgets.scroll_pane import ScrollPane
from interpreter.play.story import news
from interpreter.play.undo import before_last_pick
from interpreter.seat.narrowing import Narrowing, NarrowingStep
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.play.story import RenderedEntry
    from interpreter.seat.views.model import View

PANES = ("board", "tables", "log")
PANE_NAMES = {"board": Phrase("board"), "tables": Phrase("tables"), "log": Phrase("log")}
PARTS = frozenset(
    ["head", "board", "tables", "log", "news", "own", "label", "candidates", "prompt", "input", "foot", "small"]
)
"""The parts of the screen that are drawn."""
PANE_EDGE = 2
"""Columns of a pane for its scrollbar and the gap beside it."""


class Display(FullScreen[str], inherit_bindings=False):
    """A game in full screen, without its keys. The app's result is the reason for closing it."""

    AUTO_FOCUS = "#input"
    CSS_PATH = "fullscreen.tcss"

    def __init__(self, sight: Sight) -> None:
        super().__init__()
        self.sight, self.course = sight, sight.course
        self.session = sight.course.session
        self.title = self.session.game.title
        self.look = palette(self.session.game.seats, self.session.words)
        self.words = self.look.words
        self.arrangement = Arrangement.NONE
        self.pane = 0
        self.names = False
        self.chosen: int | None = None
        self.message = ""
        self._drawn: tuple[object, ...] = ()

    # ---- the screen

    def compose(self) -> ComposeResult:
        """The title line, the panes, the latest log lines, the question with its candidates, a line of keys."""
        yield Static(id="head")
        with Container(id="panes"):
            yield BoardPane(id="board")
            for name in PANES[1:]:
                pane = ScrollPane(id=name)
                pane.can_focus = False
                yield pane
        yield Static(id="news")
        yield Static(id="own")
        with Vertical(id="asking"):
            yield Static(id="label")
            yield CandidateList(id="candidates")
            with Horizontal(id="line"):
                yield Static(id="prompt")
                yield CommandLine(id="input")
        yield Static(id="foot")
        yield Static(id="small")

    @property
    def line(self) -> CommandLine:
        """The input line."""
        return self.query_one(CommandLine)

    @property
    def candidates(self) -> CandidateList:
        """The list of candidates."""
        return self.query_one(CandidateList)

    def pane_of(self, name: str) -> ScrollPane:
        """A pane by its name."""
        return self.query_one(f"#{name}", ScrollPane)

    @property
    def board(self) -> BoardPane:
        """The pane of the board."""
        return self.query_one(BoardPane)

    @property
    def shown_panes(self) -> list[str]:
        """The panes that this game has, in order."""
        return [name for name in PANES if name != "board" or self.sight.now.view.board is not None]

    def on_main_screen_resized(self) -> None:
        """Rearrange the panes."""
        self.show()

    def arrange(self) -> None:
        """Show the panes that fit."""
        self.arrangement = arranged(self.size.width, self.size.height)
        panes_shown = self.shown_panes
        tables = columns_of_tables(self.size.width, columns_needed(self.sight.now.view, self.look) + PANE_EDGE)
        panes = self.query_one("#panes", Container)
        panes.styles.grid_columns = f"1fr {tables}" if "board" in panes_shown else "3fr 2fr"
        if self.arrangement is Arrangement.ONE:
            panes.styles.grid_columns = "1fr"
        elif (
            self.arrangement is Arrangement.SIDE
            and "board" in panes_shown
            and self._board_lines(self.size.width - tables) + MIN_LOG_LINES >= self._room()
        ):
            self.arrangement = Arrangement.TALL
        for arrangement in Arrangement:
            self.default_screen.set_class(arrangement is self.arrangement, f"-{arrangement.value}")
        self.default_screen.set_class("board" not in panes_shown, "-boardless")
        self.pane %= len(panes_shown)
        for name in PANES:
            is_single = self.arrangement is Arrangement.ONE
            self.pane_of(name).display = name == panes_shown[self.pane] if is_single else name in panes_shown
            self.pane_of(name).set_class(not is_single and name == panes_shown[self.pane], "-current")
        columns, lines = MIN_SCREEN
        self.query_one("#small", Static).update(
            self.words.phrase(
                "the table needs at least {columns} columns by {lines} lines; Ctrl-Q saves and stops",
                columns=columns, lines=lines,
            )
        )  # fmt: skip

    def seat_text(self, seat: str, *, bold: bool = True) -> Text:
        """The name of a seat in its colour."""
        return Text(self.look.words.name(seat), style=f"{'bold ' * bold}{self.look.style(seat)}")

    # ---- showing the game

    @property
    def is_closed(self) -> bool:
        """True if a part of the screen is gone: a bot may still be thinking while it closes, part by part."""
        return not {node.id for node in self.default_screen.walk_children()} >= PARTS

    def show(self) -> None:
        """Redraw everything; nothing is shown while the keyboard is passed on."""
        if self.is_closed:
            return
        if self.course.is_covered:
            self._clear()
            return
        self.arrange()
        view = self.sight.now.view
        self._head(view)
        self._panes(view)
        self.show_question()
        self._foot()

    def _clear(self) -> None:
        """Empty all panes and lines."""
        self._drawn = ()
        self.board.draw(None)
        for name in PANES[1:]:
            self.pane_of(name).write(lambda width: ())
        for name in ("head", "news", "own", "label", "prompt"):
            self.query_one(f"#{name}", Static).update("")
        self.query_one("#asking", Vertical).border_title = ""
        self.candidates.show((), None, 0)
        self.line.forget()

    def _head(self, view: View) -> None:
        turn = phrase_text(self.words, "turn of {seat}", seat=self.seat_text(view.turn)) if view.turn else Text()
        over = Text(self.words.phrase("the game is over")) if view.over else Text()
        title = Text(self.title, style="bold")
        parts = [part for part in (title, Text(phase_words(view, self.look.words)), turn, over) if part]
        head = Text(" ").append_text(Text("  ").join(parts))
        letters = Text("  ").join(legend_parts(view.seats, self.look))
        if head.cell_len + letters.cell_len + 4 <= self.size.width:
            head.append(" " * (self.size.width - head.cell_len - letters.cell_len - 1)).append_text(letters)
        self.query_one("#head", Static).update(head)

    def _panes(self, view: View) -> None:
        look = self.look
        tables = self.pane_of("tables")
        tables.border_title = Text(self.words.phrase(PANE_NAMES["tables"]))
        tables.write(lambda width: [draw_tables(view, look, width, board="none")])
        lines, since = self.sight.now.log, self.sight.since
        log = self.pane_of("log")
        log.border_title = Text(self.words.phrase(PANE_NAMES["log"]))
        log.write(lambda width: self._story(lines, since))
        log.scroll_end(animate=False)
        if view.board is not None:
            names = self.words.phrase(", names of places") if self.names else ""
            self.pane_of("board").border_title = Text(f"{view.board.name}{names}")
        if self.arrangement is Arrangement.ONE:
            panes_shown = self.shown_panes
            self.pane_of(panes_shown[self.pane]).border_title = Text("  ").join(
                Text(self.words.phrase(PANE_NAMES[name]), style="reverse" if number == self.pane else "")
                for number, name in enumerate(panes_shown)
            )
        own_text = self.query_one("#own", Static)
        texts = self._own(view)
        own_text.display = bool(texts)
        own_text.update(Text("\n").join(texts))
        last = lines[since:][-NEWS_LINES:]
        self.query_one("#news", Static).update(Text("\n").join(map(self._line_of_log, last)))

    def _board(self, view: View, step: NarrowingStep | None) -> None:
        """Show the board, with the names of the places in the remaining moves; those of candidates are highlighted."""
        board, upon, look, names = view.board, on_board(view), self.look, self.names
        if board is None:
            return
        named_places = places_in(step.moves) if step is not None else frozenset()
        lit = board.standing_for(step.telling) if step is not None else frozenset()
        room, moved = self._room(), self.sight.now.moved
        drawn = (view, named_places, lit, names, room, moved)
        if drawn != self._drawn:
            self._drawn = drawn
            self.board.draw(
                lambda width: board_drawing(
                    board, upon, look, width, room, names=names, named_places=named_places, lit=lit, moved=moved
                )
            )

    def _room(self) -> int:
        """The lines of the board pane."""
        own_height = most_own_lines(self.size.height) if self.sight.now.others else 0
        return lines_of_board(self.arrangement, self.size.height, own_height)

    def _board_lines(self, width: int) -> int:
        """The lines of the board and its legend in a pane of a width."""
        view = self.sight.now.view
        assert view.board is not None
        drawing = board_drawing(view.board, on_board(view), self.look, width - PANE_EDGE, self._room(), lit=())
        return len(drawing.picture) + (len(drawing.legend) if drawing.beside is None else 0)

    def _own(self, view: View) -> list[Text]:
        """What only the person at the keyboard sees."""
        if not self.sight.now.others:
            return []
        height = most_own_lines(self.size.height)
        return own_lines(view, self.sight.now.others, self.look, self.size.width - 2, height)

    def _story(self, lines: Sequence[RenderedEntry], since: int) -> list[RenderableType]:
        """The log, with a heading after the last decision of the person at the keyboard."""
        every = self.course.details
        earlier, news = lines[:since], lines[since:]
        rule: list[RenderableType] = (
            [Text(self.words.phrase("since your last decision"), style="bold")] if earlier and news else []
        )
        return [*story(earlier, self.look, every=every), *rule, *story(news, self.look, every=every)]

    def _line_of_log(self, line: RenderedEntry) -> Text:
        text = Text(no_wrap=True, overflow="ellipsis")
        if line.seat:
            text.append_text(self.seat_text(line.seat, bold=False)).append("  ")
        return text.append("; ".join((line.text, *news(line, self.look.letters, self.look.words))))

    # ---- the question

    @property
    def narrowing(self) -> Narrowing | None:
        """The answers so far; None if nobody has to decide."""
        return self.course.narrowing if isinstance(self.course.request, requests.Ask) else None

    def fits(self, words: Sequence[str]) -> bool:
        """True if a list of candidates fits into its share of the screen."""
        return height(words, self.candidates.size.width or self.size.width) <= most_lines(self.size.height)

    def step(self) -> NarrowingStep | None:
        """The question, narrowed by the input; None if nobody has to decide."""
        return None if self.narrowing is None else self.narrowed_by(self.line.value, self.narrowing).step(self.fits)

    def narrowed_by(self, text: str, narrowing: Narrowing) -> Narrowing:
        """The moves that remain while a text is typed; `app.py` narrows them."""
        return narrowing

    def show_question(self) -> None:
        """Show the question, its candidates, and the input line."""
        step, asking = self.step(), self.query_one("#asking", Vertical)
        if not self.course.is_covered:
            self._board(self.sight.now.view, step)
        label = self.query_one("#label", Static)
        state = self.session.state
        if step is None or self.narrowing is None or state.question is None or state.player is None:
            self.show_waiting()
            label.display = False
            self.candidates.show((), None, 0)
        else:
            asking.border_title = ask(
                state.question, state.legal_moves, self.look, before_last_pick(state) is not None
            )  # fmt: skip
            words = asked(self.narrowing, step, self.words).append_text(self._preview(step))
            label.display = bool(words)
            label.update(words)
            if self.chosen is not None:
                self.chosen %= len(step.candidates)
            self.candidates.show(step.candidates, self.chosen, most_lines(self.size.height))
        name = self.look.words.name(self.course.seat) if self.course.seat is not None else ""
        self.query_one("#prompt", Static).update(Text(f"{name}>", style="bold"))

    def show_waiting(self) -> None:
        """Show why no question is asked now."""
        if self.is_closed:
            return
        self.query_one("#asking", Vertical).border_title = Text(self.sight.waiting)

    def _preview(self, step: NarrowingStep) -> Text:
        """The effects of the chosen move, as far as the seat can tell."""
        moves = step.candidates[self.chosen].moves if self.chosen is not None else step.moves
        if len(moves) != 1:
            return Text()
        return Text("  ".join(f"→ {line}" for line in self.session.state.effects(moves[0])), style="cyan")

    # ---- the bottom line

    def say(self, message: str) -> None:
        """Show a message in place of the keys, until something is typed."""
        self.message = message
        self._foot()

    def _foot(self) -> None:
        if self.message:
            self.query_one("#foot", Static).update(Text(f" {self.message}", style="bright_yellow"))
            return
        foot, room = Text(), self.size.width
        for key, _, brief in KEYS:
            words = f" {self.words.phrase(brief)} "
            entry = Text.assemble((f" {self.words.phrase(key)}", "bold bright_yellow"), words)
            if brief and foot.cell_len + entry.cell_len <= room:
                foot.append_text(entry)
        self.query_one("#foot", Static).update(foot)
