"""Loading rules from files: a game with its variants, board and examples, parsed and checked.

The order is that in which each step needs the last: variants change the text of the game before anything is checked,
the board is needed to check names of places, and words in other languages are about names that the checker knows.

A file with syntax errors is not checked as a whole, or each mistake would be followed by errors about what could not be
read. What can be read is checked for errors in names and types all the same (`model_of_the_rest`), so that an author
sees several mistakes at once; those that mention a word of a part that is missing are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from dsl import ast
from dsl.boards import Board, read_board
from dsl.checker import WrittenGame, check, examined
from dsl.checker.board_path import board_file
from dsl.checker.example_memory import ExampleMemory
from dsl.diagnostics import Diagnostic, Label, Replacement, RulesError, has_errors, in_order
from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.syntax import Parse, parse, read_source
from dsl.syntax.prescan import MAX_DIAGNOSTICS
from dsl.text.span import Source, Span
from dsl.text.variant_files import name_of
from dsl.variants import Merged, merged, with_changes
from interpreter.loading.custom_board import require_board, with_board_labels, without_examples
from interpreter.loading.game_library import companion_of, items_of, shipped_folder
from interpreter.loading.languages import game_of, languages_of, no_language, read_languages
from interpreter.loading.variants import base_of, find_variants, read_variant
from interpreter.loading.variants import without_examples as without_its_examples
from interpreter.wording.phrases import ENGLISH, catalogue_of


@dataclass(frozen=True)
class Origin:
    """The paths that a save names: of the rules file, of a board that this does not name, and of the variants."""

    path: str
    board: str | None
    variants: tuple[str, ...]


@dataclass(eq=False)
class Rules:
    """A checked rules file.

    `board` is the player's own board file, if any. `variants` are the files of the applied variants, `merged` records
    their changes. `origin` is where the files were when a save was begun, if they come from the texts in that save.
    """

    path: Path
    model: Model
    warnings: tuple[Diagnostic, ...]
    board: Path | None = None
    variants: tuple[Path, ...] = ()
    merged: Merged | None = None
    origin: Origin | None = None

    @cached_property
    def hash(self) -> str:
        """A hash of the content of the rules, their variants and their board."""
        return digest_of(self.model.as_written, self.model.board)

    @property
    def name(self) -> str:
        """The name of the game: the file name without `.rules`."""
        return self.path.name.removesuffix(".rules")

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the variants."""
        return tuple(variant.title.value for variant in self.merged.variants) if self.merged else ()


@uncollected()
def load_rules(
    path: Path, examples: bool = False, board: Path | None = None, variants: Sequence[str | Path] = (),
    on_stage: Callable[[str], None] = lambda stage: None, language: str | None = None, every_language: bool = False,
) -> Rules:  # fmt: skip
    """Read and check a rules file with its board, and, with `examples`, its companion of examples.

    The file of a variant stands for its game with the variant, that of a language for its game. `board` is a board file
    to play on instead of the one the rules name, `variants` are names or paths of variants to apply. Examples may
    mention what only the base has, so without `examples` those in the rules file are left out too. `on_stage` is called
    with the name of each stage. The words of a `language` are read; those of `every_language` that the game has, also
    with `examples` if no single one is asked for.

    Raises RulesError, BoardError, VariantError, UnknownGameError for a variant of a game that is not found, and
    LanguageError.
    """
    reading = read_game(path, examples, board, variants, on_stage, language, every_language)
    if reading.rules is None:
        raise RulesError(reading.diagnostics)
    return reading.rules


@dataclass(eq=False)
class Reading:
    """What is known about a game whose files have been read, whether or not it can be played.

    `path` is its rules file. `rules` are None if there is an error. `model` has its tables as far as they could be
    filled, None if nothing could be checked. If the rules have syntax errors, `is_partial`: the model is that of the
    parts that can be read, with spans in another text, at the same lines and columns. `trees` are those of the rules,
    of their examples and of variants, as far as they can be read.
    """

    path: Path
    diagnostics: Sequence[Diagnostic]
    rules: Rules | None = None
    model: Model | None = None
    is_partial: bool = False
    trees: tuple[ast.RulesFile, ...] = ()


