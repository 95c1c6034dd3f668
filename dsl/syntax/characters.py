"""Mistakes of characters: operators of other languages, quotes, characters no token begins with."""

from __future__ import annotations

import re
import unicodedata

from dsl.diagnostics import Diagnostic, Replacement
from dsl.syntax.stop import Problem

# pattern of the text from the character before the error -> what to write instead; `_same` decides if it is empty
_FOREIGN: tuple[tuple[str, str], ...] = (
    (r"[!<>=]==?|<>|~=|=<", ""),
    (r"[-+*/]=", "`add 1 to …` or `set … to …`"),
    (r"\+\+|--", "`add 1 to …`"),
    (r"&&", "`and`"),
    (r"\|\|?", "`or`"),
    (r":=", "`set … to …`, or `let x = …` for a new name"),
    (r"=>", "`->` for the type of a definition, `>=` for at least"),
    (r"!", "`not`"),
)
_SAME = {"==": "`is`", "===": "`is`", "!=": "`is not`", "!==": "`is not`", "<>": "`is not`", "~=": "`is not`"}
_ONLY_IN_TEXTS = "use it only in texts in quotes, and in comments"
_ENCLOSE = 'enclose texts in `"`'
_INSTEAD = {
    ";": "a statement ends with its line",
    "%": "for the remainder of a division, write `remainder(a, b)`",
    "^": "there are no powers",
    "'": _ENCLOSE,
    "`": _ENCLOSE,
    "\\": "a line continues on the next one only inside brackets",
    "?": "write `(a if C else b)` to choose between two values",
}
_LOOK_ALIKE = {
    "≤": "<=",
    "≥": ">=",
    "≠": "is not",
    "\u2212": "-",
    "\u2013": "-",
    "\u00d7": "*",
    "\u2227": "and",
    "\u2228": "or",
}
"""Typographic characters and their equivalents."""
_COMPARE, _COLON = "to compare, write `is`", "write `:`"
_QUOTES = "\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"


def character(p: Problem) -> Diagnostic | None:
    """Report a character that the language does not have, or that is not allowed here."""
    foreign = _foreign(p) or _comment(p)
    if foreign is None and p.kind is not None and _in_word(p, p.end):
        return _no_name(p, p.end)
    if foreign is not None or p.kind is not None or p.start >= p.limit:
        return foreign
    sign = p.text[p.start]
    new: str | Replacement | None
    if sign in _LOOK_ALIKE:
        operator = _LOOK_ALIKE[sign]
        new = p.word(operator, p.span())
        return p.error("E0111", f"`{sign}` is not an operator", f"write `{operator}`", new=new)
    if sign == '"':
        at = p.span(p.start, max(p.start + 1, p.line_end))
        return p.error("E0104", "unterminated text", 'end it with `"` on the same line', at=at)
    if sign in _QUOTES:
        return p.error("E0104", f"`{sign}` cannot begin a text", _ENCLOSE, new=_quoted(p))
    if sign in _INSTEAD:
        new = _quoted(p) if sign in "'`" else _parted(p) if sign == ";" else None
        return p.error("E0103", f"unexpected `{sign}`", _INSTEAD[sign], new=new)
    if _is_letter(sign):
        return _no_name(p, p.start)
    if not sign.isprintable():
        name = unicodedata.name(sign, "a control character").lower()
        return p.error("E0103", f"unexpected invisible character: {name}, U+{ord(sign):04X}", "remove it", new="")
    if unicodedata.decomposition(sign).startswith("<wide>"):
        narrow = unicodedata.normalize("NFKC", sign)
        return p.error("E0103", f"unexpected `{sign}`", f"write `{narrow}`", new=narrow)
    return p.error("E0103", f"unexpected `{sign}`", _ONLY_IN_TEXTS)


def _is_letter(sign: str) -> bool:
    return sign.isalpha() or unicodedata.category(sign)[0] in "MN"


def _in_word(p: Problem, offset: int) -> bool:
    """Whether a letter that names cannot contain follows a word without a space."""
    if offset >= p.limit or not p.text[offset - 1].isalnum():
        return False
    return not p.text[offset].isascii() and _is_letter(p.text[offset])


def _no_name(p: Problem, offset: int) -> Diagnostic:
    message = f"names cannot contain `{p.text[offset]}`"
    return p.error("E0103", message, "use only the letters a to z, digits and `_`", at=p.span(offset, offset + 1))


def _comment(p: Problem) -> Diagnostic | None:
    for start in (p.start, p.start - 1):
        if p.text.startswith("//", start) and start >= p.begin:
            at = p.span(start, start + 2)
            return p.error("E0103", "`//` does not begin a comment", "write `#`", at=at, new="#")
    return None


def _quoted(p: Problem) -> Replacement | None:
    """Replace foreign quotation marks around a text by straight ones."""
    match = re.match(f"[{_QUOTES}'`]([^{_QUOTES}'`\"\n]*)[{_QUOTES}'`]", p.text[p.start : p.line_end])
    return p.put(f'"{match[1]}"', p.start, p.start + match.end()) if match else None


def _parted(p: Problem) -> Replacement | None:
    """Drop a `;` and move what follows to a line of its own."""
    rest = p.text[p.start + 1 : p.line_end]
    if not rest.strip() or rest.strip().startswith("#"):
        return p.put("", p.start, p.start + 1)
    if ":" in p.line_before:
        return None
    indent = p.line[: len(p.line) - len(p.line.lstrip(" \t"))]
    return p.put(f"\n{indent}", p.start, p.start + 1 + len(rest) - len(rest.lstrip(" \t")))


def _foreign(p: Problem) -> Diagnostic | None:
    if p.kind in ("HEADING", "CITE", "STRING", "NAME", "INT"):
        return None
    for shift in (1, 0):
        text = p.text[p.start - shift : min(p.start + 3, p.limit)] if p.start - shift >= p.begin else ""
        for pattern, instead in _FOREIGN:
            match = re.match(pattern, text)
            if match is None or match.end() <= shift or (shift and match.group()[0].isspace()):
                continue
            sign = match.group()
            if sign in ("<=", ">="):
                continue
            at = p.span(p.start - shift, p.start - shift + len(sign))
            quoted_sign = re.fullmatch("`([^`]+)`", instead or _same(sign))
            return p.error(
                "E0111", f"`{sign}` is not an operator", f"write {instead or _same(sign)}",
                at=at, new=p.word(quoted_sign[1], at) if quoted_sign else None,
            )  # fmt: skip
    if p.found_text == "=" and p.kind is not None:
        helps = _instead_of_equal(p)
        new = p.word("is", p.span()) if helps == [_COMPARE] else None
        if helps == [_COLON] and p.first_word == "define":
            new = p.put(":", p.line_start + len(p.line_before.rstrip()), p.end)
        return p.error("E0111", "unexpected `=`", *helps, new=new)
    return None


def _instead_of_equal(p: Problem) -> list[str]:
    if "COLON" in p.expected and p.first_word in ("note", "option"):
        return ["write the type before it, such as `: 0..9`"]
    if "COLON" in p.expected and p.first_word in ("define", "piece", "type"):
        return [_COLON]
    if p.first_word == "set":
        return ["write `set … to …`"]
    if p.at_first_words:
        return ["to change a note, write `set … to …`", "for a new name, write `let … = …`"]
    return [_COMPARE]


def _same(sign: str) -> str:
    return _SAME.get(sign, "`<=`" if sign == "=<" else "`is`")
