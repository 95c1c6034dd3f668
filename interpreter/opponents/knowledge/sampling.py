"""Random states from all those that a seat cannot distinguish from the real one.

A sampler keeps a few histories that agree with what was observed so far. They are extended entry by entry, repaired
where they deviate from the observation, and mixed before states are made from them. The samples depend only on the seed
and the observation, not on the steps in which it arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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
    is_loose,
    made_again,
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
from interpreter.runtime.cells import Cells
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import MOVES, RANDOM
from interpreter.wording.phrases import Phrase

Sampled = TypeVar("Sampled", bound=State)
"""The class of the sampled states."""

KEPT_HISTORIES = 8
"""The number of histories kept, once states have been drawn from as many.

Without a limit of time, short ones are continued independently of each other; others are further along the random walk
than the first.
"""

MAX_VARIATIONS = 300
"""Maximum number of variations tried to make one history agree with one more entry."""

OTHER_HISTORIES = 5
"""Number of histories further along the random walk that are tried if the first of the kept ones cannot be extended."""

NEW_HISTORIES = 4
"""Number of new histories started if that fails as well."""

MAX_MOVES_OF_ENTRY = 2500
"""Maximum number of moves made to continue the first history by one entry. Then the search goes on loosely: pieces are
exchanged, and whether earlier decisions of others would still have been possible is not examined."""

MAX_REPAIRS = 8
"""Maximum number of variations tried to make a history agree after an exchange of two pieces."""

MEAN_LOOSE_MOVES = 20
"""Maximum number of moves made for each entry of an observation to continue a history loosely, on average."""

MAX_ROUNDS = 5
"""Maximum number of times that all this is tried, with other random choices."""

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
        self._kept: list[list[History]] = [[] for _ in range(self._size)]  # by the entry with which they end
        self._latest: dict[int, tuple[Observation, History]] = {}
        self._now: dict[int, History] = {}
        self._images: dict[int, Images] = {}
        self._hasty: History | None = None
        self._first_hasty: int | None = None
        self._timed = False
        self._has_drawn_loose = False
        self._rng, self._drawn = random.Random(), 0
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
            for kept in self._kept:
                del kept[same:]
            count = len(before.entries)
            if (before.entries, before.arrangements) != (observation.entries[:count], observation.arrangements[:count]):
                self._observer.prompts.clear()  # decisions were taken back
                self._observer.arranged.clear()
        self._hasty, self.tries = None, 0
        self._forget_others()

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
        others is kept for the next time. `timed`: there is a limit of time. Where not even loose states are found in
        time, some more attempts are made after it. Raises SamplingError if none is found.
        """
        if timed != self._timed:
            self._timed = timed
            self._forget_others()
        if not timed:
            self._forget_hasty()
        self._has_drawn_loose = False
        try:
            with self._until(too_late):
                self._history(0)
                return [self._drawn_state(hurry) for _ in range(count)]
        except TooLate:
            pass
        if self._hasty is None:
            try:
                self._hasty = self._loosely(self._observed)
            except SamplingError:  # rare: better late than a move that follows from nothing
                self._hasty = self._history(0)
            self._advance(self._hasty)
        self._has_drawn_loose = is_loose(self._hasty)
        rng = random.Random(f"{self._seed} {len(self._observed.entries)} hastily")
        return [self._state(self._varied_loosely(self._hasty, rng), rng.getrandbits(62)) for _ in range(count)]

    def _advance(self, history: History) -> None:
        """Keep a history of everything observed, so that the next one need not begin where time has run out."""
        kept = self._kept[0]
        if self._first_hasty is None:
            self._first_hasty = len(kept)
        for number in range(len(kept), len(self._observed.entries) - 1):
            kept.append(tuple(ply for ply in history if ply.entry <= number))

    def _forget_hasty(self) -> None:
        """States without a limit of time follow from the seed and the observation alone."""
        if self._first_hasty is not None:
            for kept in self._kept:
                del kept[self._first_hasty :]
            self._first_hasty = None
            self._latest.clear()
            self._forget_others()

    def _forget_others(self) -> None:
        """Draw states anew from the first history."""
        self._drawn, self._rng = 0, random.Random(f"{self._seed} {len(self._observed.entries)} now")
        self._now.clear()
        self._images.clear()

    @property
    def agrees(self) -> bool:
        """True if the states drawn last agree with everything observed.

        Otherwise they agree with what was seen of pieces, but perhaps not with what others decided earlier.
        """
        return not self._has_drawn_loose

    def _drawn_state(self, hurry: Callable[[], bool]) -> Sampled:
        first = self._history(0)
        is_long, rng = len(first) > SHORT_HISTORY, self._rng
        if is_loose(first):
            self._has_drawn_loose = True
            return self._state(self._varied_loosely(first, rng), rng.getrandbits(62))
        index = (self._drawn // IMAGES_OF_A_HISTORY if is_long else self._drawn) % self._size
        self._drawn += 1
        if self._game.is_open or hurry():
            return self._state(self._now.get(index, first), rng.getrandbits(62))
        try:
            return self._state_of(index, is_long)
        except TooLate:
            return self._state(self._now.get(index, first), rng.getrandbits(62))

    def _state_of(self, index: int, is_long: bool) -> Sampled:
        """A state made from one of the histories, further along its walk."""
        history, rng = self._history(index), self._rng
        # Images do not vary what others chose in secret.
        images = self._images_of(index) if is_long or not has_masked_moves(self._game.program.model) else None
        if images is None or images.is_alone or images.drawn == IMAGES_OF_A_HISTORY:
            mixed = self._mixed(history)
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

    def _loosely(self, observation: Observation) -> History:
        """A history that was kept, continued loosely: the latest, earlier ones, one from the setup on.

        Where that fails, which is rare, more time is spent on one that agrees. Raises SamplingError.
        """
        number = len(observation.entries)
        rng = random.Random(f"{self._seed} {number} loosely")
        fitter, strict_fitter = (Fitter(self._observer, observation, rng, loosely=loosely) for loosely in (True, False))
        kept = self._kept[0][:number][::-1]
        earlier = [*kept[:1], *[kept[(1 << back) - 1] for back in range(len(kept).bit_length())]]
        starts: list[History] = [*earlier, *[()] * NEW_HISTORIES]
        tries = [(fitter, history) for history in starts]
        strict_starts = [history for history in starts if not is_loose(history)]
        tries += [(strict_fitter, history) for history in strict_starts]
        strict_moves = MAX_STRICT_MOVES // max(1, len(strict_starts))
        for each, history in tries * MAX_ROUNDS:
            since = number - (history[-1].entry + 1 if history else 0)
            self._observer.moves_left = MEAN_LOOSE_MOVES * (since + 5) if each.loosely else strict_moves
            try:
                found = each.fitted(history, MAX_VARIATIONS * number)
            except TooMuch:
                continue
            finally:
                self._observer.moves_left = inf
            if found is not None:
                return found
        raise SamplingError(Phrase("no state was found that agrees with what the seat has observed"))

    def catch_up(self, too_late: Callable[[], bool]) -> None:
        """Continue the histories up to the last decision that is over, until it is `too_late`.

        States drawn later are the same, but are ready sooner.
        """
        try:
            with self._until(too_late):
                self._continue(0, len(self._observed.entries) - 1)
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
        """The number of histories that are kept."""
        return 1 if is_loose(self._history(0)) else self._size

    def kept_state(self, number: int) -> Sampled:
        """The state at the end of one of the histories that are kept."""
        return self._state(self._history(number), self._seed)

    def exchange(self, number: int, piece: int, other: int, wanted: Callable[[Sampled], bool]) -> Sampled | None:
        """Exchange two pieces in a kept history from a shuffle on that had both, if that leads to a state as wanted.

        What follows may be repaired, as other decisions may be made then. None if the seat would have noticed.
        """
        assert self._observation is not None
        history = self._history(number)
        for moment in shuffles_in(history):
            if {piece, other} <= set(history[moment[0]].chance[moment[1]].new):
                variation = exchanging(history, moment, {piece: other, other: piece})
                found = varied(self._observer, self._observation, history, variation, self._rng)
                fitter = Fitter(self._observer, self._observation, self._rng)
                fitted = fitter.fitted(found.history, MAX_REPAIRS) if found.history else None
                state = None if fitted is None else self._state(fitted, self._seed)
                if fitted is not None and state is not None and wanted(state):
                    self._now[number] = fitted
                    self._images.pop(number, None)
                    return state
        return None

    def _history(self, index: int) -> History:
        """One of the histories, continued up to now."""
        if index not in self._now:
            if index and (self._timed or len(self._history(0)) > SHORT_HISTORY):
                self._now[index] = self._mixed(self._history(index - 1))
            else:
                self._continue(index, len(self._observed.entries) - 1)
                self._now[index] = self._continued(index, self._observed)
        return self._now[index]

    def _continue(self, index: int, count: int) -> None:
        """Continue one of the histories by all but the last of some entries."""
        kept = self._kept[index]
        while len(kept) < count:
            kept.append(self._continued(index, _up_to(self._observed, len(kept))))

    def _mixed(self, history: History) -> History:
        """Go further along the random walk, if there is time."""
        return mixed(self._observer, self._observed, history, self._rng, STEPS_BETWEEN_STATES)

    def _continued(self, index: int, observation: Observation) -> History:
        """One of the histories, continued by the last entry of an observation."""
        latest = self._latest.get(index)
        if latest is not None and latest[0] == observation:
            return latest[1]
        number = len(observation.entries) - 1
        fitter = Fitter(self._observer, observation, random.Random(f"{self._seed} {number} {index}"))
        self._observer.moves_left = MAX_MOVES_OF_ENTRY
        try:
            found = self._fitted(self._kept[index][number - 1] if number else (), fitter, is_first=index == 0)
        except TooMuch:
            found = None
        finally:
            self._observer.moves_left = inf
        self.tries += fitter.tries
        if found is None:
            found = self._loosely(observation) if index == 0 else self._like_the_first(observation, fitter.rng)
        self._latest[index] = observation, found
        return found

    def _fitted(self, before: History, fitter: Fitter, is_first: bool) -> History | None:
        """A history continued by one entry; instead of the first, another one where that fails."""
        observer, observation, rng = fitter.observer, fitter.observation, fitter.rng
        number = len(observation.entries) - 1
        strict = self._restored(before, number, rng) if is_loose(before) else before
        found = None if strict is None else fitter.fitted(strict, MAX_VARIATIONS)
        for attempt in range(OTHER_HISTORIES if number and is_first and strict is before else 0):
            if found is None:
                earlier = _up_to(observation, number - 1)
                other = mixed(observer, earlier, before, rng, STEPS_BETWEEN_STATES << attempt)
                found = fitter.fitted(other, MAX_VARIATIONS)
        for _ in range(NEW_HISTORIES if is_first else 0):
            if found is None:
                found = fitter.fitted((), MAX_VARIATIONS * len(observation.entries))
        return found

    def _like_the_first(self, observation: Observation, rng: random.Random) -> History:
        """A history that is further along the random walk than the first one, unless this is loose."""
        number = len(observation.entries) - 1
        self._continue(0, number)
        history = self._continued(0, observation)
        return history if is_loose(history) else mixed(self._observer, observation, history, rng, STEPS_BETWEEN_STATES)

    def _restored(self, history: History, number: int, rng: random.Random) -> History | None:
        """A loose history that ends before an entry, with all moves made again."""
        return Fitter(self._observer, _up_to(self._observed, number - 1), rng).restored(history)

    def _state(self, history: History, seed: int) -> Sampled:
        """A state with this past (a loose history gives none), and a future of chance that follows from the seed."""
        cells = Cells(history[-1].after)
        cells[RANDOM], cells[MOVES] = seeded(seed), None
        decisions = [] if is_loose(history) else [(ply.code, ply.chance) for ply in history]
        past = partial(made_again, self._game.program, decisions)
        return self._class.with_past(self._game, self._game.program, cells, seed, past)

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
