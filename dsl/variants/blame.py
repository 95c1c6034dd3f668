"""Diagnostics of a game with variants, labelled with the changes that caused them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from dsl import ast
from dsl.diagnostics import Diagnostic, Label
from dsl.text.span import Span
from dsl.variants.edits import Edit
from dsl.variants.merging import Merged

_NAMED = re.compile(r"`([^`]*)`")
MOST = 2
"""Maximum number of changes shown with one diagnostic."""


def with_changes(findings: Iterable[Diagnostic], game: Merged) -> list[Diagnostic]:
    """Label diagnostics in the base with the changes that caused them; suggest what to do about failing examples."""
    own = [variant.span.source for variant in game.variants]
    examples = [node for part in game.file.parts for node in part.declarations if isinstance(node, ast.Example)]
    examples += game.companion.examples if game.companion else ()
    told = []
    for finding in findings:
        if any(finding.span.source is source for source in own):
            told.append(finding)
            continue
        labels = [Label(edit.place, _done(edit)) for edit in _causes(finding, game.edits)[:MOST]]
        if not labels:
            labels = [Label(variant.title.span, "with this variant") for variant in game.variants[:MOST]]
        places = (finding.span, *finding.places)
        failing_there = [one for one in examples if any(place.is_inside(one.span) for place in places)]
        ways = [_way_out(example) for example in failing_there[:MOST]]
        helps = [*finding.helps[: 4 - len(ways)], *ways]
        told.append(replace(finding, labels=(*finding.labels, *labels), helps=tuple(helps)))
    return told


def failing(example: ast.Example, reasons: Sequence[str], game: Merged) -> Diagnostic:
    """Create the diagnostic for an example of the base that fails with the variants."""
    labels = tuple(Label(variant.title.span, "with this variant") for variant in game.variants)
    title = Span(example.span.source, example.span.start, example.title.span.end)
    helps = (*reasons[:3], _way_out(example))
    return Diagnostic("E0807", "error", f"the example `{example.title.value}` fails", title, labels, helps)


def _way_out(example: ast.Example) -> str:
    return f'if that is meant, the variant says `remove example "{example.title.value}"` or replaces it'


def _causes(finding: Diagnostic, edits: Iterable[Edit]) -> list[Edit]:
    names = {word for quoted in _NAMED.findall(finding.message) for word in re.findall(r"\w+", quoted)}
    return [edit for edit in edits if edit.name in names]


def _done(edit: Edit) -> str:
    return "removed here" if edit.removes else "added here" if edit.adds else "changed here"
