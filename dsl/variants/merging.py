"""The tree of a game with the edits of its variants applied; everything else stays as it is.

The problem: two variants that both say `replace action draw` have no common result, nor have one that removes a table
and one that adds a row to it, while two that each add another row have one. The result must not depend on the order in
which a player names the variants.

The idea: every change is read against the game alone, never against the result of another variant, and becomes an
`Edit` of one node. Two edits clash if they have the same target, unless both only add to it, or if the target of one
lies inside a node that the other replaces (`_clash`). Without a clash all edits are applied in one walk.

Before: both trees are parsed; all nodes of all files have different numbers. After: unchanged nodes are shared with the
game and keep their spans, so a diagnostic shows where a rule is written. INVARIANT: the order of the variants makes no
difference to the rules. Only what is added to the same place keeps the order of the edits, and where that would matter,
as for the cases of a definition, they have the same `claim` and clash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast, get_args

from dsl import ast
from dsl.diagnostics import Diagnostic, Label, has_errors, in_order
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from dsl.variants.pruning import without_leftovers
from dsl.variants.reading import CLAUSE_FIELDS, NEW, SETUP, Edit, Field, Reader
from dsl.variants.selectors import Base, describe, first_line_text, keyword_of, name_of, part_for

N = TypeVar("N", bound=ast.Node)

INNER: tuple[Field, ...] = (
    "phases", "requires", "once", "cues", "rules", "cases", "rows", "body", "then", "otherwise", "instead", "acts",
)  # fmt: skip
"""Fields of declarations whose nodes a variant can select."""

PARTS: tuple[ast.PartName, ...] = get_args(ast.PartName)


@dataclass(frozen=True)
class Merged:
    """A game with its variants applied, also to its companion file, and the changes they made."""

    file: ast.GameFile
    companion: ast.ExamplesFile | None
    variants: tuple[ast.VariantFile, ...]
    edits: tuple[Edit, ...]


def merged(
    file: ast.GameFile, companion: ast.ExamplesFile | None, variants: Sequence[ast.VariantFile]
) -> tuple[Merged | None, list[Diagnostic]]:
    """Merge variants into a game; return the result, or None if there are errors, and the diagnostics.

    All nodes are numbered apart: the variants continue where the files before them ended. The order of the variants
    makes no difference to the rules.
    """
    reader = Reader(Base(file, companion))
    for variant in variants:
        reader.read(variant)
    # Whether something is left of a declaration is asked only if nothing clashes: two edits that clash are not both
    # applied, so the rest would be counted wrongly.
    diagnostics = [*reader.diagnostics, *_conflicts(reader.base, reader.edits)]
    if not has_errors(diagnostics):
        diagnostics += _emptied(reader.base, reader.edits)
    if has_errors(diagnostics):
        return None, in_order(diagnostics)
    last = max(file_read.number for file_read in (file, companion, *variants) if file_read is not None)
    writer = _Writer(reader.edits, last + 1)
    game = writer.game(file)
    examples = companion and replace(companion, examples=tuple(writer.several(companion.examples)))
    game = without_leftovers(game, file, examples.examples if examples else ())
    return Merged(game, examples, tuple(variants), tuple(reader.edits)), diagnostics


# ---- conflicts between changes


def _conflicts(base: Base, edits: Sequence[Edit]) -> Iterator[Diagnostic]:
    """Report every edit that changes the same thing as an earlier one."""
    inside = _inside(base)
    for index, edit in enumerate(edits):
        for earlier in edits[:index]:
            if _clash(edit, earlier, inside):
                same_variant = edit.span.source is earlier.span.source
                message = f"conflicting changes to `{edit.name}`" if edit.name else "conflicting changes"
                helps = ("merge the two changes into one",) if same_variant else ("play with only one of the variants",)
                label = Label(earlier.span, "also changed here")
                yield Diagnostic("E0806", "error", message, edit.span, (label,), helps)
                break


def _clash(first: Edit, second: Edit, inside: dict[int, set[int]]) -> bool:
    # Two variants that each add a case to one definition: both only add, but the order of the cases would
    # decide.
    if first.claim and first.claim == second.claim:
        return True
    # A new declaration is no node of the game. Two of one name have the same claim.
    if first.target == NEW or second.target == NEW:
        return False
    if first.target == second.target:
        return not (first.adds and second.adds)
    # Replacing a table and a row in it clash in either order; adding a row to the table and replacing another row do
    # not.
    within = second.target in inside.get(first.target, ()) and not first.adds
    return within or (first.target in inside.get(second.target, ()) and not second.adds)


PARTED: dict[Field, str] = {
    "phases": "phase",
    "cases": "case",
    "rows": "row",
    "body": "statement",
    "then": "statement",
    "instead": "statement",
    "acts": "alternative",
}
"""Fields of which something must be left, and what one of their nodes is called."""


def _emptied(base: Base, edits: Sequence[Edit]) -> Iterator[Diagnostic]:
    """Report every declaration that would lose all of its parts, and every statement that would lose its block."""
    gone = {edit.target: edit for edit in edits if edit.removes}
    enlarged = {(edit.target, edit.adds) for edit in edits if edit.adds}
    beside = {edit.target for edit in edits if edit.adds in ("before", "after")}
    owners = {node.number: node for node in _selectable((*base.declarations, *base.setup))}
    for owner in owners.values():
        for field, noun in PARTED.items():
            parts = getattr(owner, field, ())
            remains = isinstance(owner, ast.Action | ast.Step) or (owner.number, field) in enlarged
            if remains or not parts or not all(part.number in gone and part.number not in beside for part in parts):
                continue
            if isinstance(owner, ast.Statement):
                what, whole = f"`{first_line_text(owner)}`", "statement"
            else:
                what, whole = describe(keyword_of(owner), name_of(owner)), "declaration"
            helps = (f"keep at least one {noun}, or remove the whole {whole}",)
            span, labels = gone[parts[-1].number].span, (Label(owner.span, "declared here"),)
            yield Diagnostic("E0808", "error", f"no {noun} of {what} is left", span, labels, helps)


def _selectable(nodes: Iterable[ast.Node]) -> Iterator[ast.Node]:
    """Nodes and everything in them that a variant can select."""
    for node in nodes:
        yield node
        for field in INNER:
            yield from _selectable(getattr(node, field, ()))


def _inside(base: Base) -> dict[int, set[int]]:
    """For each node that can be selected, the numbers of those inside it."""
    inside = {
        node.number: {part.number for part in _selectable((node,))} - {node.number}
        for node in _selectable((*base.declarations, *base.setup))
    }
    inside[SETUP] = {part.number for part in _selectable(base.setup)}
    return inside


# ---- the new tree


def _known_about(base: ast.Header, merged: ast.Header) -> ast.About | None:
    """What a header says about the game: nothing is what the base says, and every variant is of the base's family."""
    if base.about is None or merged.about is None or merged.about.family:
        return merged.about or base.about
    return replace(merged.about, family=base.about.family)


