"""Which kinds of pieces moves are about: what decisions offer, and what is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.laboratory.records import Picks
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, StoredValue, members_in, number_in
from interpreter.seat.notation.moves import DECLINING
from interpreter.seat.notation.words import name_by_attributes
from interpreter.wording.words import PLAIN, Words

Pieces = Callable[[StoredValue], Sequence[int]]
"""The pieces that a value is or has."""


def kind_words(program: Program, words_shown: Words = PLAIN) -> dict[int, str]:
    """The names of the pieces of each kind, with everything open; as the rules name them if nothing else is said.

    Where pieces of two types have the same words, these begin with the type.
    """
    firsts = {piece.kind: program.layout.pieces[piece.kind] for piece in program.layout.pieces}
    words = {kind: name_by_attributes(program, kind, piece.attributes, words_shown) for kind, piece in firsts.items()}
    words = {kind: attributes or words_shown.type(firsts[kind].type) for kind, attributes in words.items()}
    times = Counter(words.values())
    return {
        kind: f"{words_shown.type(firsts[kind].type)} {attributes}" if times[attributes] > 1 else attributes
        for kind, attributes in words.items()
    }


def chosen_types(program: Program) -> frozenset[str]:
    """The types of pieces that moves of any decision can have among their arguments."""
    types: list[Type] = []
    for node in program.model.nodes:
        if isinstance(node, ast.Choose):
            types.append(chosen_type(program.model, node))
        elif isinstance(node, ast.Decide):
            types += [parameter.type for act in acts_of(node) for parameter in program.model.rules[act.name].parameters]
    return frozenset(name for type_ in types for name in _piece_types(bare(type_)))


def _piece_types(type_: Type) -> frozenset[str]:
    if isinstance(type_, Several):
        return _piece_types(bare(type_.element))
    return type_.piece_types if isinstance(type_, PieceType) else frozenset()


class PickCounter:
    """Counts for a game in progress what its decisions offer and what is chosen."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._readers: dict[int, dict[int, tuple[Pieces | None, ...]]] = {}

    @cached_property
    def _words(self) -> dict[int, str]:
        return kind_words(self._program)

    def count(
        self, state: Cells, legal: Sequence[MoveCode], chosen: MoveCode, offered: Counter[str], picked: Counter[str]
    ) -> None:
        """Count the kinds of pieces among the arguments of the legal moves, and of the one that was chosen."""
        acts = self._acts(state)
        if not acts:
            return
        words, kind_of = self._words, self._program.layout.kind_of
        kinds = {kind_of(piece) for move in legal for piece in _pieces_of(acts, move)}
        offered.update({words[kind] for kind in kinds})
        picked.update({words[kind] for kind in {kind_of(piece) for piece in _pieces_of(acts, chosen)}})

    def _acts(self, state: Cells) -> dict[int, tuple[Pieces | None, ...]]:
        """How the arguments of the acts of the pending decision are read, for those that can have pieces."""
        decision = self._program.decision(state)
        assert decision is not None
        if decision.number not in self._readers:
            acts = dict(_readers(self._program, decision.node))
            self._readers[decision.number] = {act: of for act, of in acts.items() if any(of)}
        return self._readers[decision.number]


def _readers(
    program: Program, node: ast.Question
) -> Iterator[tuple[int, tuple[Pieces | None, ...]]]:  # fmt: skip
    if isinstance(node, ast.Choose):
        yield 0, (_pieces_in(chosen_type(program.model, node)),)
        return
    for number, act in enumerate(acts_of(node)):
        yield number, tuple(_pieces_in(parameter.type) for parameter in program.model.rules[act.name].parameters)


def _pieces_of(acts: dict[int, tuple[Pieces | None, ...]], move: MoveCode) -> Iterator[int]:
    if move[0] != DECLINING:
        for read, value in zip(acts.get(move[0], ()), move[1:], strict=False):
            if read is not None:
                yield from read(value)


def _pieces_in(type_: Type) -> Pieces | None:
    """How the pieces of a value of a type are found; None if it has none."""
    core = bare(type_)
    if isinstance(core, PieceType):
        return lambda value: () if value is None else (number_in(value),)
    if not isinstance(core, Several):
        return None
    if isinstance(bare(core.element), PieceType):
        return lambda value: bits(number_in(value or 0))
    pieces_in_element = _pieces_in(core.element)
    return (
        None
        if pieces_in_element is None
        else lambda value: [piece for part in members_in(value or ()) for piece in pieces_in_element(part)]
    )


def picks_of(offered: Counter[str], picked: Counter[str]) -> tuple[Picks, ...]:
    """The counts, by kind in alphabetical order."""
    return tuple(Picks(kind, offered[kind], picked[kind]) for kind in sorted(offered))
