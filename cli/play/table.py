"""A game in progress: its state, who plays which seat, notes, and the save it is written to."""

from __future__ import annotations

import shlex
from contextlib import ExitStack, suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import CommandError
from cli.play.bots import Bots
from cli.play.hints import Hints
from cli.play.prompt import Command, Unclear, read_answer
from cli.play.seats import fill_kinds, people
from cli.save_paths import MAX_NAMES, first_unused, save_argument, short, typed_command, unused_save
from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import percent
from dsl.text.visible import visible
from interpreter.errors import PlayError, SaveError
from interpreter.loading.game_library import game_named
from interpreter.play.public_faults import push_at_table
from interpreter.play.saves.files import Note, SaveMeta, save_fingerprint, write_save
from interpreter.play.story import RenderedEntry, story_of
from interpreter.play.trace.failed_decision import told_to
from interpreter.seat.notation.reading import Vocabulary
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.situation import Considered
    from interpreter.play.game import Game, State
    from interpreter.seat.narrowing import Narrowing, NarrowingStep
    from interpreter.seat.notation.moves import Move
    from interpreter.seat.views.model import View

NO_MOVE = Phrase("no move is possible here, and the game is not over")
"""The error of a decision without any legal move."""


@dataclass
class PlaySession:
    """One game being played.

    `shown_until` is the decision up to which events have been shown to a seat, `noted` the number of notes shown;
    `forced` holds the decisions that `play` made because there was only one legal move.
    """

    state: State
    kinds: dict[str, str]
    seed: int
    path: Path
    notes: list[Note] = field(default_factory=list)
    opened: bool = False
    shows_thoughts: bool = False
    shown_until: dict[str, int] = field(default_factory=dict)
    noted: dict[str, int] = field(default_factory=dict)
    forced: set[int] = field(default_factory=set)
    unsaved: str = ""
    moved: str = ""
    """That the game continues in another save, until `warning` has been asked for."""
    claims: ExitStack = field(default_factory=ExitStack)
    """The claims to the saves that are written."""
    failing: str | None = None
    """The move in which a rule failed, if that ended the game."""
    fingerprint: str | None = None
    """That of the save as this process left it, or found it at first."""
    bots: Bots = field(init=False)
    hints: Hints = field(init=False)

    def __post_init__(self) -> None:
        self.bots, self.hints = Bots(self.kinds), Hints()
        self.fingerprint = self.fingerprint or save_fingerprint(self.path)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.state.game

    @property
    def words(self) -> Words:
        """The words in which the game is shown, and the command speaks."""
        return self.state.program.words

    @property
    def people(self) -> list[str]:
        """The seats played by people."""
        return people(self.kinds)

    @property
    def viewer(self) -> str | None:
        """The seat whose view is shown by default: the only person's, or None for what everybody may see."""
        return self.people[0] if len(self.people) == 1 else None

    def view(self, seat: str | None) -> View:
        """The view of a seat; everything if the game is open to all."""
        return self.state.view(None if self.opened else seat)

    def log(self, seat: str | None, since: int = 0, noted: int = 0) -> list[RenderedEntry]:
        """What a seat may know of the log since a decision, with the notes from number `noted` on inserted."""
        return story_of(self.state, seat, self.notes[noted:], self.forced, since, self.opened)

    def news(self, seat: str) -> list[RenderedEntry]:
        """The log since a seat last saw it; setup only the first time."""
        lines = self.log(seat, self.shown_until.get(seat, 0), self.noted.get(seat, 0))
        return [line for line in lines if line.number > 0 or line.kind != "chance" or seat not in self.shown_until]

    def make(self, move: Move) -> None:
        """Make one decision and save. `play` makes those without alternatives."""
        ply, forced, person = self.state.ply, len(self.state.legal_moves) == 1, self.state.player in self.people
        self.failing = None
        try:
            push_at_table(self.state, move)
        except PlayError:
            with suppress(PlayError):  # the words of the move may be what fails
                self.failing = move.notation
            raise
        if forced:
            self.forced.add(ply)
        self.save(durable=person)

    @property
    def hidden_from(self) -> str | None:
        """A seat of a person from which something may be hidden, as `told_to` expects it; None if all may be told."""
        return self.people[0] if self.people and not self.opened and not self.state.over else None

    def told(self, fault: PlayError) -> PlayError:
        """An error as the people at the keyboard may be told of it."""
        return told_to(self.hidden_from, fault, is_open=self.game.is_open)

    def answer(self, line: str, narrowing: Narrowing, step: NarrowingStep) -> Command | Narrowing | Unclear:
        """Interpret what the deciding seat answers to a question; see `read_answer`."""
        return read_answer(line, self.state.legal_moves, narrowing, step, Vocabulary.of(self.state.program))

    def may_know_question(self, seat: str | None) -> bool:
        """True if a seat may know who has to decide."""
        question = self.state.question
        return question is not None and (not question.secretly or question.player == seat or self.opened)

    def thinking(self, seat: str | None) -> str:
        """The message to a seat that a bot is thinking; it names the bot only if the seat may know who decides."""
        thought, player = self.bots.thought, self.state.player
        seconds = 0 if thought is None else int(thought.seconds)
        if player is None or not self.may_know_question(seat):
            return self.words.phrase("play continues, {seconds} s", seconds=seconds)
        name, kind = self.words.name(player), visible(self.kinds[player])
        considered = self._considered(seat)
        if considered is None:
            return self.words.phrase("{seat} is thinking ({bot}), {seconds} s", seat=name, bot=kind, seconds=seconds)
        moves = "; ".join(
            f"{self.state.legal_moves[number].label}{'' if share is None else f' {percent(share)}'}"
            for number, share in considered.moves
        )
        if considered.depth is not None:
            return self.words.phrase(
                "{seat}, {seconds} s, {number} decisions ahead: {moves}",
                seat=name, seconds=seconds, number=considered.depth, moves=moves,
            )  # fmt: skip
        return self.words.phrase(
            "{seat}, {seconds} s, {number} iterations: {moves}",
            seat=name, seconds=seconds, number=considered.iterations or 0, moves=moves,
        )  # fmt: skip

    def _considered(self, seat: str | None) -> Considered | None:
        """What the thinking bot considers, if that is wanted and a seat may know it.

        The moves that a bot considers, and what they are worth to it, follow from all that it knows. They are shown
        only to somebody who knows as much: where nothing is hidden from anybody, or everything is shown.
        """
        thought = self.bots.thought
        if not self.shows_thoughts or thought is None or not self.may_know_question(seat):
            return None
        from interpreter.opponents.information import is_known  # start-up of play: it needs the compiler's rooms

        return thought.considered if self.opened or is_known(self.game) else None

    @property
    def repeat_command(self) -> str:
        """The command that plays the same game again, with other chance."""
        game, words = self.game, list[str]()
        if game.given is not None:  # the file of its text may be anywhere
            return typed_command("play --resume", f"{save_argument(self.path)} --at 0", game.words)
        named = game_named(game.name) == game.rules.path
        words.append(game.name if named else str(game.rules.path))
        if game.seats != game.rules.model.file.header.seats[: game.rules.model.file.header.fewest]:
            words += ["--players", ",".join(game.seats)]
        defaults = {info.name: info.default for info in game.option_info}
        for name, value in game.options.items():
            if value != defaults.get(name):
                words += ["--option", f"{name}={value}"]
        for path in game.rules.variants:
            words += ["--variant", str(path)]
        if game.rules.board is not None:
            words += ["--board", str(game.rules.board)]
        if self.kinds != fill_kinds({}, game.seats):
            for seat, kind in self.kinds.items():
                words += ["--seat", f"{seat}={kind}"]
        return typed_command("play", shlex.join(words), game.words)

    def go_back_to(self, state: State) -> None:
        """Continue from a state with fewer decisions, and forget that later events were shown."""
        self.bots.forget()
        self.state = state
        self.shown_until = {seat: min(ply, state.ply) for seat, ply in self.shown_until.items()}
        self.forced = {number for number in self.forced if number < state.ply}

    def note(self, note: Note | None) -> None:
        """Announce a note to everybody, if there is one, and write the save."""
        if note is not None:
            self.notes.append(note)
        self.save()

    @property
    def unsaved_warning(self) -> str:
        """That the game continues although the save could not be written."""
        return self.words.phrase("cannot write the save: {reason}; the game continues unsaved", reason=self.unsaved)

    def moved_warning(self) -> str:
        """That the game continues in another save since the last call; empty if it does not."""
        moved, self.moved = self.moved, ""
        return moved

    def keep(self) -> Path:
        """Write a copy of the save under a new name and return its path. Raises OSError, CommandError."""
        stem = self.path.stem
        with first_unused(self.path.with_stem(f"{stem}-before-{number}") for number in range(1, MAX_NAMES)) as claim:
            write_save(claim.path, self.state, SaveMeta(self.kinds, self.notes))
            return claim.path

    def save(self, *, durable: bool = True) -> None:
        """Write the save; if that fails the game continues, and `unsaved` gives the reason."""
        try:
            self._leave_to_others()
            meta = SaveMeta(self.kinds, self.notes, self.failing)
            self.fingerprint = write_save(self.path, self.state, meta, durable=durable)
            self.unsaved = ""
        except (CommandError, SaveError) as fault:
            self.unsaved = str(fault)
        except OSError as fault:
            self.unsaved = (fault.strerror or str(fault)).lower()

    def _leave_to_others(self) -> None:
        """Continue in a new save if this one is not as we left it: a program without our claim has written it.

        That happens where claims do not work (file systems without locks) and with programs that make none, such as
        one that restores a backup. Raises CommandError.
        """
        if save_fingerprint(self.path) in (None, self.fingerprint):
            return
        old, claim = short(self.path), self.claims.enter_context(unused_save(self.path.stem, self.path.parent))
        self.path, self.fingerprint = claim.path, None
        self.moved = self.words.phrase(
            "{old} was changed by another program; from here on this game is saved in {new}",
            old=old, new=short(self.path),
        )  # fmt: skip
