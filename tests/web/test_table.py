"""A table and the sessions of the pages at it, without a server: who may do what, and what each page is sent."""

from __future__ import annotations

import gc
import json
import random
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.errors import UsageError
from interpreter.play.game import WATCHING, Game, load
from interpreter.play.saves.files import PERSON
from interpreter.seat.question_words import words_of
from interpreter.seat.views.model import HIDDEN, TableView, plain_data
from tests.support.hush import HUSH
from web import messages
from web.messages import Ask, Consent, Done, Play, Refused, Told, Undo, Why, received
from web.scene import PieceCell, ShownPiece, TextCell, scene_of
from web.session import Session
from web.table import Table, Unkept

GAMES = (
    "chinesische_mauer", "texas_holdem", "goofspiel", "nim",
    *(pytest.param(name, marks=pytest.mark.long) for name in ("china", "mauerbauer", "dschingis_khan", "hearts")),
)  # fmt: skip


def table_of(game: Game, seed: int = 3, **kinds: str) -> Table:
    table = Table(game.in_words().start(seed), dict.fromkeys(game.seats, PERSON) | kinds)
    table.begin()
    return table


def fewest(name: str) -> Game:
    game = load(name)
    return game if len(game.seats) > 1 else load(name, 2)


def acting(table: Table) -> str:
    assert table.state.player is not None
    return table.state.player


def played(table: Table, index: int = 0) -> None:
    seat = acting(table)
    table.play(seat, table.known(seat), table.state.legal_moves[index % len(table.state.legal_moves)].notation)


# ---- decisions


def test_a_move_sent_twice_counts_once() -> None:
    table = table_of(fewest("china"))
    seat, move = acting(table), table.state.legal_moves[0].notation
    session = Session(table, seat)
    message = Play(kind="play", id="1", number=0, notation=move)
    assert [session.answer(message), session.answer(message)] == [Done("1"), Done("1")]
    assert [record.notation for record in table.state.history if record.player == seat] == [move]


def test_another_move_at_a_decision_that_is_over_is_refused() -> None:
    table = table_of(fewest("china"))
    seat, (first, second, *_) = acting(table), table.state.legal_moves
    session = Session(table, seat)
    session.answer(Play(kind="play", id="1", number=0, notation=first.notation))
    late = session.answer(Play(kind="play", id="2", number=0, notation=second.notation))
    assert late == Refused("2", "this decision has already been made")


@pytest.mark.parametrize("notation", ["nonsense", "", "build(yan1", "done"])
def test_what_is_no_legal_move_changes_nothing(notation: str) -> None:
    table = table_of(fewest("china"))
    key = table.state.key()
    reply = Session(table, acting(table)).answer(Play(kind="play", id="1", number=0, notation=notation))
    assert isinstance(reply, Refused) and reply.reason
    assert (table.state.key(), table.version) == (key, 0)


def test_nobody_moves_for_another_seat() -> None:
    table = table_of(fewest("china"))
    other = next(seat for seat in table.game.seats if seat != acting(table))
    move = table.state.legal_moves[0].notation
    for seat in (other, None):
        assert isinstance(Session(table, seat).answer(Play(kind="play", id="1", number=0, notation=move)), Refused)
    assert table.state.ply == 0


def test_decisions_without_an_alternative_are_made() -> None:
    table = table_of(load("tic_tac_toe"))
    while not table.state.over:
        assert len(table.state.legal_moves) > 1
        played(table)
    assert table.forced or table.state.ply


class Failing(Unkept):
    """A keeper whose disk is full."""

    def decided(self, *_: object) -> None:
        raise UsageError("the disk is full")


def test_a_decision_that_cannot_be_kept_is_not_made() -> None:
    table = table_of(fewest("china"))
    table.keeper = Failing()
    with pytest.raises(UsageError, match="full"):
        played(table)
    assert (table.state.ply, table.version) == (0, 0)


@pytest.mark.parametrize("name", ["chinesische_mauer", "nine_mens_morris", "checkers"])
def test_every_move_can_be_sent_again(name: str) -> None:
    """Also if the seat's next decision had no alternative, and was made with it."""
    table, rng = table_of(fewest(name), 5), random.Random(name)
    for _ in range(60):
        if table.state.over:
            break
        seat, move = acting(table), rng.choice(table.state.legal_moves).notation
        message = Play(kind="play", id="1", number=table.known(seat), notation=move)
        session = Session(table, seat)
        assert session.answer(message) == Done("1")
        ply = table.state.ply
        assert session.answer(message) == Done("1") and table.state.ply == ply


