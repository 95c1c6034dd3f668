"""The screens of play, composed from the renderers; they only write."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cli.play.answers import summarised
from cli.render.board import draw_board
from cli.render.diagnostics import coloured
from cli.render.ending import divergence, explanations, head_words, score_table
from cli.render.log import story
from cli.render.moves import ask, asked, lines_of, numbered, numbered_words, places_in
from cli.render.palette import Palette
from cli.render.pieces import Flow, Hanging, phrase_text
from cli.render.screen import refit, show
from cli.render.tables import BoardForm, draw_tables, legend, legend_parts, on_board
from cli.save_paths import save_argument, short, typed_command
from interpreter.play.story import RenderedEntry
from interpreter.play.undo import before_last_pick
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from dsl.boards import Board
    from dsl.diagnostics import Diagnostic
    from interpreter.play.game import State
    from interpreter.play.saves.replay import Divergence
    from interpreter.seat.narrowing import Narrowing, NarrowingStep

LOG_LINES = 24
MIN_LIST_LINES = 6
"""Lines that a list of moves may take even on a small terminal."""
HELP = (
    ("3", Phrase("answer with that number")),
    (Phrase("name(argument, …)"), Phrase("make a move written as in saves and examples")),
    (
        Phrase("some words"),
        Phrase("narrow the moves to those with these words, and make the move if there is only one"),
    ),
    (Phrase("Enter"), Phrase("show the moves again; make a thinking bot move at once")),
    ("view, table", Phrase("show the table again")),
    ("names", Phrase("show the board with the names of its places")),
    ("rules", Phrase("summarise the rules: who wins, what players may do")),
    ("log, log 50, log all", Phrase("show what happened so far")),
    (Phrase("why MOVE"), Phrase("explain why a move is legal or not")),
    (Phrase("why VALUE"), Phrase("explain a value, or show what changed a place: why hand[me]")),
    ("know", Phrase("show what you can infer about hidden things, and others about yours")),
    (Phrase("preview MOVE"), Phrase("show what a move changes, as far as you can tell")),
    ("hint, hint 5s, hint 1000", Phrase("show the best moves, found by a search of 1 s, 5 s or 1,000 iterations")),
    ("thoughts", Phrase("show what a thinking bot considers, or no longer")),
    ("t, trace", Phrase("open the viewer: what the rules did")),
    ("back", Phrase("one answer back, or the last of several picks")),
    ("undo", Phrase("go back to your last decision")),
    (Phrase("save, save FILE"), Phrase("show where the save is; write a copy to FILE")),
    ("?, help", Phrase("show this help")),
    ("quit", Phrase("save and stop; Ctrl-C does the same at any time")),
)


def help_rows(words: Words) -> Iterator[tuple[str, str]]:
    """The commands of the prompt with their meaning; those that are typed as they are here are not translated."""
    for command, meaning in HELP:
        yield words.phrase(command) if isinstance(command, Phrase) else command, words.phrase(meaning)


class Screens:
    """Writes the screens of one game to one console."""

    def __init__(self, console: Console, look: Palette, board: BoardForm = "picture") -> None:
        self.console, self.look, self.board = console, look, board

    @property
    def words(self) -> Words:
        """The words in which the game is shown, and the command speaks."""
        return self.look.words

    @property
    def list_width(self) -> int:
        """The width of lists: what is read aloud has one column."""
        return 1 if self.board == "words" else self.console.width

    def show(self, *parts: RenderableType) -> None:
        """Write parts one below the other."""
        show(self.console, *parts)

    def path(self, words: str, path: Path) -> None:
        """Show a path after some words, unbroken, so that it can be copied."""
        self._unbroken(f"{words}{short(path)}")

    def command(self, text: str, verb: str, path: Path) -> None:
        """Show the command for a save after some words."""
        self._unbroken(text + typed_command(verb, save_argument(path), self.words))

    def _unbroken(self, text: str) -> None:
        self.console.print(Text(f" {text}", style="dim"), soft_wrap=True)

    def say(self, words: str, style: str = "") -> None:
        """Show one sentence, indented."""
        self.show(Hanging(Text(" "), Text(words, style=style)))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Show errors in changed rules."""
        self.show(*(coloured(diagnostic) for diagnostic in diagnostics))

    def diverged(self, state: State, first_illegal: Divergence, people: Sequence[str]) -> None:
        """Show the first decision that is no longer legal, with the table before it."""
        self.show(*divergence(state, first_illegal, people, self.console.width))

    def title(self, session: PlaySession, resumed: bool) -> None:
        """Show the game, its seats, its seed, and where it is saved."""
        game = session.game
        words, title = self.words, Text(game.title, style="bold")
        self.show(Text(" ").append_text(phrase_text(words, "{title}, resumed", title=title) if resumed else title))
        players = words.counted_phrase("{number} player", "{number} players", len(game.seats))
        seats = Text(f" {players}: ")
        kinds = [self._seated(seat, session) for seat in game.seats]
        self.show(Hanging(seats, Text(", ").join(kinds)))
        if game.board is not None:
            self.show(
                Hanging(Text(f" {words.phrase('board: ')}"), Text(_board_words(game.board, game.rules.board, words)))
            )
        self.say(words.phrase("seed {seed}", seed=session.seed) + _options(session), "dim")
        self.path(words.phrase("saved after every decision: "), session.path)
        if session.people:
            self.say(words.phrase("? for help, quit to stop"), "dim")

    def _seated(self, seat: str, session: PlaySession) -> Text:
        you = self.words.phrase("you") if session.people == [seat] else session.kinds[seat]
        return Text.assemble((self.look.words.name(seat), self.look.style(seat)), f" ({you})")

    def _ruled(self, head: Text, sign: str, style: str) -> RenderableType:
        """A heading with a line behind it; without one where it is read aloud, as each of its signs would be."""
        return head if self.board == "words" else Rule(head, characters=sign, style=style, align="left")

    def table(self, session: PlaySession, seat: str | None) -> None:
        """Show the table as a seat sees it, under a line with phase and seat."""
        refit(self.console)
        view = session.view(seat)
        words = Text(f" {head_words(view, self.words)}", style="bold")
        letters = Text("  ").append_text(legend(view.seats, self.look)) if self.board != "words" else Text()
        fits = not letters or words.cell_len + letters.cell_len + 4 <= self.console.width
        self.show(Text(), self._ruled(words.append_text(letters) if fits else words, "─", "dim"))
        if not fits:
            self.show(Padding(Flow(legend_parts(view.seats, self.look), " "), (0, 0, 0, 1)))
        deciding = session.state.legal_moves if seat is not None and seat == session.state.player else ()
        self.show(draw_tables(view, self.look, self.console.width, places_in(deciding), board=self.board))

    def names(self, session: PlaySession, seat: str | None) -> None:
        """Show the board with the names of its places."""
        refit(self.console)
        view = session.view(seat)
        if view.board is None:
            self.say(self.words.phrase("this game has no board to draw"))
            return
        self.show(draw_board(view.board, on_board(view), self.look, self.console.width, names=True))

    def rules(self, session: PlaySession) -> None:
        """Show a summary of the rules."""
        self.show(Text(), *summarised(session), Text())

    def happened(
        self, lines: Sequence[RenderedEntry], heading: str, *, details: bool = False, most: int = LOG_LINES
    ) -> None:
        """Show the last lines of the log."""
        if not lines:
            return
        omitted = len(lines) - most
        self.show(Text(f" {heading}", style="bold"))
        if omitted > 0:
            text = self.words.phrase("… {number} more before: log all", number=omitted)
            self.show(Text(f"  {text}", style="dim"))
        self.show(*story(lines[-most:], self.look, every=details))

    def announced(self, texts: Sequence[str]) -> None:
        """Show announcements."""
        self.show(Text(), *(Hanging(Text("  "), Text(text, style="bold")) for text in texts))

    def fits(self, words: Sequence[str]) -> bool:
        """True if a list fits into half the screen; in a pipe everything fits."""
        if not (self.console.is_terminal and sys.stdin.isatty()):
            return True
        return lines_of(words, self.list_width) <= max(MIN_LIST_LINES, self.console.height // 2)

    def question(self, session: PlaySession, narrowing: Narrowing, step: NarrowingStep) -> None:
        """Show the question to the deciding seat, its answers so far, and the candidates for the next one."""
        state = session.state
        if state.question is not None and state.player is not None:
            self.show(ask(state.question, state.legal_moves, self.look, before_last_pick(state) is not None))
        if step.asked == "move":
            if narrowing.in_doubt:
                self.show(Text("  ").append_text(asked(narrowing, step, self.words)))
            self.show(*numbered(step.moves, self.list_width, self.look.words))
        else:
            self.show(Text("  ").append_text(asked(narrowing, step, self.words)))
            self.show(*numbered_words([candidate.words for candidate in step.candidates], self.list_width))

    def help(self) -> None:
        """Show the commands of the prompt."""
        grid = Table.grid(padding=(0, 2))
        for command, meaning in help_rows(self.words):
            grid.add_row(Text(f"  {command}", style="bold"), Text(meaning))
        self.show(grid)

    def hand_over(self, seat: str) -> None:
        """Show an empty screen for the next person."""
        name = Text(self.look.words.name(seat), style=f"bold {self.look.style(seat)}")
        text = phrase_text(self.words, "pass the keyboard to {seat}", seat=name)
        self.show(Text(), Text("      ").append_text(text), Text())

    def show_how_to_resume(self, session: PlaySession) -> None:
        """Show how to resume, when somebody quits or asks for the save."""
        if session.state.over:
            self.finished(session)
        elif session.unsaved:
            self._not_saved(session)
        else:
            self.command(self.words.phrase("saved; resume with: "), "play --resume", session.path)

    def finished(self, session: PlaySession) -> None:
        """Show what can be done with a game that is over."""
        if session.unsaved:
            self._not_saved(session)
        else:
            self.command(self.words.phrase("the whole game, step by step: "), "trace", session.path)
        self._unbroken(self.words.phrase("play again: ") + session.repeat_command)

    def _not_saved(self, session: PlaySession) -> None:
        self.path(self.words.phrase("NOT saved ({reason}): ", reason=session.unsaved), session.path)

    def end(self, session: PlaySession) -> None:
        """Reveal everything, and explain every point."""
        outcome = session.state.outcome
        if outcome is None:
            return
        refit(self.console)
        self.show(Text(), self._ruled(Text(self.words.phrase("the game is over"), style="bold"), "═", "rule.line"))
        self.show(Hanging(Text(" "), Text(outcome.reason, style="bold")), Text())
        self.show(score_table(outcome, self.look), Text())
        view = session.state.view(None)
        if self.board != "words":
            self.show(Text(" ").append_text(legend(view.seats, self.look)))
        self.show(draw_tables(view, self.look, self.console.width, board=self.board))
        self.show(Text(f" {self.words.phrase('where the points came from')}", style="bold"))
        self.show(*explanations(outcome, self.look), Text())
        self.finished(session)


def _board_words(board: Board, file: Path | None, words: Words) -> str:
    """The name of a board, with the file of a custom board and the note about a reconstruction."""
    name = f"{board.name} ({file.name})" if file else board.name
    if not board.reconstruction:
        return name
    return f"{words.phrase('{name}, a reconstruction.', name=name)} {board.note or ''}".rstrip()


def _options(session: PlaySession) -> str:
    """The options that differ from the defaults in the rules file."""
    game = session.game
    defaults = {info.name: info.default for info in game.option_info}
    phrase = game.words.phrase
    changed = [
        phrase("{option} is {value}", option=name, value=value)
        for name, value in game.options.items()
        if value != defaults.get(name)
    ]
    return phrase("; option {settings}", settings=", ".join(changed)) if changed else ""
