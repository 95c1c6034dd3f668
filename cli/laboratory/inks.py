"""The colours of charts: one for each seat, and those of everything else, in light and in dark mode.

A seat has the hue it has in the terminal, in two shades of which one is readable on each ground. Shades of different
seats differ in lightness as well, and lines in their dashes, so that they can be told apart without seeing hues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cli.render.palette import COLOUR_WORDS, OTHERS, palette

SHADES: Mapping[str, tuple[str, str]] = {
    "bright_red": ("#c22a22", "#ff7468"),
    "green3": ("#138a4e", "#4cc38a"),
    "dodger_blue1": ("#1d5fc4", "#7ab5ff"),
    "gold1": ("#b07d00", "#ffd45c"),
    "dark_goldenrod": ("#6f4518", "#c79254"),
    "bright_white": ("#878d98", "#f4f6fa"),
    "grey62": ("#24282f", "#878e9a"),
    "grey50": ("#6b7280", "#a9b0bb"),
    "dark_orange": ("#d06300", "#ff9f43"),
    "medium_purple1": ("#6a45bd", "#b79bff"),
    "violet": ("#a04bb8", "#eba3f7"),
    "hot_pink": ("#d63384", "#ff8dc3"),
    "cyan": ("#0092a8", "#5fe0ee"),
    "turquoise2": ("#00958a", "#43d9cb"),
    "dark_cyan": ("#00686f", "#38b3b3"),
    "magenta": ("#96117f", "#f777e4"),
    "grey78": ("#7c838f", "#ced3da"),
    "gold3": ("#927200", "#dcbb3c"),
}
"""The shades of each style of a seat, on a light and on a dark ground."""

DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2, 1, 2, 1, 2), (12, 4), (1, 3), (4, 4))
"""Dashes of the lines of the first seat, the second, and so on; the first is solid."""

ROLES: Mapping[str, tuple[str, str]] = {
    "ground": ("#ffffff", "#16181e"),
    "letters": ("#1b1f27", "#dfe3ea"),
    "quiet": ("#545b68", "#a4acb9"),
    "grid": ("#e3e6eb", "#2b303a"),
    "rim": ("#c3c9d2", "#454c59"),
    "accent": ("#2c6e8f", "#7cc0de"),
    "warning": ("#b3261e", "#ff8a80"),
}
"""Colours that belong to no seat, on a light and on a dark ground."""

NOBODY = "grey50"


@dataclass(frozen=True)
class Inks:
    """Colours as charts name them: numbers, or variables that the style sheet of a page defines.

    `marks` are the colours of the seats and teams by name, `dashes` those of their lines. `on_page`: the page has the
    legend and the heading of a chart, and decides how wide it is.
    """

    on_page: bool
    ground: str
    letters: str
    quiet: str
    grid: str
    rim: str
    accent: str
    warning: str
    marks: Mapping[str, str]
    dashes: Mapping[str, tuple[int, ...]]


def styles_of(sides: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """The style of each seat and, with those that no seat has, of each team; `sides` has both."""
    styles = dict(palette(seats).styles)
    free = [style for style in (*OTHERS, *COLOUR_WORDS.values()) if style not in styles.values()] or list(OTHERS)
    teams = [side for side in sides if side not in styles]
    return styles | {team: free[number % len(free)] for number, team in enumerate(teams)}


def light_inks(sides: Sequence[str], seats: Sequence[str]) -> Inks:
    """The colours for a file that may be printed: on white."""
    marks = {side: SHADES[style][0] for side, style in styles_of(sides, seats).items()}
    return Inks(False, **{role: shades[0] for role, shades in ROLES.items()}, marks=marks, dashes=_dashes(marks))


def page_inks(sides: Sequence[str], seats: Sequence[str]) -> Inks:
    """The colours for a page: variables, so that charts follow the page from light to dark without being redrawn."""
    marks = {side: f"var(--mark{number})" for number, side in enumerate(styles_of(sides, seats))}
    return Inks(True, **{role: f"var(--{role})" for role in ROLES}, marks=marks, dashes=_dashes(marks))


def variables(sides: Sequence[str], seats: Sequence[str], dark: bool) -> str:
    """The declarations of the variables that `page_inks` uses."""
    found = {f"--{role}": shades[dark] for role, shades in ROLES.items()}
    styles = styles_of(sides, seats).values()
    found |= {f"--mark{number}": SHADES[style][dark] for number, style in enumerate(styles)}
    return "".join(f"{name}:{colour};" for name, colour in found.items())


def _dashes(marks: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    return {side: DASHES[number % len(DASHES)] for number, side in enumerate(marks)}
