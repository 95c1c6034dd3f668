"""The debugger of editors, over its protocol: breakpoints, steps in both directions, values, the console, the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.play.game import State, load
from interpreter.play.saves.files import SaveMeta, write_save
from tests.editors.debug_client import PATIENCE, DebugClient, DebuggerProcess, RefusedError
from tests.support.npm import packages_of_npm
from tests.support.project import ROOT

NIM = str(ROOT / "games" / "nim.rules")
DEALING, PHASE, ACTION, REQUIRING, MOVING, TAKING = (
    next(number for number, line in enumerate(Path(NIM).read_text("utf-8").splitlines(), 1) if words in line)
    for words in ("for each x in Pile: move", "phase taking", "action take", "require n", "move n from", "set taker")
)
"""Lines of Nim: matches are dealt, players take turns, and take what there is; who took is noted."""

FAULTY = """\
game "Faulty" for 2 players ann, ben

== components ==

type Colour is red, blue
piece Stone: 2 for each colour: Colour in bag
zone bag holds Stone
zone heap holds Stone
note steps: 0..3 = 0

== phases ==

phase main, turns from ann, over when bag is empty:
    must draw

action draw:
    count_up
    must choose stone from bag
    move stone to heap

step count_up:
    set steps to steps + 2

== scoring ==

winner highest steps

== examples ==

example "it counts":
    when ann: draw
    then steps is 2

example "it counts wrongly":
    when ann: draw
    then steps is 3
