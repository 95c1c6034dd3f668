"""Information-set Monte Carlo tree search with one tree for each observing seat.

Cowling, Powley and Whitehouse 2012, "Information set Monte Carlo tree search" (MO-ISMCTS). Every iteration takes a
world that agrees with what the seat at the root knows, descends in it, expands one new move, and plays at random to the
end. The deciding seat selects moves in its own tree, in which the moves of others appear as it learns of them, so that
no seat responds to what it cannot know. A seat with few possible holdings has a tree for each of them (`holdings.py`).
The trees are open-loop: chance has no nodes, and the same node is visited in different worlds. If all seats know and
learn the same, they share one tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from interpreter.analysis.search_states import SearchState
from interpreter.errors import PlayError
from interpreter.opponents import selection
from interpreter.opponents.evaluation import Proven, Scoring, Values
from interpreter.opponents.holdings import Holdings
from interpreter.opponents.move_keys import NOTHING, Key, Offer
from interpreter.opponents.random_margins import HORIZON
from interpreter.opponents.selection import Exploration, selected
from interpreter.opponents.solver import prove
from interpreter.opponents.tree import History, Node, Trees, ordered
from interpreter.opponents.worlds import Worlds
from interpreter.play.game import State

DEEPEST = 500
"""Maximum depth of the descent in an iteration, in decisions."""


class Kind(NamedTuple):
    """The kind of game: whether seats learn different things about moves, and whether positions can be proven."""

    masked: bool
    provable: bool


class RootMove:
    """The results for a legal move at the root: shares of the win of all seats, scores of the seat at the root."""

    __slots__ = ("node", "number", "score", "scored", "shares")

    def __init__(self, node: Node, number: int, seats: int) -> None:
        self.node, self.number = node, number
        self.shares = [0.0] * seats
        self.score, self.scored = 0.0, 0


class Search:
    """The trees of one decision, and the sums of its iterations.

    Earlier searches may have visited the trees, which the sums do not include.
    """

    def __init__(
        self,
        trees: Trees,
        scoring: Scoring,
        offer: Offer,
        kind: Kind,
        holdings: Sequence[Holdings],
        seed: int,
        horizon: int | None,
    ) -> None:
        self.trees, self.root = trees, trees.root
        self.scoring, self._horizon = scoring, HORIZON if horizon is None else horizon
        self.seat, seats = offer.seat, scoring.seats
        self._provable = kind.provable
        self._masked = kind.masked or any(held is not None for held in holdings[0])
        self._holdings = holdings
        self.moves = [RootMove(self.root.after(key), number, seats) for number, key in enumerate(offer.own)]
        self.order: list[tuple[Node, int]] = [(move.node, move.number) for move in self.moves]
        self._exploration = Exploration(seats)
        self._histories = [History() for _ in range(seats)]
        self._rng = Random(seed)
        self._luck = self._rng if self._masked else None
        self._seed = self._rng.getrandbits(48)
        self.iterations = 0
        self.shares, self.scores, self.scored = [0.0] * seats, [0.0] * seats, 0

    def descent(self, number: int = 0) -> Descent:
        """The beginning of a descent from the root in the world with this number."""
        if not self._masked:
            return Descent([self.root], self._masked)
        return Descent([self._root_of(seat, held) for seat, held in enumerate(self._holdings[number])], self._masked)

    def _root_of(self, seat: int, held: Hashable) -> Node:
        """The root of the tree of a seat that holds something."""
        if seat == self.seat:
            return self.root
        found = self.trees.others.get((seat, held))
        if found is None:
            found = self.trees.others[seat, held] = Node()
        return found

    def offer(self, world: SearchState[State]) -> Offer:
        """What is to be decided in a world."""
        return self.trees.keys.offer(world)

    def order_by(self, values: Sequence[float]) -> None:
        """Order the moves at the root by these values, one for each, highest first."""
        order = sorted(range(len(values)), key=lambda number: (-values[number], number))
        self.order = [(self.moves[number].node, number) for number in order]
        mean = fmean(values)
        for node, number in self.order:
            node.prior = selection.BIAS * (values[number] - mean)

    def restrict_to(self, number: int) -> None:
        """Restrict the root to a single move."""
        self.order = [move for move in self.order if move[1] == number]

    @property
    def is_settled(self) -> bool:
        """True if the search is finished: the root, or each of its moves, is proven."""
        return self.root.proven is not None or all(node.proven is not None for node, _ in self.order)

    def iterate(self, worlds: Worlds) -> None:
        """Choose a move at the root, where all worlds have the same moves in the same order, and continue in a world.

        Every move is tried with the same worlds and seeds of chance in the same order, which makes comparisons between
        moves more precise (common random numbers).
        """
        node, number = self._selected(self.root, self.order, self.seat)
        times, new = node.visits, not node.visits
        world, descent, depth = worlds[times], self.descent(times % len(worlds)), 0
        seed = self._seed + times
        world.draw_chance_from(seed)
        descent.choose(self.offer(world), number, node)
        try:
            while True:
                world.push(number)
                depth += 1
                if new or world.over or depth >= DEEPEST or descent.is_proven():
                    break
                number, new = self._next(descent, world)
            self._played_on(descent, world, seed)
        except PlayError:
            self._note(descent, (0.5,) * self.scoring.seats)
        finally:
            for _ in range(depth):
                world.pop()

    def _next(self, descent: Descent, world: SearchState[State]) -> tuple[int, bool]:
        offer = self.offer(world)
        at = descent.begin(offer)
        if len(offer.own) == 1:
            descent.choose(offer, 0, at.after(offer.own[0]))
            return 0, False
        moves = ordered(at, offer, self._histories[offer.seat], self._rng)
        node, number = self._selected(at, moves, offer.seat)
        descent.choose(offer, number, node)
        return number, not node.visits

    def _selected(self, at: Node, moves: selection.Choices, seat: int) -> tuple[Node, int]:
        return selected(at, moves, seat, self._exploration.of_seat[seat], self._luck)

    def _played_on(self, descent: Descent, world: SearchState[State], seed: int) -> None:
        """Play at random to the end, and record the result."""
        winners, scores = world.rollout(seed, self._horizon)
        scoring = self.scoring
        values, shares = scoring.values(winners, scores), scoring.shares(winners)
        if self._provable:
            proven = descent.passed[-1].proven
            if proven is not None:
                values, shares = proven
            elif world.over:
                prove(self.root, descent.passed, descent.seats, Proven(values, shares))
        self._exploration.add(values)
        self._note(descent, values)
        move = self.moves[descent.first]
        for seat, share in enumerate(shares):
            self.shares[seat] += share
            move.shares[seat] += share
        if scores is not None:
            firsts = scores[:: scoring.criteria]
            move.score += firsts[self.seat]
            move.scored += 1
            self.scored += 1
            for seat, score in enumerate(firsts):
                self.scores[seat] += score

    def _note(self, descent: Descent, values: Values) -> None:
        self.iterations += 1
        for root in descent.roots:
            root.visits += 1
        for node in descent.passed:
            node.visits += 1
        for node, key, seat in descent.chosen:
            value = values[seat]
            node.total += value
            self._histories[seat].add(key, value)


class Descent:
    """The path of an iteration in the trees.

    `passed` are the nodes visited; in a shared tree, each was reached by a move of one of `seats`. `chosen` are the
    nodes that a seat has reached in its own tree by its own choice.
    """

    __slots__ = ("_at", "_masked", "_untold", "chosen", "first", "passed", "roots", "seats")

    def __init__(self, roots: Sequence[Node], masked: bool) -> None:
        self.roots, self._masked = roots, masked
        self._at = list(roots)
        self._untold: list[tuple[int, Key]] = []
        self.passed: list[Node] = []
        self.seats: list[int] = []
        self.chosen: list[tuple[Node, Key, int]] = []
        self.first = -1

    def is_proven(self) -> bool:
        """True if a proven position has been reached."""
        return self.passed[-1].proven is not None

    def begin(self, offer: Offer) -> Node:
        """Arrive at a decision; if a simultaneous choice is complete, all seats now learn of it."""
        if self._untold and (not offer.at_once or self._has_chosen(offer)):
            for seat, key in self._untold:
                self._follow(seat, key)
            self._untold.clear()
        return self._at[offer.seat if self._masked else 0]

    def _has_chosen(self, offer: Offer) -> bool:
        """True if the seat has chosen already, so that this is another choice of all seats."""
        seats = [seat for seat, _ in self._untold]
        return offer.seat in seats and not (offer.several and seats[-1] == offer.seat)

    def choose(self, offer: Offer, number: int, node: Node) -> None:
        """Follow a move of a seat to a node of its own tree."""
        if self.first < 0:
            self.first = number
        seat = offer.seat
        self.passed.append(node)
        if len(offer.own) > 1 or len(self.passed) == 1:
            self.chosen.append((node, offer.own[number], seat))
        if not self._masked:
            self._at[0] = node
            self.seats.append(seat)
            return
        self._at[seat] = node
        key = offer.public[number]
        if key == NOTHING:
            return
        if offer.at_once:
            self._untold.append((seat, key))
        else:
            self._follow(seat, key)

    def _follow(self, seat: int, key: Key) -> None:
        """All but one seat learn of its move."""
        for other, at in enumerate(self._at):
            if other != seat:
                self._at[other] = node = at.after(key)
                self.passed.append(node)
