"""Pieces, tables and moves as text. The data is made up; no game is played."""

import io
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from cli.render.ending import score_table, standings
from cli.render.log import story
from cli.render.moves import ask, numbered
from cli.render.palette import letters, palette
from cli.render.pieces import Flow, Hanging, entries, piece_text
from cli.render.tables import draw_tables, legend
from dsl.model import DisplayName, DisplayWords
from interpreter.play.game import load
from interpreter.play.story import RenderedEntry, news
from interpreter.seat.views.model import HIDDEN, EachCell, EachEntry, PiecesCell, PieceView, TableView, ValueCell, View
from interpreter.seat.views.piece_words import label
from interpreter.wording.words import Words

LOOK = palette(["red", "green", "blue", "brown"])


def piece(name, owner=None, *, hidden=False, type_="Card", **attached):
    attributes = {"kind": HIDDEN if hidden else name, **({"owner": owner} if owner else {})}
    words = f"{owner} {name}" if owner else name
    lying = {zone: tuple(pieces) for zone, pieces in attached.items()}
    return PieceView(type_, words, attributes, owner, hidden, lying, {})


def cell(order, *pieces):
    return PiecesCell(pieces, order)


def text(words):
    return ValueCell(words, words)


def each(*entries):
    return EachCell(tuple(EachEntry(item, ValueCell(note, str(note))) for item, note in entries))


def drawn(*parts, width=80, **flags):
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False, markup=False, emoji=False, **flags)
    for part in parts:
        console.print(part)
    return file.getvalue()


def plain(found):
    return [one.plain for one in found]


def told(line: RenderedEntry) -> list[str]:
    return news(line, LOOK.letters, LOOK.words)


def test_letters_are_the_shortest_that_tell_apart():
    assert letters(["red", "green", "blue", "yellow", "brown"]) == {
        "red": "r",
        "green": "g",
        "blue": "bl",
        "yellow": "y",
        "brown": "br",
    }


def test_seats_that_hardly_differ_are_numbered():
    assert letters(["player_one", "player_two"]) == {"player_one": "1", "player_two": "2"}


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=6, unique=True))
def test_letters_never_mean_two_seats(seats):
    short = letters(seats)
    assert set(short) == set(seats)
    assert len(set(short.values())) == len(seats)


def test_a_seat_called_like_a_colour_has_it_and_others_get_what_is_left():
    look = palette(["cyan", "first", "second"])
    assert look.style("cyan") == "cyan"
    assert len({look.style(seat) for seat in ("cyan", "first", "second")}) == 3
    assert look.style("nobody") == ""


def test_a_piece_shows_owner_what_lies_on_it_and_what_lies_with_it():
    token = piece("4", type_="Token")
    assert piece_text(piece("gate", "red", on=[token]), LOOK).plain == "r:gate[4]"
    below = piece("chief", "red")
    assert piece_text(piece("snake", "blue", under=[below]), LOOK).plain == "bl:snake/r:chief"
    assert piece_text(piece("snake", "blue", on=[token], under=[below]), LOOK).plain == "bl:snake[4]/r:chief"


def test_a_piece_that_is_only_somebodys_is_called_by_its_sort():
    hut = PieceView("Hut", "red", {"owner": "red"}, "red", False, {}, {})
    assert piece_text(hut, LOOK).plain == "r:hut"


def test_a_back_shows_only_its_owner():
    assert piece_text(piece("card", "red", hidden=True), LOOK).plain == "r:?"


def test_pieces_without_order_are_counted_together():
    heap = cell("heap", piece("wall", "red"), piece("gate", "red"), piece("wall", "red"), piece("x", hidden=True))
    assert plain(entries(heap, LOOK)) == ["2 r:wall", "r:gate", "1 hidden"]


def test_a_heap_of_ones_own_pieces_needs_no_letters():
    heap = cell("heap", piece("wall", "red"), piece("wall", "red"))
    assert plain(entries(heap, LOOK, "red")) == ["2 wall"]
    assert plain(entries(heap, LOOK, "green")) == ["2 r:wall"]


def test_numbers_are_not_counted_together():
    heap = cell("heap", piece("4", type_="Token"), piece("4", type_="Token"), piece("7", type_="Token"))
    assert drawn(Flow(entries(heap, LOOK))).strip() == "4 4 7"


