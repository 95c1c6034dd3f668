"""A C source with the entry point of a library that compiles at once, and compilers that behave in unusual ways."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from interpreter.native.library import ResultShape

SHAPE = ResultShape(2, 1)

SOURCE = """\
#include <stdint.h>
typedef struct {
    int64_t *scores, *teams;
    uint64_t *winners;
    int64_t *decisions, *choices, *widest;
    uint8_t *failed;
} Results;
#ifndef EXTRA
#define EXTRA 0
#endif
int64_t play_games(uint64_t seed, int64_t count, double seconds, const volatile int32_t *stop, Results *results) {
    int64_t played = 0;
    for (; played < count && seconds > 0 && !*stop; played++) {
        for (int seat = 0; seat < 2; seat++) {
            results->scores[2 * played + seat] = (int64_t)seed + played + NUMBER;
            results->teams[2 * played + seat] = seat;
        }
        results->winners[played] = 2;
        results->decisions[played] = NUMBER + EXTRA;
        results->choices[played] = 11;
        results->widest[played] = 12;
        results->failed[played] = played == 1;
    }
    return played;
}
"""


def tiny(number: int) -> str:
    """A source of its own for each number, which its games have as their number of decisions."""
    return f"#define NUMBER {number}\n{SOURCE}"


def real_compiler() -> str:
    """The compiler that the tests are run with. Without one they fail: `.ci/run` installs it."""
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert found is not None, "the tests need a C compiler"
    return found


def script(path: Path, text: str) -> Path:
    """A program for the shell; `$REAL` in it is the real compiler."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text.replace("$REAL", real_compiler()) + "\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return path


def logging(path: Path, log: Path) -> Path:
    """A compiler that works, and writes a line whenever it is started."""
    return script(path, f'echo "$@" >> "{log}"\nexec $REAL "$@"')


def waiting(path: Path, until: Path, begun: Path) -> Path:
    """A compiler that compiles a game only when a file exists; until then its process number is in `begun`."""
    return script(
        path,
        f'case "$*" in *game.c*) echo $$ > "{begun}.new"; mv "{begun}.new" "{begun}"\n'
        f'while ! test -e "{until}"; do sleep 0.05; done;; esac\nexec $REAL "$@"',
    )
