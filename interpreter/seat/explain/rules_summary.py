"""A summary of the rules of a game, made from its model: the goal, the course of play, what may be done, scoring."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol, OptionSymbol
from interpreter.seat.explain.reading_aloud import Reader, local_words, text_with_holes
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

DUTIES = {"must": Phrase("must {choice}"), "may": Phrase("may {choice}")}
"""Words for a decision, by its keyword."""

ENDS = {
    "over when": Phrase("over when {condition}"),
    "repeated until": Phrase("repeated until {condition}"),
    "over as soon as": Phrase("over as soon as {condition}"),
}
"""When a phase is over, by the keyword of the condition."""


@dataclass(frozen=True)
class PhaseSummary:
    """A phase: how deep it lies in others, whose turns it consists of, when it is over, what is decided in it.

    Interrupts follow the phases; `ends` are the rules that they are done before or after.
    """

    name: str
    depth: int
    turns: str
    ends: tuple[str, ...]
    decisions: tuple[str, ...]


@dataclass(frozen=True)
class ConditionSummary:
    """A requirement of an action as written in the rules, and why a move is refused that does not meet it."""

    condition: str
    reason: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class ActionSummary:
    """An action: its name, its label with what is chosen in brackets, `lay [number] [kind]`, and what it requires."""

    name: str
    label: str
    conditions: tuple[ConditionSummary, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True)
class OptionSummary:
    """An option: its name in the rules and for people, its values with what they mean, and its sentence."""

    name: str
    heading: str
    values: tuple[str, ...]
    default: str
    sentence: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RulesSummary:
    """The rules of a game in brief; `goal` are the criteria of winning, the most important one first.

    `scoring` are the reasons for which points are given in play.
    """

    title: str
    sentence: str
    family: str
    designer: str
    minutes: tuple[int, int] | None
    players: tuple[int, ...]
    goal: tuple[str, ...]
    phases: tuple[PhaseSummary, ...]
    actions: tuple[ActionSummary, ...]
    scoring: tuple[str, ...]
    options: tuple[OptionSummary, ...]


def rules_summary(model: Model, words: Words) -> RulesSummary:
    """Summarise the rules of a game in the words that people read."""
    header = model.file.header
    about = header.about or ast.About(span=header.span, number=header.number)
    criteria = model.winner.criteria if model.winner is not None else ()
    return RulesSummary(
        words.text(header.title.value),
        words.text(about.sentence),
        words.text(about.family),
        about.designer,
        about.minutes,
        header.counts,
        tuple(
            words.text(criterion.words) if criterion.words else _criterion(model, words, criterion)
            for criterion in criteria
        ),
        (
            *(summary for phase in model.course for summary in _phases(model, words, phase, 0)),
            *_interrupts(model, words),
        ),
        tuple(_actions(model, words)),
        tuple(dict.fromkeys(_reasons(model, words))),
        tuple(_option(words, option) for option in model.options.values()),
    )


def _criterion(model: Model, words: Words, criterion: ast.Criterion) -> str:
    value = Reader(model, words).read(criterion.value)
    match criterion.direction:
        case "highest":
            return words.phrase("highest {value}", value=value)
        case "lowest":
            return words.phrase("lowest {value}", value=value)
        case None:
            return value


# ---------------------------------------------------------------- the course of play


def _phases(model: Model, words: Words, phase: ast.Phase, depth: int) -> Iterator[PhaseSummary]:
    turns, read = "", Reader(model, words).read
    if phase.first is not None:
        first = read(phase.first)
        turns = words.phrase("from {first}", first=first)
        if phase.last is not None:
            turns = words.phrase("from {first} to {last}", first=first, last=read(phase.last))
        if phase.backwards is not None and phase.backwards.condition is None:
            turns = words.phrase("{turns} backwards", turns=turns)
        elif phase.backwards is not None and phase.backwards.condition is not None:
            turns = words.phrase(
                "{turns}, backwards if {condition}", turns=turns, condition=read(phase.backwards.condition)
            )
    ends = tuple(words.phrase(ENDS[keyword], condition=read(condition)) for keyword, condition in phase.ends)
    decisions = tuple(dict.fromkeys(_decisions(model, words, phase.body, set())))
    yield PhaseSummary(words.heading(phase.name), depth, turns, ends, decisions)
    for subphase in phase.phases:
        yield from _phases(model, words, subphase, depth + 1)


def _interrupts(model: Model, words: Words) -> Iterator[PhaseSummary]:
    """The interrupts that ask somebody."""
    for rule in model.rules.values():
        step = rule.declaration
        decisions = tuple(dict.fromkeys(_decisions(model, words, step.body, set())))
        if isinstance(step, ast.Step) and step.cues and decisions:
            cues = []
            for cue in step.cues:
                rules = words.either([_clause(words, cued.full_name) for cued in cue.rules])
                before = cue.relation == "before"
                cues.append(words.phrase("before {rules}" if before else "after {rules}", rules=rules))
            yield PhaseSummary(words.heading(step.name), 0, "", tuple(cues), decisions)


def _decisions(model: Model, words: Words, body: tuple[ast.Node, ...], seen: set[str]) -> Iterator[str]:
    """The decisions in statements and in the steps that they do, in the order of the rules."""
    for statement in body:
        for node in statement.walk():
            if isinstance(node, ast.Decide):
                offered = words.either(list(dict.fromkeys(_heading(words, act) for act in node.acts)))
                others = words.either(list(dict.fromkeys(_heading(words, act) for act in node.otherwise)))
                if others:
                    offered = words.phrase("{offered} else {others}", offered=offered, others=others)
                yield words.phrase(DUTIES[node.duty], choice=offered)
            elif isinstance(node, ast.Choose):
                symbol = model.refers[node.number]
                assert isinstance(symbol, LocalSymbol)
                choice = words.phrase("choose {value}", value=local_words(words, symbol))
                yield words.phrase(DUTIES[node.duty], choice=choice)
            # An interrupt is not part of the rules that do it: what it asks is said once.
            name = node.name if isinstance(node, ast.Act) and node.number not in model.unwritten else ""
            rule = model.rules.get(name)
            if rule is not None and not rule.is_action and name not in seen:
                seen.add(name)
                yield from _decisions(model, words, rule.declaration.body, seen)


def _heading(words: Words, act: ast.Act) -> str:
    return words.heading(act.name.partition("(")[0])


# ---------------------------------------------------------------- actions and points


def _actions(model: Model, words: Words) -> Iterator[ActionSummary]:
    for rule in model.rules.values():
        declaration = rule.declaration
        if isinstance(declaration, ast.Action):
            label = "" if declaration.label is None else text_with_holes(model, words, declaration.label)
            conditions = tuple(_conditions(model, words, declaration, {rule.name}))
            yield ActionSummary(_clause(words, rule.name), label, conditions, declaration.cites)


def _clause(words: Words, name: str) -> str:
    """The name of an action, with the value of a clause: `use (village)`."""
    action, bracket, value = name.partition("(")
    return f"{words.heading(action)} ({words.name(value.removesuffix(')'))})" if bracket else words.heading(action)


def _conditions(model: Model, words: Words, rule: ast.Action | ast.Step, seen: set[str]) -> Iterator[ConditionSummary]:
    """The requirements of an action and of the steps that it does."""
    for requirement in rule.requires:
        condition = " ".join(requirement.condition.span.text.split())
        yield ConditionSummary(
            condition, text_with_holes(model, words, requirement.reason), requirement.cites or rule.cites
        )
    for statement in rule.body:
        for node in statement.walk():
            step = model.rules.get(node.name) if isinstance(node, ast.Act) else None
            if step is not None and not step.is_action and step.name not in seen:
                seen.add(step.name)
                yield from _conditions(model, words, step.declaration, seen)


def _reasons(model: Model, words: Words) -> Iterator[str]:
    for node in model.nodes:
        if isinstance(node, ast.Add) and node.because is not None:
            yield text_with_holes(model, words, node.because)


def _option(words: Words, option: OptionSymbol) -> OptionSummary:
    texts = tuple((text.value, words.text(text.text)) for text in option.declaration.texts)
    sentence = words.text(option.declaration.sentence)
    return OptionSummary(option.name, words.heading(option.name), option.values, option.default, sentence, texts)