def test_a_bots_move_for_a_position_that_was_left_is_not_made() -> None:
    table = table_of(load("nim"))
    person = acting(table)
    played(table)
    table.kinds[acting(table)] = "random"
    version, chosen = table.version, table.state.legal_moves[0].notation
    table.ask_undo(person)
    played(table, 1)
    ply = table.state.ply
    table.play_bot(version, chosen)
    assert table.state.ply == ply
    table.play_bot(table.version, table.state.legal_moves[0].notation)
    assert table.state.ply > ply


# ---- undo


def test_undo_before_anybody_has_seen_anything_needs_no_consent() -> None:
    table = table_of(load("nim"))
    first = acting(table)
    played(table)
    # The other person has not decided yet, and nothing was revealed.
    assert Session(table, first).answer(Undo(kind="undo", id="1")) == Done("1")
    assert (table.state.ply, acting(table), table.notes[0].kind) == (0, first, "undo")


def test_undo_after_others_have_decided_needs_their_consent() -> None:
    table = table_of(load("nim"))
    first = acting(table)
    played(table)
    second = acting(table)
    played(table)
    sessions = {seat: Session(table, seat) for seat in table.game.seats}
    sessions[first].answer(Undo(kind="undo", id="1"))
    assert table.state.ply == 2
    asked = sessions[second].position()
    assert asked is not None and first in asked.asks
    assert isinstance(sessions[first].answer(Consent(kind="consent", id="2", agree=True)), Refused)
    with pytest.raises(UsageError, match="decided first"):
        played(table)
    sessions[second].answer(Consent(kind="consent", id="3", agree=True))
    assert (table.state.ply, acting(table), table.asking) == (0, first, None)


def test_a_refusal_ends_the_request() -> None:
    table = table_of(load("nim"))
    first = acting(table)
    played(table)
    second = acting(table)
    played(table)
    table.ask_undo(first)
    assert table.consent(second, False)
    assert (table.asking, table.state.ply) == (None, 2)


def asked_to_undo() -> tuple[Table, str, str]:
    """A table of two at which the first has asked the second to agree to an undo."""
    table = table_of(load("nim"))
    first = acting(table)
    played(table)
    second = acting(table)
    played(table)
    table.ask_undo(first)
    return table, first, second


def test_who_asks_can_withdraw_and_is_told_who_has_not_answered() -> None:
    table, first, second = asked_to_undo()
    session = Session(table, first)
    position = session.position()
    assert position is not None and second in position.asked and not position.asks
    assert isinstance(session.answer(Consent(kind="consent", id="1", agree=True)), Refused)
    assert session.answer(Consent(kind="consent", id="2", agree=False)) == Done("2")
    assert (table.asking, table.state.ply) == (None, 2)


@pytest.mark.parametrize("ended_by", [0, 1])
def test_nobody_keeps_a_game_from_going_on_by_asking_again_and_again(ended_by: int) -> None:
    table, *seats = asked_to_undo()
    table.consent(seats[ended_by], False)
    with pytest.raises(UsageError, match="asked for this already"):
        table.ask_undo(seats[0])
    played(table)
    played(table)
    if not table.state.over:
        table.ask_undo(seats[0])
        assert table.asking is not None


def test_nothing_is_taken_back_when_all_secrets_are_known() -> None:
    table = table_of(load("nim"))
    while not table.state.over:
        played(table)
    ply = table.state.ply
    for seat in table.game.seats:
        assert Session(table, seat).answer(Undo(kind="undo", id="1")) == Refused("1", "the game is over")
    assert table.state.ply == ply and table.asking is None


def test_the_undo_of_a_secret_decision_is_noted_for_nobody(tmp_path: Path) -> None:
    """The others have not even been told that something was decided."""
    path = tmp_path / "hush.rules"
    path.write_text(HUSH, encoding="utf-8")
    table = table_of(load(str(path)))
    other = Session(table, "ben")
    other.position()
    for move in ("say(1)", "hide"):
        table.play("ann", table.known("ann"), move)
    table.ask_undo("ann")
    assert (other.position(), table.notes, table.state.ply) == (None, [], 1)
    for move in ("hide", "hide", "hide"):
        table.play("ann", table.known("ann"), move)
    assert acting(table) == "ben"
    shown = other.position()
    assert shown is not None and not any("took back" in entry.text for entry in shown.log.entries)