def test_a_row_keeps_its_order_and_a_stack_of_backs_is_counted():
    row = [piece("wall", "red"), piece("gate", "green"), piece("wall", "red")]
    assert plain(entries(cell("row", *row), LOOK)) == ["r:wall", "g:gate", "r:wall"]
    assert plain(entries(cell("stack", *[piece("x", hidden=True)] * 15), LOOK)) == ["15 hidden"]
    assert plain(entries(cell("stack", *row), LOOK)) == ["r:wall", "g:gate", "r:wall"]


def test_whose_backs_lie_in_a_stack_is_shown_from_the_top():
    red, green = piece("x", "red", hidden=True), piece("x", "green", hidden=True)
    mixed = [red, red, green, piece("wall", "red"), red]
    assert plain(entries(cell("stack", *mixed), LOOK)) == ["2 r:?", "g:?", "r:wall", "r:?"]


def test_the_value_of_each_entry_follows_it():
    counted = each((cell("one", piece("gate", "red")), 2), (text("red"), -3))
    assert plain(entries(counted, LOOK)) == ["r:gate 2", "red -3"]


def test_an_empty_cell_is_a_dash():
    assert drawn(Flow(entries(cell("row"), LOOK))).strip() == "-"


@given(st.lists(st.text("abc ", min_size=1, max_size=30), max_size=20), st.integers(5, 60))
def test_a_flow_fits_its_width_and_loses_nothing(words, width):
    lines = Flow([Text(word) for word in words]).lines(width)
    assert all(line.cell_len <= width for line in lines)
    kept = "".join("".join(line.plain.split()) for line in lines).replace(",", "")
    assert kept == ("".join("".join(word.split()) for word in words) or ("" if words else "-"))


def test_a_flow_breaks_only_between_its_texts():
    lines = Flow([Text("r:gate 2"), Text("g:wall 1"), Text("b:tower 3")]).lines(19)
    assert plain(lines) == ["r:gate 2, g:wall 1,", "b:tower 3"]


def test_hanging_lines_stand_below_their_beginning():
    assert drawn(Hanging(Text("red  "), Text("one two three four")), width=16).splitlines() == [
        "red  one two",
        "     three four",
    ]


def view(rows, viewer="red"):
    tables = (
        TableView("Row", ("Place", "Cards"), tuple(rows)),
        TableView("You", ("Hand",), ((cell("heap", piece("wall", "red"), piece("wall", "red")),),)),
        TableView("Nothing", ("A",), ()),
    )
    return View("T", ("red", "green"), viewer, None, None, {}, False, None, {}, {}, tables, None, None)


def fifteen(name):
    return each(*[(cell("one", piece(name, seat)), 3) for seat in ("red", "green") * 8][:15])


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("colours", [None, "truecolor"])
def test_tables_fit_and_show_all_fifteen_cards(width, colours):
    rows = [[text("A"), fifteen("watchtower")], [text("B"), fifteen("wall")]]
    shown = drawn(draw_tables(view(rows), LOOK, width), width=width, color_system=colours, force_terminal=bool(colours))
    bare = Text.from_ansi(shown).plain
    assert max(len(line.rstrip()) for line in bare.splitlines()) <= width
    assert bare.count("watchtower 3") == 15
    assert bare.count("wall 3") == 15
    assert "You: Hand: 2 wall" in bare
    assert "Nothing" not in bare
    assert ("\x1b" in shown) == bool(colours)


def test_a_small_table_stays_a_grid_on_a_narrow_screen():
    rows = [[text("A"), text("1")], [text("B"), text("2")]]
    assert "  Place  Cards" in drawn(draw_tables(view(rows), LOOK, 40), width=40)


def test_the_legend_names_every_seat():
    assert legend(["red", "blue", "brown"], LOOK).plain == "r red  bl blue  br brown"


def move(name, label):
    return SimpleNamespace(name=name, label=label, notation=label)


def test_moves_are_numbered_through_and_grouped():
    moves = [move("lay", f"lay {n}") for n in range(1, 11)] + [move("cover_it", "cover"), move("done", "done")]
    shown = drawn(*numbered(moves, 80))
    assert shown.splitlines()[0] == "  lay"
    assert "  cover it" in shown
    assert " 1 lay 1 " in shown and "10 lay 10" in shown and "12 go on" in shown
    assert "  done" not in shown


