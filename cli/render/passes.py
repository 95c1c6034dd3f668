"""The effects of the passes on the rules of a game, or why there were none, in terms of its rules file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from dsl import ast
from dsl.text.cells import cell_width, padded
from dsl.variants.selectors import keyword_of
from interpreter.compiler.ir.expression_text import short
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import source_of
from interpreter.compiler.ir.statements import walk
from interpreter.compiler.passes.facts.traversal import functions, subject_of
from interpreter.compiler.passes.pipeline import MEANINGS, PASSES
from interpreter.compiler.passes.record import COURSE_OF_PLAY, Finding, PassRecord, PassRecords, findings
from interpreter.engine.machine.games import rules_of
from interpreter.engine.program import Program

Owner = (
    ast.Winner
    | ast.Teams
    | ast.Part
    | ast.Define
    | ast.Action
    | ast.Step
    | ast.When
    | ast.Phase
    | ast.Zone
    | ast.Note
    | ast.Piece
)

MAX_QUESTION_LENGTH = 50
"""Maximum length of the quotation of a rule that asks for a decision."""


# ---------------------------------------------------------------- parts of the rules by name


def names(program: Program) -> list[str]:
    """The names of the parts of the rules for which something is compiled."""
    sources = [*[function.source for function in _functions(program.module)], *_sources(program).values()]
    owners = [_owner(program, source) for source in sources]
    return list(dict.fromkeys([_name(owner) for owner in owners if owner is not None]))


def functions_of(program: Program, name: str | None) -> list[Function]:
    """The functions of the part of the rules with this name, in order; for an action also the decisions offering it."""
    if name is None:
        return _functions(program.module)
    return [function for function in _functions(program.module) if _is_about(program, function, name)]


def _functions(module: Module) -> list[Function]:
    """All functions, then the blocks by number."""
    others = [function for function in module.functions.values() if function.kind != "block"]
    return [*others, *[block for _, block in sorted(module.blocks.items())]]


def _is_about(program: Program, function: Function, name: str) -> bool:
    if _has_name(_owner(program, function.source), name):
        return True
    if function.kind != "moves":
        return False
    return any(_has_name(_owner(program, source_of(node)), name, ast.Action) for node in walk(function.body))


def _has_name(owner: Owner | None, name: str, kind: type[ast.Node] = ast.Node) -> bool:
    return owner is not None and isinstance(owner, kind) and _name(owner) == name


def _owner(program: Program, node: ast.Node | None) -> Owner | None:
    """The declaration that contains a node."""
    while node is not None and not isinstance(node, Owner):
        node = program.parents.get(node.number)
    return node


def _name(owner: Owner) -> str:
    return keyword_of(owner) if isinstance(owner, ast.Winner | ast.Teams) else owner.name


# ---------------------------------------------------------------- what the passes did


def explained(program: Program, name: str | None = None) -> Iterator[str]:
    """For each rule, definition and decision, the passes that applied, and for others the first reason why not.

    With a name, all reasons are given.
    """
    entries, sources = _records(program), _sources(program)
    if name is None:
        subjects = findings(_in_words(program, entries, sources))
    else:
        about = [
            record for record in entries
            if any(_has_name(_owner(program, node), name) for node in (sources.get(record.subject), record.source))
        ]  # fmt: skip
        subjects = _all_findings(_in_words(program, about, sources))
        if not subjects:
            yield f"{name}: there is nothing to optimise"
            return
    width = max((cell_width(record.name) for finding in subjects for record in finding.records), default=0)
    for finding in subjects:
        yield finding.subject
        for record in finding.records:
            word = "applied" if record.applied else "not applied"
            yield f"  {padded(record.name, width)}  {word}{f': {record.reason}' if record.reason else ''}"
    used = {record.name for finding in subjects for record in finding.records}
    if used:
        yield ""
        yield from (f"{pass_name:<{width}}  {meaning}" for pass_name, meaning in MEANINGS.items() if pass_name in used)


def _records(program: Program) -> list[PassRecord]:
    """The records of both engines; of the machine engine those of passes that run only for it."""
    records = PassRecords(off=program.records.off)
    rules_of(program, records)
    return [*program.records.entries, *[record for record in records.entries if record.name not in PASSES]]


def _sources(program: Program) -> dict[str, ast.Node | None]:
    """The location of each subject in the rules: of functions and of pieces."""
    sources: dict[str, ast.Node | None] = {
        name: symbol.declaration for name, symbol in program.model.pieces.items()
    }  # fmt: skip
    return sources | {subject_of(function): function.source for function in reversed(functions(program.module))}


def _all_findings(records: Iterable[PassRecord]) -> list[Finding]:
    """The records by subject, without duplicates."""
    listed = list(dict.fromkeys(records))
    return [
        replace(finding, records=tuple([record for record in listed if record.subject == finding.subject]))
        for finding in findings(listed)
    ]


def _in_words(
    program: Program, records: Iterable[PassRecord], sources: Mapping[str, ast.Node | None]
) -> Iterator[PassRecord]:  # fmt: skip
    """The records about named parts of the rules, with line numbers where needed.

    `sources` are the locations of the subjects in the rules.
    """
    for record in records:
        source = sources.get(record.subject) or record.source
        node = source if record.subject.startswith("decision ") else _owner(program, source) or source
        reason = record.reason
        inside = record.source
        if reason and node is not None and inside is not None and inside.span.line != node.span.line:
            reason = f"{reason} (line {inside.span.line})"
        yield replace(record, subject=_subject(program, record.subject, node), source=node, reason=reason)


def _subject(program: Program, subject: str, node: ast.Node | None) -> str:
    """A subject in terms of the rules, with its location."""
    if node is None:
        return COURSE_OF_PLAY
    if subject.startswith("decision "):
        question = short(" ".join(node.span.text.split()), MAX_QUESTION_LENGTH)
        owner = _owner(program, node)
        title = f"decision `{question}`{f' in {_title(owner)}' if owner is not None else ''}"
    else:
        title = _title(node)
        if subject.startswith("sight "):
            title = f"who sees {title}"
    return f"{node.span.location}: {title}"


def _title(node: ast.Node) -> str:
    if not isinstance(node, Owner):
        return node.kind
    return _name(node) if isinstance(node, ast.Winner | ast.Teams | ast.Part) else f"{node.kind} {node.name}"
