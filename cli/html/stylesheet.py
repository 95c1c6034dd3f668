"""Rich styles as classes of a page, each readable on a light and on a dark background."""

from __future__ import annotations

from collections.abc import Iterator

from rich.color import Color
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

Ground = tuple[int, int, int]
LIGHT: tuple[Ground, ...] = ((255, 255, 255), (255, 241, 194))
DARK: tuple[Ground, ...] = ((22, 24, 30), (66, 57, 26))
"""The backgrounds of text in light and in dark mode: the page itself, and the row of the current event."""
CONTRAST = 4.5
"""Minimum contrast ratio between text and background, as required by the accessibility guidelines."""
STEPS = 20


def sheet(styles: list[Style]) -> str:
    """The classes `s0`, `s1`, … of numbered styles."""
    light, dark, rules = [], [], []
    for number, style in enumerate(styles):
        declarations = list(_font(style))
        for name, colour in (("c", style.color), ("b", style.bgcolor)):
            if colour is not None and not colour.is_default:
                light.append(f"--{name}{number}:{_on(LIGHT, colour, name == 'c')}")
                dark.append(f"--{name}{number}:{_on(DARK, colour, name == 'c')}")
                declarations.append(f"{'color' if name == 'c' else 'background'}:var(--{name}{number})")
        if declarations:
            rules.append(f".s{number}{{{';'.join(declarations)}}}")
    grounds = f":root{{{';'.join(light)}}}\n@media (prefers-color-scheme:dark){{:root{{{';'.join(dark)}}}}}\n"
    return grounds + "\n".join(rules)


def _font(style: Style) -> Iterator[str]:
    if style.bold:
        yield "font-weight:bold"
    if style.italic:
        yield "font-style:italic"
    if style.underline:
        yield "text-decoration:underline"
    if style.reverse:
        yield "outline:1px solid currentColor"
    if style.dim and (style.color is None or style.color.is_default):
        yield "color:var(--quiet)"


def _on(grounds: tuple[Ground, ...], colour: Color, readable: bool) -> str:
    """Shift a colour towards black or white until text in it is readable on all these backgrounds."""
    red, green, blue = colour.get_truecolor(DEFAULT_TERMINAL_THEME)
    goal = 0 if _brightness(grounds[0]) > 0.5 else 255
    for step in range(STEPS + 1):
        mixed = tuple(round(part + (goal - part) * step / STEPS) for part in (red, green, blue))
        tried = (mixed[0], mixed[1], mixed[2])
        if not readable or all(_contrast(tried, ground) >= CONTRAST for ground in grounds):
            break
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _contrast(ground: Ground, letters: Ground) -> float:
    dark, bright = sorted((_brightness(ground), _brightness(letters)))
    return (bright + 0.05) / (dark + 0.05)


def _brightness(colour: Ground) -> float:
    """Relative luminance."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
