"""Coverage of a game's rules, for the screen: first what is missing, then a table, or the annotated rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted, counted_choice
from interpreter.authoring.coverage.report import description

if TYPE_CHECKING:
    from dsl.text.span import Source
    from interpreter.authoring.coverage.report import BranchCount, Coverage, Item, Missing

NEVER, HALF, QUIET = "bold red", "yellow", "dim"
IN_TABLE = ("requirement", "case", "over", "criterion", "condition", "value")


def report(coverage: Coverage, seconds: float | None = None) -> Iterator[RenderableType]:
    """The whole report; `seconds` is the time that the run took."""
    games = counted(coverage.playouts.games, "random game")
    varied = f" ({', '.join(coverage.rules.titles)})" if coverage.rules.titles else ""
    yield Text(f"Coverage of {place_of(coverage)}{varied}", style="bold")
    duration = "" if seconds is None else f", {seconds:.1f} s"
    yield Text(f"{counted(len(coverage.results), 'example')}, {games}{_played(coverage)}{duration}", style=QUIET)
    others = len({setting.options for setting in coverage.settings if setting.options})
    if others:
        yield Text(f"half of the games use other options, in {counted(others, 'combination')}", style=QUIET)
    if coverage.playouts.failed:
        failed = len(coverage.playouts.failed)
        yield Text(f"{failed} of the games ended in an error, listed at the end", style=NEVER)
    yield Text()
    if coverage.never:
        yield Text("never reached by any example or random game", style=NEVER)
        yield _list(coverage.never)
    else:
        yield Text("everything is reached by an example or a random game", style="bold")
    for title, branches in (
        (f"only by examples, never in {games}", coverage.not_played if coverage.playouts.games else []),
        ("only in random games, by no example", coverage.not_shown if coverage.results else []),
    ):
        if branches:
            yield Text()
            yield Text(title, style=HALF)
            yield _list(branches)
    yield Text()
    if coverage.items is not None:
        yield from _items(coverage.items)
        yield Text()
    yield _table(coverage)
    yield Text()
    yield summary(coverage)


def place_of(coverage: Coverage) -> str:
    """Display name of the rules file."""
    return coverage.rules.model.file.span.source.name


def summary(coverage: Coverage) -> Text:
    """One line with percentages."""
    figures = coverage.figures()
    shares = {name: f"{_percent(figures[name], figures['ways'])}%" for name in ("examples", "playouts", "either")}
    return Text(
        f"{shares['either']} reached ({figures['either']} of {figures['ways']}): "
        f"{shares['examples']} by examples, {shares['playouts']} in random games"
    )


def _percent(part: int, total: int) -> str:
    """A percentage; only a complete share is shown as 100."""
    share = 100 * part / total if total else 100.0
    return f"{min(share, 99.9) if part < total else share:.1f}".removesuffix(".0")


def _played(coverage: Coverage) -> str:
    """The numbers of players in the games."""
    counts = sorted({setting.players for setting in coverage.settings})
    if not counts:
        return ""
    return f" of {counted_choice(counts, 'player')}"


# ---- what is missing


def _list(unreached: Sequence[Missing]) -> RenderableType:
    grid = plain_grid()
    grid.show_header = False
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for missing in unreached:
        span = missing.part.span if missing.part else missing.subject.span
        whose = f"{missing.subject.kind} {missing.subject.name}".strip()
        grid.add_row(Text(f"{span.source.name}:{span.line}"), Text.assemble((whose, "bold"), " ", description(missing)))
    return Padding(grid, (0, 0, 0, 2))


# ---- items


def _items(items: Sequence[Item]) -> Iterator[RenderableType]:
    """The rulebook items by who cites them; first those that are cited nowhere."""
    groups = (
        ("cited nowhere", NEVER, [item.id for item in items if not item.rules and not item.examples]),
        ("cited by the rules but by no passing example", HALF, [i.id for i in items if i.rules and not i.examples]),
        ("cited by examples but by no rule", QUIET, [i.id for i in items if i.examples and not i.rules]),
    )
    both = sum(1 for item in items if item.rules and item.examples)
    yield Text(f"{counted(len(items), 'rulebook item')}: {both} cited by the rules and by passing examples")
    for title, style, ids in groups:
        if ids:
            yield Padding(Text(f"{title}: ", style=style).append(" ".join(ids)), (0, 0, 0, 2))


# ---- the table


def _table(coverage: Coverage) -> Table:
    """One row per declaration, and one for each of its requirements, cases and the like."""
    grid = plain_grid()
    grid.add_column("line", justify="right")
    grid.add_column("", no_wrap=True, overflow="ellipsis", ratio=1)
    for heading in ("reached", "examples", "games"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.expand = True
    for subject in coverage.subjects:
        of_subject = coverage.reached(subject.branch)
        branches = [] if subject.derived else [subject.branch]
        branches += [branch for part in subject.parts for branch in part.branches.values()]
        reached = sum(1 for branch in branches if not coverage.reached(branch).never)
        share = Text(f"{reached}/{len(branches)}", style=NEVER if reached < len(branches) else "")
        name = Text(f"{subject.kind} {subject.name}".strip(), style="bold")
        grid.add_row(Text(str(subject.span.line), style=QUIET), name, share, *_counts([("", of_subject)]))
        for part in subject.parts:
            if part.kind in IN_TABLE and (len(subject.parts) > 1 or part.kind != "case"):
                signs = ("+", "-") if len(part.branches) == 2 else ("",)
                signed = zip(signs, part.branches.values(), strict=True)
                ones = [(sign, coverage.reached(branch)) for sign, branch in signed]
                line = "" if part.span.line == subject.span.line else str(part.span.line)
                grid.add_row(Text(line, style=QUIET), Text(f"  {part.text}"), "", *_counts(ones))
    return grid


def _counts(ones: Sequence[tuple[str, BranchCount]]) -> tuple[Text, Text]:
    """`+12 -3` for examples and for random games; what is never reached is highlighted."""
    columns = (Text(), Text())
    for sign, reached in ones:
        for column, number in zip(columns, (reached.examples, reached.playouts), strict=True):
            style = NEVER if reached.never else HALF if not number else ""
            column.append(" " if column.plain else "").append(f"{sign}{number}", style=style)
    return columns


# ---- the rules with a gutter

LEGEND = (
    "!  something on this line is never reached     +  held     -  failed, or refused",
    "e  something is reached only by examples       numbers: examples and random games that got here",
    "g  something is reached only in random games",
)


@dataclass
class Line:
    """Coverage of a line: the counts of everything that begins there, and whether its conditions held and failed."""

    reached: list[BranchCount] = field(default_factory=list)
    holds: list[bool] = field(default_factory=list)
    fails: list[bool] = field(default_factory=list)

    @property
    def mark(self) -> str:
        """`!`, `e`, `g` or a blank."""
        if any(counts.never for counts in self.reached):
            return "!"
        if any(not counts.playouts for counts in self.reached):
            return "e"
        return "g" if any(not counts.examples for counts in self.reached) else " "

    @property
    def signs(self) -> str:
        """`+` if every condition of the line held at least once, `-` if every one failed at least once."""
        return ("+" if self.holds and all(self.holds) else " ") + ("-" if self.fails and all(self.fails) else " ")


def annotated(coverage: Coverage) -> Iterator[Text]:
    """The rules file and its variants, each line with its coverage."""
    yield from (Text(line, style=QUIET) for line in LEGEND)
    game = coverage.rules.merged
    variants = [variant.span.source for variant in game.variants] if game else []
    for source in (coverage.rules.model.file.span.source, *variants):
        yield Text()
        if variants:
            yield Text(f"{source.name}:", style=QUIET)
        yield from _annotated(source, _lines(coverage, source))


def _annotated(source: Source, lines: Mapping[int, Line]) -> Iterator[Text]:
    for number in range(1, len(source.text.splitlines()) + 1):
        line = lines.get(number)
        text = Text(f"{number:>5} ", style=QUIET)
        if line is None:
            text.append(f"{'':>16}")
        else:
            style = {"!": NEVER, " ": ""}.get(line.mark, HALF)
            most = [max(getattr(counts, name) for counts in line.reached) for name in ("examples", "playouts")]
            text = Text(f"{number:>5} ", style=QUIET)
            text.append(f"{line.mark} {most[0]:>4} {most[1]:>5} {line.signs} ", style=style)
        yield text.append("| ", style=QUIET).append(source.line(number))


def _lines(coverage: Coverage, source: Source) -> dict[int, Line]:
    """The coverage of each line of a file."""
    lines: dict[int, Line] = {}
    for subject in coverage.subjects:
        if subject.span.source is source and (not subject.derived or subject.parts):
            lines.setdefault(subject.span.line, Line()).reached.append(coverage.reached(subject.branch))
        for part in (candidate for candidate in subject.parts if candidate.span.source is source):
            line = lines.setdefault(part.span.line, Line())
            ones = [coverage.reached(branch) for branch in part.branches.values()]
            line.reached += ones
            if len(ones) == 2:
                line.holds.append(not ones[0].never)
                line.fails.append(not ones[1].never)
    return lines
