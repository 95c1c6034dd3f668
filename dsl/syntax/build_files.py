"""Build functions for whole files of games and examples."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from lark import Token

from dsl import ast
from dsl.syntax.build_tree import Builder, RuleSet, cites, parse_number
from dsl.text.span import Span

FILES = RuleSet()


class Fact(NamedTuple):
    """A line below the header: what it says about the game."""

    span: Span
    name: str
    value: object


class HeaderEnd(NamedTuple):
    """What follows the seats of a header."""

    cites: ast.Citations
    about: ast.About | None


@FILES.add("start")
def _start(b: Builder, span: Span, file: ast.RulesFile) -> ast.RulesFile:
    return file


@FILES.add("header")
def _header(
    b: Builder, span: Span, title: Token, fewest: Token, most: Token | None, *rest: Token | HeaderEnd
) -> ast.Header:
    seats, (citation, about) = header_end(*rest)
    least, number = parse_number(fewest), parse_number(fewest if most is None else most)
    if least == number == 1 and most is None:
        start = span.start + span.text.index("players", len(title))
        b.error("E0105", "expected `player`, found `players`", b.span(start, start + len("players")), new="player")
    return ast.Header(
        span=_head(span), title=b.text(title), number=b.next(), fewest=least, most=number, seats=seats,
        cites=citation, about=about,
    )  # fmt: skip


@FILES.add("header_of_one")
def _header_of_one(b: Builder, span: Span, title: Token, *rest: Token | HeaderEnd) -> ast.Header:
    seats, (citation, about) = header_end(*rest)
    return ast.Header(
        span=_head(span), title=b.text(title), number=b.next(), fewest=1, most=1, seats=seats, cites=citation,
        about=about,
    )  # fmt: skip


def header_end(*rest: Token | HeaderEnd) -> tuple[tuple[str, ...], HeaderEnd]:
    """The seats of a header, and what follows them."""
    end = rest[-1]
    assert isinstance(end, HeaderEnd)
    return tuple(str(seat) for seat in rest[:-1]), end


def _head(span: Span) -> Span:
    """The line of the header, without the block below it."""
    return Span(span.source, span.start, span.start + len(span.text.split("\n", 1)[0]))


@FILES.add("about")
def _about(b: Builder, span: Span, citation: Token | None, *lines: Fact) -> HeaderEnd:
    if not lines:
        return HeaderEnd(cites(citation), None)
    facts: dict[str, Any] = {}
    for line in lines:
        if line.name in facts:
            b.error("E0138", f"the {line.name} is given twice", line.span, ["keep one of the lines"])
        facts.setdefault(line.name, line.value)
    return HeaderEnd(cites(citation), ast.About(span=span, number=b.next(), **facts))


@FILES.add("about_sentence")
def _about_sentence(b: Builder, span: Span, text: Token) -> Fact:
    return Fact(span, "sentence", str(text)[1:-1])


@FILES.add("about_text")
def _about_text(b: Builder, span: Span, word: Token, text: Token) -> Fact:
    _expect(b, word, "designer")
    return Fact(span, "designer", str(text)[1:-1])


@FILES.add("about_number")
def _about_number(b: Builder, span: Span, word: Token, fewest: Token, most: Token | None) -> Fact:
    _expect(b, word, "minutes")
    least, longest = parse_number(fewest), parse_number(fewest if most is None else most)
    if not 0 < least <= longest:
        b.error("E0138", f"a game cannot take {least} to {longest} minutes", span, ["write the smaller number first"])
    return Fact(span, "minutes", (least, longest))


def _expect(b: Builder, word: Token, keyword: str) -> None:
    """Report another word than the one that such a line begins with."""
    if word != keyword:
        helps = ['write `designer "…"`, `minutes 45` or `minutes 30 to 60`, or a sentence between quotation marks']
        b.error("E0138", f"`{word}` is not known about a game", b.of_token(word), helps, keyword)


@FILES.add("part")
def _part(b: Builder, span: Span, heading: Token, *content: ast.Declaration | ast.Statement) -> ast.Part:
    name = cast(ast.PartName, heading.strip("= \t"))  # others were reported by `prescan.headings`
    statements = tuple(item for item in content if isinstance(item, ast.Statement))
    if name != "setup":
        for statement in statements[:1]:
            b.error(
                "E0122", "statements are allowed only in `== setup ==`", statement.span,
                ["put what is done in play into a step, an action or a phase"],
            )  # fmt: skip
    return ast.Part(
        span=span, number=b.next(), name=name,
        declarations=tuple(item for item in content if not isinstance(item, ast.Statement)), statements=statements,
    )  # fmt: skip


@FILES.add("game")
def _game(b: Builder, span: Span, header: ast.Header, *content: ast.Option | ast.Part) -> ast.GameFile:
    return ast.GameFile(
        span=span, number=b.next(), header=header,
        options=tuple(child for child in content if isinstance(child, ast.Option)),
        parts=tuple(child for child in content if isinstance(child, ast.Part)),
    )  # fmt: skip


@FILES.add("companion")
def _companion(
    b: Builder, span: Span, game: Token, citation: Token | None, *content: ast.Example | ast.Part
) -> ast.ExamplesFile:
    examples: list[ast.Example] = []
    for child in content:
        for item in (*child.declarations, *child.statements) if isinstance(child, ast.Part) else (child,):
            if isinstance(item, ast.Example):
                examples.append(item)
            else:
                b.error("E0123", "a file that begins with `examples of` may hold only examples", item.span)
    return ast.ExamplesFile(
        span=span, number=b.next(), game=str(game), examples=tuple(examples), cites=cites(citation)
    )  # fmt: skip


@FILES.add("names_file")
def _names_file(
    b: Builder, span: Span, language: Token, game: Token, citation: Token | None,
    *entries: ast.NameEntry | ast.TextEntry,
) -> ast.NamesFile:  # fmt: skip
    names = ast.Names(span=_head(span), number=b.next(), language=str(language), entries=entries)
    return ast.NamesFile(span=span, number=b.next(), game=str(game), names=names, cites=cites(citation))
