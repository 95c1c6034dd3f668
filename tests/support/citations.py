"""Which items of a rulebook the rules and examples of a game cite.

    python -m tests.support.citations games/NAME.rules

prints, for every item, the lines of the rules and the examples that cite it.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from dsl import ast
from interpreter.loading.rules import read_rules

CASE = re.compile(r"[A-Z]+-[A-Z]+-?[0-9]+[a-z]?")
"""A worked example or edge case of a rulebook, such as CM-EC-07; CM-07 is a rule of it."""


@dataclass(frozen=True)
class Citations:
    """The items of a game in the order of their file, and the places that cite each."""

    items: tuple[str, ...]
    rules: dict[str, list[str]]
    examples: dict[str, list[str]]

    @property
    def unknown(self) -> list[str]:
        """What is cited and is no item."""
        return sorted({*self.rules, *self.examples} - set(self.items))

    @property
    def without_example(self) -> list[str]:
        """Items that no example cites."""
        return [item for item in self.items if item not in self.examples]

    @property
    def without_rule(self) -> list[str]:
        """Items, worked examples and edge cases left out, that no line of the rules cites."""
        return [item for item in self.items if not CASE.fullmatch(item) and item not in self.rules]


def citations(game: Path) -> Citations:
    """Read a game, its examples and the items beside it."""
    file, companion, findings = read_rules(game, examples=True)
    assert file is not None, findings
    rules: dict[str, list[str]] = defaultdict(list)
    examples: dict[str, list[str]] = defaultdict(list)
    for root in (file, companion):
        for node in root.walk() if root is not None else ():
            found = examples if isinstance(node, ast.Example) else rules
            for item in getattr(node, "cites", ()):
                found[item].append(node.span.location)
    return Citations(tuple(items(game)), dict(rules), dict(examples))


def items(game: Path) -> list[str]:
    """The ids of the items beside a game, as often as they stand there."""
    lines = game.with_suffix(".items").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def main(game: Path) -> int:
    """Print where each item is cited; 1 if one is unknown or has no example."""
    found = citations(game)
    for item in (*found.items, *found.unknown):
        lines = [place.rsplit(":", 1)[0].rsplit(":", 1)[1] for place in found.rules.get(item, ())]
        print(f"{item}  rules: {' '.join(lines) or '-'}  examples: {len(found.examples.get(item, ()))}")
    for told, which in (("unknown", found.unknown), ("without an example", found.without_example)):
        print(f"{told}: {' '.join(which) or 'none'}")
    print(f"without a line of the rules: {' '.join(found.without_rule) or 'none'}")
    return 1 if found.unknown or found.without_example else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