@given(st.lists(st.text("ab ", min_size=1, max_size=50), min_size=1, max_size=40), st.integers(40, 120))
def test_every_move_has_its_number_on_the_screen(labels, width):
    shown = drawn(*numbered([move("lay", label) for label in labels], width), width=width)
    for number in range(1, len(labels) + 1):
        assert f"{number}" in shown


def question(duty, *names, so_far=""):
    return SimpleNamespace(player="red", duty=duty, names=names, so_far=so_far)


def test_the_question_says_what_must_and_what_may_be():
    moves = [move("lay", "lay"), move("cover_it", "cover"), move("draw", "draw")]
    asked = question("must", "lay", "cover_it", "draw", "ride")
    assert ask(asked, moves, LOOK).plain == " red, you must lay, cover it or draw:"
    assert ask(question("may", "choose x"), moves, LOOK).plain == " red, you may choose x, or go on:"


def test_the_question_says_how_many_of_several_have_been_chosen():
    first = question("must", "choose cards", so_far="0 of 2")
    assert ask(first, [move("choose", "A")], LOOK).plain == " red, you must choose cards (0 of 2 so far):"
    second = question("may", "choose cards", so_far="1 of 2")
    assert ask(second, [move("choose", "A")], LOOK).plain == " red, you may choose cards (1 of 2 so far):"
    third = question("must", "choose cards", so_far="1 of up to 3")
    told = ask(third, [move("choose", "A"), move("done", "done")], LOOK).plain
    assert told == " red, you must choose cards (1 so far, up to 3 in all), or go on:"
    revised = ask(second, [move("choose", "A")], LOOK, back=True).plain
    assert revised == " red, you may choose cards (1 of 2 so far; `back` takes one back):"


def test_the_story_keeps_seats_in_a_column():
    lines = [
        RenderedEntry(0, "red", "lays"),
        RenderedEntry(1, "green", "draws", ("green card: pile to hand",)),
        RenderedEntry(2, None, "last"),
    ]
    assert drawn(*story(lines, LOOK, every=True)).splitlines() == [
        "  red    lays",
        "  green  draws",
        "           green card: pile to hand",
        "  last",
    ]


def test_the_story_tells_only_changes_that_are_news():
    changes = ("red wall: hand[red] → row[A]", "phase last round")
    assert told(RenderedEntry(1, "red", "lay 2 wall at A", changes)) == ["phase last round"]
    assert told(RenderedEntry(1, "red", "draw a card", ("red gate: pile → hand",))) == ["red gate: pile → hand"]
    assert told(RenderedEntry(1, "green", "draw a card", ("green card: pile → hand",))) == []
    assert told(RenderedEntry(1, "green", "choose B", ("4: display[B] → won",))) == ["4: display[B] → won"]
    assert told(RenderedEntry(0, None, "set up", ("pile is shuffled",), "chance")) == []


def outcome(scores, places, criteria=("highest points(me)",)):
    conditions = tuple(at for at, criterion in enumerate(criteria) if not criterion.startswith(("highest ", "lowest ")))
    program = SimpleNamespace(conditions=conditions)
    return SimpleNamespace(
        scores=scores, places=places, teams={}, winners=("green",), criteria=criteria, program=program
    )  # fmt: skip


def test_standings_share_places():
    three = outcome({"red": (3,), "green": (5,), "blue": (3,)}, {"green": 1, "red": 2, "blue": 2})
    assert standings(three) == [(1, "green", (5,)), (2, "red", (3,)), (2, "blue", (3,))]


def test_a_condition_is_shown_in_words():
    found = outcome({"red": (0, 3), "green": (1, -1)}, {"green": 1, "red": 2}, ("safe(me)", "highest points(me)"))
    table = drawn(score_table(found, LOOK)).split("\n")
    assert [line.split() for line in table[1:3]] == [["1", "green", "yes", "-1"], ["2", "red", "no", "3"]]


def with_notes(found, **notes):
    return replace(found, notes=notes)


def test_what_is_noted_about_a_piece_stands_behind_it():
    marked = with_notes(piece("king", "red"), marked=True, used=2, seen_by=("red", "blue"), worth=0, mate=None)
    assert piece_text(marked, LOOK).plain == "r:king (marked, used 2, seen_by {red, blue})"
    nothing = with_notes(piece("king"), marked=False, used=0, seen_by=(), mate=None)
    assert piece_text(nothing, LOOK).plain == "king"
    bearer = with_notes(piece("wall", token=[with_notes(piece("4", type_="Token"), marked=True)]), marked=True)
    assert piece_text(bearer, LOOK).plain == "wall (marked)[4 (marked)]"


