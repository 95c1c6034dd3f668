"""Whether the examples of a game notice a change of its rules.

A change is noticed as soon as one example fails, so the order decides how long that takes. A change of `score pairs`,
which cites item 14, is tried first on examples that cite 14; of these, on those that reach the changed node when they
run with the rules as they are; and of these, on those whose seats and options most examples share, as a game is
compiled once for all of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from dsl import ast
from dsl.boards import Board
from dsl.checker import check
from dsl.diagnostics import Diagnostic, RulesError
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.variants import Merged
from interpreter.authoring.coverage.instrumentation import FAILS, HOLDS, REACHED, Branches, branch, instrumented
from interpreter.authoring.examples.suite import example_results
from interpreter.errors import PlayError, UsageError
from interpreter.exploration.mutants import Mutant
from interpreter.loading.rules import Rules, load_rules, read_rules
from interpreter.play.game import GamesOfRules, seat_game
from interpreter.play.scenes.runner import Runner
from interpreter.play.scenes.setup import table_of

Seating = tuple[int | tuple[str, ...] | None, tuple[tuple[str, str], ...]]
"""Seats and options of an example."""


@dataclass(frozen=True, eq=False)
class Original:
    """A game whose rules are changed: as it is written, with its board, and with its examples in one file."""

    path: Path
    file: ast.GameFile
    board: Board | None
    companion: ast.ExamplesFile | None
    custom_board: Path | None = None
    variants: tuple[Path, ...] = ()
    merged: Merged | None = None

    @cached_property
    def rules(self) -> Rules:
        """The rules as they are. Raises RulesError if they do not check."""
        rules = self.changed(self.file)
        if rules is None:
            raise RulesError(self._checked(self.file)[1])
        return rules

    def changed(self, file: ast.GameFile) -> Rules | None:
        """The rules of a changed file with the same examples; None if the checker refuses them."""
        model, _ = self._checked(file)
        return None if model is None else Rules(self.path, model, (), self.custom_board, self.variants, self.merged)

    def _checked(self, file: ast.GameFile) -> tuple[Model | None, list[Diagnostic]]:
        applied = () if self.merged is None else self.merged.variants
        return check(file, self.companion, board=self.board, variants=applied)

    @cached_property
    def reached_by_example(self) -> Mapping[str, frozenset[int]]:
        """The numbers of the nodes that each example reaches, by its title."""
        return {title: nodes for title, _, nodes in self._examples}

    @cached_property
    def failing_examples(self) -> tuple[str, ...]:
        """The titles of the examples that fail with the rules as they are."""
        return tuple(title for title, passed, _ in self._examples if not passed)

    @cached_property
    def _examples(self) -> list[tuple[str, bool, frozenset[int]]]:
        """Title, whether it passes, and the nodes it reaches, of each example."""
        branches, whole_file = Branches(), self.file.walk()
        nodes = {branch(node.number, way): node.number for node in whole_file for way in (REACHED, HOLDS, FAILS)}
        results = example_results(self.rules, make_game=lambda *seating: instrumented(seat_game(*seating), branches))
        return [
            (result.title, result.passed, frozenset(nodes.get(number, -1) for number in branches.take()))
            for result in results
        ]


def read_original(path: Path, board: Path | None = None, variants: Sequence[str | Path] = ()) -> Original:
    """Read a game with all its examples. Raises what `load_rules` raises."""
    rules = load_rules(path, examples=True, board=board, variants=variants)
    merged = rules.merged
    if merged is not None:
        file, companion = merged.file, merged.companion
    else:
        file, companion = rules.model.as_written, read_rules(rules.path, examples=True)[1]
    return Original(rules.path, file, rules.model.board, companion, rules.board, rules.variants, merged)


def noticing_example(rules: Rules, mutant: Mutant, reached: Mapping[str, frozenset[int]]) -> str:
    """The title of the first example that fails with the rules of a mutant; empty if all of them pass.

    The most promising come first: those that cite the same items and reach what is changed, according to `reached`,
    the nodes that each example reaches.
    """
    games = GamesOfRules(rules)
    tables: dict[Seating, list[ast.Example]] = defaultdict(list)
    for example in rules.model.examples:
        players, options = table_of(rules.model, example)
        tables[players, tuple(sorted(options.items()))].append(example)

    def distance(table: Seating, example: ast.Example) -> tuple[int, int, int]:
        nodes = reached.get(example.title.value, ())
        return _first_index(mutant.cites, example.cites), _first_index(mutant.around, nodes), -len(tables[table])

    examples = [(table, example) for table, group in tables.items() for example in group]
    for (players, chosen_options), example in sorted(examples, key=lambda pair: distance(*pair)):
        try:
            if Runner(games.seated(players, chosen_options), example).run():
                return example.title.value
        except (UsageError, PlayError):
            return example.title.value
    return ""


def _first_index(values: Sequence[object], present: Collection[object]) -> int:
    """The index of the first value that is among those present; the number of values if none is."""
    return next((index for index, value in enumerate(values) if value in present), len(values))