def test_what_somebody_decides_secretly_no_value_tells(long_run: bool) -> None:
    """Explanations are those of the position that is shown."""
    table = table_of(fewest("china"))
    model = table.game.rules.model
    texts = [f"count {name}" for name in model.zones] + [*model.defines]
    texts = texts if long_run else texts[::3]
    rng, asked = random.Random(5), 0
    while asked < 3:
        seat, question = acting(table), table.state.question
        if question is not None and question.secretly:
            asked += 1
            for other in table.game.seats:
                if other != seat:
                    session = Session(table, other)
                    shown = Table(table.shown(other, "").copy(), table.kinds)
                    for text in texts:
                        message = Why(kind="why", id="1", text=text)
                        assert session.answer(message) == Session(shown, other).answer(message)
        played(table, rng.randrange(1000))


def test_the_log_of_a_page_follows_an_undo() -> None:
    table = table_of(load("nim"))
    session, log = Session(table, acting(table)), list[messages.LogLine]()
    for step in ("begin", "play", "undo"):
        if step == "play":
            played(table)
        elif step == "undo":
            table.ask_undo(session.seat or "")
        position = session.position()
        assert position is not None
        log = [*log[: position.log.start], *position.log.entries]
    assert [line.text for line in log][-1] == "took back the last decision"
    assert not any(line.number for line in log[:-1])


# ---- what a page is sent


