"""The colours of charts: one for each seat, and those of everything else, in light and in dark mode.

A seat has the same hue as in the terminal, in two shades: one that is readable on a light background, and one on a dark
one. The shades of different seats also differ in lightness, and their lines in the pattern of dashes, so that they can
be distinguished without colour vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cli.render.palette import COLOUR_WORDS, OTHERS, palette
from dsl.lazy_dataclasses import dataclass

SHADES: Mapping[str, tuple[str, str]] = {
    "bright_red": ("#b8302a", "#f9554b"),
    "green3": ("#11a576", "#62c89e"),
    "dodger_blue1": ("#3567dd", "#5b8bff"),
    "gold1": ("#b9800c", "#ffe388"),
    "dark_goldenrod": ("#6f4518", "#c79254"),
    "bright_white": ("#878d98", "#f4f6fa"),
    "grey62": ("#24282f", "#878e9a"),
    "grey50": ("#6b7280", "#a9b0bb"),
    "dark_orange": ("#b26412", "#fe9902"),
    "medium_purple1": ("#533698", "#8d87f2"),
    "violet": ("#891cb3", "#d69bff"),
    "hot_pink": ("#b2557d", "#e573a4"),
    "cyan": ("#126f83", "#5cecf2"),
    "turquoise2": ("#00958a", "#43d9cb"),
    "dark_cyan": ("#00686f", "#38b3b3"),
    "magenta": ("#770a6e", "#c468ab"),
    "grey78": ("#7c838f", "#ced3da"),
    "gold3": ("#927200", "#dcbb3c"),
}
"""The shades of each style of a seat, on a light and on a dark background. They were found by a search for shades that
remain as distinct as possible to people with any form of dichromatic vision."""

DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2, 1, 2, 1, 2), (12, 4), (1, 3), (4, 4))
"""The dash patterns of the lines of the first seat, the second, and so on; the first is solid."""

ROLES: Mapping[str, tuple[str, str]] = {
    "page": ("#f6f5f1", "#0f1116"),
    "ground": ("#ffffff", "#16181e"),
    "letters": ("#1b1f27", "#dfe3ea"),
    "quiet": ("#545b68", "#a4acb9"),
    "grid": ("#e3e6eb", "#2b303a"),
    "rim": ("#c3c9d2", "#454c59"),
    "accent": ("#2c6e8f", "#7cc0de"),
    "warning": ("#b3261e", "#ff8a80"),
}
"""Colours that belong to no seat, on a light and on a dark background."""


@dataclass(frozen=True)
class Inks:
    """The colours of a chart: hexadecimal codes, or variables that the style sheet of a page defines.

    `marks` are the colours of seats and teams by name, `dashes` the dash patterns of their lines. `on_page`: the page
    shows the legend and the heading of the chart, and determines its width.
    """

    on_page: bool
    page: str
    ground: str
    letters: str
    quiet: str
    grid: str
    rim: str
    accent: str
    warning: str
    marks: Mapping[str, str]
    dashes: Mapping[str, tuple[int, ...]]


NO_NAMES: Mapping[str, str] = {}


def styles_of(sides: Sequence[str], seats: Sequence[str], names: Mapping[str, str] = NO_NAMES) -> dict[str, str]:
    """The style of each seat, and for each team a style that no seat has; `sides` has the display names of both.

    `names` are the display names of seats; their names in the rules determine their colours.
    """
    styles = shown_styles(seats, names)
    free = [style for style in (*OTHERS, *COLOUR_WORDS.values()) if style not in styles.values()] or list(OTHERS)
    teams = [side for side in sides if side not in styles]
    return styles | {team: free[number % len(free)] for number, team in enumerate(teams)}


def shown_styles(seats: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """The style of each seat, by its display name."""
    return {names.get(seat, seat): style for seat, style in palette([*seats]).styles.items()}


def light_inks(sides: Sequence[str], seats: Sequence[str], names: Mapping[str, str] = NO_NAMES) -> Inks:
    """The colours for a file that may be printed, on white."""
    marks = {side: SHADES[style][0] for side, style in styles_of(sides, seats, names).items()}
    return Inks(False, **{role: shades[0] for role, shades in ROLES.items()}, marks=marks, dashes=_dashes(marks))


def page_inks(sides: Sequence[str], seats: Sequence[str], names: Mapping[str, str] = NO_NAMES) -> Inks:
    """The colours for a page: variables, so that charts follow its light or dark mode without being redrawn."""
    marks = {side: f"var(--mark{number})" for number, side in enumerate(styles_of(sides, seats, names))}
    return Inks(True, **{role: f"var(--{role})" for role in ROLES}, marks=marks, dashes=_dashes(marks))


def style_sheet(sides: Sequence[str], seats: Sequence[str], names: Mapping[str, str] = NO_NAMES) -> str:
    """The variables that `page_inks` uses, in light mode and on screens in dark mode, and a class for each side."""
    styles = [*styles_of(sides, seats, names).values()]
    light, dark = (
        ";".join(
            [f"--{role}:{shades[mode]}" for role, shades in ROLES.items()]
            + [f"--mark{number}:{SHADES[style][mode]}" for number, style in enumerate(styles)]
        )
        for mode in (0, 1)
    )
    classes = "".join(f".mark{number}{{--mark:var(--mark{number})}}" for number in range(len(styles)))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{classes}\n"


def mark_class(inks: Inks, side: str) -> str:
    """The class that gives elements of a page the colour of a side; empty for anything else."""
    return f"mark{[*inks.marks].index(side)}" if side in inks.marks else ""


def _dashes(marks: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    return {side: DASHES[number % len(DASHES)] for number, side in enumerate(marks)}
