"""Random states from all those that a seat cannot distinguish from the real one.

A sampler keeps a few histories that agree with what was observed so far. They are extended entry by entry, repaired
where they deviate from the observation, and mixed before states are made from them. The samples depend only on the seed
and the observation, not on the steps in which it arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any, Generic, TypeVar

from interpreter.compiler.privacy import has_masked_moves
from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.following import ends_right
from interpreter.opponents.knowledge.histories import (
    History,
    Observer,
    TooLate,
    TooMuch,
    always,
    is_loose,
    never,
    shuffles_in,
)
from interpreter.opponents.knowledge.images import Images
from interpreter.opponents.knowledge.mixing import mixed
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.repairing import Fitter
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.variations import exchanging, loosened, varied
from interpreter.play.game import Game, State
from interpreter.runtime.cells import Cells, Journal
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import MOVES, RANDOM
from interpreter.seat.views.history import Made
from interpreter.wording.phrases import Phrase

Sampled = TypeVar("Sampled", bound=State)
"""The class of the sampled states."""

KEPT_HISTORIES = 8
"""The number of histories kept."""

MAX_VARIATIONS = 300
"""Maximum number of variations tried to make one history agree with one more entry."""

OTHER_HISTORIES = 5
"""Number of histories further along the random walk that are tried if none of the kept ones can be extended."""

NEW_HISTORIES = 4
"""Number of new histories started if that fails as well."""

MAX_MOVES_OF_ENTRY = 2500
"""Maximum number of moves made to continue the histories by one entry. Then the search goes on loosely: pieces are
exchanged, and whether earlier decisions of others would still have been possible is not examined."""

MAX_REPAIRS = 8
"""Maximum number of variations tried to make a history agree after an exchange of two pieces."""

MANY_ENTRIES = 4
"""The number of entries of an observation from which extending all histories is slow."""

MEAN_LOOSE_MOVES = 20
"""Maximum number of moves made for each entry of an observation to continue a history loosely, on average."""

MAX_STRICT_MOVES = 20_000
"""Maximum number of moves made in attempts to continue a history strictly, where it cannot be continued loosely."""

STEPS_BETWEEN_STATES = 4
"""The number of steps of the random walk between two drawn states."""

SHORT_HISTORY = 16
"""Maximum number of decisions of a history that is mixed before every state, as these are soon made again."""

IMAGES_OF_A_HISTORY = 32
"""The number of states drawn from the images of a history between steps of mixing.

