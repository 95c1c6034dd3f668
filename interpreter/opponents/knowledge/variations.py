"""Variations of a history: another chance result or another move somewhere, with everything else unchanged.

The plies after the change are replayed, so the result obeys the rules. A random walk of such variations mixes
histories. It is Markov chain Monte Carlo (Metropolis et al. 1953, Hastings 1970). Its stationary distribution weights
a history by the probability of its chance results, assuming that all moves that look the same to the seat are equally
likely: nothing is concluded from a choice of the others except that it was legal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.opponents.knowledge.exchanges import Exchange, exchanged, pieces_in_values, with_exchanged
from interpreter.opponents.knowledge.following import (
    Mismatch,
    ends_right,
    first_ply,
    follow,
    is_complete,
    next_ply,
    options,
)
from interpreter.opponents.knowledge.histories import (
    ChanceResult,
    History,
    Moment,
    Observer,
    Ply,
    drawn_by,
    given,
    rechosen,
    reordered,
    shuffles_in,
)
from interpreter.opponents.knowledge.moves import types_of, with_pieces_exchanged
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.slots import Slots
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import ME, MOVES, POINT
from interpreter.seat.views.history import is_unnoticed

NOTHING: Exchange = {}

MAX_UNNOTICED = 4
"""Maximum number of decisions in a row that the seat does not notice where a varied history has others."""

MAX_CHOICES_TRIED = 8
"""Maximum number of secret choices to which an alternative is tried to find out whether there are any."""

SWAPS = (1, 2, 4, 16)
"""Numbers of swaps that an exchange tries; with many swaps it changes more but succeeds less often."""


@dataclass(frozen=True)
class Variation:
    """A change of a history in one ply: another move, or other chance results.

    After other results of a shuffle, pieces are exchanged from then on, or only up to another shuffle (`end`).
    """

    ply: int
    code: MoveCode | None = None
    chance: tuple[ChanceResult, ...] | None = None
    exchange: Exchange = field(default_factory=dict)
    end: Moment | None = None


@dataclass(frozen=True)
class Varied:
    """A history after a variation, up to where it deviates from the observation, if it does.

    `odds` is how much more likely the history is than the one before, considering only moves that the seat could not
    distinguish; 0 if no variation could reverse it.
    """

    history: History
    mismatch: Mismatch | None
    odds: float


def exchanging(history: Sequence[Ply], moment: Moment, exchange: Exchange, end: Moment | None = None) -> Variation:
    """The variation in which a shuffle had exchanged some pieces."""
    number, index = moment
    results = history[number].chance
    last = end[1] if end is not None and end[0] == number else len(results)
    later = [rechosen(result, exchange) for result in results[index + 1 : last]]
    changed = (*results[:index], reordered(results[index], NOTHING, exchange), *later, *results[last:])
    return Variation(number, None, changed, exchange, end)


def loosened(program: Program, history: History, moment: Moment, exchange: Exchange, end: int) -> History:
    """A history in which a shuffle had exchanged some pieces, without making the moves since then again.

    Whether they would still be legal and look the same is open; how pieces lie before the ply `end` is not.
    """
    number, index = moment
    changed: list[Ply] = []
    for place, ply in enumerate(history[number:], start=number):
        results = list(ply.chance)
        start = -1
        for position, result in enumerate(results):
            if result.is_shuffle and (place, position) >= moment:
                before = exchange if (place, position) > moment else NOTHING
                results[position] = reordered(result, before, exchange)
            elif (place, position) > moment:
                results[position] = rechosen(result, exchange)
        if place == number:
            start = ply.chance[index].after
        seen = tuple([
            one._replace(piece=exchange.get(one.piece, one.piece)) if one.after > start else one
            for one in ply.learnt.seen
        ])  # fmt: skip
        code = ply.code
        if code is not None and place > number:
            decision = program.decision(ply.before)
            assert decision is not None
            types = types_of(program, decision, code)
            values = [with_exchanged(type_, value, exchange) for type_, value in zip(types, code[1:], strict=True)]
            code = (code[0], *values)
        learnt = replace(ply.learnt, seen=seen)
        changed.append(Ply(ply.before, code, ply.after, ply.journal, tuple(results), learnt, ply.alike, ply.entry,
                           ply.lines, ply.arranged, loose=True))  # fmt: skip
    last = changed[end - 1 - number]
    last.after = exchanged(program, history[end - 1].after, exchange)
    last.after[MOVES], last.arranged = None, None
    return (*history[:number], *changed)


def with_result(history: Sequence[Ply], moment: Moment, result: int) -> Variation:
    """The variation in which a roll or pick had another result."""
    number, index = moment
    results = history[number].chance
    changed = (*results[:index], replace(results[index], result=result), *results[index + 1 :])
    return Variation(number, None, changed)


def varied(
    observer: Observer, observation: Observation, history: Sequence[Ply], variation: Variation, rng: random.Random
) -> Varied:
    """Replay a history from the ply of a variation.

    A move that is no longer legal is replaced by another one that the seat could not distinguish. Decisions that the
    seat does not notice, and that do not arise any more, are left out; others that arise now are made at random.
    """
    start, exchange = variation.ply, variation.exchange
    inverse = {other: piece for piece, other in exchange.items()}
    made: list[Ply] = list(history[:start])
    odds, fresh = 1.0, [False]
    draw = drawn_by(rng)
    left_out: list[int] = []

    def drawn(number: int, event: ChanceEvent) -> Any:
        fresh[0] = True
        return draw(number, event)

    for number in range(start, len(history)):
        old = history[number]
        if number > start and (left_out or not _leads_to(old.before, made[-1])):
            if _is_silent(old, history[number - 1]):
                left_out.append(number)
                continue
            arrives = partial(_leads_to, old.before)
            odds *= _bridged(observer, observation, made, history[:number], left_out, arrives, rng)
            left_out.clear()
        active = exchange if number > start and (variation.end is None or number <= variation.end[0]) else NOTHING
        results = variation.chance if number == start and variation.chance is not None else old.chance
        if active:
            until = variation.end[1] if variation.end is not None and number == variation.end[0] else len(results)
            results = (*(rechosen(result, active) for result in results[:until]), *results[until:])
        if variation.end is not None and number == variation.end[0]:
            index = variation.end[1]
            results = (*results[:index], reordered(results[index], exchange, NOTHING), *results[index + 1 :])
        chance = given(results, drawn)
        if old.code is None:
            ply = first_ply(observer, observation, chance)
        else:
            last = made[-1]
            if variation.code is not None and number == start:
                code, alike = variation.code, old.alike
            else:
                chosen = _repeated_move(observer, observation, last, old, active, rng)
                if chosen is None:
                    return Varied(tuple(made), Mismatch((last.entry, last.lines, 0), None), 0.0)
                code, alike, kept = chosen
                if kept:
                    odds *= old.alike / alike
                elif last.after[POINT] == old.before[POINT] and _would_be_kept(
                    observer, observation, history[number - 1], old, code, inverse
                ):
                    odds = 0.0
            ply = next_ply(observer, observation, last, code, alike, chance)
        if isinstance(ply, Mismatch):
            return Varied(tuple(made), ply, 0.0)
        if fresh[0] or len(ply.chance) != len(old.chance):
            odds = 0.0
        made.append(ply)
        over = not exchange or (variation.end is not None and number >= variation.end[0])
        if over and not old.loose and _same_position(ply, old):
            return Varied((*made, *history[number + 1 :]), None, odds)
    if is_complete(observation, made[-1]):
        arrives = partial(ends_right, observer, observation)
        odds *= _bridged(observer, observation, made, history, left_out, arrives, rng)
    return Varied(tuple(made), None, odds)


def _leads_to(S: Cells, ply: Ply) -> bool:
    """True if the decision that is pending in a state is pending after a ply, too."""
    return S[POINT] == ply.after[POINT] and S[ME] == ply.after[ME]


def _is_silent(ply: Ply, before: Ply) -> bool:
    """True if the seat learnt nothing from a ply, not even that something was decided."""
    return not ply.learnt.lines and (ply.entry, ply.lines) == (before.entry, before.lines)


def _bridged(
    observer: Observer, observation: Observation, made: list[Ply], before: Sequence[Ply], left_out: Sequence[int],
    arrives: Callable[[Ply], bool], rng: random.Random,
) -> float:  # fmt: skip
    """Make decisions that the seat does not notice until one of them `arrives` where another history went on.

    They replace those that were left out of the plies `before` that. Returns a factor of the odds: how much more likely
    these decisions are than those left out, divided by how likely either are to be proposed instead of the others. A
    replay keeps such decisions up to the first that does not arise any more, in either direction, and replaces all
    others up to the next decision that is noticed; so each of two histories can replace the other.
    """
    odds = 1.0 if len(left_out) <= MAX_UNNOTICED else 0.0
    for number in left_out:
        silent, _ = _unnoticed_options(observer, observation, before[number - 1])
        odds *= 0.0 if arrives(before[number - 1]) else before[number].alike / max(1, len(silent))
    last, bridge = made[-1], list[Ply]()
    while not arrives(last):
        silent, alike = _unnoticed_options(observer, observation, last)
        if not silent and not left_out and not bridge:
            # Nothing to be inserted here, nor by a variation back: another move will be made instead.
            return float(not _unnoticed_options(observer, observation, before[-1])[0])
        if not silent or len(bridge) == MAX_UNNOTICED:
            return 0.0
        ply = next_ply(observer, observation, last, rng.choice(silent), alike, drawn_by(rng))
        if isinstance(ply, Mismatch) or not _is_silent(ply, last):
            return 0.0
        odds *= len(silent) / alike
        bridge.append(ply)
        last = ply
    made += bridge
    return odds


def _unnoticed_options(observer: Observer, observation: Observation, last: Ply) -> tuple[list[MoveCode], int]:
    """The moves of another seat after a ply that the observing one does not notice; how many moves look like these."""
    S = last.after
    if S[POINT] < 0 or S[ME] == observer.seat:
        return [], 0
    decision = observer.program.decision(S)
    assert decision is not None
    codes = options(observer, observation, last)
    return [code for code in codes if is_unnoticed(decision, S, code)], len(codes)


def _repeated_move(
    observer: Observer, observation: Observation, last: Ply, old: Ply, exchange: Exchange, rng: random.Random
) -> tuple[MoveCode, int, bool] | None:
    """The move of a ply or, if it is illegal, one that looks the same; how many do; whether it is that of the ply."""
    assert old.code is not None
    S = last.after
    if S[POINT] < 0:
        return None
    if S[POINT] != old.before[POINT] or S[ME] != old.before[ME]:
        like = None
    elif exchange or old.loose:
        like = with_pieces_exchanged(observer.program, S, old.code, exchange)
    else:
        like = old.code
    consistent_codes = options(observer, observation, last, like)
    if not consistent_codes:
        return None
    if like is not None and like in consistent_codes:
        return like, len(consistent_codes), True
    return rng.choice(consistent_codes), len(consistent_codes), False


def _would_be_kept(
    observer: Observer, observation: Observation, before: Ply, old: Ply, code: MoveCode, inverse: Exchange
) -> bool:
    """True if a variation back would keep a move that replaced another one."""
    back = with_pieces_exchanged(observer.program, old.before, code, inverse)
    return back in options(observer, observation, before, back)


def _same_position(one: Ply, other: Ply) -> bool:
    if (one.entry, one.lines) != (other.entry, other.lines):
        return False
    return one.after[:MOVES] == other.after[:MOVES] and one.after[MOVES + 1 :] == other.after[MOVES + 1 :]


# ---------------------------------------------------------------- the walk


def mixed(observer: Observer, observation: Observation, history: History, rng: random.Random, steps: int) -> History:
    """Take some steps of the walk from a history."""
    walk = (_exchanged, _exchanged, _moved, _drawn, _continued)
    for _ in range(steps):
        history = rng.choice(walk)(observer, observation, history, rng)
    return history


def _agrees(observer: Observer, observation: Observation, candidate: Varied) -> bool:
    return candidate.mismatch is None and ends_right(observer, observation, candidate.history[-1])


def _exchanged(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Exchange pieces of a shuffle until now, or until another shuffle of them."""
    shuffles = shuffles_in(history)
    if not shuffles:
        return history
    moment = rng.choice(shuffles)
    end = rng.choice([None, *(other for other in shuffles if other > moment)])
    slots = Slots.of(observer, history, moment, end)
    slots.walk(rng, rng.choice((*SWAPS, 4 * len(slots.pieces))))
    if not slots.exchange:
        return history
    candidate = varied(observer, observation, history, exchanging(history, moment, slots.exchange, end), rng)
    if not _agrees(observer, observation, candidate) or len(shuffles_in(candidate.history)) != len(shuffles):
        return history
    return candidate.history if rng.random() < candidate.odds else history


