"""Words for people: display names of declared names, translated texts, and what a translation lacks.

    names:                                  names de:
        hand[p]     "hand of {p}"               hand[p]     "Hand von {p}"
        Match       "match", "matches"          "take {n}": "nimm {n}"

A name is found with the number of its parameters, since `hand` alone is the zone, and `hand[p]` one place of it. A text
is found by its exact wording, without quotes; its translation must have the same placeholders, each as often.

In a game with variants a name may be missing because a variant removed what it named, so entries for unknown names are
reported for the game alone. Missing translations are one warning a language, not one a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import declarations
from dsl.diagnostics import Cause, Label
from dsl.model import DisplayName, DisplayWords, has_words, holes_of, texts_of
from dsl.symbols import Cell, Rows, RuleSymbol, TypeSymbol
from dsl.syntax.interpolation import filled
from dsl.text.cells import cell_width
from dsl.text.nouns import counted
from dsl.text.span import PRINTED, Span, comment_above
from dsl.text.spelling import nearest
from dsl.types import Listed, Unknown, bare

BUILT_IN = frozenset({"true", "false", "none", "nobody", "nothing", "hidden"})
"""Words that do not come from the rules and can be given display names as well."""

TEXT = -1
"""The number of parameters of a text."""

SHOWN = 6
"""Number of missing translations that a message lists."""


def display_names(context: Context) -> None:
    """Collect the words of every language; report those for names and texts that the game does not have."""
    model = context.model
    texts = {text: holes_of(text) for text, _ in texts_of(model.file, model.variants)}
    texts |= {text: [] for text in _printed_texts(model.file)}  # what a rulebook prints may be translated
    seen: dict[tuple[str | None, str, int], ast.Node] = {}
    names: dict[str | None, dict[tuple[str, int], DisplayName]] = {}
    translated: dict[str | None, dict[str, str]] = {}
    glyphs: dict[str | None, dict[tuple[str, str | None], str]] = {}
    for node in named(context):
        names.setdefault(node.language, {})
        translated.setdefault(node.language, {})
        glyphs.setdefault(node.language, {})
        for entry in node.entries:
            word = entry.name if isinstance(entry, ast.NameEntry) else entry.original
            parameters = len(entry.parameters) if isinstance(entry, ast.NameEntry) else TEXT
            key = (node.language, word, parameters)
            if key in seen:
                helps, labels = ["keep one of them"], [Label(seen[key].span, "first here")]
                context.error("E0224", f"`{word}` is named twice", entry, helps, labels)
            elif isinstance(entry, ast.NameEntry):
                if _is_name(context, entry):
                    if entry.text:
                        names[node.language][word, parameters] = DisplayName(entry.parameters, entry.text, entry.plural)
                    glyphs[node.language] |= _glyphs(context, entry, glyphs[node.language])
            elif _is_text(context, node, entry, texts):
                translated[node.language][entry.original] = entry.text
            seen.setdefault(key, entry)
    for place in model.board.walk() if model.board else ():
        # `setdefault`: what the rules say is there already.
        if place.name is not None:  # the board names its places for people, unless the rules do
            translated.setdefault(None, {})
            names.setdefault(None, {}).setdefault((place.id, 0), DisplayName((), place.name, None))
    for name, pair in _pairs_of_places(context):  # written `a1_b1`, read `a1-b1`
        translated.setdefault(None, {})
        names.setdefault(None, {}).setdefault((name, 0), DisplayName((), "-".join(pair), None))
    for own_names in names.values():
        for (word, parameters), display_name in list(own_names.items()):
            if parameters and word in model.type_symbols:
                for member, text in _names_by_attributes(model.type_symbols[word], display_name, own_names):
                    own_names.setdefault((member, 0), DisplayName((), text, None))
    model.words = {
        language: DisplayWords(names[language], translated[language], glyphs.get(language, {})) for language in names
    }  # fmt: skip
    for node in named(context):
        _same_names(context, node)
    for option in model.options.values():
        for option_text in option.declaration.texts:
            if option_text.value not in option.values and not isinstance(bare(option.type), Unknown):
                helps = [f"its values are {', '.join(option.values)}"]
                context.error("E0220", f"`{option.name}` has no value `{option_text.value}`", option_text, helps)


def named(context: Context) -> Iterator[ast.Names]:
    """Every block of words: those of the rules, then those of the files of languages."""
    yield from (node for node in declarations(context.model.file) if isinstance(node, ast.Names))
    yield from context.model.languages


def _names_by_attributes(
    symbol: TypeSymbol, display_name: DisplayName, names: Mapping[tuple[str, int], DisplayName]
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """The values of a type with the names that its attributes give them: `Line(left, right) "{left}-{right}"`."""

    def in_words(cell: Cell) -> str:
        parts = [str(part) for part in (cell if isinstance(cell, tuple) else (cell,))]
        return ", ".join(names[part, 0].text if (part, 0) in names else part for part in parts)

    everywhere = Rows(tuple(range(len(symbol.members))), symbol.cells)
    for rows in symbol.rows.values() or (everywhere,):
        for row, position in enumerate(rows.present):
            values = {name: in_words(rows.cells[name][row]) for name in display_name.parameters}
            yield str(symbol.members[position]), filled(display_name.text, values)


def _pairs_of_places(context: Context) -> Iterator[tuple[str, Sequence[str]]]:
    """The edges of all boards that need no file by their ends, and the blocks of grids by their corners."""
    for entries_by_choice in context.model.generated.values():
        for entries in entries_by_choice.values():
            yield from ((entry.id, entry.ends) for entry in entries if entry.ends)
    for grids in context.model.grids.values():
        for grid in grids.values():
            yield from ((name, name.split("_")) for name in grid.names if grid.block is not None)


# ---------------------------------------------------------------- names


def _is_missed_elsewhere(context: Context, name: str) -> bool:
    """True if the rules use a name that nothing declares: it is reported there."""
    return any(Cause("unknown", name) in diagnostic.causes for diagnostic in context.diagnostics)


def _is_name(context: Context, entry: ast.NameEntry) -> bool:
    """True if something has this name and takes these parameters; report it if not."""
    takes = _parameters(context, entry.name)
    if not takes:
        if not context.model.variants and not _is_missed_elsewhere(context, entry.name):
            proposals = nearest(entry.name, _nameable(context) - _beside(context, entry))
            context.error(
                "E0220", f"nothing in this game is called `{entry.name}`", entry, proposals=proposals, at=_key(entry)
            )
        return False
    symbol = context.model.type_symbols.get(entry.name)
    if entry.parameters and symbol is not None:
        return _names_attributes(context, entry, symbol)
    if len(entry.parameters) not in map(len, takes):
        most = max(takes, key=len)
        form = f"{entry.name}({', '.join(most)})" if most else entry.name
        message = f"`{entry.name}` is not named with {counted(len(entry.parameters), 'parameter')}"
        context.error("E0221", message, entry, [f'write `{form} "…"`'])
        return False
    piece = context.model.pieces.get(entry.name)
    if piece is not None and entry.parameters and set(entry.parameters) != set(piece.attributes):
        helps = [f"name all its attributes: `{entry.name}({', '.join(piece.attributes)})`"]
        context.error("E0221", f"the parameters of `{entry.name}` are not its attributes", entry, helps)
        return False
    return _has_known_holes(context, entry)


def _glyphs(
    context: Context, entry: ast.NameEntry, used: Mapping[tuple[str, str | None], str]
) -> dict[tuple[str, str | None], str]:
    """The glyphs of an entry, of all seats or by seat; those that cannot be drawn are reported."""
    if not entry.glyphs:
        return {}
    seats = context.model.seats
    is_value = entry.name in context.values and entry.name not in seats and not entry.parameters
    if entry.name not in context.model.pieces and not is_value:
        helps = ["write a glyph beside the name of a type of pieces, or of a single value"]
        if entry.name in seats:
            helps = ['seats are drawn by letters; a type of pieces can have a glyph for each seat: `Man as "●", "○"`']
        context.error("E0229", f"`{entry.name}` is not drawn by a glyph", entry, helps)
        return {}
    if len(entry.glyphs) not in (1, len(seats)):
        helps = [f"write one glyph for all seats, or {len(seats)}: {', '.join(seats)}"]
        context.error("E0229", f"{counted(len(entry.glyphs), 'glyph')} for {counted(len(seats), 'seat')}", entry, helps)
        return {}
    for glyph in entry.glyphs:
        if cell_width(glyph) != 1 or glyph.isspace() or (glyph.isascii() and glyph.isalnum()):
            helps = ["use one character that takes one column, and is no letter or digit"]
            context.error("E0229", f"`{glyph}` cannot be drawn as a glyph", entry, helps)
            return {}
        if glyph in used.values() or entry.glyphs.count(glyph) > 1:
            helps = ["use another one"]
            context.error("E0229", f"`{glyph}` is drawn for something else, too", entry, helps)
            return {}
    by_seat: list[str | None] = [None] if len(entry.glyphs) == 1 else [*seats]
    return {(entry.name, seat): glyph for seat, glyph in zip(by_seat, entry.glyphs, strict=True)}


def _names_attributes(context: Context, entry: ast.NameEntry, symbol: TypeSymbol) -> bool:
    """True if a type is named by attributes that it has; report it if not."""
    attributes = [name for name in symbol.attributes if symbol.rows or name in symbol.cells]
    unknown = [name for name in entry.parameters if name not in attributes]
    if unknown:
        helps = [f"its attributes are {', '.join(attributes)}"] if attributes else ["it has no attributes"]
        context.error("E0221", f"`{entry.name}` has no attribute `{unknown[0]}`", entry, helps)
        return False
    return _has_known_holes(context, entry)


def _has_known_holes(context: Context, entry: ast.NameEntry) -> bool:
    """True if all that is in braces is a parameter; report it if not."""
    for text in (entry.text, entry.plural or ""):
        for hole in holes_of(text):
            if hole not in entry.parameters:
                helps = [f"its parameters are {', '.join(entry.parameters)}"] if entry.parameters else []
                helps = helps or [f"name its parameters: `{entry.name}({hole})`, or omit the braces"]
                context.error("E0221", f"`{hole}` is not a parameter of `{entry.name}`", entry, helps)
                return False
    return True


def _key(entry: ast.NameEntry) -> Span:
    """The span of the name that an entry begins with."""
    return Span(entry.span.source, entry.span.start, entry.span.start + len(entry.name))


def _parameters(context: Context, name: str) -> list[tuple[str, ...]]:
    """The parameters that everything called by a name can be named with; empty if nothing is."""
    model = context.model
    parameter_lists: list[tuple[str, ...]] = []
    if name in context.values or name in BUILT_IN or name in model.phases or name in model.options:
        parameter_lists.append(())
    if name in model.type_symbols or name in model.defines:
        parameter_lists.append(())
    rules = {_without_value(rule) for rule in model.rules.values()}
    if name in _faces(context) or name in _option_words(context) or name in rules:
        parameter_lists.append(())
    for family in context.families.get(name, ()):
        parameter_lists.append(tuple("abcdefgh"[: len(family.parameters)]))
    if name in context.choice_names:
        parameter_lists += [(), ("x",)]
    for table in (model.zones, model.notes, model.dice):
        symbol = table.get(name)
        if symbol is not None:
            index = symbol.declaration.index
            parameter_lists += [(), tuple(parameter.name for parameter in index)]
    if name in model.pieces:
        parameter_lists += [(), tuple(model.pieces[name].attributes)]
    if name in _attributes(context):
        parameter_lists.append(())
    return parameter_lists


def _attributes(context: Context) -> set[str]:
    """The attributes of the values of types, which the legend of a board names."""
    return {name for symbol in context.model.type_symbols.values() for name in symbol.attributes}


def _without_value(rule: RuleSymbol) -> str:
    """The name of an action or step, that of a clause without its value."""
    return rule.name.partition("(")[0]


def _faces(context: Context) -> list[str]:
    """The faces of dice that are words."""
    dice = context.model.dice.values()
    return [face for die in dice for face in die.declaration.faces if not face.isdigit()]


def _option_words(context: Context) -> set[str]:
    return {value for option in context.model.options.values() for value in option.values}


def _beside(context: Context, entry: ast.NameEntry | ast.TextEntry) -> set[str]:
    """The names and texts of the other entries of the same block."""
    block = next(node for node in named(context) if any(part is entry for part in node.entries))
    return {
        part.name if isinstance(part, ast.NameEntry) else part.original for part in block.entries if part is not entry
    }  # fmt: skip


def _nameable(context: Context) -> set[str]:
    model = context.model
    values = (context.values, context.families, model.type_symbols, model.defines)
    tables = (*values, model.zones, model.notes, model.dice, model.pieces, model.options)
    others = {_without_value(rule) for rule in model.rules.values()}
    others.update(_faces(context), context.choice_names, _attributes(context))
    return {name for table in tables for name in table} | others | set(model.phases) | _option_words(context)


def _same_names(context: Context, node: ast.Names) -> None:
    """Warn of two values of a type that people could not tell apart."""
    named = context.model.words[node.language].names
    words = {word: name for (word, parameters), name in named.items() if not parameters}
    entries = {entry.name: entry for entry in node.entries if isinstance(entry, ast.NameEntry)}
    for symbol in context.model.type_symbols.values():
        counts = Counter(words[word].text for word in map(str, symbol.members) if word in words)
        for member in map(str, symbol.members):
            if member in entries and member in words and counts[words[member].text] > 1:
                first = next(earlier for earlier in map(str, symbol.members)
                             if earlier in words and words[earlier].text == words[member].text)  # fmt: skip
                if first != member:
                    message = f"`{first}` and `{member}` of `{symbol.name}` are both shown as `{words[member].text}`"
                    context.error("E0227", message, entries[member], ["give one of them another name"],
                                  severity="warning")  # fmt: skip


# ---------------------------------------------------------------- texts


def _printed_texts(file: ast.GameFile) -> Iterator[str]:
    """The texts of declarations for a rulebook: the `##` lines above them."""
    for declaration in (file.header, *file.options, *(node for part in file.parts for node in part.declarations)):
        text = comment_above(declaration.span, PRINTED)
        if text:
            yield text


def _is_text(context: Context, node: ast.Names, entry: ast.TextEntry, texts: dict[str, list[str]]) -> bool:
    """True if the game has this text, with the same placeholders; report it if not."""
    if node.language is None:
        helps = ["change the text itself", "for another language, name it: `names de:`"]
        context.error("E0225", "these are the game's own words: they translate no text", entry, helps)
        return False
    if entry.original not in texts:
        if not context.model.variants:
            near = nearest(entry.original, texts.keys() - _beside(context, entry), most=1)
            helps = [f'did you mean `"{near[0]}"`?'] if near else ["copy the text exactly as in the rules"]
            start = entry.span.start
            at = Span(entry.span.source, start, start + len(entry.original) + 2)
            new = f'"{near[0]}"' if near else None
            context.error("E0222", "the game has no such text", at, helps, new=new)
        return False
    original, translated = Counter(texts[entry.original]), Counter(holes_of(entry.text))
    if original != translated:
        lacking, strange = original - translated, translated - original
        helps = [f"add {_listed(lacking)}"] if lacking else []
        helps += [f"the original has no {_listed(strange)}"] if strange else []
        context.error("E0223", "the braces are not those of the original", entry, helps)
        return False
    return True


def _listed(holes: Counter[str]) -> str:
    return ", ".join(f"`{{{hole}}}`" for hole in sorted(holes.elements()))


# ---------------------------------------------------------------- what is missing


def missing_words(context: Context) -> None:
    """Warn of the names and texts that a language lacks, once for each language.

    One that has only the head of the game, as lists of games show it, lacks nothing.
    """
    model, header = context.model, context.model.file.header
    about = [] if header.about is None else [header.about.sentence, header.about.family]
    blocks = {node.language: node for node in named(context)}
    for language, node in blocks.items():
        if language is None or model.variants:
            continue
        words = model.words[language]
        if not words.names and words.texts.keys() <= {header.title.value, *about}:
            continue
        translated = {word for word, _ in words.names}
        names = [f"`{name}`" for name in _to_translate(context) if name not in translated]
        texts = dict.fromkeys(
            text for text, _ in texts_of(model.file, model.variants) if has_words(text) and text not in words.texts
        )
        missing = [*names, *(f'`"{text}"`' for text in texts)]
        if missing:
            more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
            helps = [f"missing: {', '.join(missing[:SHOWN])}{more}"]
            what = " and ".join(
                counted(len(lacking), noun) for lacking, noun in ((names, "name"), (texts, "text")) if lacking
            )
            message = f"`{language}` lacks {what}"
            context.error("E0226", message, node, helps, severity="warning")


def _to_translate(context: Context) -> Iterator[str]:
    """Every name that people read: of values, pieces, zones, notes, dice, actions, choices, phases and options, once.

    A single letter is the same in all languages.
    """
    model = context.model
    names: list[str] = []
    for symbol in model.type_symbols.values():
        names += _values(symbol)
    names += [*model.pieces, *model.zones, *model.dice, *_faces(context)]
    notes = [note for note in model.notes.values() if note.name.isidentifier()]  # `round(hand)` is called by its phase
    names += [note.name for note in notes if not note.declaration.is_seen_by_nobody]
    names += [_without_value(rule) for rule in model.rules.values() if rule.is_action]
    names += [*context.choice_names, *model.phases, *model.options]
    names += [value for option in model.options.values() for value in option.values if value.isidentifier()]
    values = {name for symbol in model.type_symbols.values() for name in _values(symbol)}
    seats = set(model.seats) - values
    not_words = seats | BUILT_IN | {"random"}
    return iter(dict.fromkeys(name for name in names if len(name) > 1 and name not in not_words))


def _values(symbol: TypeSymbol) -> list[str]:
    """The names of the values of a type that is declared in the rules, not on a board."""
    if symbol.node is None or not isinstance(symbol.node, ast.TypeList | ast.TypeTable):
        return []
    if isinstance(symbol.type, Listed) and symbol.type.numeric:
        return []
    plain = [str(member) for member in symbol.members if "(" not in str(member)]
    return [*plain, *symbol.families]


def raw_notes(context: Context) -> None:
    """Warn of notes that players read in the log, but in no table, under a name that is not meant for people.

    Only games with tables or display names are checked: others are not meant to be read yet.
    """
    model = context.model
    tables = [node for node in declarations(model.file) if isinstance(node, ast.Table)]
    if not tables and not any(node.language is None for node in named(context)):
        return
    named_here = {word for word, _ in model.words[None].names} if None in model.words else set()
    in_tables = {node.name for table in tables for node in table.walk() if isinstance(node, ast.Name)}
    rounds = {phase.round for phase in model.phases.values()}  # the log shows them under the name of the phase
    for note in model.notes.values():
        if note in rounds:
            continue
        index = note.declaration.index
        is_raw = bool(index) or "_" in note.name
        if not is_raw or note.name in named_here | in_tables or note.declaration.is_seen_by_nobody:
            continue
        key = f"{note.name}[{', '.join(parameter.name for parameter in index)}]" if index else note.name
        hidden = "if it need not be in the log, and players neither read nor decide by it: `seen by nobody`"
        helps = [f'name it for people: in `names:`, `{key} "…"`', hidden]
        message = f"the log shows `{note.name}` under this name, and no table shows it"
        context.error("E0228", message, note.declaration, helps, severity="warning")
