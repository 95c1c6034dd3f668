"""A game as a tree: decisions, chance with all its outcomes, and ends.

A chance event is a node of its own, with the probability of each outcome. A shuffle is a sequence of deals: which piece
lies on top, which below it, and so on. A stack that nobody sees is dealt when rules take pieces from it
(`dealing.py`); anything else is dealt out when it is shuffled. Pieces that no rule can tell apart are one outcome.

The rules cannot stop in the middle of a statement to ask for an outcome. So each move is run with the results that are
settled so far; where one is missing, `OpenChanceError` ends the run, and the node becomes one of chance. After each of
its outcomes the move is run again, from the same decision, with one result more. Two rolls of a coin after a move:

    run with ()             -> open: the first roll    node of chance, outcomes 1 and 2
    run with (1,)           -> open: the second roll   node of chance
    run with (1, 2)         -> the next decision

INVARIANT: the results of a node begin with those of the decision before it, except for shuffles of which more has been
dealt since. Then that decision is replayed with the pieces in their new places (`_replayed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, bare
from interpreter.compiler.ir import statements as st
from interpreter.engine.program import Program
from interpreter.environments.information import Memory
from interpreter.environments.returns import Returns, returns_of
from interpreter.errors import UsageError
from interpreter.opponents.information import CHANCE
from interpreter.play.game import Game, State
from interpreter.runtime.cells import OrderCell
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import DRAWN
from interpreter.seat.notation.moves import Move
from interpreter.solving.dealing import OpenChanceError, Undealt, WatchedCells, WatchedOrder

MAX_CACHED_NODES = 1 << 14
"""The number of nodes that a tree caches, of some kilobytes each."""


class Outcome(NamedTuple):
    """A result of chance: its number, in words, and how likely it is."""

    number: int
    words: str
    probability: float


class _ChanceResult(NamedTuple):
    """The result of a chance event as far as it is settled.

    `order` is that of a shuffle, the old positions in their new order, the first `settled` of which are final. Of any
    other event it is one number, final if `settled` is 1.
    """

    event: ChanceEvent
    order: tuple[int, ...]
    settled: int


class _Reached(NamedTuple):
    """A state at a decision or the end: the stacks that are not dealt out in it, and at the end what seats get."""

    state: State
    undealt: dict[OrderCell, Undealt]
    returns: tuple[float, ...]


@dataclass(frozen=True)
class GameTree:
    """The tree of a game with its seats and options."""

    game: Game
    returns: Returns = "win"

    def __reduce__(self) -> tuple[object, ...]:
        return GameTree, (self.game, self.returns)

    @cached_property
    def cached_nodes(self) -> dict[tuple[int, ...], Node]:
        """Nodes by their paths: algorithms visit the same ones repeatedly."""
        return {}

    @cached_property
    def memories(self) -> tuple[Memory, ...]:
        """What each seat remembers: fast for nodes that share most of their path with the one asked about before."""
        return tuple(map(Memory, self.seats))

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats."""
        return self.game.seats

    @cached_property
    def root(self) -> Node:
        """The beginning: the first chance event, or the first decision. Raises PlayError if a rule fails."""
        return _node_after(self, None, None, (), ())

    @cached_property
    def hidden_stacks(self) -> dict[str, OrderCell]:
        """The order cells of the stacks that nobody sees, by the names of their places."""
        layout, zones = self.game.program.layout, self.game.program.model.zones
        return {
            layout.place_name(place.number): place.order
            for place in layout.places
            if place.order and _is_hidden_stack(zones[place.zone].declaration)
        }

    @cached_property
    def are_pieces_plain(self) -> bool:
        """True if pieces with the same attributes are interchangeable: no note or zone is about single pieces."""
        program = self.game.program
        indices = [type_ for zone in program.model.zones.values() for type_ in zone.index]
        return not any(program.notes_about) and not any(isinstance(bare(type_), PieceType) for type_ in indices)


def max_outcomes(program: Program) -> int:
    """An upper bound of the number of outcomes of any chance event; 0 without chance."""
    module, layout = program.as_lowered, program.layout
    values = [len(symbol.members) for symbol in program.model.type_symbols.values()]
    max_members = max(len(layout.pieces), len(layout.places), *values)
    most = 0
    for function in (*module.functions.values(), *module.blocks.values()):
        for node in st.walk(function.body):
            if isinstance(node, st.Draw):
                most = max(most, len(node.table.content[0]))
            elif isinstance(node, st.DrawItem):
                most = max(most, max_members)
            elif isinstance(node, CHANCE):
                most = max(most, len(layout.pieces))
    return most


