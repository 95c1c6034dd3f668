"""The coverage report: what examples and random games reached of a game's rules, compared with all branches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.authoring.coverage.instrumentation import Branches, instrumented
from interpreter.authoring.coverage.random_games import BranchCounts, CoveragePlayer, Setting
from interpreter.authoring.coverage.subjects import Part, Subject, subjects
from interpreter.authoring.examples.suite import ExampleResult, Look, example_results, failures_to_look
from interpreter.loading.rules import Rules
from interpreter.play.game import seat_game
from interpreter.play.scenes.runner import Runner


@dataclass(frozen=True)
class BranchCount:
    """The number of examples and of random games that took a branch."""

    examples: int
    playouts: int

    @property
    def never(self) -> bool:
        """True if neither an example nor a game took it."""
        return not self.examples and not self.playouts


@dataclass(frozen=True)
class Item:
    """A rulebook item with the locations of the rules and the titles of the passing examples that cite it."""

    id: str
    text: str
    rules: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Missing:
    """A part, or with None a whole declaration, with the branches that were not taken."""

    subject: Subject
    part: Part | None
    branches: tuple[str, ...]


@dataclass
class Coverage:
    """The coverage of one game: all branches, and how often examples and random games took them."""

    rules: Rules
    results: list[ExampleResult]
    examples: Counter[int]
    playouts: BranchCounts
    settings: list[Setting]
    seed: int

    @cached_property
    def subjects(self) -> list[Subject]:
        """All declarations with branches, in source order."""
        return subjects(self.rules.model)

    def reached(self, branch: int) -> BranchCount:
        """How often a branch was taken."""
        return BranchCount(self.examples[branch], self.playouts.branches[branch])

    @cached_property
    def branches(self) -> list[int]:
        """All branches that count, each once."""
        branches = []
        for subject in self.subjects:
            branches += [] if subject.derived else [subject.branch]
            branches += [branch for part in subject.parts for branch in part.branches.values()]
        return branches

    # ------------------------------------------------------------ what is missing

    @property
    def never(self) -> list[Missing]:
        """Branches taken by neither an example nor a random game."""
        return list(self._missing({branch for branch in self._all if not self.reached(branch).never}))

    @property
    def not_played(self) -> list[Missing]:
        """Branches taken by examples but by no random game."""
        return list(self._missing(+self.playouts.branches, set(self.examples)))

    @property
    def not_shown(self) -> list[Missing]:
        """Branches taken by random games but by no example."""
        return list(self._missing(+self.examples, set(self.playouts.branches)))

    @cached_property
    def _all(self) -> set[int]:
        return {*self.branches, *(subject.branch for subject in self.subjects)}

    def _missing(self, branches: Iterable[int], among: set[int] | None = None) -> Iterator[Missing]:
        """The parts with branches not taken, only the outermost of nested ones; `among` restricts the branches."""
        taken_branches = set(branches)
        counted = self._all if among is None else among
        for subject in self.subjects:
            if subject.branch in counted - taken_branches:
                yield Missing(subject, None, ())
            for part in subject.parts:
                if part.within is not None and part.within in counted - taken_branches:
                    continue
                if subject.branch not in taken_branches and subject.derived:
                    continue
                labels = tuple(label for label, branch in part.branches.items() if branch in counted - taken_branches)
                if labels:
                    yield Missing(subject, part, labels)

    # ------------------------------------------------------------ items

    @cached_property
    def items(self) -> list[Item] | None:
        """The rulebook items in their order, then citations of unknown items; None if there is no items file."""
        model = self.rules.model
        rules: dict[str, list[str]] = {}
        for root in (model.file.header, *model.file.options, *model.file.parts):
            for node in _without_examples(root):
                for item in getattr(node, "cites", ()):
                    rules.setdefault(item, []).append(node.span.location)
        references: dict[str, list[str]] = {}
        for result in self.results:
            for item in result.cites if result.passed else ():
                references.setdefault(item, []).append(result.title)
        texts = model.items or {}
        ids = dict.fromkeys((*texts, *rules, *references))
        if not ids:
            return None
        return [Item(id, texts.get(id, ""), (*rules.get(id, ()),), (*references.get(id, ()),)) for id in ids]

    # ------------------------------------------------------------ figures and data

    def figures(self) -> dict[str, int]:
        """The number of branches, and how many of them examples, random games and either reached."""
        reached = [self.reached(branch) for branch in self.branches]
        return {
            "ways": len(reached),
            "examples": sum(1 for counts in reached if counts.examples),
            "playouts": sum(1 for counts in reached if counts.playouts),
            "either": sum(1 for counts in reached if not counts.never),
        }

    def document(self) -> JsonObject:  # JSON, to which the command adds
        """The report as plain data."""
        games = self.playouts
        return {
            "playouts": {
                "games": games.games, "seed": self.seed, "settings": [{"players": setting.players, "options":
                dict(setting.options)} for setting in self.settings],
            },
            "summary": self.figures(),
            "declarations": [self._declaration(subject) for subject in self.subjects],
            "items": None if self.items is None else [
                {"id": item.id, "text": item.text, "rules": [*item.rules], "examples": [*item.examples]}
                for item in self.items
            ],
        }  # fmt: skip

    def _declaration(self, subject: Subject) -> dict[str, object]:
        reached = self.reached(subject.branch)
        return {
            "kind": subject.kind,
            "name": subject.name,
            "place": subject.span.location,
            "cites": list(subject.cites),
            "examples": reached.examples,
            "playouts": reached.playouts,
            "parts": [
                {
                    "kind": part.kind,
                    "text": part.text,
                    "place": part.span.location,
                    "ways": {label: vars(self.reached(branch)) for label, branch in part.branches.items()},
                }
                for part in subject.parts
            ],
        }


def run_instrumented(rules: Rules) -> tuple[list[ExampleResult], Counter[int]]:
    """Run the examples of rules, look at where each ends, and count how many of them took each branch."""
    counts = Counter[int]()
    return list(counted_results(rules, counts, failures_to_look)), counts


def counted_results(rules: Rules, counts: Counter[int], look: Look | None = None) -> Iterator[ExampleResult]:
    """Run the examples of rules one by one; add to `counts` which branches each has taken, before its result.

    See `example_results`. What a look takes does not count: it would say of every rule that a table reads that it is
    tested.
    """
    branches, player = Branches(), CoveragePlayer(rules)

    def uncounted(runner: Runner, number: int) -> list[str]:
        recorded_before_look = set(branches.recorded)
        failures = [] if look is None else look(runner, number)
        branches.recorded.intersection_update(recorded_before_look)
        return failures

    for result in example_results(
        rules, make_game=lambda *setting: instrumented(seat_game(*setting), branches), look=uncounted
    ):
        counts.update(player.with_derived(branches.take()))
        yield result


def _without_examples(node: ast.Node) -> Iterator[ast.Node]:
    if not isinstance(node, ast.Example):
        yield node
        for child in node.children():
            yield from _without_examples(child)


# ---------------------------------------------------------------- in words


WHOLE = {
    "action": "never done",
    "step": "never done",
    "setup": "never done",
    "when": "never happens",
    "phase": "never played",
    "define": "never evaluated",
    "winner": "never evaluated",
    "teams by": "never evaluated",
    "option": "never used",
}
"""Message for a declaration that was never reached, by its kind."""

PARTS = {
    "statement": "never executed",
    "case": "case never taken",
    "criterion": "never needed",
    "value": "never chosen",
}
"""Message for a part with a single branch that was not taken, by its kind."""

BRANCHES = {"held": "never holds", "refused": "never refuses", "holds": "never holds", "fails": "never fails"}


def description(missing: Missing) -> str:
    """Describe what never happens."""
    part = missing.part
    if part is None:
        return WHOLE[missing.subject.kind]
    words = [BRANCHES[word] for word in missing.branches if word in BRANCHES]
    if not words:
        words = [PARTS[part.kind]]
    verdict = words[0] if len(words) == 1 else "never evaluated"
    return f"{verdict}: {part.text}"
