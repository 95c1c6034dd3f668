"""Moves named by words of their labels: `house on wei1` for `build(wei, wei1, red)`, legal or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.types import Several, bare
from interpreter.compiler.names import Names
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, StoredValue
from interpreter.runtime.layout import ME
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator
from interpreter.seat.explain.refusals import domain_of
from interpreter.seat.notation.moves import Move, moves_in_words
from interpreter.seat.notation.reading import Vocabulary, begins, fit, is_in_brackets, words_in
from interpreter.seat.notation.words import notation_of, value_words
from interpreter.seat.redaction import HiddenValueError

MAX_TRIED = 20_000
"""Maximum number of combinations of arguments that are tried."""
MAX_NAMED = 200
"""Maximum number of moves that are found."""
ANYTHING = None
"""In the words of a label: what the seat may not know."""

Label = list[str | None]


def is_part(typed: Sequence[str], label: Sequence[str | None], vocabulary: Vocabulary | None = None) -> bool:
    """True if the typed words are in a label in this order; without a `vocabulary`, beginnings of words suffice.

    With the names of a game in `vocabulary`, `north` is not part of a label with `north_east` if both are values.
    """
    if vocabulary is None:
        return bool(typed) and fit(typed, label, begins)
    return bool(typed) and fit(typed, label, str.__eq__) and not vocabulary.shortens(typed, label)


def legal_by_words(moves: Sequence[Move], text: str, vocabulary: Vocabulary | None) -> list[Move]:
    """The legal moves that words of a label name: those with exactly this label, else those with all the words."""
    typed = words_in(text)
    labels = [words_in(move.label) for move in moves]
    exactly = [move for move, label in zip(moves, labels, strict=True) if label == typed]
    return exactly or [move for move, label in zip(moves, labels, strict=True) if is_part(typed, label, vocabulary)]


def actions_by_words(
    program: Program, state: Cells, text: str, vocabulary: Vocabulary | None = None,
    among: Collection[str] | None = None,
) -> list[tuple[RuleSymbol, list[StoredValue]]]:  # fmt: skip
    """Actions with arguments, legal or not, whose labels contain the words, whatever their other parts say.

    Without a `vocabulary`, each word may be the beginning of one in the label; see `is_part`. `among` some rules, the
    words may be a value alone; otherwise that could be an argument of any action.

    What is hidden from the seat that decides is not compared.
    """
    typed = words_in(text)
    candidates = (
        (rule, values)
        for rule in program.model.rules.values()
        if isinstance(rule.declaration, ast.Action) and rule.declaration.label is not None
        if among is None or rule.name in among
        for values in _Candidates(program, state, rule, rule.declaration.label, typed, vocabulary).all(
            value_alone=among is not None
        )
    )
    return list(islice(candidates, MAX_NAMED))


def names_move(program: Program, state: Cells, text: str) -> bool:
    """True if words of a label name a move of the seat that decides, legal or not."""
    if program.decision(state) is None or is_in_brackets(text):
        return False
    legal = legal_by_words(moves_in_words(program, state, program.legal(state)), text, vocabulary=None)
    return bool(legal or actions_by_words(program, state, text))


def notation(program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue]) -> str:
    """The notation of an action with arguments."""
    types = (parameter.type for parameter in rule.parameters)
    return notation_of(
        rule, [value_words(program, state, type_, value, state[ME]) for type_, value in zip(types, values, strict=True)]
    )


class _Candidates:
    """The arguments of one action for which its label contains the wanted words."""

    def __init__(
        self,
        program: Program,
        state: Cells,
        rule: RuleSymbol,
        label: ast.Text,
        typed: Sequence[str],
        vocabulary: Vocabulary | None,
    ) -> None:
        self.program, self.state, self.rule, self.label = program, state, rule, label
        self.typed, self.vocabulary = typed, vocabulary
        refers = program.model.refers
        self.mentioned = {refers.get(part.number) for part in label.parts if isinstance(part, ast.Name)}
        self.evaluator, self.tried = SeatEvaluator(program, state[ME]), 0

    def all(self, *, value_alone: bool) -> Iterator[list[StoredValue]]:
        """Every list of arguments that fits; `value_alone`: words of the label other than values are not needed."""
        literal = [word for part in self.label.parts if isinstance(part, str) for word in words_in(part)]
        is_named = any(part.startswith(word) for word in self.typed for part in literal)
        if literal and not is_named and not value_alone:
            return
        if any(isinstance(bare(parameter.type), Several) for parameter in self.rule.parameters):
            return
        yield from self._with([])

    def _with(self, values: list[StoredValue]) -> Iterator[list[StoredValue]]:
        if len(values) == len(self.rule.parameters):
            if is_part(self.typed, self._words(values), self.vocabulary):
                yield values
            return
        for value in self._choices(values):
            self.tried += 1
            if self.tried > MAX_TRIED:
                return
            yield from self._with([*values, value])

    def _choices(self, values: Sequence[StoredValue]) -> Sequence[StoredValue]:
        """The values of the next parameter: those that are named, even beyond its domain; else each name once."""
        parameter = self.rule.parameters[len(values)]
        try:
            everything = self.program.layout.values(parameter.type)
        except AssertionError:  # a type whose values cannot be enumerated
            return ()
        # Of a parameter that the label mentions, only values whose words were typed: with three parameters of 60 places
        # each, there are 216,000 combinations, ten times as many as are tried.
        if parameter in self.mentioned and (named := self._named(parameter, everything)):
            return named
        domain = domain_of(self.program, self.state, self.rule, values)
        return list(self._by_name(parameter, everything if domain is None else domain).values())

    def _named(self, parameter: LocalSymbol, members: Sequence[StoredValue]) -> list[StoredValue]:
        names = self._by_name(parameter, members).items()
        return [value for name, value in names if words_in(name) and set(words_in(name)) <= set(self.typed)]

    def _by_name(self, parameter: LocalSymbol, members: Sequence[StoredValue]) -> dict[str, StoredValue]:
        return {self._name(parameter, value): value for value in members}

    def _name(self, parameter: LocalSymbol, value: StoredValue) -> str:
        return value_words(self.program, self.state, parameter.type, value, self.state[ME])

    def _words(self, values: Sequence[StoredValue]) -> Label:
        """The words of the label with these arguments."""
        arguments = dict(zip(self.rule.parameters, values, strict=True))
        words: Label = []
        for part in self.label.parts:
            symbol = self.program.model.refers.get(part.number) if isinstance(part, ast.Node) else None
            if isinstance(part, str):
                words += words_in(part)
            elif isinstance(part, ast.Name) and isinstance(symbol, LocalSymbol) and symbol in arguments:
                words += words_in(self._name(symbol, arguments[symbol]))
            else:
                words += self._computed(part, arguments)
        return words

    def _computed(self, part: ast.Expression, arguments: Names) -> Label:
        """The words of a part that is computed, if nothing that it reads is hidden from the seat that decides."""
        names, type_ = Bindings(arguments), self.program.model.types[part.number]
        try:
            if self.evaluator.is_open(part, names, self.state):
                return list(
                    words_in(self.evaluator.words(type_, self.evaluator.value(part, names, self.state), self.state))
                )
        except (HiddenValueError, PlayError):
            pass
        return [ANYTHING]
