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
    text: str
    brief: str = ""

    @property
    def first(self) -> str:
        """The key as the footer shows it."""
        return self.shown.split(", ")[0]


GROUPS: tuple[tuple[str, tuple[Key, ...]], ...] = (
    (
        "step",
        (
            Key("i,space", "i, space", "step('into')", "into: the next event", "into"),
            Key("o", "o", "step('over')", "over: skip the events nested in this one", "over"),
            Key("u", "u", "step('out')", "out: leave the enclosing event", "out"),
            Key("minus,backspace", "-, Backspace", "step('back')", "back: the previous event", "back"),
            Key("full_stop", ".", "step('next_decision')", "the next decision", "next"),
            Key("comma", ",", "step('previous_decision')", "the previous decision", "previous"),
            Key("g", "g", "ask('decision')", "go to a decision by number", "go to"),
            Key("m", "m", "costly", "go to one of the costliest decisions", "costly"),
            Key("home", "Home", "end(True)", "the beginning"),
            Key("end", "End", "end(False)", "the end"),
        ),
    ),
    (
        "run to",
        (
            Key("slash", "/", "ask('words')", "an event that contains some text", "search"),
            Key("c", "c", "ask('change')", "a change of a place or note", "change"),
            Key("d", "d", "seat", "the next decision of a seat", "decision of"),
            Key("h", "h", "chance", "the next shuffle, roll or pick", "chance"),
            Key(
                "l",
                "l, L",
                "line(False)",
                "an event on the cursor's line, forward or back (in the rules: Enter)",
            ),
            Key("L", "", "line(True)", ""),
            Key("t", "t", "ask('until')", "an event at which a condition is true", "until"),
            Key("x", "x", "ask('altered')", "an event at which an expression has a different value than here"),
            Key("b", "b", "mark", "set or clear a breakpoint on the cursor's line", "breakpoint"),
            Key("B", "B", "ask('breakpoint')", "set a breakpoint that counts only while a condition is true"),
            Key("r", "r, R", "broken(False)", "the nearest breakpoint, forward or back", "run"),
            Key("R", "", "broken(True)", ""),
            Key("n", "n, N", "again(False)", "repeat the last search, forward or back"),
            Key("N", "", "again(True)", ""),
        ),
    ),
    (
        "values",
        (
            Key(
                "e,equals_sign",
                "e, =",
                "ask('expression')",
                "evaluate an expression here, and explain its value",
                "value",
            ),
            Key("w", "w", "ask('watch')", "watch an expression", "watch"),
            Key("W", "W", "unwatch", "stop watching one"),
            Key("y", "y", "ask('why')", "explain why a move is legal or not here"),
            Key("v", "v", "look_as", "view the game as a different seat", "seat"),
        ),
    ),
    (
        "panes",
        (
            Key("1", "1 … 7", "pane(0)", "rules, events, table, changes, values, knowledge, analysis"),
            *(Key(str(number), "", f"pane({number - 1})", "") for number in range(2, 8)),
            Key("tab", "Tab", "turn(1)", "the next pane"),
            Key("shift+tab", "", "turn(-1)", ""),
            Key("z", "z", "zoom", "show this pane alone, or all"),
            Key("f", "f", "fold", "fold or unfold the event (in the events: ← → Enter)"),
        ),
    ),
    (
        "other",
        (
            Key("question_mark", "?", "help", "this help", "help"),
            Key("s", "s", "branch", "branch: a new save that continues after this decision", "branch"),
            Key("escape", "Esc", "escape", "stop a search, close a question, show all panes again"),
            Key("q", "q", "leave", "leave", "leave"),
        ),
    ),
)
KEYS = tuple(key for _, keys in GROUPS for key in keys)
FOOTER = "?iou-,.r/cdhewbgvtmsq"
"""Keys in the footer, the most important first; those that do not fit are omitted."""


def footer(width: int, without: frozenset[str] = frozenset()) -> Text:
    """The keys in one line, as many as fit; always including leave and help."""
    keys = [key for shown in FOOTER for key in KEYS if key.first == shown and shown not in without]
    last, parts = keys.pop(), []
    room = width - _entry(last).cell_len - 1
    for key in keys:
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
            if key.text:
                grid.add_row(Text(f"  {key.shown}", style="bold bright_yellow"), Text(key.text))
        yield grid
    yield Text()
    yield Text(" In the events ↑ ↓ go from row to row; in the rules they move the cursor.", style="dim")
