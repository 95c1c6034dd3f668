"""From the changes of a variant to edits of the base, or to diagnostics.

    replace step score: …              the node with number 41 becomes this step
    in action build:
        add require n > 2              node 37 gets one more of its `requires`
        remove require because "far"   the node with number 38 becomes nothing

Each change is looked up in the base as it was before any change. So whether a change is valid does not depend on the
variants beside it, and two that are about the same node are seen to conflict: if the first were applied at once, the
second would find either nothing or what the first has left. See `merging`.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from dsl import ast
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted, plural_of
from dsl.text.span import Span
from dsl.variants import selectors
from dsl.variants.selectors import SINGLE, Base, describe, keyword_of, name_of, with_article

MERGING = frozenset({"by players", "names"})
"""Kinds of which a variant can add another declaration: together they are one."""

STEPS_ARE_NOT_OFFERED = "only actions are offered to a player: write it in the action that does the step"


@dataclass
class Reader:
    """Reads the changes of the variants of one base."""

    base: Base
    edits: list[Edit] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def read(self, variant: ast.VariantFile) -> None:
        """Record the edits of a variant, and the diagnostics of its changes."""
        for difference in variant.changes:
            results = self._change(difference) if isinstance(difference, ast.Change) else self._inside(difference)
            self.diagnostics += [result for result in results if isinstance(result, Diagnostic)]
            self.edits += [result for result in results if isinstance(result, Edit)]

    # ------------------------------------------------------------ whole declarations

    def _change(self, change: ast.Change) -> list[Edit | Diagnostic]:
        span, new = _head(change.span), change.declaration
        if new is None:
            keyword, name = change.declaration_kind or "", change.name or ""
            old = self.base.declared(keyword, name, span)
            return [old if isinstance(old, Diagnostic) else Edit(span, name_of(old), old.number)]
        keyword, name = keyword_of(new), name_of(new)
        if change.verb == "add":
            return [self._new(keyword, name, new, span)]
        if isinstance(new, ast.Setup):
            return [self._setup(new, span)]
        old = self.base.declared(keyword, name, span)
        if isinstance(old, Diagnostic):
            return [old]
        return [mismatch(old, new, span) or Edit(span, name_of(old), old.number, (new,))]

    def _new(self, keyword: str, name: str, new: ast.Node, span: Span) -> Edit | Diagnostic:
        """An added declaration; the base must have none of its kind and name."""
        for old in self.base.declarations:
            if (keyword_of(old), name_of(old)) == (keyword, name) and keyword not in MERGING:
                described = describe(keyword, name)
                what = described if keyword in SINGLE else with_article(described)
                helps = (f"to replace it, write `replace {keyword} …`",)
                labels = (Label(old.span, "declared here"),)
                fix = Replacement(Span(span.source, span.start, span.start + len("add")), "replace")
                return Diagnostic("E0803", "error", f"the game already has {what}", span, labels, helps, (fix,))
        claim = "" if keyword in MERGING else describe(keyword, name)
        return Edit(span, name, NEW, (new,), claim=claim)

    def _setup(self, new: ast.Setup, span: Span) -> Edit | Diagnostic:
        for part in self.base.file.parts:
            if part.name == "setup" and part.statements == new.statements:
                return unchanged(span, part)
        return Edit(span, "setup", SETUP, new.statements)

    # ------------------------------------------------------------ parts of a declaration

    def _inside(self, inside: ast.Inside) -> list[Edit | Diagnostic]:
        span = _head(inside.span)
        if inside.declaration_kind == "by players":
            tables = [node for node in self.base.declarations if isinstance(node, ast.ByPlayers)]
            if tables:
                return [self._row(tables, change) for change in inside.changes]
        owner = self.base.declared(inside.declaration_kind, inside.name or "", span)
        match owner:
            case Diagnostic():
                return [owner]
            case ast.Action() | ast.Step():
                return [self._requirement(owner, change) for change in inside.changes]
            case ast.Define():
                return [self._case(owner, change) for change in inside.changes]
            case ast.TypeTable():
                return [self._row([owner], change) for change in inside.changes]
            case _:  # a type without rows
                pass
        labels = (Label(owner.span, "declared here"),)
        helps = (f"replace the whole type: `replace type {inside.name} …`",)
        return [Diagnostic("E0801", "error", f"the type `{inside.name}` has no rows", span, labels, helps)]

    def _requirement(self, owner: ast.Action | ast.Step, change: ast.PartChange) -> Edit | Diagnostic:
        if isinstance(change.address, ast.OnceKey) or any(isinstance(new, ast.OfferedOnce) for new in change.parts):
            return self._once(owner, change)
        if not isinstance(change.address, ast.ReasonWords):
            return self._added(owner, owner.requires, change, "requires")
        selected = selectors.requirement(owner, change.address.words, change.address.span)
        return self._replaced(owner.name, selected, change)

    def _once(self, owner: ast.Action | ast.Step, change: ast.PartChange) -> Edit | Diagnostic:
        """A change of the line that says which moves of an action are the same."""
        span = _head(change.span)
        if isinstance(owner, ast.Step):
            labels, helps = (Label(owner.span, "declared here"),), (STEPS_ARE_NOT_OFFERED,)
            return Diagnostic("E0801", "error", f"`{owner.name}` is a step", span, labels, helps)
        if isinstance(change.address, ast.OnceKey):
            return self._replaced(owner.name, selectors.once(owner, span), change)
        if owner.once and owner.once[0] != change.parts[0]:
            helps = ("to replace it, write `replace offered once for …`",)
            label = Label(owner.once[0].span, "declared here")
            message = f"`{owner.name}` already says which of its moves are equal"
            return Diagnostic("E0803", "error", message, span, (label,), helps)
        edit = self._added(owner, owner.once, change, "once")
        return edit if isinstance(edit, Diagnostic) else replace(edit, claim=f"once of {owner.number}")

    def _case(self, owner: ast.Define, change: ast.PartChange) -> Edit | Diagnostic:
        if not isinstance(change.address, ast.Guard):
            return self._added(owner, owner.cases, change, "cases")
        selected = selectors.case(owner, change.address.condition, change.address.span)
        return self._replaced(owner.name, selected, change)

    def _row(self, tables: list[ast.TypeTable] | list[ast.ByPlayers], change: ast.PartChange) -> Edit | Diagnostic:
        name = name_of(tables[0])
        if isinstance(change.address, ast.RowKey):
            span = change.address.span if change.verb == "remove" else change.span
            selected = selectors.row(tables, change.address.key, span)
            return self._replaced(name or str(change.address.key), selected, change)
        if len(tables) > 1:
            labels = tuple(Label(table.span, "one of them") for table in tables)
            message = f"the game has {len(tables)} tables `by players`"
            return Diagnostic("E0802", "error", message, change.span, labels, ("add another: `add by players …:`",))
        (new,) = change.parts
        if isinstance(new, ast.Row):
            for old in tables[0].rows:
                if old.key == new.key:
                    helps = (f"to replace it, write `replace {new.key} …`",)
                    label = Label(old.span, "declared here")
                    message = f"there is already a row `{new.key}`"
                    return Diagnostic("E0803", "error", message, new.span, (label,), helps)
        claim = f"{tables[0].number} {getattr(new, 'key', '')}"
        return Edit(change.span, name, tables[0].number, (new,), "rows", claim)

    def _added(
        self,
        owner: ast.Action | ast.Step | ast.Define,
        present: tuple[ast.Node, ...],
        change: ast.PartChange,
        to: Field,
    ) -> Edit | Diagnostic:
        (new,) = change.parts
        same = next((old for old in present if old == new), None)
        if same is not None:
            return unchanged(new.span, same)
        # The first case that holds counts, so the order of two added ones matters.
        claim = f"first case of {owner.number}" if to == "cases" else ""
        return Edit(new.span, owner.name, owner.number, (new,), to, claim)

    def _replaced(self, name: str, old: ast.Node | Diagnostic, change: ast.PartChange) -> Edit | Diagnostic:
        if isinstance(old, Diagnostic):
            return old
        if change.parts == (old,):
            return unchanged(change.span, old)
        return Edit(change.span, name, old.number, change.parts)


def _head(span: Span) -> Span:
    """The first line of a span, without the comment at its end."""
    line = span.text.split("\n", 1)[0]
    return Span(span.source, span.start, span.start + len(line.split("  #", 1)[0].rstrip()))


# ---------------- checks of replacements: same types as what they replace, and some difference


def mismatch(old: ast.Node, new: ast.Node, span: Span) -> Diagnostic | None:
    """Report why a declaration cannot replace another of its kind and name; None if it can."""
    if old == new:
        return unchanged(span, old)
    for name, words in (("parameters", "parameter"), ("index", "index"), ("attributes", "attribute")):
        old_list, new_list = getattr(old, name, ()), getattr(new, name, ())
        if len(old_list) != len(new_list):
            declared, new_count = _number(len(old_list), words), len(new_list) or "none"
            return _differs(old, span, f"`{name_of(old)}` has {declared}, its replacement has {new_count}")
        for old_item, new_item in zip(old_list, new_list, strict=True):
            if old_item.type is not None and new_item.type is not None and not _alike(old_item.type, new_item.type):
                return _differs(old, span, f"`{new_item.name}` of `{name_of(old)}` has a different type")
    if isinstance(old, ast.Note | ast.Option) and isinstance(new, ast.Note | ast.Option) and _other(old.type, new.type):
        return _differs(old, span, f"`{old.name}` has a different type")
    if isinstance(old, ast.Define) and isinstance(new, ast.Define) and _other(old.result, new.result):
        return _differs(old, span, f"`{old.name}` has a different result type")
    return None


def unchanged(span: Span, old: ast.Node) -> Diagnostic:
    """Report a replacement that equals what it replaces."""
    helps = ("remove this change",)
    return Diagnostic("E0805", "error", "this changes nothing", span, (Label(old.span, "identical to this"),), helps)


def _other(old: ast.TypeUnion | None, new: ast.TypeUnion | None) -> bool:
    return old is not None and new is not None and not _alike(old, new)


def _alike(old: ast.TypeUnion, new: ast.TypeUnion) -> bool:
    """True if two types are the same, or both numbers; a variant may change the range."""
    if old == new:
        return True
    ranges = [len(type_.members) == 1 and isinstance(type_.members[0], ast.TypeRange) for type_ in (old, new)]
    return all(ranges)


def _number(number: int, word: str) -> str:
    return counted(number, word) if number else f"no {plural_of(word)}"


def _differs(old: ast.Node, span: Span, message: str) -> Diagnostic:
    helps = ("keep the types, or remove the declaration and add one with a new name",)
    return Diagnostic("E0804", "error", message, span, (Label(old.span, "declared here"),), helps)


# ---------------- the changes of a variant as edits of the base's tree, each with a target that can be compared


SETUP = -1
"""The target that means the statements of the set-up."""

NEW = -2
"""The target that means the whole game: declarations are added to it."""

Field = Literal["", "phases", "requires", "once", "cases", "rows"]


@dataclass(frozen=True)
class Edit:
    """New nodes that replace one node of the base, or are added to one.

    `target` is the number of that node, `adds` the field they are added to, or empty if they replace it. `name` is the
    name of the declaration concerned. Edits with the same `claim`, if they have one, conflict.
    """

    span: Span
    name: str
    target: int
    new: tuple[ast.Node, ...] = ()
    adds: Field = ""
    claim: str = ""

    @property
    def removes(self) -> bool:
        """True if something is removed without a replacement."""
        return not self.adds and not self.new
