"""A game with its seats and options: its properties and its compiled rules."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from pathlib import Path
from typing import Self
from weakref import WeakKeyDictionary

from dsl.boards import Board
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.variant_files import name_of
from dsl.text.visible import brief
from interpreter.arguments import Backend
from interpreter.compiler.passes.pipeline import MEANINGS
from interpreter.engine.build import build, for_play, for_tracing
from interpreter.engine.program import Program
from interpreter.errors import UsageError
from interpreter.loading.languages import no_language
from interpreter.loading.rules import Rules
from interpreter.runtime.cells import Cells, Content
from interpreter.wording.phrases import ENGLISH, catalogue_of
from interpreter.wording.words import OWN, Words, words_in

MAX_SHARED = 4
"""Maximum number of programs of the same rules that other games of these rules can share."""

_shared: WeakKeyDictionary[Rules, dict[Hashable, Program]] = WeakKeyDictionary()
"""The programs of rules by seats, options and how they were compiled, the one used last at the end.

Programs do not change, so threads need no lock here: at worst one of them compiles a program again.
"""


@dataclass(frozen=True)
class OptionInfo:
    """An option of a game: its values in words, and the default."""

    name: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class GivenStart:
    """The position in which a game begins, instead of its setup: the text that describes it, and its cells."""

    text: str
    cells: tuple[Content, ...] = field(compare=False, repr=False)


@dataclass
class SeatedGame:
    """Checked rules with seats and options, compiled on demand; without the passes that are `off`.

    `backend` plays random games, unless another one is named where they are requested. `language` is the one whose
    words people read, OWN for the display names of the game itself; with None they read the names of the rules.
    `phrases_in_english`: what Regelwerk itself says is in English in every language, for programs. `given` is where
    games begin, None for the setup.
    """

    rules: Rules
    seats: tuple[str, ...]
    options: dict[str, str]
    programs: dict[tuple[bool, bool], Program] = field(default_factory=dict, repr=False)
    off: frozenset[str] = frozenset()
    backend: Backend = "auto"
    language: str | None = None
    phrases_in_english: bool = False
    given: GivenStart | None = None

    def __repr__(self) -> str:
        defaults = {option.name: option.default for option in self.option_info}
        chosen = [f"{name}={value}" for name, value in self.options.items() if value != defaults.get(name)]
        return f"<Game {self.title}: {', '.join([*self.seats, *chosen])}>"

    @property
    def name(self) -> str:
        """Name of the game."""
        return self.rules.name

    @property
    def title(self) -> str:
        """Title of the game, with those of its variants."""
        title = self.words.text(self.rules.model.file.header.title.value)
        return f"{title} ({', '.join(map(self.words.text, self.rules.titles))})" if self.rules.titles else title

    @property
    def words(self) -> Words:
        """The words that people read."""
        words = words_in(self.rules.model.words, self.language)
        return words.with_english_phrases() if self.phrases_in_english else words

    def with_phrases_in_english(self) -> Self:
        """The same game for programs that read its texts in its language, and those of Regelwerk itself in English."""
        game = replace(self, options=dict(self.options), phrases_in_english=True)
        game.programs = {key: program.in_words(game.words) for key, program in self.programs.items()}
        return game

    def in_words(self, language: str = OWN) -> Self:
        """The same game for people who read the words of a language; rules and compiled code are shared.

        Raises LanguageError if neither the rules were loaded with that language nor Regelwerk itself speaks it.
        """
        words_by_language = self.rules.model.words
        if language != OWN and language not in words_by_language and catalogue_of(language) is ENGLISH:
            raise no_language(self.name, language, [name for name in words_by_language if name is not None])
        words = words_in(words_by_language, language)
        programs = {key: program.in_words(words) for key, program in self.programs.items()}
        return replace(self, options=dict(self.options), programs=programs, language=language)

    @property
    def begun_hash(self) -> str:
        """A hash of the rules, and of the position in which the game begins if one is given."""
        if self.given is None:
            return self.rules.hash
        return hashlib.sha256(f"{self.rules.hash}\n{self.given.text}".encode()).hexdigest()

    @property
    def path(self) -> Path:
        """The rules file."""
        return self.rules.path

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the applied variants: their file names without `.rules`."""
        return tuple(name_of(path) for path in self.rules.variants)

    @property
    def board(self) -> Board | None:
        """The board it is played on."""
        return self.rules.model.board

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players, in increasing order."""
        return self.rules.model.file.header.counts

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
        """True if nothing is hidden from anybody: no zone or note restricts who sees it, no choice is secret."""
        return self.rules.model.is_open

    @property
    def option_info(self) -> list[OptionInfo]:
        """The options with their values."""
        return [OptionInfo(o.name, o.values, o.default) for o in self.rules.model.options.values()]

    def __copy__(self) -> Self:
        """Copy the game with its own table of options; rules and compiled code are shared, as they never change."""
        return type(self)(
            self.rules, self.seats, dict(self.options), self.programs, self.off, language=self.language,
            given=self.given,
        )  # fmt: skip

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.__copy__()

    def without(self, *passes: str) -> Self:
        """The same game compiled without some passes, named as in `MEANINGS`, to see what one of them does.

        Only how fast it is differs. Raises UsageError if there is no such pass.
        """
        for name in passes:
            if name not in MEANINGS:
                near = get_close_matches(str(name), MEANINGS, n=1)
                hint = f"did you mean {near[0]}?" if near else f"the passes are {', '.join(MEANINGS)}"
                raise UsageError(f"there is no pass `{brief(name)}`; {hint}")
        return replace(self, options=dict(self.options), programs={}, off=self.off.union(passes))

    @cached_property
    def program(self) -> Program:
        """The compiled rules."""
        return self.compiled()

    def compiled(self, traced: bool = False, solo: bool = False) -> Program:
        """Compile the rules: with marks for the trace, or so that every action can be started on its own."""
        key = (traced, solo)
        if key not in self.programs:
            program = self._shared_program(traced, solo)
            in_words = program.in_words(self.words) if self.language is not None else program
            return self.programs.setdefault(key, in_words)  # that of another thread which was faster
        return self.programs[key]

    def _shared_program(self, traced: bool, solo: bool) -> Program:
        """The program that games of the same rules share if they have these seats and options."""
        programs = _shared.setdefault(self.rules, {})
        given = self.given
        key = (traced, solo, self.off, self.seats, given, *sorted(self.options.items()))
        program = programs.pop(key, None)
        if program is None and given is not None:
            # The position was reached by code for examples, which counts decisions in its own way.
            program = replace(self, given=None)._shared_program(traced, solo=True).begun_from(Cells(given.cells))
        elif program is None:
            prepare = for_tracing if traced else partial(for_play, off=self.off)
            program = build(self.rules.model, self.seats, self.options, prepare, solo)
        programs[key] = program
        for oldest in [*programs][:-MAX_SHARED]:
            programs.pop(oldest, None)
        return program


def game_data(game: SeatedGame) -> JsonObject:
    """Which game it is, with its seats, options, board and variants, as documents of all kinds begin."""
    return {
        "game": game.name,
        "players": list(game.seats),
        "options": dict(game.options),
        "board": game.board.name if game.board else None,
        "variants": list(game.variants),
    }
