"""The arrangement of panes that fits a screen, and the lines that its parts take."""

from __future__ import annotations

from enum import Enum


class Arrangement(Enum):
    """Arrangement of panes on the screen; each value, after a hyphen, is a class in `fullscreen.tcss`.

    Side by side, the log is below the tables if the board takes the whole height (`TALL`), else below the board.
    """

    NONE = "none"
    ONE = "one"
    SIDE = "side"
    TALL = "tall"


MIN_SCREEN = (60, 16)
"""Minimum columns and lines for playing in full screen."""
MIN_WIDE_SCREEN = (110, 28)
"""Minimum columns and lines for panes side by side."""
CANDIDATE_LINES, CANDIDATES_SHARE = 6, 6
"""Candidates may take 6 lines, or a sixth of a taller screen, so that the board stays visible."""
TABLES_SHARE, TABLES_ENOUGH_COLUMNS, TABLES_MOST_SHARE = 0.36, 62, 0.4
"""The share of the columns that tables get beside the board, the columns above which they get only what they need, and
the share of the columns that they never exceed."""
MIN_LOG_LINES = 6
"""Minimum lines of the log below the board."""
OWN_SHARE = 8
"""One's own hand may take an eighth of the lines."""
TYPICAL_CANDIDATE_LINES = 2
"""Lines of candidates of a typical question."""
NEWS_LINES = 2
"""The number of log lines shown below the panes if one pane is shown at a time."""


def arranged(columns: int, lines: int) -> Arrangement:
    """Choose the arrangement for a screen, regardless of the height of the board."""
    if columns < MIN_SCREEN[0] or lines < MIN_SCREEN[1]:
        return Arrangement.NONE
    return Arrangement.SIDE if columns >= MIN_WIDE_SCREEN[0] and lines >= MIN_WIDE_SCREEN[1] else Arrangement.ONE


def most_lines(lines: int) -> int:
    """The maximum number of lines for the candidates of a question, given the lines of the screen."""
    return max(CANDIDATE_LINES, lines // CANDIDATES_SHARE)


def most_own_lines(lines: int) -> int:
    """The maximum number of lines for what only the person at the keyboard sees."""
    return max(2, lines // OWN_SHARE)


def columns_of_tables(columns: int, needed: int) -> int:
    """The columns of the tables beside the board; with those `needed` none is broken into lines."""
    return max(min(TABLES_ENOUGH_COLUMNS, int(columns * TABLES_SHARE)), min(needed, int(columns * TABLES_MOST_SHARE)))


def lines_of_board(arrangement: Arrangement, lines: int, own_lines: int) -> int:
    """The lines that the board pane has at least; if it is alone, those it has at a typical question.

    It is the same for all questions, so that the board has one size throughout a game. `own` are the lines of what only
    the person at the keyboard sees.
    """
    around = 2 + 3 + 1 + own_lines  # title and keys; border, label and input of the question; border of the pane
    if arrangement is Arrangement.ONE:
        return max(1, lines - around - TYPICAL_CANDIDATE_LINES - NEWS_LINES)
    return max(1, lines - around - most_lines(lines))
