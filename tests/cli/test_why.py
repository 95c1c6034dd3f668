"""`why`: of moves, values and places, at any decision of a save and at the prompt."""

import io
import random
import re
from pathlib import Path

import pytest
from rich.console import Console

from cli.render.reasons import reasons
from dsl.text.folders import shipped_folder
from interpreter.play.game import load
from interpreter.seat.explain.moves import why_move
from interpreter.seat.notation.reading import Vocabulary
from tests.cli.conftest import PEBBLES, quiet_seed, valid
from tests.support.library import representative
from tests.support.long_run import one_in

SHIPPED = representative()


def test_a_legal_move(run, running):
    brief = run("why", running, "grab").output
    assert brief.startswith(" `grab` is legal") and "--more shows the rest" in brief and "pebbles.rules" not in brief
    result = run("why", running, "grab", "--more")
    assert result.exit_code == 0
    assert "`grab` is legal" in result.output
    assert "the rule asks: must grab or show or build or throw" in result.output
    assert "bag is not empty" in result.output and "pebbles.rules:" in result.output and "[P-1]" in result.output
    assert run("why", running, "1").output == brief


def test_a_move_that_is_not_legal(run, running):
    document = valid("why", run("why", running, "show(gem)", "--format", "json").output)
    assert document["legal"] is False
    assert "you hold no gem" in document["headline"]
    failing = [reason for reason in document["reasons"] if not reason["holds"]]
    assert [reason["text"] for reason in failing] == ["you hold no gem"]
    assert failing[0]["values"] == [{"name": "hand[me] of kind", "value": "nothing"}]
    assert failing[0]["cites"] == ["P-2"]
    assert document["nearest"] and document["nearest"][0]["move"].startswith("show(")


def test_a_value(run, save):
    document = valid("why", run("why", save, "points(red)", "--format", "json").output)
    assert document["legal"] is None
    tree = document["explained"]
    assert tree["text"] == "points(red)"
    assert sum(int(part["value"]) for part in tree["parts"]) == int(tree["value"])
    text = run("why", save, "points(red)").output
    assert f"points(red) is {tree['value']}" in text


def test_a_place(run, running):
    document = valid("why", run("why", running, "field", "--at", 1, "--format", "json").output)
    assert document["headline"] == "field is red"
    assert [origin["decision"] for origin in document["origins"]] == ["red: build a hut"]
    assert document["origins"][0]["change"] == "red: store[red] → field"
    assert "move 1 from store[me] to field" in document["origins"][0]["rule"]
    assert "1 red: build a hut" in run("why", running, "field").output


def test_at_another_decision(run, running):
    assert "field is nothing" in run("why", running, "field", "--at", 0).output
    result = run("why", running, "field", "--at", 99)
    assert result.exit_code == 2
    assert "--at must be at most" in result.output


def test_what_is_hidden_stays_hidden(run, running):
    document = valid("why", run("why", running, "hand[green]", "--format", "json").output)
    assert document["headline"] == "hand[green] is hidden"
    assert document["explained"] is None
    taken = [origin["change"] for origin in document["origins"] if "→ hand[green]" in origin["change"]]
    assert taken and all("pebble" in change for change in taken)
    assert run("why", running, "count hand[green]").output.startswith(" count hand[green] is 3")
    opened = run("why", running, "hand[green]", "--all").output
    assert "hidden" not in opened


def test_in_another_language(run, own_folder):
    """A move is shown in its words and may be asked about in them; values stay those of the rules."""
    assert run("play", "china", "--seed", 3, "--save", "a.json", typed=["1", "quit"]).exit_code == 0
    assert "`take_open(green)` is legal: take green from the display" in run("why", "a.json", 1).output
    german = run("why", "a.json", 1, "--language", "de").output
    assert "`take_open(green)` ist erlaubt: Grün aus der Auslage nehmen" in german
    assert run("why", "a.json", "Grün aus der Auslage nehmen", "--language", "de").output == german
    unknown = run("why", "a.json", 1, "--language", "xx")
    assert unknown.exit_code != 0 and "has no words in `xx`" in " ".join(unknown.output.split())


def test_of_somebody_elses_decision(run, running):
    asked = run("why", running, "grab", "--at", 1)
    assert asked.exit_code == 2
    assert "it is green's decision" in asked.output


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("hand[green", "query:1:"),
        ("hand[blue] + 1", "error[E"),
        ("dance", "there is no move `dance`"),
        ("99", "the legal moves are numbered 1 to"),
    ],
)
def test_questions_that_make_no_sense(run, running, question, said):
    result = run("why", running, question)
    assert said in result.output
    assert "Traceback" not in result.output


