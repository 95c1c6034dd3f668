"""Display names and translations: in labels, logs, reasons and results, and nowhere else."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker.names.declarations import declarations
from dsl.diagnostics import RulesError
from dsl.model import DisplayWords
from dsl.text.span import PRINTED, comment_above
from interpreter.errors import LanguageError
from interpreter.loading.game_heads import game_head, texts_in
from interpreter.loading.game_library import all_games
from interpreter.loading.rules import load_rules
from interpreter.loading.variants import variants_of
from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.seat.explain.rules_summary import rules_summary
from interpreter.wording.words import BUILT_IN, OWN, PLAIN, Words

RULES = """game "Words" for 2 players ann, ben

option long: Truth = false:
    "Whether the game takes long."

== components ==

type Suit is hearts, spades
type Kind is plain, steps(1..2), of_suit(Suit)
piece Card: 2 for each suit: Suit, owner: Player in deck[owner]
piece Coin: 9 in bank
zone deck[p: Player] holds stack of Card, owner seen by all, suit seen by nobody
zone hand[p: Player] holds Card, seen by p
zone table_of[p: Player] holds Card
zone bank holds Coin
note score[p: Player]: 0..99 = 0
note wanted: Kind = steps(2)

names:
    hearts              "heart", "hearts"
    spades              "spade", "spades"
    steps(n)            "{n} steps"
    of_suit(s)          "all {s}"
    Card                "card", "cards"
    Card(suit, owner)   "{suit} of {owner}"
    table_of[p]         "table of {p}"
    score[p]            "points of {p}"
    wanted              "what is wanted"
    lay                 "lay down"

== setup ==

for each p in Player: move 3 from deck[p] to hand[p]

== phases ==

phase main, turns from ann, over when bank is empty or long:
    must lay or pass

action lay(n: 1..2, s: Suit):
    "lay {n} {s}, not {count hand[me]} of {me}"
    require n <= count hand[me] of s        because "you hold {count hand[me] of s} {s}"
    move n of s from hand[me] to table_of[me]
    set wanted to of_suit(s)
    tell "{me} wants {wanted}"
    add n to score[me] because "{n} {s}"

action pass:
    end game

== scoring ==

winner highest score[me] "most points"
"""

GERMAN = """
names de of words:
    hearts              "Herz", "Herzen"
    spades              "Pik", "Piks"
    steps(n)            "{n} Schritte"
    of_suit(s)          "alle {s}"
    ann                 "Anna"
    Card(suit, owner)   "{suit} ({owner})"
    table_of[p]         "Tisch von {p}"
    score[p]            "Punkte von {p}"
    "lay {n} {s}, not {count hand[me]} of {me}": "{me}: {n} {s} statt {count hand[me]} legen"
    "you hold {count hand[me] of s} {s}": "du hast {count hand[me] of s} {s}"
    "{me} wants {wanted}": "{wanted} will {me}"
    "{n} {s}": "für {n} {s}"
    "most points": "die meisten Punkte"
    "Words": "Wörter"
