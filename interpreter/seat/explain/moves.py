"""Legality of a move explained: the rule that asks, and every requirement with its values.

    ann> why take(4, 9)
     `take(4, 9)` is not legal: pile 4 has only 7

The list of legal moves says only that this move is not in it. The answer follows from the same parts from which the
list was made, for these arguments: is each in the domain of its parameter, does each requirement hold, does the
question offer this action? The first part that fails is the reason, and `… more` shows all of them.

People name moves in other ways than the rules do: by number, in another case, by words of the label, in any order.
`answer` tries what is most exact first, a notation, then words; of several actions that words may be about, it explains
the one that is nearest to being legal.

A seat that asks must not learn from the answer what it cannot see. Requirements behind one that fails may read hidden
values, since the rules evaluate them only if the first ones hold; they are left out (`requirements_of`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dsl import ast
from dsl.model import Model
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.text.visible import brief
from dsl.types import Number, bare
from interpreter.compiler.decisions import Decision, acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, StoredValue, number_in
from interpreter.runtime.layout import ME, POINT
from interpreter.seat.explain.answer import Reason, Why
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator, ShownValue
from interpreter.seat.explain.labels import actions_by_words, legal_by_words, notation
from interpreter.seat.explain.reading_aloud import type_words
from interpreter.seat.explain.refusals import (
    Refusals,
    argument_of,
    domain_of,
    impossible,
    listed,
    some_values,
    values_named,
)
from interpreter.seat.explain.witnesses import witnesses
from interpreter.seat.notation.moves import Move, moves_in_words, rendered
from interpreter.seat.notation.reading import Vocabulary, is_in_brackets, moves_written, words_in
from interpreter.seat.notation.words import (
    VALUE,
    action_name,
    clause_meant,
    notation_of,
    question_names,
    text_words,
    value_words,
    without_value,
)
from interpreter.wording.phrases import Phrase

MAX_NEAR = 4


def is_move(program: Program, state: Cells, text: str, seat: int | None = None) -> bool:
    """True if a text is about a move: an action, one of the legal moves, a choice.

    The legal moves of others do not count for a `seat` that asks: it would learn which they are.
    """
    head, arguments = _split(text)
    rule = _rule_named(program.model, head, arguments)
    if (rule is not None and rule.is_action) or head in ("choose", "done"):
        return True
    if seat is not None and seat != state[ME]:
        return False
    return bool(moves_written(moves_in_words(program, state, program.legal(state)), text, any_case=True))


def _split(text: str) -> tuple[str, list[str]]:
    """The name of a move in notation, and its arguments."""
    head, _, rest = text.partition("(")
    return head.strip(), split_arguments(rest.rstrip().removesuffix(")"))


def _rule_named(model: Model, head: str, arguments: list[str]) -> RuleSymbol | None:
    """The rule that a move in notation is about, in this case or else that of the action of this name in any."""
    rule = clause_meant(model, head, arguments)
    if rule is None:
        actions = {action_name(rule.name) for rule in model.rules.values() if rule.is_action}
        same = [name for name in actions if name.casefold() == head.casefold()]
        return clause_meant(model, same[0], arguments) if len(same) == 1 else None
    return rule


def why_move(
    program: Program, state: Cells, name: str, arguments: Mapping[str, object], seat: int | None = None
) -> Why:
    """Explain whether a move is legal for the seat that decides; `name` is an action with `arguments`, or a notation.

    A `seat` that asks learns nothing about what another seat may do; None learns everything.
    """
    phrase = program.words.phrase
    if program.decision(state) is None:
        is_over = state[POINT] < 0
        return Why(
            False, phrase("the game is over: no more moves are possible" if is_over else "no decision is pending")
        )
    if seat is not None and seat != state[ME]:
        name = program.words.name(program.layout.seats[seat])
        return Why(False, phrase("it is not {seat}'s decision, and the moves of others are not shown", seat=name))
    notation = name
    if arguments:
        value = arguments.get(VALUE)
        rule = clause_meant(program.model, name, [] if value is None else [str(value)])
        order = [parameter.name for parameter in rule.parameters] if rule else list(arguments)
        order = [*([VALUE] if rule is not None and rule.name != name else []), *order]
        unknown = [argument for argument in arguments if argument not in order]
        if unknown:
            parameters = ", ".join(order) or program.words.name("none")
            text = phrase(
                "`{move}` has no parameter `{parameter}`; it has {known}",
                move=name, parameter=unknown[0], known=parameters,
            )  # fmt: skip
            return Why(False, text)
        notation = f"{name}({', '.join(str(arguments[key]) for key in order if key in arguments)})"
    return MoveQuery(program, state, notation).answer()


def why_about(program: Program, state: Cells, thing: str) -> Why:
    """Why the seat that decides can or cannot choose a thing named by its words, such as a card or a place."""
    return MoveQuery(program, state, thing).about()


NOT_OFFERED = {
    "must": Phrase("`{move}` is not offered now: you must {choice}"),
    "may": Phrase("`{move}` is not offered now: you may {choice}"),
}
"""The refusal of a move that the question does not offer, by its duty."""


class MoveQuery:
    """One query about one move."""

    def __init__(self, program: Program, state: Cells, notation: str) -> None:
        self.program, self.state, self.notation = program, state, notation
        self.legal_moves = moves_in_words(program, state, program.legal(state))
        written = moves_written(self.legal_moves, notation, any_case=True)
        self.legal = written[0] if len(written) == 1 else None
        if self.legal is not None:
            self.notation = self.legal.notation
        self.decision = program.decision(state)

    def answer(self) -> Why:
        """Build the answer."""
        phrase = self.program.words.phrase
        head, texts = _split(self.notation)
        rule = _rule_named(self.program.model, head, texts)
        if rule is not None and rule.is_action:
            return self._action(rule, without_value(rule, texts))
        if self.decision is not None and isinstance(self.decision.node, ast.Choose) and head == "choose":
            return self._choice(self.decision, self.decision.node, texts)
        if self.legal is not None:
            return self._verdict([])
        if (by_words := self._by_words()) is not None:
            return by_words
        if head in ("done", "choose"):
            must = phrase("you must {choice}", choice=self._question_names())
            reason = phrase("it must be decided") if head == "done" else must
            return self._refused(reason, self._question_reason(False))
        actions = dict.fromkeys(action_name(rule.name) for rule in self.program.model.rules.values() if rule.is_action)
        names = ", ".join(map(self.program.words.name, actions))
        text = phrase("there is no move `{move}`; the actions are {actions}", move=brief(self.notation), actions=names)
        return Why(False, text)

    def _by_words(self) -> Why | None:
        """The answer for a move named by words of its label; None if none is.

        Legal moves come first, but moves that have the words as they are before beginnings: `f1` before `f10`.
        """
        if is_in_brackets(self.notation):
            return None
        answers = (self._by_words_of(vocabulary) for vocabulary in (Vocabulary.of(self.program), None))
        return next((answer for answer in answers if answer is not None), None) or self._by_name_of_action()

    def _legal_by_words(self, legal: Sequence[Move]) -> Why:
        if len(legal) == 1:
            return MoveQuery(self.program, self.state, legal[0].notation).answer()
        headline = self.program.words.phrase(
            "`{move}` is legal in {number} ways", move=brief(self.notation), number=len(legal)
        )
        return Why(True, headline, self._question_reason(True), rendered(legal[:MAX_NEAR]))

    def _by_name_of_action(self) -> Why | None:
        """The answer for words of legal moves with their action, or a notation without brackets, `raise to 21`."""
        words, program = words_in(self.notation), self.program
        legal = [move for move in self.legal_moves if {*words_in(f"{move.label} {move.notation}")}.issuperset(words)]
        if words and legal:
            return self._legal_by_words(legal)
        begun = [name for name in Vocabulary.of(program).actions if name and words[: len(name)] == name]
        if not begun or len(words) == len(name := max(begun, key=len)):
            return None
        for rule in program.model.rules.values():
            number, rest = len(rule.parameters), words[len(name) :]
            if rule.is_action and number and action_name(rule.name) in Vocabulary.of(program).actions[name]:
                arguments = [" ".join(rest)] if number == 1 else rest
                return MoveQuery(program, self.state, f"{action_name(rule.name)}({', '.join(arguments)})").answer()
        return None

    def _by_words_of(self, vocabulary: Vocabulary | None) -> Why | None:
        legal = legal_by_words(self.legal_moves, self.notation, vocabulary)
        if legal:
            return self._legal_by_words(legal)
        return self._nearest_of(actions_by_words(self.program, self.state, self.notation, vocabulary))

    def about(self) -> Why:
        """Build the answer for a thing that moves may be about: of those offered, the one nearest to being legal."""
        program, words = self.program, self.program.words
        if self.decision is None:
            return self.answer()
        if isinstance(self.decision.node, ast.Choose):
            return MoveQuery(program, self.state, f"choose({self.notation})").answer()
        vocabulary, offered = Vocabulary.of(program), self._offered()
        legal = legal_by_words(self.legal_moves, self.notation, vocabulary)
        if legal:
            return self._legal_by_words(legal)
        nearest = self._nearest_of(actions_by_words(program, self.state, self.notation, vocabulary, offered))
        if nearest is not None:
            return nearest
        for rule in (program.model.rules[name] for name in sorted(offered)):  # those without a label
            if len(rule.parameters) == 1 and argument_of(program, self.state, rule, (), self.notation) is not None:
                return MoveQuery(program, self.state, f"{action_name(rule.name)}({self.notation})").answer()
        headline = words.phrase(
            "nothing that you can decide now is about {thing}: you must {choice}",
            thing=brief(self.notation), choice=self._question_names(),
        )  # fmt: skip
        return Why(False, headline, self._question_reason(False))

    def _offered(self) -> set[str]:
        """The rules of the actions that the question names."""
        return {act.name for act in acts_of(self.decision.node)} if self.decision is not None else set()

    def _nearest_of(self, candidates: Sequence[tuple[RuleSymbol, list[StoredValue]]]) -> Why | None:
        """The answer for the move that is nearest to being legal; None if there is none."""
        program, state, offered = self.program, self.state, self._offered()

        def failing(candidate: tuple[RuleSymbol, list[StoredValue]]) -> tuple[bool, int]:
            rule, values = candidate
            beyond = [reason for at, value in enumerate(values) for reason in self._in_domain(rule, values[:at], value)]
            reasons = [*beyond, *requirements_of(program, state, rule, values, state[ME])]
            return rule.name not in offered, sum(1 for reason in reasons if not reason.holds)

        if not candidates:
            return None
        rule, values = min(candidates, key=failing)
        return MoveQuery(program, state, notation(program, state, rule, values)).answer()

    def _question_names(self) -> str:
        """The answers that the question offers, in words."""
        words = self.program.words
        if self.decision is None:
            return words.phrase("decide nothing")
        node = self.decision.node
        if isinstance(node, ast.Choose):
            return words.phrase("choose {value}", value=words.heading(node.name))
        return words.phrase(" or ").join(map(words.heading, question_names(node)))

    def _question_reason(self, holds: bool) -> tuple[Reason, ...]:
        """The rule that asks."""
        if self.decision is None:
            return ()
        node = self.decision.node
        source = " ".join(node.span.text.split("#")[0].split("  [")[0].split())
        text = self.program.words.phrase("the rule asks: {rule}", rule=source)
        return (Reason(text, holds, (), node.span.location, node.cites, node, asks=True),)

    def _verdict(self, reasons: list[Reason], otherwise: str = "", offered: bool = True) -> Why:
        """Build the answer from the requirements; `otherwise` is the reason of a refusal if all of them hold."""
        phrase = self.program.words.phrase
        all_reasons = (*self._question_reason(offered), *reasons)
        if self.legal is not None:
            words = self.legal.label if not reasons else ""
            headline = phrase(
                "`{move}` is legal: {words}" if words else "`{move}` is legal", move=self.notation, words=words
            )
            return Why(True, headline, all_reasons)
        failing = next((reason.text for reason in reasons if not reason.holds), "")
        if not failing and not offered and self.decision is not None:
            node = self.decision.node
            cites = f" [{' '.join(node.cites)}]" if node.cites else ""
            head = _split(self.notation)[0]
            if head in {action_name(act.name) for act in acts_of(node)}:
                head = self.notation  # it is this clause that is not offered
            not_offered = phrase(NOT_OFFERED[node.duty], move=head, choice=self._question_names())
            return Why(False, f"{not_offered}{cites}", all_reasons, self._nearest())
        if failing:
            return self._refused(failing, all_reasons, self._nearest())
        return Why(False, otherwise, all_reasons, self._nearest())

    def _refused(self, reason: str, reasons: tuple[Reason, ...], nearest: tuple[Move, ...] = ()) -> Why:
        """The answer that the move is not legal for a reason."""
        headline = self.program.words.phrase("`{move}` is not legal: {reason}", move=self.notation, reason=reason)
        return Why(False, headline, reasons, nearest, refusal=reason)

    # Sorting is stable, so moves with as many arguments in common stay in their order.
    def _nearest(self) -> tuple[Move, ...]:
        """Legal moves with the same name and most arguments in common."""
        head, texts = _split(self.notation)

        def distance(move: Move) -> tuple[bool, int]:
            arguments = [str(argument) for argument in move.arguments.values()]
            same = sum(1 for argument, text in zip(arguments, texts, strict=False) if argument == text)
            return move.name != head, -same

        return rendered(sorted(self.legal_moves, key=distance)[:MAX_NEAR])

    # ------------------------------------------------------------ actions

    def _action(self, rule: RuleSymbol, texts: list[str]) -> Why:
        program, state, phrase = self.program, self.state, self.program.words.phrase
        values: list[StoredValue] = []
        domains: list[Reason] = []
        for parameter, text in zip(rule.parameters, texts, strict=False):
            value = argument_of(program, state, rule, values, text)
            if value is None:
                if unseen := Refusals(program, state, rule).unseen_piece(values, text):
                    domain = rule.declaration.parameters[len(values)]
                    reason = Reason(unseen, False, (), domain.span.location, rule.declaration.cites, domain)
                    return self._verdict([reason])
                return self._no_value(rule, parameter, text)
            domains += self._in_domain(rule, values, value[0])
            values.append(value[0])
        if len(values) < len(rule.parameters) or len(texts) > len(rule.parameters):
            names = ", ".join(parameter.name for parameter in rule.parameters)
            headline = phrase(
                "`{action}` takes ({parameters})" if names else "`{action}` takes no arguments",
                action=rule.name, parameters=names,
            )  # fmt: skip
            missing = rule.parameters[len(values)] if len(values) < len(rule.parameters) else None
            signature = self._signature(rule, missing)
            return Why(False, headline, (), self._nearest(), signature=signature)
        reasons = [*domains, *requirements_of(program, state, rule, values, state[ME])]
        acts = acts_of(self.decision.node) if self.decision is not None else ()
        # The values of the arguments decide, not their texts: only now is it known which move they are.
        if self.legal is None:  # the arguments may be written in another way: `+2`, `red king`
            codes = [(number, *values) for number, act in enumerate(acts) if act.name == rule.name]
            self.legal = next((move for move in self.legal_moves if move.code in codes), None)
        offered = any(act.name == rule.name and self._is_offered(act) for act in acts)
        if self.legal is None and all(reason.holds for reason in reasons):
            for parameter, given in zip(rule.parameters, values, strict=True):
                type_ = bare(parameter.type)
                if isinstance(type_, Number) and given is not None and not type_.low <= number_in(given) <= type_.high:
                    return self._no_value(rule, parameter, str(given))
        if offered and all(reason.holds for reason in reasons):
            reasons += self._once(rule, values)
        return self._verdict(reasons, self._not_offered(rule), offered)

    def _no_value(self, rule: RuleSymbol, parameter: LocalSymbol, text: str) -> Why:
        """The answer for a text, or a number, that is no value of the type of a parameter."""
        message = self.program.words.phrase(
            "`{text}` is not a value for `{parameter}` of `{action}` here",
            text=brief(text), parameter=parameter.name, action=rule.name,
        )  # fmt: skip
        return Why(False, message, (), self._nearest(), signature=self._signature(rule, parameter))

    def _signature(self, rule: RuleSymbol, about: LocalSymbol | None) -> tuple[str, ...]:
        """The parameters of an action, and for one of them what it takes, with some of its values.

        These are the values of its type: which of them are possible may be a secret.
        """
        lines = [
            notation_of(rule, [" ".join(parameter.span.text.split()) for parameter in rule.declaration.parameters])
        ]
        if about is not None:
            core = bare(about.type)
            values = some_values(self.program, core)
            more = self.program.words.phrase(", such as {values}", values=values) if values else ""
            words = self.program.words
            type_ = type_words(words, about.type) if words.language is not None else str(about.type)
            lines.append(f"{about.name}: {type_}{more}")
        return tuple(lines)

    def _is_offered(self, act: ast.Act) -> bool:
        """False for the clause of another value than the one that the decision asks for."""
        if not isinstance(act, ast.ClauseAct) or self.decision is None:
            return True
        return bool(self.program.value_of(act.condition, self.state, self.decision.names))

    def _in_domain(self, rule: RuleSymbol, values: Sequence[StoredValue], value: StoredValue) -> Iterator[Reason]:
        """A reason that a parameter is in its domain, unless that is simply a type."""
        parameter = rule.declaration.parameters[len(values)]
        domain = domain_of(self.program, self.state, rule, values)
        if domain is not None and parameter.domain is not None and value not in domain:
            text = Refusals(self.program, self.state, rule).outside_domain(values, value)
            yield Reason(text, False, (), parameter.span.location, rule.declaration.cites, parameter)

    def _once(self, rule: RuleSymbol, values: Sequence[StoredValue]) -> Iterator[Reason]:
        """Of an action that offers equal moves once, the reason that this move is offered, or an equal one instead."""
        acts = acts_of(self.decision.node) if self.decision is not None else ()
        for once in rule.declaration.once if isinstance(rule.declaration, ast.Action) else ():
            same = self._compared(rule, once, values)
            for move in self.legal_moves:
                act = acts[move.code[0]] if move.code[0] >= 0 else None
                if act is not None and act.name == rule.name and self._compared(rule, once, move.code[1:]) == same:
                    chosen = move is self.legal
                    text = (
                        " ".join(once.span.text.split())
                        if chosen
                        else self.program.words.phrase("it is offered as `{move}`", move=move.notation)
                    )
                    cites = once.cites or rule.declaration.cites
                    yield Reason(text, chosen, (), once.span.location, cites, once)

    def _compared(self, rule: RuleSymbol, once: ast.OfferedOnce, arguments: Sequence[StoredValue]) -> list[StoredValue]:
        """The values by which a move is the same as another one."""
        names = dict(zip(rule.parameters, arguments, strict=True))
        return [self.program.value_of(value, self.state, names) for value in once.values]

    def _not_offered(self, rule: RuleSymbol) -> str:
        """The reason why a move whose requirements hold is not among those offered."""
        node, phrase = self.decision.node if self.decision is not None else None, self.program.words.phrase
        if isinstance(node, ast.Decide):
            first = dict.fromkeys(action_name(act.name) for act in node.acts)
            if action_name(rule.name) not in first and any(move.name in first for move in self.legal_moves):
                words = ", ".join(map(self.program.words.heading, first))
                return phrase(
                    "`{move}` is not offered here: it is possible only if none of {others} is",
                    move=self.notation, others=words,
                )  # fmt: skip
            fixed = [act for act in node.offered if act.name == rule.name]
            if any(act.arguments or isinstance(act, ast.ClauseAct) for act in fixed):
                labels = (move.label for move in self.legal_moves if move.name == action_name(rule.name))
                offered = listed(labels, self.program.words)
                return phrase(
                    "`{move}` is not offered here, only {others}" if offered else "`{move}` is not offered here",
                    move=self.notation, others=offered,
                )  # fmt: skip
        return phrase(
            "`{move}` is not offered here: equal to another move, or its arguments are fixed", move=self.notation
        )

    # ------------------------------------------------------------ choices

    def _choice(self, decision: Decision, node: ast.Choose, texts: list[str]) -> Why:
        program, state, phrase = self.program, self.state, self.program.words.phrase
        type_ = chosen_type(program.model, node)
        named = values_named(program, state, type_, ", ".join(texts))
        if not named:
            value = brief(", ".join(texts))
            text = phrase("`{text}` is not a value for `{name}` here", text=value, name=node.name)
            return Why(False, text, self._question_reason(False), self._nearest())
        evaluator = SeatEvaluator(program, state[ME])
        symbol = program.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        members = program.members_of(node.domain, state, decision.names)
        named.sort(key=lambda value: value not in members)
        words = value_words(program, state, type_, named[0], state[ME], program.words)
        possible = (move.label for move in self.legal_moves if move.name == "choose")
        refusal = impossible(words, possible, program.words)
        domain = " ".join(node.domain.span.text.split())
        reasons = [
            Reason(phrase("{left} is in {right}", left=node.name, right=domain) if named[0] in members else refusal,
                   named[0] in members, (),
                   node.domain.span.location, node.cites, node)
        ]  # fmt: skip
        if node.where is not None and node.amount is None:
            names = Bindings({**decision.names, symbol: named[0]})
            holds = bool(program.value_of(node.where, state, names.values))
            text = " ".join(node.where.span.text.split())
            values = evaluator.operand_values(node.where, names, state)
            reasons.append(
                Reason(text if holds else refusal, holds, (ShownValue(text, "false"), *values)[holds:],
                       node.where.span.location, node.cites, node)
            )  # fmt: skip
        return self._verdict(
            reasons,
            phrase("`{move}` cannot be chosen again, or together with what was chosen before", move=self.notation),
        )


def requirements_of(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue], seat: int | None
) -> list[Reason]:
    """Evaluate every requirement of an action with these arguments, as a seat (None: who sees everything) may know it.

    After one that fails, only those that read nothing hidden are included: rules may read hidden values once the
    earlier ones hold.
    """
    evaluator, reasons = SeatEvaluator(program, seat), list[Reason]()
    for requirement in program.requirements(rule, dict(zip(rule.parameters, values, strict=True))):
        if not all(program.value_of(guard, state, inside) for guard, inside in requirement.guards):
            continue
        node, names = requirement.require, Bindings(requirement.names)
        cites = node.cites or rule.declaration.cites
        parts = [node.condition, *(part for part in node.reason.parts if not isinstance(part, str))]
        if any(not reason.holds for reason in reasons) and not all(
            evaluator.is_open(part, names, state) for part in parts
        ):
            continue
        try:
            holds = bool(program.value_of(node.condition, state, names.values))
        except PlayError as fault:
            if any(not reason.holds for reason in reasons):
                continue  # rules may rely on earlier requirements
            reasons.append(Reason(fault.message, False, (), node.span.location, cites, node))
            continue
        text = " ".join(node.condition.span.text.split())
        if not holds:
            text = text_words(program, state, node.reason, names.values, seat)
        counted = () if holds else evaluator.counted_members(node.condition, names, state)
        value_words = (*evaluator.operand_values(node.condition, names, state), *counted)
        value_words += witnesses(evaluator, node.condition, names, state)
        reasons.append(Reason(text, holds, value_words, node.span.location, cites, node))
    return reasons
