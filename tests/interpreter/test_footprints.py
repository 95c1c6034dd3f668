"""What is recorded of sets and orders while they are read: enough to know when another one would be read the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.opponents.knowledge.footprints import RecordingCells, footprint_of_choice
from interpreter.opponents.knowledge.histories import Footprint, Observer
from interpreter.play.game import load
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import DRAWN, MOVES

SET, ORDER = DRAWN + 1, DRAWN + 2
PIECES = 6

Reader = Callable[[Any], Any]


def recorded(pieces: int, order: tuple[int, ...] = ()) -> RecordingCells:
    return RecordingCells(Cells([*[0] * (DRAWN + 1), pieces, order]), [SET], [ORDER])


def read_the_same(footprint: Footprint, one: int, other: int) -> bool:
    """Whether everything that was recorded of a set is the same of another one."""
    return one & (footprint.members[SET] | footprint.pieces) == other & (
        footprint.members[SET] | footprint.pieces
    ) and all((one & part).bit_count() == (other & part).bit_count() for part in footprint.sizes[SET])


def some_reader(rng: random.Random) -> Reader:
    """A few operations with known sets, and then a question."""
    masks = [rng.randrange(1 << PIECES) for _ in range(3)]
    operations: list[Reader] = [rng.choice([
        lambda value, mask=mask: value & mask,
        lambda value, mask=mask: value | mask,
        lambda value, mask=mask: value ^ mask,
        lambda value, mask=mask: mask & ~value,
    ]) for mask in masks[: rng.randrange(4)]]  # fmt: skip
    count = rng.randrange(4)
    question: Reader = rng.choice([
        bool, lambda value: value == 0, lambda value: value.bit_count() >= count,
        lambda value: value.bit_count() > count, lambda value: value.bit_count() < count,
        lambda value: value.bit_count() == count, lambda value: 2 * value.bit_count() + 1,
        lambda value: 10 - value.bit_count(), bits, lambda value: value.bit_length(),
        lambda value: {value: 1}.get(3), lambda value: [*range(1 << PIECES)][value & (1 << PIECES) - 1],
        lambda value: value == masks[0],
    ])  # fmt: skip

    def read(value: Any) -> Any:
        for operation in operations:
            value = operation(value)
        return question(value)

    return read


@pytest.mark.parametrize("seed", range(8))
def test_a_set_with_the_same_footprint_gives_the_same_answers(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        read, pieces = some_reader(rng), rng.randrange(1 << PIECES)
        if rng.random() < 0.3:
            questions = [read, some_reader(rng)]
            read = lambda value, questions=questions: [question(value) for question in questions]  # noqa: E731
        cells = recorded(pieces)
        answer = read(cells[SET])
        assert answer == read(pieces)
        for other in range(1 << PIECES):
            if read_the_same(cells.footprints[0], pieces, other):
                assert read(other) == answer


def test_only_looking_at_pieces_counts_not_how_many_there_are() -> None:
    cells = recorded(0b111)
    assert cells[SET] and cells[SET].bit_count() > 1
    cells[SET] ^= 0b100
    assert cells[SET] and not cells[SET] & 0b1000
    footprint = cells.footprints[0]
    assert footprint.sizes[SET] == {-1, ~0b100, 0b1000} and SET not in footprint.cells
    assert footprint.pieces == 0b100 and not footprint.members[SET]


def test_of_an_order_the_positions_that_were_read_count() -> None:
    cells = recorded(0, (3, 5, 4))
    assert len(cells[ORDER]) == 3 and len(cells[ORDER][::-1][:2]) == 2
    assert not cells.footprints[0].pieces
    assert list(cells[ORDER][::-1][:1]) == [4]
    assert cells.footprints[0].pieces == 1 << 4
    assert cells[ORDER].index(5) == 1
    assert cells.footprints[0].pieces == 1 << 3 | 1 << 4 | 1 << 5


def test_what_is_read_after_a_result_of_chance_is_recorded_by_itself() -> None:
    cells = recorded(0b11)
    assert cells[SET] & 0b01
    cells[DRAWN] += 1
    assert cells[SET] & 0b10
    whole, after = cells.footprints
    assert whole.sizes[SET] == {0b01, 0b10}
    assert after.sizes[SET] == {0b10}


@pytest.mark.parametrize("is_pending", [True, False])
def test_what_lists_the_moves_of_the_decision_that_is_pending_in_the_end_does_not_count(is_pending: bool) -> None:
    cells = recorded(0b11)
    assert cells[SET] & 0b0001
    for part in (0b0010, 0b0100):  # no move at the first decision, which is passed over
        cells[MOVES] = None
        cells[SET] & part == 0  # noqa: B015
    cells[MOVES] = [(0,)]
    cells.finish(is_pending)
    assert cells[SET] & 0b0001
    [footprint] = cells.footprints
    assert footprint.sizes[SET] == ({0b0001, 0b0010} if is_pending else {0b0001, 0b0010, 0b0100})


def test_a_copy_records_in_the_same_footprint() -> None:
    cells = recorded(0b11)
    copy = cells.copy()
    assert copy[SET] & 0b10 and copy[0] == 0
    assert cells.footprints[0].sizes[SET] == {0b10}
    assert cells.footprints[0].cells == {0}
    list(cells)
    assert cells.footprints[0].everything


SECRETLY = """\
game "Secretly" for 2 players ann, ben

== components ==

piece Card: 2 for each rank: 1..2 in deck
zone deck holds stack of Card, seen by nobody
zone aside holds Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note laid: 0..9 = 0

== setup ==

shuffle deck
move 2 from deck to hand[ann]
move 1 from deck to aside

== phases ==

phase laying, turns from ann, over when laid is 2:
    must lay

action lay(secret c in hand[me]):
    "lay {c}, with {count aside} aside"
    add 1 to laid

== scoring ==

winner laid is 2 and me is ann "was right"
"""


def test_of_a_choice_is_recorded_what_its_labels_read_of_some_zones(tmp_path: Path) -> None:
    path = tmp_path / "secretly.rules"
    path.write_text(SECRETLY, encoding="utf-8")
    state = load(path).start(1)
    [aside] = [place for place in state.program.layout.places[1:] if place.zone == "aside"]
    for zones in (frozenset(["hand"]), frozenset(["hand", "aside"])):
        code = state.legal_moves[0].code
        footprint = footprint_of_choice(Observer(state.program, 1), state.cells, code, zones)
        assert footprint.sizes[aside.mask] == ({-1} if "aside" in zones else set())
        assert footprint.members and not footprint.everything
