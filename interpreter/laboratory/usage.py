"""Usage of the rules by games: how many of them came to each rule, and how often pieces of each type were chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import DefineSymbol
from interpreter.authoring.coverage.subjects import Subject, subjects
from interpreter.laboratory.courses import Course, chosen_types, kind_words
from interpreter.play.game import Game
from interpreter.wording.words import PLAIN, Words

RULES = frozenset({"action", "step", "when", "phase"})
"""The kinds of declarations whose use is counted as a whole."""

PARTS_OF = {"define": "case", "option": "value", "winner": "criterion"}
"""The kinds of parts whose use is counted, by the kind of declaration that they are parts of."""


@dataclass(frozen=True, slots=True)
class RuleUsage:
    """How many games used a rule.

    `kind` is action, step, when, phase, case, value (of an option) or criterion (a number that was needed to tell who
    wins). `name` is that of the declaration, empty for `winner`; `text` is the source of a part, such as a case.
    """

    kind: str
    name: str
    text: str
    location: str
    cites: tuple[str, ...]
    games: int


@dataclass(frozen=True, slots=True)
class KindUsage:
    """How often decisions offered pieces of a kind, and how often one was chosen.

    `offered` and `chosen` count decisions, as in `Picks`, over all games; `games_offered` and `games_chosen` the games
    in which that happened at all. `location` is that of the declaration of the type.
    """

    kind: str
    type: str
    location: str
    offered: int
    chosen: int
    games_offered: int
    games_chosen: int


@dataclass(frozen=True, slots=True)
class TypeUsage:
    """In how many games pieces of a type, of whatever kind, were offered, and in how many one was chosen."""

    type: str
    location: str
    games_offered: int
    games_chosen: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Usage of the rules by games, in the order of the declarations, without what only tables and labels need.

    `types` and `kinds` are those of the pieces that moves can be about; other pieces nobody can choose.
    """

    games: int
    rules: tuple[RuleUsage, ...]
    types: tuple[TypeUsage, ...]
    kinds: tuple[KindUsage, ...]

    @property
    def unused_rules(self) -> tuple[RuleUsage, ...]:
        """The rules that no game used, without values of options: these are chosen before a game."""
        return tuple(rule for rule in self.rules if not rule.games and rule.kind != "value")


def usage(game: Game, courses: Sequence[Course], words: Words = PLAIN) -> Usage:
    """Usage of the rules by the games with these courses, of a game with its seats and options.

    Rules and kinds of pieces are called as in `words`; types have their names.
    """
    games_by_branch = Counter(branch for course in courses for branch in course.branches)
    in_play = definitions_in_play(game.rules.model)
    rules = tuple(
        rule
        for subject in subjects(game.rules.model)
        if subject.kind != "define" or subject.name in in_play
        for rule in _rules(subject, games_by_branch, words)
    )
    return Usage(len(courses), rules, tuple(_types(game, courses)), tuple(_kinds(game, courses, words)))


def _rules(subject: Subject, games_by_branch: Counter[int], words: Words) -> Iterator[RuleUsage]:
    name = words.name(subject.name)
    if subject.kind in RULES:
        yield RuleUsage(
            subject.kind, name, "", subject.span.location, subject.cites, games_by_branch[subject.branch]
        )  # fmt: skip
    counted = PARTS_OF.get(subject.kind)
    for part in subject.parts:
        if part.kind == counted:
            games = max(games_by_branch[branch] for branch in part.branches.values())
            yield RuleUsage(part.kind, name, part.text, part.span.location, subject.cites, games)


def _kinds(game: Game, courses: Sequence[Course], words: Words) -> Iterator[KindUsage]:
    words_by_kind = kind_words(game.program, words)
    counts = [Counter[str]() for _ in range(4)]
    offered, chosen, games_offered, games_chosen = counts
    for course in courses:
        for pick in course.picks:
            offered[pick.kind] += pick.offered
            chosen[pick.kind] += pick.chosen
            games_offered[pick.kind] += pick.offered > 0
            games_chosen[pick.kind] += pick.chosen > 0
    for type_, kind, plain in _choosable(game):
        numbers = [count[plain] for count in counts]
        yield KindUsage(words_by_kind[kind], type_, _location(game, type_), *numbers)


def _types(game: Game, courses: Sequence[Course]) -> Iterator[TypeUsage]:
    types: dict[str, set[str]] = {}
    for type_, _, plain in _choosable(game):
        types.setdefault(type_, set()).add(plain)
    for type_, kinds in types.items():
        picks = [[pick for pick in course.picks if pick.kind in kinds] for course in courses]
        offered = sum(any(pick.offered for pick in game_picks) for game_picks in picks)
        chosen = sum(any(pick.chosen for pick in game_picks) for game_picks in picks)
        yield TypeUsage(type_, _location(game, type_), offered, chosen)


def _choosable(game: Game) -> Iterator[tuple[str, int, str]]:
    """The kinds of pieces that moves can be about: type, number, and words by the names of the rules."""
    pieces, types = game.program.layout.pieces, chosen_types(game.program)
    for kind, plain in kind_words(game.program).items():
        if pieces[kind].type in types:
            yield pieces[kind].type, kind, plain


def _location(game: Game, type_: str) -> str:
    return game.rules.model.pieces[type_].declaration.span.location


# ---- Which definitions play evaluates: all but those that only say what people see, in tables and labels


def definitions_in_play(model: Model) -> frozenset[str]:
    """The names of the definitions that rules of play mention, or definitions mentioned by these."""
    names: set[str] = set()
    waiting = {name for root in _roots(model) for name in _mentioned(model, root)}
    waiting |= {when.name for when in model.whens}
    while waiting:
        names |= waiting
        waiting = {
            name
            for mentioned in waiting
            if mentioned in model.defines
            for name in _mentioned(model, model.defines[mentioned].declaration)
        } - names
    return frozenset(names)


def _roots(model: Model) -> Iterator[ast.Node]:
    """The nodes that are evaluated in play: statements and declarations, of actions all but the label."""
    for part in model.file.parts:
        yield from part.statements
        for node in part.declarations:
            if isinstance(node, ast.Action):
                yield from (child for child in node.children() if child is not node.label)
            elif not isinstance(node, ast.Define | ast.Table | ast.Names | ast.Example):
                yield node


def _mentioned(model: Model, node: ast.Node) -> set[str]:
    symbols = (model.refers.get(part.number) for part in node.walk())
    return {symbol.name for symbol in symbols if isinstance(symbol, DefineSymbol)}
