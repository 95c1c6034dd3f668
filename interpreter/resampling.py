"""Other states that a seat cannot tell from the real one: hidden pieces change places, chance to come is drawn anew."""

from __future__ import annotations

import random
from collections import defaultdict

from dsl.types import PieceType, Several, bare
from interpreter.compile.layout import MOVES, POINT, RANDOM
from interpreter.masks import bits
from interpreter.state import State
from interpreter.views import Onlooker


def resampled(state: State, player: str, seed: int) -> State:
    """A copy in which all that `player` may not know is shuffled, consistent with all it may.

    Pieces change places with pieces that look the same to the player where they lie, place for place; pieces with
    something attached to them stay. A decision of the player's own stays pending. A secret question of somebody else
    is put anew: in the other state it may have nothing to ask for, and play goes on to the next decision.
    """
    other = state.copy()
    program, S, layout = other.program, other.cells, other.program.layout
    seat = state.game.seats.index(player)
    rng = random.Random(seed)
    groups: dict[object, list[int]] = defaultdict(list)
    eyes = Onlooker(program, S, seat)
    for place in layout.places[1:]:
        index = program.model.zones[place.zone].index
        if any(isinstance(type_, PieceType) for type_ in index):
            continue
        for piece in bits(S[place.mask]):
            info, known = layout.pieces[piece], eyes.known(piece, place.number)
            if len(known) < len(info.attributes) and all(S[cell] == plain for cell, _, plain in eyes.attached[piece]):
                shown = tuple((name, value) for name, value in info.attributes.items() if name in known)
                groups[info.sort, shown].append(piece)
    swap: dict[int, int] = {}
    for pieces in groups.values():
        mixed = list(pieces)
        rng.shuffle(mixed)
        swap.update(zip(pieces, mixed, strict=True))
    before = {piece: S[layout.place_cells + piece] for piece in swap}
    for number in set(before.values()):
        place = layout.places[number]
        S[place.mask] = sum(1 << swap.get(piece, piece) for piece in bits(S[place.mask]))
        if place.order:
            S[place.order] = tuple(swap.get(piece, piece) for piece in S[place.order])
    for piece, new in swap.items():
        S[layout.place_cells + new] = before[piece]
    about = {piece: [S[cell] for _, cell, _ in program.written_on[piece]] for piece in swap}
    for piece, new in swap.items():  # what is noted about a piece is about the one that lies there
        for (_, cell, _), value in zip(program.written_on[new], about[piece], strict=True):
            S[cell] = value
    for cell, type_ in layout.local_types.items():  # what a rule that waits remembers goes with the pieces
        core = bare(type_)
        if isinstance(core, PieceType) and S[cell] is not None:
            S[cell] = swap.get(S[cell], S[cell])
        elif isinstance(core, Several) and isinstance(core.element, PieceType) and S[cell]:
            S[cell] = sum(1 << swap.get(piece, piece) for piece in bits(S[cell]))
    S[RANDOM] = rng.getrandbits(64)
    S[MOVES] = None
    question = state.question
    if question is not None and question.secretly and question.player != player:
        program.run(S, other.journal, S[POINT])
    return other