"""


@pytest.fixture
def words(tmp_path: Path) -> Path:
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "words.de.rules").write_text(GERMAN, encoding="utf-8")
    path = tmp_path / "words.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def played(path: Path, language: str | None) -> list[str]:
    """What people read of a short game: labels, log, result."""
    state = load(path, language=language).start(seed=1)
    labels = {move.notation: move.label for move in state.legal_moves}
    state.push("lay(2, spades)")
    entry = state.log("ann")[-1]
    state.push("pass")
    assert state.outcome is not None
    return [labels["lay(1, spades)"], labels["lay(2, spades)"], *entry.details, state.outcome.reason]


def test_without_a_language_names_are_those_of_the_rules(words: Path) -> None:
    assert played(words, None) == [
        "lay 1 spades, not 3 of ann",
        "lay 2 spades, not 3 of ann",
        "2 ann spades: hand[ann] → table_of[ann]",
        "wanted: steps(2) → of_suit(spades)",
        "ann wants of_suit(spades)",
        "score[ann]: 0 → 2 (2 spades)",
        "ann wins: highest score[me]",
    ]


def test_display_names(words: Path) -> None:
    assert played(words, "own") == [
        "lay 1 spade, not 3 of ann",
        "lay 2 spades, not 3 of ann",
        "2 spades of ann: hand[ann] → table of ann",
        "what is wanted: 2 steps → all spade",
        "ann wants all spade",
        "points of ann: 0 → 2 (2 spades)",
        "ann wins: most points",
    ]


def test_a_language_and_where_it_lacks_something_the_own_words(words: Path) -> None:
    assert played(words, "de") == [
        "Anna: 1 Pik statt 3 legen",
        "Anna: 2 Piks statt 3 legen",
        "2 Piks (Anna): hand[Anna] → Tisch von Anna",
        "what is wanted: 2 Schritte → alle Pik",
        "alle Pik will Anna",
        "Punkte von Anna: 0 → 2 (für 2 Piks)",
        "Anna gewinnt: die meisten Punkte",
    ]


def test_notation_values_and_views_have_the_names_of_the_rules(words: Path) -> None:
    plain, german = (load(words, language=language).start(seed=1) for language in (None, "de"))
    assert [move.notation for move in plain.legal_moves] == [move.notation for move in german.legal_moves]
    for state in (plain, german):
        state.push("lay(2, spades)")
        assert state.evaluate("wanted") == "of_suit(spades)"
        assert state.evaluate("table_of[ann]") == plain.evaluate("table_of[ann]")
    ours, theirs = plain.view("ann"), german.view("ann")
    assert (theirs.zones, theirs.notes, theirs.turn, theirs.phase) == (ours.zones, ours.notes, ours.turn, ours.phase)
    assert (ours.title, theirs.title) == ("Words", "Wörter")
    assert plain.game.rules.hash == german.game.rules.hash


@pytest.mark.parametrize(("language", "shown"), [(None, "ann card"), ("own", "ann cards"), ("de", "cards (Anna)")])
def test_pieces_of_which_only_the_owner_is_known(words: Path, language: str | None, shown: str) -> None:
    """Languages order words differently: a colour after a number is no adjective in German."""
    named = load(words, language=language).words
    assert named.piece("Card", {"owner": "ann"}, ["owner"], is_complete=False, number=2) == shown


def test_pieces_without_a_name_are_counted_in_the_plural(words: Path) -> None:
    """An author who names nothing reads `2 coins`; a name that is given without plural is the same for all numbers."""
    words.write_text(
        RULES.replace("set wanted to", "move 2 from bank to pot\n    set wanted to")
        .replace("zone bank holds Coin\n", "zone bank holds Coin\nzone pot holds Coin\n")
        .replace('"card", "cards"', '"card"'),
        encoding="utf-8",
    )
    state = load(words, language=OWN).start(seed=1)
    state.push("lay(1, spades)")
    assert "2 coins: bank \u2192 pot" in state.log("ann")[-1].details
    named = load(words, language="de").words
    assert [named.type("Coin", number) for number in (1, 2)] == ["coin", "coin"]
    own = load(words, language=OWN).words
    assert [own.type("Card", number) for number in (1, 2)] == ["card", "card"]


def test_why_has_the_words(words: Path) -> None:
    state = load(words, language="de").start(seed=1)
    assert state.why("lay(2, hearts)").headline == "`lay(2, hearts)` ist nicht erlaubt: du hast 1 Herz"


def test_words_make_no_difference_to_the_rules(words: Path) -> None:
    text = words.read_text(encoding="utf-8")
    begin, end = text.index("names:"), text.index("== setup ==")
    without = text[:begin] + text[end:]
    without = without.replace(' "most points"', "").replace(':\n    "Whether the game takes long."', "")
    other = words.with_name("other.rules")
    other.write_text(without, encoding="utf-8")
    assert load_rules(other).hash == load_rules(words).hash


def test_a_save_is_resumed_in_another_language(words: Path, tmp_path: Path) -> None:
    state = load(words, language="de").start(seed=1)
    state.push("lay(2, spades)")
    write_save(tmp_path / "save.json", state, SaveMeta({"ann": "human", "ben": "random"}, []))
    saved = read_save(tmp_path / "save.json")
    assert resume(saved).history[0].label == "lay 2 spades, not 3 of ann"
    assert resume(saved, language="own").log(None)[-1].details[0] == "2 spades of ann: hand[ann] → table of ann"
    assert resume(saved, language="de").history[0].label == "Anna: 2 Piks statt 3 legen"


def test_games_keep_their_language(words: Path) -> None:
    game = load(words, language="de")
    state = game.start(seed=1)
    for one in (copy.copy(game), pickle.loads(pickle.dumps(game))):
        assert one.start(seed=1).legal_moves[0].label == "Anna: 1 Herz statt 3 legen"
    assert pickle.loads(pickle.dumps(state)).legal_moves[0].label == "Anna: 1 Herz statt 3 legen"
    assert game.in_words().start(seed=1).legal_moves[0].label == "lay 1 heart, not 3 of ann"
    assert load(words).words is PLAIN


def test_a_language_that_the_game_does_not_have(words: Path) -> None:
    with pytest.raises(LanguageError, match="`words` has no words in `fr`; it has de"):
        load(words, language="fr")
    words.with_name("alone.rules").write_text(RULES, encoding="utf-8")
    with pytest.raises(LanguageError, match="`alone` has no words in `fr`; it has only those of its rules"):
        load(words.with_name("alone.rules"), language="fr")


def test_a_language_that_only_regelwerk_itself_speaks(words: Path) -> None:
    words.with_name("alone.rules").write_text(RULES, encoding="utf-8")
    state = load(words.with_name("alone.rules"), language="de").start(seed=1)
    assert state.legal_moves[0].label == "lay 1 heart, not 3 of ann"
    assert state.log("ann")[0].text == "das Spiel wird aufgebaut"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GERMAN.replace("of words", "of others"), "begins with `names de of words:`"),
        (GERMAN.replace("names de", "names fr"), "begins with `names de of words:`"),
        (RULES, "does not begin with `names de of words:`"),
        (GERMAN.replace("{n} {s} statt", "{n} statt"), "the braces are not those of the original"),
        (GERMAN.replace('"Words":', '"Word":'), "the game has no such text"),
    ],
)
def test_a_file_of_a_language_that_is_wrong(words: Path, text: str, message: str) -> None:
    file = words.parent / "languages" / "words.de.rules"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as fault:
        load(words, language="de")
    assert message in str(fault.value)
    assert "words.de.rules" in str(fault.value)
    load(words, language="own")  # the others do not read it


def test_check_reads_all_languages(words: Path) -> None:
    found = [one for one in load_rules(words, examples=True).warnings if one.code == "E0226"]
    assert len(found) == 1
    assert "`Card`" not in found[0].helps[0]
    assert "`hand`" in found[0].helps[0]
    assert load_rules(words.parent / "languages" / "words.de.rules", examples=True).name == "words"


def test_a_translation_of_nothing_but_the_head_lacks_nothing(words: Path) -> None:
    file = words.parent / "languages" / "words.de.rules"
    file.write_text('names de of words:\n    "Words": "Wörter"\n', encoding="utf-8")
    assert "E0226" not in {one.code for one in load_rules(words, examples=True).warnings}
    assert load(words, language="de").title == "Wörter"
    file.write_text('names de of words:\n    "Words": "Wörter"\n    hearts "Herz"\n', encoding="utf-8")
    assert "E0226" in {one.code for one in load_rules(words, examples=True).warnings}


def test_all_shipped_games_and_variants_have_a_german_head() -> None:
    for path in sorted((Path(__file__).parents[2] / "games").glob("*.rules")):
        head = game_head(path)
        if head is not None:
            texts = texts_in(path.parent / "languages" / f"{path.stem}.de.rules")
            assert {head.title, head.sentence, head.family} <= texts.keys(), path.name
        for variant in variants_of(path):
            assert {variant.title, variant.sentence} <= texts_in(variant.path, "de").keys(), variant.name


def test_the_words_of_a_variant(words: Path) -> None:
    variant = words.with_name("free.rules")
    variant.write_text(FREE, encoding="utf-8")
    game = load(words, variants=[variant], language="de")
    assert game.title == "Wörter (Frei)"
    assert game.start(seed=1).why("lay(2, hearts)").headline == "`lay(2, hearts)` ist nicht erlaubt: zu viele"


FREE = """variant "Free" of words:
    "Lay one card."
    in action lay:
        replace require because "you hold": require n < 2 and hand[me] of s is not empty because "too many"
    add names de:
        "Free": "Frei"
        "too many": "zu viele"
