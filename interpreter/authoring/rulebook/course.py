"""The sections about setup, the course of play, actions and what happens by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import Number, bare
from interpreter.authoring.rulebook.book import Block, Line, Paragraph, Section
from interpreter.authoring.rulebook.components import beginning
from interpreter.authoring.rulebook.making import Making, capital, lines_block, section
from interpreter.authoring.rulebook.prose import StatementBlock
from interpreter.authoring.rulebook.telling import anchor_of, rule_heading
from interpreter.authoring.rulebook.written import all_cites
from interpreter.wording.phrases import Phrase

SETUP, COURSE, ACTIONS, STEPS, REACTIONS = "setup", "course", "actions", "steps", "by-themselves"

ENDS = {
    "over when": Phrase("It is over when, after a turn, {condition}."),
    "repeated until": Phrase("It is repeated until {condition}."),
    "over as soon as": Phrase("It is over as soon as {condition}."),
}
"""When a phase is over, by the keyword of the condition."""


def setup(making: Making) -> list[Section]:
    """What is done before the first turn, and the table afterwards."""
    phrase, model = making.words.phrase, making.model
    blocks: list[Block] = list(making.written.items(SETUP))
    making.prose.name_locals(StatementBlock(model.setup))
    blocks += lines_block(phrase("In this order:"), making.teller.lines(model.setup), is_numbered=True)
    return section(SETUP, phrase("Setup"), [*blocks, *beginning(making)])


def course(making: Making) -> list[Section]:
    """The phases, what happens in each, and the steps that they and the setup consist of."""
    blocks: list[Block] = [block for phase in making.model.course for block in _phase(making, phase)]
    sections = [part for name in _steps_of_course(making) for part in _step(making, name)]
    return section(COURSE, making.words.phrase("Course of play"), blocks, sections)


def _phase(making: Making, phase: ast.Phase) -> Iterator[Block]:
    phrase, words, prose = making.words.phrase, making.words, making.prose
    prose.name_locals(phase)
    heading = capital(words.heading(phase.name))
    making.index(heading, COURSE)
    sentences = [making.written.lines(phase)]
    if phase.phases:
        parts = words.both([words.heading(part.name) for part in phase.phases])
        sentences.append(phrase("It consists of {parts}.", parts=parts))
    if phase.first is not None:
        sentences.append(_turns(making, phase.first, phase.last, phase.backwards))
    sentences += [phrase(ENDS[keyword], condition=prose.condition(condition)) for keyword, condition in phase.ends]
    yield Paragraph(" ".join(filter(None, sentences)), f"{heading}.")
    yield from making.written.items(_anchor_of_phase(phase))
    lead = phrase("In each turn:") if phase.first is not None else phrase("What happens:")
    yield from lines_block(lead, making.teller.lines(phase.body), is_numbered=True)
    for part in phase.phases:
        yield from _phase(making, part)


def _anchor_of_phase(phase: ast.Phase) -> str:
    return f"{COURSE}-{phase.name}"


def _all_phases(phases: Sequence[ast.Phase]) -> Iterator[ast.Phase]:
    for phase in phases:
        yield phase
        yield from _all_phases(phase.phases)


def _turns(
    making: Making, first: ast.Expression, last: ast.Expression | None, backwards: ast.Backwards | None
) -> str:  # fmt: skip
    phrase, read, start = making.words.phrase, making.prose.read, making.prose.read(first)
    if backwards is None or backwards.condition is not None:
        text = phrase("Players take turns clockwise, beginning with {first}.", first=start)
        if last is not None:
            text = phrase(
                "Players take one turn each, clockwise, from {first} to {last}.", first=start, last=read(last)
            )
        if backwards is None or backwards.condition is None:
            return text
        condition = making.prose.condition(backwards.condition)
        return f"{text} {phrase('It goes counterclockwise if {condition}.', condition=condition)}"
    if last is None:
        return phrase("Players take turns counterclockwise, beginning with {first}.", first=start)
    return phrase("Players take one turn each, counterclockwise, from {first} to {last}.", first=start, last=read(last))


def _cites_told(making: Making, root: ast.Node) -> Iterator[str]:
    """The items cited by a statement and by the steps that are told in its place."""
    yield from all_cites(root)
    for node in root.walk():
        if isinstance(node, ast.Act) and node.name in making.teller.told_in_place:
            yield from _cites_told(making, making.model.rules[node.name].declaration)


def _steps(making: Making) -> list[str]:
    """The steps that are not told where they are done."""
    return [
        name
        for name, rule in making.model.rules.items()
        if not rule.is_action and name not in making.teller.told_in_place
        if rule.declaration.number not in making.model.unwritten
    ]


def _steps_of_course(making: Making) -> list[str]:
    """Those that phases and the setup consist of, in the order in which they are told."""
    waiting: list[ast.Node] = [*making.model.course, *making.model.setup]
    steps_in_order: dict[str, None] = {}
    while waiting:
        for node in waiting.pop(0).walk():
            rule = making.model.rules.get(node.name) if isinstance(node, ast.Act) else None
            if rule is not None and not rule.is_action and rule.name not in steps_in_order:
                steps_in_order[rule.name] = None
                waiting.append(rule.declaration)
    told = set(_steps(making))
    return [name for name in steps_in_order if name in told]


def _step(making: Making, name: str) -> list[Section]:
    return _rule(making, name, making.model.rules[name].declaration)


def steps(making: Making) -> list[Section]:
    """The steps that only actions and reactions consist of."""
    of_course = set(_steps_of_course(making))
    sections = [part for name in _steps(making) if name not in of_course for part in _step(making, name)]
    return section(STEPS, making.words.phrase("Parts of actions"), (), sections)


def claim_items(making: Making) -> None:
    """Have items printed with the rules that cite them: with actions first, then with steps, phases and reactions."""
    rules = making.model.rules
    for name in [name for name, rule in rules.items() if rule.is_action] + _steps(making):
        making.written.claim(_cites_told(making, rules[name].declaration), anchor_of(name))
    for phase in _all_phases(making.model.course):
        making.written.claim(phase.cites, _anchor_of_phase(phase))
        for statement in phase.body:
            making.written.claim(_cites_told(making, statement), _anchor_of_phase(phase))
    for number, when in enumerate(making.model.whens, 1):
        making.written.claim(_cites_told(making, when.declaration), f"when-{number}")
    for statement in making.model.setup:
        making.written.claim(all_cites(statement), SETUP)


def actions(making: Making) -> list[Section]:
    """What players may choose to do."""
    sections = [
        part
        for name, rule in making.model.rules.items()
        if rule.is_action
        for part in _rule(making, name, rule.declaration)
    ]
    return section(ACTIONS, making.words.phrase("Actions"), (), sections)


def _rule(making: Making, name: str, rule: ast.Action | ast.Step) -> list[Section]:
    """An action or a step: what is chosen, when it is allowed, what it does."""
    phrase, prose, anchor = making.words.phrase, making.prose, anchor_of(name)
    prose.name_locals(rule)
    heading = rule_heading(making.words, name)
    blocks: list[Block] = []
    if isinstance(rule, ast.Action) and rule.label is not None:
        blocks.append(Paragraph("", f"“{prose.text(rule.label)}”"))
    blocks += making.words_of_author(rule, anchor)
    blocks += lines_block(phrase("When:"), _moments(making, rule))
    chosen = [_parameter(making, parameter) for parameter in rule.parameters]
    if chosen:
        lead = phrase("You choose:") if isinstance(rule, ast.Action) else phrase("For:")
        blocks.append(Paragraph("; ".join(chosen) + ".", lead))
    named = _names_in_conditions(making, rule)
    conditions = [*making.teller.lines(rule.body[:named]), *_conditions(making, rule)]
    blocks += lines_block(phrase("Only allowed if:"), conditions)
    blocks += lines_block(phrase("What happens:"), making.teller.lines(rule.body[named:]), is_numbered=True)
    if not blocks or (isinstance(rule, ast.Step) and not (rule.requires or rule.body)):
        blocks.append(Paragraph(phrase("Nothing happens.")))
    making.index(capital(heading), anchor)
    return section(anchor, heading, blocks)


def _moments(making: Making, rule: ast.Action | ast.Step) -> Iterator[Line]:
    """The rules that an interrupt is done before or after."""
    for cue in rule.cues if isinstance(rule, ast.Step) else ():
        for cued in cue.rules:
            text = Phrase("Before “{rule}”.") if cue.relation == "before" else Phrase("After “{rule}”.")
            name = cued.full_name
            target = "" if name in making.teller.told_in_place else making.teller.target_of(name)
            yield Line(making.words.phrase(text, rule=rule_heading(making.words, name)), target=target)


def _names_in_conditions(making: Making, rule: ast.Action | ast.Step) -> int:
    """How many statements of a rule only give names with which its requirements are said."""
    refers, lets = making.model.refers, ast.lets_at_head(rule)
    named = {refers.get(part.number) for requirement in rule.requires for part in requirement.walk()}
    return len(lets) if any(refers.get(let.number) in named for let in lets) else 0


def _conditions(making: Making, rule: ast.Action | ast.Step) -> Iterator[Line]:
    """The requirements in words, each with the reason of the author why a move that fails it is refused."""
    for requirement in rule.requires:
        condition = capital(making.prose.condition(requirement.condition))
        reason = making.prose.text(requirement.reason)
        yield Line(making.words.phrase("{condition}; otherwise: “{reason}”", condition=condition, reason=reason))


def _parameter(making: Making, parameter: ast.Parameter) -> str:
    """What is chosen: `[card] in section [section]`, `[number] (1 to 7)`."""
    phrase, prose = making.words.phrase, making.prose
    name = prose.open_name(parameter)
    if parameter.domain is not None:
        text = phrase("{name} from {domain}", name=name, domain=prose.read(parameter.domain))
    else:
        symbol = making.model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        core = bare(symbol.type)
        noun = prose.kind_of_thing(symbol.type, 1)
        if isinstance(core, Number):
            text = f"{name} ({phrase('{low} to {high}', low=core.low, high=core.high)})"
        else:
            text = name if name == f"[{noun}]" else f"{name} ({noun})"
    return phrase("{choice}, in secret", choice=text) if parameter.secret else text


def reactions(making: Making) -> list[Section]:
    """What happens by itself, whenever its condition comes true."""
    sections: list[Section] = []
    for number, when in enumerate(making.model.whens, 1):
        rule, anchor = when.declaration, f"when-{number}"
        making.prose.name_locals(rule)
        blocks = making.words_of_author(rule, anchor)
        defined = making.model.defines[rule.name].declaration
        making.prose.name_locals(defined)
        condition = " / ".join(_cases(making, defined))
        blocks.append(Paragraph(f"{condition}.", making.words.phrase("As soon as:")))
        blocks += lines_block(making.words.phrase("What happens:"), making.teller.lines(rule.body), is_numbered=True)
        heading = making.words.heading(rule.name)
        making.index(capital(heading), anchor)
        sections += section(anchor, heading, blocks)
    return section(REACTIONS, making.words.phrase("What happens by itself"), (), sections)


def _cases(making: Making, define: ast.Define) -> Iterator[str]:
    for case in define.cases:
        value = making.prose.condition(case.value)
        if case.condition is None:
            yield value
        else:
            yield making.words.phrase(
                "{value} if {condition}", value=value, condition=making.prose.condition(case.condition)
            )
