"""The shortest course that shows a finding, and an example that does.

A course is shortened by leaving out decisions (`without_needless`) and playing what is left; a move that is not legal
any more is left out as well:

    draw, lay king, draw, draw, lay ten → fault         draw, lay ten → fault
    draw, …, draw, lay ten              → no fault      lay ten       → not legal without the card drawn

Chance goes on from the same seed, so what it brings may change on the way; all that counts is whether the same finding
shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import process_time

from interpreter.errors import PlayError, UsageError
from interpreter.exploration.findings import Course, Finding, fault_key
from interpreter.exploration.proposing import Bench, beginnings, example_text, shortest_lines, without_needless
from interpreter.exploration.runs import position_text
from interpreter.play.game import Game, State
from interpreter.play.scenes.writing import in_example
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.notation.moves import moves_in_words, rendered
from interpreter.seat.views.seat_view import view_of

MAX_SECONDS = 4.0
"""Processor time for making one course shorter."""

MAX_FORCED = 200
"""Number of decisions with one legal move that are followed to see whether they lead back."""


def shortened(game: Game, finding: Finding) -> Finding:
    """The finding with the shortest course that was found for it; `game` is that of its setting."""
    if finding.kind in ("endless", "dominated"):
        return finding
    end = process_time() + MAX_SECONDS
    moves = shown_by(game, finding, finding.course.moves)
    if moves is None:
        return finding

    def fewer_moves(fewer: Sequence[MoveCode]) -> tuple[MoveCode, ...] | None:
        return shown_by(game, finding, fewer) if process_time() < end else None

    moves = tuple(without_needless(moves, fewer_moves))
    in_move = finding.kind == "fault" and _fails_in_move(game, finding, moves)
    return replace(finding, course=replace(finding.course, moves=moves), in_move=in_move)


def shown_by(game: Game, finding: Finding, moves: Sequence[MoveCode]) -> tuple[MoveCode, ...] | None:
    """Those of the moves that lead to where the finding shows; None if it does not."""
    program, played = game.program, list[MoveCode]()
    cells = Cells(program.initial)
    cells[RANDOM] = seeded(finding.course.seed)
    try:
        program.run(cells, None, 0)
        for move in moves:
            if move in program.legal(cells):
                played.append(move)
                program.do(cells, None, move)
        legal = program.legal(cells)
        if finding.kind == "one move":
            decision = program.decision(cells)
            return tuple(played) if decision is not None and decision.node.span.location == finding.location else None
        if finding.kind == "stuck":
            return tuple(played) if _leads_back(game, cells) else None
        if cells[POINT] < 0:
            program.criteria_of_all(cells)
        elif finding.at_display:
            view_of(program, cells, cells[ME])
            rendered(moves_in_words(program, cells, legal))
    except PlayError as fault:
        return tuple(played) if finding.kind == "fault" and fault_key(fault) == finding.key else None
    return None


def _fails_in_move(game: Game, finding: Finding, moves: tuple[MoveCode, ...]) -> bool:
    """True if the rule fails while the last move is made, so that the position after it does not exist."""
    try:
        state = replayed_course(game, replace(finding.course, moves=moves[:-1])) if moves else None
        if state is not None:
            state.program.do(Cells(state.cells), None, moves[-1])
    except PlayError:
        return True
    return False


def _leads_back(game: Game, cells: Cells) -> bool:
    """True if all decisions from here on have one legal move, and a position comes up again."""
    program, positions = game.program, set[str]()
    for _ in range(MAX_FORCED):
        legal = program.legal(cells)
        if len(legal) != 1:
            return False
        position = position_text(cells)
        if position in positions:
            return True
        positions.add(position)
        program.do(cells, None, legal[0])
    return False


def replayed_course(game: Game, course: Course) -> State:
    """The game at the end of a course. Raises PlayError."""
    state = game.start(course.seed)
    for move in course.moves:
        number = state.program.legal(state.cells).index(move)
        state.push_number(number)
    return state


def state_before(game: Game, finding: Finding) -> tuple[State | None, str | None]:
    """The game before the move in which a rule fails, and that move; None if the setup fails.

    For other findings the game at the end of their course.
    """
    moves = finding.course.moves
    try:
        state = replayed_course(game, replace(finding.course, moves=moves[:-1] if finding.in_move else moves))
    except PlayError:
        return None, None
    if not finding.in_move:
        return state, None
    try:
        (move,) = moves_in_words(state.program, state.cells, [moves[-1]])
        return state, move.notation
    except PlayError:  # the words of the move are what fails
        return state, None


# ---- as an example


def example_of(game: Game, finding: Finding, bench: Bench) -> str:
    """An example that shows the finding, as text; empty if none was found.

    One of a fault fails until the rule is mended. That of a decision without a choice passes: it says what is so.
    """
    suffices: Callable[[Sequence[str]], bool]
    if finding.kind == "fault":

        def suffices(lines: Sequence[str]) -> bool:
            result = bench.run(lines)
            return isinstance(result, str) and finding.location in result

    else:

        def suffices(lines: Sequence[str]) -> bool:
            return lines[-1].startswith("then") and bench.holds(lines)

    for lines in _scenes(game, finding):
        try:
            if suffices(lines):
                title = f"{finding.kind} in line {finding.location.rsplit(':', 2)[-2]}"
                return example_text(title, (), shortest_lines(lines, suffices))
        except (PlayError, UsageError):
            continue
    return ""


def _scenes(game: Game, finding: Finding) -> Iterator[list[str]]:
    """Scenes that may show a finding."""
    state, move = state_before(game, finding)
    if state is None:
        yield ["when phase setup"]
        return
    for lines in beginnings(state):
        if finding.kind == "fault":
            if move is not None:
                yield [*lines, f"when {state.player}: {in_example(move)}"]
            else:
                yield lines
                yield [*lines, "then not over"]
                yield [*lines, f"then winners is {{{game.seats[0]}}}"]
        elif finding.kind in ("one move", "stuck"):
            try:
                (only,) = state.legal_moves
                yield [*lines, f"then {state.player} may only {in_example(only.notation)}"]
            except (PlayError, ValueError):
                return
