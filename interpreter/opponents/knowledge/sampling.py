"""Random states from all those that a seat cannot distinguish from the real one.

A sampler keeps a few histories that agree with what was observed so far. They are extended entry by entry, repaired
where they deviate from the observation, and mixed before states are made from them. The samples depend only on the seed
and the observation, not on the steps in which it arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, Generic, TypeVar

from interpreter.errors import SamplingError
from interpreter.opponents.information import masks_moves
from interpreter.opponents.knowledge.following import ends_right, replayed
from interpreter.opponents.knowledge.histories import (
    History,
    Moment,
    Observer,
    TooLate,
    TooMuch,
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

MORE_NEW_HISTORIES = 8
"""Number of other new histories started loosely before any start is tried for long; twice as many are afterwards."""

MAX_MOVES_OF_ENTRY = 2500
"""Maximum number of moves made to continue the histories by one entry. Then the search goes on loosely: pieces are
exchanged, and whether earlier decisions of others would still have been possible is not examined."""

MAX_REPAIRS = 8
"""Maximum number of variations tried to make a history agree after an exchange of two pieces."""

MANY_ENTRIES = 4
"""The number of entries of an observation from which extending all histories is slow."""

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
"""The number of states drawn from the images of a history between steps of mixing.

Of a longer one they are drawn one after the other, and as many as it has decisions, as these have to be examined before
images are cheap.
"""


class Sampler(Generic[Sampled]):
    """Draws states that agree with everything one seat has observed.

    Each of its lanes is a history that is continued from entry to entry. A lane is continued when states are wanted
    from it: the first state takes one history only. `tries` is the number of variations of histories that were tried
    for what was observed last: many where the constraints are tight.
    """

    def __init__(self, game: Game, states: type[Sampled], player: str, seed: int, size: int = KEPT_HISTORIES) -> None:
        self._game, self._class, self._seed = game, states, seed
        self._observer = Observer(game.program, game.seats.index(player))
        self._observation: Observation | None = None
        # By lane, the histories up to each entry that is over, and those up to now.
        self._is_open = game.is_open
        self._lanes: list[list[History]] = [[] for _ in range(1 if self._is_open else size)]
        self._now: dict[int, History] = {}
        self._latest: tuple[Observation, dict[int, History]] | None = None
        # What was tried for an entry: by its number and the lane, and where that failed for all lanes.
        self._direct: dict[tuple[int, int], History | None] = {}
        self._others: dict[int, History] = {}
        self._images: dict[int, Images] = {}
        self._slots: tuple[History, dict[Moment, Slots]] | None = None
        self._hasty: History | None = None
        self._first_hasty_entry: int | None = None
        self._latest_drawn: list[History] = []
        self._rng = random.Random()
        self._drawn, self._is_timed = 0, False
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
            for lane in self._lanes:
                del lane[same:]
            count = len(before.entries)
            if (before.entries, before.arrangements) != (observation.entries[:count], observation.arrangements[:count]):
                self._observer.prompts.clear()  # decisions were taken back
        self._hasty, self._drawn, self.tries = None, 0, 0
        for kept in (self._now, self._direct, self._others, self._images):
            kept.clear()
        self._rng = random.Random(f"{self._seed} {len(observation.entries)} now")

    def begin_with(self, state: Sampled) -> None:
        """Begin all lanes with the course of a game that agrees with everything observed, instead of finding one."""
        observation, results = self._observed, iter(state.journal.results)

        def chance(*_: object) -> Any:
            result = next(results)
            return result if isinstance(result, int) else list(result)

        history = replayed(self._observer, observation, [made.code for made in state.made], chance)
        self._now[0] = history
        for lane in range(1, len(self._lanes)):
            rng = self._random(len(observation.entries), lane)
            self._now[lane] = self._mixed(observation, history, rng)

    def states(
        self,
        count: int,
        hurry: Callable[[], bool] = never,
        too_late: Callable[[], bool] = never,
        timed: bool = False,
    ) -> list[Sampled]:
        """Draw states with their own past in which the seat has the same decision and legal moves; chance is new.

        Once somebody is in a `hurry`, fewer different ones are drawn, so that they come sooner. When it is `too_late`,
        states are made that may not agree with earlier decisions of others (`agrees`); what was found on the way to
        others is kept for the next time. `timed`: there is little time, so a lane that is far behind begins anew with a
        variation of the first one. Where not even loose states are found in time, some more attempts are made after it.
        Raises SamplingError if none is found.
        """
        self._is_timed = timed
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
                self._hasty = self._lane_now(0)
            self._advance(self._hasty)
        self._latest_drawn = [self._hasty]
        rng = random.Random(f"{self._seed} {len(self._observed.entries)} hastily")
        return [self._state(self._varied_loosely(self._hasty, rng), rng.getrandbits(62)) for _ in range(count)]

    def _advance(self, history: History) -> None:
        """Keep a history of everything observed, so that the next one need not begin where time has run out."""
        lane = self._lanes[0]
        self._is_hasty_from(len(lane))
        for number in range(len(lane), len(self._observed.entries) - 1):
            lane.append(tuple(ply for ply in history if ply.entry <= number))

    def _is_hasty_from(self, number: int) -> None:
        first = self._first_hasty_entry
        self._first_hasty_entry = number if first is None else min(first, number)

    def _forget_hasty_entries(self) -> None:
        """States without a limit of time follow from the seed and the observation alone."""
        if self._first_hasty_entry is not None:
            for lane in self._lanes:
                del lane[self._first_hasty_entry :]
            self._first_hasty_entry, self._latest = None, None
            for kept in (self._now, self._direct, self._others, self._images):
                kept.clear()

    @property
    def agrees(self) -> bool:
        """True if the states drawn last agree with everything observed.

        Otherwise they agree with what was seen of pieces, but perhaps not with what others decided earlier.
        """
        return not any(map(is_loose, self._latest_drawn))

    def _drawn_state(self, hurry: Callable[[], bool]) -> Sampled:
        self._lane_now(0)
        length = len(self._now[0])
        is_long = length > SHORT_HISTORY
        index = self._lane_ready(self._drawn // max(IMAGES_OF_A_HISTORY, length) if is_long else self._drawn, hurry)
        self._drawn += 1
        rng = self._rng
        if is_loose(self._now[index]):
            state = self._state(self._varied_loosely(self._now[index], rng), rng.getrandbits(62))
        else:
            try:
                state = self._walked_state(index, is_long, hurry)
            except TooLate:  # this far
                state = self._state(self._now[index], rng.getrandbits(62))
        self._latest_drawn.append(self._now[index])
        return state

    def _lane_ready(self, number: int, hurry: Callable[[], bool]) -> int:
        """The lane from which the state with this number is drawn: in a hurry, one that was continued up to now."""
        lane = number % len(self._lanes)
        if lane not in self._now:
            try:
                if not hurry():
                    self._lane_now(lane)
            except TooLate:
                pass
        return lane if lane in self._now else number % len(self._now)

    def _walked_state(self, index: int, is_long: bool, hurry: Callable[[], bool]) -> Sampled:
        """A state further along the walk from the history of a lane."""
        history, rng = self._now[index], self._rng
        if self._is_open or hurry():
            return self._state(history, rng.getrandbits(62))
        # Images do not vary what others chose in secret.
        images = self._images_of(index) if is_long or not masks_moves(self._game.program) else None
        if images is None or images.is_alone or images.drawn >= max(IMAGES_OF_A_HISTORY, len(history)):
            mixed_history = mixed(self._observer, self._observed, history, rng, STEPS_BETWEEN_STATES)
            if mixed_history is not history:
                history = self._now[index] = mixed_history
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
        early, late, strict = (
            Fitter(self._observer, observation, rng, loosely=loosely, patience=patience)
            for loosely, patience in ((True, LITTLE_PATIENCE), (True, None), (False, None))
        )
        kept = self._lanes[0][: number - 1][::-1]
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
        """Continue the histories up to the last decision that is over, until it is `too_late`.

        States drawn later are the same, but are ready sooner.
        """
        self._is_timed = False
        try:
            with self._until(too_late):
                for lane in range(len(self._lanes)):
                    self._continue_lane(lane)
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
        return len(self._lanes)

    def kept_state(self, number: int) -> Sampled:
        """The state at the end of one of the histories that are kept."""
        return self._state(self._lane_now(number), self._seed)

    def exchange(self, number: int, piece: int, other: int, wanted: Callable[[Sampled], bool]) -> Sampled | None:
        """Exchange two pieces in a kept history from a shuffle on that had both, if that leads to a state as wanted.

        What follows may be repaired, as other decisions may be made then. None if the seat would have noticed.
        """
        observation, history = self._observed, self._lane_now(number)
        for moment in self._exchangeable(history, piece, other):
            variation = exchanging(history, moment, {piece: other, other: piece})
            replayed = varied(self._observer, observation, history, variation, self._rng)
            fitter = Fitter(self._observer, observation, self._rng)
            fitted = fitter.fitted(replayed.history, MAX_REPAIRS) if replayed.history else None
            state = None if fitted is None else self._state(fitted, self._seed)
            if fitted is not None and state is not None and wanted(state):
                self._now[number] = fitted
                self._images.pop(number, None)
                return state
        return None

    def may_be_exchanged(self, number: int, piece: int, other: int) -> bool:
        """True if a kept history has a shuffle since which the seat saw nothing by which to tell two pieces apart."""
        return any(self._exchangeable(self._lane_now(number), piece, other))

    def _exchangeable(self, history: History, piece: int, other: int) -> Iterator[Moment]:
        """The shuffles since which two pieces of a history may have been exchanged, as far as the seat saw them."""
        if self._slots is None or self._slots[0] is not history:
            self._slots = history, {
                moment: Slots.of(self._observer, history, moment) for moment in shuffles_in(history)
            }  # fmt: skip
        for moment, slots in self._slots[1].items():
            in_both = piece in slots.contents and other in slots.contents
            if in_both and slots.fits(piece, other) and slots.fits(other, piece):
                yield moment

    # ------------------------------------------------------------ lanes

    def _lane_now(self, lane: int) -> History:
        """The history of a lane up to now."""
        if lane not in self._now:
            observation = self._observed
            if self._latest is None or self._latest[0] != observation:
                self._latest = observation, {}
            kept = self._latest[1]
            if lane not in kept:
                number = len(observation.entries) - 1
                if self._is_timed and lane and number - len(self._lanes[lane]) > MANY_ENTRIES:
                    self._is_hasty_from(len(self._lanes[lane]))
                    self._lanes[lane] = list(self._lanes[0])
                    kept[lane] = self._mixed(observation, self._lane_now(0), self._random(number, lane))
                else:
                    self._continue_lane(lane)
                    kept[lane] = self._continued(lane, observation)
            self._now[lane] = kept[lane]
        return self._now[lane]

    def _continue_lane(self, lane: int, count: int | None = None) -> None:
        """Continue a lane up to the last decision that is over, or until it has a number of entries."""
        observation, histories = self._observed, self._lanes[lane]
        while len(histories) < (len(observation.entries) - 1 if count is None else count):
            upto = _up_to(observation, len(histories))
            latest = self._latest[1].get(lane) if self._latest is not None and self._latest[0] == upto else None
            histories.append(self._continued(lane, upto) if latest is None else latest)

    def _continued(self, lane: int, observation: Observation) -> History:
        """The history of a lane continued by the last entry; where that fails, it begins anew from another lane."""
        number = len(observation.entries) - 1
        for other in [*range(lane, len(self._lanes)), *range(lane)]:
            if other != lane and self._is_timed and len(self._lanes[other]) < number:
                self._is_hasty_from(number)
                continue
            history = self._directly(other, observation)
            if history is not None:
                return history if other == lane else self._mixed(observation, history, self._random(number, lane))
        if number not in self._others:
            self._others[number] = self._otherwise(observation)
        history = self._others[number]
        return history if is_loose(history) else self._mixed(observation, history, self._random(number, lane))

    def _directly(self, lane: int, observation: Observation) -> History | None:
        """The history of a lane before the last entry, continued by it; None on failure."""
        number = len(observation.entries) - 1
        if (number, lane) not in self._direct:
            self._continue_lane(lane, number)
            before = self._lanes[lane][number - 1] if number else ()
            fitter = Fitter(self._observer, observation, self._random(number, lane))
            most = MAX_VARIATIONS if number else MAX_VARIATIONS * NEW_HISTORIES
            self._direct[number, lane] = self._within(MAX_MOVES_OF_ENTRY, fitter, before, most)
        return self._direct[number, lane]

    def _otherwise(self, observation: Observation) -> History:
        """A history that agrees where no lane can be continued: from further along the walk, or a new one."""
        number = len(observation.entries) - 1
        rng = self._random(number, len(self._lanes))
        fitter = Fitter(self._observer, observation, rng)
        before = [lane[number - 1] for lane in self._lanes if len(lane) >= number > 0]
        strict_before = [history for history in before if not is_loose(history)]
        for attempt in range(OTHER_HISTORIES if strict_before else 0):
            earlier = _up_to(self._observed, number - 1)
            other = mixed(self._observer, earlier, rng.choice(strict_before), rng, STEPS_BETWEEN_STATES << attempt)
            found = self._within(MAX_MOVES_OF_ENTRY, fitter, other, MAX_VARIATIONS)
            if found is not None:
                return found
        for _ in range(NEW_HISTORIES):
            found = self._within(MAX_MOVES_OF_ENTRY, fitter, (), MAX_VARIATIONS * len(observation.entries))
            if found is not None:
                return found
        return self._loosely(observation)

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

    def _random(self, number: int, lane: int) -> random.Random:
        """Chance for an entry of a lane."""
        return random.Random(f"{self._seed} {number} {lane}")

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