@uncollected()
def read_game(
    path: Path, examples: bool = False, board: Path | None = None, variants: Sequence[str | Path] = (),
    on_stage: Callable[[str], None] = lambda stage: None, language: str | None = None, every_language: bool = False,
    parse: Parse = parse, example_memory: ExampleMemory | None = None,
) -> Reading:  # fmt: skip
    """Read and check a rules file as `load_rules` does; whatever is wrong with it is in the diagnostics.

    `parse` parses a text, or remembers its tree; for `example_memory`, see `examined`. Raises BoardError, VariantError,
    UnknownGameError and LanguageError.
    """
    path = game_of(path) or path
    base = base_of(path)
    if base is not None:
        path, variants = base, (path, *variants)
    if board is not None:
        require_board(board)
    paths = find_variants(path, variants)
    on_stage("reading")
    parsed = _parsed_rules(path, examples, parse)
    file, companion, diagnostics = parsed.file, parsed.companion, list(parsed.diagnostics)
    trees: tuple[ast.RulesFile, ...] = tuple(tree for tree in (file, companion) if tree is not None)
    if file is None or has_errors(diagnostics):
        return Reading(path, diagnostics, model=parsed.rest, is_partial=True, trees=trees)
    if not examples and (board is not None or paths):
        file = without_examples(file)
    base_file = file
    game: Merged | None = None
    if paths:
        applied, differing, more = _apply_variants(file, companion, paths, examples, parse)
        trees += differing
        if applied is None:
            return Reading(path, more, trees=trees)
        diagnostics += more
        game, file, companion = applied, applied.file, applied.companion
    played_on, more = board_of(path, file, board, paths)
    if has_errors(more):
        return Reading(path, [*diagnostics, *more], trees=trees)
    last = max(tree.number for tree in (file, *trees))
    reads_all = every_language or (examples and language is None)
    languages, in_words = _languages(path, None if reads_all else language or "", after(last), parse)
    if has_errors(in_words):
        return Reading(path, [*diagnostics, *in_words], trees=trees)
    items = items_of(path) if examples else None
    applied_variants = game.variants if game else ()
    written = WrittenGame(file, companion, items, played_on, languages, applied_variants)
    model, more = examined(written, on_stage, example_memory)
    wrong = model is None or has_errors(more)
    if game is not None:
        if wrong and (in_base := _errors_in_base(path, base_file)):
            # Diagnostics of a merged game point at variants. If the game itself is wrong, they would blame the variant
            # for it.
            return Reading(path, in_base, model=model, trees=trees)
        more = with_changes(more, game)
    if wrong:
        named = None if board is None else board_of(path, file, variants=paths)[0]
        if played_on is not None:
            more = with_board_labels(more, file, played_on, named)
    diagnostics += more
    if model is None or wrong:
        return Reading(path, diagnostics, model=model, trees=trees)
    if language is not None and language not in model.words and catalogue_of(language) is ENGLISH:
        raise no_language(
            name_of(path), language, {name for name in model.words if name is not None} | set(languages_of(path))
        )
    rules = Rules(path, model, tuple(diagnostics), board.absolute() if board else None, paths, game)
    return Reading(path, diagnostics, rules, model, trees=trees)


BLOCK = 1 << 16
"""Nodes of each file of a game are numbered from a multiple of this, so that the tree of one file rarely depends on the
length of another."""


