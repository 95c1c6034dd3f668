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

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Literal

from dsl import ast
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted, plural_of
from dsl.text.span import Span
from dsl.variants import selectors
from dsl.variants.selectors import SINGLE, Base, StatementOwner, describe, keyword_of, name_of, with_article

MERGING = frozenset({"by players", "names"})
"""Kinds of which a variant can add another declaration: together they are one."""

STEPS_ARE_NOT_OFFERED = "only actions are offered to a player: write it in the action that does the step"


@dataclass
class Reader:
    """Reads the changes of the variants of one base."""

    base: Base
    edits: list[Edit] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    replaced_phases: list[tuple[ast.Phase, ast.Phase, Span]] = field(default_factory=list)

    def read(self, variant: ast.VariantFile) -> None:
        """Record the edits of a variant, and the diagnostics of its changes."""
        self.replaced_phases = []
        first_edit = len(self.edits)
        for difference in variant.changes:
            results = self._change(difference) if isinstance(difference, ast.Change) else self._inside(difference)
            self.diagnostics += [result for result in results if isinstance(result, Diagnostic)]
            self.edits += [result for result in results if isinstance(result, Edit)]
        for old, new, span in self.replaced_phases:
            self._lost_clauses(old, new, span, first_edit)

    def _lost_clauses(self, old: ast.Phase, new: ast.Phase, span: Span, first_edit: int) -> None:
        """Warn of clauses that a replaced phase no longer has, unless the variant says that they are removed."""
        for words, clause in clauses(old).items():
            if words in clauses(new):
                continue
            removed = [edit for edit in self.edits[first_edit:] if (edit.target, edit.adds) == (old.number, words)]
            self.edits = [edit for edit in self.edits if edit not in removed]
            if not removed:
                message = f"`{words}` of phase `{old.name}` is gone"
                stated = " ".join(clause.span.text.split())
                helps = (
                    f"state it again: `{stated}`; to drop it, write `remove {words}` below `in phase {old.name}:`",
                    "to change only some statements or clauses, write `in phase` instead of `replace phase`",
                )
                labels = (Label(clause.span, "declared here"),)
                self.diagnostics.append(Diagnostic("E0809", "warning", message, span, labels, helps))
        inner = {phase.name: phase for phase in old.phases}
        for phase in new.phases:
            if phase.name in inner:
                self._lost_clauses(inner[phase.name], phase, _head(phase.span), first_edit)

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
        if isinstance(old, ast.Phase) and isinstance(new, ast.Phase):
            self.replaced_phases.append((old, new, span))
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
        if inside.declaration_kind == "setup":
            return [edit for change in inside.changes for edit in self._in_setup(change, span)]
        owner = self.base.declared(inside.declaration_kind, inside.name or "", span)
        match owner:
            case Diagnostic():
                return [owner]
            case ast.Action() | ast.Step() | ast.When() | ast.Phase():
                return [edit for change in inside.changes for edit in self._in_rule(owner, change)]
            case ast.Define():
                return [self._case(owner, change) for change in inside.changes]
            case ast.TypeTable():
                return [self._row([owner], change) for change in inside.changes]
            case _:  # a type without rows
                pass
        labels = (Label(owner.span, "declared here"),)
        helps = (f"replace the whole type: `replace type {inside.name} …`",)
        return [Diagnostic("E0801", "error", f"the type `{inside.name}` has no rows", span, labels, helps)]

    def _in_setup(self, change: ast.PartChange, span: Span) -> list[Edit | Diagnostic]:
        if not self.base.setup:
            helps = ("write `replace setup:` and its statements",)
            return [Diagnostic("E0801", "error", "nothing is done in the `setup` of the game", span, helps=helps)]
        return self._in_rule(ast.Setup(span=self.base.setup[0].span, number=SETUP, statements=self.base.setup), change)

    def _in_rule(self, owner: StatementOwner, change: ast.PartChange) -> list[Edit | Diagnostic]:
        address = change.address
        if isinstance(address, ast.StatementKey):
            return self._statement(owner, address, change)
        if isinstance(address, ast.PhaseClauseKey) or any(isinstance(part, ast.PhaseClause) for part in change.parts):
            return [self._clause(owner, change)]
        if isinstance(owner, ast.Step) and any(isinstance(part, ast.Cue) for part in change.parts):
            return [edit for cue in change.parts if isinstance(cue, ast.Cue) for edit in self._cue(owner, cue, change)]
        if any(isinstance(part, ast.Cue) for part in change.parts):
            return [_wrong_kind(owner, change, ("only steps are done before or after other rules",))]
        if isinstance(owner, ast.Action | ast.Step):
            return [self._requirement(owner, change)]
        helps = ("write it in an action or a step: they have requirements",)
        return [_wrong_kind(owner, change, helps)]

    def _statement(
        self, owner: StatementOwner, key: ast.StatementKey, change: ast.PartChange
    ) -> list[Edit | Diagnostic]:
        if isinstance(owner, ast.Phase) and owner.phases:
            inner = ", ".join(f"`in phase {phase.name}:`" for phase in owner.phases)
            helps = (f"its statements are in the phases in it: write {inner}",)
            return [_wrong_kind(owner, change, helps)]
        selected = selectors.statement(owner, key)
        name = name_of(owner) or "setup"
        if isinstance(selected, Diagnostic):
            return [selected]
        if change.verb == "before" or change.verb == "after":
            # The order of what two variants put there would matter.
            claim = f"{change.verb} {selected.number}"
            return [Edit(_head(change.span), name, selected.number, change.parts, change.verb, claim)]
        acts = [part for part in change.parts if isinstance(part, ast.Act)]
        if not acts:
            return [self._replaced(name, selected, change)]
        if not isinstance(selected, ast.Decide):
            labels = (Label(selected.span, "this statement"),)
            helps = ("replace it as a whole",)
            return [Diagnostic("E0801", "error", "only `must` and `may` have alternatives", key.span, labels, helps)]
        return [self._alternative(name, selected, act, change) for act in acts]

    def _alternative(self, name: str, decide: ast.Decide, act: ast.Act, change: ast.PartChange) -> Edit | Diagnostic:
        """An alternative that is added to a decision or removed from it."""
        present = [*decide.acts, *decide.otherwise]
        same = next((old for old in present if old == act), None)
        if change.verb == "add":
            claim = f"{' '.join(act.span.text.split())} of {decide.number}"
            return unchanged(act.span, same) if same else Edit(act.span, name, decide.number, (act,), "acts", claim)
        if same is None:
            labels = (Label(decide.span, "the alternatives"),)
            message = f"`{act.span.text}` is none of the alternatives"
            return Diagnostic("E0801", "error", message, act.span, labels)
        return Edit(act.span, name, same.number)

    def _clause(self, owner: StatementOwner, change: ast.PartChange) -> Edit | Diagnostic:
        """A change of a clause of a phase."""
        span = _head(change.span)
        if not isinstance(owner, ast.Phase):
            return _wrong_kind(owner, change, ("only phases have such clauses",))
        (clause,) = change.parts if change.parts else (change.address,)
        assert isinstance(clause, ast.PhaseClause | ast.PhaseClauseKey)
        present = clauses(owner).get(clause.words)
        if change.verb == "add" and present is not None and present != clause:
            helps = (f"to replace it, write `replace {clause.words} …`",)
            labels = (Label(present.span, "declared here"),)
            return Diagnostic("E0803", "error", f"`{owner.name}` already has `{clause.words}`", span, labels, helps)
        if change.verb != "add" and present is None:
            labels = (Label(_head(owner.span), "declared here"),)
            return Diagnostic("E0801", "error", f"`{owner.name}` has no clause `{clause.words}`", span, labels)
        if present is not None and present == clause:
            return unchanged(span, present)
        claim = f"{clause.words} of {owner.number}"
        return Edit(span, owner.name, owner.number, change.parts, clause.words, claim)

    def _cue(self, owner: ast.Step, cue: ast.Cue, change: ast.PartChange) -> Iterator[Edit | Diagnostic]:
        """A change of the rules that a step is done before or after."""
        present = {rule: rule for old in owner.cues if old.relation == cue.relation for rule in old.rules}
        for rule in cue.rules:
            same = present.get(rule)
            if change.verb == "add" and same is not None:
                yield unchanged(rule.span, same)
            elif change.verb == "remove" and same is None:
                labels = (Label(_head(owner.span), "declared here"),)
                message = f"`{owner.name}` is not done {cue.relation} `{rule.full_name}`"
                yield Diagnostic("E0801", "error", message, rule.span, labels)
            elif same is not None:
                yield Edit(rule.span, owner.name, same.number)
        if change.verb == "add":
            claim = f"{cue.relation} {' or '.join(rule.full_name for rule in cue.rules)} of {owner.number}"
            yield Edit(_head(change.span), owner.name, owner.number, (cue,), "cues", claim)

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


