"""The terminals of the language as forms of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from dsl.grammars.forms import Either, Form, InTurn, Maybe, OneOf, Reference, Repeated, Rules, Text, either, in_turn
from dsl.grammars.narrowing import MINUTES, SEVERAL, SHOWN_TEXT
from dsl.syntax.layout import NEW_LINE
from dsl.syntax.terminals import keywords

LETTERS, DIGITS = ("az", "AZ", "__"), ("09",)
TAKEN_BY_PHRASES = frozenset({"rounded"})
"""Words that are names elsewhere, but begin a keyword of two words where a name could follow."""

_UPPER, _DIGIT, _NOT_ZERO = OneOf(("AZ",)), OneOf(DIGITS), OneOf(("19",))
_POSITIVE: Form = InTurn((_NOT_ZERO, Repeated(_DIGIT)))
_PLAIN = OneOf(('""', "{{", "}}", "\n\n", "\r\r"), is_other=True)
_NUMBERED: Form = in_turn(
    [_UPPER, Maybe(_UPPER), Maybe(_UPPER), Maybe(_UPPER), Text("-"),
     Maybe(_UPPER), Maybe(_UPPER), Maybe(Text("-")), Repeated(_DIGIT, 1), Maybe(OneOf(("az",)))]
)  # fmt: skip

INDEFINITE: Rules = {
    "NAME": Reference("name"), "INT": Reference("number"), "STRING": Reference("quoted"), "CITE": Reference("citation"),
    SHOWN_TEXT: Reference("shown-text"), SEVERAL: Reference("several"), MINUTES: Reference("minutes"),
    NEW_LINE: Reference("newline"),
}  # fmt: skip
"""The terminals that match many texts; a keyword or sign matches only one."""


def word_rules(value: Form) -> Rules:
    """The rules for terminals; `value` is what may be in the braces of a text that shows values."""
    in_braces = in_turn([Text("{"), value, Text("}")])
    return TOKENS | {
        "quoted": InTurn((Text('"'), Maybe(Reference("plain")), Text('"'))),
        "shown-text": in_turn([Text('"'), Repeated(Either((Reference("plain"), in_braces))), Text('"')]),
    }


def _ascending() -> Iterator[tuple[Form, Form]]:
    """Pairs of numbers of up to three digits, where the second has more of them or begins with a greater one."""
    digits_1, digits_2, digits_3 = (InTurn((_NOT_ZERO, *[_DIGIT] * further)) for further in range(3))
    yield from [(digits_1, digits_2), (digits_1, digits_3), (digits_2, digits_3)]
    for first in range(1, 9):
        greater = OneOf((f"{first + 1}9",))
        for further in ([_DIGIT], [_DIGIT, _DIGIT]):
            yield in_turn([Text(str(first)), *further]), in_turn([greater, *further])


_Trie: TypeAlias = dict[str, "_Trie"]


def name_form(excluded: Iterable[str]) -> Form:
    """A name that is none of these words.

    The notations have no expression for "but not", so every way to deviate from the words is spelt out. Excluding `to`
    and `top` gives

        t | to[^p][a-z]* | top[a-z]+ | t[^o][a-z]* | [^t][a-z]*
    """
    trie: _Trie = {}
    for word in sorted(excluded):
        node = trie
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    following = OneOf((*LETTERS, *DIGITS))
    return either([*_other_than(trie, LETTERS, following)])


def _other_than(trie: _Trie, allowed: tuple[str, ...], following: Form) -> list[Form]:
    """The rest of a name after a beginning: at least one character, and all together none of the words in the trie."""
    ways: list[Form] = []
    for character, further in trie.items():
        if not character:
            continue
        may_end = [] if "" in further else [Text("")]
        rest = [*may_end, *_other_than(further, (*LETTERS, *DIGITS), following)]
        ways.append(in_turn([Text(character), either(rest)]))
    others = OneOf(tuple(_without(allowed, {character for character in trie if character})))
    return [*ways, in_turn([others, Repeated(following)])]


def _without(ranges: Iterable[str], removed: Iterable[str]) -> list[str]:
    """Ranges without some characters: `a-z` without `d` is `a-c` and `e-z`."""
    remaining: list[str] = []
    for first_and_last in ranges:
        begin, last = first_and_last[0], first_and_last[1]
        for character in sorted(removed):
            if begin <= character <= last:
                if begin < character:
                    remaining.append(begin + chr(ord(character) - 1))
                begin = chr(ord(character) + 1)
        if begin <= last:
            remaining.append(begin + last)
    return remaining


TOKENS: Rules = {
    "name": name_form([*keywords(), *TAKEN_BY_PHRASES]),
    "number": Either((Text("0"), _POSITIVE)),
    "several": Either((OneOf(("29",)), InTurn((_NOT_ZERO, Repeated(_DIGIT, 1))))),
    "plain": Repeated(_PLAIN, 1),
    "citation": in_turn([Text("["), _NUMBERED, Repeated(in_turn([Text(" "), _NUMBERED])), Text("]")]),
    "minutes": either([_POSITIVE, *(in_turn([less, Text(" to "), more]) for less, more in _ascending())]),
    "newline": Repeated(Text("\n"), 1),
}
"""Rules that refer to no other one: a token of the language, or a part of one."""
