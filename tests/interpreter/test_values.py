"""Values with arguments, values of one of several types, and dice that mix them: in words, in `why`, in faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import OptionError, PlayError
from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.seat.explain.query import evaluate_query

ORDERS = Path(__file__).parents[1] / "games" / "small" / "orders.rules"
HEAD = """game "Values" for 2 players ann, ben

== components ==

type Shade is white, grey, black
type Side is left_side, right_side
type Kind is plain, steps(-1..2), of_shade(Shade), both(Shade, 1..2), sure(Truth), inner(Side)
type Land is sea, hill(1..2)
piece Card: 1 for each kind: Kind or Land in pile
piece Peg: 1 for each shade: Shade in pegs
zone pile holds Card
zone pegs holds Peg
zone hand[p: Player] holds Card
zone at[k: Kind] holds one Card
note count_of[k: Kind]: 0..99 = 0
note mark: Shade = white
note either: Kind or Land or none = none
note kinds: several Kind = {}
die face[n: 1..2]: white, black, wild, joker
"""
PLAY = """
== phases ==

phase main, turns from ann, over when count_of[plain] is 9:
    must act or show

action act(kind: Kind or Land):
    "act {kind}"
    set either to kind
action show(n: 1..2):
    set mark to face[n]

== scoring ==

winner highest 1
"""


def game(tmp_path: Path, text: str, name: str = "values") -> Path:
    path = tmp_path / f"{name}.rules"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def examples(tmp_path: Path, definitions: str, *lines: str) -> list[str]:
    """What fails of one example with these lines."""
    told = "\n".join(f"    {line}" for line in lines)
    path = game(tmp_path, PLAY + definitions + f'\n== examples ==\n\nexample "one":\n{told}\n')
    return [failure for result in run_examples(path) for failure in result.failures]


def test_taking_apart(tmp_path: Path) -> None:
    definitions = """
define told(kind: Kind or Land):
    n                                       if kind is steps(n) and n > 0
    10 + n                                  if kind is steps(n)
    20 + n                                  if kind is both(mark, n)
    (30 + n if s is black else 40 + n)      if kind is both(s, n)
    (50 if yes else 51)                     if kind is sure(yes)
    60 + height(kind)                       if kind is in Land
    (70 if s is left_side else 71)          if kind is inner(s)
    80                                      if kind is of_shade(mark)
    81                                      if kind is of_shade(s)
    0                                       otherwise
define height(kind: Land):
    m       if kind is hill(m)
    0       otherwise
define same(a: Kind, b: Kind):
    true    if a is of_shade(s) and b is of_shade(s)
    true    if a is both(s, m) and b is both(s, n) and n >= m
    false   otherwise
define stepping: {c.kind for c in pile where c is steps(2)}
define next_step(n: -9..9): count c in pile where c.kind is steps(n)
"""
    assert (
        examples(
            tmp_path,
            definitions,
            "then told(steps(2)) is 2",
            "and told(steps(-1)) is 9",
            "and told(both(white, 2)) is 22",
            "and told(both(black, 1)) is 31",
            "and told(both(grey, 1)) is 41",
            "and told(sure(true)) is 50",
            "and told(sure(false)) is 51",
            "and told(sea) is 60",
            "and told(hill(2)) is 62",
            "and told(inner(right_side)) is 71",
            "and told(of_shade(white)) is 80",
            "and told(of_shade(grey)) is 81",
            "and told(plain) is 0",
            "and same(of_shade(grey), of_shade(grey))",
            "and not same(of_shade(grey), of_shade(black))",
            "and same(both(grey, 1), both(grey, 2))",
            "and not same(both(grey, 2), both(grey, 1))",
            "and not same(plain, sure(true))",
            "and count stepping is 1",
            "and next_step(2) is 1",
            "and next_step(7) is 0",
            "and next_step(-3) is 0",
            "and count Kind is 18",
            "and steps(-1) is in Kind",
        )
        == []
    )


def test_places_notes_and_sets_of_values(tmp_path: Path) -> None:
    assert (
        examples(
            tmp_path,
            "",
            "given at[steps(2)] is sea",
            "and at[both(grey, 1)] is steps(0)",
            "and hand[ann] is [plain, both(black, 2), hill(2)]",
            "and count_of[sure(false)] is 3",
            "and kinds is {steps(1), inner(left_side)}",
            "and either is hill(1)",
            "then at is {steps(2), both(grey, 1)}",
            "and at[steps(2)].kind is sea",
            "and at[plain] is empty",
            "and count hand[ann] of hill(2) is 1",
            "and hand[ann] of plain is [plain]",
            "and hand[ann] is [hill(2), plain, both(black, 2)]",
            "and some c in hand[ann] where c is both(black, 2)",
            "and count_of[sure(false)] is 3",
            "and count_of[sure(true)] is 0",
            "and inner(left_side) is in kinds",
            "and kinds + {plain} is {plain, inner(left_side), steps(1)}",
            "and either is hill(1)",
        )
        == []
    )


def test_values_in_words(tmp_path: Path) -> None:
    path = game(tmp_path, PLAY)
    state = load(path).start()
    notations = [move.notation for move in state.legal_moves]
    assert notations[:6] == ["act(plain)", "act(steps(-1))", "act(steps(0))", "act(steps(1))", "act(steps(2))",
                             "act(of_shade(white))"]  # fmt: skip
    assert "act(both(black, 2))" in notations
    assert notations[-1] == "show(2)"
    state.push("act( both(black,2) )")
    assert state.history[-1].label == "act both(black, 2)"
    assert state.view(None).notes["either"] == "both(black, 2)"
    assert state.log("ben")[-1].details == ("either: none → both(black, 2)",)
    assert state.why("act", kind="hill(2)").legal
    assert state.why("act(hill(2))").legal
    assert not state.why("act(hill(3))").legal
    state.push("act(hill(2))")
    assert state.view("ann").notes["either"] == "hill(2)"
    names = {piece.name for piece in state.view(None).zones["pile"].pieces}
    assert {"plain", "steps(-1)", "both(grey, 1)", "hill(1)", "sea"} <= names
    saved = path.with_suffix(".save")
    write_save(saved, state, SaveMeta({}), durable=False)
    again = resume(read_save(saved))
    assert again.key() == state.key()


def test_a_face_of_the_die_only_is_no_shade(tmp_path: Path) -> None:
    text = PLAY.replace("    must act or show\n", "    roll face[1]\n    must act or show\n")
    path = game(tmp_path, text)
    shades: set[str] = set()
    for seed in range(20):
        state = load(path).start(seed=seed)
        shown = state.view(None).notes["face[1]"]
        shades.add(shown)
        if shown in ("wild", "joker"):
            before = state.key()
            with pytest.raises(PlayError, match=f"`{shown}` is not a value of the type required") as caught:
                state.push("show(1)")
            assert caught.value.location.endswith(":31:17")
            assert state.key() == before
        else:
            state.push("show(1)")
            assert state.view(None).notes["mark"] == shown
    assert shades == {"white", "black", "wild", "joker"}


def test_a_die_of_several_types(tmp_path: Path) -> None:
    definitions = """
