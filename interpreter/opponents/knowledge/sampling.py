"""Random states from all those that a seat cannot distinguish from the real one.

A sampler keeps a history that agrees with what was observed so far. It is extended entry by entry, repaired where it
deviates from the observation, and mixed before states are made from it. The samples depend only on the seed and the
observation, not on the steps in which it arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any, Generic, TypeVar, overload

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import integer_of
from interpreter.errors import SamplingError, UnknownSeatError
from interpreter.opponents.information import masks_moves
from interpreter.opponents.knowledge.following import ends_right, replayed
from interpreter.opponents.knowledge.histories import History, Observer, TooLate, TooMuch, is_loose, never, shuffles_in
from interpreter.opponents.knowledge.images import Images
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.repairing import Fitter
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.variations import loosened, may_have_chosen_otherwise, mixed
from interpreter.play.game import Game, State
from interpreter.runtime.cells import Cells, Journal
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import MOVES, RANDOM
from interpreter.seat.views.history import Made
from interpreter.wording.phrases import Phrase

Sampled = TypeVar("Sampled", bound=State)
"""The class of the sampled states."""

WALKS = 8
"""The number of histories from which a short game is sampled."""

MAX_VARIATIONS = 300
"""Maximum number of variations tried to make a history agree with one more entry."""

OTHER_HISTORIES = 5
"""Number of histories further along the random walk that are tried if the one that is kept cannot be extended."""

NEW_HISTORIES = 4
"""Number of new histories started if that fails as well."""

MORE_NEW_HISTORIES = 8
"""Number of other new histories started loosely before any start is tried for long; twice as many are afterwards."""

MAX_MOVES_OF_ENTRY = 2500
"""Maximum number of moves made to continue a history by one entry. Then the search goes on loosely: pieces are
exchanged, and whether earlier decisions of others would still have been possible is not examined."""

MEAN_LOOSE_MOVES = 20
"""Maximum number of moves made for each entry of an observation to continue a history loosely, on average."""

LITTLE_PATIENCE = 12
"""Maximum number of variations tried at first for one deviation of a history that is continued loosely."""

MAX_STRICT_MOVES = 20_000
"""Maximum number of moves made in attempts to continue a history strictly, where it cannot be continued loosely."""

STEPS_BETWEEN_STATES = 2
"""The number of steps of the random walk between two drawn states."""

SHORT_HISTORY = 8
"""Maximum number of decisions of a history that is mixed before every state, as these are soon made again."""

IMAGES_OF_A_HISTORY = 32
"""The number of states drawn from the images of a longer history between steps of mixing.

