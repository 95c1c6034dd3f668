"""From the grammar of the language, which has tokens for indentation, to a grammar of characters.

The problem: a program that writes texts by a grammar reads rules without memory, and whether a line may be indented
depends on the lines before it.

The idea: a rule whose text has several lines is written once for each depth of indentation, and a block at one depth
consists of rules of the next: `stmt` becomes `stmt-1`, `stmt-2` and so on, up to `MAX_DEPTH`. Where a line begins, its
spaces are part of the text. Between tokens stands the space that the formatter would write, so there is one way to
write everything, and no text that would be read in another way.

    if_: _IF expr COLON _NL _INDENT statements _DEDENT        a production of the language
    if-1 ::= "if " expr ":" newline "        " statements-2   its rule for a line with one block around it, shortened

INVARIANT: the space between two symbols must follow from the symbols alone (`_Facts.gap`), as a rule does not know what
stands around it. Nonterminals that begin with a bracket in some texts and with a word in others are therefore replaced
by their alternatives first (`_inlined`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import TypeAlias

from dsl.grammars.forms import Form, Maybe, Reference, Repeated, Rules, Text, either, in_turn
from dsl.grammars.narrowing import LITERAL, Production, Productions, narrowed_productions
from dsl.grammars.words import INDEFINITE, word_rules
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.layout import DEDENT, INDENT, NEW_LINE
from dsl.syntax.terminals import spelt

MAX_DEPTH = 6
"""Maximum number of blocks around a line. The shipped games need four."""

INDENTATION = " " * 4

DOTS = "__ANON_0"
"""What the generator of the parser calls `..`."""

_LAYOUT = frozenset({NEW_LINE, INDENT, DEDENT})
_NO_SPACE_BEFORE = frozenset({"COMMA", "COLON", "DOT", "RPAR", "RSQB", "RBRACE", DOTS, NEW_LINE})
_NO_SPACE_AFTER = frozenset({"MINUS", "DOT", "LPAR", "LSQB", "LBRACE", DOTS})
_OPENING = frozenset({"LPAR", "LSQB"})
_BEFORE_OPENING = frozenset({"NAME", "RPAR", "RSQB", "INT", "STRING", "RBRACE", "_TIMES", "_BOARD"})
"""What may be called or indexed, so that no space comes before the bracket."""

_IN_TEXT = "_in_text"
"""The suffix of nonterminals for what stands in the braces of a text, where no further text is allowed."""

_ENDLESS = 10**6
"""The number of blocks in a nonterminal of which no finite text is known yet."""

Item: TypeAlias = "str | tuple[Item, ...]"
"""A symbol, or several items that are optional together."""

Items: TypeAlias = tuple[Item, ...]


def character_grammar() -> Rules:
    """The rules for a whole text: a game, a file of examples, a variant, or the words of a language."""
    facts = _facts(_inlined(_with_expressions_in_texts(narrowed_productions())))
    rules = {"root": _reference("start", 0, facts)}
    # Breadth first, so that rules are listed in the order of their first use. The expressions in texts are
    # referred to by `word_rules` alone.
    waiting = [("start", 0), ("expr" + _IN_TEXT, 0)]
    while waiting:
        nonterminal, depth = waiting.pop(0)
        name = _rule_name(nonterminal, depth, facts)
        if name not in rules:
            writer = _Writer(facts, waiting.append)
            rules[name] = writer.alternatives(nonterminal, depth)
    return rules | word_rules(_reference("expr" + _IN_TEXT, 0, facts))


def _with_expressions_in_texts(productions: Productions) -> Productions:
    """The productions, and a copy of those of expressions for the braces of texts, without texts in them."""
    reached, waiting = set[str](), ["expr"]
    while waiting:
        nonterminal = waiting.pop()
        if nonterminal in productions and nonterminal not in reached:
            reached.add(nonterminal)
            waiting += [symbol for side in productions[nonterminal] for symbol in side]
    in_texts = {
        nonterminal + _IN_TEXT: [
            tuple(symbol + _IN_TEXT if symbol in reached else symbol for symbol in side)
            for side in productions[nonterminal]
            if "STRING" not in side
        ]
        for nonterminal in reached
    }
    return {**productions, **in_texts}


def _inlined(productions: Productions) -> Productions:
    """The productions without nonterminals that have a space before them in some texts and none in others.

    Their alternatives take their place: of `post: NAME | LPAR expr RPAR`, only the second could follow a name closely.
    """
    first = _facts(productions).first
    inlined = {
        name for name, sides in productions.items()
        if first[name] & _NO_SPACE_BEFORE and not first[name] <= _NO_SPACE_BEFORE | _OPENING
        and not any(name in side for side in sides)
    }  # fmt: skip
    return {
        name: [expanded for side in sides for expanded in _expanded(side, inlined, productions)]
        for name, sides in productions.items()
    }


def _expanded(side: Production, inlined: set[str], productions: Productions) -> Iterator[Production]:
    """A right-hand side, once for each choice of alternatives of the nonterminals that are inlined."""
    alternatives = [productions[symbol] if symbol in inlined else [(symbol,)] for symbol in side]
    for choice in product(*alternatives):
        yield tuple(chain.from_iterable(choice))


# ---------------------------------------------------------------- what follows from the productions


@dataclass(frozen=True)
class _Facts:
    """The productions with what follows from them for each nonterminal.

    `first` and `last` are the terminals that it can begin and end with, `blocks` is the least number of blocks that it
    contains inside each other. `multiline` are the nonterminals whose texts may have several lines.
    """

    productions: Productions
    first: dict[str, frozenset[str]]
    last: dict[str, frozenset[str]]
    blocks: dict[str, int]
    multiline: frozenset[str]

    def gap(self, before: str, after: str) -> str:
        """What stands between two symbols: a space, nothing, or the indentation of a new line, here `INDENT`."""
        ends, starts = self.last.get(before, frozenset({before})), self.first.get(after, frozenset({after}))
        if ends & _LAYOUT:
            return INDENT
        adjacent = _NO_SPACE_BEFORE | _OPENING if ends & _BEFORE_OPENING else _NO_SPACE_BEFORE
        if ends <= _NO_SPACE_AFTER or starts <= adjacent:
            return ""
        return " "


def _facts(productions: Productions) -> _Facts:
    """What follows from productions: the least fixed point of what each says about its nonterminal."""
    # Each round adds what one more production shows: `stmt` begins with whatever `if_` begins with, once that is known.
    first: dict[str, frozenset[str]] = dict.fromkeys(productions, frozenset())
    last, blocks = dict(first), dict.fromkeys(productions, _ENDLESS)
    multiline = set[str]()
    is_growing = True
    while is_growing:
        before = (dict(first), dict(last), dict(blocks), set(multiline))
        for name, sides in productions.items():
            for side in sides:
                first[name] |= first.get(side[0], frozenset({side[0]}))
                last[name] |= last.get(side[-1], frozenset({side[-1]}))
                blocks[name] = min(blocks[name], _blocks_in(side, blocks))
                if not multiline.isdisjoint(side) or not _LAYOUT.isdisjoint(side):
                    multiline.add(name)
        is_growing = before != (first, last, blocks, multiline)
    return _Facts(productions, first, last, blocks, frozenset(multiline))


def _blocks_in(items: Items, blocks: dict[str, int]) -> int:
    """The least number of blocks that these contain inside each other."""
    depth = most = 0
    for item in items:
        if isinstance(item, str):
            depth += (item == INDENT) - (item == DEDENT)
            most = max(most, depth + blocks.get(item, 0))
    return most


# ---------------------------------------------------------------- optional parts


def _merged(sides: Iterable[Items], facts: _Facts) -> list[Items]:
    """Fewer alternatives for the same texts: `a b c | a c` becomes `a (b)? c`.

    The generator of the parser has written out every choice of optional parts, up to 32 alternatives for one rule.
    """
    merged = list(dict.fromkeys(sides))
    pair = _mergeable(merged, facts)
    while pair is not None:
        longer, shorter, with_optional_part = pair
        merged[merged.index(longer)] = with_optional_part
        merged.remove(shorter)
        merged = list(dict.fromkeys(merged))
        pair = _mergeable(merged, facts)
    return merged


def _mergeable(sides: Sequence[Items], facts: _Facts) -> tuple[Items, Items, Items] | None:
    for longer in sides:
        for shorter in sides:
            if 0 < len(shorter) < len(longer):
                with_optional_part = _with_optional_part(longer, shorter, facts)
                if with_optional_part is not None:
                    return longer, shorter, with_optional_part
    return None


def _with_optional_part(longer: Items, shorter: Items, facts: _Facts) -> Items | None:
    size = len(longer) - len(shorter)
    for start in range(1, len(shorter) + 1):
        part, after = longer[start : start + size], longer[start + size :]
        if longer[:start] + after == shorter and _can_be_optional(longer[:start], part, after, facts):
            return (*longer[:start], part, *after)
    return None


def _can_be_optional(before: Items, part: Items, after: Items, facts: _Facts) -> bool:
    """True if a part consists of whole blocks, and what comes after it is spaced in the same way without it."""
    levels = [item for item in part if item in (INDENT, DEDENT)]
    if levels not in ([], [INDENT, DEDENT]) or (not after and not facts.multiline.isdisjoint(_symbols(before))):
        return False
    with_part, without = _ends(part, _ends(before, ())), _ends(before, ())
    return all(len({facts.gap(end, start) for end in {*with_part, *without}}) == 1 for start in _starts(after))


def _symbols(items: Items) -> Iterator[str]:
    for item in items:
        yield from (item,) if isinstance(item, str) else _symbols(item)


def _ends(items: Items, before: Iterable[str]) -> frozenset[str]:
    """The symbols that items can end with, given those that can come before them."""
    ends = frozenset(before)
    for item in items:
        ends = frozenset({item}) if isinstance(item, str) else ends | _ends(item, ends)
    return ends


def _starts(items: Items) -> frozenset[str]:
    """The symbols that items can begin with."""
    starts = frozenset[str]()
    for item in items:
        if isinstance(item, str):
            return starts | {item}
        starts |= _starts(item)
    return starts


# ---------------------------------------------------------------- rules


def _rule_name(nonterminal: str, depth: int, facts: _Facts) -> str:
    name = nonterminal.strip("_").replace("_", "-")
    return f"{name}-{depth}" if nonterminal in facts.multiline else name


def _reference(nonterminal: str, depth: int, facts: _Facts) -> Form:
    return Reference(_rule_name(nonterminal, depth, facts))


@dataclass(frozen=True)
class _Writer:
    """Writes the rules of nonterminals. `refer` gets those that they refer to, each with its depth."""

    facts: _Facts
    refer: Callable[[tuple[str, int]], None]

    def alternatives(self, nonterminal: str, depth: int) -> Form:
        """The rule of a nonterminal. Left recursion becomes repetition: `a: b | a c` is `b c*`."""
        # An alternative that needs more blocks than may still be nested would refer to rules that have no text.
        sides = [
            side for side in self.facts.productions[nonterminal]
            if depth + _blocks_in(side, self.facts.blocks) <= MAX_DEPTH
        ]  # fmt: skip
        heads = _merged([side for side in sides if side[0] != nonterminal], self.facts)
        tails = _merged([side[1:] for side in sides if side[0] == nonterminal], self.facts)
        beginning = either([self._written(side, depth, frozenset()) for side in heads])
        if not tails:
            return beginning
        continuation = either([self._written(side, depth, frozenset({nonterminal})) for side in tails])
        return Repeated(beginning, 1) if continuation == beginning else in_turn([beginning, Repeated(continuation)])

    def _written(self, items: Items, depth: int, before: frozenset[str]) -> Form:
        """Items one after another. `before` are the symbols that may precede the first; none if it begins a rule."""
        parts: list[Form] = []
        for item in items:
            if item in (INDENT, DEDENT):
                depth += 1 if item == INDENT else -1
            elif isinstance(item, str):
                gaps = {self.facts.gap(symbol, item) for symbol in before}
                assert len(gaps) <= 1, (items, item, gaps)
                parts += [Text(INDENTATION * depth if gap == INDENT else gap) for gap in gaps]
                parts.append(self._symbol(item, depth))
            elif depth + _blocks_in(tuple(_symbols(item)), self.facts.blocks) <= MAX_DEPTH:  # else it is left out
                parts.append(Maybe(self._written(item, depth, before)))
            before = _ends((item,), before)
        return in_turn(parts)

    def _symbol(self, symbol: str, depth: int) -> Form:
        if symbol in self.facts.productions:
            self.refer((symbol, depth))
            return _reference(symbol, depth, self.facts)
        if symbol.startswith(LITERAL):
            return Text(symbol.removeprefix(LITERAL))
        return INDEFINITE.get(symbol) or either([Text(spelling) for spelling in spelt(symbol)])