"""


@pytest.fixture
def client() -> Iterator[DebugClient]:
    with DebugClient() as client:
        yield client


@pytest.fixture
def process() -> Iterator[DebuggerProcess]:
    with DebuggerProcess() as process:
        yield process


@pytest.fixture
def testing_modules() -> Path:
    return packages_of_npm("debugger", ("@vscode/debugadapter-testsupport@1.68.0",), "@vscode/debugadapter-testsupport")


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY, encoding="utf-8")
    return str(path)


def in_nim(client: DebugClient, *lines: object) -> list[dict[str, object]]:
    answers: list[dict[str, object]] = client.ask(
        "setBreakpoints",
        source={"path": NIM},
        breakpoints=[line if isinstance(line, dict) else {"line": line} for line in lines],
    )["breakpoints"]
    return answers


def label(seat: str, count: int, pile: int) -> str:
    return f"{seat}: take {count} \N{MULTIPLICATION SIGN} match from pile {pile}"


# ---------------------------------------------------------------- breakpoints


def test_breakpoints_are_moved_to_the_next_line_that_is_executed(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"})
    assert [one.get("line") for one in in_nim(client, DEALING - 4, MOVING, 10_000)] == [DEALING, MOVING, None]
    locations = client.ask("breakpointLocations", source={"path": NIM}, line=ACTION - 1, endLine=TAKING)["breakpoints"]
    assert [one["line"] for one in locations] == [ACTION, REQUIRING, MOVING, TAKING]


def test_a_line_is_reached_with_the_names_in_scope(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    in_nim(client, TAKING)
    assert client.stop("configurationDone")["reason"] == "breakpoint"
    outside = [("turn", PHASE + 1), ("phase taking", PHASE)]
    assert client.frames() == [("set taker to me", TAKING), ("action take", TAKING), *outside]
    assert client.values("Names") == {"x": "1", "n": "1"}
    assert client.values("Notes") == {"taker": "none"}
    assert client.values("Zones")["pile[1]"] == "empty"


def test_conditions(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=5)
    in_nim(client, {"line": MOVING, "condition": "count pile[x] > 4 and me is ben"})
    client.stop("configurationDone")
    assert client.console("count pile[x] > 4 and me is ben") == "true"


def test_hits_are_counted(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=5)
    in_nim(client, {"line": MOVING, "hitCondition": "== 3"})
    client.stop("configurationDone")
    assert client.frames()[0][0] == "move n from pile[x] to box"
    assert "decision 3" in client.ask("gotoTargets", source={"path": NIM}, line=MOVING)["targets"][-1]["label"]


def test_what_cannot_be_a_breakpoint_says_why(client: DebugClient, tmp_path: Path) -> None:
    client.launch(program=NIM)
    answers = in_nim(client, {"line": MOVING, "condition": "count pil[x]"}, {"line": MOVING, "hitCondition": "often"})
    assert "there is no zone, note or die `pil`" in str(answers[0]["message"])
    assert answers[1]["message"] == "`often` is no hit count: write `5`, `== 5`, `> 5`, `< 5` or `% 5`"
    elsewhere = client.ask("setBreakpoints", source={"path": str(tmp_path / "a.rules")}, breakpoints=[{"line": 1}])
    assert "no part of the game" in elsewhere["breakpoints"][0]["message"]
    rules = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "take"}, {"name": "tak"}])["breakpoints"]
    assert [one["verified"] for one in rules] == [True, False]


def test_rules_places_and_messages(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "take"}])
    assert client.stop("configurationDone")["reason"] == "function breakpoint"
    client.ask("setFunctionBreakpoints", breakpoints=[])
    assert client.ask("dataBreakpointInfo", name="taker")["dataId"] == "taker"
    assert client.ask("dataBreakpointInfo", name="x")["dataId"] is None
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": "taker"}])
    assert client.stop("continue")["text"] == "taker: nobody → ann"
    client.ask("setDataBreakpoints", breakpoints=[])
    in_nim(client, {"line": TAKING, "logMessage": "{me} took {n} from {x}, {nothing}"})
    client.stop("continue")
    assert client.wait("output")["output"].startswith("ben took 7 from 4, {nothing}")


# ---------------------------------------------------------------- steps


def test_steps_lead_forward_and_back(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3, stopOnEntry=True)
    assert client.stop("configurationDone")["reason"] == "entry"
    places = [client.frames()[0]]
    for _ in range(25):
        client.stop("stepIn")
        places.append(client.frames()[0])
    for place in reversed(places[:-1]):
        client.stop("stepBack")
        assert client.frames()[0] == place
    client.stop("stepBack")
    assert client.frames()[0] == places[0]


def test_over_and_out(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3, stopOnEntry=True)
    client.stop("configurationDone")
    client.console("go 0")
    client.wait("stopped")
    while not client.frames()[0][0].startswith("action take"):
        client.stop("stepIn")
    inside = client.frames()
    client.stop("next")
    assert client.frames()[0] == ("turn of ben", PHASE)
    client.stop("stepBack")
    assert len(client.frames()) == len(inside) + 1
    client.stop("stepOut")
    assert client.frames()[0][0] == "turn of ben"


def test_running_back_stops_at_breakpoints_and_at_the_beginning(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    assert client.stop("configurationDone")["text"] == "ben wins"
    in_nim(client, TAKING)
    assert client.stop("reverseContinue")["reason"] == "breakpoint"
    assert client.console("count {y in Pile where pile[y] is not empty}") == "0"
    in_nim(client)
    assert client.stop("reverseContinue")["reason"] == "entry"
    assert client.frames()[0][0] == "the game is set up"


def test_jumping_to_a_decision(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    client.stop("configurationDone")
    targets = client.ask("gotoTargets", source={"path": NIM}, line=TAKING)["targets"]
    client.ask("goto", threadId=1, targetId=targets[1]["id"])
    assert client.wait("stopped")["reason"] == "goto"
    assert client.values("Names") == {"x": "4", "n": "7"}


# ---------------------------------------------------------------- values and the console


def test_values_are_explained_and_paged(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3, stopOnEntry=True)
    client.stop("configurationDone")
    client.console("go 1")
    client.wait("stopped")
    scopes = {one["name"]: one["variablesReference"] for one in client.ask("scopes", frameId=1)["scopes"]}
    zones = client.ask("variables", variablesReference=scopes["Zones"])["variables"]
    pile = next(zone for zone in zones if zone["name"] == "pile[4]")
    page = client.ask("variables", variablesReference=pile["variablesReference"], start=2, count=3)["variables"]
    assert [(one["name"], one["value"]) for one in page] == [("3", "match"), ("4", "match"), ("5", "match")]
    assert client.values("Tables") == {"Piles": "4 rows"}
    assert client.console("count pile[4]") == "7"
    assert "pile 1 has only 1" in client.console("why take(1, 5)")


def test_values_of_another_moment_are_not_shown(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3, stopOnEntry=True)
    client.stop("configurationDone")
    reference = client.ask("scopes", frameId=1)["scopes"][2]["variablesReference"]
    client.stop("stepIn")
    with pytest.raises(RefusedError, match="no longer shown"):
        client.ask("variables", variablesReference=reference)


def test_each_seat_sees_its_own(client: DebugClient) -> None:
    client.launch(program="hearts", players=4, seats={"all": "random"}, seed=1, stopOnEntry=True)
    client.stop("configurationDone")
    client.console("go 3")
    client.wait("stopped")
    scopes = {one["name"]: one["variablesReference"] for one in client.ask("scopes", frameId=1)["scopes"]}
    seats = client.ask("variables", variablesReference=scopes["As a seat"])["variables"]
    for seat in seats:
        groups = client.ask("variables", variablesReference=seat["variablesReference"])["variables"]
        zones = next(group for group in groups if group["name"] == "Zones")
        hands = {
            one["name"]: one["value"]
            for one in client.ask("variables", variablesReference=zones["variablesReference"])["variables"]
            if one["name"].startswith("hand[")
        }
        hidden = {name for name, value in hands.items() if ": card" in value}
        assert hidden == set(hands) - {f"hand[{seat['name']}]"}


def test_a_game_is_played_at_the_console(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"ben": "random"}, seed=3)
    assert client.stop("configurationDone")["text"].startswith("ann decides")
    assert client.console("moves").splitlines()[0] == "  1 take(1, 1)"
    client.console("push take(4, 7)")
    client.wait("stopped")
    assert client.frames()[0][0] == label("ann", 7, 4)
    assert client.stop("continue")["text"].startswith("ann decides")
    assert client.console("count pile[4]") == "0"
    client.console("go 0")
    client.wait("stopped")
    with pytest.raises(RefusedError, match="`branch` goes on from here"):
        client.console("push 1")
    assert client.console("branch") == "the game goes on after decision 0"
    assert client.console("push 1") == label("ann", 1, 1)
    assert client.console("pop") == "0 decisions are left"
    with pytest.raises(RefusedError, match="no decision to take back"):
        client.console("pop")
    with pytest.raises(RefusedError, match=r"`take\(4, 8\)` is not legal: "):
        client.console("push take(4, 8)")
    client.events.clear()
    client.console("go 2")
    assert client.wait("stopped")["text"].startswith("ann decides")


# ---------------------------------------------------------------- what goes wrong


def test_a_rule_that_fails_is_shown_with_what_led_to_it(client: DebugClient, faulty: str) -> None:
    client.launch(program=faulty, seats={"all": "random"})
    stopped = client.stop("configurationDone")
    assert stopped["reason"] == "exception" and "faulty.rules:22" in stopped["text"]
    assert client.frames()[:3] == [("set steps to steps + 2", 22), ("step count_up", 22), ("action draw", 17)]
    assert client.console("steps") == "2"
    assert "faulty.rules:22" in client.ask("exceptionInfo", threadId=1)["description"]
    client.stop("stepBack")
    assert client.frames()[0][0] == "step count_up"
    assert client.stop("continue")["reason"] == "exception"


def test_a_seat_is_not_told_the_value_that_failed(client: DebugClient, tmp_path: Path) -> None:
    path = tmp_path / "secretive.rules"
    path.write_text(FAULTY.replace("steps: 0..3 = 0", "steps: 0..3 = 0, seen by nobody"))
    client.launch(program=str(path), seats={"all": "random"}, **{"as": "ben"})
    stopped = client.stop("configurationDone")
    told = [stopped["text"], client.ask("exceptionInfo", threadId=1)["description"]]
    told += [event["body"]["output"] for event in client.events if event["event"] == "output"]
    assert all("secretive.rules:22" in text and "a rule failed here" in text for text in told)
    assert not any("outside" in text or "0..3" in text for text in told)


def test_a_fault_in_the_setup_is_not_told_to_a_seat_either(client: DebugClient, tmp_path: Path) -> None:
    path = tmp_path / "unready.rules"
    setup = "== setup ==\n\nset steps to steps + 2\nset steps to steps + 2\n\n== phases =="
    path.write_text(FAULTY.replace("0..3 = 0", "0..3 = 0, seen by nobody").replace("== phases ==", setup))
    client.ask("initialize", adapterID="regelwerk")
    with pytest.raises(RefusedError, match="4 is outside the range"):
        client.ask("launch", program=str(path))
    with pytest.raises(RefusedError, match="a rule failed here"):
        client.ask("launch", program=str(path), **{"as": "ben"})


def test_a_refused_move_is_reported(client: DebugClient) -> None:
    client.launch(program=NIM, moves=["take(1, 1)", "take(1, 1)"])
    stopped = client.stop("configurationDone")
    assert stopped["reason"] == "exception"
    assert stopped["text"] == "ben: `take(1, 1)` is not legal: pile 1 has only 0"
    assert client.console("pop") == "0 decisions are left"


def test_an_example_that_holds_and_one_that_fails(client: DebugClient, faulty: str) -> None:
    client.launch(program=faulty, example="it counts")
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "count_up"}])
    assert client.stop("configurationDone")["reason"] == "function breakpoint"
    assert client.stop("continue")["text"] == "the example holds"
    client.ask("continue", threadId=1)
    assert client.wait("exited") == {"exitCode": 0}


def test_a_failing_example_stops_at_its_claim(client: DebugClient, faulty: str) -> None:
    client.launch(program=faulty, example="wrongly")
    stopped = client.stop("configurationDone")
    assert stopped["reason"] == "exception" and "expected steps is 3, found 2" in stopped["text"]
    assert client.frames()[0] == ("then steps is 3", 36)


def test_failures_pass_without_a_stop_if_they_are_not_wanted(client: DebugClient, faulty: str) -> None:
    client.launch(program=faulty, example="wrongly")
    client.ask("setExceptionBreakpoints", filters=["fault"])
    client.ask("configurationDone")
    assert client.wait("exited") == {"exitCode": 1}
    client.wait("terminated")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "launch either a `program`"),
        ({"program": "no_such_game"}, "no_such_game"),
        ({"program": NIM, "seats": {"zoe": "random"}}, "there is no seat `zoe`"),
        ({"program": NIM, "seats": {"ann": "genius"}}, "genius"),
        ({"program": NIM, "example": "the last math"}, "did you mean `the last match loses`"),
        ({"program": NIM, "example": " "}, "`example` is empty"),
        ({"program": NIM, "players": "many"}, "players"),
        ({"save": "/nowhere/at/all.json"}, "all.json"),
        ({"save": "long" * 1000}, "long"),
    ],
)
def test_a_launch_that_is_not_possible_says_why(
    client: DebugClient, arguments: dict[str, object], message: str
) -> None:
    client.ask("initialize", adapterID="regelwerk")
    with pytest.raises(RefusedError, match=message):
        client.ask("launch", **arguments)
    client.ask("launch", program=NIM)


def test_a_save_of_people_shows_what_a_seat_knows(client: DebugClient, tmp_path: Path) -> None:
    state = load("hearts").start(4)
    for _ in range(5):
        state.push(state.legal_moves[0])
    path = tmp_path / "game.json"
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")))
    client.ask("initialize", adapterID="regelwerk")
    with pytest.raises(RefusedError, match="people still play this game"):
        client.ask("launch", save=str(path))
    seat = state.game.seats[0]
    client.ask("launch", save=str(path), **{"as": seat})
    client.stop("configurationDone")
    assert all(
        ": card" in value
        for name, value in client.values("Zones").items()
        if name.startswith("hand[") and seat not in name
    )


@pytest.fixture
def of_people(tmp_path: Path) -> tuple[str, State]:
    """A game of Hearts in which another seat than north decides."""
    state = load("hearts").start(4)
    while state.player == "north" or not state.ply:
        state.push(state.legal_moves[0])
    path = tmp_path / "of_people.json"
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")))
    return str(path), state


def test_a_seat_learns_nothing_from_the_moves_of_others(client: DebugClient, of_people: tuple[str, State]) -> None:
    save, state = of_people
    client.launch(save=save, **{"as": "north"})
    client.stop("configurationDone")
    assert client.console("moves") == "another seat decides here, and what it may do is not shown"
    assert "it is not north's decision" in client.console(f"why {state.legal_moves[0].notation}")
    for command in ("push 1", f"push {state.legal_moves[0].notation}", "push pass_on(two clubs)", "pop", "branch"):
        with pytest.raises(RefusedError, match="people still play this game"):
            client.console(command)
    for words in (str(state.legal_moves[0].notation)[len("pass_on(") : -1], "two clubs"):
        with pytest.raises(RefusedError, match="a kind of piece is not a value"):  # whether it can be passed on or not
            client.console(f"why {words}")


# ---------------------------------------------------------------- the protocol


def test_a_word_under_the_mouse_is_no_command(client: DebugClient) -> None:
    client.launch(program=NIM, seed=3, moves=["take(1, 1)"])
    client.stop("configurationDone")
    for context in ("hover", "watch"):
        for word in ("pop", "branch", "moves", "go 0", "push 1"):
            with pytest.raises(RefusedError):
                client.ask("evaluate", expression=word, context=context)
    assert client.ask("evaluate", expression="count pile[1]", context="hover")["result"] == "0"
    assert client.console("pop") == "0 decisions are left"


def test_a_decision_that_was_taken_back_is_no_longer_offered(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    client.stop("configurationDone")
    target = client.ask("gotoTargets", source={"path": NIM}, line=MOVING)["targets"][-1]["id"]
    with pytest.raises(RefusedError, match="counted from 0"):
        client.console("go -1")
    client.console("go 0")
    client.console("branch")
    with pytest.raises(RefusedError, match="no longer offered"):
        client.ask("goto", threadId=1, targetId=target)
    assert client.frames()


def test_a_second_launch_begins_anew(client: DebugClient) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    in_nim(client, MOVING)
    client.stop("configurationDone")
    target = client.ask("gotoTargets", source={"path": NIM}, line=MOVING)["targets"][-1]["id"]
    client.launch(program="tic_tac_toe")
    with pytest.raises(RefusedError, match="no longer offered"):
        client.ask("goto", threadId=1, targetId=target)
    assert client.stop("configurationDone")["reason"] == "pause"


def test_paths_need_not_be_in_their_shortest_form(client: DebugClient) -> None:
    client.launch(program=str(ROOT / "games" / ".." / "games" / "nim.rules"), seats={"all": "random"})
    assert in_nim(client, MOVING)[0]["verified"]
    client.stop("configurationDone")
    assert client.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]["path"] == NIM


def test_files_may_be_opened_over_a_link(client: DebugClient, tmp_path: Path) -> None:
    link = tmp_path / "rules"
    link.symlink_to(ROOT / "games")
    for launched, opened in ((NIM, link / "nim.rules"), (str(link / "nim.rules"), NIM)):
        client.launch(program=launched, seats={"all": "random"})
        answers = client.ask("setBreakpoints", source={"path": str(opened)}, breakpoints=[{"line": MOVING}])
        assert answers["breakpoints"][0]["verified"]
        assert client.stop("configurationDone")["reason"] == "breakpoint"


def test_the_client_of_another_editor_gets_along(testing_modules: Path) -> None:
    done = subprocess.run(
        ["node", Path(__file__).with_name("debugger_client.cjs"), Path(sys.executable).with_name("regelwerk"), NIM,
         f"{TAKING}"],
        env={**os.environ, "NODE_PATH": str(testing_modules)}, capture_output=True, text=True, timeout=PATIENCE * 2,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    places = [f"turn of ben:{PHASE}", f"set taker to me:{TAKING}"]
    assert json.loads(done.stdout) == [*places, *places, "ben wins"]


def test_broken_and_unknown_messages_are_survived(client: DebugClient) -> None:
    client.write(b"Content-Length: 5\r\n\r\n{nope")
    client.write(b"Nonsense\r\n\r\n")
    client.write(b"Content-Length: 2\r\n\r\n[]")
    with pytest.raises(RefusedError, match="is not supported"):
        client.ask("fly")
    with pytest.raises(RefusedError, match="nothing has been launched"):
        client.ask("continue", threadId=1)
    with pytest.raises(RefusedError, match="expression"):
        client.ask("evaluate", text=4)
    client.launch(program=NIM, seats={"all": "random"}, seed=3)
    assert client.stop("configurationDone")["reason"] == "pause"


def test_a_run_can_be_paused_and_breakpoints_set_meanwhile(client: DebugClient) -> None:
    client.launch(program="chinesische_mauer", seats={"all": "greedy"}, seed=3)
    client.ask("configurationDone")
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "no_such_rule"}])
    client.ask("pause", threadId=1)
    assert client.wait("stopped")["reason"] == "pause"


def test_a_run_to_a_decision_can_be_paused(client: DebugClient) -> None:
    client.launch(program="chinesische_mauer", seats={"all": "random"}, seed=3, stopOnEntry=True)
    client.stop("configurationDone")
    assert client.console("go 3") == "the game runs to decision 3"
    client.wait("continued")
    assert client.wait("stopped")["reason"] == "goto"
    assert client.console("go 100000") == "the game runs to decision 100000"
    client.ask("pause", threadId=1)
    assert client.wait("stopped")["reason"] == "pause"


def test_a_fault_of_the_debugger_costs_one_answer(client: DebugClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client.launch(program=NIM, seats={"all": "random"}, seed=3, stopOnEntry=True)
    client.stop("configurationDone")
    with monkeypatch.context() as broken:
        broken.setattr("editors.dap.server.stack", lambda *_: {}["frame"])
        broken.setattr("editors.dap.server.stepped", lambda *_: {}["step"])
        with pytest.raises(RefusedError, match="`stackTrace` failed because of a fault of the debugger: KeyError"):
            client.frames()
        assert "a fault of the debugger: KeyError: 'step'" in client.stop("stepIn")["text"]
    assert client.frames()


def test_lines_are_counted_as_the_client_counts_them(client: DebugClient) -> None:
    client.ask("initialize", adapterID="regelwerk", linesStartAt1=False, columnsStartAt1=False)
    client.ask("launch", program=NIM, seats={"all": "random"}, seed=3)
    assert in_nim(client, TAKING - 1)[0]["line"] == TAKING - 1
    client.stop("configurationDone")
    frame = client.ask("stackTrace", threadId=1)["stackFrames"][0]
    assert (frame["line"], frame["column"]) == (TAKING - 1, 4)


def test_the_adapter_ends_when_it_is_told_to(process: DebuggerProcess) -> None:
    process.launch(program=NIM)
    process.ask("disconnect")
    assert process.process.wait(timeout=PATIENCE) == 0


def test_the_adapter_ends_soon_after_its_client(process: DebuggerProcess) -> None:
    process.launch(program="go", seats={"all": "mcts:60s"}, seed=3)
    process.ask("configurationDone")
    begin = time.monotonic()
    process.writing.close()
    assert process.process.wait(timeout=PATIENCE) == 0
    assert time.monotonic() - begin < 30  # two seconds, on a machine with nothing else to do


def test_messages_are_json_after_their_length(client: DebugClient) -> None:
    content = json.dumps({"seq": 1, "type": "request", "command": "threads"}).encode()
    client.sent = 1
    client.write(b"content-length: %d\r\nContent-Type: application/json\r\n\r\n%s" % (len(content), content))
    client.launch(program=NIM)
    assert client.ask("threads")["threads"] == [{"id": 1, "name": "Nim"}]