If it has more decisions, as many as these, as they have to be examined before images are cheap.
"""


MAX_HISTORIES = 24
"""Maximum number of histories of a short game; further states come from random walks that start from these."""


class Sampler(Generic[Sampled]):
    """Draws states that agree with everything one seat has observed.

    A history is continued from entry to entry. In a short game, states are drawn from up to `size` histories, each
    found by itself, because those that a few steps of a walk lead to are much alike; in a longer one, in which there
    are many images of a history, all from one walk. `tries` is the number of variations of histories that were tried
    for what was observed last: many where the constraints are tight.
    """

    def __init__(self, game: Game, states: type[Sampled], player: str, seed: int, size: int = WALKS) -> None:
        self._game, self._class, self._seed = game, states, seed
        self._observer = Observer(game.program, game.seats.index(player))
        self._observation: Observation | None = None
        self._is_open = game.is_open
        self._size = 1 if self._is_open else size
        # The history up to each entry that is over, and the one of the latest observation.
        self._histories: list[History] = []
        self._latest: tuple[Observation, History] | None = None
        # By the number of a walk: the history that it has come to, and the images of that.
        self._now: dict[int, History] = {}
        self._images: dict[int, Images] = {}
        # True if every state is one of another history, False if images are drawn; None until that is known.
        self._is_mixed_each_time: bool | None = None
        self._hasty: History | None = None
        self._first_hasty_entry: int | None = None
        self._latest_drawn: list[History] = []
        self._rng = random.Random()
        self._drawn = 0
        self.tries = 0

    def observe(self, observation: Observation) -> None:
        """Take over everything the seat has observed since the start."""
        before, self._observation = self._observation, observation
        if before is not None:
            same = 0
            for one, other in zip(before.entries, observation.entries[:-1], strict=False):
                if one != other or before.arrangements[same] != observation.arrangements[same]:
                    break
                same += 1
            del self._histories[same:]
            count = len(before.entries)
            if (before.entries, before.arrangements) != (observation.entries[:count], observation.arrangements[:count]):
                self._observer.prompts.clear()  # decisions were taken back
        self._hasty, self._drawn, self.tries = None, 0, 0
        self._forget_walks()
        self._rng = random.Random(f"{self._seed} {len(observation.entries)} now")

    def _forget_walks(self) -> None:
        self._now.clear()
        self._images.clear()
        self._is_mixed_each_time = None

    def begin_with(self, state: Sampled) -> None:
        """Begin with the course of a game that agrees with everything observed, instead of finding one."""
        results = iter(state.journal.results)

        def chance(*_: object) -> Any:
            result = next(results)
            return result if isinstance(result, int) else list(result)

        moves = [made.code for made in state.made]
        self._latest = self._observed, replayed(self._observer, self._observed, moves, chance)

    def states(
        self, count: int, hurry: Callable[[], bool] = never, too_late: Callable[[], bool] = never, timed: bool = False
    ) -> list[Sampled]:
        """Draw states with their own past in which the seat has the same decision and legal moves; chance is new.

        Once somebody is in a `hurry`, fewer different ones are drawn, so that they come sooner. When it is `too_late`,
        states are made that may not agree with earlier decisions of others (`agrees`). `timed`: there is little time,
        so such histories are continued at later decisions. Where not even loose states are found in time, some more
        attempts are made after it. Raises SamplingError if none is found.
        """
        if not timed:
            self._forget_hasty_entries()
        try:
            with self._until(too_late):
                self._latest_drawn = []
                return [self._drawn_state(hurry) for _ in range(count)]
        except TooLate:
            pass
        if self._hasty is None:
            try:
                self._hasty = self._loosely(self._observed)
            except SamplingError:  # rare: better late than a move that follows from nothing
                self._hasty = self._history_of_walk(0)
            self._advance(self._hasty)
        self._latest_drawn = [self._hasty]
        rng = random.Random(f"{self._seed} {len(self._observed.entries)} hastily")
        return [self._state(self._varied_loosely(self._hasty, rng), rng.getrandbits(62)) for _ in range(count)]

    def _advance(self, history: History) -> None:
        """Keep a history of everything observed, so that the next one need not begin where time has run out."""
        count, first = len(self._histories), self._first_hasty_entry
        self._first_hasty_entry = count if first is None else min(first, count)
        for number in range(count, len(self._observed.entries) - 1):
            self._histories.append(tuple(ply for ply in history if ply.entry <= number))

    def _forget_hasty_entries(self) -> None:
        """States without a limit of time follow from the seed and the observation alone."""
        if self._first_hasty_entry is not None:
            del self._histories[self._first_hasty_entry :]
            self._first_hasty_entry, self._latest = None, None
            self._forget_walks()

    @property
    def agrees(self) -> bool:
        """True if the states drawn last agree with everything observed.

        Otherwise they agree with what was seen of pieces, but perhaps not with what others decided earlier.
        """
        return not any(map(is_loose, self._latest_drawn))

    def _drawn_state(self, hurry: Callable[[], bool]) -> Sampled:
        first, rng, number = self._history_of_walk(0), self._rng, self._drawn
        self._drawn += 1
        if is_loose(first):
            self._latest_drawn.append(first)
            return self._state(self._varied_loosely(first, rng), rng.getrandbits(62))
        is_long = len(first) > SHORT_HISTORY
        walk = 0 if is_long else number % (len(self._now) if hurry() else self._size)
        try:
            self._latest_drawn.append(self._history_of_walk(walk))
            return self._walked_state(walk, is_long, hurry)
        except TooLate:  # this far
            return self._state(first, rng.getrandbits(62))

    def _walked_state(self, walk: int, is_long: bool, hurry: Callable[[], bool]) -> Sampled:
        """A state further along a walk."""
        history, rng = self._now[walk], self._rng
        if self._is_open or hurry():
            return self._state(history, rng.getrandbits(62))
        images = self._images_of(walk) if self._is_varied_by_images(is_long) else None
        if images is None or images.is_alone or images.drawn >= max(IMAGES_OF_A_HISTORY, len(history)):
            mixed_history = self._mixed(self._observed, history, rng)
            if mixed_history is not history:
                history = self._now[walk] = mixed_history
                self._images.pop(walk, None)
            if images is None or images.is_alone:
                return self._state(history, rng.getrandbits(62))
            images = self._images_of(walk)
            images.drawn = 0
        images.walk(rng)
        return self._image_state(images, rng.getrandbits(62))

    def _is_varied_by_images(self, is_long: bool) -> bool:
        """False where others may have chosen something else in secret, which is the same in all images of a history."""
        if self._is_mixed_each_time is None:
            self._is_mixed_each_time = masks_moves(self._game.program) and (
                not is_long or may_have_chosen_otherwise(self._observer, self._observed, self._now[0], self._rng)
            )
        return not self._is_mixed_each_time

    def _images_of(self, walk: int) -> Images:
        """The images of the history that a walk has come to."""
        if walk not in self._images:
            self._images[walk] = Images(self._observer, self._observed, self._now[walk])
        return self._images[walk]

    def _varied_loosely(self, history: History, rng: random.Random) -> History:
        """A loose history in which the pieces that the seat cannot tell apart are exchanged at random at its end."""
        program, observation = self._game.program, self._observed
        for moment in reversed(shuffles_in(history)):
            for swaps in (None, 4, 1):
                slots = Slots.of(self._observer, history, moment)
                slots.walk(rng, 4 * len(slots.pieces), swaps)
                varied = loosened(program, history, moment, slots.exchange, len(history))
                if ends_right(self._observer, observation, varied[-1]):
                    history = varied
                    break
        return history

    @property
    def _observed(self) -> Observation:
        if self._observation is None:
            raise SamplingError("nothing has been observed yet")
        return self._observation

    def _loosely(self, observation: Observation) -> History:
        """A history that was kept, continued loosely: the latest, earlier ones, one from the setup on.

        Where that fails, which is rare, more time is spent on one that agrees. Raises SamplingError.
        """
        number = len(observation.entries)
        rng = random.Random(f"{self._seed} {number} loosely")
        early, late, strict = (
            Fitter(self._observer, observation, rng, loosely=loosely, patience=patience)
            for loosely, patience in ((True, LITTLE_PATIENCE), (True, None), (False, None))
        )
        kept = self._histories[: number - 1][::-1]
        earlier = [*kept[:1], *[kept[(1 << back) - 1] for back in range(len(kept).bit_length())]]
        starts: list[History] = [*earlier, *[()] * NEW_HISTORIES]
        strict_starts = [history for history in starts if not is_loose(history)]
        # A start that leads anywhere mostly does so soon, so each is given up early before one is tried for long.
        more: list[History] = [()] * MORE_NEW_HISTORIES
        tries = [(early, history) for history in (*starts, *more)]
        tries += [(late, history) for history in starts] + [(early, history) for history in more * 2]
        tries += [(strict, history) for history in strict_starts]
        strict_moves = MAX_STRICT_MOVES // max(1, len(strict_starts))
        for each, history in tries:
            since = number - (history[-1].entry + 1 if history else 0)
            moves = MEAN_LOOSE_MOVES * (since + 5) if each.loosely else strict_moves
            continuation = self._within(moves, each, history, MAX_VARIATIONS * number)
            if continuation is not None:
                return continuation
        raise SamplingError(Phrase("no state was found that agrees with what the seat has observed"))

    def catch_up(self, too_late: Callable[[], bool]) -> None:
        """Continue the history up to the last decision that is over, until it is `too_late`.

        States drawn later are the same, but are ready sooner.
        """
        try:
            with self._until(too_late):
                self._continue()
        except TooLate:
            pass  # the next time it goes on from there

    @contextmanager
    def _until(self, too_late: Callable[[], bool]) -> Iterator[None]:
        """Within the block, TooLate is raised when it is too late."""
        self._observer.too_late = too_late
        try:
            yield
        finally:
            self._observer.too_late = never

    # ------------------------------------------------------------ histories

    def _history_of_walk(self, walk: int) -> History:
        """The history that a walk has come to."""
        if walk not in self._now:
            self._now[walk] = self._begun(walk) if walk else self._latest_history()
        return self._now[walk]

    def _begun(self, walk: int) -> History:
        """The history with which another walk than the first one begins."""
        observation, first = self._observed, self._history_of_walk(0)
        number = len(observation.entries)
        rng, found = self._random(number, walk), None
        if len(first) <= SHORT_HISTORY:
            fitter = Fitter(self._observer, observation, rng)
            found = self._within(MAX_MOVES_OF_ENTRY, fitter, (), MAX_VARIATIONS * number)
        return first if is_loose(first) else found or self._mixed(observation, first, rng)

    def _latest_history(self) -> History:
        """The history of everything observed."""
        observation = self._observed
        if self._latest is None or self._latest[0] != observation:
            self._continue()
            self._latest = observation, self._continued(observation)
        return self._latest[1]

    def _continue(self) -> None:
        """Continue the history up to the last decision that is over."""
        observation, histories = self._observed, self._histories
        while len(histories) < len(observation.entries) - 1:
            upto = _up_to(observation, len(histories))
            is_found = self._latest is not None and self._latest[0] == upto
            histories.append(self._latest[1] if self._latest and is_found else self._continued(upto))

    def _continued(self, observation: Observation) -> History:
        """The history before the last entry continued by it; where that fails, one further along the walk, or new."""
        number = len(observation.entries) - 1
        rng = self._random(number, 0)
        fitter = Fitter(self._observer, observation, rng)
        for start in self._starts(number, rng):
            since = number - (start[-1].entry if start else -1)
            found = self._within(MAX_MOVES_OF_ENTRY, fitter, start, MAX_VARIATIONS * since)
            if found is not None:
                return found
        return self._loosely(observation)

    def _starts(self, number: int, rng: random.Random) -> Iterator[History]:
        """Histories that may be continued up to an entry: the one before it, others further along, new ones."""
        if number:
            yield self._histories[-1]
            kept = next((each for each in reversed(range(number)) if not is_loose(self._histories[each])), -1)
            for attempt in range(OTHER_HISTORIES if kept >= 0 else 0):
                upto, steps = _up_to(self._observed, kept), STEPS_BETWEEN_STATES << attempt
                yield mixed(self._observer, upto, self._histories[kept], rng, steps)
        yield from [()] * NEW_HISTORIES

    def _within(self, moves: int, fitter: Fitter, history: History, most: int) -> History | None:
        """A history made to agree by at most `most` variations, and within a number of moves."""
        tries, self._observer.moves_left = fitter.tries, moves
        try:
            return fitter.fitted(history, most)
        except TooMuch:
            return None
        finally:
            self._observer.moves_left = inf
            self.tries += fitter.tries - tries

    def _mixed(self, observation: Observation, history: History, rng: random.Random) -> History:
        return mixed(self._observer, observation, history, rng, STEPS_BETWEEN_STATES)

    def _random(self, number: int, walk: int) -> random.Random:
        """Chance for an entry, and for another walk than the first one."""
        return random.Random(f"{self._seed} {number} {walk}")

    def _state(self, history: History, seed: int) -> Sampled:
        """A state with this past (a loose history gives none), and a future of chance that follows from the seed."""
        cells, journal = Cells(history[-1].after), Journal()
        made: list[Made] = []
        for ply in () if is_loose(history) else history:
            if ply.code is not None:
                made.append(Made(len(journal), ply.code, None))
            journal.extend(ply.journal)
            journal.results += ply.journal.results
        cells[RANDOM], cells[MOVES] = seeded(seed), None
        state = self._class(self._game, self._game.program, cells, journal, seed)
        state.made = made
        return state

    def _image_state(self, images: Images, seed: int) -> Sampled:
        """The state at the end of the present image of a history."""
        cells = images.cells
        cells[RANDOM] = seeded(seed)
        return self._class.with_past(self._game, self._game.program, cells, seed, images.past)


def sampler_of(state: Sampled, player: str, seed: int, size: int = WALKS) -> Sampler[Sampled]:
    """A sampler that has observed what a seat has observed of a game up to now."""
    sampler = Sampler(state.game, type(state), player, seed, size)
    sampler.observe(observation_of(state, player))
    return sampler


def _up_to(observation: Observation, number: int) -> Observation:
    """What had been observed when an entry of it was complete."""
    entries: Any = observation.entries
    return Observation(
        entries[: number + 1], observation.arrangements[: number + 1], entries[number + 1].prompt, over=False
    )  # fmt: skip


# ---------------------------------------------------------------- determinizations


@dataclass(frozen=True)
class Determinizations(Sequence[Sampled], Generic[Sampled]):
    """States that were drawn for a seat; `tries` is how many variations were tried to find them.

    Many tries are needed if few of the possible histories agree with the observation.
    """

    states: tuple[Sampled, ...]
    tries: int

    @overload
    def __getitem__(self, index: int) -> Sampled: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Sampled, ...]: ...

    def __getitem__(self, index: int | slice) -> Sampled | tuple[Sampled, ...]:
        return self.states[index]

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[Sampled]:
        return iter(self.states)


def determinizations(state: Sampled, seat: str, count: int, seed: int) -> Determinizations[Sampled]:
    """Draw states that a seat cannot distinguish from this one, each with its full history and new future chance.

    Raises UsageError for a wrong argument, UnknownSeatError, and SamplingError if no state is found.
    """
    number, begin = integer_of(count, "the number of states", least=0), integer_of(seed, "a seed")
    if state.seat_number(seat) is None:
        raise UnknownSeatError("determinizations are drawn for a seat, not for nobody")
    sampler = sampler_of(state, seat, begin, size=max(1, min(number, MAX_HISTORIES)))
    return Determinizations(tuple(sampler.states(number)) if number else (), sampler.tries)