Of a longer one they are drawn one after the other, as a history has to be examined before its images are cheap.
"""


class Sampler(Generic[Sampled]):
    """Draws states that agree with everything one seat has observed.

    `tries` is the number of variations of histories that were tried for what was observed last: many where the
    constraints are tight.
    """

    def __init__(self, game: Game, states: type[Sampled], player: str, seed: int, size: int = KEPT_HISTORIES) -> None:
        self._game, self._class, self._seed = game, states, seed
        self._size = 1 if game.is_open else size
        self._observer = Observer(game.program, game.seats.index(player))
        self._observation: Observation | None = None
        self._pools: list[tuple[History, ...]] = []
        self._latest: tuple[Observation, tuple[History, ...]] | None = None
        self._now: list[History] = []
        self._images: dict[int, Images] = {}
        self._hasty: list[History] = []
        self._first_hasty_pool: int | None = None
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
            del self._pools[same:]
            count = len(before.entries)
            if (before.entries, before.arrangements) != (observation.entries[:count], observation.arrangements[:count]):
                self._observer.prompts.clear()  # decisions were taken back
                self._observer.arranged.clear()
        self._now, self._hasty, self._drawn, self.tries = [], [], 0, 0
        self._images.clear()

    def states(
        self,
        count: int,
        hurry: Callable[[], bool] = never,
        too_late: Callable[[], bool] = never,
        timed: bool = False,
    ) -> list[Sampled]:
        """Draw states with the same decision pending, the same labels of legal moves, and new future chance.

        Once somebody is in a `hurry`, fewer different ones are drawn, so that they come sooner. When it is `too_late`,
        states are made that may not agree with earlier decisions of others (`agrees`); what was found on the way to
        others is kept for the next time. `timed`: there is little time, so if much has been observed since states were
        drawn, only one history is continued, from which others are made. Where not even loose states are found in time,
        some more attempts are made after it. Raises SamplingError if none is found.
        """
        if not timed:
            self._forget_hasty_pools()
        behind = 0 if self._observation is None else len(self._observation.entries) - len(self._pools)
        try:
            with self._until(too_late):
                self._catch_up(hurry, always if timed and behind > MANY_ENTRIES else hurry)
                self._latest_drawn = self._now
                return [self._drawn_state(hurry) for _ in range(count)]
        except TooLate:
            pass
        if not self._hasty:
            try:
                self._hasty = self._loosely(self._observed)
            except SamplingError:  # rare: better late than a move that follows from nothing
                self._catch_up(always, always)
                self._hasty = self._now[:1]
            self._advance(self._hasty[0])
        self._latest_drawn, rng = self._hasty, random.Random(f"{self._seed} {len(self._observed.entries)} hastily")
        return [self._state(self._varied_loosely(self._hasty[0], rng), rng.getrandbits(62)) for _ in range(count)]

    def _advance(self, history: History) -> None:
        """Keep a history of everything observed, so that the next one need not begin where time has run out."""
        if self._first_hasty_pool is None:
            self._first_hasty_pool = len(self._pools)
        for number in range(len(self._pools), len(self._observed.entries) - 1):
            self._pools.append((tuple(ply for ply in history if ply.entry <= number),))

    def _forget_hasty_pools(self) -> None:
        """States without a limit of time follow from the seed and the observation alone."""
        if self._first_hasty_pool is not None:
            del self._pools[self._first_hasty_pool :]
            self._first_hasty_pool, self._latest, self._now = None, None, []

    @property
    def agrees(self) -> bool:
        """True if the states drawn last agree with everything observed.

        Otherwise they agree with what was seen of pieces, but perhaps not with what others decided earlier.
        """
        return not any(map(is_loose, self._latest_drawn))

    def _drawn_state(self, hurry: Callable[[], bool]) -> Sampled:
        is_long = len(self._now[0]) > SHORT_HISTORY
        index = (self._drawn // IMAGES_OF_A_HISTORY if is_long else self._drawn) % len(self._now)
        self._drawn += 1
        history, rng = self._now[index], self._rng
        if is_loose(history):
            return self._state(self._varied_loosely(history, rng), rng.getrandbits(62))
        if self._game.is_open or hurry():
            return self._state(history, rng.getrandbits(62))
        # Images do not vary what others chose in secret.
        images = self._images_of(index) if is_long or not has_masked_moves(self._game.program.model) else None
        if images is None or images.is_alone or images.drawn == IMAGES_OF_A_HISTORY:
            mixed = self._mixed(history, rng, hurry)
            if mixed is not history:
                history = self._now[index] = mixed
                self._images.pop(index, None)
            if images is None or images.is_alone:
                return self._state(history, rng.getrandbits(62))
            images = self._images_of(index)
            images.drawn = 0
        images.walk(rng)
        return self._image_state(images, rng.getrandbits(62))

    def _images_of(self, index: int) -> Images:
        """The images of one of the histories."""
        if index not in self._images:
            self._images[index] = Images(self._observer, self._observed, self._now[index])
        return self._images[index]

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

    def _loosely(self, observation: Observation) -> list[History]:
        """A history that was kept, continued loosely: the latest, earlier ones, one from the setup on.

        Where that fails, which is rare, more time is spent on one that agrees. Raises SamplingError.
        """
        number = len(observation.entries)
        rng = random.Random(f"{self._seed} {number} loosely")
        fitter, strict_fitter = (Fitter(self._observer, observation, rng, loosely=loosely) for loosely in (True, False))
        pools = [pool for pool in self._pools[::-1] if pool]
        earlier = [*pools[:1], *[pools[(1 << back) - 1] for back in range(len(pools).bit_length())]]
        starts: list[History] = [*[rng.choice(pool) for pool in earlier], *[()] * NEW_HISTORIES]
        tries = [(fitter, history) for history in starts]
        strict_starts = [history for history in starts if not is_loose(history)]
        tries += [(strict_fitter, history) for history in strict_starts]
        strict_moves = MAX_STRICT_MOVES // max(1, len(strict_starts))
        for each, history in tries:
            since = number - (history[-1].entry + 1 if history else 0)
            self._observer.moves_left = MEAN_LOOSE_MOVES * (since + 5) if each.loosely else strict_moves
            try:
                continuation = each.fitted(history, MAX_VARIATIONS * number)
            except TooMuch:
                continue
            finally:
                self._observer.moves_left = inf
            if continuation is not None:
                return [continuation]
        raise SamplingError(Phrase("no state was found that agrees with what the seat has observed"))

    def catch_up(self, too_late: Callable[[], bool]) -> None:
        """Continue the histories up to the last decision that is over, until it is `too_late`.

        States drawn later are the same, but are ready sooner.
        """
        try:
            with self._until(too_late):
                self._continue_pools(never)
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
                replayed = varied(self._observer, self._observation, history, variation, self._rng)
                fitter = Fitter(self._observer, self._observation, self._rng)
                fitted = fitter.fitted(replayed.history, MAX_REPAIRS) if replayed.history else None
                state = None if fitted is None else self._state(fitted, self._seed)
                if fitted is not None and state is not None and wanted(state):
                    self._now[number] = fitted
                    self._images.pop(number, None)
                    return state
        return None

    def _catch_up(self, hurry: Callable[[], bool], hurry_before: Callable[[], bool]) -> None:
        """Continue the histories up to now; up to the decision before, there may be more of a hurry."""
        if self._now:
            return
        observation = self._continue_pools(hurry_before)
        self._now = list(self._continued(observation, hurry))
        self._rng = random.Random(f"{self._seed} {len(observation.entries)} now")

    def _continue_pools(self, hurry: Callable[[], bool]) -> Observation:
        """Continue the histories up to the last decision that is over; what has been observed."""
        observation = self._observed
        while len(self._pools) < len(observation.entries) - 1:
            self._pools.append(self._continued(_up_to(observation, len(self._pools)), hurry))
        return observation

    def _mixed(self, history: History, rng: random.Random, hurry: Callable[[], bool]) -> History:
        """Go further along the random walk; in a hurry, not when it is too late."""
        assert self._observation is not None
        try:
            return mixed(self._observer, self._observation, history, rng, STEPS_BETWEEN_STATES)
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
        continued: list[History] = []
        self._observer.moves_left = MAX_MOVES_OF_ENTRY
        try:
            self._find(continued, before, fitter, hurry)
        except TooLate:
            if not (continued and hurry()):
                raise
        except TooMuch:
            pass
        finally:
            self._observer.moves_left = inf
        self.tries += fitter.tries
        self._latest = observation, tuple(continued or self._loosely(observation))
        return self._latest[1]

    def _find(
        self, continued: list[History], before: Sequence[History], fitter: Fitter, hurry: Callable[[], bool]
    ) -> None:
        """Continue the histories before the last entry; where that fails, others are found."""
        observer, observation, rng = fitter.observer, fitter.observation, fitter.rng
        number = len(observation.entries) - 1
        for history in before:
            strict = self._restored(history, number, rng) if is_loose(history) else history
            if strict is not None:
                self._add(continued, fitter.fitted(strict, MAX_VARIATIONS))
            if continued and hurry():
                return
        strict_before = [history for history in before if not is_loose(history)]
        for attempt in range(OTHER_HISTORIES if number and strict_before else 0):
            if not continued:
                earlier = _up_to(observation, number - 1)
                other = mixed(observer, earlier, rng.choice(strict_before), rng, STEPS_BETWEEN_STATES << attempt)
                self._add(continued, fitter.fitted(other, MAX_VARIATIONS))
        for _ in range(NEW_HISTORIES):
            if not continued:
                self._add(continued, fitter.fitted((), MAX_VARIATIONS * len(observation.entries)))
        while continued and len(continued) < self._size and not hurry():
            continued.append(mixed(observer, observation, rng.choice(continued), rng, STEPS_BETWEEN_STATES))

    def _restored(self, history: History, number: int, rng: random.Random) -> History | None:
        """A loose history that ends before an entry, with all moves made again."""
        return Fitter(self._observer, _up_to(self._observed, number - 1), rng).restored(history)

    @staticmethod
    def _add(continued: list[History], history: History | None) -> None:
        if history is not None:
            continued.append(history)

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


def sampler_of(state: Sampled, player: str, seed: int, size: int = KEPT_HISTORIES) -> Sampler[Sampled]:
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
