"""Secret questions whose absence shows: what everyone sees happen next, at once if nobody is asked.

`may secretly play` is offered only to a seat that can play. While it decides, the others see no more than that its turn
goes on. But if an effect that all see comes next, they see whether it happens at once, and so whether it was asked:

    may secretly play                  may secretly play                  may secretly play
    add 1 to round                     must draw                          each player from left(me): must draw

Left: the open note changes at once if nobody was asked. Middle: nothing shows, as the same seat is next asked openly,
and the others see it decide in both cases. Right: an open question to another seat shows as an effect does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import Changes, called
from dsl.checker.flow.endings import symbols_read
from dsl.checker.types.statements import all_statements
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import NoteSymbol, RuleSymbol, Symbol, ZoneSymbol

Body = Sequence[ast.Statement]


@dataclass(frozen=True)
class _Asked:
    """An open question to the seat that is acting."""

    question: ast.Question


After = ast.Statement | _Asked | None
"""What comes first in a block: an effect that all see, an open question, or neither before its end."""


@dataclass(frozen=True)
class _Place:
    """Where a statement is: its block, the statement around that, and the rule it belongs to."""

    block: Body
    index: int
    around: ast.Statement | None
    rule: RuleSymbol | None


@dataclass(frozen=True)
class _Outcome:
    """What only the answer to a question decides: the names it binds, the notes it sets, the zones it fills."""

    names: frozenset[Symbol]
    changed: frozenset[object]
    entered: frozenset[Symbol]


NO_OUTCOME = _Outcome(frozenset(), frozenset(), frozenset())


class Unasked:
    """Finds what happens at once where a secret question is not asked."""

    def __init__(self, context: Context) -> None:
        self.context, self.changes = context, Changes(context)
        self.places: dict[int, _Place] = {}
        self.callers: dict[str, list[ast.Do | ast.Decide]] = {}
        model = context.model
        bodies: list[tuple[Body, RuleSymbol | None]] = [(model.setup, None)]
        bodies += [(node.body, None) for node in model.nodes if isinstance(node, ast.Phase | ast.When)]
        bodies += [(rule.declaration.body, rule) for rule in model.rules.values()]
        for body, rule in bodies:
            self._place(body, None, rule)

    def _place(self, block: Body, around: ast.Statement | None, rule: RuleSymbol | None) -> None:
        for index, statement in enumerate(block):
            self.places[statement.number] = _Place(block, index, around, rule)
            if isinstance(statement, ast.Do | ast.Decide):
                for act in called([statement]):
                    self.callers.setdefault(act.name, []).append(statement)
            for nested_block in ast.blocks(statement):
                self._place(nested_block, statement, rule)

    def shown_by(self, question: ast.Question) -> ast.Statement | None:
        """The first effect after a question that everyone sees at once if it is not asked; None if there is none.

        Effects that depend on the answer do not count: without a question they do not happen.
        """
        # What an `else` block does, or asks openly, happens only if nobody was asked.
        for instead in ast.blocks(question):
            first = self._first(instead, NO_OUTCOME)
            if first is not None:
                return instead[0] if isinstance(first, _Asked) else first
        # A search outwards: what follows the question in its block, in another iteration of the loop around it, after
        # the statement around it, and at the end of a rule after each of its callers. An open question to the same seat
        # ends a path, as does the end of a phase. `visited` keeps cycles, such as two callers of one step, finite.
        outcome = self._outcome(question)
        waiting: list[ast.Statement] = [question]
        visited = {question.number}
        after_another_seat: set[int] = set()  # statements after which another seat may act than the one that was asked
        while waiting:
            current = waiting.pop(0)
            place, is_other = self.places[current.number], current.number in after_another_seat
            first = self._rest_of_block(current, outcome)
            if first is None and isinstance(place.around, ast.Loop):
                is_other = is_other or isinstance(place.around, ast.EachPlayer)
                first = self._first(place.around.body, outcome)
                if isinstance(first, _Asked) and not is_other:
                    first = None  # the loop may end instead, and then something else comes first
            if isinstance(first, ast.Statement):
                return first
            if isinstance(first, _Asked):
                if is_other:
                    return first.question
                continue
            following: list[ast.Statement] = []
            if place.around is not None:
                following = [place.around]
            elif place.rule is not None:
                callers = self.callers.get(place.rule.name, [])
                repeated = [caller for caller in callers if _comes_again(caller)]
                if repeated and is_other:
                    return repeated[0]
                following = [caller for caller in callers if caller not in repeated]
            waiting += [statement for statement in following if statement.number not in visited]
            numbers = {statement.number for statement in following}
            visited |= numbers
            if is_other:
                after_another_seat |= numbers
        return None

    def _rest_of_block(self, statement: ast.Statement, outcome: _Outcome) -> After:
        """What comes first after a statement in its block."""
        if isinstance(statement, ast.If) and statement.number in self.context.model.unwritten:
            return None  # a clause, in the step that chooses it: those after it are for other values
        place = self.places[statement.number]
        return self._first(place.block[place.index + 1 :], outcome)

    def _outcome(self, question: ast.Question) -> _Outcome:
        """What only the answer to a question decides."""
        if isinstance(question, ast.Choose):
            return _Outcome(self._named(question), frozenset(), frozenset())
        entered: set[Symbol] = set()
        for statement in self._within(question):
            for target in ast.entered(statement):
                entered |= {*filter(None, [self.context.model.refers.get(target.number)])}
        bodies = [self.context.model.rules[act.name].declaration.body for act in question.offered]
        return _Outcome(frozenset(), frozenset().union(*map(self.changes.by, bodies)), frozenset(entered))

    def _named(self, question: ast.Choose) -> frozenset[Symbol]:
        """The name of what is chosen, and those of values computed from it."""
        refers = self.context.model.refers
        # In source order, so a `let` that reads the name of another one is found after it.
        names, lets = (
            {refers[question.number]},
            [node for node in self.context.model.nodes if isinstance(node, ast.Let)],
        )
        for let in lets:
            if not names.isdisjoint({refers.get(part.number) for part in let.value.walk()} - {None}):
                names.add(refers[let.number])
        return frozenset(names)

    def _within(self, question: ast.Decide) -> Iterator[ast.Statement]:
        """All statements that may happen as part of a question's actions."""
        waiting, visited = [act.name for act in question.offered], set[str]()
        while waiting:
            name = waiting.pop()
            if name not in visited:
                visited.add(name)
                body = list(all_statements(self.context.model.rules[name].declaration.body))
                yield from body
                waiting += [act.name for act in called(body)]

    # ------------------------------------------------------------ what comes first

    def _first(self, statements: Iterable[ast.Statement], outcome: _Outcome) -> After:
        for statement in statements:
            effect = self._of(statement, outcome)
            if effect is not None:
                return effect
        return None

    def _of(self, node: ast.Statement, outcome: _Outcome) -> After:
        """What a statement does first: an effect that all see, an open question to the acting seat, or neither."""
        match node:
            case ast.Decide() | ast.Choose():
                openly = None if node.secretly else _Asked(node)
                effects = [self._first(block, outcome) for block in ast.blocks(node)]
                return next((effect for effect in effects if isinstance(effect, ast.Statement)), openly)
            case _ if self._depends(node, outcome):
                return None
            case ast.If():
                # An effect in one branch may show; an open question hides the absence only if it comes in both.
                branches = [self._first(block, outcome) for block in ast.blocks(node)]
                shown = next((effect for effect in branches if isinstance(effect, ast.Statement)), None)
                is_asked_in_both = len(branches) == 2 and all(isinstance(branch, _Asked) for branch in branches)
                return shown or (branches[0] if is_asked_in_both else None)
            case ast.EachPlayer():
                first = self._first(node.body, outcome)
                # Another seat than the one that was asked.
                return first.question if isinstance(first, _Asked) and not _begins_with_me(node) else first
            case ast.ForEach() | ast.Repeat():
                return self._first(node.body, outcome)
            case ast.Do():
                return self._first(self.context.model.rules[node.act.name].declaration.body, outcome)
            case ast.SetTo() | ast.Add() | ast.Remove():
                return node if self._is_open(node) else None
            case ast.Tell():
                return node if node.seat is None else None
            case ast.Shuffle() | ast.Record() | ast.Let():
                return None
            case _:  # anything else may show
                return node

    def _is_open(self, node: ast.Assignment) -> bool:
        """True if a statement changes a note that everyone sees."""
        symbol = self.context.model.refers.get(node.target.number)
        return isinstance(symbol, NoteSymbol) and not symbol.declaration.sights

    def _depends(self, node: ast.Statement, outcome: _Outcome) -> bool:
        """True if it is the answer that decides whether a statement does something."""
        model = self.context.model
        match node:
            case ast.If() | ast.Repeat() | ast.ForEach() | ast.EachPlayer():
                inside = {nested.number for block in ast.blocks(node) for nested in block}
                deciding = [child for child in node.children() if child.number not in inside]
            case ast.Do():
                deciding = list(node.act.arguments)
            case _:
                deciding = node.children()
        named = {model.refers.get(nested.number) for part in deciding for nested in part.walk()}
        if not outcome.names.isdisjoint(named):
            return True
        read = {symbol for part in deciding for symbol in symbols_read(self.context, part)}
        match node:
            case ast.If() | ast.Repeat() | ast.ForEach() | ast.EachPlayer():
                return not outcome.changed.isdisjoint(read)
            case ast.Move():
                source = node.source if node.source is not None else node.what
                # What moves only pieces that the answer has put there moves none if nobody was asked.
                zones = {part for part in symbols_read(self.context, source) if isinstance(part, ZoneSymbol)}
                return bool(zones) and zones <= outcome.entered
            case ast.SetTo() | ast.Add() | ast.Remove():
                values = symbols_read(self.context, node.value)
                return any(isinstance(part, NoteSymbol) and part in outcome.changed for part in values)
            case _:
                return any(isinstance(part, NoteSymbol) and part in outcome.changed for part in read)


def _begins_with_me(node: ast.EachPlayer) -> bool:
    """True if the first seat of a loop is the one that is acting."""
    return isinstance(node.first, ast.Name) and node.first.name == "me" and node.where is None and not node.at_once


def _comes_again(caller: ast.Do | ast.Decide) -> bool:
    """True for an open question that is repeated: the same seat is asked again when what it has chosen is done."""
    return isinstance(caller, ast.Decide) and caller.bound is not None and not caller.secretly
