"""Checks rules files and prints what was found and the code generated, as JSON: `python -m tests.support.checking`.

Run in processes of its own, with other hash seeds and orders of files, it prints the same.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.patience import patience
from interpreter import RulesError, RuntimeFault, UsageFault
from interpreter.game import seat_game
from interpreter.rules import load_rules

TOO_SLOW = "took longer"


def checked(path: Path) -> list[str]:
    """Every finding as it is shown, and the Python text of the game if there is one."""
    try:
        rules = load_rules(path, examples=True)
        found = [finding.draw() for finding in rules.warnings]
        options = {option.name: option.values[0] for option in rules.model.options.values()}
        return [*found, seat_game(rules, rules.model.file.header.fewest, options).program.source]
    except RulesError as error:
        return [finding.draw() for finding in error.diagnostics]
    except (UsageFault, RuntimeFault) as fault:
        return [TOO_SLOW if TOO_SLOW in str(fault) else str(fault)]


def main() -> None:
    """Check the files that are named on standard input, one a line."""
    with patience():
        print(json.dumps({name: checked(Path(name)) for name in sys.stdin.read().split("\n") if name}))


if __name__ == "__main__":
    main()