class _Writer:
    """Rebuilds the tree where something is changed. `number` is the next node number."""

    def __init__(self, edits: Sequence[Edit], number: int) -> None:
        self.edits, self.number = edits, number
        self.instead = {edit.target: edit.new for edit in edits if not edit.adds and edit.target >= 0}
        self.setup = next((edit for edit in edits if edit.target == SETUP), None)
        self.additions: dict[tuple[int, Field], list[Any]] = {}
        for edit in edits:
            if edit.adds:
                self.additions.setdefault((edit.target, edit.adds), []).extend(edit.new)

    def game(self, file: ast.GameFile) -> ast.GameFile:
        """Rebuild the game with everything merged; new parts are appended."""
        added = [edit for edit in self.edits if edit.target == NEW]
        parts = [self._part(part, added) for part in file.parts]
        names = {part.name for part in parts}
        for name in PARTS:
            part = self._part(self._empty(name, file), added)
            if name not in names and (part.declarations or part.statements):
                parts.append(part)
        options = (*self.several(file.options), *(n for edit in added for n in edit.new if isinstance(n, ast.Option)))
        (header,) = self.several((file.header,))
        header = replace(header, about=_known_about(file.header, header))
        return replace(file, header=header, options=options, parts=tuple(parts))

    def _empty(self, name: ast.PartName, file: ast.GameFile) -> ast.Part:
        self.number += 1
        return ast.Part(span=file.span, number=self.number - 1, name=name, declarations=(), statements=())

    def _part(self, part: ast.Part, added: Sequence[Edit]) -> ast.Part:
        new = [node for edit in added for node in edit.new if not isinstance(node, ast.Option)]
        declarations = (*self.several(part.declarations), *(node for node in new if part_for(node) == part.name))
        statements = tuple(self.several(part.statements))
        if part.name == "setup" and self.setup is not None:
            statements = cast(tuple[ast.Statement, ...], self.setup.new)
        return replace(part, declarations=cast(tuple[ast.Declaration, ...], declarations), statements=statements)

    def several(self, nodes: Sequence[N]) -> Iterator[N]:
        """Nodes of the base, each with its replacements, which are of the same kind."""
        for node in nodes:
            yield from cast(list[N], self.additions.get((node.number, "before"), []))
            if node.number in self.instead:
                yield from cast(tuple[N, ...], self.instead[node.number])
            else:
                yield self._one(node)
            yield from cast(list[N], self.additions.get((node.number, "after"), []))

    def _one(self, node: N) -> N:
        update: dict[str, Any] = {}
        for field in INNER:
            nodes = getattr(node, field, None)
            if nodes is None:
                continue
            new = self.additions.get((node.number, field), [])
            if field == "acts":
                # Alternatives of several variants are in an order that does not depend on that of the variants.
                new = sorted(new, key=lambda act: act.span.text)
            rebuilt = tuple(self.several(nodes))
            # The first case that holds counts, so an added one must come before those of the game to have any effect.
            update[field] = (*new, *rebuilt) if field == "cases" else (*rebuilt, *new)
        for words, name in CLAUSE_FIELDS.items():
            clause = self.additions.get((node.number, words))
            if clause is not None:
                update[name] = clause[0].value if clause else None
                for part in ("last", "backwards") if words == "turns from" else ():
                    update[part] = getattr(clause[0], part) if clause else None
        changed = {field: rebuilt for field, rebuilt in update.items() if rebuilt != getattr(node, field)}
        return replace(node, **changed) if changed else node


