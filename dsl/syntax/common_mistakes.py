"""Common mistakes from other languages or plain English: the form of the whole line shows what is meant.

`common_mistakes.toml` lists them, each with an example. It is read when the first syntax error is explained.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from dsl.diagnostics import Diagnostic
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.build_tree import parse_number
from dsl.syntax.stop import Problem
from dsl.text.span import Span
from dsl.text.spelling import nearest

MISTAKES = Path(__file__).with_name("common_mistakes.toml")
_COMMENT = re.compile(r'^(?P<code>(?:"[^"]*"|[^"#])*?)[ \t]*(?:[ \t]\[[A-Z]{1,4}-[^\]]*\][ \t]*)?(?:#.*)?$')
_BEFORE_STATEMENT = re.compile(r'(?:if|else|for each|each player|step|when)\b(?:"[^"]*"|[^":])*:[ \t]+(?=\S)')
"""What precedes a statement in its line: `if deck is empty: subtract 1 from score[me]`."""
_TYPED = re.compile(r"(\w+): ?([A-Z]\w*)")
NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
"""Numbers in words."""


@dataclass(frozen=True)
class Mistake:
    """A form of a line, and how it is reported: the fields are described in the file.

    The corrected line is `new`, with the groups of the pattern in braces, or what `rewrite` gives. Without either only
    `help` says what to do.
    """

    pattern: str
    code: str
    message: str
    new: str = ""
    rewrite: str = ""
    help: str = ""
    expected: frozenset[str] = frozenset()
    not_expected: frozenset[str] = frozenset()
    only_expected: frozenset[str] = frozenset()
    found: tuple[str, ...] = ()
    when: str = ""
    at_error: bool = False
    example: str = ""
    becomes: str = ""

    def match(self, line: str) -> re.Match[str] | None:
        """The whole line in this form, if it is."""
        return _compiled(self.pattern).fullmatch(line)

    def correction(self, match: re.Match[str]) -> str | None:
        """The corrected line; empty or None if there is none."""
        return REWRITES[self.rewrite](match) if self.rewrite else self.new.format(**_groups(match))

    def fits(self, p: Problem) -> bool:
        """Whether what was expected and found where parsing stopped is as it is with this mistake."""
        return (
            (not self.expected or not self.expected.isdisjoint(p.expected))
            and self.not_expected.isdisjoint(p.expected)
            and (not self.only_expected or self.only_expected == p.expected)
            and (not self.found or p.found_text in self.found)
            and (not self.when or CONDITIONS[self.when](p))
        )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def common_mistakes() -> tuple[Mistake, ...]:
    """All of them, in the order in which they are tried."""
    document = tomllib.loads(MISTAKES.read_text("utf-8"))
    fragments, messages = document["fragments"], document["messages"]

    def read() -> Iterator[Mistake]:
        for entry in document["mistakes"]:
            pattern = re.sub(r"<([A-Z]+)>", lambda match: fragments[match[1]], entry["pattern"])
            terminals = {name: frozenset(entry.get(name, ())) for name in ("expected", "not_expected", "only_expected")}
            message = entry.get("message") or messages[entry["code"]]
            found = tuple(entry.get("found", ()))
            yield Mistake(**{**entry, **terminals, "pattern": pattern, "message": message, "found": found})

    return tuple(read())


def common_mistake(p: Problem) -> Diagnostic | None:
    """Report a line written as in other languages or plain English."""
    if p.alone or p.is_long:
        return None
    start = p.line_start + len(p.line) - len(p.line.lstrip(" \t"))
    comment = _COMMENT.match(p.line.strip(" \t"))
    code = comment["code"] if comment else p.line.strip(" \t")
    prefix = _BEFORE_STATEMENT.match(code)
    parts = [(code, start)]
    if prefix is not None and start + prefix.end() <= p.end:
        parts.append((code[prefix.end() :], start + prefix.end()))
    for part, begin in parts:
        for mistake in common_mistakes():
            match = mistake.match(part)
            stopped = match and (not mistake.at_error or match.start("at") <= p.start - begin <= match.end("at"))
            if match and stopped and mistake.fits(p):
                return _report(p, mistake, match, begin)
    return None


def _groups(match: re.Match[str]) -> Mapping[str, str]:
    return {name: text or "" for name, text in match.groupdict().items()}


def _report(p: Problem, mistake: Mistake, match: re.Match[str], start: int) -> Diagnostic:
    groups, new = _groups(match), mistake.correction(match)
    first = re.match(r"\w+|.", match.group())
    part = match.span("at") if groups.get("at") else (0, first.end() if first else 1)
    helps = [mistake.help.format(**groups)] if mistake.help else []
    if new and "\n" not in new:
        helps.insert(0, f"write `{new}`")
    at = Span(p.source, start + part[0], start + part[1])
    replacement = p.put(new, start, start + match.end()) if new else None
    return p.error(mistake.code, mistake.message.format(**groups), *helps, at=at, new=replacement)


# ---------------------------------------------------------------- corrections that are more than the groups


def _negative(amount: str) -> str:
    return f"-{amount}" if re.fullmatch(r"\w+(?:\[[^\]]*\])*", amount) else f"-({amount})"


def _less(match: re.Match[str]) -> str:
    return f"add {_negative(match['v'])} to {match['t']}"


def _faces(match: re.Match[str]) -> str | None:
    low, high = parse_number(match["low"]), parse_number(match["high"])
    if not low < high <= low + 20:
        return None
    return f"{match['a']}{', '.join(map(str, range(low, high + 1)))}"


def _seats(match: re.Match[str]) -> str:
    return f"{match['a']} {', '.join(re.split('[ ,]+', match['v']))}"


def _number(match: re.Match[str]) -> str:
    return f"{match['a']}{NUMBER_WORDS[match['at']]}{match['r']}"


def _typed(match: re.Match[str]) -> str:
    pairs = " with ".join(f"{name} in {kind}" for name, kind in _TYPED.findall(match["v"]))
    return f"{match['a']}{pairs}{match['r']}"


def _of_the_seat(match: re.Match[str]) -> str:
    return f"winner {_of_me(match)}"


def _team_of_the_seat(match: re.Match[str]) -> str:
    return f"teams by {_of_me(match)}"


def _of_me(match: re.Match[str]) -> str:
    """The rest of the line with `me` for the name of the seat, if it has one."""
    return re.sub(rf"\b{match['p']}\b", "me", match["r"]) if match["p"] else match["r"]


def _bound(match: re.Match[str], name: str) -> str:
    bound = match[name]
    return bound if bound.isdigit() or bound.startswith("(") else f"({bound})"


def _bounds(match: re.Match[str]) -> str:
    return f"{match['a']}{_bound(match, 'low')} to {_bound(match, 'high')} {match['r']}"


def _neighbours(match: re.Match[str]) -> str | None:
    low, high = match["low"], match["high"]
    beside = low.isdigit() and high.isdigit() and parse_number(high) == parse_number(low) + 1
    return _bounds(match) if beside else None


def _upper_bound(match: re.Match[str]) -> str:
    return f"{match['a']}up to {_bound(match, 'high')} {match['r']}"


def _written_out(match: re.Match[str]) -> str:
    return f"{match['a']}{NUMBER_WORDS[match['at']]} {match['r']}"


def _alternatives(match: re.Match[str]) -> str:
    return f"{match['a']} {match['v'].replace(', ', ' or ')} {match['r']}"


REWRITES: Mapping[str, Callable[[re.Match[str]], str | None]] = {
    "less": _less, "faces": _faces, "seats": _seats, "number": _number,
    "typed": _typed, "of_the_seat": _of_the_seat, "team_of_the_seat": _team_of_the_seat, "bounds": _bounds,
    "neighbours": _neighbours, "upper_bound": _upper_bound, "written_out": _written_out, "alternatives": _alternatives,
}  # fmt: skip
"""The functions that give corrected lines."""


# ---------------------------------------------------------------- conditions on where parsing stopped


def _at_this_word(p: Problem) -> bool:
    """True if parsing stopped at the first two words after a colon, or of the line."""
    return len(re.split(r"[:\s]\s*", p.line_before.rpartition(":")[2].strip())) <= 1


def _values_expected(p: Problem) -> bool:
    return "INT" in p.expected and not p.line_before.strip()


def _is_only_a_name(p: Problem) -> bool:
    alone = p.found_text == ":" and p.line_before.strip() == p.first_word and bool(p.expected & {"LPAR", "_NL"})
    return alone and not nearest(p.first_word, ("else",))


def _after_else(p: Problem) -> bool:
    return p.line_before.strip() == "else" and not p.found_text[:1].isupper()


CONDITIONS: Mapping[str, Callable[[Problem], bool]] = {
    "at_this_word": _at_this_word, "values_expected": _values_expected, "is_only_a_name": _is_only_a_name,
    "after_else": _after_else, "at_line_end": lambda p: p.at_line_end, "at_a_name": lambda p: p.kind == "NAME",
    "begins_the_line": lambda p: not p.line[:1].isspace(),
}  # fmt: skip
"""Whether parsing stopped at such a place."""
