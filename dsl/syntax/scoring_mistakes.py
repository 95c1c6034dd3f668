"""Common mistakes in saying who wins: other words for winning and losing, assignments, names for the seat."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax.common_mistakes import NO_KEYWORD, UNEXPECTED, LineForm, first_of, line
from dsl.syntax.stop import Problem


def scoring_mistake(p: Problem) -> Diagnostic | None:
    """Report a line that says in other words who wins."""
    return first_of(SCORING_LINES, p)


def _of_the_seat(match: re.Match[str]) -> str:
    return f"winner {_of_me(match)}"


def _team_of_the_seat(match: re.Match[str]) -> str:
    return f"teams by {_of_me(match)}"


def _of_me(match: re.Match[str]) -> str:
    """The rest of the line with `me` for the name of the seat, if it has one."""
    return re.sub(rf"\b{match['p']}\b", "me", match["r"]) if match["p"] else match["r"]


def _begins_the_line(p: Problem) -> bool:
    return not p.line[:1].isspace()


SCORING_LINES: tuple[LineForm, ...] = (
    LineForm(
        line(r"winner\s*(?P<at>[=:])\s*(?P<r>(?:highest|lowest) .+)"), "E0105", UNEXPECTED, "winner {r}",
    ),
    LineForm(line(r"winner\s*(?P<at>[=:])\s*(?P<r>.+ is .+)"), "E0105", UNEXPECTED, "winner {r}"),
    LineForm(
        line(r"winner\s*(?P<at>[=:])\s*(?P<r>.+)"), "E0105", UNEXPECTED,
        help="write the condition on which a seat wins, `winner … is me`, or a number, `winner highest …`",
    ),
    LineForm(line(r"winner (?P<at>is) (?P<s>\w+)"), "E0105", UNEXPECTED, "winner {s} is me"),
    LineForm(line(r"winner (?P<at>(?:me )?(?:if|when|where)) (?P<r>.+)"), "E0105", UNEXPECTED, "winner {r}"),
    LineForm(
        line(r"winner (?:(?P<w>each|every|any) )?(?P<p>[a-z]\w*)(?: in \w+)? (?P<at>where|with|if) (?P<r>.+)"),
        "E0105", "the winner must be given by a condition on `me`", _of_the_seat,
    ),
    LineForm(
        line(r"winner (?P<a>.+?)(?P<at>,)\s*(?:then )?(?P<r>(?:highest|lowest) .+)"), "E0105",
        "criteria must be joined by `then`", "winner {a} then {r}", only_at_error=True,
    ),
    LineForm(line(r"(?P<at>losers?) highest (?P<r>.+)"), "E0112", NO_KEYWORD, "winner lowest {r}"),
    LineForm(line(r"(?P<at>losers?) lowest (?P<r>.+)"), "E0112", NO_KEYWORD, "winner highest {r}"),
    LineForm(line(r"(?P<at>losers?) (?P<s>\w+)"), "E0112", NO_KEYWORD, "winner {s} is not me"),
    LineForm(line(r"(?P<at>losers?) (?P<r>.+)"), "E0112", NO_KEYWORD, "winner not ({r})"),
    LineForm(
        line(r"(?P<at>(?:nobody|no one|no player) wins?|everyone loses|all lose) (?:if|when) (?P<r>.+)"), "E0112",
        NO_KEYWORD, "winner not ({r})",
    ),
    LineForm(
        line(r"(?P<at>(?:everyone|everybody|all|me) wins?) (?:if|when) (?P<r>.+)"), "E0112", NO_KEYWORD, "winner {r}",
    ),
    LineForm(
        line(r"(?P<at>draw|tie|stalemate)(?: if| when|:) (?P<r>.+)"), "E0112", NO_KEYWORD,
        help="equal seats share the win; nobody wins if no seat meets a condition: `winner not (…)`",
        fits=_begins_the_line,
    ),
    LineForm(
        line(r"(?P<at>teams?(?: (?:of|for|for each|by))?(?: (?P<p>[a-z]\w*))?)\s*:\s*(?P<r>.+)"), "E0112", NO_KEYWORD,
        _team_of_the_seat, fits=_begins_the_line,
    ),
    LineForm(
        line(r"(?P<at>team by|teams? (?:of|are)|teams?|partners) (?!by |are )(?P<r>[^,]+)"), "E0112", NO_KEYWORD,
        "teams by {r}", fits=_begins_the_line,
    ),
    LineForm(
        line(r"(?P<at>(?:teams?|partners)(?: are| of)?:?) (?P<r>\w+(?:, | and ).+)"), "E0112", NO_KEYWORD,
        help="name the teams in a type, define which one a seat belongs to, and write `teams by side(me)`",
        fits=_begins_the_line,
    ),
)  # fmt: skip