def texts_in(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from texts_in(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from texts_in(value)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_page_is_sent_follows_from_what_its_seat_sees(name: str, long_run: bool) -> None:
    """Two games that a seat cannot tell apart: whatever its page is sent is the same in both."""
    from interpreter.opponents.knowledge.sampling import sampler_of

    table, rng = table_of(fewest(name), 5), random.Random(name)
    sizes = set()
    for decision in range(400 if long_run else 40):
        if table.state.over:
            break
        seat = rng.choice(table.game.seats)
        if decision % 8 == 7 and table.state.player == seat:
            other = Table(sampler_of(table.state, seat, decision).states(1)[0], table.kinds, forced=table.forced)
            here, there = (json.dumps(plain_data(Session(at, seat).position())) for at in (table, other))
            assert here == there
            sizes.add(len(here))
        played(table, rng.randrange(1000))
    assert sizes or table.state.over or name == "goofspiel"


@pytest.mark.parametrize("name", GAMES)
def test_a_position_shows_the_pieces_of_the_view_and_no_others(name: str) -> None:
    table, rng = table_of(fewest(name), 5), random.Random(name)
    for _ in range(30):
        if table.state.over:
            break
        for seat in table.game.seats:
            position = Session(table, seat).position()
            assert position is not None
            view = table.shown(seat, "").view(seat)
            shown = [cell for tab in position.scene.tables for row in tab.rows for cell in row]
            expected = [cell for tab in view.tables if tab.board is None for row in tab.rows for cell in row]
            for drawn, seen in zip(shown, expected, strict=True):
                if seen.kind == "pieces" and drawn.kind == "pieces":
                    assert sum(piece.count for piece in drawn.pieces) == len(seen.pieces)
                    backs = sum(piece.count for piece in drawn.pieces if piece.back)
                    assert backs <= sum(piece.hidden for piece in seen.pieces)
            assert (position.question is not None) == (table.state.player == seat)
        played(table, rng.randrange(1000))


@pytest.mark.parametrize(("name", "marks"), [
    ("tic_tac_toe", {"cross": "\N{MULTIPLICATION SIGN}\ufe0e", "nought": "○\ufe0e"}),
    ("quoridor", {"ann": "a", "ben": "b"}),
    ("othello", {"black": "", "white": ""}),
])  # fmt: skip
def test_pieces_tell_whose_they_are_without_colours(name: str, marks: dict[str, str]) -> None:
    table = table_of(load(name).in_words())
    for _ in range(2):
        played(table)
    contents = scene_of(table.state.view(WATCHING), (), table.game.words).contents.values()
    pieces = [piece for held in contents for each in held for piece in getattr(each.cell, "pieces", ())]
    assert {piece.owner: piece.mark for piece in pieces} == marks


def test_several_pieces_are_of_the_same_kind_as_one() -> None:
    """A legend explains them once, two warriors as a warrior."""
    game = load("chinesische_mauer", 2).in_words()
    scene = scene_of(game.start(2).view("red"), (), game.words)
    cells = [cell for table in scene.tables for row in table.rows for cell in row if isinstance(cell, PieceCell)]
    several = {(piece.text, piece.one) for cell in cells for piece in cell.pieces if piece.count > 1 and piece.text}
    assert several == {("warriors", "warrior")}


def test_a_value_with_a_glyph_is_drawn_as_that() -> None:
    table = table_of(load("dark_hex").in_words())
    played(table)
    ((content,),) = scene_of(table.state.view("black"), (), table.game.words).contents.values()
    views = [table.state.view(seat) for seat in table.game.seats]
    (own,) = scene_of(views[0], views[1:], table.game.words).own  # the same as a list, in words
    assert isinstance(own.cell, TextCell) and own.heading == "stones" and own.cell.text == "a1"
    assert isinstance(content.cell, TextCell) and content.cell.sign == "●\ufe0e" and content.cell.text == "black stone"


def test_what_only_one_seat_sees_of_another_does_not_look_like_its_own() -> None:
    table = table_of(load("hanabi", 2))
    views = [table.state.view(seat) for seat in table.game.seats]
    assert not any(piece.hidden for piece in views[0].zones["card[ben, 1]"].pieces)
    assert scene_of(views[0], views[1:], table.game.words).own == ()


def test_sets_of_places_of_the_same_board_are_lines() -> None:
    table = table_of(load("twixt").in_words())
    for notation in ("place(c3)", "place(f8)", "place(e4)"):
        table.play(acting(table), table.known(acting(table)), notation)
    contents = scene_of(table.state.view(WATCHING), (), table.game.words).contents
    assert {place: [each.links for each in held] for place, held in contents.items()} == {
        "c3": [(), ("e4",)], "e4": [(), ("c3",)], "f8": [()]
    }  # fmt: skip


def test_a_secret_decision_of_another_is_not_even_counted() -> None:
    """While somebody decides secretly, others are sent nothing; a page that is opened then shows what was before."""
    table = table_of(fewest("china"))
    sessions = {seat: Session(table, seat) for seat in table.game.seats}
    rng, secret = random.Random(5), 0
    while not table.state.over and secret < 2:
        deciding = acting(table)
        shown = {seat: session.position() for seat, session in sessions.items()}
        question = table.state.question
        if question is not None and question.secretly:
            secret += 1
            for seat in table.game.seats:
                if seat != deciding:
                    assert shown[seat] is None and sessions[seat].at_a_loss() is None
                    fresh = Session(table, seat).position()
                    assert fresh is not None and fresh.scene.turn == deciding
        played(table, rng.randrange(1000))
    assert secret == 2


def test_a_page_is_sent_nothing_if_nothing_has_changed() -> None:
    table = table_of(fewest("china"))
    session = Session(table, acting(table))
    first = session.position()
    assert first is not None and first.board is not None
    assert session.position() is None
    played(table)
    second = session.position()
    assert second is not None and second.board is None and second.log.start == len(first.log.entries)


@pytest.mark.parametrize("name", GAMES)
def test_spectators_see_what_all_seats_see(name: str) -> None:
    table, rng = table_of(fewest(name), 5), random.Random(name)
    session = Session(table, None)
    for _ in range(80):
        if table.state.over:
            break
        watched = table.state.view("*")
        assert watched.viewer is None and watched.question is None
        views = [table.state.view(seat) for seat in table.game.seats]
        for zone, shown in watched.zones.items():
            assert shown.count == views[0].zones[zone].count
            open_pieces = [sum(not piece.hidden for piece in view.zones[zone].pieces) for view in views]
            assert sum(not piece.hidden for piece in shown.pieces) <= min(open_pieces)
        for note, content in watched.notes.items():
            assert content == HIDDEN or all(view.notes[note] == content for view in views)
        session.position()
        played(table, rng.randrange(1000))
    while not table.state.over:
        played(table, rng.randrange(1000))
    over = session.position()
    assert over is not None and over.scene.result is not None


def test_spectators_read_no_secret_in_the_tables_of_a_seat() -> None:
    """Where somebody's ships lie, which the table of that seat lists, and what its row is about."""
    watched: list[tuple[TableView, ...]] = []
    for row in (1, 6):
        state = load("battleship").start(seed=1)
        for column, ship in enumerate(("destroyer", "submarine", "cruiser", "battleship", "carrier")):
            for seat in (1, 2):
                state.push(f"place({ship}, {'abcdefghij'[column + seat]}{row}, upwards)")
        state.push("shoot(a1)")
        watched.append(state.view("*").tables)
        assert [len(table.rows) for table in state.view("ann").tables if table.title == "Your ships"] == [17]
    assert watched[0] == watched[1]
    assert [table.title for table in watched[0]] == ["Waters", "Waters", "Fleets"]


def test_each_person_reads_their_language() -> None:
    table = table_of(fewest("mauerbauer"))
    english, german = (Session(table, acting(table), language) for language in ("", "de"))
    assert (english.welcome().language, german.welcome().language) == ("en", "de")
    assert german.welcome().phrases["Undo"] == "Zurücknehmen"
    assert english.position() != german.position()
    reply = german.answer(Play(kind="play", id="1", number=7, notation="x"))
    assert reply == Refused("1", "jetzt ist jemand anderes am Zug")


# ---- questions


def test_a_question_is_narrowed_to_a_move_by_its_list_and_by_places() -> None:
    table = table_of(fewest("china"))
    session = Session(table, acting(table))
    reply = session.answer(Ask(kind="ask", id="1", number=0, path=({"about": "yan3"},)))  # type: ignore[arg-type]
    assert isinstance(reply, messages.Asked) and reply.step.answers == ("yan3",)
    path: list[dict[str, int]] = []
    for _ in range(10):
        reply = session.answer(received(json.dumps({"kind": "ask", "id": "2", "number": 0, "path": path})))  # type: ignore[arg-type]
        assert isinstance(reply, messages.Asked)
        if reply.step.move is not None:
            break
        path.append({"take": 0})
    assert reply.step.move is not None and reply.step.move.effects
    assert session.answer(Play(kind="play", id="3", number=0, notation=reply.step.move.notation)) == Done("3")


@pytest.mark.parametrize("answer", [{"take": 999}, {"about": "nowhere"}, {"words": "zzz"}, {"words": ""}])
def test_an_answer_that_leaves_no_move_is_refused(answer: dict[str, object]) -> None:
    table = table_of(fewest("china"))
    message = received(json.dumps({"kind": "ask", "id": "1", "number": 0, "path": [answer]}))
    assert isinstance(Session(table, acting(table)).answer(message), Refused)  # type: ignore[arg-type]


def test_why_says_no_more_than_the_seat_may_know() -> None:
    table = table_of(fewest("china"))
    deciding, other = acting(table), next(seat for seat in table.game.seats if seat != acting(table))
    move = table.state.legal_moves[0].notation
    told = Session(table, deciding).answer(Why(kind="why", id="1", text=move))
    assert isinstance(told, Told) and told.lines
    assert isinstance(Session(table, other).answer(Why(kind="why", id="1", text=move)), Refused)
    assert isinstance(Session(table, other).answer(Why(kind="why", id="1", text=f"hand[{deciding}]")), Refused | Told)
    for text in texts_in(plain_data(Session(table, other).answer(Why(kind="why", id="1", text=f"hand[{deciding}]")))):
        for piece in table.state.view(deciding).zones[f"hand[{deciding}]"].pieces:
            assert not piece.name or piece.name not in text.split()


@pytest.mark.parametrize("name", ["leduc_poker", pytest.param("go_fish", marks=pytest.mark.long)])
def test_what_a_seat_knows_follows_from_what_it_has_seen(name: str) -> None:
    """It is the same in another game that the seat cannot tell apart, in which the others hold other cards."""
    from interpreter.opponents.knowledge.sampling import sampler_of

    table = table_of(fewest(name))
    for decision in range(2):
        played(table, decision)
    seat = next(seat for seat in table.game.seats if seat != table.state.player)
    worlds = sampler_of(table.state, seat, 2).states(3)
    others = [Table(world, table.kinds, forced=table.forced) for world in worlds]
    hands = {str(world.view(None).zones) for world in worlds}
    assert len(hands) > 1
    request = messages.Know(kind="know", id="1", thorough=True)
    told = Session(table, seat).answer(request)
    assert isinstance(told, Told) and told.table is not None
    assert all(len(row) == len(told.table.headings) for row in told.table.rows)
    assert [Session(other, seat).answer(request) for other in others] == [told] * len(others)
    assert isinstance(Session(table, None).answer(request), Refused)


def test_the_trace_shows_a_seat_what_it_may_know_and_everybody_everything_in_the_end() -> None:
    """Two games in which the seat holds the same card, and the other seat another one."""
    request, game = messages.Trace(kind="trace", id="1"), fewest("leduc_poker")
    tables = [table_of(game, seed) for seed in range(30)]
    for table in tables:
        played(table)
    seat, (other,) = acting(tables[0]), [seat for seat in game.seats if seat != acting(tables[0])]

    def card(table: Table, of: str) -> str:
        return table.state.view(None).zones[f"hand[{of}]"].pieces[0].name

    alike = [table for table in tables if card(table, seat) == card(tables[0], seat)]
    assert len({card(table, other) for table in alike}) > 1
    table = tables[0]
    told = Session(table, seat).answer(request)
    assert isinstance(told, Told) and told.decision is not None and told.lines
    for ply in range(told.decision[1] + 1):
        earlier = messages.Trace(kind="trace", id="1", ply=ply)
        assert len({repr(Session(twin, seat).answer(earlier)) for twin in alike}) == 1
    assert Session(table, None).answer(request) == Refused("1", "spectators only watch")
    while not table.state.over:
        played(table)
    told = Session(table, None).answer(messages.Trace(kind="trace", id="1", ply=0))
    assert isinstance(told, Told) and any(" hand of" in line for _, line in told.lines)


@pytest.mark.parametrize("name", ["hearts", "spades"])
def test_why_says_of_a_card_why_it_cannot_be_played(name: str) -> None:
    table = table_of(fewest(name))
    for decision in range(60):
        if any("play" in move.notation for move in table.state.legal_moves) and decision > 8:
            break
        played(table, decision)
    seat = acting(table)
    labels = [words_of(move, table.game.words) for move in table.state.legal_moves]
    cards = [card for cards in own_pieces(Session(table, seat)) for card in cards]
    barred = next(card.name for card in cards if not any(card.text in label for label in labels))
    told = Session(table, seat).answer(Why(kind="why", id="1", text=barred, about=True))
    assert isinstance(told, Told) and barred in told.title and "not legal" in told.title
    (other, *_) = (seat for seat in table.game.seats if seat != acting(table))
    assert isinstance(Session(table, other).answer(Why(kind="why", id="1", text=barred, about=True)), Refused)


def own_pieces(session: Session) -> Iterator[tuple[ShownPiece, ...]]:
    """The pieces that only the seat sees."""
    position = session.position()
    assert position is not None
    for content in position.scene.own:
        if content.cell.kind == "pieces":
            yield content.cell.pieces


def test_a_hint_names_legal_moves_of_the_seat_that_decides() -> None:
    table = table_of(load("nim"))
    told = Session(table, acting(table)).answer(messages.Hint(kind="hint", id="1"))
    assert isinstance(told, Told) and told.lines
    other = next(seat for seat in table.game.seats if seat != acting(table))
    assert isinstance(Session(table, other).answer(messages.Hint(kind="hint", id="1")), Refused)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"x"', "{}", '{"kind":"play"}', '{"kind":"play","id":"1","number":-1,"notation":"x"}',
     '{"kind":"no"}', '{"kind":"undo","id":"1","more":1}', '{"kind":"undo","id":""}', '{"kind":"undo","id":1}',
     '{"kind":"ask","id":"1","number":0,"path":[{}]}', '{"kind":"why","id":"1","text":"' + "x" * 401 + '"}',
     '{"kind":"ask","id":"1","number":0,"path":[' + ",".join(['{"take":0}'] * 33) + "]}", "[" * 20_000],
)  # fmt: skip
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        received(text)


def test_the_schema_of_the_messages_describes_them() -> None:
    from tests.support.json_schemas import validate

    definitions = messages.schema()
    table = table_of(fewest("china"))
    session = Session(table, acting(table))
    for message in (session.welcome(), session.position(), session.answer(Undo(kind="undo", id="1"))):
        schema = {"$defs": definitions["$defs"], "$ref": "#/$defs/Sent"}
        validate(json.loads(json.dumps(plain_data(message))), schema)


def test_a_table_that_is_left_is_forgotten() -> None:
    table = table_of(load("nim"))
    Session(table, acting(table)).position()
    left = weakref.ref(table)
    del table
    gc.collect()
    assert left() is None
