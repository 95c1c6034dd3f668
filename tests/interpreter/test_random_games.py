"""Random games by one generated function are those that the program plays decision by decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.analysis.random_choices import random_choice
from interpreter.analysis.results import Playout
from interpreter.explain.outcome import winners_of
from interpreter.game import seat_game
from interpreter.ir.verifier import verify
from interpreter.layout.cells import POINT, RANDOM
from interpreter.random_games import random_games
from interpreter.runtime.chance import seeded
from tests.interpreter.native.comparing import compared, library_of

GAMES = sorted(path.stem for path in Path("games").glob("*.rules") if ".examples" not in path.name)


def played(game: Game, seed: int) -> Playout:
    """The random game with this seed, listing the legal moves of every decision."""
    program, cells, counts = game.program, list(game.program.initial), list[int]()
    cells[RANDOM] = seeded(seed)
    program.run(cells, None, 0)
    while cells[POINT] >= 0:
        legal = program.legal(cells)
        program.do(cells, None, legal[random_choice(seed, len(counts), len(legal))])
        counts.append(len(legal))
    scores = {seat: program.criteria(cells, place) for place, seat in enumerate(game.seats)}
    winners = tuple(game.seats[place] for place in winners_of(program, cells))
    teams = tuple(map(program.team_name, program.teams(cells)))
    return Playout(seed, scores, winners, len(counts), sum(counts), max(counts, default=0), teams)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_the_program(name: str, long_run: bool) -> None:
    """In the normal run every option with one number of players, the defaults with each."""
    first = load(name)
    counts = range(first.fewest, first.most + 1)
    for players in counts:
        for number, options in enumerate(unusual(first)):
            if options and not long_run and counts[number % len(counts)] != players:
                continue
            game = seat_game(first.rules, players, options)
            first_seed, games = 10 * number, 1 if options else 2
            seeds = range(first_seed, first_seed + games)
            found = random_games(game.program).play(seeds, Playout, never)
            for seed, playout in zip(seeds, found, strict=True):
                assert playout == played(game, seed), (players, options)


def never(seed: int) -> Playout:
    """Shipped games have no faults, so that none is played again."""
    raise AssertionError(f"the game with the seed {seed} ended in a fault")


def unusual(game: Game) -> list[dict[str, str]]:
    """The defaults, and every option by itself with the last of its values that is no seat."""
    chosen = {each.name: [value for value in each.values if value not in game.all_seats] for each in game.option_info}
    return [{}, *({name: values[-1]} for name, values in chosen.items() if values)]


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
    found = random_games(game.program).play(range(3), Playout, never)
    assert list(found) == [played(game, seed) for seed in range(3)]


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
    assert verify(random_games(game.program).prepared.module) == []
    found = list(random_games(game.program).play(range(8), Playout, never))
    assert found == [played(game, seed) for seed in range(8)]
    if not off:
        assert compared(game, library_of(game), 0, 50)["games"] == 50
