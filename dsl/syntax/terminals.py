"""The words of the language: what each terminal of the grammar is called in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from dsl.syntax.parser import tables

_NAMED = {
    "_NL": "the end of the line",
    "BEFORE_REASON": "a line that begins with `because`",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a quoted text",
    "HEADING": "a heading such as `== setup ==`",
    "CITE": "a citation",
}
_LINE_ENDS = frozenset({"_NL", "CITE"})
_NOT_SHOWN = frozenset({"_DEDENT", "CITE", "$END"})
_SIGNS = {"ADDOP": ("+", "-"), "MULOP": ("*", "&")}
"""Terminals with several spellings."""

UNRESERVED = frozenset({"_WITHOUT"})
"""Terminals of keywords that may be names as well: they stand where no name can."""

MAX_EXPECTED = 5
"""Maximum number of things a message lists as expected."""


@cache
def spellings() -> dict[str, str]:
    """Map the names of terminals to what they are called; keywords and signs in backticks."""
    words = dict(_NAMED) | {name: " or ".join(f"`{sign}`" for sign in signs) for name, signs in _SIGNS.items()}
    for name, pattern in tables().terminals.items():
        words.setdefault(name, f"`{_plain(pattern)}`")
    return words


def _plain(pattern: str) -> str:
    for spaces in (r"[ \t]+", "[ \t]+", r"\s+"):
        pattern = pattern.replace(spaces, " ")
    return pattern.removesuffix(r"\b").replace("\\", "")


def sign(terminal: str) -> str:
    """The only spelling of a keyword or sign; empty for other terminals."""
    return "" if terminal in _NAMED or terminal in _SIGNS else spellings().get(terminal, "").strip("`")


def spelt(terminal: str) -> tuple[str, ...]:
    """All spellings of a keyword or sign. Raises KeyError for what is neither."""
    return _SIGNS.get(terminal) or (spellings()[terminal].strip("`"),)


def keyword(terminal: str | None) -> str:
    """The keyword that is this terminal, or an empty string."""
    word = sign(terminal) if terminal else ""
    return word if word[:1].isalpha() else ""


@cache
def keywords() -> frozenset[str]:
    """All keywords that are a single word and reserved: no name can be one of them."""
    words = map(keyword, spellings().keys() - UNRESERVED)
    return frozenset(word for word in words if word and " " not in word)


@cache
def keyword_pattern() -> str:
    """A regular expression that any editor reads, for all keywords; those of several words come first."""
    several = {word for word in map(keyword, spellings()) if " " in word}
    return rf"\b(?:{'|'.join([*(word.replace(' ', '[ ]+') for word in sorted(several)), *sorted(keywords())])})\b"


@cache
def expression_keywords() -> tuple[str, ...]:
    """The keywords inside expressions."""
    return tuple(word for word in map(keyword, sorted(reachable("expr"))) if word)


@cache
def line_starts() -> tuple[str, ...]:
    """The keywords that a line of a block or of a part can begin with, such as `move` and `for each`."""
    return _phrases("stmt", "require", "else_", "scene", "change")


@cache
def declaration_starts() -> tuple[str, ...]:
    """The keywords that a declaration, or a file, can begin with."""
    return _phrases("game", "companion", "variant", "declaration")


@cache
def one_line_declarations() -> frozenset[str]:
    """The keywords of declarations that have no block."""
    return frozenset(map(keyword, without_block("declaration")))


@cache
def phrases() -> tuple[str, ...]:
    """All keywords of two words, such as `seen by` and `end game`."""
    candidates = [*map(keyword, spellings()), *declaration_starts(), *line_starts()]
    return tuple(dict.fromkeys(word for word in candidates if word.count(" ") == 1))


def _phrases(*symbols: str) -> tuple[str, ...]:
    """Single keywords, and two in a row where the second one is the only possibility."""
    keywords = []
    for start, *following in fixed_starts(*symbols):
        word, then = keyword(start), "".join(map(keyword, following))
        if word:
            keywords.append(f"{word} {then}" if then and " " not in word else word)
    return tuple(dict.fromkeys(keywords))


def expected_words(terminals: Iterable[str]) -> list[str]:
    """Descriptions of what is possible at a position, most informative first; `…` if there is more."""
    remaining = set(terminals)
    ends, file_end = remaining & _LINE_ENDS, "$END" in remaining
    descriptions: list[str] = []
    if remaining >= {"NAME", "INT", "LPAR"}:
        descriptions.append("a value")
        remaining -= first("expr")
    operator = len(remaining & operators()) > 3
    if operator:
        remaining -= operators()
    if len(remaining & {"_ZONE", "_DEFINE", "_STEP"}) > 1:
        descriptions.append("a declaration")
        remaining -= first("declaration")
    if len(remaining & {"_MOVE", "_SHUFFLE", "_MUST"}) > 1:
        descriptions.append("a statement")
        remaining -= first("stmt") | first("else_") | first("scene") | first("change")
    rest = {word for name in remaining - _LINE_ENDS - _NOT_SHOWN for word in _words(name)}
    descriptions += sorted(rest, key=lambda word: (word not in ("`:`", "`,`"), word.strip("`")))
    descriptions += ["an operator"] * operator
    descriptions += ["the end of the line"] * bool(ends) + ["the end of the file"] * file_end
    return descriptions if len(descriptions) <= MAX_EXPECTED else [*descriptions[: MAX_EXPECTED - 1], "…"]


def _words(terminal: str) -> list[str]:
    signs = _SIGNS.get(terminal)
    return [f"`{sign}`" for sign in signs] if signs else [spellings().get(terminal, f"`{terminal}`")]


def listed(words: list[str]) -> str:
    """`a, b or c`; if the last one is `…`: `a, b, …`."""
    if len(words) == 1 or words[-1] == "…":
        return ", ".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]


def looks_like_keyword(word: str) -> bool:
    """True if a word is a keyword except for its capital letters."""
    return word.lower() != word and word.lower() in keywords()


def is_name(word: str) -> bool:
    """True if a word can be a name, because it is not a keyword."""
    return bool(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word)) and word not in keywords()


# ---------------- sets of terminals that follow from the grammar: what can begin a line or a value, and what can
# continue a value


@cache
def productions() -> dict[str, list[Sequence[str]]]:
    """Map each nonterminal to its right-hand sides; none of them is empty."""
    expansions: dict[str, list[Sequence[str]]] = {}
    for nonterminal, symbols, *_ in tables().rules:
        expansions.setdefault(nonterminal, []).append(symbols)
    return expansions


@cache
def first(symbol: str) -> frozenset[str]:
    """The terminals that a nonterminal can begin with."""
    return frozenset(_starts(symbol))


def _starts(symbol: str) -> dict[str, set[str]]:
    """Map the terminals that a nonterminal can begin with to the symbols that may come next in the same production."""
    followers: dict[str, set[str]] = {}
    seen, waiting = {symbol}, [symbol]
    while waiting:
        for head, *rest in productions()[waiting.pop()]:
            if head not in productions():
                followers.setdefault(head, set()).add(rest[0] if rest else "")
            elif head not in seen:
                seen.add(head)
                waiting.append(head)
    return followers


def fixed_starts(*symbols: str) -> list[tuple[str, ...]]:
    """The terminals that these nonterminals can begin with, each with the next one if only that can come next."""
    starts = {start: following for symbol in symbols for start, following in _starts(symbol).items()}
    return [(start, *following) if _is_one_terminal(following) else (start,) for start, following in starts.items()]


def _is_one_terminal(names: set[str]) -> bool:
    return len(names) == 1 and "" not in names and names.isdisjoint(productions())


@cache
def operators() -> frozenset[str]:
    """The terminals that can continue a complete value: operators, and what begins arguments or an index."""
    seen, waiting = {"expr"}, ["expr"]
    terminals: set[str] = set()
    while waiting:
        for head, *rest in productions()[waiting.pop()]:
            if head not in productions():
                continue
            if rest:
                terminals |= first(rest[0]) if rest[0] in productions() else {rest[0]}
            if head not in seen:
                seen.add(head)
                waiting.append(head)
    return frozenset(terminals)


@cache
def without_block(symbol: str) -> frozenset[str]:
    """The terminals that begin those alternatives of a nonterminal in which no indented block can occur."""
    return frozenset(
        start
        for (alternative,) in productions()[symbol]
        if "_INDENT" not in reachable(alternative)
        for start in first(alternative)
    )


@cache
def reachable(symbol: str) -> frozenset[str]:
    """The terminals that can occur anywhere in a nonterminal."""
    seen, waiting = {symbol}, [symbol]
    while waiting:
        for expansion in productions()[waiting.pop()]:
            names = {*expansion} - seen
            waiting += [name for name in names if name in productions()]
            seen |= names
    return frozenset(seen - productions().keys())
