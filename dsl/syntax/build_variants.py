"""Build functions for variants: what they add, replace and remove."""

from __future__ import annotations

from lark import Token

from dsl import ast
from dsl.syntax.build_statements import Block
from dsl.syntax.build_tree import Builder, RuleSet, cites, parse_number
from dsl.text.span import Span

VARIANTS = RuleSet()
InnerPart = ast.Require | ast.OfferedOnce | ast.Case | ast.Row


@VARIANTS.add("variant")
def _variant(
    b: Builder, span: Span, title: Token, game: Token, citation: Token | None, sentence: str | None,
    *changes: ast.Difference,
) -> ast.VariantFile:  # fmt: skip
    return ast.VariantFile(
        span=span, title=b.text(title), number=b.next(), game=str(game), changes=changes, cites=cites(citation),
        sentence=sentence or "",
    )  # fmt: skip


# ---------------------------------------------------------------- whole declarations


@VARIANTS.add("add_decl")
def _add(b: Builder, span: Span, declaration: ast.Declaration) -> ast.Change:
    return ast.Change(span=span, number=b.next(), verb="add", declaration=declaration)


@VARIANTS.add("replace_decl")
def _replace(b: Builder, span: Span, declaration: ast.Declaration | ast.Header) -> ast.Change:
    return ast.Change(span=span, number=b.next(), verb="replace", declaration=declaration)


@VARIANTS.add("replace_setup")
def _replace_setup(b: Builder, span: Span, word: Token, block: Block) -> ast.Change:
    if word != "setup":
        b.error("E0112", f"`{word}` is not allowed here", b.of_token(word), ["did you mean `setup`?"])
    setup = ast.Setup(span=span, number=b.next(), statements=block.body, cites=block.cites)
    return ast.Change(span=span, number=b.next(), verb="replace", declaration=setup)


@VARIANTS.add("remove_decl")
def _remove(b: Builder, span: Span, kind: str, token: Token, clause: str | None = None) -> ast.Change:
    name = str(token)[1:-1] if token.type == "STRING" else ast.clause_name(str(token), clause)
    return ast.Change(span=span, number=b.next(), verb="remove", name=name, declaration_kind=kind)


@VARIANTS.add("kind", "titled", "ruled")
def _kind(b: Builder, span: Span, word: Token) -> str:
    return str(word)


@VARIANTS.add("clause_key")
def _clause_key(b: Builder, span: Span, word: Token, *arguments: Token | None) -> str:
    return str(word)


# ---------------------------------------------------------------- parts of declarations


@VARIANTS.add("inside")
def _inside_rule(
    b: Builder, span: Span, kind: str, token: Token, clause: str | None, *changes: ast.PartChange
) -> ast.Inside:
    declaration_kind: ast.DividedKind = "action" if kind == "action" else "step"
    name = ast.clause_name(str(token), clause)
    return ast.Inside(span=span, number=b.next(), declaration_kind=declaration_kind, name=name, changes=changes)


@VARIANTS.add("inside_define")
def _inside_define(b: Builder, span: Span, name: Token, *changes: ast.PartChange) -> ast.Inside:
    return ast.Inside(span=span, number=b.next(), declaration_kind="define", name=str(name), changes=changes)


@VARIANTS.add("inside_type")
def _inside_type(b: Builder, span: Span, name: Token, *changes: ast.PartChange) -> ast.Inside:
    return ast.Inside(span=span, number=b.next(), declaration_kind="type", name=str(name), changes=changes)


@VARIANTS.add("inside_by_players")
def _inside_by_players(b: Builder, span: Span, *changes: ast.PartChange) -> ast.Inside:
    return ast.Inside(span=span, number=b.next(), declaration_kind="by players", name=None, changes=changes)


@VARIANTS.add("add_part")
def _add_part(b: Builder, span: Span, part: InnerPart) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="add", address=None, parts=(part,))


@VARIANTS.add("replace_part")
def _replace_part(b: Builder, span: Span, address: ast.Address, *parts: InnerPart) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=parts)


@VARIANTS.add("replace_row")
def _replace_row(b: Builder, span: Span, row: ast.Row) -> ast.PartChange:
    address = ast.RowKey(span=row.span, number=b.next(), key=row.key)
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=(row,))


@VARIANTS.add("replace_once")
def _replace_once(b: Builder, span: Span, once: ast.OfferedOnce) -> ast.PartChange:
    address = ast.OnceKey(span=once.span, number=b.next())
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=(once,))


@VARIANTS.add("remove_once")
def _remove_once(b: Builder, span: Span) -> ast.PartChange:
    address = ast.OnceKey(span=span, number=b.next())
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=address, parts=())


@VARIANTS.add("remove_part")
def _remove_part(b: Builder, span: Span, address: ast.Address) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=address, parts=())


@VARIANTS.add("remove_row")
def _remove_row(b: Builder, span: Span, token: Token) -> ast.PartChange:
    key = parse_number(token) if token.type == "INT" else str(token)
    address = ast.RowKey(span=b.of_token(token), number=b.next(), key=key)
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=address, parts=())


@VARIANTS.add("reason")
def _reason(b: Builder, span: Span, words: Token) -> ast.ReasonWords:
    return ast.ReasonWords(span=span, number=b.next(), words=str(words)[1:-1])


@VARIANTS.add("guard")
def _guard(b: Builder, span: Span, condition: ast.Expression | None = None) -> ast.Guard:
    return ast.Guard(span=span, number=b.next(), condition=condition)
