"""Following an observation: the moves and changes of another history that look the same to the seat."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from operator import eq
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.opponents.knowledge.arrangement import is_arranged
from interpreter.opponents.knowledge.histories import Chooser, History, Impossible, Observer, Ply, drawn_by
from interpreter.opponents.knowledge.moves import may_hide
from interpreter.opponents.knowledge.observation import Entry, Observation, is_over, prompt_of
from interpreter.runtime.cells import Cells, MoveCode, StoredValue
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import ME, POINT
from interpreter.seat.views.history import is_unnoticed


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a history deviates from the observation: `ply` is what happened instead, if anything could.

    `agrees` measures how far it agreed; larger is better.
    """

    agrees: tuple[int, int, int]
    entry: Entry | None
    ply: Ply | None = None


def is_complete(observation: Observation, last: Ply) -> bool:
    """True if the whole observation is accounted for after a ply."""
    at_end = last.entry == len(observation.entries) - 1
    return at_end and last.lines == len(observation.entries[last.entry].lines)


def options(observer: Observer, observation: Observation, last: Ply, like: MoveCode | None = None) -> list[MoveCode]:
    """The legal moves after a ply that agree with what was observed next.

    With `like`, only those that look the same as this move, if it is one of them and nobody could have hidden another.
    """
    program, seat, S = observer.program, observer.seat, last.after
    decision, entries = program.decision(S), observation.entries
    assert decision is not None
    legal = program.legal(S)
    noted = last.lines == len(entries[last.entry].lines)
    following = entries[last.entry + 1] if noted and last.entry + 1 < len(entries) else None
    if following is not None and not _same_arrangement(observer, observation, last):
        following = None
    if S[ME] == seat:
        if following is None or following.chosen < 0:
            return []
        return [legal[following.chosen]] if _reads(observer, S, last.entry + 1, following.prompt) else []
    if following is not None and (following.chosen >= 0 or following.player != program.layout.seats[S[ME]]):
        following = None
    if like is not None and like in legal and not may_hide(program, S, decision, like, seat):
        label = observer.labels.label(S, observer.labels.number(decision, like))
        return [like] if following is not None and label == following.label else []
    if following is None:
        return [code for code in legal if is_unnoticed(decision, S, code)]
    labels = observer.labels
    numbers = [labels.number(decision, code) for code in legal]
    consistent = {number for number in set(numbers) if labels.label(S, number) in (None, following.label)}
    return [code for number, code in zip(numbers, legal, strict=True) if number in consistent]


def _reads(observer: Observer, S: Cells, number: int, prompt: tuple[str, ...]) -> bool:
    """True if the seat, which decides, reads these legal moves; its decision begins the entry with this number.

    Its knowledge is the same in all histories that agree up to there, so equal moves have equal labels.
    """
    legal, key = observer.program.legal(S), (number, S[POINT])
    if observer.prompts.get(key) == legal:
        return True
    found = prompt_of(observer.program, S) == prompt
    if found:
        observer.prompts[key] = list(legal)
    return found


def _same_arrangement(observer: Observer, observation: Observation, last: Ply) -> bool:
    """True if the arrangement of pieces is as observed after an entry."""
    expected = observation.arrangements[last.entry]
    if last.arranged != expected and is_arranged(observer.program, last.after, observer.seat, expected):
        last.arranged = expected
    return last.arranged == expected


def first_ply(observer: Observer, observation: Observation, chance: Chooser) -> Ply | Mismatch:
    """Set the game up."""
    initial = Cells(observer.program.initial)
    try:
        ply = observer.play(initial, None, _as_seen(observation.entries[0], 0, chance))
    except Impossible:
        return Mismatch((0, 0, 0), None)
    return _accounted(observation, None, ply, begins=True)


def next_ply(
    observer: Observer, observation: Observation, last: Ply, code: MoveCode, alike: int,
    chance: Chooser,
) -> Ply | Mismatch:  # fmt: skip
    """Make one of the `options`, `alike` of which look the same."""
    program, S = observer.program, last.after
    decision = program.decision(S)
    assert decision is not None
    unnoticed = S[ME] != observer.seat and is_unnoticed(decision, S, code)
    number, done = (last.entry, last.lines) if unnoticed else (last.entry + 1, 0)
    try:
        ply = observer.play(S, code, _as_seen(observation.entries[number], done, chance))
    except Impossible:
        return Mismatch((last.entry, last.lines, -1), None)
    ply.alike = alike
    return _accounted(observation, last, ply, begins=not unnoticed)


