"""A board that a player brings: loading on it, options that are places of it, saves that remember it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dsl.diagnostics import RulesError
from interpreter.analysis.playouts import play_at_random
from interpreter.errors import BoardError, OptionError, SaveError
from interpreter.play.game import State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save

GAMES = Path(__file__).parents[1] / "cli" / "games"
HOPS, NEAR, FAR = GAMES / "hops.rules", GAMES / "boards" / "near.json", GAMES / "boards" / "far.json"
BOARD = json.loads(FAR.read_text(encoding="utf-8"))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A copy of the game with its board, and a board of one's own in another folder."""
    shutil.copytree(GAMES, tmp_path / "games")
    (tmp_path / "mine").mkdir()
    return Path(shutil.copy(FAR, tmp_path / "mine" / "far.json"))


@pytest.fixture
def save(mine: Path, tmp_path: Path) -> Path:
    """A save of a game on that board."""
    state = load(tmp_path / "games" / "hops.rules", board=mine).start(seed=1)
    state.push("hop(oak)")
    state.push("hop(yew)")
    return saved(state, tmp_path / "save.json")


def saved(state: State, path: Path) -> Path:
    write_save(path, state, SaveMeta({"red": "human", "green": "random"}))
    return path


def fault(path: Path) -> str:
    with pytest.raises(SaveError) as raised:
        resume(read_save(path))
    assert "\n" not in str(raised.value)
    return str(raised.value)


# ---- loading


def test_the_board_the_rules_name() -> None:
    game = load(HOPS)
    assert game.board is not None
    assert (game.board.name, game.board.reconstruction, game.rules.board) == ("Near isles", False, None)


@pytest.mark.parametrize("path", [FAR, str(FAR)])
def test_another_board(path: Path | str) -> None:
    game = load(HOPS, board=path)
    assert game.board is not None
    assert (game.board.name, game.rules.board) == ("Far isles", FAR)
    assert game.rules.hash != load(HOPS).rules.hash
    assert {move.notation for move in game.start().legal_moves} == {"hop(oak)", "stay"}


def test_a_game_without_a_board() -> None:
    assert load(GAMES / "pebbles.rules").board is None
    with pytest.raises(RulesError, match=r"E0751.*this game has no board"):
        load(GAMES / "pebbles.rules", board=FAR)


def test_files_that_are_not_boards(tmp_path: Path) -> None:
    for path, said in [
        (tmp_path / "x.json", "there is no board `"),
        (FAR / "x", "there is no board `"),
        (tmp_path, "is a folder"),
    ]:
        with pytest.raises(BoardError, match=said):
            load(HOPS, board=path)


def spoilt(change: dict[str, Any], tmp_path: Path) -> str:
    """What is told about the game on a board that is changed at the top of its first tide."""
    board = json.loads(FAR.read_text(encoding="utf-8"))
    board["tides"][0] |= change
    (tmp_path / "bad.json").write_text(json.dumps(board), encoding="utf-8")
    with pytest.raises(RulesError) as raised:
        load(HOPS, board=tmp_path / "bad.json")
    return str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"isles": [{"id": "ay", "height": 10}], "ferries": []}, "E0754]: `10` is not a value of `height` of `ay`"),
        ({"isles": [{"id": "ay"}], "ferries": []}, "E0753]: `ay` has no `height`"),
        ({"isles": [{"id": "bo", "height": 1}], "ferries": []}, "E0304]: `ay` is not a value of the option `begin`"),
        ({"id": "ebb"}, "E0755]: `tide` can be `low`, which the board does not have"),
    ],
)
def test_a_board_that_does_not_fit_is_reported_with_both_locations(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    told = spoilt(change, tmp_path)
    assert said in told
    assert "hops.rules:" in told
    assert "bad.json:1:" in told


def test_a_name_that_only_the_other_board_has_is_shown_there(tmp_path: Path) -> None:
    told = spoilt({"isles": [{"id": "bo", "height": 1}], "ferries": []}, tmp_path)
    assert "near.json:7:23: a place on the board that the rules name" in told


def test_errors_that_follow_from_a_missing_list_are_suppressed(tmp_path: Path) -> None:
    text = FAR.read_text(encoding="utf-8").replace('"isles"', '"islands"').replace('"low"', '"ebb"')
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as raised:
        load(HOPS, board=tmp_path / "bad.json")
    assert [found.code for found in raised.value.diagnostics if found.severity == "error"] == ["E0752", "E0755"]


def values_in(data: Any, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The ways to all values of a document."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [way, *(found for key, value in inner for found in values_in(value, (*way, key)))]


@example(("tides", 0, "id"), "ay")
@settings(max_examples=150)
@given(st.sampled_from(values_in(BOARD)[1:]), st.sampled_from([None, 0, "ay", "oak", "", [], {}, True, 1e9, "DELETE"]))
def test_any_board_is_played_or_refused(tmp_path_factory: pytest.TempPathFactory, way: Any, value: Any) -> None:
    board = json.loads(json.dumps(BOARD))
    at = board
    for step in way[:-1]:
        at = at[step]
    if value == "DELETE":
        del at[way[-1]]
    else:
        at[way[-1]] = value
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    try:
        game = load(HOPS, board=path)
    except RulesError as refused:
        assert "any.json:1:" in str(refused)
        return
    assert play_at_random(game, 3).decisions == 4


# ---- options that are places


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tide": "high", "begin": "ay"}, "option `begin` must be bee, cod or random when `tide` is high, not `ay`"),
        ({"tide": "high", "lamp": "skerry"}, "option `lamp` must be none when `tide` is high, not `skerry`"),
        ({"begin": "oak"}, "option `begin` must be ay, bee, cod or random, not `oak`"),
    ],
)
def test_missing_places_are_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError) as raised:
        load(HOPS, options=options)
    assert str(raised.value) == said


