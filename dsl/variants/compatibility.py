"""Checks of replacements: same types as what they replace, and some difference."""

from __future__ import annotations

from dsl import ast
from dsl.diagnostics import Diagnostic, Label
from dsl.text.nouns import counted, plural_of
from dsl.text.span import Span
from dsl.variants.declaration_kinds import name_of


def mismatch(old: ast.Node, new: ast.Node, span: Span) -> Diagnostic | None:
    """Report why a declaration cannot replace another of its kind and name; None if it can."""
    if old == new:
        return unchanged(span, old)
    for field, words in (("parameters", "parameter"), ("index", "index"), ("attributes", "attribute")):
        old_list, new_list = getattr(old, field, ()), getattr(new, field, ())
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
