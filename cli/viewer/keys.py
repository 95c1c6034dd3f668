"""The keys of the viewer and their actions, in the order of the help; footer and bindings are derived from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class Key:
    """A key, its display form, its action in the app, its text in the help and (if not empty) in the footer."""

    keys: str
    shown: str
    action: str
    told: str
    brief: str = ""

    @property
    def first(self) -> str:
        """The key as the footer shows it."""
        return self.shown.split(", ")[0]


GROUPS: tuple[tuple[str, tuple[Key, ...]], ...] = (
    (
        "one step",
        (
            Key("i,space", "i, space", "step('into')", "into: the next thing that happens", "into"),
            Key("o", "o", "step('over')", "over: past what stands in this", "over"),
            Key("u", "u", "step('out')", "out: past what this stands in", "out"),
            Key("minus,backspace", "-, Backspace", "step('back')", "back: the thing that happened before", "back"),
            Key("full_stop", ".", "step('next_decision')", "the next decision", "next"),
            Key("comma", ",", "step('previous_decision')", "the decision before", "previous"),
            Key("g", "g", "ask('decision')", "go to the decision with a number", "go to"),
            Key("home", "Home", "end(True)", "the beginning"),
            Key("end", "End", "end(False)", "the end"),
        ),
    ),
    (
        "run on to",
        (
            Key("slash", "/", "ask('words')", "an event with some words in it", "search"),
            Key("c", "c", "ask('change')", "a change of a place or note", "change"),
            Key("d", "d", "seat", "the next decision of a seat", "decision of"),
            Key("h", "h", "chance", "the next shuffle, roll or pick", "chance"),
            Key(
                "l",
                "l, L",
                "line(False)",
                "what stands on the line of the cursor, forward or back (in the rules: Enter)",
            ),
            Key("L", "", "line(True)", ""),
            Key("b", "b", "mark", "set a breakpoint on the line of the cursor, or take it away", "breakpoint"),
            Key("r", "r, R", "broken(False)", "the nearest breakpoint, forward or back", "run"),
            Key("R", "", "broken(True)", ""),
            Key("n", "n, N", "again(False)", "the same once more, forward or back"),
            Key("N", "", "again(True)", ""),
        ),
    ),
    (
        "values",
        (
            Key("e,equals_sign", "e, =", "ask('expression')", "what an expression is at this moment, and why", "value"),
            Key("w", "w", "ask('watch')", "keep an expression in sight", "watch"),
            Key("W", "W", "unwatch", "let one go"),
            Key("y", "y", "ask('why')", "why a move is legal or not at this moment"),
            Key("v", "v", "look_as", "show what another seat may see", "seat"),
        ),
    ),
    (
        "panes",
        (
            Key("1", "1 … 5", "pane(0)", "rules, events, table, changes, values"),
            *(Key(str(number), "", f"pane({number - 1})", "") for number in range(2, 6)),
            Key("tab", "Tab", "turn(1)", "the next pane"),
            Key("shift+tab", "", "turn(-1)", ""),
            Key("z", "z", "zoom", "this pane alone, and back"),
            Key("f", "f", "fold", "fold what stands in the event away, and back (in the events: ← → Enter)"),
        ),
    ),
    (
        "besides",
        (
            Key("question_mark", "?", "help", "this", "help"),
            Key("escape", "Esc", "escape", "stop a search; leave"),
            Key("q", "q", "leave", "leave", "leave"),
        ),
    ),
)
KEYS = tuple(key for _, keys in GROUPS for key in keys)
FOOTER = "?iou-,.r/cdhewbgvq"
"""Keys in the footer, the most important first; those that do not fit are omitted."""


def footer(width: int, without: frozenset[str] = frozenset()) -> Text:
    """The keys in one line, as many as fit; always including leave and help."""
    wanted = [key for shown in FOOTER for key in KEYS if key.first == shown and shown not in without]
    last, parts = wanted.pop(), []
    room = width - _entry(last).cell_len - 1
    for key in wanted:
        entry = _entry(key)
        if entry.cell_len + 1 > room:
            break
        parts.append(entry)
        room -= entry.cell_len + 1
    return Text(" ").join([*parts, _entry(last)])


def _entry(key: Key) -> Text:
    return Text.assemble((f" {key.first}", "bold bright_yellow"), f" {key.brief}")


def helped() -> Iterator[RenderableType]:
    """The help screen."""
    for heading, keys in GROUPS:
        yield Text(f" {heading}", style="bold")
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, min_width=10)
        for key in keys:
            if key.told:
                grid.add_row(Text(f"  {key.shown}", style="bold bright_yellow"), Text(key.told))
        yield grid
    yield Text()
    yield Text(" In the events ↑ ↓ go from row to row; in the rules they move the cursor.", style="dim")
