"""Worked examples: those of the game's `example`s that show the scoring, drawn as they lie on the table."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.symbols import DefineSymbol, NoteSymbol
from dsl.types import Number, bare
from interpreter.authoring.rulebook.book import Block, Line, Paragraph, Section
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.authoring.rulebook.making import Making, capital, lines_block, section
from interpreter.authoring.rulebook.prose import Prose
from interpreter.authoring.rulebook.table_view import grids_of
from interpreter.compiler.names import NO_NAMES
from interpreter.engine.seating import choose_options, choose_seats
from interpreter.errors import PlayError, UsageError
from interpreter.play.game import Game
from interpreter.play.scenes.runner import ExampleError, Runner
from interpreter.play.scenes.setup import GivenError, table_of
from interpreter.seat.explain.breakdown import Explainer, Explanation, score_reasons_of
from interpreter.seat.views.model import View
from interpreter.seat.views.seat_view import view_of
from interpreter.wording.words import OWN

EXAMPLES = "examples"

MAX_EXAMPLES = 6
"""Number of examples that a rulebook shows."""

MAX_DEPTH, MAX_PARTS = 3, 12
"""How deep, and with how many parts of each, the computation of a value is shown."""

MAX_CLAIMS = 14
"""Number of claims of an example, and moves between them, that are shown."""

MAX_CASE = 70
"""Length of the condition of a case up to which it is shown with its value."""

AGGREGATES = ("sum ", "count ", "highest ", "lowest ")
"""What a part of a computation begins with whose terms are shown in its place."""


def examples(making: Making) -> list[Section]:
    """The worked examples, each with the table as it lies, and how its claims come about."""
    sections = [part for number, example in enumerate(_chosen(making), 1) for part in _example(making, example, number)]
    return section(EXAMPLES, making.words.phrase("Examples"), (), sections)


# ---------------------------------------------------------------- which


def _chosen(making: Making) -> list[ast.Example]:
    """The examples that show most of the scoring with the fewest: each shows something that those before do not.

    Examples of the printed rulebook come first: they cite items that no rule cites.
    """
    by_rules = making.written.cited_by_rules()
    items = set(making.model.items or {})
    candidates = []
    for example in making.model.examples:
        is_printed = any(id_ in items and id_ not in by_rules for id_ in example.cites)
        if (names := _names_claimed(making, example)) and _fits(making, example):
            candidates.append((not is_printed, example, names))
    candidates.sort(key=lambda candidate: (candidate[0], len(candidate[1].scenes)))
    chosen: list[ast.Example] = []
    covered: set[str] = set()
    for _, example, names in candidates:
        if not names <= covered and len(chosen) < MAX_EXAMPLES:
            chosen.append(example)
            covered |= names
    for is_other, example, _ in candidates:  # then further printed ones
        if not is_other and example not in chosen and len(chosen) < MAX_EXAMPLES:
            chosen.append(example)
    return sorted(chosen, key=lambda example: (example.span.source.name, example.span.start))


def _fits(making: Making, example: ast.Example) -> bool:
    """True if an example is about a number of players that the book is for."""
    seats, _ = table_of(making.model, example)
    number = seats if isinstance(seats, int) else len(seats) if seats is not None else making.counts[0]
    return number in making.counts


def _names_claimed(making: Making, example: ast.Example) -> set[str]:
    """The names of the definitions of the scoring, scores, and winners that the claims of an example are about."""
    model, names = making.model, set[str]()
    scoring = {
        declaration.name
        for part in model.file.parts
        if part.name == "scoring"
        for declaration in part.declarations
        if isinstance(declaration, ast.Define)
    }
    scores = {
        node.name
        for criterion in (model.winner.criteria if model.winner is not None else ())
        for node in criterion.value.walk()
        if isinstance(node, ast.Name)
    }
    for scene in example.scenes:
        for node in scene.walk() if isinstance(scene, ast.Then) else ():
            symbol = model.globals.get(node.name) if isinstance(node, ast.Name) else None
            is_number = isinstance(symbol, DefineSymbol) and symbol.type is not None and isinstance(
                bare(symbol.type), Number
            )  # fmt: skip
            if symbol is not None and ((is_number and symbol.name in scoring) or (
                isinstance(symbol, NoteSymbol | DefineSymbol) and symbol.name in scores
            )):  # fmt: skip
                names.add(symbol.name)
            elif isinstance(node, ast.Name) and node.name == "winners":
                names.add(node.name)
    return names


# ---------------------------------------------------------------- how


def _example(making: Making, example: ast.Example, number: int) -> list[Section]:
    """An example: its setting, the table, the moves, and its claims."""
    words, phrase, prose = making.words, making.words.phrase, making.prose
    prose.name_locals(example)
    seats_given, options = table_of(making.model, example)
    seats = choose_seats(making.rules, seats_given)
    game = Game(making.rules, seats, choose_options(making.rules, options, seats)).in_words(making.language or OWN)
    anchor = f"example-{number}"
    making.written.claim(example.cites, anchor)
    blocks: list[Block] = [*making.written.items(anchor)]
    settings = [
        phrase("{name} is {value}", name=words.heading(name), value=words.name(value))
        for name, value in options.items()
    ]
    if settings:
        blocks.append(Paragraph(f"{capital('; '.join(settings))}."))
    try:
        blank = _view(Runner(game, example))
        runner = Runner(game, example)
        moves: list[Line] = []
        claims: list[Line] = []
        drawn: list[Block] = []
        for scene in example.scenes:
            if isinstance(scene, ast.Then | ast.ThenMay | ast.ThenMayNot) and not drawn:
                drawn = _drawn(making, _view(runner), blank, game)
            runner.scene(scene)
            if isinstance(scene, ast.Played):
                (claims if drawn else moves).append(Line(_played(making, scene)))
            elif isinstance(scene, ast.Then):
                claims += _claims(making, runner, scene)
    except (ExampleError, GivenError, UsageError, PlayError):
        return []  # `test` reports an example that fails; a rulebook shows only what holds
    blocks += lines_block(phrase("Played:"), moves, is_numbered=True)
    blocks += [*drawn, *lines_block(phrase("Then:"), claims[:MAX_CLAIMS])]
    return section(anchor, words.text(example.title.value), blocks)


def _view(runner: Runner) -> View:
    return view_of(runner.program, runner.cells, None)


def _drawn(making: Making, view: View, blank: View, game: Game) -> list[Block]:
    """The board, and the rows of other tables that the example has changed."""
    caption = making.words.phrase("The table in this example")
    picture = picture_of(view, making.words, caption) if view.tables != blank.tables else None
    return [*([picture] if picture is not None else []), *grids_of(view, making.words, blank)]


def _played(making: Making, scene: ast.Played) -> str:
    """A move of an example in words."""
    choice = scene.choice
    if isinstance(choice, ast.Choosing):
        text = making.words.phrase("choose {value}", value=making.prose.read(choice.value))
    else:
        values = ", ".join(map(making.prose.read, choice.arguments))
        heading = making.words.heading(choice.name.partition("(")[0])
        text = f"{heading} ({values})" if values else heading
    return f"{capital(making.words.name(scene.seat))}: {text}."


def _claims(making: Making, runner: Runner, scene: ast.Then) -> Iterator[Line]:
    """What an example claims; of numbers also how they come about."""
    reasons = score_reasons_of(runner.program, runner.cells, runner.state.journal)
    explainer = Explainer(runner.program, runner.cells, reasons, reader=Prose)
    for condition in ast.conjuncts(scene.condition):
        if isinstance(condition, ast.Compare) and condition.operator == "is" and explainer.has_value(condition.left):
            explanation = explainer.explain(condition.left, NO_NAMES)
            if explanation.children or isinstance(making.model.types.get(condition.left.number), Number):
                line = _explained(explanation, MAX_DEPTH)
                text = capital(making.prose.read(condition.left))
                yield Line(f"{text} = {line.text.rpartition(' = ')[2]}", line.below)
                continue
        yield Line(f"{capital(making.prose.condition(condition))}.")


def _spliced(explanation: Explanation) -> list[Explanation]:
    """A part, or instead of a sum or count its terms, which phrase it in fewer words."""
    if not explanation.text.startswith(AGGREGATES) or not explanation.children:
        return [explanation]
    return [part for child in explanation.children for part in _spliced(child)]


def _explained(explanation: Explanation, depth: int) -> Line:
    """A value with the parts that it comes from; a part that is its only one and has its value is left out."""
    children = [part for child in explanation.children for part in _spliced(child)]
    # a count without terms is the value itself
    children = [child for child in children if child.children or not child.text.startswith(AGGREGATES)]
    if len(children) == 1 and not children[0].children and children[0].shown == explanation.shown:
        children = []  # where a value is read from
    parts = [child for child in children if child.shown != "0"][:MAX_PARTS] if depth > 1 else []
    is_said = explanation.case and explanation.case != "otherwise" and len(explanation.case_shown) <= MAX_CASE
    case = f" ({explanation.case_shown})" if is_said else ""
    subject, value = explanation.text_shown or explanation.text, explanation.shown or explanation.value
    text = f"{subject} = {value}{case}"
    return Line(text, tuple(_explained(part, depth - 1) for part in parts))
