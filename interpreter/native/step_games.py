"""A program in machine code to be played step by step, compiled in the background on first use."""

from __future__ import annotations

from dsl.checker.recursion import room_for_recursion
from dsl.garbage import uncollected
from interpreter.native.building import InMachineCode
from interpreter.native.forms import NotInC
from interpreter.native.games import rules_of
from interpreter.native.step_cells import MoveReader, to_words
from interpreter.native.step_library import MemoryState, StepLibrary, open_step_library
from interpreter.native.steps import Steps, steps
from interpreter.passes.playouts import Playouts, copied, for_steps
from interpreter.passes.record import PassRecords
from interpreter.program import Move, Program
from interpreter.runtime.primitives import Cells


class NativeSteps(InMachineCode[StepLibrary]):
    """The rules of a program for play step by step, compiled in the background on creation of this object."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps: Steps | None = None
        self.readers: dict[int, MoveReader] = {}
        super().__init__(self._printed, open_step_library)

    def _printed(self) -> str:
        self.steps = found = steps_of(self.program)
        self.readers = {point: MoveReader(found, rows) for point, rows in found.rows.items()}
        return found.source

    def moves(self, state: MemoryState) -> list[Move]:
        """The legal moves of a state."""
        point = state.shown.point
        return self.readers[point].read(state.rows()) if point >= 0 else []

    def state(self, library: StepLibrary, S: Cells) -> MemoryState | None:
        """A state with these cells; None if machine code has no room for them, or legal moves cannot be listed."""
        assert self.steps is not None
        try:
            return MemoryState.from_words(library, to_words(self.steps, S))
        except NotInC:
            return None


def steps_of(program: Program) -> Steps:
    """A program as C to be played step by step. Raises NotInC."""
    module = copied(program.as_lowered)
    with room_for_recursion(), uncollected():
        for_steps(module, PassRecords(off=program.records.off))
        return steps(rules_of(program, Playouts(module, 0, (), program.initial)))


def native_steps(program: Program) -> NativeSteps:
    """A program for play step by step; compiling it begins on first use."""
    if program.native_steps is None:
        program.native_steps = NativeSteps(program)
    found: NativeSteps = program.native_steps
    return found
