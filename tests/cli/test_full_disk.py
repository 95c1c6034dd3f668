"""Where the disk is full: the file that cannot be written is named, and nothing that is cut off takes its place."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PEBBLES
from tests.support.project import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits of the POSIX kind")

FULL = """
import json, os, resource, signal, sys
sys.dont_write_bytecode = True
from regelwerk import command
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for line in json.loads(sys.argv[1]):
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
        sys.argv = ["regelwerk", *line]
        command.main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""
"""A program that calls the command for each line where no file can be written beyond its first bytes."""
WRITING = {
    "s2.json": ("play", "pebbles.rules", "--seat", "all=random", "--save", "s2.json"),
    "a.jsonl": ("simulate", "pebbles.rules", "-n", "2", "-j", "1", "--into", "a.jsonl"),
    "b.jsonl": ("arena", "pebbles.rules", "random", "random", "-n", "4", "-j", "1", "--into", "b.jsonl"),
    "found/pebbles.search.json": ("explore", "pebbles.rules", "--decisions", "20", "-j", "1", "--into", "found"),
    "tried/pebbles.changes.jsonl": ("mutate", "pebbles.rules", "--time", "2", "-n", "1", "-j", "1", "--into", "tried"),
    "f.csv": ("simulate", "pebbles.rules", "-n", "2", "-j", "1", "--figures", "f.csv"),
    "r.md": ("rulebook", "pebbles.rules", "--output", "r.md"),
    "t.html": ("trace", "s.json", "--html", "t.html"),
    "mine.rules": ("new", "mine"),
    "there/in/pebbles.rules": ("copy", "pebbles.rules", "there/in"),
    "a.txt": ("test", "pebbles.rules", "--coverage", "--playouts", "2", "-j", "1", "--annotate", "a.txt"),
    "x.rules": ("fmt", "x.rules"),
}
"""Verbs that write, by the file that they cannot write."""


def test_a_full_disk(run, own_folder):
    text = Path(PEBBLES).read_bytes()
    (own_folder / "pebbles.rules").write_bytes(text)
    (own_folder / "x.rules").write_bytes(text.replace(b"\n", b"\r\n"))
    assert run("play", "pebbles.rules", "--seat", "all=random", "--save", "s.json").exit_code == 0
    said = subprocess.run(
        [sys.executable, "-c", FULL, json.dumps(list(WRITING.values()))],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    ).stderr  # fmt: skip
    assert said.count("\n1\n") == len(WRITING), said
    for name in WRITING:
        assert f"{name}: file too large" in said, said
        written = own_folder / name
        assert not written.exists() or name in ("a.jsonl", "b.jsonl", "x.rules")
    assert not (own_folder / "there").exists()
    assert (own_folder / "x.rules").read_bytes() == text.replace(b"\n", b"\r\n")
