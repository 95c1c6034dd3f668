"""Checks rules files and prints what was found, as JSON: `python -m tests.support.checking`.

Of a game it prints the code generated as well, and what everybody sees of some moves. Run in separate processes, with
other hash seeds and orders of files, it prints the same.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dsl.diagnostics import RulesError
from interpreter.errors import PlayError, UsageError
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, seat_game
from interpreter.watchdog import watchdog

TOO_SLOW = "took longer"


def played(game: Game) -> str:
    """Some moves, and what each seat knows of them."""
    try:
        state, told = game.start(1), []
        for number in range(8):
            moves = state.legal_moves
            told.append([(move.notation, move.label) for move in moves[:50]])
            if not moves:
                break
            state.push(moves[number * 7 % len(moves)].notation)
        known = [
            (state.view(seat).as_data(), [str(entry) for entry in state.log(seat)]) for seat in (None, *game.seats)
        ]
        return json.dumps([told, known])
    except PlayError as fault:
        return str(fault)


def checked(path: Path) -> list[str]:
    """Every finding as it is shown; of a game its Python text, and what some moves show."""
    try:
        rules = load_rules(path, examples=True)
        found = [finding.draw() for finding in rules.warnings]
        options = {option.name: option.values[0] for option in rules.model.options.values()}
        game = seat_game(rules, rules.model.file.header.fewest, options)
        return [*found, game.program.source, played(game)]
    except RulesError as error:
        return [finding.draw() for finding in error.diagnostics]
    except (UsageError, PlayError) as fault:
        return [TOO_SLOW if TOO_SLOW in str(fault) else str(fault)]


def main() -> None:
    """Check the files that are named on standard input, one a line."""
    with watchdog():
        print(json.dumps({name: checked(Path(name)) for name in sys.stdin.read().split("\n") if name}))


if __name__ == "__main__":
    main()
