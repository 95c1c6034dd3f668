"""Random states from all those that a seat cannot distinguish from the real one.

A sampler keeps a few histories that agree with what was observed so far. They are extended entry by entry, repaired
where they deviate from the observation, and mixed before states are made from them. The samples depend only on the seed
and the observation, not on the steps in which it arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.histories import History, Observer, TooLate, always, never, shuffles_in
from interpreter.opponents.knowledge.mixing import mixed
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.repairing import Fitter
from interpreter.opponents.knowledge.variations import exchanging, varied
from interpreter.play.game import Game, State
from interpreter.runtime.cells import Cells, Journal
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import MOVES, RANDOM
from interpreter.seat.views.history import Made
from interpreter.wording.phrases import Phrase

Sampled = TypeVar("Sampled", bound=State)
"""The class of the sampled states."""

SIZE = 8
"""The number of histories kept."""

MOST_VARIATIONS = 300
"""Maximum number of variations tried to make one history agree with one more entry."""

OTHERS = 5
"""Number of histories further along the random walk that are tried if none of the kept ones can be extended."""

FROM_THE_START = 4
"""Number of new histories started if that fails as well."""

MOST_REPAIRS = 8
"""Maximum number of variations tried to make a history agree after an exchange of two pieces."""

MUCH = 24
"""The number of entries of an observation from which extending all histories is slow."""

STEPS = 4
"""The number of steps of the random walk between two drawn states."""


class Sampler(Generic[Sampled]):
    """Draws states that agree with everything one seat has observed.

    `tries` is the number of variations of histories that were tried for what was observed last: many where the
    constraints are tight.
    """

    def __init__(self, game: Game, states: type[Sampled], player: str, seed: int, size: int = SIZE) -> None:
        self._game, self._class, self._seed = game, states, seed
        self._size = 1 if game.is_open else size
        self._observer = Observer(game.program, game.seats.index(player))
        self._observation: Observation | None = None
        self._pools: list[tuple[History, ...]] = []
        self._latest: tuple[Observation, tuple[History, ...]] | None = None
        self._now: list[History] = []
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
            del self._pools[same:]
            count = len(before.entries)
            if (before.entries, before.arrangements) != (observation.entries[:count], observation.arrangements[:count]):
                self._observer.prompts.clear()  # decisions were taken back
                self._observer.arranged.clear()
        self._now, self._drawn, self.tries = [], 0, 0

    def states(
        self,
        count: int,
        hurry: Callable[[], bool] = never,
        too_late: Callable[[], bool] = never,
        timed: bool = False,
    ) -> list[Sampled]:
        """Draw states with the same decision pending, the same labels of legal moves, and new future chance.

        Once somebody is in a `hurry`, fewer different ones are drawn, so that they come sooner. When it is `too_late`,
        the search for the first one ends as well; what was found on the way to it is kept for the next time. `timed`:
        there is little time, so if much has been observed since states were drawn, only one history is continued, from
        which others are made. Raises SamplingError if none is found.
        """
        with self._until(too_late):
            behind = 0 if self._observation is None else len(self._observation.entries) - len(self._pools)
            self._catch_up(hurry, always if timed and behind > MUCH else hurry)
            made = []
            for _ in range(count):
                index = self._drawn % len(self._now)
                if self._drawn >= len(self._now) and not self._game.is_open and not hurry():
                    self._now[index] = self._mixed(self._now[index], self._rng, hurry)
                self._drawn += 1
                made.append(self._state(self._now[index], self._rng.getrandbits(62)))
            return made

    def catch_up(self, too_late: Callable[[], bool]) -> None:
        """Continue the histories up to the last decision that is over, until it is `too_late`.

        States drawn later are the same, but are ready sooner.
        """
        try:
            with self._until(too_late):
                self._continue_pools(never)
        except SamplingError:
            pass  # the next time it goes on from there

    @contextmanager
    def _until(self, too_late: Callable[[], bool]) -> Iterator[None]:
        """Within the block, SamplingError is raised when it is too late."""
        self._observer.too_late = too_late
        try:
            yield
        except TooLate:
            raise SamplingError(
                Phrase("there was too little time to find a state that agrees with what the seat has observed")
            ) from None
        finally:
            self._observer.too_late = never

    @property
    def kept(self) -> int:
        """The number of histories that are kept, once states have been drawn."""
        return len(self._now)

    def kept_state(self, number: int) -> Sampled:
        """The state at the end of one of the histories that are kept."""
        return self._state(self._now[number], self._seed)

    def exchange(self, number: int, piece: int, other: int, wanted: Callable[[Sampled], bool]) -> Sampled | None:
        """Exchange two pieces in a kept history from a shuffle on that had both, if that leads to a state as wanted.

        What follows may be repaired, as other decisions may be made then. None if the seat would have noticed.
        """
        assert self._observation is not None
        history = self._now[number]
        for moment in shuffles_in(history):
            if {piece, other} <= set(history[moment[0]].chance[moment[1]].new):
                variation = exchanging(history, moment, {piece: other, other: piece})
                found = varied(self._observer, self._observation, history, variation, self._rng)
                fitter = Fitter(self._observer, self._observation, self._rng)
                fitted = fitter.fitted(found.history, MOST_REPAIRS) if found.history else None
                state = None if fitted is None else self._state(fitted, self._seed)
                if fitted is not None and state is not None and wanted(state):
                    self._now[number] = fitted
                    return state
        return None

    def _catch_up(self, hurry: Callable[[], bool], hurry_before: Callable[[], bool]) -> None:
        """Continue the histories up to now; up to the decision before, there may be more of a hurry."""
        if self._now:
            return
        observation = self._continue_pools(hurry_before)
        now = list(self._continued(observation, hurry))
        if not now:
            raise SamplingError(Phrase("no state was found that agrees with what the seat has observed"))
        rng = random.Random(f"{self._seed} {len(observation.entries)} now")
        for number, history in enumerate(now):
            if not hurry() and not self._game.is_open:
                now[number] = self._mixed(history, rng, hurry)
        self._now, self._rng = now, rng

    def _continue_pools(self, hurry: Callable[[], bool]) -> Observation:
        """Continue the histories up to the last decision that is over; what has been observed."""
        observation = self._observation
        if observation is None:
            raise SamplingError("nothing has been observed yet")
        while len(self._pools) < len(observation.entries) - 1:
            self._pools.append(self._continued(_up_to(observation, len(self._pools)), hurry))
        return observation

    def _mixed(self, history: History, rng: random.Random, hurry: Callable[[], bool]) -> History:
        """Go further along the random walk; in a hurry, not when it is too late."""
        assert self._observation is not None
        try:
            return mixed(self._observer, self._observation, history, rng, STEPS)
        except TooLate:
            if not hurry():
                raise
            return history

    def _continued(self, observation: Observation, hurry: Callable[[], bool]) -> tuple[History, ...]:
        """The histories continued by the last entry of an observation; in a hurry, at least one of them."""
        if self._latest is not None and self._latest[0] == observation:
            return self._latest[1]
        number = len(observation.entries) - 1
        rng = random.Random(f"{self._seed} {number}")
        fitter = Fitter(self._observer, observation, rng)
        before: Sequence[History] = self._pools[number - 1] if number else [()] * self._size
        found: list[History] = []
        try:
            self._find(found, before, fitter, hurry)
        except TooLate:
            if not (found and hurry()):
                raise
        self.tries += fitter.tries
        self._latest = observation, tuple(found)
        return self._latest[1]

    def _find(self, found: list[History], before: Sequence[History], fitter: Fitter, hurry: Callable[[], bool]) -> None:
        """Continue the histories before the last entry; where that fails, others are found."""
        observer, observation, rng = fitter.observer, fitter.observation, fitter.rng
        number = len(observation.entries) - 1
        for history in before:
            self._add(found, fitter.fitted(history, MOST_VARIATIONS))
            if found and hurry():
                return
        for attempt in range(OTHERS if number and before else 0):
            if not found:
                earlier = _up_to(observation, number - 1)
                other = mixed(observer, earlier, rng.choice(before), rng, STEPS << attempt)
                self._add(found, fitter.fitted(other, MOST_VARIATIONS))
        for _ in range(FROM_THE_START):
            if not found:
                self._add(found, fitter.fitted((), MOST_VARIATIONS * len(observation.entries)))
        while found and len(found) < self._size and not hurry():
            found.append(mixed(observer, observation, rng.choice(found), rng, STEPS))

    @staticmethod
    def _add(found: list[History], history: History | None) -> None:
        if history is not None:
            found.append(history)

    def _state(self, history: History, seed: int) -> Sampled:
        """A state with this past, and a future of chance that follows from the seed."""
        cells, journal = Cells(history[-1].after), Journal()
        made: list[Made] = []
        for ply in history:
            if ply.code is not None:
                made.append(Made(len(journal), ply.code, None))
            journal.extend(ply.journal)
            journal.results += ply.journal.results
        cells[RANDOM], cells[MOVES] = seeded(seed), None
        state = self._class(self._game, self._game.program, cells, journal, seed)
        state.made = made
        return state


def sampler_of(state: Sampled, player: str, seed: int, size: int = SIZE) -> Sampler[Sampled]:
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
