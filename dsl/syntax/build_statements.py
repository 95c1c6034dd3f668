"""Grammar rules for statements and for examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsl import ast
from dsl.syntax.build_expressions import present
from dsl.syntax.build_tree import Builder, Rule, cites, number
from dsl.text.span import Span


@dataclass
class Block:
    """The contents of a block under a heading line, and the citation of that line."""

    cites: tuple[str, ...]
    body: tuple[Any, ...]


@dataclass
class Amount:
    """The number of elements to choose."""

    number: int
    at_most: bool


@dataclass
class Draft:
    """A scene without its verb: `model` is None if it continues with the previous verb."""

    model: type[ast.Node] | None
    fields: dict[str, Any] = field(default_factory=dict)
    span: Span | None = None


def _line(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    statement: ast.Node = c[0]
    if c[1] is None:
        return statement
    values: dict[str, Any] = {**statement.__dict__, "span": span, "cites": cites(c[1])}
    return type(statement).model_construct(**values)


def _block(b: Builder, span: Span, c: list[Any]) -> Block:
    return Block(cites(c[0]), tuple(c[1:]))


def _if(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    last = c[2] or Block((), ())
    return b.make(ast.If, span, condition=c[0], then=c[1].body, otherwise=last.body, cites=c[1].cites + last.cites)


def _for_each(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.ForEach, span, binders=c[0], where=c[1], body=c[2].body, cites=c[2].cites)


def _each_player(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.EachPlayer, span, first=c[0], last=c[1], where=c[2], body=c[3].body, cites=c[3].cites)


def _repeat(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Repeat, span, bound=c[0], body=c[1].body, cites=c[1].cites)


def _move_all(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Move, span, what=c[0], source=None, target=c[1], position=c[2], cites=())


def _move_some(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Move, span, what=c[0], source=c[1], target=c[2], position=c[3], cites=())


def _position(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    relation = str(c[0]) if len(c) > 1 else "at bottom"
    return b.make(ast.Position, span, relation=relation, anchor=c[1] if len(c) > 1 else None)


def _add(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    because = b.text(c[2]) if c[2] is not None else None
    return b.make(ast.Add, span, value=c[0], target=c[1], because=because, cites=())


def _decide(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(
        ast.Decide, span, duty=c[0], secretly=c[1] is not None, acts=c[2], otherwise=c[3] or (), bound=c[4], cites=()
    )


def _choose(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    amount: Amount | None = c[2]
    return b.make(
        ast.Choose, span, duty=c[0], secretly=c[1] is not None,
        amount=amount.number if amount else None, at_most=amount is not None and amount.at_most,
        name=str(c[3]), domain=c[4], where=c[5], cites=(),
    )  # fmt: skip


def _act(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Act, span, name=str(c[0]), arguments=present(c[1:]))


STATEMENTS: dict[str, Rule] = {
    "line": _line,
    "block": _block,
    "block_line": lambda b, span, c: Block((), (c[0],)),
    "else_block": lambda b, span, c: c[0],
    "else_if": lambda b, span, c: Block((), (c[0],)),
    "if_": _if,
    "for_each": _for_each,
    "each_player": _each_player,
    "repeat": _repeat,
    "bound": lambda b, span, c: b.make(ast.Bound, span, times=c[0], condition=c[1]),
    "move_all": _move_all,
    "move_some": _move_some,
    "position": _position,
    "set_": lambda b, span, c: b.make(ast.SetTo, span, target=c[0], value=c[1], cites=()),
    "add_": _add,
    "remove_": lambda b, span, c: b.make(ast.Remove, span, value=c[0], target=c[1], cites=()),
    "shuffle": lambda b, span, c: b.make(ast.Shuffle, span, target=c[0], cites=()),
    "roll": lambda b, span, c: b.make(ast.Roll, span, dice=tuple(c), cites=()),
    "let": lambda b, span, c: b.make(ast.Let, span, name=str(c[0]), value=c[1], cites=()),
    "decide": _decide,
    "choose": _choose,
    "must": lambda b, span, c: "must",
    "may": lambda b, span, c: "may",
    "exactly": lambda b, span, c: Amount(number(c[0]), False),
    "at_most": lambda b, span, c: Amount(number(c[0]), True),
    "acts": lambda b, span, c: tuple(c),
    "act": _act,
    "do_step": lambda b, span, c: b.make(ast.Do, span, act=c[0], cites=()),
    "end_game": lambda b, span, c: b.make(ast.EndGame, span, cites=()),
}


# ---------------------------------------------------------------- examples


def _scene(b: Builder, span: Span, c: list[Any]) -> Draft | ast.Node:
    draft: Draft = c[0]
    draft.span = span
    return draft if draft.model is None else b.make(draft.model, span, **draft.fields)


def _then_may(model: type[ast.Node] | None, only: bool) -> Rule:
    return lambda b, span, c: Draft(model, {"seat": str(c[0]), "choices": tuple(c[1:]), "only": only})


def _then_may_not(model: type[ast.Node] | None) -> Rule:
    def rule(b: Builder, span: Span, c: list[Any]) -> Draft:
        because = b.text(c[2]) if c[2] is not None else None
        return Draft(model, {"seat": str(c[0]), "choice": c[1], "because": because})

    return rule


def _example(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    scenes: list[ast.Node] = []
    for scene in c[2:]:
        if isinstance(scene, Draft):
            scene = _go_on(b, scene, scenes[-1] if scenes else None)
        if scene is not None:
            scenes.append(scene)
    return b.make(ast.Example, span, title=b.text(c[0]), scenes=tuple(scenes), cites=cites(c[1]))


def _go_on(b: Builder, draft: Draft, before: ast.Node | None) -> ast.Node | None:
    assert draft.span is not None
    word = Span(b.source, draft.span.start, draft.span.start + len("and"))
    if before is None:
        b.error("E0125", "`and` goes on with the verb before it, and there is none", word, ["begin with `given`"])
        return None
    if isinstance(before, ast.Played | ast.Begun):
        b.error(
            "E0125", "`and` goes on with `given` or `then`, not with `when`", word,
            ["write `when` again for the next move, or `then` for what should be so"],
        )  # fmt: skip
        return None
    after_given = isinstance(before, ast.Given | ast.GivenSeats | ast.GivenShown)
    if "die" in draft.fields:
        if after_given:
            return b.make(ast.GivenShown, draft.span, **draft.fields)
        said = f"and {draft.fields['die'].span.text} is {draft.fields['face'].span.text}"
        helps = [f"write `{said}`: what a die shows is its value"]
        b.error("E0125", "`shows` goes with `given` only", draft.span, helps, new=said)
        return None
    if "condition" in draft.fields:
        return b.make(ast.Given if after_given else ast.Then, draft.span, **draft.fields)
    if after_given:
        b.error("E0125", "what a player may do stands after `then`, not after `given`", word, ["write `then` here"])
        return None
    return b.make(ast.ThenMay if "choices" in draft.fields else ast.ThenMayNot, draft.span, **draft.fields)


def _given_seats(b: Builder, span: Span, c: list[Any]) -> Draft:
    return Draft(ast.GivenSeats, {"count": None, "seats": tuple(str(name) for name in c)})


EXAMPLES: dict[str, Rule] = {
    "example": _example,
    "scene": _scene,
    "played": lambda b, span, c: b.make(ast.Played, span, seat=str(c[0]), choice=c[1]),
    "begun": lambda b, span, c: b.make(ast.Begun, span, phase=str(c[0]), seat=str(c[1]) if c[1] else None),
    "given_count": lambda b, span, c: Draft(ast.GivenSeats, {"count": number(c[0]), "seats": ()}),
    "given_seats": _given_seats,
    "given_shown": lambda b, span, c: Draft(ast.GivenShown, {"die": c[0], "face": c[1]}),
    "given_that": lambda b, span, c: Draft(ast.Given, {"condition": c[0]}),
    "choosing": lambda b, span, c: b.make(ast.Choosing, span, value=c[0]),
    "then_that": lambda b, span, c: Draft(ast.Then, {"condition": c[0]}),
    "then_may": _then_may(ast.ThenMay, False),
    "then_may_only": _then_may(ast.ThenMay, True),
    "then_may_not": _then_may_not(ast.ThenMayNot),
    "again_shown": lambda b, span, c: Draft(None, {"die": c[0], "face": c[1]}),
    "again_that": lambda b, span, c: Draft(None, {"condition": c[0]}),
    "again_may": _then_may(None, False),
    "again_may_only": _then_may(None, True),
    "again_may_not": _then_may_not(None),
}
