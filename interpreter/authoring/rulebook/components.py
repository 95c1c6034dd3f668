"""The sections about what lies on the table: components by number of players, places, values to note, the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.symbols import TypeSymbol
from dsl.types import PLAYER, bare
from interpreter.authoring.rulebook.book import Block, Grid, Line, Paragraph, Section
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.authoring.rulebook.making import Making, capital, lines_block, section
from interpreter.authoring.rulebook.table_view import grids_of
from interpreter.engine.build import counted_layout
from interpreter.engine.seating import choose_options, choose_seats
from interpreter.play.game import Game
from interpreter.runtime.layout import Layout
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN

MAX_KINDS = 40
"""Number of kinds of pieces of a type up to which each has a row of its own."""

SHAPES = {
    "heap": Phrase("{pieces}"), "one": Phrase("room for one {pieces}"), "row": Phrase("a row of {pieces}"),
    "stack": Phrase("a stack of {pieces}"),
}  # fmt: skip
"""How pieces lie in a zone."""

COMPONENTS, BEGINNING = "components", "beginning"


def components(making: Making) -> list[Section]:
    """What is in the box, and where it lies."""
    phrase, model = making.words.phrase, making.model
    declarations = [declaration for part in model.file.parts for declaration in part.declarations]
    blocks: list[Block] = list(making.written.items(COMPONENTS))
    if model.board is not None:
        text = phrase("The game is played on the board “{board}”.", board=model.board.name)
        blocks.append(Paragraph(" ".join(filter(None, (text, model.board.note or "")))))
    blocks += _pieces(making)
    blocks += [_by_players(making, node) for node in declarations if isinstance(node, ast.ByPlayers)]
    blocks += [_values(making, node) for node in declarations if isinstance(node, ast.TypeTable)]
    blocks += lines_block(phrase("Lists:"), _lists(making, declarations))
    blocks += lines_block(phrase("Dice:"), _dice(making))
    blocks += lines_block(phrase("Places for pieces:"), _zones(making))
    blocks += lines_block(phrase("To be noted during the game:"), _notes(making))
    return section(COMPONENTS, phrase("Components"), blocks)


def beginning(making: Making) -> list[Block]:
    """The table at the first decision, as all players see it."""
    rules, words = making.rules, making.words
    game = Game(rules, making.seats, choose_options(rules, {}, making.seats)).in_words(making.language or OWN)
    view, name = game.start(seed=1).view(making.seats[0]), words.name(making.seats[0])
    caption = words.counted_phrase(
        "The table at the first decision with {number} player, as {seat} sees it",
        "The table at the first decision with {number} players, as {seat} sees it", len(making.seats), seat=name,
    )  # fmt: skip
    picture = picture_of(view, words, caption)
    blocks: list[Block] = [picture] if picture is not None else [Paragraph("", f"{caption}:")]
    return blocks + [grid for grid in grids_of(view, words) if len(grid.rows) > 0]


# ---------------------------------------------------------------- what there is


def _pieces(making: Making) -> list[Block]:
    """A table of all pieces by the number of players."""
    phrase, words = making.words.phrase, making.words
    amounts = {count: _amounts(making, count) for count in making.counts}
    names = list(dict.fromkeys(name for by_name in amounts.values() for name in by_name))
    if not names:
        return []
    headings = [words.counted_phrase("{number} player", "{number} players", count) for count in making.counts]
    rows = [(name, *(amounts[count].get(name, "0") for count in making.counts)) for name in names]
    for piece in making.model.pieces:
        making.index(capital(making.words.type(piece, 2)), COMPONENTS)
    if all(len(set(row[1:])) == 1 for row in rows):
        headings, rows = [phrase("number")], [row[:2] for row in rows]
    cells = tuple(tuple((text,) for text in row) for row in rows)
    return [Grid(phrase("Pieces"), (phrase("piece"), *headings), cells)]


def _amounts(making: Making, count: int) -> dict[str, str]:
    """How many there are of each kind of piece, by its name; `7 each` of those that every player has."""
    model, words = making.model, making.words
    seats = choose_seats(making.rules, count)
    layout = counted_layout(model, seats, choose_options(making.rules, {}, seats))
    amounts: dict[str, str] = {}
    for type_, symbol in model.pieces.items():
        owners = {name for name, attribute in symbol.attributes.items() if bare(attribute) == PLAYER}
        counts = Counter(_kind(layout, number, owners) for number in range(*layout.piece_range[type_]))
        if len(counts) > MAX_KINDS:
            counts = Counter({(): sum(counts.values())})
        for kind, number in counts.items():
            name = words.piece(type_, dict(kind), (), is_complete=not owners and bool(kind), number=2)
            if not owners and kind and name == " ".join(words.name(word, 2) for _, word in kind):
                name = f"{words.type(type_, 2)}: {name}"
            each, rest = divmod(number, len(seats))
            is_each = bool(owners) and not rest
            amounts[name] = words.phrase("{number} each", number=each) if is_each else str(number)
    return amounts


def _kind(layout: Layout, number: int, owners: set[str]) -> tuple[tuple[str, str], ...]:
    """The attributes of a piece other than its owner."""
    return tuple((name, word) for name, word in layout.attribute_words(number).items() if name not in owners)


def _by_players(making: Making, node: ast.ByPlayers) -> Grid:
    words = making.words
    columns = [index for index, count in enumerate(node.counts) if count in making.counts]
    headings = [words.counted_phrase("{number} player", "{number} players", node.counts[index]) for index in columns]
    rows = tuple(
        ((words.heading(str(row.key)),), *((words.name(str(row.cells[index])),) for index in columns))
        for row in node.rows
    )  # fmt: skip
    return Grid(words.phrase("By number of players"), ("", *headings), rows)


def _values(making: Making, node: ast.TypeTable) -> Grid:
    """A table of values with their properties."""
    words = making.words
    title = capital(making.prose.kind_of_thing(making.model.type_symbols[node.name].type, 1))
    making.index(title, COMPONENTS)
    headings = (title, *(words.heading(column.name) for column in node.columns))
    rows = tuple(tuple((words.name(str(cell)),) for cell in (row.key, *row.cells)) for row in node.rows)
    return Grid(title, headings, rows)


def _lists(making: Making, declarations: list[ast.Declaration]) -> Iterator[Line]:
    """The values of types that are just listed."""
    for node in declarations:
        if isinstance(node, ast.TypeList):
            symbol = making.model.type_symbols[node.name]
            name = capital(making.prose.kind_of_thing(symbol.type, 2))
            yield Line(f"{name}: {', '.join(_members(making, symbol))}.")


def _members(making: Making, symbol: TypeSymbol) -> Iterator[str]:
    yield from (making.words.name(str(member)) for member in symbol.members[:MAX_KINDS])
    if len(symbol.members) > MAX_KINDS:
        yield "…"


def _dice(making: Making) -> Iterator[Line]:
    words = making.words
    for name, die in making.model.dice.items():
        making.index(capital(words.heading(name)), COMPONENTS)
        number = f" ({making.prose.kind_of_thing(die.index[0], 2)})" if die.index else ""
        yield Line(f"{capital(words.heading(name))}{number}: {', '.join(map(words.name, die.declaration.faces))}.")


# ---------------------------------------------------------------- where it lies


def _zones(making: Making) -> Iterator[Line]:
    """The zones, with how pieces lie in them and who sees them."""
    words, prose = making.words, making.prose
    for name, zone in making.model.zones.items():
        declaration = zone.declaration
        prose.name_locals(declaration)
        place = _place(making, name, declaration.index)
        number = 1 if declaration.shape == "one" else 2
        pieces = words.phrase(" or ").join(words.type(held.name, number) for held in declaration.holds)
        how = words.phrase(SHAPES[declaration.shape], pieces=pieces)
        comment = making.written.lines(declaration)
        seen = _sight(making, declaration)
        making.index(capital(words.heading(name)), COMPONENTS)
        text = f"{capital(place)}: {how}{seen}."
        yield Line(f"{text} {comment}" if comment else text)


def _sight(making: Making, zone: ast.Zone) -> str:
    """Who sees the pieces of a zone, if not everybody does."""
    phrase = making.words.phrase
    for sight in zone.sights:
        if sight.attribute is not None and len(zone.sights) > 1:
            continue
        viewers = sight.viewers
        if isinstance(viewers, ast.Name) and viewers.name in ("nobody", "none"):
            return phrase(", face down: nobody sees them")
        if isinstance(viewers, ast.Name) and viewers.name in {parameter.name for parameter in zone.index}:
            return phrase(", seen only by {player}", player=making.prose.read(viewers))
        if isinstance(viewers, ast.Call):
            return phrase(", seen by those whom “{rule}” names", rule=making.prose.read(viewers.base))
        return phrase(", seen by {players}", players=making.prose.read(viewers))
    return ""


def _notes(making: Making) -> Iterator[Line]:
    """Values that change during the game, with the first one."""
    words, prose = making.words, making.prose
    for name, note in making.model.notes.items():
        declaration = note.declaration
        comment = making.written.lines(declaration)
        if declaration.is_seen_by_nobody and not comment:
            continue  # what only the course of the rules needs
        prose.name_locals(declaration)
        place = _place(making, name, declaration.index)
        making.index(capital(words.heading(name)), COMPONENTS)
        first = words.phrase("at first {value}", value=prose.read(declaration.first))
        yield Line(f"{capital(place)}: {first}. {comment}".strip())


def _place(making: Making, name: str, index: Sequence[ast.Parameter]) -> str:
    """A zone or note with its index: `hand of [player]`."""
    return making.prose.place(name, [making.prose.open_name(parameter) for parameter in index])
