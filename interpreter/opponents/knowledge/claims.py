"""Claims about hidden pieces: that there are at least a given number of a kind at a place, or none.

A claim follows from states that were drawn for a seat: all agree with it. So it is tested: two pieces are exchanged so
that it would be false. Most claims that are false fall by an image of a history (`images.py`), which takes a few
decisions; where there is no such image, what follows the exchange is repaired, which takes all decisions since. Only if
the seat would have noticed every time, the claim holds. This is strong evidence but no proof: a history that differs in
several respects at once may not have been found.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice, product
from operator import or_
from typing import NamedTuple

from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.opponents.knowledge.following import ends_right
from interpreter.opponents.knowledge.histories import History, Moment, is_loose, shuffles_in
from interpreter.opponents.knowledge.images import Images
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.repairing import Fitter
from interpreter.opponents.knowledge.sampling import Sampled, Sampler
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.variations import exchanging, varied
from interpreter.play.game import State
from interpreter.runtime.cells import Cells
from interpreter.seat.notation.words import name_by_attributes

TESTS, PAIRS = 3, 6
"""Histories in which each claim is tested, and exchanges in each."""

MAX_REPAIRS = 8
"""Maximum number of variations tried to make a history agree after an exchange of two pieces."""


class Claim(NamedTuple):
    """That at least `least` pieces of a kind lie at a place, or, if `least` is 0, that none does."""

    place: int
    kind: int
    least: int

    def would_change(self, leaving: int, coming: int) -> bool:
        """True if it could be false after a piece of one kind has left its place and one of another has come."""
        return leaving != coming and self.kind == (leaving if self.least else coming)


Pair = tuple[int, int]
"""Two pieces, or the slots in which they lie: one at the place of a claim, and one elsewhere."""


class _Always(random.Random):
    """Accepts every image, however unlikely: what is possible in one is possible."""

    def random(self) -> float:
        return 0.0


class _Exchanges(Images):
    """Images of a history in which claims are tested."""

    def pairs(self, claim: Claim, kind_of: Mapping[int, int]) -> Mapping[Pair, tuple[Moment, Pair]]:
        """Slots whose contents could be exchanged so that a claim might be false, by the kinds of these contents."""
        end, pairs = self._history[-1].after, dict[Pair, tuple[Moment, Pair]]()
        for moment, by_place in self._places.items():
            slots = self._groups[moment]
            for one in (one for here in by_place if end[self._base + here[0]] == claim.place for one in here):
                leaving = kind_of[slots.contents[one]]
                if claim.least and leaving != claim.kind:
                    continue
                for other in (other for there in by_place if one not in there for other in there):
                    kinds = leaving, kind_of[slots.contents[other]]
                    if kinds not in pairs and claim.would_change(*kinds) and slots.can_swap(one, other):
                        pairs[kinds] = moment, (one, other)
        return pairs

    def exchange(self, moment: Moment, slots: Pair) -> bool:
        """Exchange what lies in two slots, if the seat would not have noticed."""
        contents = self._groups[moment].contents
        before = contents[slots[0]]
        self._try(moment, *slots, _Always())
        return contents[slots[0]] != before


class Questioned(Sampler[Sampled]):
    """A sampler that can be asked which claims are false."""

    def __init__(self, state: Sampled, player: str, seed: int, size: int) -> None:
        super().__init__(state.game, type(state), player, seed, size)
        self.observe(observation_of(state, player))
        self._exchanges: dict[int, tuple[History, _Exchanges]] = {}
        self._slots: tuple[History, dict[Moment, Slots]] | None = None

    def _latest_history(self) -> History:
        # Of equal pieces, one that came unseen stays: had it left in place of one that was seen, what stays would seem
        # known, in this history and in all that are mixed from it.
        history = super()._latest_history()
        if not is_loose(history):
            renumbered = Fitter(self._observer, self._observed, self._rng).renumbered(history)
            if renumbered is not None and ends_right(self._observer, self._observed, renumbered[-1]):
                return renumbered
        return history

    @property
    def kept(self) -> int:
        """The number of histories in which claims may be tested."""
        return self._size

    def kept_state(self, number: int) -> Sampled:
        """The state at the end of one of these histories."""
        return self._state(self._history_of_walk(number), self._seed)

    def exchanges(self, number: int) -> _Exchanges:
        """The images of one of the histories that are kept."""
        history = self._history_of_walk(number)
        if number not in self._exchanges or self._exchanges[number][0] is not history:
            self._exchanges[number] = history, _Exchanges(self._observer, self._observed, history)
        return self._exchanges[number][1]

    def exchange(self, number: int, piece: int, other: int, wanted: Callable[[Sampled], bool]) -> Sampled | None:
        """Exchange two pieces in a kept history from a shuffle on that had both, if that leads to a state as wanted.

        What follows may be repaired, as other decisions may be made then. None if the seat would have noticed.
        """
        observation, history = self._observed, self._history_of_walk(number)
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

    def _exchangeable(self, history: History, piece: int, other: int) -> Iterator[Moment]:
        """The shuffles since which two pieces of a history may have been exchanged, as far as the seat saw them."""
        for moment, slots in self._slots_of(history).items():
            in_both = piece in slots.contents and other in slots.contents
            if in_both and slots.fits(piece, other) and slots.fits(other, piece):
                yield moment

    def _slots_of(self, history: History) -> Mapping[Moment, Slots]:
        """The slots of each shuffle of a history."""
        if self._slots is None or self._slots[0] is not history:
            self._slots = history, {
                moment: Slots.of(self._observer, history, moment) for moment in shuffles_in(history)
            }  # fmt: skip
        return self._slots[1]

    def exchangeable(
        self, number: int, here: Sequence[int], there: Sequence[int], claim: Claim, kind_of: Mapping[int, int]
    ) -> Mapping[Pair, Pair]:
        """Pieces of a kept history, one of each group, that may have been exchanged so that a claim would be false."""
        history, pairs = self._history_of_walk(number), dict[Pair, Pair]()
        slots_of_shuffles = self._slots_of(history).values()

        def apart(piece: int) -> Hashable:
            """What is equal for pieces that may be exchanged with the same others."""
            seen = (slots.seen.get(piece) if piece in slots.contents else () for slots in slots_of_shuffles)
            return self._game.program.layout.kind_of(piece), *seen

        for one, other in product(
            *(list({apart(piece): piece for piece in pieces}.values()) for pieces in (here, there))
        ):
            kinds = kind_of[one], kind_of[other]
            if kinds not in pairs and claim.would_change(*kinds) and any(self._exchangeable(history, one, other)):
                pairs[kinds] = one, other
        return pairs


class Inference:
    """What is certain and what is possible for the hidden pieces at places, from states that were drawn for a seat.

    A claim that has not been tested is not made. `only_least`: only the least numbers at these places are of interest.
    """

    def __init__(
        self,
        sampler: Questioned[State],
        seat: int,
        drawn: Sequence[State],
        hurry: Callable[[], bool],
        only_least: Sequence[int] | None = None,
    ) -> None:
        self._sampler, self._seat, self._hurry, self._only_least = sampler, seat, hurry, only_least
        self._program = drawn[0].program
        self._kind_of = kinds_of(self._program)
        self.places = places_with_hidden(self._program, drawn[0].cells, seat)
        self.drawn: dict[int, list[Counter[int]]] = {place: [] for place in self.places}
        self._least: dict[int, Counter[int]] = {}
        self._most: dict[int, Counter[int]] = defaultdict(Counter)
        # In how many histories a claim was tested; the pairs of pieces of a history whose exchange would be noticed.
        self._tests: Counter[Claim] = Counter()
        self._noticed: set[tuple[int, Pair]] = set()
        self.draw(drawn)
        self.unaccounted = self._unaccounted()

    def draw(self, drawn: Sequence[State]) -> None:
        """Take more states into account."""
        for state in drawn:
            for place, counts in self._count(state.cells).items():
                self.drawn[place].append(counts)

    def certain(self, place: int) -> Counter[int]:
        """The least number of each kind at a place, as far as that was tested."""
        least = self._least[place]
        return Counter({kind: least[kind] for kind in least if self._tests[Claim(place, kind, least[kind])]})

    def possible(self, place: int) -> Counter[int]:
        """The most of each kind at a place; of a kind that was not drawn there, one until that was tested."""
        claims = self._claims_at(place)
        return self._most[place] | Counter(claim.kind for claim in claims if not claim.least and not self._tests[claim])

    @property
    def is_settled(self) -> bool:
        """True if it is certain how many of each kind lie at each place."""
        return all(self.certain(place) == self.possible(place) for place in self.places)

    @property
    def claims_count(self) -> int:
        """The number of claims that all states agree with, whether tested or not."""
        return len(self._claims())

    def test_quickly(self) -> None:
        """Test all claims by images of one history."""
        self._test_all(0, with_repairs=False)

    def test(self) -> None:
        """Test all claims in several histories, with repairs."""
        for number in range(min(TESTS, self._sampler.kept)):
            self._test_all(number, with_repairs=True)

    def _test_all(self, number: int, *, with_repairs: bool) -> None:
        """Try to make claims false in one of the histories, and those that take their place."""
        if self._hurry():
            return
        self._count(self._sampler.kept_state(number).cells)
        tested, doubtful = set[Claim](), set[int]()
        while claims := [each for each in self._claims() if each not in tested and self._tests[each] <= number]:
            for claim in claims:
                while self._is_made(claim) and claim not in tested:
                    is_changed = self._is_changed_in_an_image(number, claim)
                    is_doubtful = not is_changed and bool(self._doubts(number, claim))
                    if is_doubtful and with_repairs:
                        is_changed = self._is_changed_after_repairs(number, claim)
                    if self._hurry():
                        return
                    if not is_changed:
                        tested.add(claim)
                        if with_repairs or not is_doubtful:
                            self._tests[claim] = number + 1
                        else:
                            doubtful.add(claim.kind)
        for claim in tested:
            if claim.kind in doubtful:  # what would make another claim about the same pieces false could do so to this
                self._tests[claim] = number

    def _is_changed_in_an_image(self, number: int, claim: Claim) -> bool:
        """True if a history has an image that brings a claim nearer to being false."""
        images = self._sampler.exchanges(number)
        pairs = images.pairs(claim, self._kind_of)
        for kinds in islice(_spread(pairs), PAIRS):
            if self._hurry():
                return False
            if images.exchange(*pairs[kinds]):
                self._count(images.cells)
                return True
        return False

    def _is_changed_after_repairs(self, number: int, claim: Claim) -> bool:
        """True if a history can be repaired after an exchange that brings a claim nearer to being false."""
        before = self._seen_at(self._sampler.kept_state(number).cells, claim.place)[claim.kind]

        def is_other(after: State) -> bool:
            now = self._count(after.cells)[claim.place][claim.kind]
            return now < before if claim.least else now > before

        pairs = self._doubts(number, claim)
        for pair in (pairs[kinds] for kinds in islice(_spread(pairs), PAIRS)):
            if self._hurry():
                return False
            if (number, pair) in self._noticed:
                continue
            if self._sampler.exchange(number, *pair, is_other) is not None:
                self._noticed = {(other, kept) for other, kept in self._noticed if other != number}
                return True
            self._noticed.add((number, pair))
        return False

    def _doubts(self, number: int, claim: Claim) -> Mapping[Pair, Pair]:
        """The pieces of a history that the seat has not seen apart and whose exchange could make a claim false."""
        cells = self._sampler.kept_state(number).cells
        hidden = {place: hidden_at(self._program, cells, self._seat, place) for place in self.places}
        here = hidden.pop(claim.place)
        there = [piece for pieces in hidden.values() for piece in pieces]
        return self._sampler.exchangeable(number, here, there, claim, self._kind_of)

    def _claims(self) -> list[Claim]:
        places = self.places if self._only_least is None else self._only_least
        return [claim for place in places for claim in self._claims_at(place)]

    def _claims_at(self, place: int) -> Iterator[Claim]:
        """What all states agree with."""
        pieces, least, most = self._program.layout.pieces, self._least[place], self._most[place]
        types = {pieces[kind].type for kind in most if most[kind]}
        yield from (Claim(place, kind, least[kind]) for kind in least if least[kind])
        for kind in self.unaccounted if self._only_least is None else ():
            if not most[kind] and pieces[kind].type in types:
                yield Claim(place, kind, 0)

    def _is_made(self, claim: Claim) -> bool:
        """True while all states agree with a claim."""
        most, least = self._most[claim.place], self._least[claim.place]
        return least[claim.kind] >= claim.least if claim.least else not most[claim.kind]

    def _count(self, cells: Cells) -> dict[int, Counter[int]]:
        """Take a position that the seat cannot tell from the real one into account; the hidden kinds at each place."""
        counts = {place: self._seen_at(cells, place) for place in self.places}
        for place, there in counts.items():
            self._least[place] = self._least[place] & there if place in self._least else there
            self._most[place] |= there
        return counts

    def _seen_at(self, cells: Cells, place: int) -> Counter[int]:
        return Counter(self._kind_of[piece] for piece in hidden_at(self._program, cells, self._seat, place))

    def _unaccounted(self) -> Counter[int]:
        """The pieces of each kind that are somewhere where the seat does not see them."""
        in_each_state = zip(*self.drawn.values(), strict=True)
        return reduce(or_, (sum(counts, Counter[int]()) for counts in in_each_state), Counter[int]())


def _spread(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Pairs of kinds, those with kinds that have not been there yet first."""
    rest: list[Pair] = []
    seen: set[int] = set()
    for pair in pairs:
        if pair[1] in seen:
            rest.append(pair)
        else:
            yield pair
        seen.add(pair[1])
    yield from rest


def hidden_at(program: Program, cells: Cells, seat: int, place: int) -> list[int]:
    """The pieces at a place that a seat does not see completely."""
    return [piece for piece in program.contents(cells, place) if not fully_seen(program, cells, seat, piece)]


def places_with_hidden(program: Program, cells: Cells, seat: int) -> list[int]:
    """The places with hidden pieces."""
    places = [place.number for place, _ in program.places_about_no_piece]
    return [place for place in places if hidden_at(program, cells, seat, place)]


def kinds_of(program: Program) -> Mapping[int, int]:
    """The kind of each piece: the first piece that has the same name, as far as the words of the game go."""
    first: dict[tuple[str, str], int] = {}
    found = {}
    for piece, info in enumerate(program.layout.pieces):
        name = name_by_attributes(program, piece, frozenset(info.attributes))
        found[piece] = first.setdefault((info.type, name), piece)
    return found
