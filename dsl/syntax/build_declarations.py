"""Grammar rules for declarations and for whole files."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from lark import Token

from dsl import ast
from dsl.syntax.build_expressions import present
from dsl.syntax.build_statements import Block
from dsl.syntax.build_tree import Builder, Rule, cites, number
from dsl.text.span import Span


def _cite(c: list[Any]) -> tuple[str, ...]:
    """The citation, taken from the last child."""
    return cites(c[-1])


def _word(token: Token) -> str | int:
    return number(token) if token.type == "INT" else str(token)


def _signed(b: Builder, span: Span, c: list[Any]) -> str | int:
    value = _word(c[0])
    return -value if isinstance(value, int) and span.text.startswith("-") else value


def _named(model: type[ast.Node], *fields: str) -> Rule:
    """Build a declaration from a name, these fields in order, and a citation."""

    def rule(b: Builder, span: Span, c: list[Any]) -> ast.Node:
        values = dict(zip(fields, c[1:-1], strict=True))
        return b.make(model, span, name=str(c[0]), **values, cites=_cite(c))

    return rule


# ---------------------------------------------------------------- what there is


def _type_list(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.TypeList, span, name=str(c[0]), shapes=tuple(c[1:-1]), cites=_cite(c))


def _type_table(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.TypeTable, span, name=str(c[0]), columns=c[1], rows=tuple(c[3:]), cites=cites(c[2]))


def _type_board(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.TypeBoard, span, name=str(c[0]), source=c[1], columns=c[2] or (), cites=_cite(c))


def _type_board_block(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    columns: tuple[Any, ...] = tuple(column for params, _ in c[3:] for column in params)
    found = cites(c[2]) + tuple(cite for _, more in c[3:] for cite in more)
    return b.make(ast.TypeBoard, span, name=str(c[0]), source=c[1], columns=columns, cites=found)


def _shape(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    if c[0].type == "INT":
        return b.make(ast.Shape, span, name=None, arguments=(), low=number(c[0]), high=number(c[1]))
    return b.make(ast.Shape, span, name=str(c[0]), arguments=present(c[1:]), low=None, high=None)


def _board_path(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    path = tuple(str(step) if isinstance(step, Token) else step for step in c)
    return b.make(ast.BoardSource, span, function=None, path=path)


def _row(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Row, span, key=_word(c[0]), cells=tuple(c[1:-1]), cites=_cite(c))


def _by_players(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    counts = tuple(number(child) for child in c if isinstance(child, Token) and child.type == "INT")
    rows = tuple(child for child in c if isinstance(child, ast.Row))
    return b.make(ast.ByPlayers, span, counts=counts, rows=rows, cites=cites(c[len(counts)]))


def _piece(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Piece, span, name=str(c[0]), amount=c[1], attributes=c[2] or (), home=c[3], cites=_cite(c))


def _zone(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    shape, holds = c[2]
    return b.make(
        ast.Zone, span, name=str(c[0]), index=c[1] or (), shape=shape, holds=holds, sights=tuple(c[3:-1]),
        cites=_cite(c),
    )  # fmt: skip


def _holding_word(b: Builder, span: Span, c: list[Any]) -> tuple[str, tuple[Any, ...]]:
    word = str(c[0])
    if word in ("row", "stack"):
        helps = [f"`holds {word} of {c[1][0].name}`"]
        b.error("E0119", f"after `{word}` stands `of`", b.of_token(c[0]), helps, new=f"{word} of")
    elif word != "one":
        meant = _meant(word)
        new = f"{meant} of" if meant in ("row", "stack") else meant
        message = f"a zone cannot hold `{word}` {c[1][0].name}"
        b.error("E0119", message, b.of_token(c[0]), _ways(meant, c[1][0].name), new)
    return "one", c[1]


def _holding_of(b: Builder, span: Span, c: list[Any]) -> tuple[str, tuple[Any, ...]]:
    word = str(c[0])
    if word in ("row", "stack"):
        return word, c[1]
    if word == "one":
        b.error(
            "E0119", "after `one` stands the piece, without `of`", b.of_token(c[0]), [f"`holds one {c[1][0].name}`"]
        )
    else:
        meant = _meant(word)
        message = f"a zone cannot hold a `{word}` of pieces"
        b.error("E0119", message, b.of_token(c[0]), _ways(meant, c[1][0].name), meant if meant != "one" else None)
    return "row", c[1]


_LIKE = {"list": "row", "ordered": "row", "sequence": "row", "queue": "row", "pile": "stack", "deck": "stack"}


def _meant(word: str) -> str | None:
    """The zone shape that a word is misspelt from, or that other languages call so."""
    close = get_close_matches(word.lower(), ["one", "row", "stack"], n=1, cutoff=0.6)
    return close[0] if close else _LIKE.get(word.lower())


def _ways(meant: str | None, piece: str) -> list[str]:
    helps = [f"did you mean `{meant}`?"] if meant else []
    return [*helps, f"`holds {piece}`, `holds one {piece}`, `holds row of {piece}` or `holds stack of {piece}`"]


def _sight(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Sight, span, attribute=str(c[0]) if c[0] is not None else None, viewers=c[1])


def _note(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(
        ast.Note, span, name=str(c[0]), index=c[1] or (), type=c[2], first=c[3], sights=tuple(c[4:-1]), cites=_cite(c)
    )


def _die(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    faces = tuple(str(face) for face in c[2:-1])
    return b.make(ast.Die, span, name=str(c[0]), index=c[1] or (), faces=faces, cites=_cite(c))


def _names(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    entries = tuple((str(c[place]), str(c[place + 1])[1:-1]) for place in range(1, len(c), 2))
    return b.make(ast.Names, span, language=str(c[0]), entries=entries, cites=())


def _of_type(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Parameter, span, name=str(c[1]), type=c[2], domain=None, secret=c[0] is not None)


def _from_domain(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Parameter, span, name=str(c[1]), type=None, domain=c[2], secret=c[0] is not None)


def _table(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(
        ast.Table, span, title=b.text(c[0]), binders=c[1] or (), where=c[2], on_board=c[3] is not None,
        columns=tuple(c[5:]), cites=cites(c[4]),
    )  # fmt: skip


def _column(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Column, span, heading=b.text(c[0]), value=c[1], name=None, domain=None, where=None)


def _column_each(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Column, span, heading=b.text(c[0]), value=c[4], name=str(c[1]), domain=c[2], where=c[3])


# ---------------------------------------------------------------- what is so


def _define(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    name, parameters, result, *rest = c
    found: tuple[str, ...]
    if isinstance(rest[0], ast.Node):  # on one line: the value, a citation
        found = cites(rest[1])
        cases: tuple[Any, ...] = (b.make(ast.Case, rest[0].span, value=rest[0], condition=None, cites=()),)
    elif isinstance(rest[1], ast.Case):
        found, cases = cites(rest[0]), tuple(rest[1:])
    else:  # a block of one value with a citation of its own
        end = b.of_token(rest[2]) if rest[2] is not None else rest[1].span
        found = cites(rest[0])
        cases = (b.make(ast.Case, rest[1].span.to(end), value=rest[1], condition=None, cites=cites(rest[2])),)
    return b.make(
        ast.Define, span, name=str(name), parameters=parameters or (), result=result, cases=cases, cites=found
    )


def _guarded(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Case, span, value=c[0], condition=c[1], cites=cites(c[2]))


def _otherwise(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Case, span, value=c[0], condition=None, cites=cites(c[1]))


def _winner(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Winner, span, criteria=tuple(c[:-1]), cites=_cite(c))


def _criterion(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Criterion, span, direction=str(c[0]), value=c[1])


# ---------------------------------------------------------------- actions, steps and reactions


def _action(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    label = c[3]
    inner = c[4:]
    return b.make(
        ast.Action, span, name=str(c[0]), parameters=c[1] or (), label=label.label if label else None,
        requires=tuple(child for child in inner if isinstance(child, ast.Require)),
        body=tuple(child for child in inner if not isinstance(child, ast.Require)),
        cites=cites(c[2]) + (label.cites if label else ()),
    )  # fmt: skip


class _Label:
    """The label of an action and its citation."""

    def __init__(self, label: ast.Text, found: tuple[str, ...]) -> None:
        self.label, self.cites = label, found


def _require(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Require, span, condition=c[0], reason=b.text(c[1]), cites=_cite(c))


def _step(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    inner = c[3:]
    return b.make(
        ast.Step, span, name=str(c[0]), parameters=c[1] or (),
        requires=tuple(child for child in inner if isinstance(child, ast.Require)),
        body=tuple(child for child in inner if not isinstance(child, ast.Require)),
        cites=cites(c[2]),
    )  # fmt: skip


def _step_line(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    only = (c[2],)
    requires, body = (only, ()) if isinstance(c[2], ast.Require) else ((), only)
    return b.make(ast.Step, span, name=str(c[0]), parameters=c[1] or (), requires=requires, body=body, cites=())


def _when(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    block: Block = c[2]
    return b.make(ast.When, span, name=str(c[0]), parameters=c[1] or (), body=block.body, cites=block.cites)


def _phase(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    inner = tuple(c[6:])
    nested = bool(inner) and isinstance(inner[0], ast.Phase)
    return b.make(
        ast.Phase, span, name=str(c[0]), first=c[1], last=c[2], over_when=c[3], over_at_once=c[4],
        phases=inner if nested else (), body=() if nested else inner, cites=cites(c[5]),
    )  # fmt: skip


# ---------------------------------------------------------------- files


def _header(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    fewest = number(c[1])
    return b.make(
        ast.Header, span, title=b.text(c[0]), fewest=fewest, most=number(c[2]) if c[2] is not None else fewest,
        seats=tuple(str(name) for name in c[3:-1]), cites=_cite(c),
    )  # fmt: skip


def _part(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    name = heading_name(c[0])
    declarations: list[ast.Node] = []
    statements: list[ast.Node] = []
    for item in c[1:]:
        (statements if isinstance(item, _STATEMENTS) else declarations).append(item)
    if name != "setup":
        for statement in statements[:1]:
            b.error(
                "E0122", "statements stand only in `== setup ==`", statement.span,
                ["what is done in play stands in a step, an action or a phase"],
            )  # fmt: skip
    return b.make(ast.Part, span, name=name, declarations=tuple(declarations), statements=tuple(statements))


_STATEMENTS = (
    ast.Move, ast.SetTo, ast.Add, ast.Remove, ast.Shuffle, ast.Roll, ast.Let, ast.Decide, ast.Choose, ast.Do,
    ast.EndGame, ast.If, ast.ForEach, ast.EachPlayer, ast.Repeat,
)  # fmt: skip


def heading_name(heading: str) -> str:
    """`components` from `== components ==`."""
    return heading.strip("= \t")


def _game(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(
        ast.GameFile, span, header=c[0],
        options=tuple(child for child in c[1:] if isinstance(child, ast.Option)),
        parts=tuple(child for child in c[1:] if isinstance(child, ast.Part)),
    )  # fmt: skip


def _companion(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    examples: list[ast.Example] = []
    for child in c[2:]:
        for found in (*child.declarations, *child.statements) if isinstance(child, ast.Part) else (child,):
            if isinstance(found, ast.Example):
                examples.append(found)
            else:
                b.error("E0123", "a file `examples of …` holds only examples", found.span)
    return b.make(ast.ExamplesFile, span, game=str(c[0]), examples=tuple(examples), cites=cites(c[1]))


DECLARATIONS: dict[str, Rule] = {
    "start": lambda b, span, c: c[0],
    "game": _game,
    "companion": _companion,
    "header": _header,
    "part": _part,
    "board": lambda b, span, c: b.make(ast.Board, span, path=str(c[0])[1:-1], cites=_cite(c)),
    "type_list": _type_list,
    "type_table": _type_table,
    "type_board": _type_board,
    "type_board_block": _type_board_block,
    "board_columns": lambda b, span, c: (c[0], cites(c[1])),
    "shape": _shape,
    "table_row": _row,
    "cell": _signed,
    "board_path": _board_path,
    "grid": lambda b, span, c: b.make(ast.BoardSource, span, function=str(c[0]), path=tuple(c[1:])),
    "by_players": _by_players,
    "piece": _piece,
    "zone": _zone,
    "holding": lambda b, span, c: ("heap", c[0]),
    "holding_word": _holding_word,
    "holding_of": _holding_of,
    "names_or": lambda b, span, c: tuple(b.make(ast.TypeName, b.of_token(name), name=str(name)) for name in c),
    "sight": _sight,
    "note": _note,
    "option": _named(ast.Option, "type", "default"),
    "die": _die,
    "names": _names,
    "params": lambda b, span, c: tuple(c),
    "param_of_type": _of_type,
    "param_from": _from_domain,
    "type": lambda b, span, c: b.make(ast.TypeUnion, span, members=tuple(c)),
    "type_name": lambda b, span, c: b.make(ast.TypeName, span, name=str(c[0])),
    "type_range": lambda b, span, c: b.make(ast.TypeRange, span, low=c[0], high=c[1]),
    "type_several": lambda b, span, c: b.make(ast.TypeSeveral, span, element=c[0]),
    "signed": _signed,
    "table": _table,
    "column": _column,
    "column_each": _column_each,
    "define": _define,
    "guarded": _guarded,
    "otherwise": _otherwise,
    "winner": _winner,
    "criterion": _criterion,
    "action": _action,
    "label": lambda b, span, c: _Label(b.text(c[0]), cites(c[1])),
    "require": _require,
    "step": _step,
    "step_line": _step_line,
    "when": _when,
    "phase": _phase,
}
