"""A failing example tells the values under its parts, and the events that led there."""

from pathlib import Path

import pytest

from tests.cli.conftest import PEBBLES, valid

EXAMPLE = """
== examples ==

example "huts in the field":
    given players red, green
    and hand[red] is [gem, chip]
    when red: build
    when red: show(chip)
    then count field is 1 and points(red) is 4
"""
TOLD = """\
FAILED "huts in the field"
  pebbles.rules:85:1
    pebbles.rules:90:5
     90 |     then count field is 1 and points(red) is 4
        |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        expected points(red) is 4, found 3
        count field = 1
        points(red) = 3  [P-3]
          gem = 3
  events before that:
    when red: build   pebbles.rules:88
      action build   pebbles.rules:60
        move 1 from store[me] to field   pebbles.rules:63
          red: store[red] → field
    when red: show(chip)   pebbles.rules:89
      action show(kind = chip)   pebbles.rules:55 [P-2]
        move 1 of kind from hand[me] to street (kind = chip)   pebbles.rules:58
          chip: hand[red] → street

0 of 1 examples passed in 1 file, 1 failed
"""


SUMMARY = ("", "0 of 1 examples passed in 1 file, 1 failed")


@pytest.fixture
def failing(own_folder):
    path = own_folder / "pebbles.rules"
    path.write_text(Path(PEBBLES).read_text(encoding="utf-8") + EXAMPLE, encoding="utf-8")
    return path


def test_values_and_events(run, failing):
    result = run("test", "pebbles.rules")
    assert result.exit_code == 1
    assert result.output == TOLD


def test_as_data(run, failing):
    (example,) = valid("test", run("test", failing, "--format", "json").output)["files"][0]["examples"]
    assert [event["kind"] for event in example["led_there"]] == ["decision", "rule", "statement", "change"] * 2


def test_of_a_long_story_the_end(run, failing):
    text = failing.read_text(encoding="utf-8")
    more = "\n".join(["    when phase main", *["    when red: throw", "    when green: throw"] * 12])
    text = text.replace("    when red: build\n    when red: show(chip)", more).replace("hand[red] is", "hand[green] is")
    failing.write_text(text, encoding="utf-8")
    short, full = run("test", failing), run("test", failing, "--events", "40")
    assert short.exit_code == full.exit_code == 1
    told = short.output.partition("the last 12 events before that (--events 40 shows more):\n")[2].splitlines()
    assert len(told) == 12 + len(SUMMARY)
    every_event = full.output.partition("  events before that:\n")[2].splitlines()
    assert every_event[-len(told) :] == told
    assert len(every_event) > len(told)
    assert " before that" not in run("test", failing, "--events", "0").output


FORCED = """
game "Forced" for 2 players ann, ben

== components ==

note grown[p: Player]: 0..9 = 0

== phases ==

phase main, turns from ann, over when grown[ben] is 9:
    must grow or rest

action grow:
    require me is ben                       because "ann never grows"
    add 1 to grown[me]

action rest:
    require me is ann                       because "ben never rests"

== scoring ==

winner highest grown[me]

== examples ==

example "a forced move has its reason":
    when phase main
    then ann may not grow because "ann never grows"

example "it is asked of the seat itself":
    when phase main
    then ben may not grow
"""


def test_why_a_forced_move_is_forced(run, own_folder):
    """`may not` speaks of the seat's own decision, also where only one move is legal, and of nobody else's."""
    (own_folder / "forced.rules").write_text(FORCED.lstrip(), encoding="utf-8")
    result = run("test", "forced.rules")
    assert result.exit_code == 1
    assert "1 of 2 examples passed" in result.output
    assert 'FAILED "it is asked of the seat itself"' in result.output
    assert "this is legal" in result.output
