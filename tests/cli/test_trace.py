"""The trace of a save as text and as data: levels, as_seat, what is hidden before the end."""

from tests.cli.conftest import PEBBLES, read, valid


def test_trace(run, save):
    result = run("trace", save, "--plain")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "the game is set up"
    assert any(line.startswith("  ") and "pebbles.rules:" in line for line in lines)
    assert any("[P-1]" in line for line in lines)
    assert any("bag is shuffled" in line for line in lines)
    assert lines[-1].startswith(("red ", "green "))
    assert run("trace", save).output == result.output, "a pipe gets the text"


def test_levels(run, save):
    lengths = []
    for level, told in {
        "moves": " → ",
        "rules": "action grab",
        "requirements": "asked",
        "everything": "if hand",
    }.items():
        lines = run("trace", save, "--plain", "--level", level).output.splitlines()
        lengths.append(len(lines))
        assert level == "requirements" or any(told in line for line in lines)
    assert lengths == sorted(lengths) and len(set(lengths)) == 4
    assert not any("pebbles.rules" in line and "move" in line for line in run("trace", save, "--level", "moves").output)
    wrong = run("trace", save, "--plain", "--level", "rule")
    assert wrong.exit_code == 2
    assert "there is no level `rule`; did you mean rules?" in wrong.output


def test_from_a_decision_on(run, save):
    whole = valid("trace", run("trace", save, "--format", "json").output)["events"]
    later = valid("trace", run("trace", save, "--format", "json", "--at", 5).output)["events"]
    assert [event["text"] for event in later] == [event["text"] for event in whole if event["ply"] >= 5]


def test_trace_as_json(run, save):
    document = valid("trace", run("trace", save, "--format", "json").output)
    events = document["events"]
    assert events[0]["depth"] == 0 and events[0]["kind"] == "setup"
    assert {event["kind"] for event in events} >= {"decision", "rule", "change", "requirement", "chance", "turn", "end"}
    assert document["plies"] == len([event for event in events if event["kind"] == "decision"])
    assert [(e["ply"], e["number"]) for e in events] == sorted((e["ply"], e["number"]) for e in events)
    few = valid("trace", run("trace", save, "--format", "json", "--level", "moves").output)["events"]
    assert {event["kind"] for event in few} <= {"setup", "turn", "decision", "chance", "change", "end"}


def test_before_the_end_a_person_sees_what_it_may_see(run, running):
    own = valid("trace", run("trace", running, "--format", "json").output)
    assert own["as"] == "red"
    told = [event["text"] for event in own["events"]]
    assert any("green pebble" in text or "2 pebble" in text for text in told)
    assert run("trace", running, "--as", "green").exit_code == 2
    assert run("trace", running, "--as", "nobody").exit_code == 2
    assert not read(running)["notes"]
    everything = valid("trace", run("trace", running, "--format", "json", "--all").output)
    assert everything["as"] is None
    assert not any("2 pebble" in event["text"] for event in everything["events"])
    assert [note["kind"] for note in read(running)["notes"]] == ["opened"], "it is written into every log"
    assert valid("trace", run("trace", running, "--format", "json").output)["as"] is None


def test_several_persons_say_whose_eyes(run, own_folder):
    run("play", PEBBLES, "--seat", "all=human", "--save", "two.json", typed=["", "1", "quit"])
    result = run("trace", "two.json")
    assert result.exit_code == 2
    assert "--as red or --as green" in result.output
    assert run("trace", "two.json", "--as", "green").exit_code == 0


def test_trace_wants_a_save(run, own_folder):
    result = run("trace", "nothing.json")
    assert (result.exit_code, result.output) == (1, "error: there is no save nothing.json\n")


def test_what_a_seat_knew_in_a_game_that_is_over(run, save):
    whole, own = run("trace", save, "--plain").output, run("trace", save, "--plain", "--as", "green").output
    assert "2 pebbles: bag → hand[red]" in own
    assert "2 pebbles: bag → hand[red]" not in whole
