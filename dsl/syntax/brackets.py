"""Expressions that extend too far, or are not allowed without brackets.

Whether brackets help is found by trial: the line is parsed again with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import get_args

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import terminals
from dsl.syntax.layout import LayoutError
from dsl.syntax.parser import Unexpected, expression_tree
from dsl.syntax.segments import could_be_read, unit_start
from dsl.syntax.stop import Problem

_TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|[<>]=|[^\s\w]')
_COMMENT = re.compile(r'^(?:"[^"\n]*"|[^"#\n])*?(?=[ \t]*(?:[ \t]\[[A-Z]{1,4}-[^\]\n]*\])?[ \t]*(?:#|$))')
_NUMBERS = (*get_args(ast.AggregateFunction), "count", "the")
_TRUTHS = ("some", "no")
_CHOICE = "a choice between two values must be in brackets"
_AFTER_VALUE = frozenset({"+", "-", "*", "&", "<", ">", "<=", ">=", ":", ",", ")", "]", "}"})
MAX_TRIES = 40
MAX_PARSED_CHARACTERS = 20_000
"""Limits on how often brackets are tried, and on how many characters are parsed for it."""

MAX_QUOTE_LENGTH = 40
"""Maximum length of a part that is quoted in full in the message."""

MAX_QUOTED_LINE = 100
"""Maximum length of a corrected line that is quoted in full."""


def needs_brackets(p: Problem) -> Diagnostic | None:
    """Report the part that needs brackets, if nothing else keeps the line from being parsed."""
    size = p.line_end - (p.begin if p.alone else unit_start(p.text, p.begin, p.line_start))
    for start, end, bracketed in islice(_candidates(p), min(MAX_TRIES, MAX_PARSED_CHARACTERS // max(size, 1))):
        line = f"{p.text[p.line_start : start]}{bracketed}{p.text[end : p.line_end]}"
        if can_be_read(p, line):
            return _report(p, start, end, bracketed, line)
    if p.kind == "_IF" and re.search(r"\belse\b", p.text[p.end : p.line_end].split("#")[0]):
        return p.error("E0130", _CHOICE, "write `(… if … else …)`; there is another mistake in this line")
    return None


def _report(p: Problem, start: int, end: int, bracketed: str, line: str) -> Diagnostic:
    part = p.text[start:end]
    first = part.split()[0]
    short = part if len(part) <= MAX_QUOTE_LENGTH else f"{first} …"
    comment = _COMMENT.match(line)
    rewritten = bracketed if p.alone else (comment.group() if comment else line).strip()
    choice = first not in (*_NUMBERS, *_TRUTHS)
    form = "(… if … else …)" if choice else f"({short})"
    quoted = next((text for text in (rewritten, bracketed) if len(text) <= MAX_QUOTED_LINE), form)
    return p.error(
        "E0130",
        _CHOICE if choice else f"missing brackets around `{short}`",
        f"write `{quoted}`",
        *["without them, what follows `in`, `for` or `where` extends as far right as it can"] * (not choice),
        at=p.span(start, end), new=p.put(bracketed, start, end),
    )  # fmt: skip


def can_be_read(p: Problem, line: str) -> bool:
    """True if nothing is wrong with what is read once this stands in place of its line."""
    if not p.alone:
        return could_be_read(p.text, p.begin, p.line_start, line)
    first = max(p.begin, p.line_start)
    text = f"{p.text[p.begin : first]}{line[first - p.line_start :]}{p.text[p.line_end : p.limit]}"
    try:
        expression_tree(text)
    except (Unexpected, LayoutError):
        return False
    return True


def _candidates(p: Problem) -> Iterator[tuple[int, int, str]]:
    """Candidate parts of the line, and each with the brackets it may need, likeliest first."""
    tokens = list(_TOKEN.finditer(p.text, max(p.line_start, p.begin if p.alone else 0), p.line_end))
    comment = next((match.start() for match in tokens if match.group() == "#"), p.line_end)
    tokens = [match for match in tokens if match.start() < comment]
    indices = [index for index, match in enumerate(tokens) if match.start() <= p.start]
    for opened in _quantifiers(tokens, indices):
        start, ends = tokens[opened].start(), _ends(tokens, opened)
        stopped = [end for end in ends if end <= p.start and p.text[end : p.start].strip() == ""]
        for end in (*stopped, *(end for end in reversed(ends) if end not in stopped)):
            yield start, end, f"({p.text[start:end]})"
    for opened in _choices(tokens, indices):
        start = tokens[opened].start()
        for end in reversed(_ends(tokens, opened)):
            bracketed = _nested(p.text, tokens[opened:], end)
            if bracketed is not None:
                yield start, end, bracketed


def _quantifiers(tokens: list[re.Match[str]], indices: list[int]) -> Iterator[int]:
    """Candidate starts of a quantifier: numbers before conditions, nearest first."""
    for kinds in (_NUMBERS, _TRUTHS):
        for index in reversed(indices):
            if tokens[index].group() in kinds and (index == 0 or tokens[index - 1].group() != "."):
                yield index


def _choices(tokens: list[re.Match[str]], indices: list[int]) -> Iterator[int]:
    """Candidate starts of a choice, at its first value: leftmost first, but those in brackets of their own last."""
    choice = next((index for index in reversed(indices) if tokens[index].group() == "if" and index > 0), None)
    if choice is not None and any(match.group() == "else" for match in tokens[choice:]):
        for index in range(choice):
            last = tokens[index - 1].group()
            if index == 0 or last in terminals.keywords() or last in (",", "=", ":", "["):
                yield index
        yield from (index for index in range(1, choice) if tokens[index - 1].group() == "(")


def _nested(text: str, tokens: list[re.Match[str]], end: int) -> str | None:
    """The choice from the first token to `end` in brackets; None if it is none.

    In a chain, each further choice is the last value of the one before, as in other languages: `a if p else b if q
    else c` becomes `(a if p else (b if q else c))`. Brackets around the first choice would mean something else.
    """
    start = tokens[0].start()
    parts: list[re.Match[str]] = []
    depth = 0
    for match in tokens:
        if match.start() >= end:
            break
        token = match.group()
        depth += (token in "([{") - (token in ")]}")
        if depth == 0 and token in ("if", "else"):
            parts.append(match)
    if not parts or [match.group() for match in parts] != ["if", "else"] * (len(parts) // 2):
        return None
    written, reached = "(", start
    for further in parts[1:-1:2]:
        written += f"{text[reached : further.end()]} ("
        reached = further.end() + len(text[further.end() : end]) - len(text[further.end() : end].lstrip())
    return f"{written}{text[reached:end]}{')' * (len(parts) // 2)}"


def _ends(tokens: list[re.Match[str]], opened: int) -> list[int]:
    """Candidate ends of a value that begins at a token: before a keyword or a sign that cannot continue it."""
    ends: list[int] = []
    depth = 0
    for index in range(opened + 1, len(tokens)):
        token = tokens[index].group()
        if depth == 0 and (token in _AFTER_VALUE or token in terminals.keywords()):
            ends.append(tokens[index - 1].end())
        depth += (token in "([{") - (token in ")]}")
        if depth < 0:
            return ends
    return [*ends, tokens[-1].end()]
