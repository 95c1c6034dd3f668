"""Loading a game: from a name or path to a compiled program with seats and options."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dsl import ast
from dsl.board import Board, read_board
from dsl.check import check
from dsl.diagnostics import Diagnostic, Label, RulesError, has_errors
from dsl.model import Model
from dsl.parse import parse, read_source
from dsl.types import PLAYER, Listed, bare
from dsl.variants import Merged, merged, with_changes
from interpreter.catalogue import companion_of, find, items_of, shipped_folder
from interpreter.chance import Chance
from interpreter.compile.layout import plan
from interpreter.compile.program import Program, build
from interpreter.faults import BadOption, BadPlayers
from interpreter.own_board import given_board, with_both_places, without_examples
from interpreter.own_variants import base_of, find_variants, name_of, read_variant
from interpreter.own_variants import without_examples as without_its_examples

if TYPE_CHECKING:
    from interpreter.state import State


@dataclass(frozen=True)
class OptionInfo:
    """An option of a game: its values in words, and the default."""

    name: str
    values: tuple[str, ...]
    default: str


@dataclass
class Rules:
    """A checked rules file; `hash` changes with every change of its text, its board's or its variants'.

    `board` is the board file of a player's own, if it is not played on the one the rules name. `variants` are the files
    of the variants that are put in, `merged` what they changed.
    """

    path: Path
    model: Model
    hash: str
    warnings: tuple[Diagnostic, ...]
    board: Path | None = None
    variants: tuple[Path, ...] = ()
    merged: Merged | None = None

    @property
    def name(self) -> str:
        """The name of the game: the file name without `.rules`."""
        return self.path.name.removesuffix(".rules")

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the variants."""
        return tuple(variant.title.value for variant in self.merged.variants) if self.merged else ()


