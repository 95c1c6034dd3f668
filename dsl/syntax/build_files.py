"""Build functions for whole files of games and examples."""

from __future__ import annotations

from typing import cast

from lark import Token

from dsl import ast
from dsl.syntax.build_tree import Builder, RuleSet, cited, cites, parse_number
from dsl.text.span import Span

FILES = RuleSet()


@FILES.add("start")
def _start(b: Builder, span: Span, file: ast.RulesFile) -> ast.RulesFile:
    return file


@FILES.add("header")
def _header(b: Builder, span: Span, title: Token, fewest: Token, most: Token | None, *rest: Token | None) -> ast.Header:
    seats, citation = cited(*rest)
    least, number = parse_number(fewest), parse_number(fewest if most is None else most)
    if least == number == 1 and most is None:
        start = span.start + span.text.index("players", len(title))
        b.error("E0105", "expected `player`, found `players`", b.span(start, start + len("players")), new="player")
    return ast.Header(
        span=span, title=b.text(title), number=b.next(), fewest=least, most=number, seats=tuple(map(str, seats)),
        cites=citation,
    )  # fmt: skip


@FILES.add("header_of_one")
def _header_of_one(b: Builder, span: Span, title: Token, *rest: Token | None) -> ast.Header:
    seats, citation = cited(*rest)
    return ast.Header(
        span=span, title=b.text(title), number=b.next(), fewest=1, most=1, seats=tuple(map(str, seats)), cites=citation
    )


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
