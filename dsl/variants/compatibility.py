"""Checks of replacements: whether they have the type of what they replace, and change anything."""

from __future__ import annotations

from dsl import ast
from dsl.diagnostics import Diagnostic, Label
from dsl.text.nouns import counted, plural_of
from dsl.text.span import Span
from dsl.variants.declaration_kinds import name_of


def misfit(old: ast.Node, new: ast.Node, place: Span) -> Diagnostic | None:
    """Report why a declaration cannot replace another of its kind and name; None if it can."""
    if old == new:
        return unchanged(place, old)
    for field, words in (("parameters", "parameter"), ("index", "index"), ("attributes", "attribute")):
        before, after = getattr(old, field, ()), getattr(new, field, ())
        if len(before) != len(after):
            return _differs(old, place, f"`{name_of(old)}` has {_number(len(before), words)}, here {len(after)}")
        for one, other in zip(before, after, strict=True):
            if one.type is not None and other.type is not None and not _alike(one.type, other.type):
                return _differs(old, place, f"`{other.name}` of `{name_of(old)}` is of another type")
    if isinstance(old, ast.Note | ast.Option) and isinstance(new, ast.Note | ast.Option) and _other(old.type, new.type):
        return _differs(old, place, f"`{old.name}` is of another type")
    if isinstance(old, ast.Define) and isinstance(new, ast.Define) and _other(old.result, new.result):
        return _differs(old, place, f"`{old.name}` gives another type")
    return None


def unchanged(place: Span, old: ast.Node) -> Diagnostic:
    """Report a replacement that equals what it replaces."""
    helps = ("leave it out",)
    return Diagnostic("E0805", "error", "this changes nothing", place, (Label(old.span, "it says the same"),), helps)


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


def _differs(old: ast.Node, place: Span, message: str) -> Diagnostic:
    helps = ("what stands in its place keeps the types; else remove it and add another under a new name",)
    return Diagnostic("E0804", "error", message, place, (Label(old.span, "declared here"),), helps)
