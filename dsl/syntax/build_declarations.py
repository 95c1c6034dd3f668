"""Build functions for components, values, zones and what players are shown."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Literal

from lark import Token

from dsl import ast
from dsl.syntax.build_expressions import Binders, Condition, Expression
from dsl.syntax.build_tree import Builder, RuleSet, cited, cites, parse_number
from dsl.text.span import Span

DECLARATIONS = RuleSet()
Parameters = tuple[ast.Parameter, ...]
Holes = tuple[Expression, ...]
Words = tuple[ast.TypeName, ...]
ZoneShape = Literal["heap", "one", "row", "stack"]


def _value(token: Token) -> str | int:
    return parse_number(token) if token.type == "INT" else str(token)


@DECLARATIONS.add("cell", "signed")
def _signed(b: Builder, span: Span, token: Token) -> str | int:
    value = _value(token)
    return -value if isinstance(value, int) and span.text.startswith("-") else value


# ---------------------------------------------------------------- types


@DECLARATIONS.add("type_list")
def _type_list(b: Builder, span: Span, name: Token, *rest: ast.Shape | Token | None) -> ast.TypeList:
    shapes, citation = cited(*rest)
    return ast.TypeList(span=span, number=b.next(), name=str(name), shapes=shapes, cites=citation)


@DECLARATIONS.add("type_table")
def _type_table(
    b: Builder, span: Span, name: Token, columns: Parameters, citation: Token | None, *rows: ast.Row
) -> ast.TypeTable:
    return ast.TypeTable(
        span=span, number=b.next(), name=str(name), columns=columns, rows=rows, cites=cites(citation)
    )  # fmt: skip


@DECLARATIONS.add("type_board")
def _type_board(
    b: Builder, span: Span, name: Token, source: ast.BoardSource, columns: Parameters | None, citation: Token | None
) -> ast.TypeBoard:
    return ast.TypeBoard(
        span=span, number=b.next(), name=str(name), source=source, columns=columns or (), cites=cites(citation)
    )


@DECLARATIONS.add("type_board_block")
def _type_board_block(
    b: Builder, span: Span, name: Token, source: ast.BoardSource, citation: Token | None,
    *lines: tuple[Parameters, ast.Citations],
) -> ast.TypeBoard:  # fmt: skip
    return ast.TypeBoard(
        span=span, number=b.next(), name=str(name), source=source,
        columns=tuple(column for columns, _ in lines for column in columns),
        cites=cites(citation) + tuple(id for _, ids in lines for id in ids),
    )  # fmt: skip


@DECLARATIONS.add("board_columns")
def _board_columns(
    b: Builder, span: Span, columns: Parameters, citation: Token | None
) -> tuple[Parameters, ast.Citations]:
    return columns, cites(citation)


@DECLARATIONS.add("shape")
def _shape(b: Builder, span: Span, first: Token, *rest: Token | ast.TypeUnion | None) -> ast.Shape:
    if first.type == "INT":
        low, high = (parse_number(digits) for digits in (first, *rest) if isinstance(digits, Token))
        return ast.Shape(span=span, number=b.next(), name=None, arguments=(), low=low, high=high)
    arguments = tuple(argument for argument in rest if isinstance(argument, ast.TypeUnion))
    return ast.Shape(span=span, number=b.next(), name=str(first), arguments=arguments, low=None, high=None)


@DECLARATIONS.add("board_path")
def _board_path(b: Builder, span: Span, *steps: Token | Expression) -> ast.BoardSource:
    path = tuple(str(step) if isinstance(step, Token) else step for step in steps)
    return ast.BoardSource(span=span, number=b.next(), function=None, path=path)


@DECLARATIONS.add("grid")
def _grid(b: Builder, span: Span, function: Token, *rest: Expression | Holes | None) -> ast.BoardSource:
    path = tuple(argument for argument in rest if isinstance(argument, ast.Node))
    holes = next((argument for argument in rest if isinstance(argument, tuple)), ())
    return ast.BoardSource(span=span, number=b.next(), function=str(function), path=path, holes=holes)


@DECLARATIONS.add("holes")
def _holes(b: Builder, span: Span, *holes: Expression) -> Holes:
    return holes


@DECLARATIONS.add("table_row")
def _row(b: Builder, span: Span, key: Token, *rest: str | int | Token | None) -> ast.Row:
    cells, citation = cited(*rest)
    return ast.Row(span=span, number=b.next(), key=_value(key), cells=cells, cites=citation)


@DECLARATIONS.add("by_players")
def _by_players(b: Builder, span: Span, *rest: Token | ast.Row | None) -> ast.ByPlayers:
    counts = tuple(parse_number(child) for child in rest if isinstance(child, Token) and child.type == "INT")
    rows = tuple(child for child in rest if isinstance(child, ast.Row))
    citation = rest[len(counts)]
    assert not isinstance(citation, ast.Row)
    return ast.ByPlayers(span=span, number=b.next(), counts=counts, rows=rows, cites=cites(citation))


@DECLARATIONS.add("type")
def _type(b: Builder, span: Span, *members: ast.TypeAtom) -> ast.TypeUnion:
    return ast.TypeUnion(span=span, number=b.next(), members=members)


@DECLARATIONS.add("type_name")
def _type_name(b: Builder, span: Span, name: Token) -> ast.TypeName:
    return ast.TypeName(span=span, number=b.next(), name=str(name))


@DECLARATIONS.add("type_range")
def _type_range(b: Builder, span: Span, low: int, high: int) -> ast.TypeRange:
    return ast.TypeRange(span=span, number=b.next(), low=low, high=high)


@DECLARATIONS.add("type_several")
def _type_several(b: Builder, span: Span, element: ast.TypeAtom) -> ast.TypeSeveral:
    return ast.TypeSeveral(span=span, number=b.next(), element=element)


@DECLARATIONS.add("params")
def _parameters(b: Builder, span: Span, *parameters: ast.Parameter) -> Parameters:
    return parameters


@DECLARATIONS.add("param_of_type")
def _parameter(b: Builder, span: Span, secret: Token | None, name: Token, type_: ast.TypeUnion) -> ast.Parameter:
    return ast.Parameter(
        span=span, number=b.next(), name=str(name), type=type_, domain=None, secret=secret is not None
    )  # fmt: skip


@DECLARATIONS.add("param_from")
def _parameter_from(b: Builder, span: Span, secret: Token | None, name: Token, domain: Expression) -> ast.Parameter:
    return ast.Parameter(
        span=span, number=b.next(), name=str(name), type=None, domain=domain, secret=secret is not None
    )


# ---------------------------------------------------------------- components


@DECLARATIONS.add("board")
def _board(b: Builder, span: Span, path: Token, citation: Token | None) -> ast.Board:
    return ast.Board(span=span, number=b.next(), path=str(path)[1:-1], cites=cites(citation))


@DECLARATIONS.add("piece")
def _piece(
    b: Builder, span: Span, name: Token, amount: Expression, attributes: Parameters | None, home: Expression | None,
    citation: Token | None,
) -> ast.Piece:  # fmt: skip
    return ast.Piece(
        span=span, number=b.next(), name=str(name), amount=amount, attributes=attributes or (), home=home,
        cites=cites(citation),
    )  # fmt: skip


@DECLARATIONS.add("zone")
def _zone(
    b: Builder, span: Span, name: Token, index: Parameters | None, holding: tuple[ZoneShape, Words],
    *rest: ast.Sight | Token | None,
) -> ast.Zone:  # fmt: skip
    shape, holds = holding
    sights, citation = cited(*rest)
    return ast.Zone(
        span=span, number=b.next(), name=str(name), index=index or (), shape=shape, holds=holds, sights=sights,
        cites=citation,
    )  # fmt: skip


@DECLARATIONS.add("holding")
def _holding(b: Builder, span: Span, holds: Words) -> tuple[ZoneShape, Words]:
    return "heap", holds


@DECLARATIONS.add("holding_word")
def _holding_word(b: Builder, span: Span, word: Token, holds: Words) -> tuple[ZoneShape, Words]:
    piece = holds[0].name
    if word in ("row", "stack"):
        message, helps = f"`{word}` must be followed by `of`", [f"write `holds {word} of {piece}`"]
        b.error("E0119", message, b.of_token(word), helps, new=f"{word} of")
    elif word != "one":
        proposal = _meant(word)
        new = f"{proposal} of" if proposal in ("row", "stack") else proposal
        b.error("E0119", f"a zone cannot hold `{word} {piece}`", b.of_token(word), _helps(proposal, piece), new)
    return "one", holds


@DECLARATIONS.add("holding_of")
def _holding_of(b: Builder, span: Span, word: Token, holds: Words) -> tuple[ZoneShape, Words]:
    piece = holds[0].name
    if word == "row" or word == "stack":
        return ("row" if word == "row" else "stack"), holds
    if word == "one":
        b.error("E0119", "`one` is not followed by `of`", b.of_token(word), [f"write `holds one {piece}`"])
    else:
        proposal = _meant(word)
        message = f"a zone cannot hold a `{word}` of pieces"
        b.error("E0119", message, b.of_token(word), _helps(proposal, piece), proposal if proposal != "one" else None)
    return "row", holds


_SYNONYMS = {"list": "row", "ordered": "row", "sequence": "row", "queue": "row", "pile": "stack", "deck": "stack"}
"""Words that other languages use for the shapes of zones."""


def _meant(word: str) -> str | None:
    """The zone shape that a word is a misspelling of, or a synonym."""
    close = get_close_matches(word.lower(), ["one", "row", "stack"], n=1, cutoff=0.6)
    return close[0] if close else _SYNONYMS.get(word.lower())


def _helps(proposal: str | None, piece: str) -> list[str]:
    helps = [f"did you mean `{proposal}`?"] if proposal else []
    return [*helps, f"write `holds {piece}`, `holds one {piece}`, `holds row of {piece}` or `holds stack of {piece}`"]


@DECLARATIONS.add("names_or")
def _names_or(b: Builder, span: Span, *names: Token) -> Words:
    return tuple(ast.TypeName(span=b.of_token(name), number=b.next(), name=str(name)) for name in names)


@DECLARATIONS.add("sight")
def _sight(b: Builder, span: Span, attribute: Token | None, viewers: Expression) -> ast.Sight:
    name = None if attribute is None else str(attribute)
    return ast.Sight(span=span, number=b.next(), attribute=name, viewers=viewers)


@DECLARATIONS.add("note")
def _note(
    b: Builder, span: Span, name: Token, index: Parameters | None, type_: ast.TypeUnion, first: Expression,
    anew_in: Token | None, *rest: ast.Sight | Token | None,
) -> ast.Note:  # fmt: skip
    sights, citation = cited(*rest)
    return ast.Note(
        span=span, number=b.next(), name=str(name), index=index or (), type=type_, first=first,
        anew_in=None if anew_in is None else str(anew_in), sights=sights, cites=citation,
    )  # fmt: skip


@DECLARATIONS.add("option")
def _option(
    b: Builder, span: Span, name: Token, type_: ast.TypeUnion, default: Expression, citation: Token | None,
    sentence: str = "", *texts: ast.OptionText,
) -> ast.Option:  # fmt: skip
    return ast.Option(
        span=span, number=b.next(), name=str(name), type=type_, default=default, cites=cites(citation),
        sentence=sentence, texts=texts,
    )  # fmt: skip


@DECLARATIONS.add("option_value")
def _option_value(b: Builder, span: Span, value: Token, text: Token) -> ast.OptionText:
    return ast.OptionText(span=span, number=b.next(), value=str(value), text=str(text)[1:-1])


@DECLARATIONS.add("sentence")
def _sentence(b: Builder, span: Span, text: Token) -> str:
    return str(text)[1:-1]


@DECLARATIONS.add("die")
def _die(b: Builder, span: Span, name: Token, index: Parameters | None, *rest: Token | None) -> ast.Die:
    faces, citation = cited(*rest)
    return ast.Die(
        span=span, number=b.next(), name=str(name), index=index or (), faces=tuple(map(str, faces)), cites=citation
    )


@DECLARATIONS.add("position_declaration")
def _position(b: Builder, span: Span, name: Token, *rest: Expression | Token | None) -> ast.PositionDeclaration:
    parts, citation = cited(*rest)
    return ast.PositionDeclaration(span=span, number=b.next(), name=str(name), parts=parts, cites=citation)


@DECLARATIONS.add("names")
def _names(b: Builder, span: Span, language: Token | None, *entries: ast.NameEntry | ast.TextEntry) -> ast.Names:
    return ast.Names(
        span=span, number=b.next(), language=None if language is None else str(language), entries=entries
    )  # fmt: skip


@DECLARATIONS.add("name_entry")
def _name_entry(
    b: Builder, span: Span, name: Token, parameters: tuple[str, ...] | None, text: Token, plural: Token | None
) -> ast.NameEntry:
    return ast.NameEntry(
        span=span, number=b.next(), name=str(name), parameters=parameters or (), text=str(text)[1:-1],
        plural=None if plural is None else str(plural)[1:-1],
    )  # fmt: skip


@DECLARATIONS.add("named_index")
def _named_index(b: Builder, span: Span, *names: Token) -> tuple[str, ...]:
    return tuple(map(str, names))


@DECLARATIONS.add("text_entry")
def _text_entry(b: Builder, span: Span, original: Token, text: Token) -> ast.TextEntry:
    return ast.TextEntry(span=span, number=b.next(), original=str(original)[1:-1], text=str(text)[1:-1])


# ---------------------------------------------------------------- tables shown to players


@DECLARATIONS.add("table")
def _table(
    b: Builder, span: Span, title: Token, binders: Binders | None, where: Condition, on_board: Token | None,
    citation: Token | None, *columns: ast.Column,
) -> ast.Table:  # fmt: skip
    return ast.Table(
        span=span, title=b.text(title), number=b.next(), binders=binders or (), where=where,
        on_board=on_board is not None, columns=columns, cites=cites(citation),
    )  # fmt: skip


@DECLARATIONS.add("column")
def _column(b: Builder, span: Span, heading: Token, value: Expression) -> ast.Column:
    text = b.text(heading)
    return ast.Column(span=span, number=b.next(), heading=text, name=None, domain=None, where=None, value=value)


@DECLARATIONS.add("column_each")
def _column_each(
    b: Builder, span: Span, heading: Token, name: Token, domain: Expression, where: Condition, value: Expression
) -> ast.Column:
    text = b.text(heading)
    return ast.Column(
        span=span, number=b.next(), heading=text, name=str(name), domain=domain, where=where, value=value
    )  # fmt: skip
