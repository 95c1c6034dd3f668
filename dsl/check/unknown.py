"""Words that stand for nothing, in a row of words that looks like a kind of piece."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.check.context import Context, Scope, near
from dsl.spelling import nearest

WORDS = (
    "and", "or", "not", "is", "in", "of", "before", "after", "where", "count", "some", "no", "the", "sum", "highest",
    "lowest", "for", "with", "if", "else", "from", "to", "times", "while", "because", "choose",
)  # fmt: skip
"""Words of the language that stand between others: misspelt, they look like a part of what stands beside them."""


def unknown_word(context: Context, node: ast.Expression, scope: Scope, more: Iterable[str] = ()) -> bool:
    """Report the first word of a row that is no name, and which word or name was meant; whether there is one."""
    for word in node.words if isinstance(node, ast.Pattern) else ():
        if not isinstance(word, ast.Name) or _is_known(context, word.name, scope):
            continue
        names = near(word.name, [*scope.visible(), *context.names(), *more])
        meant = dict.fromkeys([*nearest(word.name, WORDS, 1, 0.75), *names])
        context.error("E0201", f"there is no `{word.name}`", word, meant=[*meant][:4])
        return True
    return False


def _is_known(context: Context, name: str, scope: Scope) -> bool:
    if scope.find(name) is not None:
        return True
    if name in context.globals or name in context.values or name in context.families:
        return True
    return any(name in symbol.members for owner, symbol in context.model.type_symbols.items() if " " in owner)
