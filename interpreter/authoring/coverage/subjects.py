"""The reachable parts of a game's rules: declarations that do something and their parts, each with its branches.

Data declarations (types, pieces, zones, notes, dice, boards, display tables) are not counted: nothing reaches them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.text.span import Span
from interpreter.authoring.coverage.instrumentation import FAILS, HOLDS, REACHED, branch, option_branches, worth_playing


@dataclass(frozen=True)
class Part:
    """A reachable part of a declaration; `branches` maps labels to the numbers of its branches.

    `kind` is statement, if, requirement, offered once, case, over, criterion, condition (of `winner`) or value (of an
    option). The part cannot be reached unless the branch `within` is taken.
    """

    kind: str
    text: str
    span: Span
    branches: dict[str, int]
    within: int | None = None


@dataclass(frozen=True)
class Subject:
    """A reachable declaration; `branch` is that of the whole.

    `derived`: it counts as reached when one of its parts is, and is not counted besides them.
    """

    kind: str
    name: str
    span: Span
    cites: tuple[str, ...]
    branch: int
    derived: bool
    parts: tuple[Part, ...]


def subjects(model: Model) -> list[Subject]:
    """All reachable declarations of a game's rules, in source order."""
    subjects = list(_options(model))
    for part in model.file.parts:
        if part.statements:
            reached, parts = branch(part.number, REACHED), _statements(part.statements, None, model.unwritten)
            subjects.append(Subject(part.name, "", part.span, (), reached, True, tuple(parts)))
        for node in part.declarations:
            subjects += _declared(node, model.unwritten) if node.number not in model.unwritten else ()
    return subjects


def derived(model: Model) -> dict[int, int]:
    """Map each branch of a part to the branch of its declaration, for declarations reached through their parts."""
    return {
        number: subject.branch
        for subject in subjects(model)
        if subject.derived
        for part in subject.parts
        for number in part.branches.values()
    }


def _options(model: Model) -> Iterator[Subject]:
    branches = option_branches(model)
    number = -len(branches) - 1
    for index, (name, option) in enumerate(model.options.items()):
        node = option.declaration
        parts = [Part("value", value, node.span, {"reached": branches[name, value]}) for value in worth_playing(option)]
        yield Subject("option", name, node.span, node.cites, number - index, True, tuple(parts))


def _declared(node: ast.Declaration, unwritten: frozenset[int]) -> Iterator[Subject]:
    reached = branch(node.number, REACHED)
    match node:
        case ast.Define():
            cases = [Part("case", _first_line(case), case.span, _reached(case), reached) for case in node.cases]
            parts = [*cases, *(part for case in node.cases for part in _choices(case, branch(case.number, REACHED)))]
            yield Subject("define", node.name, node.span, node.cites, reached, True, tuple(parts))
        case ast.Winner():
            criteria = [
                Part("condition", _first_line(member.value), member.value.span, _both(member, "holds", "fails"))
                if member.is_condition
                else Part(
                    "criterion", f"{member.direction} {_first_line(member.value)}", member.value.span, _reached(member)
                )
                for member in node.criteria
            ]
            parts = [*criteria, *_choices(node, None)]
            yield Subject("winner", "", node.span, node.cites, reached, True, tuple(parts))
        case ast.Teams():
            parts = list(_choices(node, None))
            if parts:
                yield Subject("teams by", "", node.span, node.cites, reached, True, tuple(parts))
        case ast.Action() | ast.Step():
            requirements = [
                Part(
                    "requirement", f"require {_source(member.condition)}", member.span, _both(member, "held", "refused")
                )
                for member in node.requires
            ]
            choices = [part for member in node.requires for part in _choices(member.condition, None)]
            once = [
                Part("offered once", _first_line(member), member.span, _both(member, "offered", "left out"))
                for member in (node.once if isinstance(node, ast.Action) else ())
            ]
            body = [*once, *requirements, *choices, *_statements(node.body, reached, unwritten)]
            yield Subject(node.kind, node.name, node.span, node.cites, reached, False, tuple(body))
        case ast.When():
            parts = list(_statements(node.body, reached, unwritten))
            yield Subject("when", node.name, node.span, node.cites, reached, False, tuple(parts))
        case ast.Phase():
            over = [
                Part(
                    "over",
                    f"{keyword} {_source(condition)}",
                    condition.span,
                    _both(condition, "holds", "fails"),
                    reached,
                )
                for keyword, condition in node.ends
            ]
            body = [*over, *_statements(node.body, reached, unwritten)]
            yield Subject("phase", node.name, node.span, node.cites, reached, False, tuple(body))
            for phase in node.phases:
                yield from _declared(phase, unwritten)
        case (
            ast.TypeList() | ast.TypeTable() | ast.TypeBoard() | ast.ByPlayers() | ast.Board() | ast.Piece()
            | ast.Zone() | ast.Note() | ast.Option() | ast.Die() | ast.PositionDeclaration() | ast.Names()
            | ast.Table() | ast.Example()
        ):  # fmt: skip
            pass
        case _ as never:
            assert_never(never)


def _statements(
    statements: tuple[ast.Statement, ...], within: int | None, unwritten: frozenset[int]
) -> Iterator[Part]:  # fmt: skip
    """The parts of statements, including nested ones."""
    for node in statements:
        reached = branch(node.number, REACHED)
        if isinstance(node, ast.If) and node.number in unwritten:
            yield from _statements((*node.then, *node.otherwise), within, unwritten)
            continue
        if isinstance(node, ast.If):
            yield Part("if", f"if {_source(node.condition)}", node.span, _both(node, "holds", "fails"), within)
            yield from _choices(node.condition, None)
            yield from _statements(node.then, branch(node.number, HOLDS), unwritten)
            yield from _statements(node.otherwise, branch(node.number, FAILS), unwritten)
            continue
        text = _first_line(node)
        if isinstance(node, ast.Do) and node.number in unwritten:  # an interrupt: its span is a name after `before`
            text = node.act.name
        yield Part("statement", text, node.span, _reached(node), within)
        if isinstance(node, ast.ForEach | ast.EachPlayer | ast.Repeat):
            yield from _statements(node.body, reached, unwritten)
        elif isinstance(node, ast.Decide) and node.instead:
            yield from _statements(node.instead, branch(node.number, FAILS), unwritten)
        else:
            yield from _choices(node, reached)


def _choices(root: ast.Node, within: int | None) -> Iterator[Part]:
    """The parts for each `A if C else B` below a node."""
    for node in root.walk():
        if isinstance(node, ast.Either):
            text = f"if {_source(node.condition)}"
            yield Part("if", text, node.condition.span, _both(node, "holds", "fails"), within)


def _reached(node: ast.Node) -> dict[str, int]:
    return {"reached": branch(node.number, REACHED)}


def _both(node: ast.Node, yes: str, no: str) -> dict[str, int]:
    return {yes: branch(node.number, HOLDS), no: branch(node.number, FAILS)}


def _first_line(node: ast.Node) -> str:
    """The first line of a node's source, without comment and citations."""
    first = node.span.text.partition("\n")[0]
    return " ".join(first.partition("#")[0].partition("  [")[0].split()).removesuffix(":")


def _source(node: ast.Node) -> str:
    """The source of a node, on one line."""
    return " ".join(node.span.text.split())