die mixed: left_side, white, hill_top
define pegs_shown: count pegs of face[1]
define means(n: 1..2):
    1                   if face[n] is wild
    2                   if face[n] is in Shade and shade_of(face[n]) is black
    3                   otherwise
define shade_of(s: Shade): s
"""
    definitions = definitions.replace("die mixed", "define unused_words: 1\ndie mixed")
    parts = definitions.split("die mixed: left_side, white, hill_top\n")
    path = game(
        tmp_path,
        "die mixed: left_side, white, hill_top\n"
        + PLAY.replace("    must act", "    roll face[1], mixed\n    must act")
        + "".join(parts)
        + '\n== examples ==\n\nexample "one":\n'
        "    given face[1] is joker\n    and mixed is hill_top\n    when phase main\n"
        "    then pegs_shown is 0\n    and means(1) is 3\n    and mixed is hill_top\n    and mixed is not white\n"
        '\nexample "two":\n'
        "    given face[1] is black\n    and mixed is left_side\n    when phase main\n"
        "    then pegs_shown is 1\n    and means(1) is 2\n    and mixed is left_side\n",
    )
    assert [failure for result in run_examples(path) for failure in result.failures] == []


def test_options_with_arguments() -> None:
    assert load(ORDERS).options["bonus"] == "plus(1)"
    assert load(ORDERS, options={"bonus": "pair(white,grey)"}).options["bonus"] == "pair(white, grey)"
    with pytest.raises(OptionError, match=r"not `pair\(white\)`"):
        load(ORDERS, options={"bonus": "pair(white)"})


def test_names_bound_by_an_if_survive_a_decision(tmp_path: Path) -> None:
    text = PLAY.replace(
        "    set either to kind\n",
        "    set either to kind\n    if either is both(s, n):\n        must choose c from pegs\n"
        "        set either to none\n        set mark to s\n        add n to count_of[steps(n)]\n",
    )
    state = load(game(tmp_path, text)).start()
    state.push("act(both(black, 2))")
    state.push(state.legal_moves[0])
    notes = state.view(None).notes
    assert (notes["mark"], notes["count_of[steps(2)]"], notes["either"]) == ("black", 2, None)


def test_an_attribute_of_one_of_several_types(tmp_path: Path) -> None:
    path = tmp_path / "columns.rules"
    path.write_text(
        """game "Columns" for 2 players ann, ben

== components ==

type Beast with legs: 0..4, wings: 0..2:
    dog    4  0
    duck   2  2
type Tree with height: 1..9, legs: 0..4:
    oak    9  0
    birch  7  0
piece Card: 1 for each what: Tree or Beast in pile
zone pile holds Card
die growth: oak, dog, stone

== phases ==

phase main, turns from ann, over when true:
    end game

== scoring ==

define legs: sum c.what.legs for c in pile
define high: count c in pile where c.what.height is not none and c.what.height > 8
define last_height: (the c in pile where c is birch).what.height
winner highest legs

== examples ==

example "columns":
    given growth is dog
    then legs is 6
    and high is 1
    and last_height is 7
    and growth.wings is none
""",
        encoding="utf-8",
    )
    assert [failure for result in run_examples(path) for failure in result.failures] == []


def test_literal_values_are_not_explained_again(tmp_path: Path) -> None:
    more = """
define low: -3
define hue: (grey if mark is white else black)
define total: count_of[plain] - 3 + -2
"""
    state = load(game(tmp_path, PLAY + more)).start(1)
    lines = {
        text: list(evaluate_query(state.program, state.cells, text, None).lines())
        for text in ("-3", "low", "hue", "total", "(-3 if mark is white else 4)")
    }
    assert lines == {
        "-3": ["-3 = -3"],
        "low": ["low = -3"],
        "hue": ["hue = grey", "  (grey if mark is white else black) = grey  (if mark is white)"],
        "total": ["total = -5", "  count_of[plain] - 3 = -3", "    count_of[plain] = 0"],
        "(-3 if mark is white else 4)": ["(-3 if mark is white else 4) = -3  (if mark is white)"],
    }
