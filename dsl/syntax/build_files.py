"""Build functions for files, variants and examples, and the functions of all rules of the grammar."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, cast

from dsl import ast
from dsl.syntax.build_declarations import DECLARATION_RULES, Block
from dsl.syntax.build_nodes import NODE_RULES
from dsl.syntax.build_tree import Builder, BuildFunction, RuleSet, cites
from dsl.syntax.layout import Token
from dsl.text.span import Span
from dsl.text.spelling import nearest

FILE_RULES = RuleSet()


class Fact(NamedTuple):
    """A line below the header: what it says about the game."""

    span: Span
    name: str
    value: object


class HeaderEnd(NamedTuple):
    """What follows the seats of a header."""

    cites: ast.Citations
    about: ast.About | None


MAX_COUNTS = 1_000
"""Of a longer range of players only the beginning and the end are kept: no game has so many seats."""


@FILE_RULES.add("number_span")
def _number_span(b: Builder, span: Span, low: Token, high: Token | None) -> list[int]:
    """The numbers of a range; both ends of one that is written backwards, which the checker reports."""
    first = b.whole(low)
    last = first if high is None else b.whole(high)
    return list(dict.fromkeys([first, *range(first, min(last, first + MAX_COUNTS)), last]))


@FILE_RULES.add("numbers")
def _numbers(b: Builder, span: Span, *spans: list[int]) -> tuple[int, ...]:
    return tuple(number for numbers in spans for number in numbers)


@FILE_RULES.add("header")
def _header(b: Builder, span: Span, title: Token, counts: tuple[int, ...], *rest: Token | HeaderEnd) -> ast.Header:
    seats, (citation, about) = header_end(*rest)
    words = span.text[len(title) :].partition("players")[0]
    if counts == (1,) and "to" not in words.split():
        start = span.start + span.text.index("players", len(title))
        b.error("E0105", "expected `player`, found `players`", b.span(start, start + len("players")), new="player")
    return ast.Header(
        span=_head(span), title=b.text(title), number=b.next(), counts=counts, seats=seats,
        cites=citation, about=about,
    )  # fmt: skip


@FILE_RULES.add("header_of_one")
def _header_of_one(b: Builder, span: Span, title: Token, *rest: Token | HeaderEnd) -> ast.Header:
    seats, (citation, about) = header_end(*rest)
    return ast.Header(
        span=_head(span), title=b.text(title), number=b.next(), counts=(1,), seats=seats, cites=citation,
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


@FILE_RULES.add("about")
def _about(b: Builder, span: Span, citation: Token | None, *lines: Fact) -> HeaderEnd:
    if not lines:
        return HeaderEnd(cites(citation), None)
    facts: dict[str, Any] = {}
    for line in lines:
        if line.name in facts:
            b.error("E0138", f"the {line.name} is given twice", line.span, ["keep one of the lines"])
        facts.setdefault(line.name, line.value)
    return HeaderEnd(cites(citation), ast.About(span=span, number=b.next(), **facts))


@FILE_RULES.add("about_sentence")
def _about_sentence(b: Builder, span: Span, text: Token) -> Fact:
    return Fact(span, "sentence", str(text)[1:-1])


@FILE_RULES.add("about_text")
def _about_text(b: Builder, span: Span, word: Token, text: Token) -> Fact:
    return Fact(span, _expected(b, word, "family", "designer"), str(text)[1:-1])


@FILE_RULES.add("about_number")
def _about_number(b: Builder, span: Span, word: Token, fewest: Token, most: Token | None) -> Fact:
    _expected(b, word, "minutes")
    least = b.whole(fewest)
    longest = least if most is None else b.whole(most)
    if not 0 < least <= longest:
        message = f"a game cannot take {fewest} to {most or fewest} minutes"
        b.error("E0138", message, span, ["write the smaller number first"])
    return Fact(span, "minutes", (least, longest))


def _expected(b: Builder, word: Token, *keywords: str) -> str:
    """The word that such a line begins with; another one than these is reported, and taken for the nearest."""
    meant = str(word)
    if word not in keywords:
        helps = ['write `family "…"`, `designer "…"`, `minutes 30 to 60`, or a sentence between quotation marks']
        meant = next(iter(nearest(word, keywords)), keywords[-1])
        b.error("E0138", f"`{word}` is not known about a game", b.of_token(word), helps, meant)
    return meant


@FILE_RULES.add("part")
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


@FILE_RULES.add("game")
def _game(b: Builder, span: Span, header: ast.Header, *content: ast.Option | ast.Part) -> ast.GameFile:
    return ast.GameFile(
        span=span, number=b.next(), header=header,
        options=tuple(child for child in content if isinstance(child, ast.Option)),
        parts=tuple(child for child in content if isinstance(child, ast.Part)),
    )  # fmt: skip


@FILE_RULES.add("companion")
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


@FILE_RULES.add("names_file")
def _names_file(
    b: Builder, span: Span, language: Token, game: Token, citation: Token | None,
    *entries: ast.NameEntry | ast.TextEntry,
) -> ast.NamesFile:  # fmt: skip
    names = ast.Names(span=_head(span), number=b.next(), language=str(language), entries=entries)
    return ast.NamesFile(span=span, number=b.next(), game=str(game), names=names, cites=cites(citation))


# ---------------------------------------------------------------- variants


@FILE_RULES.add("replace_setup")
def _replace_setup(b: Builder, span: Span, word: Token, block: Block) -> ast.Change:
    _expect_setup(b, "replace", word)
    setup = ast.Setup(span=span, number=b.next(), statements=block.body, cites=block.cites)
    return ast.Change(span=span, number=b.next(), verb="replace", declaration=setup)


def _expect_setup(b: Builder, verb: str, word: Token) -> None:
    """Report another word than the one part of a game that has no kind before its name."""
    if word == "setup":
        return
    if nearest(str(word), ["setup"], 1):
        b.error("E0112", f"`{word}` is not allowed here", b.of_token(word), ["did you mean `setup`?"], "setup")
    else:
        helps = [f"write, for example, `{verb} phase {word}:`, `{verb} step {word}:`"]
        b.error("E0105", f"missing kind before `{word}`", b.of_token(word), helps)


@FILE_RULES.add("remove_decl")
def _remove(b: Builder, span: Span, kind: str, token: Token, clause: str | None = None) -> ast.Change:
    name = str(token)[1:-1] if token.type == "STRING" else ast.clause_name(str(token), clause)
    return ast.Change(span=span, number=b.next(), verb="remove", name=name, declaration_kind=kind)


@FILE_RULES.add("inside")
def _inside_rule(
    b: Builder, span: Span, kind: ast.DividedKind, token: Token, clause: str | None, *changes: ast.PartChange
) -> ast.Inside:
    name = ast.clause_name(str(token), clause)
    return ast.Inside(span=span, number=b.next(), declaration_kind=kind, name=name, changes=changes)


@FILE_RULES.add("inside_setup")
def _inside_setup(b: Builder, span: Span, word: Token, *changes: ast.PartChange) -> ast.Inside:
    _expect_setup(b, "in", word)
    return ast.Inside(span=span, number=b.next(), declaration_kind="setup", name=None, changes=changes)


@FILE_RULES.add("beside_part")
def _beside(b: Builder, span: Span, word: Token, place: ast.StatementKey, block: Block) -> ast.PartChange:
    verb: Literal["before", "after"] = "before" if word == "before" else "after"
    return ast.PartChange(span=span, number=b.next(), verb=verb, address=place, parts=_cited(block))


@FILE_RULES.add("replace_statement")
def _replace_statement(b: Builder, span: Span, place: ast.StatementKey, block: Block) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=place, parts=_cited(block))


def _cited(block: Block) -> tuple[ast.Statement, ...]:
    """The statements of a block; the first one has the citation of the line above them."""
    first, *others = block.body
    return (replace(first, cites=block.cites + first.cites), *others) if block.cites else block.body


@FILE_RULES.add("add_acts")
def _add_acts(b: Builder, span: Span, acts: tuple[ast.Act, ...], place: ast.StatementKey) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="add", address=place, parts=acts)


@FILE_RULES.add("remove_acts")
def _remove_acts(b: Builder, span: Span, acts: tuple[ast.Act, ...], place: ast.StatementKey) -> ast.PartChange:
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=place, parts=acts)


@FILE_RULES.add("phase_clause")
def _phase_clause(
    b: Builder, span: Span, word: Token, value: ast.Expression, to: Token | None = None,
    last: ast.Expression | None = None, backwards: ast.Backwards | None = None,
) -> ast.PhaseClause:  # fmt: skip
    words = _clause_words(word)
    return ast.PhaseClause(span=span, number=b.next(), words=words, value=value, last=last, backwards=backwards)


@FILE_RULES.add("phase_words")
def _phase_words(b: Builder, span: Span, word: Token) -> ast.PhaseClauseKey:
    return ast.PhaseClauseKey(span=span, number=b.next(), words=_clause_words(word))


@FILE_RULES.add("replace_clause")
def _replace_clause(b: Builder, span: Span, clause: ast.PhaseClause) -> ast.PartChange:
    address = ast.PhaseClauseKey(span=clause.span, number=b.next(), words=clause.words)
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=(clause,))


def _clause_words(token: Token) -> ast.ClauseWords:
    return cast(ast.ClauseWords, " ".join(token.split()))


@FILE_RULES.add("replace_row")
def _replace_row(b: Builder, span: Span, row: ast.Row) -> ast.PartChange:
    address = ast.RowKey(span=row.span, number=b.next(), key=row.key)
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=(row,))


@FILE_RULES.add("replace_once")
def _replace_once(b: Builder, span: Span, once: ast.OfferedOnce) -> ast.PartChange:
    address = ast.OnceKey(span=once.span, number=b.next())
    return ast.PartChange(span=span, number=b.next(), verb="replace", address=address, parts=(once,))


@FILE_RULES.add("remove_once")
def _remove_once(b: Builder, span: Span) -> ast.PartChange:
    address = ast.OnceKey(span=span, number=b.next())
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=address, parts=())


@FILE_RULES.add("remove_row")
def _remove_row(b: Builder, span: Span, token: Token) -> ast.PartChange:
    key = b.whole(token) if token.type == "INT" else str(token)
    address = ast.RowKey(span=b.of_token(token), number=b.next(), key=key)
    return ast.PartChange(span=span, number=b.next(), verb="remove", address=address, parts=())


# ---------------------------------------------------------------- examples


class Continuation(NamedTuple):
    """A scene that begins with `and`: the verb is that of the scene before it, here taken for `then`."""

    scene: ast.Scene


@FILE_RULES.add("scene")
def _scene(b: Builder, span: Span, scene: ast.Scene) -> ast.Scene:
    return replace(scene, span=span)


@FILE_RULES.add("continuation")
def _continuation(b: Builder, span: Span, scene: ast.Scene) -> Continuation:
    return Continuation(replace(scene, span=span))


@FILE_RULES.add("example")
def _example(
    b: Builder, span: Span, title: Token, citation: Token | None, *scenes: ast.Scene | Continuation
) -> ast.Example:
    built: list[ast.Scene] = []
    for scene in scenes:
        if isinstance(scene, Continuation):
            continued = _continued(b, scene.scene, built[-1] if built else None)
            built += [continued] if continued is not None else []
        else:
            built.append(scene)
    return ast.Example(
        span=span, title=b.text(title), number=b.next(), scenes=tuple(built), cites=cites(citation)
    )  # fmt: skip


def _continued(b: Builder, scene: ast.Scene, previous: ast.Scene | None) -> ast.Scene | None:
    """A scene that begins with `and` as it is meant; a diagnostic if it cannot follow the scene before it.

    After such a diagnostic, it is taken for the scene that was meant: others that follow it are right then.
    """
    span = scene.span
    word = Span(b.source, span.start, span.start + len("and"))
    if previous is None:
        b.error("E0125", "`and` continues the scene before it, but this is the first", word, ["begin with `given`"])
    if isinstance(previous, ast.Played | ast.Begun):
        b.error(
            "E0125", "`and` can continue `given` or `then`, not `when`", word,
            ["write `when` again for the next move, or `then` for what should hold"],
        )  # fmt: skip
    after_given = previous is None or isinstance(previous, ast.Given | ast.GivenSeats | ast.GivenShown)
    if isinstance(scene, ast.Then) and after_given:
        return ast.Given(span=span, number=scene.number, condition=scene.condition)
    if isinstance(scene, ast.GivenShown) and not after_given:
        instead = f"and {scene.die.span.text} is {scene.face.span.text}"
        helps = [f"write `{instead}`: the value of a die is the face it shows"]
        b.error("E0125", "`shows` can only follow `given`", span, helps, new=instead)
        return None
    if isinstance(scene, ast.ThenMay | ast.ThenMayNot) and after_given and previous is not None:
        b.error("E0125", "what a player may do comes after `then`, not after `given`", word, ["write `then` here"])
        return None
    return scene


RULES: dict[str, BuildFunction] = {**NODE_RULES, **DECLARATION_RULES, **FILE_RULES}
"""The function that builds what each rule of the grammar stands for."""
