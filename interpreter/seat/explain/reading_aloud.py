"""Expressions, types and texts of the rules as a player reads them: without brackets, dots and underscores.

`count hand[me] of kind` becomes `count your hand of kind`, and the text `lay {n} {kind}` becomes `lay [number] [kind]`.

Few forms of expressions need an order of words of their own, such as `hand[me]` and `c.rank`. In all others the text of
the rules is kept and only its parts are replaced, from left to right: `a + b * c` stays as the author wrote it, with
its names in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, LocalSymbol, TypeSymbol
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

MIN_WORD_LENGTH = 3
"""Minimum length of the name of a parameter that says what it is; others are abbreviations."""

COMPARISONS: Mapping[ast.Comparison, tuple[Phrase, Phrase]] = {
    ">=": (Phrase("{left} is at least {right}"), Phrase("you are at least {right}")),
    "<=": (Phrase("{left} is at most {right}"), Phrase("you are at most {right}")),
    ">": (Phrase("{left} is more than {right}"), Phrase("you are more than {right}")),
    "<": (Phrase("{left} is less than {right}"), Phrase("you are less than {right}")),
    "is": (Phrase("{left} is {right}"), Phrase("you are {right}")),
    "is not": (Phrase("{left} is not {right}"), Phrase("you are not {right}")),
    "is in": (Phrase("{left} is in {right}"), Phrase("you are in {right}")),
    "is not in": (Phrase("{left} is not in {right}"), Phrase("you are not in {right}")),
    "before": (Phrase("{left} before {right}"), Phrase("you are before {right}")),
    "after": (Phrase("{left} after {right}"), Phrase("you are after {right}")),
}
"""Comparisons of two values, and of the seat that reads them with a value."""

NEIGHBOURS = {"left": Phrase("left neighbour"), "right": Phrase("right neighbour")}
NEIGHBOURS_AMONG = {
    "left": Phrase("the next of {seats} to the left of {seat}"),
    "right": Phrase("the next of {seats} to the right of {seat}"),
}
"""The same functions with a set of seats."""

KEYWORDS = {
    str(word): word
    for word in (
        Phrase("and", context="keyword"), Phrase("or", context="keyword"), Phrase("not", context="keyword"),
        Phrase("count", context="keyword"), Phrase("some", context="keyword"), Phrase("no", context="keyword"),
        Phrase("the", context="keyword"), Phrase("with", context="keyword"), Phrase("where", context="keyword"),
        Phrase("in", context="keyword"), Phrase("of", context="keyword"), Phrase("for", context="keyword"),
        Phrase("is", context="keyword"), Phrase("given", context="keyword"), Phrase("times", context="keyword"),
        Phrase("if", context="keyword"), Phrase("else", context="keyword"), Phrase("sum", context="keyword"),
        Phrase("highest", context="keyword"), Phrase("lowest", context="keyword"),
        Phrase("rounded up", context="keyword"), Phrase("rounded down", context="keyword"),
        Phrase("before", context="keyword"), Phrase("after", context="keyword"),
    )
}  # fmt: skip
"""The keywords of expressions, which are read as they are written, each in the language of the reader."""
_KEYWORD = re.compile(rf"\b(?:{'|'.join(sorted(KEYWORDS, key=len, reverse=True))})\b")


def spaced(name: str) -> str:
    """A name of the rules in words: `free_ends` and `FreeEnds` are `free ends`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


