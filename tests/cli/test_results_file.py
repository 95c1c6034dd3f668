"""Files of results: what is damaged is refused and never counted, whatever wrote the file."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path

import pytest
from typer.testing import Result

from dsl.text.claims import Claim
from interpreter.laboratory.results_file import _signed

WRITERS = {
    "arena": (("arena", "duel.rules", "random", "greedy", "-n", 4, "--into", "r.jsonl"), "r.jsonl"),
    "simulate": (("simulate", "duel.rules", "-n", 4, "--details", 2, "--into", "r.jsonl"), "r.jsonl"),
    "skill": (("simulate", "duel.rules", "-n", 2, "--skill", 2, "--into", "r.jsonl"), "r.jsonl.skill"),
    "compare": (("compare", "duel.rules", "duel.rules", "-n", 4, "--into", "r"), "r/a.jsonl"),
    "sweep": (("sweep", "duel.rules", "--players", "2..3", "-n", 4, "--into", "r"), None),
}


@pytest.fixture(params=WRITERS)
def written(request, alone, duel):
    """The command line, the file that it has written, and what it printed."""
    words, name = WRITERS[request.param]
    result = alone(*words)
    assert result.exit_code == 0, result.output
    path = duel / name if name else min((duel / "r").glob("*.jsonl"))
    return words, path, result.stdout


def said(result: Result) -> str:
    """The error message, on one line."""
    return " ".join(result.stderr.split())


def test_every_damaged_byte_is_noticed(alone, written, long_run):
    words, path, before = written
    content = path.read_bytes()
    rng = random.Random(1)
    head = content.index(b"\n")
    places = [rng.randrange(head + 1, len(content) - 1) for _ in range(60 if long_run else 4)]
    for place in places:
        if content[place] == ord("\n"):
            continue
        line = content.count(b"\n", 0, place) + 1
        for damage in (b"\xff", b"0" if content[place : place + 1] != b"0" else b"1", b""):
            damaged = content[:place] + damage + content[place + 1 :]
            path.write_bytes(damaged)
            result = alone(*words)
            assert result.exit_code == 1, (place, damage, result.output)
            message = (
                f"line {line} of {path.relative_to(Path.cwd())} is damaged; delete it, and that game is played again"
            )
            assert message in " ".join(result.stderr.split()), result.stderr
            assert path.read_bytes() == damaged
    path.write_bytes(content)
    assert alone(*words).stdout == before


def test_a_deleted_line_is_played_again(alone, written):
    words, path, before = written
    head, first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"".join(rest))
    assert alone(*words).stdout == before
    assert sorted(path.read_bytes().splitlines(keepends=True)) == sorted([head, first, *rest])


def test_a_damaged_first_line(alone, written):
    words, path, _ = written
    head, rest = path.read_bytes().split(b"\n", 1)
    damaged = head.replace(b'"checksum":"sha256:', b'"checksum":"sha256:0')
    path.write_bytes(damaged + b"\n" + rest)
    result = alone(*words)
    assert (result.exit_code, "was edited or damaged: its first line does not" in " ".join(result.stderr.split())) == (
        1,
        True,
    )
    assert path.read_bytes() == damaged + b"\n" + rest


def test_lines_of_another_file_are_refused(alone, duel):
    words, name = WRITERS["simulate"]
    alone(*words)
    ours = (duel / name).read_text()
    (duel / name).unlink()
    alone(*words, "--seed", 5)
    theirs = (duel / name).read_text().splitlines(keepends=True)
    (duel / name).write_text(ours + theirs[1])
    result = alone(*words)
    assert (result.exit_code, "line 6 of r.jsonl is damaged" in result.stderr) == (1, True)


def test_a_file_of_another_version_is_left_as_it_is(alone, written):
    words, path, _ = written
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["format_version"] = 1
    old = "".join(json.dumps({key: value for key, value in line.items() if key != "checksum"}) + "\n" for line in lines)
    path.write_text(old)
    result = alone(*words)
    assert result.exit_code == 1
    assert "was written by another version of Regelwerk; name a new file" in said(result)
    assert path.read_text() == old


NUMBERS = ["1e400", "-1e400", "NaN", "9" * 400, "9" * 5000, "1.5", "null", "[]", "{}", '"x"', "-1"]


@pytest.mark.parametrize("written", ["arena", "simulate"], indirect=True)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:6])
def test_well_signed_nonsense(alone, written, number, long_run):
    """Every number of the first game in turn is another one, with a fitting checksum.

    In the normal run each of them is replaced by a tenth of the other numbers.
    """
    words, path, _ = written
    head, line, *rest = path.read_text().splitlines()
    of = json.loads(head)["checksum"]
    places, turn = _numbers_in(json.loads(line)), NUMBERS.index(number)
    for place in places if long_run else places[turn % 10 :: 10]:
        try:
            text = json.dumps(_replaced(json.loads(line), place, json.loads(number)))
        except ValueError:  # more digits than Python reads
            text = json.dumps(_replaced(json.loads(line), place, "HERE")).replace('"HERE"', number)
            signed = text
        else:
            document = json.loads(text)
            document.pop("checksum")
            signed = json.dumps(_signed(document, of))
        path.write_text("\n".join([head, signed, *rest, ""]))
        result = alone(*words)
        assert "bug in Regelwerk" not in result.output, (place, result.output)
        assert result.exit_code == 0 or "is damaged" in result.stderr, (place, result.output)


def _numbers_in(value: object, place: tuple = ()) -> list[tuple]:
    """The places of numbers in a document."""
    if isinstance(value, dict):
        return [found for key, each in value.items() for found in _numbers_in(each, (*place, key))]
    if isinstance(value, list):
        return [found for key, each in enumerate(value[:2]) for found in _numbers_in(each, (*place, key))]
    return [place] if isinstance(value, int | float) else []


def _replaced(value, place: tuple, new: object):
    if not place:
        return new
    key, *rest = place
    value[key] = _replaced(value[key], tuple(rest), new)
    return value


def test_two_processes_with_one_file(alone, duel):
    for words, name in (WRITERS["arena"], WRITERS["simulate"]):
        with Claim(duel / name):
            result = alone(*words)
        assert result.exit_code == 1
        assert "is writing r.jsonl; wait, or name a new file" in said(result)
        assert not (duel / name).exists()
    assert list(duel.glob(".*.lock")) == []


def test_workers_do_not_hold_the_file(run, duel):
    """A killed command can be continued at once, while its workers are still ending."""
    context = multiprocessing.get_context("fork")
    going_on = context.Event()
    with Claim(duel / "r.jsonl"):
        worker = context.Process(target=going_on.wait, daemon=True)
        worker.start()
    Claim(duel / "r.jsonl").release()
    going_on.set()
    worker.join()
