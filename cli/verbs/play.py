"""`play GAME`: play at the keyboard, against bots or with others; resume a save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import signals
from cli.arguments import (
    From,
    Language,
    Options,
    OwnBoard,
    Variants,
    begun_at,
    board_file,
    pairs,
    position_from,
    read_players,
)
from cli.branching import branch_claim, notes_of_branch
from cli.choosing import chosen_to_play
from cli.errors import CommandError, MisuseError, Stop, translated
from cli.fullscreen.opening import play_in_full_screen
from cli.play import keyboard
from cli.play.course import Course
from cli.play.file_watcher import Watcher
from cli.play.loop import Play
from cli.play.screens import Screens
from cli.play.seats import ALL, check_bots, check_kinds, choose_seats, fill_kinds, kind_problem
from cli.play.table import PlaySession
from cli.render.echo import asked, echo
from cli.render.palette import palette
from cli.render.screen import screen
from cli.save_paths import being_played, find_save, new_save, save_argument, typed_command, unused_save
from cli.saved_games import newest_save
from cli.seat_access import SAVED_RULES, resumed, state_after, which_rules
from cli.viewer.opening import is_at_terminal, is_full_screen
from dsl.lazy_dataclasses import dataclass
from dsl.text.claims import Claim, ClaimedError
from dsl.text.visible import brief
from interpreter.errors import PlayError, SaveError, UnknownGameError
from interpreter.loading.game_library import SUFFIX, find
from interpreter.loading.rules import files_of, load_rules
from interpreter.opponents.specs import EXAMPLES, NORMAL, SpecProblem, spec_of
from interpreter.play.game import Game, State, seat_game
from interpreter.play.saves.files import PERSON, DivergedError, Note, WhichRules, notes_of, read_save, save_fingerprint
from interpreter.play.saves.tables import table_at
from interpreter.play.story import HANDED_OVER, OPENED, STILL_LEGAL
from interpreter.runtime.chance import drawn_seed
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN, Words

if TYPE_CHECKING:
    from interpreter.play.saves.model import SaveFile


@dataclass(frozen=True)
class PlaySettings:
    """The game that the flags of `play` ask for, and who plays it; None where a flag is not given.

    `assigned` are the kinds of players by seat, `save` is where the game is saved. With `at`, a resumed game branches
    after that many decisions.
    """

    players: str | None
    seed: int | None
    options: Sequence[str] | None
    variants: Sequence[str] | None
    board: str | None
    position: str | None
    assigned: Mapping[str, str]
    bots: str | None
    save: str | None
    at: int | None
    rules: str | None
    language: str | None

    def check_resumable(self) -> None:
        """Reject flags that would change the game of a save. Raises MisuseError."""
        of_the_game = {
            "--players": self.players, "--seed": self.seed, "--option": self.options, "--variant": self.variants,
            "--board": self.board, "--from": self.position,
        }  # fmt: skip
        if self.rules is not None:
            which_rules(self.rules)
        for flag, value in of_the_game.items():
            if value not in (None, []):
                raise MisuseError(Phrase("{flag} cannot be changed with --resume; the save has its own", flag=flag))


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name of a game, or path of a .rules file.")
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Number of players, or their seats: red,blue.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Seed of all chance (default: drawn at random).")
    ] = None,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
    position: From = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="NAME=KIND", help="Who plays a seat: human, or a bot (see --bots); all=… for all others."
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots", metavar="BOT", help=f"The bot in every seat without a person: {', '.join(EXAMPLES)}, or your own."
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Name of the save, or file to save to after every decision."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", metavar="[SAVE]", help="Resume a saved game; without a name, choose one, the newest first."
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", min=0, help="With --resume: branch after N decisions, into a new save."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="saved|new", help="With --resume: the rules it began with, or today's (default: ask)."
        ),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show what each move changed.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Show each move of a bot as it happens, with the table.")
    ] = False,
    thoughts: Annotated[
        bool, typer.Option("--thoughts", help="Show what a thinking bot considers, if you may know all that it knows.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Reload the rules whenever their file is saved.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Play line by line instead of in full screen.")] = False,
    in_words: Annotated[
        bool, typer.Option("--words", help="Play line by line, and say in words what lies on the board.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Hide nothing; recorded in every seat's log.")] = False,
    language: Language = None,
) -> None:
    """Play a game with bots and other people, or resume a save.

    The game is saved after every decision. Without flags: the fewest players, you in the first
    seat, bots (`normal`) in the others.
    """
    assigned = pairs(seat, "--seat", Phrase("NAME=human or NAME=BOT"))
    _check_bots(bots, assigned)
    settings = PlaySettings(players, seed, option, variant, board, position, assigned, bots, save, at, rules, language)
    saved = None
    if game is None and resume is None and is_full_screen():
        try:
            chosen = chosen_to_play(Words(language=language), language)
        except EOFError:
            raise Stop(0) from None
        if isinstance(chosen, Path):
            game = str(chosen)
        else:
            resume, saved = chosen.name, chosen.path
    if resume is not None:
        settings.check_resumable()
        named = None if game is None else _name_of(game)
        with ExitStack() as claims:
            path = saved or _saved(resume, named, language)
            session = _resumed(path, named, settings, claims)
            session.claims = claims.pop_all()
    elif game is None:
        raise MisuseError(Phrase("play needs a GAME or --resume SAVE; see `regelwerk games` and `regelwerk saves`"))
    elif at is not None:
        raise MisuseError(Phrase("--at belongs to --resume: it branches off a saved game"))
    elif rules is not None:
        raise MisuseError(Phrase("--rules belongs to --resume: a new game has the rules of its file"))
    else:
        session = _started(game, settings)
    if follow and len(session.people) > 1:
        raise MisuseError(Phrase("--follow allows at most one person at the keyboard"))
    if everything and not session.opened:
        _open(session)
    session.shows_thoughts = thoughts
    over = session.state.over
    full_screen = bool(session.people) and is_full_screen() and not (plain or in_words or over)
    with session.claims, signals.ending():
        screens = Screens(screen(), palette(session.game.seats, session.game.words), "words" if in_words else "picture")
        raise Stop(_run(session, screens, trace, follow, watch, full_screen, resumed=resume is not None and not over))


def _started(name: str, settings: PlaySettings) -> PlaySession:
    """Set up a new game."""
    options, board = pairs(settings.options, "--option", "NAME=VALUE"), board_file(settings.board)
    position = position_from(settings.position)
    rules = load_rules(find(name), board=board, variants=settings.variants or (), language=settings.language)
    header, players = rules.model.file.header, read_players(settings.players)
    check_kinds(settings.assigned, header.seats)
    game = seat_game(rules, choose_seats(players, settings.assigned, header.seats, header.counts), options)
    game = begun_at(game.in_words(settings.language or OWN), position, players=players is not None, options=options)
    seed = drawn_seed() if settings.seed is None else settings.seed
    kinds = fill_kinds(settings.assigned, game.seats, settings.bots or NORMAL)
    check_bots(kinds, game)
    state, claim = _set_up(game, seed), new_save(game.name, settings.save)
    session = PlaySession(state, kinds, seed, claim.path)
    session.claims.enter_context(claim)
    return session


def _name_of(game: str) -> str:
    """The name that saves have for a game, which may exist no more."""
    try:
        return find(game).name.removesuffix(SUFFIX)
    except UnknownGameError:
        return Path(game).stem


def _set_up(game: Game, seed: int) -> State:
    """Set up the game before its first decision; an error names the seed, which may have been drawn."""
    try:
        return game.start(seed=seed)
    except PlayError as fault:
        message = Phrase("{error} (seed {seed}, during setup)", error=fault.message, seed=seed)
        raise PlayError(message, fault.location) from None


def _saved(text: str, game: str | None, language: str | None) -> Path:
    """Find the save to resume; an empty text lets the person choose, or takes the newest in a pipe."""
    return find_save(text) if text else newest_save(game, unfinished=True, words=Words(language=language))


def _resumed(path: Path, name: str | None, settings: PlaySettings, claims: ExitStack) -> PlaySession:
    """Resume a save, into a new one with a name or after a branch; `claims` keep other processes from writing to it.

    A table of the server goes on in a new save, too: the table is left to those who have its links. Raises SaveError if
    the save is not of the game with this name.
    """
    at, language = settings.at, settings.language
    is_table = table_at(path) is not None
    target = _claimed(path, language) if settings.save is None and at is None and not is_table else None
    if target is not None:
        claims.enter_context(target)
    fingerprint = save_fingerprint(path)
    saved = read_save(path)
    if name is not None and name != saved.game:
        raise SaveError(
            Phrase("{path} is a save of `{other}`, not of `{game}`", path=path, other=saved.game, game=name)
        )
    check_kinds(settings.assigned, saved.players)
    state = _state_of(saved, settings)
    notes = notes_of(saved)
    kinds = dict(saved.seats)
    now = _seated_again(kinds, settings.assigned, settings.bots, saved.players)
    if not state.over:
        _check_saved(path, now)
        check_bots(now, state.game)
    if at is not None or is_table:
        notes = notes_of_branch(notes, path, state.ply)
    if target is None:
        if at is not None and settings.save is None:
            target = branch_claim(path, at)
        else:
            target = new_save(saved.game, settings.save)
        claims.enter_context(target)
    if state.game.rules.hash != saved.rules_hash and state.game.rules.origin is None:
        notes.append(Note(state.ply, "rules", None, STILL_LEGAL))
    for seat, kind in now.items():
        if kinds.get(seat) != kind:
            notes.append(Note(state.ply, "seat", seat, HANDED_OVER.format(kind=kind)))
    target_path = target.path.absolute()
    session = PlaySession(state, now, saved.seed, target_path, notes)
    session.fingerprint = fingerprint if target.path == path else None
    session.opened = any(note.kind == "opened" for note in notes)
    session.shown_until = _last_decisions(session)
    return session


def _state_of(saved: SaveFile, settings: PlaySettings) -> State:
    """The game of a save under the rules that are asked for.

    If they have changed and a person is there, that decides. Otherwise it goes on under the new rules if its moves are
    legal. Raises SaveError, DivergedError, UnknownGameError, Stop.
    """

    def under(rules: WhichRules) -> State:
        if settings.at is None:
            return resumed(saved, settings.language, rules)
        return state_after(saved, settings.at, settings.language, rules)

    if settings.rules == "saved":
        return under("saved")
    state: State | None = None
    fault: SaveError | UnknownGameError | None = None
    try:
        state = under("new")
    except (SaveError, UnknownGameError) as raised:
        fault = raised
    if state is not None and (settings.rules == "new" or state.game.rules.hash == saved.rules_hash):
        return state
    if settings.rules is None and saved.rules is not None:
        if is_at_terminal():
            if _goes_on_as_it_began(saved, fault):
                return under("saved")
        elif fault is not None and not isinstance(fault, DivergedError):
            echo(translated(SAVED_RULES), err=True)
    if state is None:
        assert fault is not None
        raise fault
    return state


def _goes_on_as_it_began(saved: SaveFile, fault: SaveError | UnknownGameError | None) -> bool:
    """Ask whether a game goes on under the rules it began with, or under the new ones; Stop for neither."""
    echo(translated(Phrase("the rules of {title} have changed since this game began", title=brief(saved.title))))
    if fault is not None:
        echo(f" {translated(fault.message)}")
    echo(f" 1 {translated(Phrase('go on under the rules it began with'))}")
    if fault is None:
        echo(f" 2 {translated(Phrase('go on under the new rules, under which all its moves are legal'))}")
    echo(f" {translated(Phrase('Enter: neither'))}")
    answers = {"1": True, "2": False} if fault is None else {"1": True}
    while (answer := asked(translated(Phrase("which one? "))).strip()) not in (*answers, ""):
        echo(translated(Phrase("type one of the numbers, or just Enter")))
    if not answer:
        raise Stop(0)
    return answers[answer]


def _claimed(path: Path, language: str | None) -> Claim:
    """Claim a save that is to be continued; where another process plays it, offer a copy, or to watch.

    Raises CommandError where nobody can be asked, Stop when nothing is to be played.
    """
    try:
        return Claim(path)
    except ClaimedError as fault:
        busy, name, words = being_played(fault), save_argument(path), Words(language=language)
    if not is_at_terminal():
        raise CommandError(
            Phrase(
                "{busy}; play a copy with `{copying}`, or look at it with `{looking}`",
                busy=busy,
                copying=typed_command("play --resume", f"{name} --save NAME", words),
                looking=typed_command("trace", name, words),
            )
        )
    echo(translated(busy))
    echo(f" 1 {translated(Phrase('play a copy of it, as it is now'))}")
    echo(f" 2 {translated(Phrase('look at it, as it is now'))}")
    echo(f" {translated(Phrase('Enter: neither'))}")
    while (answer := asked(translated(Phrase("which one? "))).strip()) not in ("1", "2", ""):
        echo(translated(Phrase("type 1 or 2, or just Enter")))
    if answer == "1":
        return unused_save(path.stem)
    if answer == "2":
        from cli.verbs.trace import trace as trace_save  # start-up of a game: the trace comes after it

        trace_save(str(path), language=language)
    raise Stop(0)


def _check_bots(bots: str | None, assigned: Mapping[str, str]) -> None:
    """Reject a value of `--bots` that names no bot, or that has no effect. Raises MisuseError."""
    if bots is None:
        return
    if bots == PERSON:
        raise MisuseError(Phrase("--bots names a bot; for persons: {flag}", flag=f"--seat {ALL}={PERSON}"))
    spec = spec_of(bots)
    if isinstance(spec, SpecProblem):
        raise MisuseError(Phrase("--bots: {problem}", problem=spec.message))
    if ALL in assigned:
        flag = f"--seat {ALL}={assigned[ALL]}"
        raise MisuseError(Phrase("{flag} already assigns all other seats: omit one of the two", flag=flag))


def _check_saved(path: Path, kinds: Mapping[str, str]) -> None:
    """Reject bots of a save that are not available here. Raises SaveError."""
    for seat, kind in kinds.items():
        problem = kind_problem(kind)
        if problem:
            raise SaveError(
                Phrase(
                    "{path} has a bot for {seat} that is unknown here: {problem}; choose with --seat {seat}=…",
                    path=path, seat=seat, problem=problem,
                )
            )  # fmt: skip


def _seated_again(
    saved: Mapping[str, str], assigned: Mapping[str, str], bots: str | None, seats: Sequence[str]
) -> dict[str, str]:
    """Who plays each seat of a saved game: as in the save, except for seats assigned now."""
    if ALL in assigned:
        return fill_kinds(assigned, seats)
    unchanged = {seat: kind for seat, kind in saved.items() if bots is None or kind == PERSON}
    return fill_kinds(unchanged | dict(assigned), seats, bots or NORMAL)


def _last_decisions(session: PlaySession) -> dict[str, int]:
    """For each seat, the last decision it was shown: its own last one."""
    history = session.state.history
    return {decision.player: ply for ply, decision in enumerate(history)}


def _open(session: PlaySession) -> None:
    """Reveal everything from here on."""
    session.opened = True
    session.notes.append(Note(session.state.ply, "opened", None, OPENED.format(command="--all")))


def _run(
    session: PlaySession, screens: Screens, trace: bool, follow: bool, watch: bool, full_screen: bool, *, resumed: bool
) -> int:
    watcher = Watcher(files_of(session.game.rules)) if watch else None
    course = Course(session, follow=follow, details=trace, watcher=watcher)
    if full_screen:
        return Play(course, screens, play=partial(play_in_full_screen, course)).run(resumed=resumed)
    keyboard.prepare(len(session.people))
    with watcher or nullcontext():
        return Play(course, screens).run(resumed=resumed)
