"""An example that holds with the rules as they are and fails after one change of them, to be pasted into the rules.

It begins in a position shortly before two games differ, as `play/scenes/writing.py` writes it, makes the last decisions
and claims what is then so. Whether it does what it should is not argued but tried: each text is read back and run with
both sets of rules, and lines that make no difference are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import count, product
from typing import TypeVar

from dsl.checker.later_examples import LaterExample, read_scenes
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source
from dsl.types import PLAYER, Truth, bare, numeric
from interpreter.engine.program import Program
from interpreter.errors import PlayError, UsageError
from interpreter.exploration.in_step import Witness, same_layout
from interpreter.loading.rules import Rules
from interpreter.play.game import Game, GamesOfRules, State
from interpreter.play.scenes.facts import Describer, UnsayableError
from interpreter.play.scenes.runner import Runner
from interpreter.play.scenes.setup import StateBuilder, table_of
from interpreter.play.scenes.starting import run_lines, table_facts
from interpreter.play.scenes.writing import in_example, position_text
from interpreter.play.state import back_to
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import POINT
from interpreter.seat.notation.moves import moves_in_words

T = TypeVar("T")

STEPS_BACK = (0, 1, 2, 4, 8)
"""How many decisions before the difference an example begins, in the order of trying."""

MAX_CLAIMS = 12
"""Maximum number of claims that are tried for one beginning."""

MAX_MOVES_CLAIMED = 3
"""Maximum number of moves about which a claim is tried."""

MAX_REMOVALS = 150
"""Maximum number of attempts to leave out a line."""


@dataclass
class Bench:
    """Rules with which examples are tried; games with the same seats and options are compiled once."""

    rules: Rules

    @cached_property
    def games(self) -> GamesOfRules:
        """The games of these rules."""
        return GamesOfRules(self.rules)

    def run(self, lines: Sequence[str]) -> Runner | str:
        """Run the scenes of an example; returns the runner at their end, or how the example fails."""
        read = read_scenes(self.rules.model, Source("example", "".join(f"{line}\n" for line in lines)))
        if not isinstance(read, LaterExample):
            return read[0].message
        players, options = table_of(read.model, read.example)
        try:
            game = self.games.seated(players, options)
            program = game.compiled(solo=True).extended(read.model, read.example)
            runner = Runner(game, read.example, program=program)
            failures = runner.run()
        except (PlayError, UsageError) as fault:
            return str(fault)
        return failures[0] if failures else runner

    def holds(self, lines: Sequence[str]) -> bool:
        """True if an example with these scenes can be read and passes."""
        return isinstance(self.run(lines), Runner)


def replayed(game: Game, seed: int, choices: Sequence[int]) -> State:
    """The game with a seed, after decisions given by the numbers of the moves. Raises PlayError."""
    state = game.start(seed)
    for number in choices:
        state.push_number(number)
    return state


def proposed_example(game: Game, original: Bench, changed: Bench, witness: Witness) -> tuple[str, ...]:
    """The scenes of an example that passes with the original rules and fails with the changed ones; empty if none.

    `game` is the original one of the witness.
    """
    state = replayed(game, witness.seed, witness.choices)
    proposals = (
        [*lines, *claim]
        for lines in beginnings(state)
        for claim in _claims(original.run(lines), changed.run(lines))
    )  # fmt: skip

    def notices(lines: Sequence[str]) -> bool:
        claims = any(line.startswith("then") for line in lines)
        return claims and original.holds(lines) and not changed.holds(lines)

    for lines in proposals:
        if notices(lines):
            return tuple(shortest_lines(lines, notices))
    return ()


def example_text(title: str, cites: Sequence[str], lines: Sequence[str]) -> str:
    """An example as a rules file has it, with its last line break."""
    head = f'example "{title}":'
    cited = f"  [{' '.join(cites)}]" if cites else ""
    return "".join(f"{line}\n" for line in [head + cited, *(f"    {line}" for line in joined_lines(lines))])


# ---- where the example begins


def beginnings(state: State) -> Iterator[list[str]]:
    """Scenes that lead to a position, from the decision itself or some before it on, each line with its keyword."""
    if state.ply == 0:
        yield [*single_lines(run_lines(table_facts(state.game))), "when phase setup"]
    begun = []
    for steps in STEPS_BACK:
        first = max(0, state.ply - steps)
        if first in begun:
            continue
        begun.append(first)
        try:
            text = position_text(back_to(state, first))
            moves = [f"when {move.player}: {in_example(move.notation)}" for move in state.history[first:]]
        except (UsageError, PlayError):
            continue
        yield [*single_lines(text.splitlines()), *moves]


def single_lines(lines: Sequence[str] | Iterator[str]) -> list[str]:
    """The lines of scenes, in which each `and` is written as the keyword that it continues."""
    single: list[str] = []
    keyword = "given"
    for line in lines:
        first, _, rest = line.strip().partition(" ")
        keyword = keyword if first == "and" else first
        single.append(f"{keyword} {rest}")
    return single


def joined_lines(lines: Sequence[str]) -> Iterator[str]:
    """The opposite: `and` continues `given` and `then`."""
    previous = ""
    for line in lines:
        first, _, rest = line.partition(" ")
        yield f"and {rest}" if first == previous != "when" else line
        previous = first


# ---- what the example claims


def _claims(original: Runner | str, changed: Runner | str) -> Iterator[list[str]]:
    """Claims that hold with the original rules, and perhaps not with the changed ones."""
    if isinstance(original, str):
        return
    # If the changed rules fail on the way, any claim will do.
    claims = dict.fromkeys(_plain(original) if isinstance(changed, str) else _differing(original, changed))
    yield from ([f"then {claim}"] for claim in list(claims)[:MAX_CLAIMS])


def _plain(original: Runner) -> Iterator[str]:
    """Something that holds: a legal move, or that the game is over."""
    state = original.state
    if state.player is not None:
        yield from (f"{state.player} may {move}" for move in _notations(original.program, state.cells))
    yield "over" if state.over else "not over"


def _differing(original: Runner, changed: Runner) -> Iterator[str]:
    a, b = original.state, changed.state
    if a.over != b.over:
        yield "over" if a.over else "not over"
    yield from _of_definitions(original, changed)
    if a.over and b.over and a.outcome is not None and a.outcome.winners:
        yield f"winners is {{{', '.join(a.outcome.winners)}}}"
    if a.player is not None and a.player == b.player:
        moves_a, moves_b = _notations(original.program, a.cells), _notations(changed.program, b.cells)
        yield from [f"{a.player} may not {move}" for move in moves_b if move not in moves_a][:MAX_MOVES_CLAIMED]
        yield from [f"{a.player} may {move}" for move in moves_a if move not in moves_b][:MAX_MOVES_CLAIMED]
    yield from sorted(_of_table(original, changed), key=len)
    yield from _of_sight(original, changed)
    if a.player is not None and a.player != b.player:
        yield f"player is {a.player}"


def _notations(program: Program, cells: Cells) -> list[str]:
    return [in_example(move.notation) for move in moves_in_words(program, cells, program.legal(cells))]


def _of_definitions(original: Runner, changed: Runner) -> Iterator[str]:
    """Definitions of a number or a truth value, of nothing but seats, that have other values: `points(red) is 4`."""
    program, layout = original.program, original.program.layout
    seats = range(len(original.game.seats))
    for name, symbol in program.model.defines.items():
        types = [parameter.type for parameter in symbol.parameters]
        core = bare(symbol.type) if symbol.type is not None else None
        if core is None or not (numeric(core) or isinstance(core, Truth)) or any(type_ != PLAYER for type_ in types):
            continue
        for values in product(seats, repeat=len(types)):
            try:
                value = program.definition(name, original.cells, values)
                changed_value = changed.program.definition(name, changed.cells, values)
            except (PlayError, KeyError):
                continue
            if value != changed_value:
                called = f"{name}({', '.join(original.game.seats[seat] for seat in values)})" if values else name
                if isinstance(core, Truth):
                    yield called if value else f"not {called}"
                else:
                    yield f"{called} is {layout.name_of(core, value)}"


def _of_table(original: Runner, changed: Runner) -> Iterator[str]:
    """What lies on the table and is noted with the original rules, where that differs."""
    if not same_layout(original.program, changed.program):
        yield from _of_counts(original, changed)
        return
    reader = Cells(changed.cells)
    reader[POINT] = original.cells[POINT]
    try:
        for fact in Describer(original.program, StateBuilder(original.program, reader)).lines(original.cells, {}):
            yield re.sub(r" shows (?=\w+$)", " is ", fact)
    except (UnsayableError, PlayError, IndexError):
        return


def _of_sight(original: Runner, changed: Runner) -> Iterator[str]:
    """What a seat sees with one of the rules only: `sees(red, hand[red])`."""
    program, layout = original.program, original.program.layout
    if not same_layout(program, changed.program):
        return
    for place in layout.places[1:]:
        for piece in program.contents(original.cells, place.number):
            for attribute in program.model.pieces[layout.pieces[piece].type].attributes:
                sight = place.zone, attribute
                viewers = program.seen_by(*sight, original.cells, place.index, piece)
                changed_viewers = changed.program.seen_by(*sight, changed.cells, place.index, piece)
                yield from _sights(original, layout.place_name(place.number), viewers, changed_viewers)
    for cell, (name, slot) in layout.notes_of_cell.items():
        if name in program.model.notes:
            viewers = program.note_seen_by(name, original.cells, slot)
            changed_viewers = changed.program.note_seen_by(name, changed.cells, slot)
            yield from _sights(original, layout.cell_name(cell), viewers, changed_viewers)


def _sights(original: Runner, seen: str, viewers: int, changed_viewers: int) -> Iterator[str]:
    """Claims about the seats that see something with one of the rules only."""
    for number, seat in enumerate(original.game.seats):
        if (viewers ^ changed_viewers) >> number & 1:
            yield f"sees({seat}, {seen})" if viewers >> number & 1 else f"not sees({seat}, {seen})"


def _of_counts(original: Runner, changed: Runner) -> Iterator[str]:
    """How many pieces lie at the places that both have; the pieces themselves are not the same."""
    counts, others = _counts(original), _counts(changed)
    for place, number in counts.items():
        if others.get(place, number) != number:
            yield f"count {place} is {number}"


def _counts(runner: Runner) -> dict[str, int]:
    program, layout = runner.program, runner.program.layout
    return {
        layout.place_name(place.number): len(program.contents(runner.cells, place.number))
        for place in layout.places[1:]
    }


# ---- as short as possible


def without_needless(items: Sequence[T], attempt: Callable[[Sequence[T]], Sequence[T] | None]) -> Sequence[T]:
    """Items without those that are not needed, found by leaving out half of them, a quarter, at last single ones.

    `attempt` gives what is to be kept of fewer items if these suffice, and None otherwise (Zeller and Hildebrandt,
    *Simplifying and Isolating Failure-Inducing Input*, 2002).
    """
    size = max(1, len(items) // 2)
    while size:
        start = 0
        while start < len(items):
            remaining = attempt([*items[:start], *items[start + size :]])
            if remaining is not None and len(remaining) < len(items):
                items = remaining
            else:
                start += size
        size //= 2
    return items


def shortest_lines(lines: Sequence[str], suffices: Callable[[Sequence[str]], bool]) -> list[str]:
    """The lines without those that are not needed to suffice, and without pieces that need not be laid out."""
    attempts = count()

    def fewer_lines(fewer: Sequence[str]) -> Sequence[str] | None:
        return fewer if fewer and next(attempts) < MAX_REMOVALS and suffices(fewer) else None

    needed = [*without_needless(lines, fewer_lines)]
    attempts = count()
    for number, line in enumerate(needed):
        list_of_pieces = re.fullmatch(r"(given .* is )\[(.*)\]", line)
        if list_of_pieces is None:
            continue
        beginning, pieces = list_of_pieces.groups()

        def fewer_pieces(
            fewer: Sequence[str], number: int = number, beginning: str = beginning
        ) -> Sequence[str] | None:
            shorter = [*needed[:number], f"{beginning}[{', '.join(fewer)}]", *needed[number + 1 :]]
            return fewer if fewer and next(attempts) < MAX_REMOVALS and suffices(shorter) else None

        needed[number] = f"{beginning}[{', '.join(without_needless(pieces.split(', '), fewer_pieces))}]"
    return needed
