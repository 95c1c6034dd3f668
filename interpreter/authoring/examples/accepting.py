"""Examples of a game that a variant breaks, accepted: what the variant has to say about them, grouped by cause.

An example that fails only because values in its `then` lines have changed is replaced by one with the new values; any
other one is removed. The cause is the change of the variant that breaks the example on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dsl import ast
from dsl.checker import check
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from dsl.types import Listed, Number, Truth, bare
from dsl.variants import merged
from interpreter.authoring.examples.suite import ExampleResult, example_results, failure_in_words
from interpreter.compiler.names import NO_NAMES
from interpreter.errors import PlayError, UsageError
from interpreter.loading.rules import Rules, board_of, read_rules, shown
from interpreter.loading.variants import read_variant
from interpreter.play.game import Game, seat_game
from interpreter.play.scenes.runner import ExampleError, Runner
from interpreter.play.scenes.setup import GivenError, options_given
from interpreter.seat.explain.evaluator import joined_by_and

TOGETHER = "the changes together"
INDENT = "    "


@dataclass(frozen=True)
class Accepted:
    """A broken example, the change that breaks it in words, and the lines that the variant needs.

    `location` is where the example is, `before` its lines there, `reason` why it fails, in words.
    """

    title: str
    cause: str
    lines: tuple[str, ...]
    location: str
    before: tuple[str, ...]
    reason: str

    @property
    def replaces(self) -> bool:
        """True if the example is replaced, not removed."""
        return self.lines[0].startswith("replace")

    @property
    def after(self) -> tuple[str, ...]:
        """The lines of the example under the variant; none if it is removed."""
        return (self.lines[0].removeprefix("replace "), *self.lines[1:]) if self.replaces else ()


def accepted(rules: Rules) -> list[Accepted]:
    """The changes that a game with one variant needs so that no example of it fails; empty if none does."""
    broken = _broken(rules)
    if not broken or rules.merged is None:
        return []
    causes = _causes(rules, [example.title.value for example, _ in broken])
    return [
        Accepted(
            example.title.value,
            causes.get(example.title.value, TOGETHER),
            tuple(_lines(rules, example)),
            example.span.location,
            tuple(example.span.text.rstrip().splitlines()),
            ": ".join((failure_in_words(result)[0], failure_in_words(result)[1][0])),
        )
        for example, result in broken
    ]


def text_with(text: str, accepted: Sequence[Accepted]) -> str:
    """The text of a variant with the lines for broken examples at its end, below a comment for each cause."""
    parts = [text.rstrip("\n")]
    for cause in dict.fromkeys(change.cause for change in accepted):
        parts.append(f"\n{INDENT}# Broken by {cause}:")
        parts += [f"{INDENT}{line}".rstrip() for change in accepted if change.cause == cause for line in change.lines]
    return "\n".join(parts) + "\n"


def _broken(rules: Rules) -> list[tuple[ast.Example, ExampleResult]]:
    """The examples of the game, not of the variant, that fail."""
    variant_sources = [variant.span.source for variant in rules.merged.variants] if rules.merged else []
    results = zip(rules.model.examples, example_results(rules), strict=True)
    return [
        (example, result)
        for example, result in results
        if not result.passed and example.span.source not in variant_sources
    ]


# ---- the cause


def _causes(rules: Rules, titles: Sequence[str]) -> dict[str, str]:
    """For each title the change that breaks the example without the others, if there is one."""
    causes: dict[str, str] = {}
    for change, alone in _changes_alone(rules):
        for title in titles:
            if title not in causes and any(
                not result.passed for result in example_results(alone, title) if result.title == title
            ):
                causes[title] = _first_line(change)
    return causes


def _changes_alone(rules: Rules) -> Iterator[tuple[ast.Difference, Rules]]:
    """The game with each change of its variant alone; those that need others are omitted."""
    file, companion, _ = read_rules(rules.path, examples=True)
    if file is None:
        return
    number = max(file.number, companion.number if companion else 0) + 1
    variant = read_variant(rules.variants[0], shown(rules.variants[0]), number)[0]
    for change in variant.changes if variant is not None else ():
        if variant is None or _is_about_examples(change):
            continue
        game = merged(file, companion, [replace(variant, changes=(change,))])[0]
        if game is None:
            continue
        board = board_of(rules.path, game.file, rules.board, rules.variants)[0]
        model = check(game.file, game.companion, board=board)[0]
        if model is not None:
            yield change, Rules(rules.path, model, (), rules.board, rules.variants, game)


def _is_about_examples(change: ast.Difference) -> bool:
    return isinstance(change, ast.Change) and (
        change.declaration_kind == "example" or isinstance(change.declaration, ast.Example)
    )


def _first_line(change: ast.Difference) -> str:
    """The first line of a change, without its citations and colon."""
    line = change.span.text.splitlines()[0].partition("#")[0].rpartition("  [")
    return f"`{(line[0] or line[2]).strip().rstrip(':')}`"


# ---- what the variant says


def _lines(rules: Rules, example: ast.Example) -> Iterator[str]:
    corrections = _corrections(rules, example)
    if not corrections:
        yield f'remove example "{example.title.value}"'
        return
    source, start, end = example.span.source, example.span.start, example.span.end
    text = source.text[start:end]
    for span, value in sorted(corrections, key=lambda correction: correction[0].start, reverse=True):
        text = text[: span.start - start] + value + text[span.end - start :]
    yield from f"replace {text.rstrip()}".splitlines()


def _corrections(rules: Rules, example: ast.Example) -> list[tuple[Span, str]]:
    """The values to write instead of those that have changed; empty if more than values has changed."""
    seats: int | tuple[str, ...] | None = None
    for scene in example.scenes:
        if isinstance(scene, ast.GivenSeats):
            seats = scene.count if scene.count is not None else scene.seats
    try:
        game = seat_game(rules, seats, options_given(rules.model, example))
        return _Corrector(game, example).corrections()
    except UsageError:
        return []


class _Corrector(Runner):
    """Runs an example to its end, and notes what the `then` lines that fail would have to say."""

    def __init__(self, game: Game, example: ast.Example) -> None:
        super().__init__(game, example)
        self.corrected: list[tuple[Span, str]] = []

    def corrections(self) -> list[tuple[Span, str]]:
        """The corrections; empty if something else than values has changed."""
        for scene in self.example.scenes:
            try:
                self.scene(scene)
            except (ExampleError, GivenError, UsageError, PlayError):
                try:
                    corrections = list(self._of(scene))
                except (_NotAValue, PlayError):
                    return []
                self.corrected += corrections
        return self.corrected

    def _of(self, scene: ast.Scene) -> Iterator[tuple[Span, str]]:
        """The corrections of one scene. Raises _NotAValue, PlayError."""
        if not isinstance(scene, ast.Then):
            raise _NotAValue
        for condition in joined_by_and(scene.condition):
            if not self.program.value_of(condition, self.cells, NO_NAMES):
                yield self._correction(condition)

    def _correction(self, condition: ast.Expression) -> tuple[Span, str]:
        if not isinstance(condition, ast.Compare) or condition.operator != "is":
            raise _NotAValue
        type_ = self.program.model.types[condition.left.number]
        if not _is_written_out(condition.right) or not isinstance(bare(type_), Number | Listed | Truth):
            raise _NotAValue
        value = self.program.value_of(condition.left, self.cells, NO_NAMES)
        return condition.right.span, self.program.layout.name_of(type_, value)


class _NotAValue(Exception):
    """Raised if an example fails for another reason than a value that is different now."""


def _is_written_out(node: ast.Expression) -> bool:
    """True if an expression is a value itself: a name, a number, or a negative one."""
    return isinstance(node.operand if isinstance(node, ast.Negative) else node, ast.Number | ast.Name)


def variant_file(rules: Rules) -> Path | None:
    """The file of the variant that is applied, if it is exactly one."""
    return rules.variants[0] if len(rules.variants) == 1 else None
