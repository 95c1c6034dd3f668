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
MAX_SHOWN_CAUSES = 2
"""Maximum number of changes shown with one diagnostic."""


def with_changes(diagnostics: Iterable[Diagnostic], game: Merged) -> list[Diagnostic]:
    """Label diagnostics in the base with the changes that caused them; suggest what to do about failing examples."""
    variant_sources = [variant.span.source for variant in game.variants]
    examples = [node for part in game.file.parts for node in part.declarations if isinstance(node, ast.Example)]
    examples += game.companion.examples if game.companion else ()
    labelled = []
    for diagnostic in diagnostics:
        if any(diagnostic.span.source is source for source in variant_sources):
            labelled.append(diagnostic)
            continue
        labels = [Label(edit.span, _change(edit)) for edit in _causes(diagnostic, game.edits)[:MAX_SHOWN_CAUSES]]
        if not labels:
            labels = [Label(variant.title.span, "with this variant") for variant in game.variants[:MAX_SHOWN_CAUSES]]
        spans = (diagnostic.span, *diagnostic.other_spans)
        affected = [example for example in examples if any(span.is_inside(example.span) for span in spans)]
        advice = [_advice(example) for example in affected[:MAX_SHOWN_CAUSES]]
        helps = [*diagnostic.helps[: 4 - len(advice)], *advice]
        labelled.append(replace(diagnostic, labels=(*diagnostic.labels, *labels), helps=tuple(helps)))
    return labelled


def failing(example: ast.Example, reasons: Sequence[str], game: Merged) -> Diagnostic:
    """Create the diagnostic for an example of the base that fails with the variants."""
    labels = tuple(Label(variant.title.span, "with this variant") for variant in game.variants)
    title = Span(example.span.source, example.span.start, example.title.span.end)
    helps = (*reasons[:3], _advice(example))
    return Diagnostic("E0807", "error", f"the example `{example.title.value}` fails", title, labels, helps)


def _advice(example: ast.Example) -> str:
    return f'if this is intended, add `remove example "{example.title.value}"` to the variant, or replace the example'


def _causes(diagnostic: Diagnostic, edits: Iterable[Edit]) -> list[Edit]:
    names = {word for quoted in _NAMED.findall(diagnostic.message) for word in re.findall(r"\w+", quoted)}
    return [edit for edit in edits if edit.name in names]


def _change(edit: Edit) -> str:
    return "removed here" if edit.removes else "added here" if edit.adds else "changed here"