# ---------------- diagnostics of a game with variants, labelled with the changes that caused them


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


def failing(example: ast.Example, reasons: Sequence[str], game: Merged, alone: bool = False) -> Diagnostic:
    """Create the diagnostic for an example of the base that fails with the variants.

    `alone`: it fails without them, too, so that they need not be the cause.
    """
    labels = tuple(Label(variant.title.span, "with this variant") for variant in game.variants)
    title = Span(example.span.source, example.span.start, example.title.span.end)
    message = f"the example `{example.title.value}` fails"
    if alone:
        advice = f"correct it in the game first: `regelwerk test {example.span.source.name}`"
        return Diagnostic(
            "E0807", "error", f"{message}, without the variant as well", title, (), (*reasons[:3], advice)
        )
    return Diagnostic("E0807", "error", message, title, labels, (*reasons[:3], _advice(example)))


def _advice(example: ast.Example) -> str:
    return f'if this is intended, add `remove example "{example.title.value}"` to the variant, or replace the example'


def _causes(diagnostic: Diagnostic, edits: Iterable[Edit]) -> list[Edit]:
    names = {word for quoted in _NAMED.findall(diagnostic.message) for word in re.findall(r"\w+", quoted)}
    return [edit for edit in edits if edit.name in names]


def _change(edit: Edit) -> str:
    return "removed here" if edit.removes else "added here" if edit.adds else "changed here"