def type_words(words: Words, type_: ty.Type, number: int = 1) -> str:
    """A value of a type, or `number` of them, as a noun: `colour`, `card`, `number`."""
    match type_:
        case ty.Truth():
            return words.phrase("yes or no")
        case ty.Number():
            return words.phrase("number")
        case ty.Listed(name, _, parts):
            declared = [part for part in parts if " " not in part] or [name.partition(" ")[2] or name]
            return words.phrase(" or ").join(
                _declared(words, part, number) for part in declared
            )  # not `die d`: its other faces
        case ty.PieceType(piece_types):
            names = [_declared(words, name, number) for name in sorted(piece_types)]
            return words.phrase(" or ").join(names) or words.phrase("piece")
        case ty.Several(element) | ty.ListType(element):
            return type_words(words, element, 2)
        case ty.Contents(pieces):
            return type_words(words, pieces, 2)
        case ty.Maybe(of):
            return type_words(words, of, number)
        case ty.Kind():
            return words.phrase("kind")
        case ty.TextType():
            return words.phrase("text")
        case ty.Nothing():
            return words.name("nothing")
        case ty.Unknown():
            return words.phrase("value")
        case _ as never:
            assert_never(never)


def _declared(words: Words, name: str, number: int) -> str:
    display_name = words.name(name, number)
    return spaced(name) if display_name == name else display_name


def text_with_holes(model: Model, words: Words, text: ast.Text) -> str:
    """A text whose expressions are replaced by what they stand for: `house on [space] for [number] [colour]`."""
    parts = words.parts(text)
    return "".join(part if isinstance(part, str) else f"[{_hole(model, words, part)}]" for part in parts)


def _hole(model: Model, words: Words, node: ast.Expression) -> str:
    symbol, type_ = model.refers.get(node.number), model.types[node.number]
    if isinstance(symbol, LocalSymbol) and isinstance(type_, ty.Several | ty.Kind | ty.TextType):
        return local_words(words, symbol)
    return type_words(words, type_)


def local_words(words: Words, symbol: LocalSymbol) -> str:
    """A parameter or a thing chosen, as a noun: its name, or its type if that is a letter or two, or not translated."""
    name = words.heading(symbol.name)
    is_foreign = words.language is not None and name == symbol.name.replace("_", " ")
    return type_words(words, symbol.type) if is_foreign or len(symbol.name) < MIN_WORD_LENGTH else name


def _is_me(node: ast.Node) -> bool:
    return isinstance(node, ast.Name) and node.name == "me"