def test_pieces_with_different_notes_are_distinguished():
    king, back = piece("king"), piece("", hidden=True)
    heap = [king, with_notes(king, marked=True), king, with_notes(back, marked=True), back, back]
    assert plain(entries(cell("heap", *heap), LOOK)) == ["2 king", "king (marked)", "? (marked)", "2 hidden"]
    owned = piece("", "red", hidden=True)
    stack = [owned, owned, with_notes(owned, marked=True), owned]
    assert plain(entries(cell("stack", *stack), LOOK)) == ["2 r:?", "r:? (marked)", "r:?"]


def test_a_piece_of_several_attributes_is_called_as_the_game_says() -> None:
    """`Card(rank, suit) "{rank} of {suit}"`, as in the log; the letter of an owner says the rest of other names."""
    names = {("Card", 2): DisplayName(("rank", "suit"), "{rank} of {suit}", None)}
    words = Words((DisplayWords(names),))
    ace = PieceView("Card", "ace spades", {"rank": "ace", "suit": "spades"}, None, False, {}, {})
    assert label(ace, words) == "ace of spades" and label(ace) == "ace spades"
    own = replace(ace, name="ann ace", attributes={"rank": "ace", "suit": "ann"}, owner="ann")
    assert label(own, words) == "ace"


def test_several_of_what_is_called_a_number_are_no_number_with_two_parts() -> None:
    words = Words((DisplayWords(),))
    assert words.several(2, "3") == "2 \u00d7 3" and words.several(2, "kings") == "2 kings"


def test_no_column_of_a_table_is_cut_off():
    """However many columns beside it could be folded further."""
    headings = ("Player", "Score", "Marker", "Point cards", "Houses", "Emissaries", "Forts", "Hand")
    numbers = [text(number) for number in ("0", "0", "0", "19", "8", "0")]
    hands = cell("heap", piece("green"), piece("orange"), piece("violet")), text("3 hidden")
    rows = tuple((text("green"), *numbers, hand) for hand in hands)
    position = replace(view(rows), tables=(TableView("Players", headings, rows),))
    for width in range(60, 90):
        assert "3 hidden" in drawn(draw_tables(position, LOOK, width), width=width), width


def test_what_is_read_aloud_has_no_lines_and_no_letters_of_seats(run, own_folder):
    (own_folder / "untitled.rules").write_text(
        'game "Untitled" for 2 players red, blue\n== components ==\nnote n: 0..9 = 7\n== phases ==\n'
        "phase playing, turns from red, over when n > 7:\n    must go\n"
        'action go(k: 1..2):\n    "go {k}"\n    add k to n\n'
        "== scoring ==\nwinner highest n\n"
    )
    shown = run("play", "untitled.rules", "--seat", "all=human", "--words", typed=["1"]).output
    lines = [line.strip() for line in shown.splitlines()]
    assert "playing, turn of red" in lines and "the game is over" in lines
    assert lines[lines.index("Note n") + 1] == "7"
    assert not {"─", "═"} & set(shown) and "r red" not in shown


def test_what_is_read_aloud_has_no_pictures_and_no_columns():
    state = load("tic_tac_toe").in_words().start(seed=1)
    for move in ("put(a1)", "put(b2)", "put(c3)"):
        state.push(move)
    seen = state.view(None)
    shown = drawn(draw_tables(seen, palette(seen.seats, state.game.words), 80, board="words"))
    assert [line.strip() for line in shown.splitlines() if line.strip()][:3] == [
        "Board", "Mark: cross: a1, c3", "Mark: nought: b2",
    ]  # fmt: skip
    banqi = load("banqi").in_words().start(seed=1)
    face_down = drawn(draw_tables(banqi.view(None), palette(banqi.game.seats, banqi.game.words), 80, board="words"))
    assert "Face down: a1, b1" in face_down
    rows = [[text("A"), text("1")], [text("B"), text("2")]]
    lines = drawn(draw_tables(view(rows), LOOK, 80, board="words")).splitlines()
    assert [line.split() for line in lines[1:5]] == [["Place", "A"], ["Cards:", "1"], ["Place", "B"], ["Cards:", "2"]]
