"""Random games of the machine engine are those that the program plays decision by decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.compiler.ir.verifier import verify
from interpreter.play.game import Game, load, seat_game
from tests.interpreter.machine.comparing import NAMES, compared, machine_of
from tests.support.long_run import one_in


@pytest.mark.parametrize("name", one_in(3, NAMES, 1))
def test_random_games_are_those_of_the_program(name: str, long_run: bool) -> None:
    first = load(name)
    for number, (players, options) in enumerate(tables(first, long_run)):
        game = seat_game(first.rules, players, options)
        games = 1 if options else 2
        assert compared(game, 10 * number, games)["games"] == games, (players, options)


FEW_OPTIONS = 4
"""Up to this many options are set together in the normal run; more of them in two halves."""


def tables(game: Game, long_run: bool) -> Iterator[tuple[int, dict[str, str]]]:
    """Numbers of players with options: the defaults, and every option by itself with an unusual value.

    The normal run plays the defaults with the fewest players, and the unusual options together with the most. Most of
    the time is spent on compiling.
    """
    counts, options = game.counts, unusual(game)
    if long_run:
        for players in counts:
            yield from [(players, {}), *[(players, dict([option])) for option in options]]
        return
    yield game.fewest, {}
    if len(options) > FEW_OPTIONS:
        yield counts[len(counts) // 2], dict(options[::2])
        yield game.most, dict(options[1::2])
    elif options or len(counts) > 1:
        yield game.most, dict(options)


def unusual(game: Game) -> list[tuple[str, str]]:
    """Every option with the last of its values that is no seat."""
    chosen = {each.name: [value for value in each.values if value not in game.all_seats] for each in game.option_info}
    return [(name, values[-1]) for name, values in chosen.items() if values]


FORCED = """game "Forced" for 2 players ann, ben

== components ==

note n: 0..99 = 0

== phases ==

phase waiting, turns from ann, over when n is 9:
    must wait
phase choosing, turns from ann to ann:
    must take

action wait:
    add 1 to n
action take(k: 1..9):
    add k to n

== scoring ==

winner highest n
"""


def test_moves_without_an_alternative_draw_no_number(tmp_path: Path) -> None:
    """Many of them in a row, before the first number that a game draws."""
    path = tmp_path / "forced.rules"
    path.write_text(FORCED, encoding="utf-8")
    game = load(path)
    assert compared(game, 0, 3)["games"] == 3


LEFT_AT_ONCE = {
    "a phase, by an action": (
        "phase main, turns from ann, over as soon as won:\n    must go\n    must go\n",
        "action go(c: Cell):\n    \"{c}\"\n    add 1 to steps\n    if c is c3: set won to true\n    add c to seen\n",
    ),
    "a phase, by a step of an action": (
        "phase main, turns from ann, over as soon as won:\n    must go\n    must go\n",
        "action go(c: Cell):\n    \"{c}\"\n    step_on(c)\n    step_on(b2)\n"
        "step step_on(c: Cell):\n    add 1 to steps\n    add c to seen\n    if c is c3: set won to true\n",
    ),
    "a phase, by a reaction": (
        "phase main, turns from ann, over as soon as won:\n    must go\n    must go\n",
        "action go(c: Cell):\n    \"{c}\"\n    add 1 to steps\n    add c to seen\n    add 2 to steps\n"
        "when third: set won to true\ndefine third: c3 is in seen and not won\n",
    ),
    "an inner phase, and then the outer one": (
        "phase outer, repeated until steps > 8:\n"
        "    phase inner, turns from ann, over as soon as won:\n        must go\n        must go\n"
        "    phase next_round:\n        set won to false\n        add 1 to steps\n",
        "action go(c: Cell):\n    \"{c}\"\n    add 1 to steps\n    if c is c3: set won to true\n    add c to seen\n",
    ),
}  # fmt: skip
"""What leaves running rules at once, where nothing else leads to where the game continues."""


def left_at_once(what: str, folder: Path) -> Game:
    phases, rules = LEFT_AT_ONCE[what]
    path = folder / "left.rules"
    path.write_text(
        'game "Left" for 2 players ann, ben\n== components ==\ntype Cell from grid(3, 3)\nnote won: Truth = false\n'
        f"note steps: 0..999 = 0\nnote seen: several Cell = {{}}\n== phases ==\n{phases}{rules}"
        "== scoring ==\nwinner highest steps + count seen + (1 if me is ann else 0)\n",
        encoding="utf-8",
    )
    return load(path)


@pytest.mark.parametrize("what", LEFT_AT_ONCE)
@pytest.mark.parametrize("off", [(), ("fusion",)])
def test_rules_are_left_for_what_nothing_else_leads_to(what: str, off: tuple[str, ...], tmp_path: Path) -> None:
    game = left_at_once(what, tmp_path).without(*off)
    assert verify(machine_of(game).rules.module) == []
    assert compared(game, 0, 50)["games"] == 50