def test_at_the_prompt(run):
    typed = ["why field", "build", "why field", "why hand[green]", "why points(red)", "why hand[", "quit"]
    result = run("play", PEBBLES, "--seed", quiet_seed(2), typed=typed)
    assert "field is nothing" in result.output
    assert "red: build a hut: red: store[red] → field" in " ".join(result.output.split())
    assert "hand[green] is hidden" in result.output
    assert "query:1:" in result.output
    assert result.exit_code == 0


def asked(run, game: str, *questions: str, seed: int = 3) -> str:
    """The answers at the first decision of a game, in single blanks."""
    typed = [*(f"why {question}" for question in questions), "quit"]
    shown = run("play", game, "--seed", seed, typed=typed).output
    return " ".join(shown[shown.index("> why") :].split())


def test_words_of_a_label_name_a_move(run):
    assert "`house on wei1` is legal in 2 ways" in asked(run, "china", "house on wei1")
    assert "legal moves: house on wei1 for 1 red; house on wei1 for 2 yellow" in asked(run, "china", "house on wei1")
    more = asked(run, "china", "house on wei1 more")
    assert "legal moves: build(wei, wei1, red), build(wei, wei1, yellow)" in more
    assert "`build(wei, wei1, red)` is legal" in asked(run, "china", "house on wei1 for 1 red")
    assert "`exchange(red)` is legal" in asked(run, "china", "discard red")
    assert "`exchange(red)` is legal" in asked(run, "china", "exchange red")
    assert "`settle b4` is legal in 8 ways" in asked(run, "dschingis_khan", "settle b4")
    assert "`send(yan, yellow)` is not legal" in asked(run, "china", "send yan yellow")


def test_words_of_a_label_name_a_move_that_is_not_legal(run):
    assert "`build(wei, wei1, violet)` is not legal: one red card" in asked(run, "china", "house on wei1 violet")
    assert "`send(yan, yellow)` is not legal: Yan admits only 0" in asked(run, "china", "emissary to yan")
    assert "`ride(D)` is not legal: you hold no rider" in asked(run, "chinesische_mauer", "ride at D", seed=2)
    assert "`go(a1, northeast)` is not legal: there is no empty place" in asked(run, "checkers", "a1 to b2")


def test_words_of_no_label(run):
    assert "there is no move `a3 to b5`; the actions are jump, go" in asked(run, "checkers", "a3 to b5")


def test_an_argument_that_does_not_fit_shows_what_the_action_takes(run):
    shown = asked(run, "china", "build(wei, wei1, black)")
    more = asked(run, "china", "build(wei, wei1, black) more")
    assert "`black` is not a value for `paid` of `build` here build(p: Province, x in p.spaces, paid: Colour)" in more
    assert "p.spaces" not in shown
    assert "paid: a `Colour`, such as red, green, orange, yellow, violet" in shown
    assert "x: a `Space`, such as yan1, yan2, yan3, yan4, yan5, yan6, …" in asked(run, "china", "build(wei)")


def test_a_number_outside_its_range_says_so(run, own_folder):
    """Where a requirement fails as well, it is the better reason; where none does, the range is all there is to say."""
    rules = (shipped_folder() / "nim.rules").read_text("utf-8").replace("n: 1..7", "n: 1..3")
    Path("few.rules").write_text(rules, encoding="utf-8")
    assert "`5` is not a value for `n` of `take` here n: a number in 1..3" in asked(run, "few.rules", "take(4, 5)")
    assert "pile 1 has only 1" in asked(run, "few.rules", "take(1, 5)")


def test_a_count_inside_a_search_has_no_value_of_its_own(run, own_folder):
    rules = (shipped_folder() / "nim.rules").read_text("utf-8")
    rules = rules.replace("require n <= count pile[x] ", "require no y in Pile where count pile[y] > n ")
    Path("searched.rules").write_text(rules, encoding="utf-8")
    shown = asked(run, "searched.rules", "take(1, 1)", "take(1, 1) more", "take(4, 7)")
    assert "`take(1, 1)` is not legal: pile 1 has only 1" in shown and "`take(4, 7)` is legal" in shown


def test_the_case_that_gave_a_value_is_named(run):
    assert "price(yellow, yan) is 2 (otherwise)" in asked(run, "china", "price(yellow, yan)")
    assert "price(green, yan) is 1 (if green is colour of Yan)" in asked(run, "china", "price(green, yan)")


