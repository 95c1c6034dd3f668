"""Reading a game for an editor: its files, their trees, its model, and everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from dsl import ast
from dsl.boards import Board, read_board
from dsl.checker.example_memory import ExampleMemory
from dsl.diagnostics import Diagnostic
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.syntax.blocks import Blocks
from dsl.text.files import MAX_FILE_SIZE, Files, Unreadable, files_in, is_file, read_file, reading_from
from dsl.text.folders import EXAMPLES_SUFFIX, SUFFIX
from dsl.text.span import Source, Span
from dsl.text.visible import visible
from editors.service.results import Edit, Finding, Fix, Place, Related
from editors.service.texts import Texts
from interpreter.errors import UsageError
from interpreter.loading.game_library import items_file
from interpreter.loading.rules import Reading, read_game, shown

ITEMS_SUFFIX, BOARD_SUFFIX = ".items", ".json"
MAX_TREES = 64
"""How many trees are remembered; a game has fewer files."""

MAX_FOLDERS = 3
"""How many folders above a board are searched for the games that name it."""


class Trees:
    """The trees of texts that were parsed lately, so that only what has changed is parsed again.

    Threads may share it: an entry is the same whoever writes it.
    """

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, str, int], tuple[ast.RulesFile | None, list[Diagnostic]]] = {}
        self._blocks = Blocks()
        self._examples: dict[Path, ExampleMemory] = {}

    def parse(self, source: Source, first_number: int = 0) -> tuple[ast.RulesFile | None, list[Diagnostic]]:
        """Parse a text as `dsl.syntax.parse` does."""
        key = source.name, source.text, first_number
        parsed = self._parsed.pop(key, None) or self._blocks.parse(source, first_number)
        self._parsed[key] = parsed  # the last one is the one used last
        while len(self._parsed) > MAX_TREES:
            self._parsed.pop(next(iter(self._parsed)), None)
        return parsed

    def examples(self, path: Path) -> ExampleMemory:
        """What is known of the examples of a game from its last check."""
        memory = self._examples.pop(path, None) or ExampleMemory()
        self._examples[path] = memory
        while len(self._examples) > MAX_TREES:
            self._examples.pop(next(iter(self._examples)), None)
        return memory


@dataclass(eq=False)
class Analysis:
    """A file of a game with all that belongs to it, or a board by itself.

    `path` is the file that was checked: the rules of a game, or of a variant. `findings` are those in any of its files.
    `asked` are the files and folders it depends on. `model` may be that of a text with errors: see `Reading`.
    """

    path: Path
    texts: Texts
    findings: tuple[Finding, ...]
    reading: Reading | None = None
    board: Board | None = None

    @property
    def asked(self) -> set[Path]:
        """The files and folders that it depends on."""
        return self.texts.asked

    @property
    def model(self) -> Model | None:
        """The checked model, as far as there is one."""
        return self.reading.model if self.reading is not None else None

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """The paths of the files by the names that messages use."""
        return {shown(path): path for path in self.asked}

    def source(self, path: Path) -> Source | None:
        """The text of a file that belongs to it; None if there is none."""
        if path not in self._sources:
            self._sources[path] = _source(path, self.texts)
        return self._sources[path]

    @cached_property
    def _sources(self) -> dict[Path, Source | None]:
        return {}

    def place(self, span: Span) -> Place | None:
        """Where a span is in the files as they are; None for one that is in none of them.

        Spans of a text with syntax errors may be in a copy of it with the same lines and columns.
        """
        path = self.paths.get(span.source.name)
        source = self.source(path) if path is not None else None
        if path is None or source is None:
            return None
        if source.text is span.source.text or source.text == span.source.text:
            return Place(path, span.start, span.end)
        starts = source.line_starts
        start = starts[min(span.line, len(starts)) - 1] + span.column - 1
        return Place(path, min(start, len(source.text)), min(start + span.end - span.start, len(source.text)))


def _source(path: Path, files: Files) -> Source | None:
    try:
        text = files.read(path, MAX_FILE_SIZE).decode("utf-8-sig", "replace")
    except Unreadable:
        return None
    return Source(shown(path), text)


def checked_file(path: Path) -> Path:
    """The file that is checked for a file of a game: the rules of the game, of a variant, or a board.

    Examples and items belong to the game beside them, a board to a game in its folder or above that names it.
    """
    name = path.name
    if name.endswith(EXAMPLES_SUFFIX):
        rules = path.with_name(name.removesuffix(EXAMPLES_SUFFIX) + SUFFIX)
        return rules if is_file(rules) else path
    if name.endswith(ITEMS_SUFFIX):
        rules = path.with_name(name.removesuffix(ITEMS_SUFFIX) + SUFFIX)
        return rules if is_file(rules) and items_file(rules) is not None else path
    if name.endswith(BOARD_SUFFIX):
        return next((rules for folder in path.parents[:MAX_FOLDERS] for rules in _naming(folder, path)), path)
    return path


def _naming(folder: Path, board: Path) -> list[Path]:
    """The rules in a folder that name a board."""
    named = f'"{board.relative_to(folder).as_posix()}"'
    games = [path for path in files_in(folder, SUFFIX) if not path.name.endswith(EXAMPLES_SUFFIX)]
    return [path for path in games if any(line.startswith("board") and named in line for line in _lines(path))]


def _lines(path: Path) -> list[str]:
    try:
        return read_file(path, MAX_FILE_SIZE).decode("utf-8", "replace").splitlines()
    except Unreadable:
        return []


def analyse(
    path: Path, texts: Mapping[Path, str], files: Files, trees: Trees,
    on_stage: Callable[[str], None] = lambda stage: None, variants: Sequence[Path] = (),
) -> Analysis:  # fmt: skip
    """Read and check what a file belongs to, as `check` does, with these texts in place of files.

    `variants` are the files of those that are applied to the game.
    `on_stage` is called with the name of each stage of the checker; an exception that it raises ends the work.
    """
    seen = Texts(texts, files)
    path = path.absolute()
    with reading_from(seen):
        target = checked_file(path)
        if target.name.endswith(BOARD_SUFFIX):
            board = read_board(target, shown(target))
            diagnostics = board if isinstance(board, list) else []
            return _analysis(target, seen, diagnostics, board=None if isinstance(board, list) else board)
        if target.name.endswith(ITEMS_SUFFIX):
            return _analysis(target, seen, [])
        try:
            reading = read_game(
                target, examples=True, variants=variants, on_stage=on_stage, parse=trees.parse,
                example_memory=trees.examples(target),
            )  # fmt: skip
        except UsageError as fault:  # the game of a variant is missing, or it is not the one it says
            finding = Finding(Place(target, 0, _first_line(target, seen)), "error", "", str(fault))
            return Analysis(target, seen, (finding,))
        return _analysis(target, seen, reading.diagnostics, reading)


def _first_line(path: Path, texts: Texts) -> int:
    source = _source(path, texts)
    return len(source.line(1)) if source is not None else 0


def _analysis(
    path: Path, texts: Texts, diagnostics: Sequence[Diagnostic], reading: Reading | None = None,
    board: Board | None = None,
) -> Analysis:  # fmt: skip
    analysis = Analysis(path, texts, (), reading, board)
    analysis.findings = tuple(map(partial(_finding, analysis), diagnostics))
    return analysis


# ---------------- findings


def _finding(analysis: Analysis, diagnostic: Diagnostic) -> Finding:
    """A diagnostic with its places in the files as they are."""
    place = analysis.place(diagnostic.span) or Place(analysis.path, 0, 0)
    labels = [(label.span, label.text) for label in diagnostic.labels]
    labels += [(span, "also here") for span in diagnostic.other_spans]
    related = [Related(at, visible(text)) for span, text in labels if (at := analysis.place(span)) is not None]
    fixes: list[Fix] = []
    for replacement in diagnostic.replacements:
        replaced = analysis.place(replacement.span)
        if replaced is not None:
            title = _title(replacement.span.text, replacement.text)
            fixes.append(
                Fix(title, (Edit(replaced, replacement.text),), diagnostic.code, place, is_preferred=not fixes)
            )
    message = "\n".join([visible(diagnostic.message), *(f"help: {visible(text)}" for text in diagnostic.helps)])
    return Finding(place, diagnostic.severity, diagnostic.code, message, tuple(related), tuple(fixes))


def _title(old: str, new: str) -> str:
    """What a fix does: `replace a by b`, `insert a`, `remove a`."""
    old, new = (visible(" ".join(text.split())) for text in (old, new))
    if not old:
        return f"insert `{new}`" if new else "insert a line"
    if not new:
        return f"remove `{old}`" if old.strip() else "remove it"
    return f"replace `{old}` by `{new}`"


def fixes_for_all(findings: Sequence[Finding], path: Path) -> tuple[Edit, ...]:
    """The likeliest fixes of all findings in a file, without those that overlap an earlier one."""
    edits: list[Edit] = []
    fixes = [fix for finding in findings for fix in finding.fixes if fix.is_preferred]
    for fix in fixes:
        inside = [edit for edit in fix.edits if edit.place.path == path]
        if not any(_overlaps(edit, edits) for edit in inside):
            edits += inside
    return tuple(sorted(set(edits), key=lambda edit: (edit.place.start, edit.place.end)))


def _overlaps(edit: Edit, edits: Sequence[Edit]) -> bool:
    return any(
        edit != earlier and edit.place.start <= earlier.place.end and earlier.place.start <= edit.place.end
        for earlier in edits
    )
