"""Division as it is written in other languages or plain English, and division that is not rounded."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax.stop import Problem

_OPERAND = r"(?:\d+|[A-Za-z_][\w.]*(?:\[[^\[\]]*\]|\([^()]*\))*|\([^()]*\))"
_DOWN = r"//|\bdiv\b"
_LEFT = r"%|\b(?:mod|modulo|rem)\b"
_BARE = r"\bdivided[ \t]+by\b|÷"
_OPERATION = re.compile(
    rf"(?P<one>{_OPERAND})[ \t]*(?P<sign>{_DOWN}|{_LEFT}|{_BARE})[ \t]*(?P<other>-?{_OPERAND})(?!\w)"
    r"(?![ \t]+(?!(?:and|or|is|to|if|else|where|because|while|times|otherwise|from)\b)\w)"  # it may be a comment
)
_DIVISION = re.compile(rf"(?P<factor>[*/]|\bcount\b|)[ \t]*(?P<one>{_OPERAND})[ \t]*/[ \t]*(?P<other>[^/]*)$")
_HALF = re.compile(rf"\bhalf[ \t]+(?:of[ \t]+)?(?P<whole>{_OPERAND})$")
_FUNCTION = re.compile(r"\b(?P<name>floor|ceil|ceiling|round|int|trunc)\((?P<inside>[^()]*/[^()]*)$")


def foreign_division(p: Problem) -> Diagnostic | None:
    """Report a division, or a remainder, in the words of another language."""
    if p.is_long:
        return None
    for found in _OPERATION.finditer(p.line):
        start, end = (p.line_start + offset for offset in found.span("sign"))
        comment = found["sign"] == "//" and p.start <= start  # where nothing can be divided
        if comment or not start <= p.start <= p.line_start + found.end() or '"' in p.line[: found.start()]:
            continue
        one, sign, other = found["one"], found["sign"], found["other"]
        at, whole = p.span(start, end), (p.line_start + found.start(), p.line_start + found.end())
        if re.fullmatch(_BARE, sign):
            return p.error("E0111", f"`{at.text}` is not an operator", *_both(f"{one} / {other}"), at=at)
        longer = p.line[: found.start()].rstrip().endswith(("*", "/"))
        one = "…" if longer else one
        inner = one[1:-1] if one.startswith("(") else one
        new = f"{one} / {other} rounded down" if re.fullmatch(_DOWN, sign) else f"remainder({inner}, {other})"
        return p.error(
            "E0111", f"`{at.text}` is not an operator", f"write `{new}`",
            at=at, new=None if longer else p.put(new, *whole),
        )  # fmt: skip
    return None


def misplaced_rounding(p: Problem) -> Diagnostic | None:
    """Report `rounded up` after something else than a division, and a function that rounds."""
    if p.is_long:
        return None
    if p.kind in ("ROUNDED_UP", "ROUNDED_DOWN"):
        half = _HALF.search(p.before.rstrip())
        if half is None:
            return p.error("E0135", f"`{p.found}` does not follow a division", "write `… / 2 rounded up`")
        new = f"{half['whole']} / 2"
        at = p.span(p.line_start + half.start(), p.line_start + half.end())
        return p.error("E0112", f"`{at.text}` is not a number", f"write `{new} {p.found}`", at=at, new=new)
    function = _FUNCTION.search(p.before)
    if function is None or p.found != ")" or "ROUNDED_UP" not in p.expected:
        return None
    inside, at = function["inside"], p.span(p.line_start + function.start("name"), p.line_start + function.end("name"))
    message = f"there is no function `{at.text}`: a division states its rounding"
    if function["name"] in ("round", "int", "trunc"):
        return p.error("E0135", message, *_both(inside), at=at)
    new = f"({inside} rounded {'down' if function['name'] == 'floor' else 'up'})"
    return p.error("E0135", message, f"write `{new}`", at=at, new=p.put(new, at.start, p.end))


def unrounded(p: Problem) -> Diagnostic | None:
    """Report a division that does not say how it is rounded."""
    if "ROUNDED_UP" not in p.expected:
        return None
    before = p.before.rstrip()
    if re.search(r"\bround(?:s|ing)?$", before) and p.found in ("up", "down"):
        return None  # a misspelt `rounded up`
    found = None if p.is_long else _DIVISION.search(re.sub(r"[ \t]+rounded(?:[ \t]+\w+)?$", "", before))
    division = "… / …"
    if found is not None:
        division = f"{'…' if found['factor'] else found['one']} / {found['other']}"
    at = p.span(p.line_start + before.rfind("/"), p.line_start + len(before))
    return p.error("E0135", "this division does not state its rounding", *_both(division), at=at)


def _both(division: str) -> tuple[str]:
    return (f"write `{division} rounded up` or `{division} rounded down`",)
