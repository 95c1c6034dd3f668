"""The winners of a finished game: those that nobody is ahead of, if they meet all conditions."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.machine.body import Body, Value, i32, i64
from interpreter.compiler.machine.forms import NONE, WORD_BYTES
from interpreter.compiler.machine.program import Program
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, If, Read, call, load, plain, select


def winners(program: Program, seats: int, criteria: int, conditions: Sequence[int], teams: bool) -> Callee:
    """The function that gives the winners as bits, from the address of the criteria of each seat.

    With teams, these follow the criteria; seats of a team rank as the best of them.
    """

    def fill(body: Body) -> None:
        address = Read(body.function.locals[0])
        size = WORD_BYTES * criteria
        places = [body.held(plain("i32.add", address, i32(size * seat))) for seat in range(seats)]
        compared = _compared(program, criteria, conditions)
        if teams:
            places = _best_of_teams(body, compared, places, plain("i32.add", address, i32(size * seats)))
        best: Code = places[0]
        for place in places[1:]:
            ahead = plain("i32.gt_s", call(compared, place, best), i32(0))
            best = body.held(select(ahead, place, best))
        winning: Code = i64(0)
        for seat, place in enumerate(places):
            level = plain("i32.eqz", call(compared, place, best))
            winning = plain("i64.or", winning, select(level, i64(1 << seat), i64(0)))
        if conditions:
            winning = select(_meets(best, conditions), winning, i64(0))
        body.give((winning,))

    return program.helper("winners", (), (I32,), (I64,), fill)


def _best_of_teams(body: Body, compared: Callee, places: Sequence[Code], address: Code) -> list[Code]:
    """For each seat where the criteria of the best seat of its team are."""
    address = body.held(address)
    teams = [body.held(load("i64.load", address, WORD_BYTES * seat)) for seat in range(len(places))]
    best_of_seats: list[Code] = []
    for team, place in zip(teams, places, strict=True):
        best = place
        for team_of_mate, mate in zip(teams, places, strict=True):
            together = plain("i32.and", plain("i64.eq", team, team_of_mate), plain("i64.ne", team, i64(NONE)))
            ahead = plain("i32.gt_s", call(compared, mate, best), i32(0))
            best = body.held(select(plain("i32.and", together, ahead), mate, best))
        best_of_seats.append(best)
    return best_of_seats


def _meets(address: Code, conditions: Sequence[int]) -> Code:
    holds: Code = i32(1)
    for number in conditions:
        value = load("i64.load", address, WORD_BYTES * number)
        holds = plain("i32.and", holds, plain("i64.ne", value, i64(0)))
    return holds


def _compared(program: Program, criteria: int, conditions: Sequence[int]) -> Callee:
    """The function that says whether one seat is ahead of another (1), behind (-1), or neither (0)."""

    def fill(body: Body) -> None:
        left, right = (Read(local) for local in body.function.locals)
        order: list[Value] = []
        if conditions:
            order.append((_meets(left, conditions), _meets(right, conditions)))
        for number in range(criteria):
            order.append(tuple([load("i64.load", place, WORD_BYTES * number) for place in (left, right)]))
        for pair in order:
            first, second = body.named(pair)
            name = "i32" if first.results == (I32,) else "i64"
            by = plain("i32.sub", plain(f"{name}.gt_s", first, second), plain(f"{name}.lt_s", first, second))
            (difference,) = body.named((by,))
            with body.inside() as ahead:
                body.give((difference,))
            body.add(If(difference, tuple(ahead), (), ()))
        body.give((i32(0),))

    return program.helper("compared", (), (I32, I32), (I32,), fill)