def test_you_is_said_to_nobody_else(run, running):
    assert "you hold no gem" in run("why", running, "show(gem)").output
    other = run("why", running, "show(gem)", "--all").output
    assert "you" not in other
    assert "holds no gem" in other


def test_a_piece_that_is_not_in_hand(run):
    """It is said where it is if the seat may know that; nothing is said that would tell unseen pieces apart."""
    shown = asked(run, "hearts", "play(spades queen)", "play(ace hearts)", "play(eleven hearts)", seed=1)
    unseen = "is not in hand of north, and you do not see where it is"
    assert f"`play(spades queen)` is not legal: queen of spades {unseen}" in shown
    assert f"`play(ace hearts)` is not legal: ace of hearts {unseen}" in shown
    assert "`eleven hearts` is not a value for `c` of `play` here" in shown
    laid = run("play", "hearts", "--seed", 1, typed=["1", "why play(two clubs)", "quit"]).output
    lies = " ".join(laid[laid.index("> why") :].split())
    assert "is not legal: two of clubs is not in hand of north; it is in tricks of north" in lies


def test_who_leads_a_trick_is_told_to_all(run):
    """Everybody at the table saw who took the last trick; a requirement that asks it has its value."""
    shown = asked(run, "hearts", "1 more", seed=1)
    assert "leads = " in shown
    assert "hidden" not in shown


def test_a_value_that_is_not_offered(run):
    typed = ["wall on A1A2", "1", "why settle_one(f09, red)", "why settle_one(f09, red) more", "quit"]
    output = " ".join(run("play", "mauerbauer", "--seed", 1, typed=typed).output.split())
    assert "`settle_one(f09, red)` is not legal: f09 cannot be chosen here, only f02" in output
    assert "line.fields" not in output.split("more`")[0]


def test_long_lists_are_shortened(run):
    """A list of more than six is cut, and the whole of it is one word further; counts list what they count."""
    text = "why {l in Line where l.west}\nwhy count (Space - house)\nwhy count (Space - house) more\nquit"
    shown = run("play", "china", "--seed", 3, typed=text.splitlines()[1:]).output
    brief, further = shown.split("> why count (Space - house) more")
    number = int(re.search(r"count \(Space - house\) is (\d+)", brief)[1])
    assert f" and {number - 6} more" in " ".join(brief.split())
    assert "`why count (Space - house) more` shows the rest" in " ".join(brief.split())
    listed = " ".join(further.split()).partition("(Space - house) = ")[2].partition(" green>")[0]
    assert len(listed.split(", ")) == number


@pytest.mark.parametrize(("language", "words"), [((), "2 red walls"), (("--language", "de"), "2 Mauern (Rot)")])
def test_what_is_counted_has_its_display_name(run, language, words):
    typed = ["3", "why count hand[me]", "why count hand[me] more", "quit"]
    output = run("play", "chinesische_mauer", *language, "--seed", 1, typed=typed).output
    _, brief, further = output.split("> why count hand[me]")
    assert words in brief and "hand[me] = 2 red wall, " in further


RAW = re.compile(r"\w\(|\w\[|[{}]|\w_\w|[<>=]|\bme\b")


@pytest.mark.parametrize("name", one_in(2, SHIPPED, 1))
def test_answers_about_moves_are_in_words(name, long_run):
    """In brief, an answer has the words of the rules' reasons and labels, and no condition as it is written there."""
    state, chosen = load(name).start(seed=2), random.Random(2)
    for _ in range(25 if long_run else 9):
        if state.over:
            break
        legal = state.legal_moves
        words = [*sorted(Vocabulary.of(state.program).values), "1"]
        for move in chosen.sample(legal, min(3, len(legal))):
            asked_about = [move.notation]
            for argument in re.findall(r"(?<=[(, ])\w+(?=[,)])", move.notation):
                asked_about.append(move.notation.replace(argument, chosen.choice(words)))
            for text in asked_about:
                answer = why_move(state.program, state.cells, text, {})
                if answer.signature:  # what the action takes, in its notation
                    continue
                for reason in answer.reasons:
                    if not reason.holds and not reason.text.startswith("the rule asks"):
                        assert not RAW.search(reason.text), (text, reason.text)
                console = Console(width=200, file=io.StringIO())
                console.print(*reasons(answer, further="more"), sep="\n")
                shown = console.file.getvalue().replace(text, "").replace(move.notation, "")
                assert "the rule asks" not in shown and f"{name}.rules" not in shown, shown
        state.push(chosen.choice(legal))
