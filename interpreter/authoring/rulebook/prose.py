"""Expressions as a rulebook says them.

`count c in hand[me] where c.rank is king` is `the number of cards in your hand where rank is king`. What a rule
leaves open is a noun in square brackets, named after its type: `[card]`, and `[card w]` where a rule speaks of two.
Articles and pronouns that depend on the gender of a noun are avoided, so that phrases can be translated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from dsl import ast
from dsl.checker.names.functions import FUNCTIONS
from dsl.model import Model
from dsl.symbols import (
    BuiltinSymbol,
    DefineSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    TypeSymbol,
    ZoneSymbol,
)
from dsl.text.nouns import plural_of
from dsl.types import PLAYER, Contents, Listed, Maybe, Number, PieceType, Several, Truth, Type, bare, element_of
from interpreter.seat.explain.reading_aloud import Reader, local_words, type_words
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

FUNCTIONS_IN_WORDS = {
    "first": Phrase("the first of {a}"),
    "last": Phrase("the last of {a}"),
    "top": Phrase("the top of {a}"),
    "bottom": Phrase("the bottom of {a}"),
    "magnitude": Phrase("{a} without its sign"),
    "larger": Phrase("the larger of {a} and {b}"),
    "smaller": Phrase("the smaller of {a} and {b}"),
    "reach": Phrase("all that can be reached from {a} over {b}"),
    "groups": Phrase("the groups of {a} joined by {b}"),
    "path": Phrase("the shortest way from {a} to {b} over {c}"),
    "paths": Phrase("the ways through {c} or more of {a} over {b}"),
    "packings": Phrase("the selections from {a} that share nothing"),
    "nth": Phrase("number {a} of {b}"),
    "near": Phrase("the neighbours of {a} over {b}"),
    "between": Phrase("all between {a} and {b}"),
    "handfuls": Phrase("{b} to {c} of {a}"),
}
"""Functions of the language with arguments that are read in another order."""

SEVERAL_IN_WORDS = {"first": Phrase("the first {a} of {b}"), "last": Phrase("the last {a} of {b}")}
"""Those that are read otherwise with a number as the first argument."""

ARITHMETIC = {"+": Phrase("{a} together with {b}"), "-": Phrase("{a} without {b}"), "&": Phrase("those of {a} in {b}")}
"""The operators between sets."""

SIGNS = {"+": "+", "-": "\u2212", "*": "\u00d7"}
"""The operators between numbers."""


_TO_OTHER_BRACKETS, _FROM_OTHER_BRACKETS = str.maketrans("[]", "\x02\x03"), str.maketrans("\x02\x03", "[]")
_YOU = "\x02"

IN_EXAMPLES = {
    "winners": Phrase("the winners"), "over": Phrase("the game is over"), "player": Phrase("who decides"),
    "moves": Phrase("the legal moves"),
}  # fmt: skip
"""Names that only examples use."""


PREPOSITIONS = (" in", " at", " on", " for", " before")
"""How names end that need no `of`: `houses_in`."""


class Walked(Protocol):
    """Part of a rule that is searched for names: a node, or a block of statements."""

    def walk(self) -> Iterator[ast.Node]:
        """All nodes in it."""


class StatementBlock:
    """A block of statements, to be searched for names."""

    def __init__(self, statements: Sequence[ast.Statement]) -> None:
        self._statements = statements

    def walk(self) -> Iterator[ast.Node]:
        """All nodes in it."""
        for statement in self._statements:
            yield from statement.walk()


class Prose(Reader):
    """Reads expressions of a game for a rulebook; names in scope are nouns in square brackets, or their values."""

    def __init__(
        self, model: Model, words: Words, value: Callable[[ast.Name], str | None] = lambda _: None, acting: str = ""
    ) -> None:
        super().__init__(model, words, self._local, acting)
        self._known_value = value
        self._nouns: dict[LocalSymbol, str] = {}
        self._subjects: tuple[LocalSymbol, ...] = ()

    # ------------------------------------------------------------ names in scope

    def name_locals(self, declaration: Walked) -> None:
        """Choose the nouns of the names in a declaration: of two with the same noun, the second is told apart."""
        names_by_noun: dict[str, list[str]] = {}
        for node in declaration.walk():
            symbol = self.model.refers.get(node.number)
            if isinstance(symbol, LocalSymbol) and symbol not in self._nouns:
                noun = self.noun(symbol)
                names = names_by_noun.setdefault(noun, [])
                if symbol.name not in names:
                    names.append(symbol.name)
                self._nouns[symbol] = noun if symbol.name == names[0] else f"{noun} {symbol.name.replace('_', ' ')}"

    def noun(self, symbol: LocalSymbol) -> str:
        """A parameter or a thing chosen as a noun: its name, or its type if that says more."""
        noun = local_words(self.words, symbol)
        return self.kind_of_thing(symbol.type, 1) if noun == type_words(self.words, symbol.type) else noun

    def open(self, symbol: LocalSymbol) -> str:
        """A name in scope: `[card]`."""
        return f"[{self._nouns.get(symbol) or self.noun(symbol)}]"

    def open_name(self, parameter: ast.Parameter) -> str:
        """The name of a parameter or of an index in scope."""
        symbol = self.model.refers.get(parameter.number)
        return self.open(symbol) if isinstance(symbol, LocalSymbol) else f"[{parameter.name}]"

    def _local(self, name: ast.Name) -> str | None:
        value, symbol = self._known_value(name), self.model.refers.get(name.number)
        return value if value is not None else self.open(symbol) if isinstance(symbol, LocalSymbol) else None

    def kind_of_thing(self, type_: Type, number: int) -> str:
        """The values of a type as a noun, of one or of several."""
        core = bare(type_)
        if isinstance(core, Maybe):
            core = bare(core.of)
        if core == PLAYER:
            return self.words.counted_phrase("player", "players", number)
        element = element_of(core) if isinstance(core, Several | Contents) else None
        if element is not None:
            return self.kind_of_thing(element, 2)
        if isinstance(core, PieceType) and core.piece_types:
            return self.words.phrase(" or ").join(self.words.type(name, number) for name in sorted(core.piece_types))
        noun = type_words(self.words, type_, number)
        is_named = isinstance(core, Listed) and any((core.name, 0) in lang.names for lang in self.words.languages)
        return noun if number == 1 or is_named or self.words.language is not None else plural_of(noun)

    # ------------------------------------------------------------ expressions

    def read(self, node: ast.Node) -> str:
        """An expression in words."""
        match node:
            case ast.Name(name=name) if isinstance(self.model.refers.get(node.number), TypeSymbol):
                symbol = self.model.refers[node.number]
                assert isinstance(symbol, TypeSymbol)
                return self.words.phrase("all {things}", things=self.kind_of_thing(symbol.type, 2))
            case ast.Name(name=name) if name in IN_EXAMPLES and self._is_builtin(node):
                return self.words.phrase(IN_EXAMPLES[name])
            case ast.Index(base=ast.Name(name=name), arguments=[argument]) if self._is_reader(argument):
                return self._own(name)
            case ast.Name(name=name) if isinstance(self.model.refers.get(node.number), OptionSymbol):
                return f"“{self.words.heading(name)}”"
            case ast.Attribute(base=ast.Name() as base, name=name) if self._is_subject(base):
                return self.words.heading(name)
            case ast.Range(low=low, high=high):
                return self.words.phrase("{low} to {high}", low=self.read(low), high=self.read(high))
            case ast.Count(operand=operand):
                return self.words.phrase("the number of {things}", things=self._counted(operand))
            case ast.Of(whole=whole, part=part):
                return self._within(self.read(part), whole)
            case ast.Quantified() | ast.Aggregate() | ast.Best() | ast.Filter() | ast.Builder():
                return self._about(node)
            case ast.Either(then=then, condition=condition, otherwise=otherwise):
                return self.words.phrase(
                    "{then} if {condition}, else {otherwise}",
                    then=self.read(then), condition=self.condition(condition), otherwise=self.read(otherwise),
                )  # fmt: skip
            case ast.And() | ast.Or() | ast.Not():
                return self.condition(node)
            case ast.Compare(operator="is" | "is not" as operator, left=left, right=right) if self._is_empty(right):
                return self._emptiness(left, is_empty=operator == "is")
            case ast.Arithmetic(operator=operator, left=left, right=right):
                return self._joined(node)
            case ast.Call(base=ast.Name(name=name), arguments=arguments) if self._is_function(node, name):
                values = dict(zip("abcdef", map(self.read, arguments), strict=False))
                several = SEVERAL_IN_WORDS.get(name) if len(arguments) > 1 else None
                return self.words.phrase(several or FUNCTIONS_IN_WORDS[name], **values)
            case ast.Call(base=ast.Name(name=name), arguments=arguments) if self._is_value(node):
                return self.words.name(f"{name}({', '.join(map(self.read, arguments))})")
            case ast.Call(base=base, arguments=arguments) if self._is_truth(node) and arguments:
                return f"{self.read(base)} ({', '.join(map(self.read, arguments))})"
            case _:
                return super().read(node)

    def condition(self, node: ast.Expression) -> str:
        """A condition in words: parts that are joined otherwise are in brackets."""
        match node:
            case ast.And():
                return self.words.both([self._operand(part) for part in ast.conjuncts(node)])
            case ast.Or():
                return self.words.either([self._operand(part) for part in _alternatives(node)])
            case ast.Not(operand=operand):
                return self.words.phrase("not {condition}", condition=self._operand(operand))
            case ast.Name() if isinstance(self.model.refers.get(node.number), OptionSymbol):
                return self.words.phrase("{option} is agreed", option=self.read(node))
            case ast.Name() if isinstance(self.model.refers.get(node.number), NoteSymbol):
                return self._is(self.read(node), self.words.name("true"))
            case ast.Index() if self._is_truth(node):
                return self._is(self.read(node), self.words.name("true"))
            case ast.Attribute(base=base, name=name) if not (isinstance(base, ast.Name) and self._is_subject(base)):
                return self._is(self.read(base), self.words.heading(name))
            case _:
                return self.read(node)

    def _is(self, left: str, right: str) -> str:
        return self.words.phrase("{left} is {right}", left=left, right=right)

    def _operand(self, node: ast.Expression) -> str:
        text = self.condition(node)
        return f"({text})" if isinstance(node, ast.And | ast.Or) else text

    def _is_truth(self, node: ast.Node) -> bool:
        return isinstance(self.model.types.get(node.number), Truth)

    def _is_function(self, node: ast.Node, name: str) -> bool:
        is_builtin = isinstance(self.model.refers.get(node.number), BuiltinSymbol) or name in FUNCTIONS
        return is_builtin and name in FUNCTIONS_IN_WORDS and not isinstance(self.model.globals.get(name), DefineSymbol)

    def _is_value(self, node: ast.Call) -> bool:
        """True for a value with arguments, such as `run(2)`."""
        symbols = self.model.refers.get(node.number), self.model.refers.get(node.base.number)
        return any(isinstance(symbol, FamilySymbol) for symbol in symbols)

    def _is_subject(self, name: ast.Name) -> bool:
        return self.model.refers.get(name.number) in self._subjects

    # ------------------------------------------------------------ members and what holds of them

    def things(
        self, binders: Sequence[ast.Binder], where: ast.Expression | None, number: int, value: Walked | None = None
    ) -> str:
        """The members that binders go through: `cards in your hand where rank is king`.

        `value` is what is said of each; where it or the condition names a member, the member is in brackets.
        """
        symbols = [self.model.refers.get(binder.number) for binder in binders]
        subject = symbols[-1] if len(symbols) == 1 else None
        members = self.words.both(
            [
                self._members(binder, symbol, number, self._is_named(symbol, (where, value, *binders), subject))
                for binder, symbol in zip(binders, symbols, strict=True)
                if isinstance(symbol, LocalSymbol)
            ]
        )
        if where is None:
            return members
        outer_subjects, self._subjects = self._subjects, (subject,) if isinstance(subject, LocalSymbol) else ()
        condition = self.condition(where)
        self._subjects = outer_subjects
        return self.words.phrase("{things} where {condition}", things=members, condition=condition)

    def _members(self, binder: ast.Binder, symbol: LocalSymbol, number: int, is_named: bool) -> str:
        noun, opened = self.kind_of_thing(symbol.type, number), self.open(symbol)
        if is_named:
            noun = opened if number == 1 else f"{noun} {opened}"
        domain = binder.domain
        if isinstance(domain, ast.Name) and isinstance(self.model.refers.get(domain.number), TypeSymbol):
            return noun
        return self._within(noun, domain)

    def _is_named(self, symbol: object, parts: Sequence[Walked | None], subject: object) -> bool:
        """True if a member is named other than as the owner of an attribute in the condition about it."""
        for number, part in enumerate(parts):
            nodes = list(part.walk()) if part is not None else []
            is_condition = number == 0 and symbol is subject
            owners = {node.base.number for node in nodes if is_condition and isinstance(node, ast.Attribute)}
            for node in nodes:
                is_use = isinstance(node, ast.Name) and self.model.refers.get(node.number) is symbol
                if is_use and node.number not in owners:
                    return True
        return False

    def _about(self, node: ast.Quantified | ast.Aggregate | ast.Best | ast.Filter | ast.Builder) -> str:
        phrase = self.words.phrase
        match node:
            case ast.Quantified(quantifier=quantifier, binders=binders, where=where):
                things = self.things(binders, where, 2 if quantifier == "count" else 1)
                match quantifier:
                    case "count":
                        return phrase("the number of {things}", things=things)
                    case "some":
                        return phrase("there is some {thing}", thing=things)
                    case "no":
                        return phrase("there is no {thing}", thing=things)
                    case "the":
                        return phrase("the {thing}", thing=things)
            case ast.Aggregate(function=function, value=value, binders=binders, where=where):
                things, text = self.things(binders, where, 2, value), self.read(value)
                match function:
                    case "sum":
                        return phrase("the sum of {value} over all {things}", value=text, things=things)
                    case "highest":
                        return phrase("the highest {value} of all {things}", value=text, things=things)
                    case "lowest":
                        return phrase("the lowest {value} of all {things}", value=text, things=things)
            case ast.Best(function=function, binder=binder, value=value, where=where):
                thing, text = self.things([binder], where, 1, value), self.read(value)
                if function == "highest":
                    return phrase("the {thing} with the highest {value}", thing=thing, value=text)
                return phrase("the {thing} with the lowest {value}", thing=thing, value=text)
            case ast.Filter(binder=binder, where=where):
                return self.things([binder], where, 2)
            case ast.Builder(value=value, binders=binders, where=where):
                things = self.things(binders, where, 2, value)
                return phrase("{value} for all {things}", value=self.read(value), things=things)

    # ------------------------------------------------------------ zones and sets

    def _counted(self, operand: ast.Expression) -> str:
        """What is counted: `cards in your hand` for a zone."""
        if isinstance(operand, ast.Of | ast.Filter | ast.Builder):
            return self.read(operand)
        type_ = self.model.types.get(operand.number)
        if isinstance(type_, Contents) and self._is_zone(operand):
            return self._within(self.kind_of_thing(type_.pieces, 2), operand)
        if isinstance(operand, ast.Name) and isinstance(self.model.refers.get(operand.number), TypeSymbol):
            symbol = self.model.refers[operand.number]
            assert isinstance(symbol, TypeSymbol)
            return self.kind_of_thing(symbol.type, 2)
        return self.read(operand)

    def _is_zone(self, node: ast.Node) -> bool:
        base = node.base if isinstance(node, ast.Index) else node
        return isinstance(self.model.refers.get(base.number), ZoneSymbol) or (
            isinstance(base, ast.Name) and base.name in self.model.zones
        )

    def place(self, name: str, index: Sequence[str]) -> str:
        """A zone or note at an index in words: by its display name, or else `hand of [player]`."""
        if not index:
            return self.words.heading(name) if self.words.name(name) == name else self.words.name(name)
        # a display name is told from a missing one by square brackets, which the index may have itself
        place = self.words.place(name, [text.translate(_TO_OTHER_BRACKETS) for text in index])
        if "[" not in place:
            named = place.translate(_FROM_OTHER_BRACKETS)
            if named == ", ".join(index):
                return self.words.phrase("{name} at {place}", name=self.words.heading(name), place=named)
            return named
        heading = self.words.heading(name).removesuffix(" of")
        return self.words.phrase("{name} of {owner}", name=heading, owner=", ".join(index))

    def destination(self, node: ast.Expression) -> str:
        """Where pieces go: a zone as in other sentences, but a place of the board by its name alone."""
        if isinstance(node, ast.Index) and isinstance(node.base, ast.Name) and len(node.arguments) == 1:
            index = self.read(node.arguments[0])
            if self.words.place(node.base.name, ["\x02"]) == "\x02":
                return index
        return self.read(node)

    def _place(self, name: str, arguments: Sequence[ast.Expression]) -> str:
        return self.place(name, [self.read(argument) for argument in arguments])

    def _own(self, name: str) -> str:
        """A zone or note of the reader: `your hand`."""
        of_you = self.words.place(name, [_YOU])
        heading = self.words.heading(name)
        if heading == name.replace("_", " ") and self.words.language is None and of_you.endswith(f" of {_YOU}"):
            heading = of_you.removesuffix(f" of {_YOU}")
        return self.words.phrase("your {name}", name=heading)

    def _within(self, thing: str, whole: ast.Expression) -> str:
        return self.words.phrase("{thing} in {whole}", thing=thing, whole=self.read(whole))

    @staticmethod
    def _is_empty(node: ast.Expression) -> bool:
        return (isinstance(node, ast.SetOf | ast.ListOf) and not node.items) or (
            isinstance(node, ast.Name) and node.name == "empty"
        )

    def _emptiness(self, node: ast.Expression, is_empty: bool) -> str:
        phrase = self.words.phrase
        if isinstance(node, ast.Of):
            things = self.read(node)
            return self._existence(things, is_empty)
        if isinstance(node, ast.Arithmetic) and node.operator == "&":
            left, right = self.read(node.left), self.read(node.right)
            if is_empty:
                return phrase("nothing of {a} is in {b}", a=left, b=right)
            return phrase("something of {a} is in {b}", a=left, b=right)
        if isinstance(node, ast.Filter):
            return self._existence(self.things([node.binder], node.where, 1), is_empty)
        text = self.read(node)
        return phrase("{place} is empty", place=text) if is_empty else phrase("{place} is not empty", place=text)

    def _existence(self, thing: str, is_empty: bool) -> str:
        if is_empty:
            return self.words.phrase("there is no {thing}", thing=thing)
        return self.words.phrase("there is some {thing}", thing=thing)

    def _whose(self, name: str, owner: ast.Expression) -> str:
        if name.endswith(PREPOSITIONS):
            return f"{name} {self.read(owner)}"
        return super()._whose(name.removesuffix(" of"), owner)

    def _of(self, name: str, arguments: Sequence[ast.Expression]) -> str:
        if name.endswith(PREPOSITIONS):
            return f"{name} {', '.join(map(self.read, arguments))}"
        return super()._of(name.removesuffix(" of"), arguments)

    def _joined(self, node: ast.Arithmetic) -> str:
        left, right = self._term(node.left), self._term(node.right)
        type_ = bare(self.model.types[node.number])
        is_number = isinstance(type_, Number) or (isinstance(type_, Listed) and type_.numeric)
        if is_number and node.operator != "&":
            return f"{left} {SIGNS[node.operator]} {right}"
        if node.operator == "*":
            return f"{left} {SIGNS['*']} {right}"
        return self.words.phrase(ARITHMETIC[node.operator], a=left, b=right)

    def _term(self, node: ast.Expression) -> str:
        is_long = isinstance(node, ast.Aggregate | ast.Either | ast.Quantified | ast.Count)
        return f"({self.read(node)})" if is_long else self.read(node)

    # ------------------------------------------------------------ pieces and texts

    def text(self, text: ast.Text) -> str:
        """A text of the rules, with what fills it in square brackets: `[number] [rank] at [section]`."""
        return "".join(part if isinstance(part, str) else self._hole(part) for part in self.words.parts(text))

    def _hole(self, node: ast.Expression) -> str:
        read = self.read(node)
        if read.startswith("[") and read.count("[") == 1 and read.endswith("]"):
            return read
        return f"[{type_words(self.words, self.model.types[node.number]) if '[' in read else read}]"

    def pieces(self, type_: Type, number: int) -> str:
        """Pieces as a noun, `card` or `cards`."""
        core = bare(type_)
        return self.kind_of_thing(core.pieces if isinstance(core, Contents) else core, number)


def _alternatives(node: ast.Expression) -> list[ast.Expression]:
    return [*_alternatives(node.left), *_alternatives(node.right)] if isinstance(node, ast.Or) else [node]