"""


def test_the_large_games_are_all_german() -> None:
    for name in ("chinesische_mauer", "china", "mauerbauer", "dschingis_khan"):
        rules = load_rules(Path(__file__).parents[2] / "games" / f"{name}.rules", examples=True)
        assert "E0226" not in {one.code for one in rules.warnings}
        assert "de" in rules.model.words
        declared = [rules.model.file.header, *rules.model.file.options, *declarations(rules.model.file)]
        printed = {comment_above(node.span, PRINTED) for node in declared} - {""}
        assert printed and printed <= rules.model.words["de"].texts.keys(), "a rulebook prints them"


@pytest.mark.parametrize("name", [
    "backgammon", "battleship", "chess", "chinese_checkers", "connect_four", "draughts", "mastermind",
    "mensch_aergere_dich_nicht", "nine_mens_morris", "schnapsen", "skat", "yacht",
])  # fmt: skip
def test_what_german_players_know_best_is_german(name: str) -> None:
    rules = load_rules(Path(__file__).parents[2] / "games" / f"{name}.rules", examples=True)
    assert [one.helps for one in rules.warnings if one.code == "E0226"] == []
    assert len(rules.model.words["de"].names) > 4


class Recorded(Words):
    """Words that remember the names that they do not have."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.languages[:1], words.language)
        self.missing: set[str] = set()

    def _shown(self, word: str, values: Sequence[str], number: int) -> str | None:
        shown = super()._shown(word, values, number)
        self.missing |= {word} if shown is None else set()
        return shown


