"""What a seat may see of a position as a tensor: numbers at fixed places, each with a name.

A tensor is made of *sections*, one after the other: who looks and who decides, the phase, the question if it is the
seat's own, each place with its pieces, each note. It shows what `State.view` shows, and nothing else: pieces by those
of their attributes that the seat sees, never by their number. What is revealed when the game is over is not in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import Several
from interpreter.compiler.decisions import chosen_type
from interpreter.engine.program import Program
from interpreter.environments.actions import ActionSpace, PartialMove
from interpreter.environments.columns import columns_of
from interpreter.environments.looks import Locations, numbered
from interpreter.environments.sections import (
    Asked,
    Chosen,
    Content,
    Counted,
    Deciding,
    InPhase,
    Looking,
    Noted,
    Over,
    Picked,
    Placed,
    Sight,
    noted,
    questions_of,
    shown_at,
)
from interpreter.runtime.cells import Cells
from interpreter.seat.notation.words import question_names


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a tensor: what it shows in the columns from `first` on.

    Numbers are from `least` to `most`; `scales` are what they have been divided by.
    """

    name: str
    first: int
    columns: tuple[str, ...]
    content: Content
    least: float
    most: float
    scales: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.columns)


class ObservationSpace:
    """The tensors of a game with its seats and options: their sections and columns, all named."""

    def __init__(self, program: Program, actions: ActionSpace) -> None:
        self._program = program
        self.locations = Locations(program)
        self.sections: list[Section] = []
        self.size = 0
        for name, columns, content in _contents(program, self.locations, actions):
            least, most, scales = _numbers_in(program, content, len(columns))
            self.sections.append(Section(name, self.size, tuple(columns), content, least, most, scales))
            self.size += len(columns)

    @property
    def shape(self) -> tuple[int]:
        """The shape of a tensor, which is flat."""
        return (self.size,)

    @cached_property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The least and the greatest that each number can be."""
        least = [section.least for section in self.sections for _ in section.columns]
        return least, [section.most for section in self.sections for _ in section.columns]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all columns: `hand[red]: red king`."""
        return tuple(
            f"{section.name}: {column}" if column else section.name
            for section in self.sections
            for column in section.columns
        )

    def describe(self) -> str:
        """The sections as lines of text: the columns, the name, what the columns say."""
        lines = [f"{self.size} numbers"]
        for section in self.sections:
            if section.size:
                last = section.first + section.size - 1
                lines.append(f"{section.first}..{last}  {section.name}: {_brief(section.columns)}")
        return "\n".join(lines)

    def tensor(self, state: Cells, seat: int, partial: PartialMove | None = None) -> array[float]:
        """What a seat sees of a position, and what it has chosen of its move, as numbers of 32 bits."""
        tensor = array("f", bytes(4 * self.size))
        sight = Sight(self._program, self.locations, state, seat, () if partial is None else partial.chosen)
        for section in self.sections:
            section.content.fill(sight, tensor, section.first)
        return tensor


def _brief(columns: Sequence[str]) -> str:
    shown = columns if len(columns) <= 8 else [*columns[:4], "…", *columns[-2:]]
    return ", ".join(column or "the value" for column in shown)


def _contents(
    program: Program, locations: Locations, actions: ActionSpace
) -> Iterator[tuple[str, Sequence[str], Content]]:
    """The sections of a tensor in order: name, columns, what they show."""
    layout = program.layout
    yield "looks", layout.seats, Looking()
    yield "decides", layout.seats, Deciding()
    yield "phase", list(program.model.phases), InPhase(program.phase_cell)
    yield "over", [""], Over()
    yield from _question(program, locations)
    if actions.is_compound:
        yield "chosen", actions.names, Chosen()
    for place, name in program.places_about_no_piece:
        shown = shown_at(program, locations, place)
        yield name, shown.names, shown
    for cell, (name, _) in layout.notes_of_cell.items():
        if name not in program.notes_about_pieces:
            note = noted(program, locations, cell)
            yield layout.cell_name(cell), note.names, note


def _question(program: Program, locations: Locations) -> Iterator[tuple[str, Sequence[str], Content]]:
    """The pending question of the seat itself, and what it has picked."""
    decisions, nodes = program.lowered.decisions, questions_of(program)
    offsets = {number: offset for offset, number in enumerate(nodes)}
    by_point = {point: offsets[decision.node.number] for point, decision in decisions.items()}
    questions = numbered([", ".join(question_names(node)) for node in nodes.values()])
    yield "question", questions, Asked(by_point)
    for number, node in nodes.items():
        cells = {
            point: decision.chosen
            for point, decision in decisions.items()
            if decision.node.number == number and decision.chosen is not None
        }
        if cells and isinstance(node, ast.Choose):
            columns = columns_of(program, Several(chosen_type(program.model, node)), locations)
            yield f"picked as {node.name}", columns.names, Picked(cells, columns)


def _numbers_in(program: Program, content: Content, size: int) -> tuple[float, float, tuple[int, ...]]:
    """The least and the greatest number in a section, and what each of its columns is divided by."""
    pieces = float(max(1, len(program.layout.pieces)))
    match content:
        case Counted(about=about):
            return pieces * about.least, pieces * about.most, (1, *about.scales) * len(content.looks.names)
        case Placed(about=about):
            scales = (*[1] * len(content.parts), *about.scales) * content.most
            return about.least, about.most, scales
        case Noted(columns=columns):
            return columns.least, columns.most, (*[1] * content.is_hidden, *columns.scales)
        case Picked(columns=columns):
            return columns.least, columns.most, columns.scales
        case Chosen():
            return 0.0, max(2.0, pieces), (1,) * size
        case Looking() | Deciding() | InPhase() | Over() | Asked():
            return 0.0, 1.0, (1,) * size