def _is_hidden_stack(zone: ast.Zone) -> bool:
    viewers = [sight.viewers for sight in zone.sights]
    nobody = all(isinstance(viewer, ast.Name) and viewer.name in ("nobody", "none") for viewer in viewers)
    return zone.shape == "stack" and bool(viewers) and nobody


class Node:
    """One history of a game. It never changes; its children are computed when they are asked for.

    `decision` is the node in which the last move was made, None before the first one. `path` leads here from the root:
    the numbers of moves among the legal ones, and of outcomes of chance. `reached` is the number of the open result at
    a node of chance.
    """

    def __init__(
        self, tree: GameTree, decision: Node | None, move: Move | None, results: tuple[_ChanceResult, ...],
        reached: _Reached | int, path: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.tree, self.decision, self.move, self.results = tree, decision, move, results
        self._reached, self.path = reached, path

    def __deepcopy__(self, memo: dict[int, object]) -> Node:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the path."""
        return _at, (self.tree, self.path)

    # ------------------------------------------------------------ what comes next

    @property
    def is_chance(self) -> bool:
        """True if chance is next."""
        return isinstance(self._reached, int)

    @property
    def reached(self) -> _Reached:
        """The state at a decision or the end."""
        assert not isinstance(self._reached, int)
        return self._reached

    @property
    def state(self) -> State:
        """The state at a decision or the end, which must not be changed; in it, hidden stacks may be in any order."""
        return self.reached.state

    @property
    def is_over(self) -> bool:
        """True at the end of the game."""
        return not self.is_chance and self.state.over

    @cached_property
    def seat(self) -> int | None:
        """The seat that decides, None for chance and at the end."""
        player = None if self.is_chance else self.state.player
        return None if player is None else self.tree.seats.index(player)

    @property
    def returns(self) -> tuple[float, ...]:
        """What each seat gets, at the end."""
        return self.reached.returns

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the seat that decides."""
        return self.state.legal_moves

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The results of the chance event. The numbers are those of `ChanceEvent`: of a shuffle, the old position."""
        event, order, settled = self._open_result
        if event.kind == "shuffle":
            groups = _interchangeable(self.tree, event, order[settled:])
        else:
            groups = [[number] for number in range(event.size)]
        faces = [event.faces[group[0]] for group in groups]
        size = sum(map(len, groups))
        outcomes = []
        for index, (face, group) in enumerate(zip(faces, groups, strict=True)):
            # Equal pieces that rules can tell apart are numbered.
            earlier = faces[:index].count(face)
            words = f"{event.what}: {face}{f' #{earlier + 1}' if earlier else ''}"
            outcomes.append(Outcome(group[0], words, len(group) / size))
        return tuple(outcomes)

    @property
    def _open_result(self) -> _ChanceResult:
        assert isinstance(self._reached, int)
        return self.results[self._reached]

    def after_move(self, number: int) -> Node:
        """The history in which the seat makes a move. Raises PlayError if a rule fails."""
        return _node_after(self.tree, self, self.moves[number], self.results, (*self.path, number))

    def after(self, number: int) -> Node:
        """The history after a move or an outcome of chance, from the cache of the tree if it is there."""
        cached, path = self.tree.cached_nodes, (*self.path, number)
        node = cached.get(path)
        if node is None:
            node = self.after_outcome(number) if self.is_chance else self.after_move(number)
            if len(cached) == MAX_CACHED_NODES:
                cached.clear()
            cached[path] = node
        return node

    def after_outcome(self, number: int) -> Node:
        """The history in which chance has this outcome. Raises UsageError if there is none of this number."""
        if all(outcome.number != number for outcome in self.outcomes):
            raise UsageError(f"chance has no outcome number {number}")
        assert isinstance(self._reached, int)
        results = _with_outcome(self.results, self._reached, number)
        return _node_after(self.tree, self.decision, self.move, results, (*self.path, number))

    def information(self, seat: int) -> str:
        """All that a seat has observed since the start, as text; at a chance event what it knew at the move before."""
        if not self.is_chance:
            return self.tree.memories[seat].of(self.state).text
        if self.decision is None or self.move is None:
            return f"seat {self.tree.seats[seat]}"
        chosen = [f"chooses {self.move.label!r}"] if self.decision.seat == seat else []
        return "\n".join([self.decision.information(seat), *chosen])

    def line(self) -> list[Move]:
        """The moves that were made."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.decision
        return moves[::-1]


def _at(tree: GameTree, path: Sequence[int]) -> Node:
    """The node at the end of a path."""
    node = tree.root
    for number in path:
        node = node.after(number)
    return node


def _interchangeable(tree: GameTree, event: ChanceEvent, positions: Sequence[int]) -> list[list[int]]:
    """Positions in a stack, grouped so that no rule can tell the pieces of a group apart."""
    groups: dict[object, list[int]] = {}
    for position in sorted(positions):
        groups.setdefault(event.faces[position] if tree.are_pieces_plain else position, []).append(position)
    return list(groups.values())


def _with_outcome(results: tuple[_ChanceResult, ...], number: int, outcome: int) -> tuple[_ChanceResult, ...]:
    """The results with one more outcome of the event with this number: of a shuffle, the next piece from the top."""
    event, order, settled = results[number]
    new_order = [outcome]
    if event.kind == "shuffle":
        new_order = list(order)
        place = new_order.index(outcome)
        new_order[settled], new_order[place] = outcome, new_order[settled]
    return (*results[:number], _ChanceResult(event, tuple(new_order), settled + 1), *results[number + 1 :])


# ---------------------------------------------------------------- running the rules


class _Supply:
    """Supplies the results of chance from number `first` on. Raises OpenChanceError where one is open."""

    def __init__(self, tree: GameTree, results: Sequence[_ChanceResult], first: int) -> None:
        self.tree, self.results, self._next = tree, list(results), first
        self.cells: WatchedCells

    def __call__(self, event: ChanceEvent) -> object:
        number, self._next = self._next, self._next + 1
        is_shuffle = event.kind == "shuffle"
        if number == len(self.results):
            order = tuple(range(event.size)) if is_shuffle else (0,)
            self.results.append(_ChanceResult(event, order, event.size == 1))
        _, order, settled = self.results[number]
        # Pieces of a stack that is not dealt out have other faces when it has been dealt further.
        self.results[number] = _ChanceResult(event, order, settled)
        if not is_shuffle:
            if not settled:
                raise OpenChanceError(number)
            return order[0]
        if len(_interchangeable(self.tree, event, order[settled:])) > 1:
            cell = self.tree.hidden_stacks.get(event.what)
            if cell is None:
                raise OpenChanceError(number)
            self.cells.begins = cell, Undealt(number, event.size - settled)
        return order


def _node_after(
    tree: GameTree, decision: Node | None, move: Move | None, results: tuple[_ChanceResult, ...], path: tuple[int, ...]
) -> Node:  # fmt: skip
    """The node after a move, or after the setup, with these results of chance so far: see the top of this file."""
    while True:
        drawn = 0 if decision is None else len(decision.results)
        if decision is not None and results[:drawn] != decision.results:
            # A shuffle before the last decision was dealt further.
            decision = _replayed(tree, decision.line(), results[:drawn])
            move = _listed(decision, move)
        supply = _Supply(tree, results, drawn)
        try:
            reached = _run(tree, decision, move, supply)
            return Node(tree, decision, move, tuple(supply.results), reached, path)
        except OpenChanceError as fault:
            number, results = fault.event, tuple(supply.results)
        event, order, settled = results[number]
        groups = _interchangeable(tree, event, order[settled:])
        if event.kind != "shuffle" or len(groups) > 1:
            return Node(tree, decision, move, results, number, path)
        results = _with_outcome(results, number, groups[0][0])  # whichever it is, makes no difference


def _replayed(tree: GameTree, line: Sequence[Move], results: tuple[_ChanceResult, ...]) -> Node:
    """The decision after some moves, replayed with results of chance that are all settled."""
    node: Node | None = None
    for move in (None, *line):
        supply = _Supply(tree, results, 0 if node is None else len(node.results))
        listed = _listed(node, move)
        reached = _run(tree, node, listed, supply)
        node = Node(tree, node, listed, results[: reached.state.cells[DRAWN]], reached)
    assert node is not None
    return node


def _listed(decision: Node | None, move: Move | None) -> Move | None:
    """A move as it is listed in the replayed decision, where stacks lie in another order."""
    if decision is None or move is None:
        return None
    return next(listed for listed in decision.moves if listed.code == move.code)


def _run(tree: GameTree, decision: Node | None, move: Move | None, supply: _Supply) -> _Reached:
    """Run the setup, or a move and what follows. Raises OpenChanceError, PlayError."""
    if decision is None or move is None:
        state, start = State.before_setup(tree.game, tree.game.program, 0, supply), 0
        cells = WatchedCells(state.cells, {})
    else:
        state = decision.state.copy()
        start, state.journal.chance = len(state.journal), supply
        cells = WatchedCells(state.cells, dict(decision.reached.undealt))
    supply.cells = state.cells = cells
    if move is None:
        state.program.run(cells, state.journal, 0)
    else:
        state.push(move)
    returns = returns_of(state, tree.returns) if state.over else ()
    state.cells = cells.plain
    for index in range(start, len(state.journal)):
        cell, old = state.journal[index]
        if isinstance(old, WatchedOrder):
            state.journal[index] = cell, old.plain
    return _Reached(state, cells.undealt, returns)
