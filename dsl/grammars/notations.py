"""A grammar of characters in the notations that other programs read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, assert_never, get_args

from dsl.grammars.forms import Either, Form, InTurn, Maybe, OneOf, Reference, Repeated, Rules, Text
from dsl.grammars.words import TOKENS
from dsl.lazy_dataclasses import dataclass

Notation: TypeAlias = Literal["gbnf", "ebnf", "lark"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)


def printed(rules: Rules, notation: Notation) -> str:
    """The rules as a text, one on each line.

    `gbnf` is the notation of llama.cpp, `ebnf` that of the W3C (in its recommendation of XML), and `lark` that of the
    library of this name and of llguidance, with tokens.
    """
    return "".join(f"{_RULE_IN[notation](rule, form)}\n" for rule, form in rules.items())


@dataclass(frozen=True)
class _Writing:
    """A notation: how it writes texts, characters and names, and what stands between parts and between alternatives."""

    text: Callable[[str], str]
    one_of: Callable[[OneOf], str]
    name: Callable[[str], str] = str
    then: str = " "
    alternatively: str = " | "

    def form(self, form: Form, inside: Literal["", "sequence", "operator"] = "") -> str:
        """A form as text, in parentheses where what is around it binds more closely."""
        match form:
            case Text(text):
                written = self.text(text)
                return f"({written})" if inside == "operator" else written
            case OneOf():
                return self.one_of(form)
            case Reference(rule):
                return self.name(rule)
            case InTurn(parts):
                written = self.then.join(self.form(part, "sequence") for part in parts)
                return f"({written})" if inside == "operator" else written
            case Either(parts):
                written = self.alternatively.join(self.form(part) for part in parts)
                return f"({written})" if inside else written
            case Maybe(part):
                return f"{self.form(part, 'operator')}?"
            case Repeated(part, least):
                return f"{self.form(part, 'operator')}{'+' if least else '*'}"
            case _:
                assert_never(form)


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}-{last}"


def _escaped(text: str, special: str) -> str:
    """A text with a backslash before some characters, and line breaks as they are spelt in programs."""
    escaped = re.sub(f"([{re.escape(special)}])", r"\\\1", text)
    return escaped.replace("\n", "\\n").replace("\r", "\\r")


# ---------------------------------------------------------------- GBNF, and regular expressions


def _gbnf_text(text: str) -> str:
    return '"' + _escaped(text, '\\"') + '"'


def _characters(form: OneOf) -> str:
    ranges = (_range(*(_escaped(end, "\\]^-") for end in ends)) for ends in form.ranges)
    return f"[{'^' * form.is_other}{''.join(ranges)}]"


def _pattern_text(text: str) -> str:
    return _escaped(text, r"\.[](){}*+?|^$/")


_GBNF = _Writing(_gbnf_text, _characters)
_PATTERN = _Writing(_pattern_text, _characters, then="", alternatively="|")


# ---------------------------------------------------------------- the notation of the W3C


def _w3c_text(text: str) -> str:
    """A text in quotation marks. Its own ones, and line breaks, are written by their numbers: there is no escape."""
    parts = [part for part in re.split(r'(["\n])', text) if part]
    return " ".join(_number(part) if part in ('"', "\n") else f'"{part}"' for part in parts)


def _w3c_characters(form: OneOf) -> str:
    ranges = (_range(*(end if end.isalnum() else _number(end) for end in ends)) for ends in form.ranges)
    return f"[{'^' * form.is_other}{''.join(ranges)}]"


def _number(character: str) -> str:
    return f"#x{ord(character):X}"


_W3C = _Writing(_w3c_text, _w3c_characters)


# ---------------------------------------------------------------- Lark


def _lark_text(text: str) -> str:
    """Words, signs and spaces as tokens of their own, as readers take the longest token and never go back."""
    return " ".join(map(_gbnf_text, re.findall(r"\w+| +|[^\w ]", text)))


def _lark_name(rule: str) -> str:
    return rule.upper() if rule in TOKENS else "start" if rule == "root" else rule.replace("-", "_")


_LARK = _Writing(_lark_text, _characters, _lark_name)


def _lark_rule(rule: str, form: Form) -> str:
    if rule in TOKENS:
        return f"{_lark_name(rule)}: /{_PATTERN.form(form)}/"
    return f"{_lark_name(rule)}: {_LARK.form(form)}"


_RULE_IN: Mapping[Notation, Callable[[str, Form], str]] = {
    "gbnf": lambda rule, form: f"{rule} ::= {_GBNF.form(form)}",
    "ebnf": lambda rule, form: f"{rule} ::= {_W3C.form(form)}",
    "lark": _lark_rule,
}
