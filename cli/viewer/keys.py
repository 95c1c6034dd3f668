"""The keys of the viewer and their actions, in the order of the help; footer and bindings are derived from them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.lazy_dataclasses import dataclass
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words


@dataclass(frozen=True)
class Key:
    """A key, its display form, its action in the app, its text in the help and (if not empty) in the footer."""

    keys: str
    label: str
    action: str
    text: str
    brief: str = ""

    @property
    def first(self) -> str:
        """The key as the footer shows it."""
        return self.label.split(", ")[0]


GROUPS: tuple[tuple[Phrase, tuple[Key, ...]], ...] = (
    (
        Phrase("step"),
        (
            Key("i,space", Phrase("i, space"), "step('into')", Phrase("into: the next event"), Phrase("into")),
            Key("o", "o", "step('over')", Phrase("over: skip the events nested in this one"), Phrase("over")),
            Key("u", "u", "step('out')", Phrase("out: leave the enclosing event"), Phrase("out")),
            Key(
                "minus,backspace",
                Phrase("-, Backspace"),
                "step('back')",
                Phrase("back: the previous event"),
                Phrase("back"),
            ),
            Key("full_stop", ".", "step('next_decision')", Phrase("the next decision"), Phrase("next")),
            Key("comma", ",", "step('previous_decision')", Phrase("the previous decision"), Phrase("previous")),
            Key("g", "g", "ask('decision')", Phrase("go to a decision by number"), Phrase("go to")),
            Key("m", "m", "costly", Phrase("go to one of the costliest decisions"), Phrase("costly")),
            Key("home", Phrase("Home"), "end(True)", Phrase("the beginning")),
            Key("end", Phrase("End"), "end(False)", Phrase("the end")),
        ),
    ),
    (
        Phrase("run to"),
        (
            Key("slash", "/", "ask('words')", Phrase("an event that contains some text"), Phrase("search")),
            Key("c", "c", "ask('change')", Phrase("a change of a place or note"), Phrase("change")),
            Key("d", "d", "seat", Phrase("the next decision of a seat"), Phrase("decision of")),
            Key("h", "h", "chance", Phrase("the next shuffle, roll or pick"), Phrase("chance")),
            Key(
                "l",
                "l, L",
                "line(False)",
                Phrase("an event on the cursor's line, forward or back (in the rules: Enter)"),
            ),
            Key("L", "", "line(True)", ""),
            Key("t", "t", "ask('until')", Phrase("an event at which a condition is true"), Phrase("until")),
            Key("x", "x", "ask('altered')", Phrase("an event at which an expression has a different value than here")),
            Key("b", "b", "mark", Phrase("set or clear a breakpoint on the cursor's line"), Phrase("breakpoint")),
            Key("B", "B", "ask('breakpoint')", Phrase("set a breakpoint that counts only while a condition is true")),
            Key("r", "r, R", "broken(False)", Phrase("the nearest breakpoint, forward or back"), Phrase("run")),
            Key("R", "", "broken(True)", ""),
            Key("n", "n, N", "again(False)", Phrase("repeat the last search, forward or back")),
            Key("N", "", "again(True)", ""),
        ),
    ),
    (
        Phrase("values"),
        (
            Key(
                "e,equals_sign",
                "e, =",
                "ask('expression')",
                Phrase("evaluate an expression here, and explain its value"),
                Phrase("value"),
            ),
            Key("w", "w", "ask('watch')", Phrase("watch an expression"), Phrase("watch")),
            Key("W", "W", "unwatch", Phrase("stop watching one")),
            Key("y", "y", "ask('why')", Phrase("explain why a move is legal or not here")),
            Key("v", "v", "look_as", Phrase("view the game as a different seat"), Phrase("seat")),
        ),
    ),
    (
        Phrase("panes"),
        (
            Key("1", "1 … 7", "pane(0)", Phrase("rules, events, table, changes, values, knowledge, analysis")),
            *(Key(str(number), "", f"pane({number - 1})", "") for number in range(2, 8)),
            Key("tab", Phrase("Tab"), "turn(1)", Phrase("the next pane")),
            Key("shift+tab", "", "turn(-1)", ""),
            Key("z", "z", "zoom", Phrase("show this pane alone, or all")),
            Key("f", "f", "fold", Phrase("fold or unfold the event (in the events: ← → Enter)")),
        ),
    ),
    (
        Phrase("other"),
        (
            Key("question_mark", "?", "help", Phrase("this help"), Phrase("help")),
            Key("s", "s", "branch", Phrase("branch: a new save that continues after this decision"), Phrase("branch")),
            Key("P", "P", "copy_example", Phrase("copy the position after this decision as an example")),
            Key("escape", Phrase("Esc"), "escape", Phrase("stop a search, close a question, show all panes again")),
            Key("q", "q", "leave", Phrase("leave"), Phrase("leave")),
        ),
    ),
)
KEYS = tuple(key for _, keys in GROUPS for key in keys)
FOOTER = "?iou-,.r/cdhewbgvtmsq"
"""Keys in the footer, the most important first; those that do not fit are omitted."""


def footer(width: int, words: Words, without: frozenset[str] = frozenset()) -> Text:
    """The keys in one line, as many as fit; always including leave and help."""
    keys = [key for first_key in FOOTER for key in KEYS if key.first == first_key and first_key not in without]
    last, parts = keys.pop(), []
    room = width - _entry(last, words).cell_len - 1
    for key in keys:
        entry = _entry(key, words)
        if entry.cell_len + 1 > room:
            break
        parts.append(entry)
        room -= entry.cell_len + 1
    return Text(" ").join([*parts, _entry(last, words)])


def _entry(key: Key, words: Words) -> Text:
    return Text.assemble((f" {key.first}", "bold bright_yellow"), f" {words.phrase(key.brief)}")


def helped(words: Words) -> Iterator[RenderableType]:
    """The help screen."""
    for heading, keys in GROUPS:
        yield Text(f" {words.phrase(heading)}", style="bold")
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, min_width=10)
        for key in keys:
            if key.text:
                # the key `y` is no phrase, unlike the `y` that answers yes
                keys_shown = words.phrase(key.label) if isinstance(key.label, Phrase) else key.label
                grid.add_row(Text(f"  {keys_shown}", style="bold bright_yellow"), Text(words.phrase(key.text)))
        yield grid
    yield Text()
    arrows = words.phrase("In the events ↑ ↓ go from row to row; in the rules they move the cursor.")
    yield Text(f" {arrows}", style="dim")
