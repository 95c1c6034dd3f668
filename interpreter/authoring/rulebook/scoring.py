"""The sections about the aim, terms, scoring, the end, options and variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.symbols import OptionSymbol
from dsl.types import Truth
from interpreter.authoring.rulebook.book import Block, Line, Paragraph, Section
from interpreter.authoring.rulebook.components import COMPONENTS
from interpreter.authoring.rulebook.course import ENDS
from interpreter.authoring.rulebook.making import Making, capital, lines_block, section
from interpreter.authoring.rulebook.prose import PREPOSITIONS
from interpreter.authoring.rulebook.telling import anchor_of
from interpreter.authoring.rulebook.written import all_cites
from interpreter.loading.game_heads import texts_in
from interpreter.loading.variants import variants_of
from interpreter.seat.explain.reading_aloud import spaced
from interpreter.wording.phrases import Phrase

AIM, TERMS, SCORING, END, OPTIONS, VARIANTS = "aim", "terms", "scoring", "end", "options", "variants"

CRITERIA = {"highest": Phrase("highest: {value}"), "lowest": Phrase("lowest: {value}")}
"""What is compared in the end, by the direction."""


def aim(making: Making) -> list[Section]:
    """Who wins."""
    return section(AIM, making.words.phrase("Aim"), lines_block("", _criteria(making)))


def _criteria(making: Making) -> Iterator[Line]:
    """The criteria of winning, the most important one first."""
    winner, phrase = making.model.winner, making.words.phrase
    for number, criterion in enumerate(winner.criteria if winner is not None else ()):
        text = making.words.text(criterion.words) if criterion.words else _criterion(making, criterion)
        if criterion.is_condition:
            yield Line(phrase("Only who meets this can win: {criterion}.", criterion=text))
        elif number == 0:
            yield Line(phrase("You win with: {criterion}.", criterion=text))
        else:
            yield Line(phrase("After that, of those who are level: {criterion}.", criterion=text))


def _criterion(making: Making, criterion: ast.Criterion) -> str:
    if criterion.direction is None:
        return making.prose.condition(criterion.value)
    return making.words.phrase(CRITERIA[criterion.direction], value=making.prose.read(criterion.value))


def terms(making: Making) -> list[Section]:
    """The definitions that rules use, other than those of the scoring."""
    defines = [
        (name, symbol.declaration)
        for name, symbol in making.model.defines.items()
        if symbol.declaration not in _scoring_defines(making)
    ]
    sections = [part for name, define in defines for part in _define(making, name, define)]
    return section(TERMS, making.words.phrase("What words mean"), (), sections)


def _scoring_defines(making: Making) -> tuple[ast.Define, ...]:
    return tuple(
        declaration
        for part in making.model.file.parts
        if part.name == "scoring"
        for declaration in part.declarations
        if isinstance(declaration, ast.Define)
    )


def scoring(making: Making) -> list[Section]:
    """What points are given for in play, and the definitions of the scoring."""
    phrase, model, prose = making.words.phrase, making.model, making.prose
    blocks: list[Block] = list(making.written.items(SCORING))
    reasons: dict[str, None] = {}
    for declaration in (declaration for part in model.file.parts for declaration in part.declarations):
        prose.name_locals(declaration)
        for node in declaration.walk():
            if isinstance(node, ast.Add) and node.because is not None:
                text = phrase("{reason}: {value}", reason=prose.text(node.because), value=prose.read(node.value))
                reasons[text] = None
    blocks += lines_block(phrase("Points are given for:"), [Line(f"{capital(reason)}.") for reason in reasons])
    blocks += lines_block(phrase("In the end these are compared:"), _compared(making))
    if model.teams is not None:
        text = phrase("Players for whom this is the same win together: {value}.", value=prose.read(model.teams.value))
        blocks.append(Paragraph(text))
    sections = [part for define in _scoring_defines(making) for part in _define(making, define.name, define)]
    return section(SCORING, phrase("Scoring"), blocks, sections)


def _compared(making: Making) -> Iterator[Line]:
    winner = making.model.winner
    for criterion in winner.criteria if winner is not None else ():
        text = _criterion(making, criterion)
        named = making.words.text(criterion.words) if criterion.words else ""
        yield Line(f"{capital(named)}: {text}." if named else f"{capital(text)}.")


def _define(making: Making, name: str, define: ast.Define) -> list[Section]:
    """A definition: the words of the author, and its cases."""
    prose, words, anchor = making.prose, making.words, anchor_of(name)
    prose.name_locals(define)
    heading = words.heading(name)
    blocks = making.words_of_author(define, anchor)
    parameters = ", ".join(map(prose.open_name, define.parameters))
    term = capital(heading).removesuffix(" of")
    lead = words.phrase("{term} of {parameters}:", term=term, parameters=parameters)
    if term.endswith(PREPOSITIONS):
        lead = f"{term} {parameters}:"
    if not parameters:
        lead = f"{capital(heading)}:"
    if len(define.cases) == 1 and define.cases[0].condition is None:
        blocks.append(Paragraph(f"{_value(making, define.cases[0])}.", lead))
    else:
        blocks += lines_block(
            words.phrase("{lead} the first of these that fits:", lead=lead), _case_lines(making, define)
        )
    making.index(capital(heading), anchor)
    return section(anchor, heading, blocks)


def _case_lines(making: Making, define: ast.Define) -> Iterator[Line]:
    phrase = making.words.phrase
    for case in define.cases:
        value = _value(making, case)
        if case.condition is None:
            yield Line(phrase("otherwise {value}", value=value))
        else:
            condition = making.prose.condition(case.condition)
            yield Line(phrase("{value}, if {condition}", value=value, condition=condition))


def _value(making: Making, case: ast.Case) -> str:
    if isinstance(making.model.types.get(case.value.number), Truth):
        return making.prose.condition(case.value)
    return making.prose.read(case.value)


# ---------------------------------------------------------------- the end


def end(making: Making) -> list[Section]:
    """When the game is over, and who has won then."""
    phrase, prose = making.words.phrase, making.prose
    lines: list[Line] = []
    phases = list(_all_phases(making.model.course))
    for phase in phases:
        prose.name_locals(phase)
        for keyword, condition in phase.ends:
            text = phrase(ENDS[keyword], condition=prose.condition(condition))
            lines.append(Line(f"{capital(making.words.heading(phase.name))}: {text}"))
    for rule in making.model.rules.values():
        if any(isinstance(node, ast.EndGame) for node in rule.declaration.walk()):
            heading = making.words.heading(rule.name.partition("(")[0])
            target = "" if rule.name in making.teller.told_in_place else anchor_of(rule.name)
            lines.append(Line(phrase("“{rule}” can end the game at once.", rule=heading), target=target))
    if making.model.course:
        last = making.words.heading(making.model.course[-1].name)
        lines.append(Line(phrase("The game is over after {phase}.", phase=last)))
    blocks: list[Block] = lines_block("", lines)
    blocks += lines_block(phrase("Who wins:"), _criteria(making))
    return section(END, phrase("End of the game"), blocks)


def _all_phases(phases: Sequence[ast.Phase]) -> Iterator[ast.Phase]:
    for phase in phases:
        yield phase
        yield from _all_phases(phase.phases)


# ---------------------------------------------------------------- options, variants, and what is left


def options(making: Making) -> list[Section]:
    """What is agreed before the game begins."""
    phrase, model = making.words.phrase, making.model
    blocks: list[Block] = list(making.written.items(OPTIONS))
    blocks += lines_block(
        phrase("To be agreed before the game:"), [_option(making, option) for option in model.options.values()]
    )
    return section(OPTIONS, phrase("Options"), blocks)


def _option(making: Making, option: OptionSymbol) -> Line:
    words, declaration = making.words, option.declaration
    making.index(capital(words.heading(option.name)), OPTIONS)
    comment = making.written.lines(declaration)
    sentence = words.text(declaration.sentence)
    texts = {text.value: words.text(text.text) for text in declaration.texts}
    values = []
    for value in option.values:
        name = _option_value(making, value)
        text = f"{name}: {texts[value]}" if value in texts else name
        values.append(
            words.phrase("{value} (unless agreed otherwise)", value=text) if value == option.default else text
        )
    text = f"{capital(words.heading(option.name))}: {' '.join(filter(None, (sentence, comment)))}".removesuffix(": ")
    if texts:
        return Line(text, tuple(map(Line, values)))
    return Line(f"{text} {words.either(_shortened(values))}.")


def _shortened(values: Sequence[str]) -> list[str]:
    return [*values] if len(values) <= MAX_VALUES else [*values[:MAX_VALUES], "…"]


MAX_VALUES = 12
"""Number of values of an option that are listed."""


def _option_value(making: Making, value: str) -> str:
    name = making.words.name(value)
    return spaced(value) if name == value else name


def variants(making: Making) -> list[Section]:
    """The variants that the game can be played with."""
    lines = []
    for variant in variants_of(making.rules.path.absolute()):
        texts = {} if making.language is None else texts_in(variant.path, making.language)
        title, sentence = (texts.get(text, text) for text in (variant.title, variant.sentence))
        lines.append(Line(f"{title}: {sentence}".removesuffix(": ")))
    return section(VARIANTS, making.words.phrase("Variants"), lines_block("", lines))


def claim_scoring(making: Making) -> None:
    """Have items printed with the definitions of the scoring that cite them."""
    for define in _scoring_defines(making):
        making.written.claim(all_cites(define), anchor_of(define.name))
    if making.model.winner is not None:
        making.written.claim(all_cites(making.model.winner), SCORING)


def claim_terms(making: Making) -> None:
    """Have items printed with the other definitions, with options, and last with the components."""
    for name, symbol in making.model.defines.items():
        making.written.claim(all_cites(symbol.declaration), anchor_of(name))
    for option in making.model.file.options:
        making.written.claim(option.cites, OPTIONS)
    making.written.claim(sorted(making.written.cited_by_rules()), COMPONENTS)
