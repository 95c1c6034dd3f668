"""What holds in every game of Go, beside its examples: its options, what people see, and what may be played."""

from __future__ import annotations

from interpreter.loading.rules import Rules
from interpreter.play.game import State
from interpreter.seat.views.model import View
from tests.support.positions import opening, positions, texts

SEATS = ("black", "white")


def points(size: int) -> list[str]:
    """The names of all points."""
    return [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]


def shown(view: View, point: str) -> str:
    """Whose stone lies on a point, in a view."""
    return " ".join(str(piece.owner) for piece in view.zones[f"stone[{point}]"].pieces)


def the_options(rules: Rules) -> None:
    """Their values, and what is played unless somebody chooses something else."""
    found = {info.name: info for info in opening(rules, 2, 0).game.option_info}
    numbers = {"size": (5, 19, 9), "handicap": (0, 9, 0), "komi": (0, 99, 7)}
    for name, (low, high, default) in numbers.items():
        assert found[name].values == tuple(map(str, range(low, high + 1)))
        assert found[name].default == str(default)
    assert found["half_point"].default == "true"


def the_tables_tell_the_state(rules: Rules) -> None:
    """The stones on the board, and what each player has."""
    for state in positions(rules, 2, 1):
        view = state.view(None)
        assert [row for (row,) in texts(view, "Board")] == [shown(view, point) for point in points(9)]
        expected = []
        for seat in SEATS:
            area, komi = state.evaluate(f"area({seat})"), 7 * (seat == "white")
            captured = view.notes[f"captured[{seat}]"]
            expected.append([seat, str(captured), str(area), str(komi), str(int(str(area)) + komi)])
        assert texts(view, "Players") == expected


def written(state: State) -> list[tuple[str, str]]:
    """The notations and labels of the legal moves."""
    return [(move.notation, move.label) for move in state.legal_moves]


def moves_are_written_as_players_do(rules: Rules) -> None:
    """The point alone, or that a player passes; nothing else may be done."""
    stones = [(f"put({point})", point) for point in points(9)]
    assert written(opening(rules, 2, 0)) == [*stones, ("pass", "pass")]


def handicap_stones_are_put_first(rules: Rules) -> None:
    """As many as the option says, none more and none less."""
    state = opening(rules, 2, 0, {"handicap": "2"})
    assert [move.notation for move in state.legal_moves] == [f"choose({point})" for point in points(9)[:-1]]
    state.push("choose(c3)")
    assert [move.notation for move in state.legal_moves] == [f"choose({point})" for point in points(9)[21:]]
    state.push("choose(g7)")
    assert state.player == "white"


PROPERTIES = {
    "the options": the_options,
    "the tables tell the state": the_tables_tell_the_state,
    "moves are written as players do": moves_are_written_as_players_do,
    "handicap stones are put first": handicap_stones_are_put_first,
}