def test_a_missing_default_is_replaced() -> None:
    assert load(HOPS, options={"tide": "high"}).options["begin"] == "bee"
    assert load(HOPS, options={"tide": "high"}, board=FAR).options["begin"] == "oak"


def test_chance_takes_existing_places() -> None:
    game = load(HOPS, options={"tide": "high", "begin": "random"})
    assert {str(game.start(seed=seed).view(None).notes["at"]) for seed in range(20)} == {"bee", "cod"}


@pytest.mark.parametrize("value", ["skerry", "random"])
def test_no_place_at_all(value: str, tmp_path: Path) -> None:
    text = HOPS.read_text(encoding="utf-8").replace("lamp: Rock or none = none", "lamp: Rock or random = skerry")
    shutil.copytree(GAMES / "boards", tmp_path / "boards")
    rules = tmp_path / "hops.rules"
    rules.write_text(text, encoding="utf-8")
    assert load(rules, options={"lamp": value}).options["lamp"] == value
    with pytest.raises(
        OptionError, match="option `lamp` has no possible value: the board has no `Rock` when `tide` is high"
    ):
        load(rules, options={"tide": "high", "lamp": value})


# ---- saves


def test_a_save_remembers_the_board(save: Path, mine: Path) -> None:
    assert json.loads(save.read_text(encoding="utf-8"))["board"] == str(mine)
    state = resume(read_save(save))
    assert state.game.rules.board == mine
    assert state.ply == 2
    assert saved(state, save).read_text(encoding="utf-8").count(str(mine)) == 1


def test_a_save_without_a_custom_board_does_not_mention_one(tmp_path: Path) -> None:
    path = saved(load(HOPS).start(seed=1), tmp_path / "save.json")
    assert "board" not in json.loads(path.read_text(encoding="utf-8"))
    assert resume(read_save(path)).game.rules.board is None


@pytest.mark.parametrize("folder", ["here", "games"])
def test_the_board_is_found_where_one_is(
    save: Path, mine: Path, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    moved = mine.rename(tmp_path / folder / "far.json")
    assert resume(read_save(save)).game.rules.board == moved


def test_a_board_that_is_gone(save: Path, mine: Path) -> None:
    mine.unlink()
    assert fault(save).startswith(f"the save of Hops was played on the board {mine}, which does not exist; put it back")
    mine.mkdir()
    assert "which does not exist" in fault(save)


def test_a_board_that_has_changed(save: Path, mine: Path) -> None:
    text = mine.read_text(encoding="utf-8")
    mine.write_text(text.replace('"ends": ["oak", "yew"]', '"ends": ["ay", "yew"]', 1), encoding="utf-8")
    assert fault(save).startswith(
        "the rules have changed since the save was written; move 2, `hop(yew)` by green, is no"
    )
    mine.write_text(text.replace("Drawn from memory", "Drawn again"), encoding="utf-8")
    assert resume(read_save(save)).ply == 2


def test_a_board_that_no_longer_fits(save: Path, mine: Path) -> None:
    mine.write_text(mine.read_text(encoding="utf-8").replace('"isles"', '"islands"'), encoding="utf-8")
    with pytest.raises(RulesError, match="the board has no `isles`"):
        resume(read_save(save))
    mine.write_text("nonsense", encoding="utf-8")
    with pytest.raises(RulesError, match="E0701"):
        resume(read_save(save))
