"""`trace --html`: the page as a file, what it holds, and what is not in it."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.html.collector import HEAD, HEADINGS, ROW, SINGLE, TITLE, Collector, step
from cli.html.page import MARK, page
from interpreter.play.game import State, load
from interpreter.play.trace import LEVELS, Position, Timeline, outline
from tests.cli.conftest import PEBBLES
from tests.cli.pages import NASTY, data_in, in_words, played, whole

# ---- the file


@pytest.fixture
def save(run, own_folder) -> Path:
    path = own_folder / "game.json"
    assert run("play", PEBBLES, "--seat", "all=random", "--seed", 987654321, "--save", path).exit_code == 0
    return path


def test_a_page_is_written(run, save, own_folder):
    result = run("trace", save, "--html", "page.html")
    assert result.exit_code == 0
    assert re.fullmatch(r"page\.html: \d+ decisions, \d+ KB; open it in a browser\n", result.output)
    text = (own_folder / "page.html").read_text(encoding="utf-8")
    data = data_in(text)
    state = json.loads(save.read_text(encoding="utf-8"))
    assert text.startswith(MARK)
    assert data["title"] == "Pebbles"
    assert [name for name, _ in data["players"]] == state["players"]
    assert data["about"] == "turns is few; start is red; the game is over"
    assert [file["name"] for file in data["files"]] == ["pebbles.rules"]
    assert len(data["segments"]) == len(state["moves"]) + 1


def test_the_page_wants_nothing_from_elsewhere_and_tells_nothing_of_the_machine(run, save, own_folder):
    run("trace", save, "--html", "page.html")
    text = (own_folder / "page.html").read_text(encoding="utf-8")
    assert "http" not in text.replace("http-equiv", "")
    assert not re.search(r"(src|href|url|@import|fetch|XMLHttpRequest)\s*[=(]", text)
    assert "default-src 'none'" in text
    for word in (str(own_folder), str(Path(PEBBLES).parent), "987654321"):
        assert word not in text


def test_the_same_save_is_the_same_page(run, save, own_folder):
    for name in ("one.html", "other.html"):
        assert run("trace", save, "--html", name).exit_code == 0
    assert (own_folder / "one.html").read_bytes() == (own_folder / "other.html").read_bytes()


def test_a_page_is_replaced_and_nothing_else_is(run, save, own_folder):
    assert run("trace", save, "--html", "page.html", "--level", "moves").exit_code == 0
    before = (own_folder / "page.html").read_bytes()
    assert run("trace", save, "--html", "page.html").exit_code == 0
    assert (own_folder / "page.html").read_bytes() != before
    saved = save.read_bytes()
    result = run("trace", save, "--html", save)
    assert result.exit_code == 2
    assert "already exists and is not a trace page" in result.stderr
    assert save.read_bytes() == saved


def test_what_goes_wrong_is_said(run, save, own_folder):
    for words, code, message in (
        (("--html", own_folder), 2, "is a folder, not a file"),
        (("--html", "no/page.html"), 1, "no such folder"),
        (("--html", "page.html", "--plain"), 2, "cannot be combined with --plain or --format"),
        (("--html", "page.html", "--level", "rule"), 2, "did you mean rules?"),
    ):
        result = run("trace", save, *words)
        assert (result.exit_code, message in result.stderr) == (code, True), result.stderr
    assert not (own_folder / "page.html").exists()
    assert run("trace", "gone.json", "--html", "page.html").exit_code == 1
    assert not (own_folder / "page.html").exists()


@pytest.mark.parametrize("level", LEVELS)
def test_a_page_has_the_events_of_its_level(level):
    timeline = Timeline(played(load(PEBBLES, 2), 3))
    data = data_in(page(timeline, level))
    words = data["words"]
    found = [
        (depth, words[data["records"][record][1]])
        for segment in data["segments"]
        for record, depth, _, _ in zip(*[iter(segment["events"])] * 4, strict=True)
    ]
    assert found == [(depth, event.text) for depth, _, event in outline(timeline.all_events(), level)]


def test_whatever_a_rules_file_says_stays_text(tmp_path):
    (tmp_path / "nasty.rules").write_text(NASTY, encoding="utf-8")
    text = whole(played(load(tmp_path / "nasty.rules", 2), 0))
    assert text.count("</script>") == text.count("<script") == 2
    assert "<img" not in text
    assert "<title>&lt;/title&gt;&lt;b&gt;&amp;" in text
    assert data_in(text)["title"].startswith("</title><b>&")


# ---- states as differences


def applied(before: list[int], told: list[int]) -> list[int]:
    length, kept, *runs = told
    lines = [*before[: length - kept], *before[len(before) - kept :]] if kept else before[:length]
    while runs:
        place, count, *runs = runs
        lines += [-1] * (place + count - len(lines))
        lines[place : place + count] = runs[:count]
        runs = runs[count:]
    return lines


def test_lists_encoded_as_differences():
    rng, before = random.Random(5), list[int]()
    for _ in range(3000):
        after = [rng.randrange(3) for _ in range(rng.randrange(9))]
        assert applied(before, step(before, after)) == after
        before = after


@pytest.mark.parametrize("name", ["chinesische_mauer", "china", "go", PEBBLES])
def test_the_tables_of_every_state_are_those_of_its_view(name):
    timeline = Timeline(played(load(name, 2 if name == "go" else 3), 4, 12))
    collector = Collector(timeline, "everything")
    segments = list(collector.segments())
    data = collector.document(segments, 0)
    texts = ["".join(map(str, line[::2])) for line in data["lines"]]
    states, before = list[list[int]](), list[int]()
    for told in data["tables"]["steps"]:
        before = applied(before, told)
        states.append(before)
    for ply in range(0, timeline.plies + 1, 3):
        view = timeline.snapshot(Position(ply)).view()
        rows = [data["tables"]["rows"][number] for number in states[segments[ply]["events"][2]]]
        assert rows[0][0] == HEAD
        assert {kind for kind, *_ in rows[1:]} <= {TITLE, HEADINGS, ROW, SINGLE}
        shown = [": ".join(texts[line] for line in lines) if kind == SINGLE else texts[line]
                 for kind, *lines in rows[1:] for line in (lines if kind != SINGLE else lines[:1])]  # fmt: skip
        assert shown == in_words(view)


@pytest.mark.parametrize(("name", "players"), [("china", 3), ("dschingis_khan", 3), ("mauerbauer", 3), ("chess", 2)])
def test_the_board_of_every_state_says_what_lies_there(name, players):
    timeline = Timeline(played(load(name, players), 4, 12))
    collector = Collector(timeline, "moves")
    segments = list(collector.segments())
    board = collector.document(segments, 0)["board"]
    places = list(collector.board.places)
    states, before = list[list[int]](), list[int]()
    for told in board["steps"]:
        before = applied(before, told)
        states.append(before)
    compared = 0
    for ply in range(4, timeline.plies + 1, 4):
        looks = [board["looks"][number] for number in states[segments[ply]["events"][-2]]]
        words = {key: look[3] for key, look in zip(places, looks, strict=False)}
        last = timeline.snapshot(Position(ply, len(timeline.events(ply)) - 1)).view()
        for table in (one for one in last.tables if one.board):
            for place, row in zip(table.board.places, table.rows, strict=True):
                for cell in row:
                    if cell.kind == "pieces" and cell.pieces and (table.board.list, place) in words:
                        assert all(piece.name in words[table.board.list, place] for piece in cell.pieces)
                        compared += 1
    assert compared > 10


def test_scores_are_those_that_the_seat_may_know():
    state = played(load("chinesische_mauer", 3), 4)
    everything = data_in(page(Timeline(state), "moves"))
    assert everything["score"] == "highest fame_won(me)"
    assert everything["scores"][-1] == [state.outcome.scores[seat][0] for seat in state.game.seats]
    assert len(everything["scores"]) == len(everything["segments"])
    for ply in (5, 30):
        earlier = state.copy()
        while earlier.ply > ply:
            earlier.pop()
        own = data_in(page(Timeline(earlier, "red"), "moves"))
        for number, scores in enumerate(own["scores"]):
            for known, seen in zip(everything["scores"][number], scores, strict=True):
                assert seen in (known, None)
    unknown = data_in(page(Timeline(played(load("hearts", 4), 3, 20), "south"), "moves"))
    assert unknown["score"]


# ---- what must not be in it


def groups(name: str, players: int, as_seat: str) -> Iterator[list[State]]:
    """Games that look the same to a seat from beginning to end, and are not the same."""
    game, found = load(name, players), defaultdict(list)
    for seed in range(600):
        state, rng, seen = game.start(seed), random.Random(seed), []
        for _ in range(1 + seed % 4):
            seen.append(state.view(as_seat))
            if state.player is not None:
                state.push(rng.choice(state.legal_moves))
        seen.append(state.view(as_seat))
        if not state.over:
            seen = [view for place, view in enumerate(seen) if not place or view != seen[place - 1]]
            told = [(entry.text, entry.details) for entry in state.log(as_seat)]
            found[str((seen, told))].append(state)
    for states in found.values():
        different = {state.view(None): state for state in states}
        if len(different) > 1:
            yield list(different.values())


@pytest.mark.parametrize(("name", "players"), [(PEBBLES, 2), ("kuhn_poker", 2), ("leduc_poker", 2)])
def test_games_that_look_the_same_to_a_seat_are_the_same_page(name, players):
    compared = 0
    as_seat = load(name, players).seats[0]
    for states in groups(name, players, as_seat):
        assert len({whole(state) for state in states[:3]}) == len(states[:3])
        assert len({whole(state, as_seat) for state in states[:3]}) == 1
        compared += 1
        if compared == 4:
            return
    assert compared > 3


def test_a_page_through_the_eyes_of_a_seat_names_no_card_that_others_hold():
    state = played(load("hearts", 4), 3, 20)
    assert not state.over
    zones = state.view(None).zones
    hidden = {piece.name for piece in zones["hand[north]"].pieces}
    hidden -= {piece.name for piece in zones["hand[south]"].pieces}
    known = " ".join(entry.text + " ".join(entry.details) for entry in state.log("south"))
    hidden = {name for name in hidden if name not in known}
    assert len(hidden) > 3
    assert all(name in whole(state) for name in hidden)
    text = whole(state, "south")
    assert not [name for name in hidden if name in text]


def test_a_page_of_a_game_that_goes_on_is_for_the_person_who_plays(run, own_folder):
    path = own_folder / "game.json"
    run("play", PEBBLES, "--seat", "green=human", "--seed", 53, "--save", path, typed=["1", "quit"])
    assert ", as seen by green, " in run("trace", path, "--html", "page.html").output
    assert data_in((own_folder / "page.html").read_text(encoding="utf-8"))["about"].endswith(
        "as seen by green; the game is not over"
    )
    assert run("trace", path, "--html", "page.html", "--as", "red").exit_code == 2
    assert run("trace", path, "--html", "page.html", "--all").exit_code == 0
    assert data_in((own_folder / "page.html").read_text(encoding="utf-8"))["about"].endswith("the game is not over")
    assert "everything is revealed" in path.read_text(encoding="utf-8")