def after(number: int) -> int:
    """The number at which the nodes of the next file begin."""
    return (number // BLOCK + 1) * BLOCK


def _languages(path: Path, language: str | None, number: int, parse: Parse) -> tuple[list[ast.Names], list[Diagnostic]]:
    """Read the words of a game in a language; None means all that it has."""
    files = languages_of(path)
    names = list(files) if language is None else [language] if language in files else []
    return read_languages(path, names, [shown(files[name]) for name in names], number, parse)


def digest_of(file: ast.GameFile, board: Board | None) -> str:
    """Hash the content of the rules; comments, layout, examples and words for people do not count."""
    texts = [_serialised(without_examples(file)), board.source.text.replace("\r\n", "\n") if board else ""]
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


WORDS: dict[type[ast.Node], tuple[str, ...]] = {
    ast.Header: ("about",), ast.Option: ("sentence", "texts"), ast.Criterion: ("words",),
}  # fmt: skip
"""Fields that hold words for people, by their nodes: they make no difference to the rules."""


def _serialised(value: object) -> str:
    """Serialise a tree as text, independent of the classes of its nodes."""
    if isinstance(value, ast.Node):
        words = WORDS.get(type(value), ())
        parts = [_serialised(part) for name, part in value.content().items() if name not in ("kind", *words)]
        return f"{value.kind}({', '.join(parts)})"
    if isinstance(value, tuple):
        return f"[{', '.join(_serialised(part) for part in value if not isinstance(part, ast.Names))}]"
    return repr(value)


def _apply_variants(
    file: ast.GameFile, companion: ast.ExamplesFile | None, paths: Sequence[Path], examples: bool, parse: Parse
) -> tuple[Merged | None, tuple[ast.VariantFile, ...], list[Diagnostic]]:
    """Apply variants to a game: the game, or None, the variants if all can be read, and the diagnostics."""
    read: list[ast.VariantFile] = []
    diagnostics: list[Diagnostic] = []
    number = after(max(file.number, companion.number if companion else 0))
    for path in paths:
        variant, more = read_variant(path, shown(path), number, parse)
        diagnostics += more
        if variant is not None:
            number = after(variant.number)
            read.append(variant if examples else without_its_examples(variant))
    if has_errors(diagnostics):
        return None, (), diagnostics
    game, more = merged(file, companion, read)
    return game, tuple(read), [*diagnostics, *more]


def _errors_in_base(path: Path, base_file: ast.GameFile) -> list[Diagnostic]:
    """The diagnostics of a game without its variants if it has errors, which they are then not to blame for."""
    diagnostics = check(base_file, board=board_of(path, base_file)[0])[1]
    return diagnostics if has_errors(diagnostics) else []


def files_of(rules: Rules) -> list[Path]:
    """The source files of checked rules: the rules, their variants, and the board they are played on."""
    declared = [node for part in rules.model.file.parts for node in part.declarations if isinstance(node, ast.Board)]
    named = [_folder_of(node, rules.path, rules.variants) / node.path for node in declared]
    return [rules.path, *rules.variants, *([rules.board] if rules.board is not None else named)]


def _folder_of(board: ast.Board, path: Path, variants: Sequence[Path]) -> Path:
    """The folder of the file that names a board: of the rules, or of a variant."""
    source_name = board.span.source.name
    return next((variant.parent for variant in variants if shown(variant) == source_name), path.parent)


def board_of(
    path: Path, file: ast.GameFile, instead: Path | None = None, variants: Sequence[Path] = ()
) -> tuple[Board | None, list[Diagnostic]]:
    """Load the board that a game is played on: `instead`, or the one it names; None if it names none.

    It is looked up beside the rules file, or beside the file of the variant that names it.
    """
    declared = [node for part in file.parts for node in part.declarations if isinstance(node, ast.Board)]
    if len(declared) > 1:
        labels = (Label(declared[0].span, "first here"),)
        return None, [Diagnostic("E0202", "error", "a board is declared twice", declared[1].span, labels)]
    if instead is not None and not declared:
        helps = ("omit the board, or declare one in the rules",)
        return None, [Diagnostic("E0751", "error", "this game has no board", file.header.span, helps=helps)]
    if not declared:
        return None, []
    file_of_board = instead or board_file(_folder_of(declared[0], path, variants), declared[0])
    if isinstance(file_of_board, Diagnostic):
        return None, [file_of_board]
    loaded = read_board(file_of_board, shown(file_of_board))
    return (None, loaded) if isinstance(loaded, list) else (loaded, [])


def read_rules(path: Path, examples: bool) -> tuple[ast.GameFile | None, ast.ExamplesFile | None, list[Diagnostic]]:
    """Read a rules file and, with `examples`, its companion; returns the trees, as far as parsed, and diagnostics."""
    parsed = _parsed_rules(path, examples, parse)
    return parsed.file, parsed.companion, parsed.diagnostics


@dataclass
class _Parsed:
    """The trees of a rules file and of its companion; `rest` is the model of what can be read if not all can be."""

    file: ast.GameFile | None
    companion: ast.ExamplesFile | None
    diagnostics: list[Diagnostic]
    rest: Model | None = None


def _parsed_rules(path: Path, examples: bool, parse: Parse) -> _Parsed:
    source = read_source(path, shown(path))
    if isinstance(source, Diagnostic):
        return _Parsed(None, None, [source])
    file, diagnostics = parse(source, 0)
    rest: Model | None = None
    if file is None:
        rest, more = model_of_the_rest(source, diagnostics, lambda readable: board_of(path, readable)[0])
        diagnostics = in_order([*diagnostics, *more])[:MAX_DIAGNOSTICS]
    companion: ast.ExamplesFile | None = None
    companion_path = companion_of(path) if examples else None
    if companion_path is not None:
        companion_source = read_source(companion_path, shown(companion_path))
        if isinstance(companion_source, Diagnostic):
            diagnostics = [*diagnostics, companion_source]
        else:
            parsed, more = parse(companion_source, after(file.number if file else 0))
            diagnostics = [*diagnostics, *more]
            if isinstance(parsed, ast.ExamplesFile):
                companion = parsed
    if file is not None and not isinstance(file, ast.GameFile):
        mistaken = Diagnostic("E0199", "error", "this file is not a game: it does not begin with `game`", file.span)
        return _Parsed(None, companion, [*diagnostics, mistaken])
    return _Parsed(file, companion, diagnostics, rest)


TEXTS_FOLDER = "regelwerk-rules-"
"""The beginning of the name of a folder with rules whose texts come from a save."""


def shown(path: Path) -> str:
    """The path of a file as shown to users: relative to the current folder, a shipped game by its file name.

    A file that was made from the text in a save is shown as if it were in the current folder.
    """
    absolute = path.absolute()
    text_folder = next((folder for folder in absolute.parents if folder.name.startswith(TEXTS_FOLDER)), None)
    if text_folder is not None:
        return absolute.relative_to(text_folder).as_posix()
    if absolute.is_relative_to(Path.cwd()):
        return absolute.relative_to(Path.cwd()).as_posix()
    if absolute.is_relative_to(shipped_folder().absolute()):
        return absolute.relative_to(shipped_folder().absolute()).as_posix()
    return str(path)


# ---- Errors in the declarations of a game that can be read, although others cannot: several mistakes are found at once


ABOUT_NAMES, ABOUT_TYPES = "E02", "E03"
"""Errors of these groups do not follow from declarations that are missing, unless they mention one."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"`([^`]*)`")


def model_of_the_rest(
    source: Source, syntax_errors: Sequence[Diagnostic], board_of: Callable[[ast.GameFile], Board | None]
) -> tuple[Model | None, list[Diagnostic]]:
    """The model of what can be read of a text with syntax errors, if anything can, and errors in names and types.

    Errors that may follow from the syntax errors are left out.
    """
    from dsl.syntax.recovery import readable  # start-up: it compiles the patterns of many mistakes

    rest = readable(source, [error.span for error in syntax_errors])
    file = None if rest is None else parse(rest.source)[0]
    if rest is None or not isinstance(file, ast.GameFile):
        return None, []
    model, diagnostics = examined(WrittenGame(file, board=board_of(file), lost=rest.lost))
    errors = [
        error for error in diagnostics if error.code[:3] in (ABOUT_NAMES, ABOUT_TYPES) and error.severity == "error"
    ]
    return model, [_in_file(error, source) for error in errors if rest.lost.isdisjoint(_words(error))]


def _words(diagnostic: Diagnostic) -> set[str]:
    """The words that an error is about."""
    quoted = " ".join(_QUOTED.findall(diagnostic.message))
    return {*_WORD.findall(diagnostic.span.text), *_WORD.findall(quoted)}


def _in_file(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """The same error, at its lines and columns in the file itself."""

    def moved(span: Span) -> Span:
        if span.source.name != source.name:
            return span
        start = source.line_starts[span.line - 1] + span.column - 1
        return Span(source, start, start + span.end - span.start)

    return replace(
        diagnostic,
        span=moved(diagnostic.span),
        labels=tuple(Label(moved(label.span), label.text) for label in diagnostic.labels),
        replacements=tuple(
            Replacement(moved(replacement.span), replacement.text) for replacement in diagnostic.replacements
        ),
        other_spans=tuple(map(moved, diagnostic.other_spans)),
    )
