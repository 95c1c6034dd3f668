"""Conditions and values as terms, and what the conditions known to hold imply.

A term represents an expression, with definitions expanded and names replaced by their values. Two expressions with
equal terms have equal values as long as nothing the terms read has changed. `decided` returns true, false, or None
if it cannot decide; it never guesses.

The problem: in `if phase_of(me) is open or turn > 3: …` and then `if turn <= 3: …`, the second branch implies that
`phase_of(me) is open`. The idea: keep the conditions that hold as a set; when one is added, split it where it is a
conjunction, and add what follows from an `or` whose other side fails. Questions are answered by looking a condition up,
by equality with constants, and by intervals of numbers. That is no complete logic: a condition it does not decide is
merely unknown, and the leak check then warns.

INVARIANT: `assumed` only ever adds conditions that follow from those it is given, and forgets none. Beyond `MAX_FACTS`
it returns the old set, which holds as well, so giving up is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.lazy_dataclasses import dataclass

MAX_TERM_SIZE = 120
"""Size beyond which terms are not built."""

MAX_FACTS = 60
"""Maximum number of conditions remembered at one point."""


class Term:
    """A keyword, symbol or constant applied to terms; nothing changes it.

    `size` is the number of terms, including nested ones, `heads` is every keyword and symbol in it. It is `known` if
    every part is known, so that the term equals itself. `negation` remembers what `negated` has made of it: of most
    conditions that is asked repeatedly.
    """

    __slots__ = ("_hash", "head", "heads", "known", "negation", "parts", "size")

    def __init__(self, head: object, parts: tuple[Term, ...] = ()) -> None:
        self.head, self.parts = head, parts
        self._hash = hash((head, parts))
        self.size: int = 1 + sum([part.size for part in parts])
        self.heads: frozenset[object] = frozenset((head,)).union(*[part.heads for part in parts])
        self.known = "?" not in self.heads
        self.negation: Term | None = None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Term) or self._hash != other._hash:
            return False
        return self.head == other.head and self.parts == other.parts

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Term({self.head!r}, {self.parts!r})"


Truths = frozenset[Term]
"""Conditions that hold."""

UNKNOWN = Term("?")
TRUE, FALSE = Term("true"), Term("false")
NONE = Term("none")
ME = Term("me")
ELEMENT = Term("element")
"""Any one member of a set."""


@dataclass(frozen=True)
class Constant:
    """Head of a value that is the same in every state; two of one type with different values differ."""

    type: object
    value: object


def number(value: int) -> Term:
    """Term of a number."""
    return Term(Constant("number", value))


def negated(term: Term) -> Term:
    """Negation of a condition."""
    if term.negation is None:
        term.negation = _negated(term)
    return term.negation


def _negated(term: Term) -> Term:
    match term.head:
        case "true":
            return FALSE
        case "false":
            return TRUE
        case "not":
            return term.parts[0]
        case "and" | "or":
            return Term("or" if term.head == "and" else "and", tuple(map(negated, term.parts)))
        case "if":
            condition, then, otherwise = term.parts
            return Term("if", (condition, negated(then), negated(otherwise)))
        case _:
            return Term("not", (term,))


def same(left: Term, right: Term) -> Term:
    """Equality of two values; a value with cases becomes a condition with cases."""
    # `(red if p else blue) is red` becomes `p`, which later conditions can decide. Distributing over cases doubles the
    # other side for every case, hence the limit: nested choices would grow exponentially.
    for term, compared in ((left, right), (right, left)):
        if term in (TRUE, FALSE):
            return compared if term == TRUE else negated(compared)
        if term.head == "if" and term.size * compared.size <= MAX_TERM_SIZE:
            condition, then, otherwise = term.parts
            return Term("if", (condition, same(then, compared), same(otherwise, compared)))
    return Term("is", (left, right))


class Answers:
    """What has been decided and assumed for one question.

    A choice asks the same about both its values, under assumptions about its condition, and each of these asks about
    the conditions that hold: without a memory, nested choices ask a question as often as there are ways to it.
    """

    def __init__(self) -> None:
        self.decided: dict[tuple[Term, Truths], bool | None] = {}
        self.assumed: dict[tuple[Term, Truths], Truths] = {}


def decided(term: Term, truths: Truths) -> bool | None:
    """Truth of a condition given those that hold; None if they do not decide it."""
    return _decided(term, truths, Answers())


def assumed(truths: Truths, term: Term) -> Truths:
    """Add a condition to those that hold; return them unchanged if there would be too many."""
    return _assumed(truths, term, Answers())


def _decided(term: Term, truths: Truths, answers: Answers) -> bool | None:
    if not term.parts and term.head in ("true", "false"):
        return term.head == "true"
    question = term, truths
    if question not in answers.decided:
        answers.decided[question] = _decision(term, truths, answers)
    return answers.decided[question]


def _assumed(truths: Truths, term: Term, answers: Answers) -> Truths:
    question = term, truths
    if question not in answers.assumed:
        answers.assumed[question] = _addition(truths, term, answers)
    return answers.assumed[question]


def _decision(term: Term, truths: Truths, answers: Answers) -> bool | None:
    if term.known and truths:
        if term in truths:
            return True
        if negated(term) in truths:
            return False
    match term.head:
        case "not":
            truth = _decided(term.parts[0], truths, answers)
            return None if truth is None else not truth
        case "and" | "or":
            stops = term.head == "or"
            sides = [_decided(part, truths, answers) for part in term.parts]
            return stops if stops in sides else None if None in sides else not stops
        # A choice is decided by its condition, or if both values agree under either assumption about it.
        case "if":
            condition, then, otherwise = term.parts
            truth = _decided(condition, truths, answers)
            if truth is not None:
                return _decided(then if truth else otherwise, truths, answers)
            first = _decided(then, _assumed(truths, condition, answers), answers)
            second = _decided(otherwise, _assumed(truths, negated(condition), answers), answers)
            return first if first == second else None
        case "is":
            return _same(term.parts[0], term.parts[1], truths)
        case "<":
            return _less(term.parts[0], term.parts[1], truths)
        case _:
            answers_by_name = (_decided(*equal, answers) for equal in _named(term, truths))
            return next((truth for truth in answers_by_name if truth is not None), None)


def _addition(truths: Truths, term: Term, answers: Answers) -> Truths:
    holding, waiting = set(truths), [term]
    while waiting:
        new = waiting.pop()
        if new.head == "and":
            waiting += new.parts
        elif new.head == "if":
            condition, then, otherwise = new.parts
            # `T if C else E` is `(not C or T) and (C or E)`: only conjunctions and disjunctions are split further.
            waiting.append(Term("and", (_or(negated(condition), then), _or(condition, otherwise))))
        elif new not in holding and _worth_keeping(new):
            holding.add(new)
            waiting += _following(holding, new, answers)
            atom = negated(new) if new.head == "not" else new
            waiting += [negated(equal) if atom is not new else equal for equal, _ in _named(atom, frozenset(holding))]
    return frozenset(holding) if len(holding) <= MAX_FACTS else truths


def _named(term: Term, truths: Truths) -> Iterator[tuple[Term, Truths]]:
    """Conditions that a name is known to equal, each with the other conditions that hold."""
    for truth in truths:
        if truth.head == "is" and term in truth.parts:
            left, right = truth.parts
            yield (right if term == left else left), truths - {truth}


def _or(left: Term, right: Term) -> Term:
    return Term("or", (left, right))


def _worth_keeping(term: Term) -> bool:
    if term.head == "or":
        return any(part.known for part in term.parts) and term.size <= MAX_TERM_SIZE
    return term.known and term != TRUE and term.size <= MAX_TERM_SIZE


def _following(holding: Iterable[Term], new: Term, answers: Answers) -> Iterator[Term]:
    """Derive conditions that must hold because the other side of an `or` fails; only where the new one bears on it."""
    # Testing all disjunctions after every new condition would be quadratic. A new one can refute a side only if both
    # are about a common symbol, unless it is a mere name or its negation.
    truths, about = frozenset(holding), frozenset(head for head in new.heads if not isinstance(head, str | Constant))
    for term in truths:
        if term.head == "or" and (term is new or new.size <= 2 or not about.isdisjoint(term.heads)):
            left, right = term.parts
            others = truths - {term}
            for side, opposite in ((left, right), (right, left)):
                if _decided(side, others, answers) is False and _decided(opposite, others, answers) is not True:
                    yield opposite


def _equals(term: Term, truths: Truths) -> set[Term]:
    """Terms known to have the same value, including this one."""
    equal_terms, waiting = {term}, [term]
    while waiting:
        current = waiting.pop()
        for truth in truths:
            if truth.head == "is" and current in truth.parts:
                for part in truth.parts:
                    if part not in equal_terms:
                        equal_terms.add(part)
                        waiting.append(part)
    return equal_terms


def _same(left: Term, right: Term, truths: Truths) -> bool | None:
    # Both classes of equal terms are compared as a whole, so that equality is transitive: a is b, b is 3, 3 is c.
    left_equals, right_equals = _equals(left, truths), _equals(right, truths)
    if any(term.known for term in left_equals & right_equals):
        return True
    if _apart(left_equals, right_equals):
        return False
    for truth in truths:
        if truth.head == "not" and truth.parts[0].head == "is":
            first_term, second_term = truth.parts[0].parts
            if (first_term in left_equals and second_term in right_equals) or (
                first_term in right_equals and second_term in left_equals
            ):
                return False
    for first, second in ((left, right), (right, left)):
        value = _number(second)
        if value is not None:
            low, high = _ends(first, truths)
            if value < low or value > high:
                return False
    return None


def _apart(left_equals: Iterable[Term], right_equals: Iterable[Term]) -> bool:
    """True if two values are different constants."""
    right = [term.head for term in right_equals if isinstance(term.head, Constant)]
    nothing = NONE in right_equals
    for term in left_equals:
        if isinstance(term.head, Constant):
            head = term.head
            if nothing or any(head.type == constant.type and head.value != constant.value for constant in right):
                return True
        elif term == NONE and right:
            return True
    return False


def _number(term: Term) -> int | None:
    head = term.head
    return head.value if isinstance(head, Constant) and head.type == "number" and isinstance(head.value, int) else None


def _ends(term: Term, truths: Truths) -> tuple[float, float]:
    """Least and greatest value a number can have."""
    low, high = float("-inf"), float("inf")
    for equal in _equals(term, truths):
        value = _number(equal)
        if value is not None:
            return value, value
        for truth in truths:
            holds = truth.head != "not"
            atom = truth if holds else truth.parts[0]
            if atom.head != "<" or equal not in atom.parts:
                continue
            left, right = atom.parts
            value = _number(right if equal == left else left)
            if value is None:
                continue
            if equal == left:
                low, high = (low, min(high, value - 1)) if holds else (max(low, value), high)
            else:
                low, high = (max(low, value + 1), high) if holds else (low, min(high, value))
    return low, high


def _less(left: Term, right: Term, truths: Truths) -> bool | None:
    low, high = _ends(left, truths)
    other_low, other_high = _ends(right, truths)
    return True if high < other_low else False if low >= other_high else None