def _as_seen(entry: Entry, done: int, chance: Chooser) -> Chooser:
    """The results that the seat saw, in their order for each die, and those of `chance` for all others.

    `done` lines of the entry happened before. Every history that agrees with the observation has these results, and of
    a dozen rolls in a row only one of 6^12 drawn ones would have them.
    """
    values_by_cell: dict[int | None, deque[StoredValue]] = defaultdict(deque)
    for roll in entry.rolls:
        if roll.line >= done:
            values_by_cell[roll.cell].append(roll.value)

    def result(number: int, event: ChanceEvent) -> Any:
        values = values_by_cell.get(event.cell)
        if values and values[0] in event.values:
            return event.values.index(values.popleft())
        return chance(number, event)

    return result if values_by_cell else chance


def _accounted(observation: Observation, last: Ply | None, ply: Ply, begins: bool) -> Ply | Mismatch:
    """The ply with the part of the observation that it accounts for, if it agrees."""
    number, done = (-1, 0) if last is None else (last.entry, last.lines)
    if begins:
        number, done = number + 1, 0
    entry = observation.entries[number]
    end = done + len(ply.learnt.lines)
    ply.entry, ply.lines = number, done
    if ply.learnt.lines != entry.lines[done:end] or end > len(entry.lines):
        common = (Counter(ply.learnt.lines) & Counter(entry.lines[done:])).total()
        same = sum(map(eq, ply.learnt.lines, entry.lines[done:]))
        sightings = ply.learnt.sightings
        seen = (Counter(sightings) & Counter(entry.sightings)).total()
        # Other pieces that came the same way are a step ahead: exchanges make them those that were seen.
        ways = (Counter([way for way, _ in sightings]) & Counter([way for way, _ in entry.sightings])).total()
        agrees = number, done, common + same + seen + ways - len(ply.learnt.lines)
        return Mismatch(agrees, entry, ply)
    ply.lines = end
    return ply


def replayed(observer: Observer, observation: Observation, moves: Iterable[MoveCode], chance: Chooser) -> History:
    """The history of a game that is known to agree with an observation, by its moves and its chance results."""
    first = first_ply(observer, observation, chance)
    assert isinstance(first, Ply)
    history = [first]
    for code in moves:
        alike = len(options(observer, observation, history[-1], code))
        ply = next_ply(observer, observation, history[-1], code, alike, chance)
        assert isinstance(ply, Ply)
        history.append(ply)
    return tuple(history)


def ends_right(observer: Observer, observation: Observation, last: Ply) -> bool:
    """True if the observation could end here."""
    S = last.after
    if not is_complete(observation, last) or is_over(S) != observation.over:
        return False
    if not _same_arrangement(observer, observation, last):
        return False
    if S[POINT] >= 0 and S[ME] == observer.seat:
        return _reads(observer, S, last.entry + 1, observation.prompt)
    return not observation.prompt


def follow(
    observer: Observer, observation: Observation, history: tuple[Ply, ...], rng: random.Random, most: int = 64
) -> tuple[tuple[Ply, ...], Mismatch | None]:
    """Continue a history at random until the observation ends or can no longer be followed.

    At most `most` decisions in a row that the seat does not notice.
    """
    silent = 0
    while not ends_right(observer, observation, history[-1]):
        last = history[-1]
        if is_over(last.after):
            return history, Mismatch((last.entry, last.lines, 0), _next_entry(observation, last))
        found = options(observer, observation, last)
        if not found or silent == most:
            return history, Mismatch((last.entry, last.lines, 0), _next_entry(observation, last))
        ply = next_ply(observer, observation, last, rng.choice(found), len(found), drawn_by(rng))
        if isinstance(ply, Mismatch):
            return history, ply
        silent = silent + 1 if (ply.entry, ply.lines) == (last.entry, last.lines) else 0
        history = (*history, ply)
    return history, None


def _next_entry(observation: Observation, last: Ply) -> Entry | None:
    number = last.entry + (last.lines == len(observation.entries[last.entry].lines))
    return observation.entries[number] if number < len(observation.entries) else None
