"""A lexer for Pygments, which colours rules on web pages and in terminals; made from the TextMate grammar.

Pygments finds it by the name `rules` wherever Regelwerk is installed. Below a line of an example, carets may point at a
mistake and say what it is: that is coloured as an error message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

from pygments.lexer import Lexer, RegexLexer, include
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from dsl.catalogue import CARETS
from editors.textmate import Pattern, textmate_grammar

TOKENS = {
    "comment.line.number-sign": Comment.Single,
    "constant.language": Name.Builtin,
    "constant.numeric": Number.Integer,
    "entity.name.function": Name.Function,
    "entity.name.type": Name.Class,
    "keyword.control": Keyword,
    "keyword.operator": Operator,
    "keyword.other": Keyword.Declaration,
    "markup.heading": Generic.Subheading,
    "markup.underline.link": Comment.Special,
    "meta.embedded": String.Interpol,
    "string.quoted.double": String,
    "variable.other.definition": Name.Variable,
}
"""What Pygments calls the scopes of the grammar."""

Found = Iterator[tuple[int, _TokenType, str]]


def _token(pattern: Pattern) -> _TokenType:
    return TOKENS[str(pattern["name"]).removesuffix(".regelwerk")]


def _captured(tokens: list[_TokenType]) -> Callable[[Lexer, Any, Any], Found]:
    """Each group of a match has its token; what is between the groups is space."""

    def callback(lexer: Lexer, match: Any, context: Any = None) -> Found:
        end = match.start()
        for number, token in enumerate(tokens, 1):
            if end < match.start(number):
                yield end, Whitespace, match.string[end : match.start(number)]
            yield match.start(number), token, match[number]
            end = match.end(number)

    return callback


def _states() -> dict[str, list[Any]]:
    """The patterns of the grammar as the states of a lexer: a pattern with an end is a state of its own."""
    grammar = textmate_grammar()
    states: dict[str, list[Any]] = {}

    def rules(patterns: object) -> list[Any]:
        return [rule(pattern) for pattern in cast(list[Pattern], patterns)]

    def rule(pattern: Pattern) -> Any:
        if "include" in pattern:
            return include(str(pattern["include"]).removeprefix("#"))
        if "captures" in pattern:
            groups = cast(dict[str, Pattern], pattern["captures"])
            return pattern["match"], _captured([_token(groups[number]) for number in sorted(groups)])
        token = _token(pattern)
        if "match" in pattern:
            return pattern["match"], token
        name = str(pattern["name"])
        inside = rules(pattern["patterns"])
        others = [include("others")] if token is String.Interpol else [(r'[^"{\n]+', token)]
        states[name] = [(pattern["end"], token, "#pop"), *inside, *others]
        return pattern["begin"], token, name

    for name, group in cast(dict[str, Pattern], grammar["repository"]).items():
        states[name] = rules(group["patterns"])
    states["others"] = [(r"[^\W\d]\w*", Name), (r"[][(){}.,:|/]", Punctuation), (r"\n|[^\S\n]+", Whitespace)]
    states["root"] = [(CARETS.pattern, Generic.Error), *rules(grammar["patterns"]), include("others")]
    return states


class RulesLexer(RegexLexer):
    """Rules files, boards excepted."""

    name = "Regelwerk"
    aliases: ClassVar[list[str]] = ["rules"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    tokens: ClassVar[dict[str, list[Any]]] = _states()