@dataclass
class Game:
    """A game with its seats and options, ready to start."""

    rules: Rules
    seats: tuple[str, ...]
    options: dict[str, str]
    programs: dict[tuple[bool, bool], Program] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Name of the game."""
        return self.rules.name

    @property
    def title(self) -> str:
        """Title of the game, with those of its variants."""
        title = self.rules.model.file.header.title.value
        return f"{title} ({', '.join(self.rules.titles)})" if self.rules.titles else title

    @property
    def path(self) -> Path:
        """The rules file."""
        return self.rules.path

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants it is played with: their file names without `.rules`."""
        return tuple(name_of(path) for path in self.rules.variants)

    @property
    def board(self) -> Board | None:
        """The board it is played on."""
        return self.rules.model.board

    @property
    def fewest(self) -> int:
        """The fewest players."""
        return self.rules.model.file.header.fewest

    @property
    def most(self) -> int:
        """The most players."""
        return self.rules.model.file.header.most

    @property
    def all_seats(self) -> tuple[str, ...]:
        """All seats the game has."""
        return self.rules.model.seats

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden from anybody: no zone or note says who sees it, nothing is asked in secret."""
        for node in self.rules.model.file.walk():
            match node:
                case ast.Zone() | ast.Note() if node.sights:
                    return False
                case ast.Decide() | ast.Choose() if node.secretly:
                    return False
                case ast.Parameter() if node.secret:
                    return False
        return True

    @property
    def option_info(self) -> list[OptionInfo]:
        """The options with their values."""
        return [OptionInfo(o.name, o.values, o.default) for o in self.rules.model.options.values()]

    @cached_property
    def program(self) -> Program:
        """The compiled rules."""
        return self.compiled()

    def compiled(self, traced: bool = False, solo: bool = False) -> Program:
        """The compiled rules: with marks for the trace, or with every action to be begun by itself."""
        key = (traced, solo)
        if key not in self.programs:
            self.programs[key] = build(self.rules.model, self.seats, self.options, traced, solo)
        return self.programs[key]

    def start(self, seed: int = 0, chance: Chance | None = None, traced: bool = False) -> State:
        """Set the game up and play to the first decision.

        `chance` supplies the results of shuffles, rolls and picks instead of the seed. Raises `RuntimeFault` if a rule
        fails.
        """
        from interpreter.state import State

        return State.begin(self, seed, chance, traced)


def load(
    name: str | Path,
    players: int | Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    board: str | Path | None = None,
    variants: Sequence[str | Path] = (),
) -> Game:
    """Load a game by name or path, for a number of players or named seats (default: the fewest), with options.

    `board` is the path of a board file to play on instead of the one the rules name, `variants` are names or paths of
    variants of the game. Raises `RulesError` with diagnostics, `UnknownGame`, `BadBoard`, `BadVariant`, `BadPlayers`,
    `BadOption`.
    """
    rules = load_rules(find(str(name)), board=None if board is None else Path(board), variants=variants)
    return seat_game(rules, players, options)


def load_rules(
    path: Path, examples: bool = False, board: Path | None = None, variants: Sequence[str | Path] = ()
) -> Rules:
    """Read and check a rules file with its board, and with its companion of examples if asked.

    The file of a variant stands for its game with the variant. `board` is a board file to play on instead of the one
    the rules name, `variants` are names or paths of variants to put in. Examples may speak of what only the base has,
    so those in the rules file are then left out, too, unless asked for. Raises `RulesError`, `BadBoard`, `BadVariant`.
    """
    base = base_of(path)
    if base is not None:
        path, variants = base, (path, *variants)
    if board is not None:
        given_board(board)
    paths = find_variants(path, variants)
    file, companion, text, findings = read_rules(path, examples)
    if file is None or has_errors(findings):
        raise RulesError(findings)
    if not examples and (board is not None or paths):
        file = without_examples(file)
    alone = file
    game: Merged | None = None
    if paths:
        game, more_text = _put_in(file, companion, paths, examples)
        file, companion, text = game.file, game.companion, text + more_text
    played_on, more = board_of(path, file, board, paths)
    if has_errors(more):
        raise RulesError([*findings, *more])
    model, more = check(file, companion, items_of(path) if examples else None, played_on)
    if game is not None:
        if model is None:
            _must_be_right(path, alone)
        more = with_changes(more, game)
    if model is None:
        named = None if board is None else board_of(path, file, variants=paths)[0]
        if played_on is not None:
            more = with_both_places(more, file, played_on, named)
        raise RulesError([*findings, *more])
    texts = text + (played_on.source.text if played_on else "")
    digest = hashlib.sha256(texts.replace("\r\n", "\n").encode("utf-8")).hexdigest()
    return Rules(path, model, digest, (*findings, *more), board.absolute() if board else None, paths, game)


def _put_in(
    file: ast.GameFile, companion: ast.ExamplesFile | None, paths: Sequence[Path], examples: bool
) -> tuple[Merged, str]:
    """The game with variants put in, and their texts. Raises `RulesError`."""
    read: list[ast.VariantFile] = []
    findings: list[Diagnostic] = []
    texts = ""
    number = max(file.number, companion.number if companion else 0) + 1
    for path in paths:
        variant, text, more = read_variant(path, shown(path), number)
        texts += f"\n{text}"
        findings += more
        if variant is not None:
            number = variant.number + 1
            read.append(variant if examples else without_its_examples(variant))
    if has_errors(findings):
        raise RulesError(findings)
    game, more = merged(file, companion, read)
    if game is None:
        raise RulesError([*findings, *more])
    return game, texts


def _must_be_right(path: Path, alone: ast.GameFile) -> None:
    """Raise `RulesError` if a game is wrong without its variants: then they are not to blame."""
    found = check(alone, board=board_of(path, alone)[0])[1]
    if has_errors(found):
        raise RulesError(found)


def files_of(rules: Rules) -> list[Path]:
    """The files that checked rules stand in: the rules, their variants, and the board they are played on."""
    declared = [node for part in rules.model.file.parts for node in part.declarations if isinstance(node, ast.Board)]
    named = [_beside(node, rules.path, rules.variants) / node.path for node in declared]
    return [rules.path, *rules.variants, *([rules.board] if rules.board is not None else named)]


def _beside(board: ast.Board, path: Path, variants: Sequence[Path]) -> Path:
    """The folder of the file that names a board: of the rules, or of a variant."""
    said_in = board.span.source.name
    return next((one.parent for one in variants if shown(one) == said_in), path.parent)


def board_of(
    path: Path, file: ast.GameFile, instead: Path | None = None, variants: Sequence[Path] = ()
) -> tuple[Board | None, list[Diagnostic]]:
    """The board that a game is played on: `instead`, or the one it names; None if it names none.

    It is found beside the rules file, or beside the file of the variant that names it.
    """
    declared = [node for part in file.parts for node in part.declarations if isinstance(node, ast.Board)]
    if len(declared) > 1:
        labels = (Label(declared[0].span, "first here"),)
        return None, [Diagnostic("E0202", "error", "a board is declared twice", declared[1].span, labels)]
    if instead is not None and not declared:
        helps = ("leave the board out, or name one in the rules",)
        return None, [Diagnostic("E0751", "error", "this game is played on no board", file.header.span, helps=helps)]
    if not declared:
        return None, []
    file_of_board = instead or _beside(declared[0], path, variants) / declared[0].path
    found = read_board(file_of_board, shown(file_of_board))
    return (None, found) if isinstance(found, list) else (found, [])


def read_rules(
    path: Path, examples: bool
) -> tuple[ast.GameFile | None, ast.ExamplesFile | None, str, list[Diagnostic]]:
    """Read a rules file and, if asked, its companion; gives what could be read and all findings."""
    source = read_source(path, shown(path))
    if isinstance(source, Diagnostic):
        return None, None, "", [source]
    file, findings = parse(source)
    companion: ast.ExamplesFile | None = None
    beside = companion_of(path) if examples else None
    if beside is not None:
        second = read_source(beside, shown(beside))
        if isinstance(second, Diagnostic):
            findings.append(second)
        else:
            parsed, more = parse(second, first_number=file.number + 1 if file else 0)
            findings += more
            if isinstance(parsed, ast.ExamplesFile):
                companion = parsed
    if file is not None and not isinstance(file, ast.GameFile):
        findings.append(Diagnostic("E0199", "error", "this file is no game: it does not begin with `game`", file.span))
        return None, companion, source.text, findings
    return file, companion, source.text, findings


def shown(path: Path) -> str:
    """How people know a file: as it lies below the current folder, a shipped game by its file name."""
    absolute = path.absolute()
    if absolute.is_relative_to(Path.cwd()):
        return absolute.relative_to(Path.cwd()).as_posix()
    if absolute.is_relative_to(shipped_folder().absolute()):
        return absolute.relative_to(shipped_folder().absolute()).as_posix()
    return str(path)


def seat_game(rules: Rules, players: int | Sequence[str] | None, options: Mapping[str, object] | None) -> Game:
    """Choose seats and options for checked rules."""
    seats = choose_seats(rules, players)
    return Game(rules, seats, choose_options(rules, options or {}, seats))


def choose_seats(rules: Rules, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """The seats that play, in the order of the file."""
    header = rules.model.file.header
    wanted = header.fewest if players is None else players
    count = wanted if isinstance(wanted, int) else len(wanted)
    if not header.fewest <= count <= header.most:
        told = str(header.fewest) if header.fewest == header.most else f"{header.fewest} to {header.most}"
        raise BadPlayers(f"`{rules.name}` is for {told} players, not {count}")
    if isinstance(wanted, int):
        return header.seats[:wanted]
    for seat in wanted:
        if seat not in header.seats:
            raise BadPlayers(f"`{rules.name}` has no seat `{seat}`{_hint(seat, header.seats)}")
    if len(set(wanted)) != len(wanted):
        raise BadPlayers("a seat is named twice")
    return tuple(seat for seat in header.seats if seat in wanted)


def choose_options(rules: Rules, options: Mapping[str, object], seats: Sequence[str]) -> dict[str, str]:
    """All options with their values in words; a default seat that does not play gives way to the first that does."""
    known = rules.model.options
    chosen: dict[str, str] = {}
    for name, symbol in known.items():
        absent = bare(symbol.type) == PLAYER and symbol.default in rules.model.seats and symbol.default not in seats
        chosen[name] = seats[0] if absent else symbol.default
    for name, value in options.items():
        if name not in known:
            raise BadOption(f"`{rules.name}` has no option `{name}`{_hint(name, known)}")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        values = known[name].values
        if bare(known[name].type) == PLAYER:
            values = tuple(value for value in values if value in seats or value not in rules.model.seats)
        if text not in values:
            text = next((value for value in values if value.replace(" ", "") == text.replace(" ", "")), text)
        if text not in values:
            raise BadOption(f"option `{name}` is {', '.join(values)}, not `{text}`")
        chosen[name] = text
    _keep_to_board(rules, seats, chosen, options)
    return chosen


def _keep_to_board(rules: Rules, seats: Sequence[str], chosen: dict[str, str], given: Mapping[str, object]) -> None:
    """See that places among the options are there with the board's alternatives that the options choose.

    A default that is not there gives way to the first value that is; what was given is refused.
    """
    model = rules.model
    layout = plan(model, tuple(seats), chosen)
    for name, symbol in model.options.items():
        type_ = bare(symbol.type)
        places = model.type_symbols.get(type_.name) if isinstance(type_, Listed) else None
        if places is None or not places.rows:
            continue
        there = [str(places.members[position]) for position in places.rows[layout.choice].present]
        words = [value for value in symbol.values if value in there or value == "none"]
        words += ["random"] if symbol.by_chance and there else []
        if chosen[name] in words:
            continue
        if words and name not in given:
            chosen[name] = words[0]
            continue
        choices = zip(model.chosen.values(), layout.choice, strict=True)
        chosen_words = " and ".join(f"`{node.name}` is {word}" for node, word in choices)
        when = f" when {chosen_words}" if chosen_words else ""
        if not words:
            raise BadOption(f"option `{name}` has no value: the board has no `{places.name}`{when}")
        raise BadOption(f"option `{name}` is {', '.join(words)}{when}, not `{chosen[name]}`")


def _hint(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(known) or 'none'}"