CLAUSE_FIELDS: dict[ast.ClauseWords, str] = {
    "turns from": "first",
    "over when": "over_when",
    "repeated until": "repeated_until",
    "over as soon as": "over_at_once",
}
"""The field of a phase that holds the value of each clause."""


def clauses(phase: ast.Phase) -> dict[ast.ClauseWords, ast.PhaseClause]:
    """The clauses of a phase by their words."""
    present: dict[ast.ClauseWords, ast.PhaseClause] = {}
    for words, name in CLAUSE_FIELDS.items():
        value = getattr(phase, name)
        if value is not None:
            last, backwards = (phase.last, phase.backwards) if words == "turns from" else (None, None)
            source = value.span.source  # in a game with variants not that of the phase
            start = source.text.rindex(words.split()[0], 0, value.span.start - len(words.split()[-1]))
            span = Span(source, start, (backwards or last or value).span.end)
            present[words] = ast.PhaseClause(
                span=span, number=phase.number, words=words, value=value, last=last, backwards=backwards
            )
    return present


def _wrong_kind(owner: StatementOwner, change: ast.PartChange, helps: tuple[str, ...]) -> Diagnostic:
    """Report a change of a part that declarations of this kind do not have."""
    described = describe(keyword_of(owner), name_of(owner))
    labels = (Label(_head(owner.span), "declared here"),)
    return Diagnostic("E0801", "error", f"{described} has no such part", _head(change.span), labels, helps)


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

Field = (
    Literal[
        "",
        "phases",
        "requires",
        "once",
        "cues",
        "rules",
        "cases",
        "rows",
        "body",
        "then",
        "otherwise",
        "instead",
        "acts",
        "before",
        "after",
    ]
    | ast.ClauseWords
)


@dataclass(frozen=True)
class Edit:
    """New nodes that replace one node of the base, or are added to one.

    `target` is the number of that node, `adds` the field they are added to, or empty if they replace it; also the side
    of a statement, or the clause of a phase that is set or removed. `name` is the name of the declaration concerned.
    Edits with the same `claim`, if they have one, conflict.
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
