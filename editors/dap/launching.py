"""From the arguments of `launch` to what is debugged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dsl.text.files import is_there
from dsl.text.folders import saves_folder
from dsl.text.spelling import nearest
from editors.dap.arguments import Launch
from editors.dap.debuggee import DebuggedExample, DebuggedGame, Debuggee
from interpreter.arguments import options_of
from interpreter.errors import PlayError, UsageError
from interpreter.loading.game_library import find
from interpreter.loading.rules import load_rules
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game, State, load, seat_game
from interpreter.play.saves.files import notes_of, read_save, resume
from interpreter.play.scenes.setup import table_of
from interpreter.play.trace.failed_decision import told_to

ALL_SEATS = "all"
PERSON = "human"
SAVE_SUFFIX = ".json"


def launched(launch: Launch) -> Debuggee:
    """What a launch asks for. Raises RegelwerkError, with the reason as the user reads it."""
    if (launch.program is None) == (launch.save is None):
        raise UsageError("launch either a `program`, a game by name or path, or a `save`")
    if launch.save is not None:
        return _save(launch, launch.save)
    assert launch.program is not None
    if launch.example is not None:
        if not launch.example.strip():
            raise UsageError("`example` is empty: it is the title of an example, or a part of it")
        return _example(launch, launch.program, launch.example)
    game = load(launch.program, launch.players, options_of(launch.options), launch.board, launch.variants)
    try:
        state = game.start(launch.seed)
    except PlayError as fault:
        raise told_to(launch.as_seat, fault, is_open=game.is_open) from None
    return DebuggedGame(state, drivers_of(game, launch.seats), launch.moves, _seat(state, launch.as_seat))


def _save(launch: Launch, named: str) -> DebuggedGame:
    path = Path(named)
    if path.name == named and not is_there(path):
        path = saves_folder() / (named.removesuffix(SAVE_SUFFIX) + SAVE_SUFFIX)
    saved = read_save(path)
    state = resume(saved)
    seat = _seat(state, launch.as_seat)
    people = [name for name, kind in saved.seats.items() if kind == PERSON]
    opened = any(note.kind == "opened" for note in notes_of(saved))
    is_played = bool(people) and not (state.over or state.game.is_open or opened or launch.everything)
    if is_played and seat not in people:
        raise UsageError(
            f'people still play this game: `"as": "{people[0]}"` shows what a seat knows, `"everything": true` all'
        )
    return DebuggedGame(state, drivers_of(state.game, launch.seats), launch.moves, seat, is_at_a_table=is_played)


def _example(launch: Launch, program: str, title: str) -> DebuggedExample:
    board = None if launch.board is None else Path(launch.board)
    if not title.strip():
        raise UsageError("`example` is the title of an example, or a part of it, and it is empty")
    rules = load_rules(find(program), examples=True, board=board, variants=launch.variants)
    titles = [example.title.value for example in rules.model.examples]
    matching = [name for name in titles if name == title] or [name for name in titles if title.lower() in name.lower()]
    if len(matching) != 1:
        if matching:
            raise UsageError(f"{len(matching)} examples have `{title}` in their titles")
        suggestion = "".join(f"; did you mean `{similar}`?" for similar in nearest(title, titles, most=1))
        raise UsageError(f"no example has the title `{title}`{suggestion}")
    example = rules.model.examples[titles.index(matching[0])]
    seats, options = table_of(rules.model, example)
    return DebuggedExample(seat_game(rules, seats, options), example)


def _seat(state: State, seat: str | None) -> str | None:
    """The seat as which a game is seen. Raises UnknownSeatError."""
    state.seat_number(seat)
    return seat


def drivers_of(game: Game, bots: Mapping[str, str]) -> dict[str, Driver]:
    """The bots of the seats that are played by one. Raises UsageError."""
    unknown = [seat for seat in bots if seat not in game.seats and seat != ALL_SEATS]
    if unknown:
        raise UsageError(f"there is no seat `{unknown[0]}` in this game; its seats are {', '.join(game.seats)}")
    drivers = {}
    for seat in game.seats:
        text = bots.get(seat, bots.get(ALL_SEATS))
        if text is None or text == PERSON:
            continue
        spec = spec_of(text, (PERSON,))
        if isinstance(spec, SpecProblem):
            raise UsageError(spec.message)
        if problem := why_unfit(spec, game):
            raise UsageError(problem)
        drivers[seat] = Driver(spec, seat)
    return drivers
