"""Contents of the panes other than rules and events: the table, changes, names and watched expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from cli.render.ending import head_words
from cli.render.pieces import Flow, Hanging
from cli.render.tables import draw_tables, legend_parts
from interpreter.play.trace.wording import sources

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Watch
    from interpreter.errors import UsageError
    from interpreter.play.trace import Difference
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.views.model import View
    from interpreter.wording.words import Words


def table(view: View, look: Palette, width: int) -> Iterator[RenderableType]:
    """The table at a snapshot, below a line with phase and turn."""
    words = look.words
    head = Text(head_words(view, words), style="bold")
    yield from Flow([head, *legend_parts(view.seats, look)] if head else legend_parts(view.seats, look), "").lines(
        width
    )
    yield draw_tables(view, look, width)


def changes(differences: Sequence[Difference], since: str, words: Words) -> Iterator[RenderableType]:
    """The values before and after, one line per place or note."""
    if not differences:
        unchanged = words.phrase("nothing changed since {position}", position=since)
        yield Text(unchanged if since else words.phrase("nothing yet; take a step"), style="dim")
        return
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", overflow="fold")
    grid.add_column(style="dim", overflow="fold")
    grid.add_column(style="green", overflow="fold")
    for difference in differences:
        grid.add_row(Text(difference.name), Text(difference.before or "-"), Text(f"→ {difference.after or '-'}"))
    yield grid


def values(
    names: Sequence[tuple[str, str]], watches: Sequence[Watch], words: Words
) -> Iterator[RenderableType]:  # fmt: skip
    """Watched expressions first, then the names in scope."""
    for watch in watches:
        head = Text.assemble((watch.text, "bold"), (" = " if not watch.wrong else ": ", "dim"))
        yield Hanging(Text("  "), head.append(watch.words, style="dim italic" if watch.wrong else ""))
    if watches and names:
        yield Text()
    for name, value in names:
        yield Hanging(Text("  "), Text.assemble((name, "cyan"), (" = ", "dim"), value))
    if not watches and not names:
        yield Text(words.phrase("no names in scope; w watches an expression"), style="dim")


def tree(explained: Explanation, depth: int = 0) -> Iterator[RenderableType]:
    """The explanation of a value as a tree; the typed expression itself has no location."""
    words = Text.assemble(explained.text, (" = ", "dim"), (explained.value, "bold" if depth == 0 else ""))
    if depth == 0 and explained.cites:
        words.append(f"   [{' '.join(explained.cites)}]", style="dim cyan")
    elif depth and explained.children and explained.location:
        words.append(f"   {sources(explained.location, explained.cites)}", style="dim cyan")
    yield Hanging(Text("  " * depth), words)
    for child in explained.children:
        yield from tree(child, depth + 1)


def wrong(fault: UsageError, words: Words) -> Text:
    """The reason why an expression has no value, with carets under the error."""
    diagnostics = getattr(fault, "diagnostics", ())
    if not diagnostics:
        return Text(words.message(fault), style="bright_red")
    text = Text()
    first = diagnostics[0]
    text.append(first.message, style="bright_red")
    for line in first.span.excerpt():
        text.append("\n").append(
            line.partition("|")[2], style="bright_red" if set(line.partition("|")[2].strip()) == {"^"} else ""
        )
    for help_ in first.helps:
        text.append(f"\n{help_}", style="dim")
    return text