def _hidden_moves(history: Sequence[Ply]) -> list[int]:
    return [number for number, ply in enumerate(history) if ply.alike > 1]


def _moved(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Replace a move by another one that the seat could not have distinguished."""
    hidden = _hidden_moves(history)
    if not hidden:
        return history
    number = rng.choice(hidden)
    others = [code for code in options(observer, observation, history[number - 1]) if code != history[number].code]
    if not others:
        return history
    candidate = varied(observer, observation, history, Variation(number, rng.choice(others)), rng)
    if not _agrees(observer, observation, candidate):
        return history
    odds = candidate.odds * len(hidden) / max(1, len(_hidden_moves(candidate.history)))
    return candidate.history if rng.random() < odds else history


def may_have_chosen_otherwise(
    observer: Observer, observation: Observation, history: Sequence[Ply], rng: random.Random
) -> bool:  # fmt: skip
    """True if the others may have made another secret choice, which no exchange of shuffled pieces leads to.

    One alternative to each of their latest ones is tried.
    """
    program = observer.program
    shuffled = {piece for number, index in shuffles_in(history) for piece in history[number].chance[index].new}

    def without_shuffled(S: Cells, code: MoveCode) -> MoveCode:
        decision = program.decision(S)
        assert decision is not None
        types = types_of(program, decision, code)
        pieces = [set(bits(pieces_in_values((type_,), (value,)))) for type_, value in zip(types, code[1:], strict=True)]
        return (code[0], *(
            None if there and there <= shuffled else value for there, value in zip(pieces, code[1:], strict=True)
        ))  # fmt: skip

    for number in _hidden_moves(history)[-MAX_CHOICES_TRIED:]:
        ply = history[number]
        assert ply.code is not None
        kept = without_shuffled(ply.before, ply.code)
        codes = options(observer, observation, history[number - 1])
        others = [code for code in codes if without_shuffled(ply.before, code) != kept]
        if others:
            candidate = varied(observer, observation, history, Variation(number, rng.choice(others)), rng)
            if candidate.odds and _agrees(observer, observation, candidate):
                return True
    return False


def _picks(history: Sequence[Ply]) -> list[Moment]:
    return [
        (number, index)
        for number, ply in enumerate(history)
        for index, result in enumerate(ply.chance)
        if not result.is_shuffle and result.size > 1
    ]


def _drawn(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Draw another result of a roll or pick."""
    picks = _picks(history)
    if not picks:
        return history
    moment = number, index = rng.choice(picks)
    result = history[number].chance[index]
    other = (result.result + 1 + rng.randrange(result.size - 1)) % result.size
    candidate = varied(observer, observation, history, with_result(history, moment, other), rng)
    if not _agrees(observer, observation, candidate):
        return history
    odds = candidate.odds * len(picks) / len(_picks(candidate.history))
    return candidate.history if rng.random() < odds else history


def _continued(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Redraw everything after one of the entries."""
    entry = rng.randrange(len(observation.entries))
    kept = next(number for number, ply in enumerate(history) if ply.entry == entry)
    candidate, mismatch = follow(observer, observation, history[: kept + 1], rng)
    return history if mismatch is not None else candidate