@pytest.mark.parametrize("name", ["chinesische_mauer", "china", "mauerbauer", "dschingis_khan"])
def test_the_summary_of_the_rules_is_all_german(name: str) -> None:
    """Names of types and definitions, too: `Haus auf [Hausfeld]`, not `Haus auf [space]`."""
    game = load(name, language="de")
    words = Recorded(game.words)
    local = {symbol.name for rule in game.rules.model.rules.values() for symbol in rule.parameters}
    assert rules_summary(game.rules.model, words).actions
    assert words.missing <= BUILT_IN.keys() | local | {"row"}, "`row` is no parameter, but a name in a loop"


CHOICES = """game "Choices" for 2 players ann, ben

== components ==

type Suit is hearts, spades
piece Card: 2 for each suit: Suit in row_of[ann]
zone row_of[p: Player] holds row of Card
zone bank holds Card

names:
    hearts      "heart"
    row_of[p]   "row of {p}"
    taken       "a card to take"
    taken(c)    "take the {c}"

== phases ==

phase main, turns from ann, over when row_of[ann] is empty:
    must choose taken from row_of[ann]
    move taken to bank
    must choose suit from Suit

== scoring ==

winner highest count row_of[me]
"""


def test_choices_have_display_names(tmp_path: Path) -> None:
    """With a parameter they say what is chosen; otherwise the log says `choose`. Numbered places have names, too."""
    path = tmp_path / "choices.rules"
    path.write_text(CHOICES, encoding="utf-8")
    for language, taken in ((None, "choose hearts (number 1 of row_of[ann])"),
                            ("own", "take the heart (number 1 of row of ann)")):  # fmt: skip
        state = load(path, language=language).start(seed=1)
        state.push("choose(nth(1, row_of[ann]))")
        state.push("choose(spades)")
        assert [entry.text for entry in state.log("ann")[-2:]] == [taken, "choose spades"]
        assert state.log("ben")[-1].text == "choose spades"


def test_choices_are_translated(tmp_path: Path) -> None:
    """A language that lacks the name of a choice is reported, and a name that no choice has."""
    path = tmp_path / "choices.rules"
    path.write_text(CHOICES, encoding="utf-8")
    (tmp_path / "languages").mkdir()
    translation = tmp_path / "languages" / "choices.de.rules"
    translation.write_text('names de of choices:\n    taken(c) "{c} nehmen"\n', encoding="utf-8")
    (missing,) = [found for found in load_rules(path, examples=True).warnings if found.code == "E0226"]
    assert "`suit`" in missing.helps[0] and "`taken`" not in missing.helps[0]
    translation.write_text('names de of choices:\n    token(c) "{c} nehmen"\n', encoding="utf-8")
    with pytest.raises(RulesError, match="nothing in this game is called `token`"):
        load(path, language="de")


@pytest.mark.parametrize(
    "game", [found.path for found in all_games() if found.origin == "shipped"], ids=lambda path: path.stem
)
def test_shipped_games_have_words_for_every_choice(game: Path) -> None:
    """Without them a question reads `choose city to join`, a name of the rules instead of something to choose."""
    model = load_rules(game).model
    choices = {node.name for node in model.file.walk() if isinstance(node, ast.Choose)}
    assert choices <= {word for word, parameters in model.words.get(None, DisplayWords()).names if not parameters}


UNNAMED = """game "Unnamed" for 2 players ann, ben

== components ==

board "board.json"
type Kind is night_watch, h6_2
type Place from board.places
zone set_aside holds Chip
piece Chip: 3 in set_aside
note marked: several Place = {}
note last_kind: Kind = night_watch

== phases ==

phase main, turns from ann, over when marked is Place:
    must mark

action mark(x: Place):
    "mark {x}"
    require x is not in marked because "{x} is marked"
    set marked to {x}

== scoring ==

winner highest 1
"""
BOARD = """{"format": 1, "name": "Unnamed", "places": [
  {"id": "p1_1", "name": "Pit"}, {"id": "p1_2", "name": "Pond"}, {"id": "p1_3"}
]}
"""


