"""Division as it is written in other languages or plain English, and division that is not rounded."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax import terminals
from dsl.syntax.stop import Problem

_OPERAND = r"(?:\d+|[A-Za-z_]\w*(?:\.\w+|\[[^\[\]]*\]|\([^()]*\))*|\([^()]*\))"
_DOWN = r"//|\bdiv\b"
_LEFT = r"%|\b(?:mod|modulo|rem)\b"
_BARE = r"\bdivided[ \t]+by\b|÷"
_OPERATION = re.compile(
    rf"(?<![\w.\])])(?P<one>{_OPERAND})[ \t]*(?P<sign>{_DOWN}|{_LEFT}|{_BARE})[ \t]*(?P<other>-?{_OPERAND})(?!\w)"
    r"(?![ \t]+(?!(?:and|or|is|to|if|else|where|because|while|times|otherwise|from)\b)\w)"  # it may be a comment
)
_UNARY_MINUS = re.compile(
    rf"(?:^|[-+*/(\[{{,=<>:]|\b(?:{'|'.join(sorted(terminals.keywords()))}))[ \t]*(?P<minus>-[ \t]*)$"
)
_DIVISION = re.compile(rf"(?P<factor>[*/]|\bcount\b|)[ \t]*(?P<one>{_OPERAND})[ \t]*/[ \t]*(?P<other>[^/]*)$")
_HALF = re.compile(rf"\bhalf[ \t]+(?:of[ \t]+)?(?P<whole>{_OPERAND})$")
_FUNCTION = re.compile(r"\b(?P<name>floor|ceil|ceiling|round|int|trunc)\((?P<inside>[^()]*/[^()]*)$")


def foreign_division(p: Problem) -> Diagnostic | None:
    """Report a division, or a remainder, in the words of another language."""
    if p.is_long:
        return None
    for match in _OPERATION.finditer(p.line):
        start, end = (p.line_start + offset for offset in match.span("sign"))
        comment = match["sign"] == "//" and p.start <= start  # where nothing can be divided
        if comment or not start <= p.start <= p.line_start + match.end() or '"' in p.line[: match.start()]:
            continue
        dividend, sign, divisor = match["one"], match["sign"], match["other"]
        if minus := _UNARY_MINUS.search(p.line[: match.start()]):  # it binds more tightly: `-a % 2` is `(-a) % 2`
            dividend = f"-{dividend}"
        at, first = p.span(start, end), minus.start("minus") if minus else match.start()
        bounds = (p.line_start + first, p.line_start + match.end())
        if re.fullmatch(_BARE, sign):
            return p.error("E0111", f"`{at.text}` is not an operator", *_both(f"{dividend} / {divisor}"), at=at)
        longer = p.line[:first].rstrip().endswith(("*", "/"))
        dividend = "…" if longer else dividend
        unbracketed = dividend[1:-1] if dividend.startswith("(") else dividend
        new = (
            f"{dividend} / {divisor} rounded down"
            if re.fullmatch(_DOWN, sign)
            else f"remainder({unbracketed}, {divisor})"
        )
        return p.error(
            "E0111", f"`{at.text}` is not an operator", f"write `{new}`",
            at=at, new=None if longer else p.put(new, *bounds),
        )  # fmt: skip
    return None


def misplaced_rounding(p: Problem) -> Diagnostic | None:
    """Report `rounded up` after something else than a division, and a function that rounds."""
    if p.is_long:
        return None
    if p.kind in ("ROUNDED_UP", "ROUNDED_DOWN"):
        half = _HALF.search(p.line_before.rstrip())
        if half is None:
            return p.error("E0135", f"`{p.found_text}` does not follow a division", "write `… / 2 rounded up`")
        new = f"{half['whole']} / 2"
        at = p.span(p.line_start + half.start(), p.line_start + half.end())
        return p.error("E0112", f"`{at.text}` is not a number", f"write `{new} {p.found_text}`", at=at, new=new)
    function = _FUNCTION.search(p.line_before)
    if function is None or p.found_text != ")" or "ROUNDED_UP" not in p.expected:
        return None
    inside, at = function["inside"], p.span(p.line_start + function.start("name"), p.line_start + function.end("name"))
    message = f"there is no function `{at.text}`: a division states its rounding"
    if function["name"] in ("round", "int", "trunc"):
        return p.error("E0135", message, *_both(inside), at=at)
    parts = re.split(r"(?<=[\w)\]])[ \t]*([-+])", re.sub(r"\[[^\[\]]*\]", "[]", inside))
    less = len(parts) > 1 and parts[-2] == "-"  # `floor(a - b / 2)` takes more away: `a - b / 2 rounded up`
    rounded = "down" if (function["name"] == "floor") is not less else "up"
    new = f"({inside} rounded {rounded})"
    return p.error("E0135", message, f"write `{new}`", at=at, new=p.put(new, at.start, p.end))


def unrounded(p: Problem) -> Diagnostic | None:
    """Report a division that does not say how it is rounded."""
    if "ROUNDED_UP" not in p.expected:
        return None
    text = p.line_before.rstrip()
    if re.search(r"\bround(?:s|ing)?$", text) and p.found_text in ("up", "down"):
        return None  # a misspelt `rounded up`
    match = None if p.is_long else _DIVISION.search(re.sub(r"[ \t]+rounded(?:[ \t]+\w+)?$", "", text))
    division = "… / …"
    if match is not None:
        division = f"{'…' if match['factor'] else match['one']} / {match['other']}"
    at = p.span(p.line_start + text.rfind("/"), p.line_start + len(text))
    return p.error("E0135", "this division does not state its rounding", *_both(division), at=at)


def _both(division: str) -> tuple[str]:
    return (f"write `{division} rounded up` or `{division} rounded down`",)