class Reader:
    """Reads expressions of one game aloud.

    `value` gives the words for a name in scope whose value is known, such as a parameter; `acting` is the seat that
    `me` is, if it is somebody else than the reader.
    """

    def __init__(
        self, model: Model, words: Words, value: Callable[[ast.Name], str | None] = lambda _: None, acting: str = ""
    ) -> None:
        self.model, self.words, self.value, self.acting = model, words, value, acting

    def read(self, node: ast.Node) -> str:
        """An expression in words."""
        match node:
            case ast.Name() if _is_me(node):
                return self.words.name(self.acting) if self.acting else self.words.phrase("you")
            case ast.Name() if (value := self.value(node)) is not None:
                return value
            case ast.Name(name=name) if isinstance(self.model.refers.get(node.number), TypeSymbol):
                return _declared(self.words, name, 2)
            case ast.Name(name=name):
                display_name = self.words.name(name)
                return self.words.heading(name) if display_name == name else display_name
            case ast.Call(base=ast.Name(name=name), arguments=[seat, seats]) if name in NEIGHBOURS and self._is_builtin(
                node
            ):
                return self.words.phrase(NEIGHBOURS_AMONG[name], seats=self.read(seats), seat=self.read(seat))
            case ast.Call(base=ast.Name(name=name), arguments=arguments) if self._is_builtin(node):
                return self._of(self._builtin(name), arguments)
            case ast.Call(base=base, arguments=arguments) if isinstance(self.model.types.get(node.number), ty.Truth):
                return f"{self.read(base)} ({', '.join(map(self.read, arguments))})"
            case ast.Index(base=ast.Name(name=name), arguments=arguments) if not any(map(self._is_reader, arguments)):
                return self._place(name, arguments)
            case ast.Call(base=base, arguments=arguments) | ast.Index(base=base, arguments=arguments):
                return self._of(self.read(base), arguments)
            case ast.Act(name=name, arguments=arguments):
                return self._of(self.words.heading(name.partition("(")[0]), arguments)
            case ast.Attribute(base=base, name=name):
                return self._whose(self.words.heading(name), base)
            case ast.SetOf(items=items) | ast.ListOf(items=items):
                return ", ".join(map(self.read, items)) or self.words.name("nothing")
            case ast.Compare(operator=operator, left=left, right=right):
                about_others, about_reader = COMPARISONS[operator]
                comparison = about_reader if self._is_reader(left) else about_others
                return self.words.phrase(comparison, left=self._side(left), right=self._side(right))
            case ast.Hypothesis(value=value, step=step):
                return self.words.phrase("{left} after {right}", left=self.read(value), right=self.read(step))
            case _:
                return self._spliced(node)

    def _side(self, node: ast.Expression) -> str:
        """One side of a comparison, in brackets if it is a condition itself."""
        return f"({self.read(node)})" if isinstance(node, ast.Compare | ast.And | ast.Or | ast.Not) else self.read(node)

    def _applied_to(self, node: ast.Node) -> str:
        """What a function is applied to, in brackets if it is a sum or several things."""
        return f"({self.read(node)})" if isinstance(node, ast.Arithmetic) else self._inside(node)

    def _inside(self, node: ast.Node) -> str:
        """An expression inside another one, in brackets if it is several things."""
        several = isinstance(node, ast.SetOf | ast.ListOf) and len(node.items) > 1
        return f"({self.read(node)})" if several else self.read(node)

    def _is_reader(self, node: ast.Node) -> bool:
        return _is_me(node) and not self.acting

    def _place(self, name: str, arguments: Sequence[ast.Expression]) -> str:
        """A zone or note at an index: by its display name, such as `pile {x}`, or else `pile of x`."""
        index = [self.read(argument) for argument in arguments]
        shown = self.words.place(name, index)
        return shown if "[" not in shown else self._of(self.words.heading(name), arguments)

    def _is_builtin(self, node: ast.Node) -> bool:
        return isinstance(self.model.refers.get(node.number), BuiltinSymbol)

    def _of(self, name: str, arguments: Sequence[ast.Expression]) -> str:
        if not arguments:
            return name
        if len(arguments) == 1:
            return self._whose(name, arguments[0])
        return self.words.phrase("{name} of {owner}", name=name, owner=", ".join(map(self._applied_to, arguments)))

    def _whose(self, name: str, owner: ast.Expression) -> str:
        if self._is_reader(owner):
            return self.words.phrase("your {name}", name=name)
        return self.words.phrase("{name} of {owner}", name=name, owner=self._applied_to(owner))

    def _builtin(self, name: str) -> str:
        """The name of a function of the language."""
        return self.words.phrase(NEIGHBOURS[name]) if name in NEIGHBOURS else spaced(name)

    def _keywords(self, text: str) -> str:
        """Part of an expression that is not a name or value, in the language of the reader."""
        return _KEYWORD.sub(lambda match: self.words.phrase(KEYWORDS[match[0]]), text)

    def _spliced(self, node: ast.Node) -> str:
        """The text of an expression with its parts in words."""
        # INVARIANT: children are visited in the order of the source, and one that begins before the end of the last (a
        # synthesised node with the span of another) is omitted, so no text is copied twice.
        source, at, spliced = node.span, node.span.start, ""
        read = self._inside if isinstance(node, ast.Arithmetic | ast.Count) else self.read
        for child in sorted(node.children(), key=lambda child: child.span.start):
            if at <= child.span.start and child.span.is_inside(source):
                spliced += self._keywords(source.source.text[at : child.span.start]) + read(child)
                at = child.span.end
        text = spliced + self._keywords(source.source.text[at : source.end])
        text = re.sub(r"(?<=\w)_+(?=\w)", " ", text.replace("{", "").replace("}", ""))
        return " ".join(text.split())
