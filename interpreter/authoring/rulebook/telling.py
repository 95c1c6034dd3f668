"""Statements as the lines of a list: what is done, by whom, and what is decided.

A step that is done in one place only is told there; others have a section of their own, and lines refer to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from dsl import ast
from dsl.model import Model
from dsl.symbols import LocalSymbol, ZoneSymbol
from dsl.types import Contents
from interpreter.authoring.rulebook.book import Line
from interpreter.authoring.rulebook.prose import Prose, StatementBlock
from interpreter.authoring.rulebook.written import WrittenWords
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

DUTIES = {"must": Phrase("You must {choice}"), "may": Phrase("You may {choice}")}
BOUNDS = Phrase("{sentence}, up to {number} times")
WHILE = Phrase("{sentence}, as long as {condition}")


def anchor_of(name: str) -> str:
    """The anchor of the section about an action, a step or a definition."""
    return "rule-" + name.replace("(", "-").replace(")", "").replace("_", "-").lower()


def rule_heading(words: Words, name: str) -> str:
    """The name of a rule for people, with the value of a clause: `use (village)`."""
    action, bracket, value = name.partition("(")
    return f"{words.heading(action)} ({words.name(value.removesuffix(')'))})" if bracket else words.heading(action)


class Teller:
    """Tells statements in the words of a reader."""

    def __init__(self, model: Model, words: Words, prose: Prose, written: WrittenWords) -> None:
        self.model, self.words, self.prose, self.written = model, words, prose, written
        calls = Counter(
            node.name for node in model.nodes if isinstance(node, ast.Act) and node.number not in model.unwritten
        )
        self.told_in_place = frozenset(
            name
            for name, rule in model.rules.items()
            if not rule.is_action and calls[name] == 1 and not rule.parameters and "(" not in name
        )

    def target_of(self, name: str) -> str:
        """The section about a rule; of one that consists of clauses, that about the first."""
        rules = self.model.rules
        if name in rules and rules[name].declaration.number not in self.model.unwritten:
            return anchor_of(name)
        return next((anchor_of(clause) for clause in rules if clause.startswith(f"{name}(")), "")

    def lines(self, body: Sequence[ast.Statement]) -> tuple[Line, ...]:
        """The lines of a block."""
        return tuple(line for statement in body for line in self._lines(statement))

    def _lines(self, node: ast.Statement) -> Iterator[Line]:
        phrase, read = self.words.phrase, self.prose.read
        match node:
            case ast.Move():
                yield Line(self._move(node))
            case ast.SetTo(target=target, value=value):
                yield Line(phrase("{target} is now {value}.", target=_capital(read(target)), value=read(value)))
            case ast.Add(value=value, target=target, because=because):
                text = phrase("Add {value} to {target}.", value=read(value), target=read(target))
                if because is not None:
                    reason = self.prose.text(because)
                    text = phrase(
                        "Add {value} to {target}: {reason}.", value=read(value), target=read(target), reason=reason
                    )
                yield Line(text)
            case ast.Remove(value=value, target=target):
                yield Line(phrase("Remove {value} from {target}.", value=read(value), target=read(target)))
            case ast.Shuffle(target=target):
                yield Line(phrase("Shuffle {place}.", place=read(target)))
            case ast.Pick():
                yield Line(phrase("Chance decides: {choice}.", choice=self._by_chance(node)))
            case ast.Roll(dice=dice):
                yield Line(phrase("Roll {dice}.", dice=self.words.both([read(die) for die in dice])))
            case ast.Record(target=target):
                yield Line(phrase("Remember the position ({name}).", name=self.words.heading(target.name)))
            case ast.Let(value=value):
                symbol = self.model.refers.get(node.number)
                name = self.prose.open(symbol) if isinstance(symbol, LocalSymbol) else node.name
                yield Line(phrase("{name}: {value}.", name=name, value=read(value)))
            case ast.Do() if node.number in self.model.unwritten:
                pass  # the interrupt says when it is done
            case ast.Do(act=act):
                yield self._do(act)
            case ast.Tell(text=text):
                yield Line(phrase("Say: {text}.", text=self.prose.text(text)))
            case ast.EndGame():
                yield Line(phrase("The game is over at once."))
            case ast.Decide():
                yield from self._decide(node)
            case ast.Choose():
                yield Line(self._choose(node))
            case ast.If():
                yield from self._if(node)
            case ast.ForEach(binders=binders, where=where, body=body):
                things = self.prose.things(binders, where, 1, StatementBlock(body))
                yield Line(phrase("For each {thing}:", thing=things), self.lines(body))
            case ast.EachPlayer():
                yield self._each_player(node)
            case ast.Repeat(bound=bound, body=body):
                text = phrase("Repeat up to {number} times", number=read(bound.times))
                if bound.condition is not None:
                    text = phrase(WHILE, sentence=text, condition=self.prose.condition(bound.condition))
                yield Line(f"{text}:", self.lines(body))
            case _ as never:
                assert_never(never)

    # ------------------------------------------------------------ what is done

    def _move(self, node: ast.Move) -> str:
        phrase, read = self.words.phrase, self.prose.read
        target = self.prose.destination(node.target)
        match node.position:
            case None:
                pass
            case ast.Position(relation="before", anchor=anchor) if anchor is not None:
                target = phrase("{place}, before {piece}", place=target, piece=read(anchor))
            case ast.Position(relation="after", anchor=anchor) if anchor is not None:
                target = phrase("{place}, after {piece}", place=target, piece=read(anchor))
            case ast.Position():
                target = phrase("{place}, at the bottom", place=target)
        if node.source is not None:
            what = self._amount(node.what, node.source)
            if node.at_random:
                return phrase(
                    "Move {pieces}, chosen at random, from {place} to {target}.", pieces=what,
                    place=read(node.source), target=target,
                )  # fmt: skip
            return phrase(
                "Move {pieces} from {place} to {target}.", pieces=what, place=read(node.source), target=target
            )
        if self._is_zone(node.what):
            return phrase("Move everything in {place} to {target}.", place=read(node.what), target=target)
        return phrase("Move {pieces} to {target}.", pieces=read(node.what), target=target)

    def _amount(self, what: ast.Expression, source: ast.Expression) -> str:
        """How many pieces of which kind: `5 cards`, `[number] [rank]`."""
        if isinstance(what, ast.Of):
            return f"{self.prose.read(what.whole)} {self.prose.read(what.part)}"
        type_ = self.model.types.get(source.number)
        pieces = self.prose.pieces(type_, 1 if what.span.text == "1" else 2) if isinstance(type_, Contents) else ""
        return f"{self.prose.read(what)} {pieces}".strip()

    def _is_zone(self, node: ast.Expression) -> bool:
        base = node.base if isinstance(node, ast.Index) else node
        if not isinstance(base, ast.Name):
            return False
        zone = self.model.zones.get(base.name)
        return isinstance(zone, ZoneSymbol) and zone.declaration.shape != "one"

    def _do(self, act: ast.Act) -> Line:
        rule = self.model.rules[act.name]
        if act.name in self.told_in_place:
            self.prose.name_locals(rule.declaration)
            text = self.written.lines(rule.declaration)
            below = self.lines(rule.declaration.body)
            if text:
                return Line(text, below)
            return Line(f"{_capital(rule_heading(self.words, act.name))}:", below)
        heading = rule_heading(self.words, act.name)
        if not act.arguments:
            return Line(self.words.phrase("Now: {step}.", step=heading), target=self.target_of(act.name))
        values = ", ".join(map(self.prose.read, act.arguments))
        return Line(
            self.words.phrase("Now: {step}, for {values}.", step=heading, values=values),
            target=self.target_of(act.name),
        )

    def _if(self, node: ast.If) -> Iterator[Line]:
        phrase = self.words.phrase
        then, otherwise = self.lines(node.then), self.lines(node.otherwise)
        yield Line(phrase("If {condition}:", condition=self.prose.condition(node.condition)), then)
        if otherwise:
            yield Line(phrase("Otherwise:"), otherwise)

    def _each_player(self, node: ast.EachPlayer) -> Line:
        phrase, first = self.words.phrase, self.prose.read(node.first)
        is_reversed = node.backwards is not None and node.backwards.condition is None
        if node.at_once:
            text = phrase("All players at the same time")
        elif node.last is None:
            text = phrase("Each player in turn, clockwise, beginning with {first}", first=first)
            if is_reversed:
                text = phrase("Each player in turn, counterclockwise, beginning with {first}", first=first)
        else:
            last = self.prose.read(node.last)
            text = phrase("Each player in turn, clockwise, from {first} to {last}", first=first, last=last)
            if is_reversed:
                text = phrase("Each player in turn, counterclockwise, from {first} to {last}", first=first, last=last)
        if not node.at_once and node.backwards is not None and node.backwards.condition is not None:
            condition = self.prose.condition(node.backwards.condition)
            text = phrase("{sentence}, but counterclockwise if {condition}", sentence=text, condition=condition)
        if node.where is not None:
            text = phrase("{sentence}, if {condition}", sentence=text, condition=self.prose.condition(node.where))
        return Line(f"{text}:", self.lines(node.body))

    # ------------------------------------------------------------ what is decided

    def _decide(self, node: ast.Decide) -> Iterator[Line]:
        phrase = self.words.phrase
        acts = list(dict.fromkeys(self._act(act) for act in node.acts))
        text = phrase(DUTIES[node.duty], choice=self.words.either(acts))
        yield Line(f"{self._bounded(text, node.bound)}.", target=self._target(node.acts))
        others = list(dict.fromkeys(self._act(act) for act in node.otherwise))
        if others:
            offered = self.words.either(others)
            yield Line(phrase("If none of this is possible, you must {choice}.", choice=offered),
                       target=self._target(node.otherwise))  # fmt: skip
        if node.instead:
            yield Line(phrase("If nothing is possible:"), self.lines(node.instead))

    def _target(self, acts: Sequence[ast.Act]) -> str:
        """The section about the only action that is offered."""
        names = {act.name for act in acts}
        return self.target_of(acts[0].name) if len(names) == 1 else ""

    def _act(self, act: ast.Act) -> str:
        heading = self.words.heading(act.name.partition("(")[0])
        if not act.arguments or isinstance(act, ast.ClauseAct):
            return heading
        return f"{heading} ({', '.join(map(self.prose.read, act.arguments))})"

    def _bounded(self, text: str, bound: ast.Bound | None) -> str:
        if bound is None:
            return text
        text = self.words.phrase(BOUNDS, sentence=text, number=self.prose.read(bound.times))
        if bound.condition is not None:
            text = self.words.phrase(WHILE, sentence=text, condition=self.prose.condition(bound.condition))
        return text

    def _choose(self, node: ast.Choose) -> str:
        phrase, read = self.words.phrase, self.prose.read
        symbol = self.model.refers.get(node.number)
        name = self.prose.open(symbol) if isinstance(symbol, LocalSymbol) else node.name
        amount = node.amount
        if amount is not None:
            most = read(amount.most)
            if amount.fewest is not None:
                name = phrase("{fewest} to {most} {things}", fewest=read(amount.fewest), most=most, things=name)
            elif amount.exactly:
                name = f"{most} {name}"
            else:
                name = phrase("up to {most} {things}", most=most, things=name)
        return f"{phrase(DUTIES[node.duty], choice=self._choice(node, name))}."

    def _by_chance(self, node: ast.Pick) -> str:
        symbol = self.model.refers.get(node.number)
        name = self.prose.open(symbol) if isinstance(symbol, LocalSymbol) else node.name
        if node.amount is not None:
            name = f"{self.prose.read(node.amount)} {name}"
        return self._choice(node, name)

    def _choice(self, node: ast.Choose | ast.Pick, name: str) -> str:
        phrase = self.words.phrase
        choice = phrase("choose {thing} from {domain}", thing=name, domain=self.prose.read(node.domain))
        if node.where is None:
            return choice
        return phrase("{things} where {condition}", things=choice, condition=self.prose.condition(node.where))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