@pytest.fixture
def unnamed(tmp_path: Path) -> Path:
    (tmp_path / "unnamed.rules").write_text(UNNAMED, encoding="utf-8")
    (tmp_path / "board.json").write_text(BOARD, encoding="utf-8")
    return tmp_path / "unnamed.rules"


def test_a_change_of_a_set_says_what_is_new_and_what_is_gone(unnamed: Path) -> None:
    for language, changes in (
        (OWN, [("marked: + Pit",), ("marked: + Pond - Pit",)]),
        (None, [("marked: {} → {p1_1}",), ("marked: {p1_1} → {p1_2}",)]),
    ):
        state = load(unnamed, language=language).start(1)
        state.push("mark(p1_1)")
        state.push("mark(p1_2)")
        assert [entry.details for entry in state.log("ann") if entry.kind == "move"] == changes


def test_the_board_names_its_places_and_names_of_several_words_have_blanks(unnamed: Path) -> None:
    words = load(unnamed, language=OWN).words
    assert [words.name(name) for name in ("p1_1", "p1_2", "p1_3")] == ["Pit", "Pond", "p1_3"]
    assert [words.name("night_watch"), words.name("h6_2")] == ["night watch", "h6_2"]
    assert [words.place("set_aside", ()), words.place("set_aside", ("ann",))] == ["set aside", "set aside[ann]"]
    assert [PLAIN.name("night_watch"), PLAIN.place("set_aside", ())] == ["night_watch", "set_aside"]
    assert load(unnamed).words.name("p1_1") == "p1_1"


def test_an_edge_of_a_grid_is_named_by_its_ends(tmp_path: Path) -> None:
    path = tmp_path / "edges.rules"
    path.write_text(EDGES, encoding="utf-8")
    for language, name in ((OWN, "a1-b1"), (None, "a1_b1")):
        state = load(path, language=language).start(seed=1)
        state.push("fence(a1_b1)")
        assert state.log("ann")[-1].text == f"fence {name}"
        assert state.log("ann")[-1].details[0].endswith(f": pot → {'fences' if language else 'wall'}[{name}]")


EDGES = """game "Edges" for 2 players ann, ben

== components ==

type Cell from grid(2, 2)
type Side from beside(Cell)
piece Fence: 4 in pot
zone pot holds Fence
zone wall[s: Side] holds one Fence

names:
    wall "fences"

== phases ==

phase main, turns from ann, over when pot is empty:
    must fence

action fence(s: Side):
    "fence {s}"
    require wall[s] is empty because "{s} is fenced"
    move 1 from pot to wall[s]

== scoring ==

winner highest 1
"""


LINES = """game "Lines" for 2 players ann, ben

== components ==

board "board.json"
type Place from board.places
type Kind with cost: 1..3:
    small   1
    large   3
type Line from board.lines with left: Place, kind: Kind
note last_line: Line or none = none

names:
    large               "big"
    l3                  "the bridge"
    Kind(cost)          "{cost}-point"
    Line(left, kind)    "{kind} line at {left}"

== phases ==

phase main, turns from ann, over when last_line is l3:
    must draw

action draw(l: Line):
    "draw {l}, {l.kind}"
    set last_line to l

== scoring ==

winner highest 1
"""
LINES_BOARD = """{"format": 1, "name": "Lines", "places": [{"id": "p1", "name": "Pit"}, {"id": "p2"}], "lines": [
  {"id": "l1", "left": "p1", "kind": "small"}, {"id": "l2", "left": "p2", "kind": "large"},
  {"id": "l3", "left": "p1", "kind": "small"}]}
"""


def test_values_are_named_by_their_attributes(tmp_path: Path) -> None:
    """Attributes have the names that the rules or the board give them; a name of one value comes first."""
    path = tmp_path / "lines.rules"
    path.write_text(LINES, encoding="utf-8")
    (tmp_path / "board.json").write_text(LINES_BOARD, encoding="utf-8")
    state = load(path, language=OWN).start(seed=1)
    labels = [move.label for move in state.legal_moves]
    assert labels == ["draw 1-point line at Pit, 1-point", "draw big line at p2, big", "draw the bridge, 1-point"]
    path.write_text(LINES.replace("Line(left, kind)    ", "Line(left, colour)  "), encoding="utf-8")
    with pytest.raises(RulesError, match="`Line` has no attribute `colour`"):
        load(path)
