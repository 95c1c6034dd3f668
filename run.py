#!/usr/bin/env python3
"""Sets up everything once, beside this file, and then runs it. Needs Python 3.11 and nothing else.

    python3 run.py play [GAME] [FLAGS]   play Chinesische Mauer, or GAME, against bots
    python3 run.py demo [FLAGS]          the same game played by random bots alone, to the final table
    python3 run.py test [FLAGS]          every check and every test; FLAGS go to pytest
    python3 run.py long [FLAGS]          the same with the long tests; started again, it continues where it stopped
    python3 run.py bench [FLAGS]         measure, and print a table
    python3 run.py site                  build the website, with the playground; needs npm
    python3 run.py regelwerk ...         the command itself: regelwerk check FILE, regelwerk --help, ...
    python3 run.py setup                 only set up

The first call makes the folder .venv and installs into it; later calls use it as long as pyproject.toml is the same.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "regelwerk-installed"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
GAME = "chinesische_mauer"

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy", "--strict"),
    ("lint-imports",),
    ("regelwerk", "fmt", "--check", "games", "tests/cli", "tests/games", "tests/interpreter"),
)

TEST_PROCESSES = (os.cpu_count() or 1) + 1
"""One more than there are processors: tests of the command wait for processes and terminals a good part of the time."""

IN_PROCESSES = ("--dist", "worksteal", "-o", "faulthandler_exit_on_timeout=true", "-o")
"""The flags that make several processes run the tests; the setting that follows is a time in seconds.

A test that waits for ever fails after a time (tests/conftest.py). If it still waits, as at the end of a `with` whose
threads never end, its process is ended a little later: the run names the test, and another process does the rest.
"""

LONG = ("-p", "tests.support.long_run", "--long")
"""The flags that make a run of pytest the long one: docs/testing.md."""


def main(arguments: list[str]) -> int:
    """Do what the first argument says; the exit code."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if command in ("help", "-h", "--help"):
        print(__doc__.strip())
        return 0
    if command not in ("play", "demo", "test", "long", "bench", "site", "regelwerk", "setup"):
        return complain(f"unknown command {command!r}; python3 run.py --help lists them", code=2)
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is also read by an older Python
        return with_newer_python(arguments)
    if not set_up(developing=command in ("test", "long", "site", "setup")):
        return 1
    if command == "test":
        return test("-n", str(TEST_PROCESSES), *IN_PROCESSES, "faulthandler_timeout=900", *rest)
    if command == "long":
        if "--list" in rest:
            return run(command_line("python", "-m", "pytest", "-q", *LONG, *rest))
        return test(*LONG, "-n", "auto", *IN_PROCESSES, "faulthandler_timeout=18000", *rest)
    if command == "play":
        named = rest and not rest[0].startswith("-")
        hand_over("regelwerk", "play", *([] if named else [GAME]), *rest)
    if command == "demo":
        hand_over("regelwerk", "play", GAME, "--seat", "all=random", "--seed", "7", *rest)
    if command == "bench":
        hand_over("python", "-m", "benchmarks", *rest)
    if command == "site":
        hand_over("python", "-m", "website", *rest)
    if command == "regelwerk":
        hand_over("regelwerk", *rest)
    return 0


# ---- setting up


def set_up(developing: bool) -> bool:
    """Make .venv and install the project into it, unless that is done already; whether it stands."""
    wanted = fingerprint()
    installed = STAMP.read_text().split() if STAMP.exists() and PYTHON.exists() else []
    developing = developing or "dev" in installed  # who tests here goes on to do so
    if installed[:1] == [wanted] and (not developing or "dev" in installed):
        return True
    if missing := [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]:
        complain(
            f"this Python ({sys.executable}) comes without {' and '.join(missing)}, which set-up needs.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv. Elsewhere: any full Python 3.11 or newer,\n"
            "for example PYTHON=/path/to/python3 make play, or /path/to/python3 run.py play."
        )
        return False
    say("setting up .venv, once; this takes about a minute")
    STAMP.unlink(missing_ok=True)
    kept = installed[:1] == [wanted]  # only the tools for the tests are missing
    if not kept and run([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        complain(f"could not make {VENV}; the reason stands above")
        return False
    # Python compiles what it imports; all of it would take a third of the time of setting up.
    pip = (str(PYTHON), "-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check", "--no-compile")
    # OpenSpiel has wheels for some machines only, and is not built from its sources: that takes an hour.
    whole = ("--only-binary", "open_spiel", "--editable", f"{ROOT}[dev,classic]")
    is_whole = developing and run([*pip, *whole], errors=subprocess.DEVNULL) == 0
    if not is_whole and run([*pip, "--editable", f"{ROOT}[dev]" if developing else f"{ROOT}[web]"]) != 0:
        complain("could not install what pyproject.toml names; the reason stands above. Is there a network?")
        return False
    if developing and not is_whole:
        say("OpenSpiel cannot be installed here: the tests in step with it or python-chess will be skipped")
    STAMP.write_text(f"{wanted} {'dev' if developing else ''}\n")
    return True


def fingerprint() -> str:
    """What the installation depends on: what is asked for, which Python, which folder."""
    asked = (ROOT / "pyproject.toml").read_bytes()
    return hashlib.sha256(asked + repr((sys.version_info[:2], str(ROOT))).encode()).hexdigest()[:20]


def with_newer_python(arguments: list[str]) -> int:
    """Start again with a Python that is new enough, if there is one."""
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        found = shutil.which(name)
        if found and run([found, "-c", ""], errors=subprocess.DEVNULL) == 0:
            return run([found, str(ROOT / "run.py"), *arguments], folder=None)
    version = ".".join(str(part) for part in sys.version_info[:3])
    return complain(f"Python 3.11 or newer is needed; this one ({sys.executable}) is {version}")


# ---- running


def test(*flags: str) -> int:
    """Every check and every test; all are run, whatever fails.

    The checks take one core for a minute and a half. They run while pytest collects and begins, which leaves no core
    idle; what each has to say appears at once when it is done.
    """
    failed: list[str] = []

    def check_all() -> None:
        for check in CHECKS:
            started = time.monotonic()
            words = command_line(*check)
            done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            outcome = "failed" if done.returncode else "passed"
            if done.returncode:
                failed.append(" ".join(check))
            sys.stdout.buffer.write(b"\n" + done.stdout)
            sys.stdout.flush()
            say(f"{' '.join(check)}: {outcome}", started)

    checks = threading.Thread(target=check_all, daemon=True)
    checks.start()
    say("pytest, beside the checks")
    if run(command_line("python", "-m", "pytest", *flags)) != 0:
        failed.append("pytest")
    checks.join()
    return complain(f"failed: {', '.join(failed)}") if failed else 0


def command_line(name: str, *arguments: str) -> list[str]:
    """The words that start a program of .venv."""
    return [str(BIN / (f"{name}.exe" if os.name == "nt" else name)), *arguments]


def hand_over(name: str, *arguments: str) -> None:
    """Let a program of .venv take the place of this one. Does not come back."""
    words = command_line(name, *arguments)
    if name == "python":
        os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(subprocess.call(words))
    os.execv(words[0], words)


def run(words: list[str], errors: int | None = None, folder: Path | None = ROOT) -> int:
    """Run a program to its end, in a folder or where this one runs; its exit code. An interrupt ends both.

    `errors` is where its messages go, as for `subprocess.Popen`.
    """
    interrupted = False
    with subprocess.Popen(words, cwd=folder, stderr=errors) as process:
        while process.poll() is None:
            try:
                process.wait()
            except KeyboardInterrupt:  # in a terminal the program has got it too
                interrupted = True
    if interrupted:
        sys.exit(complain("interrupted", code=130))
    return process.returncode


def say(text: str, started: float | None = None) -> None:
    """A line about what is going on."""
    seconds = "" if started is None else f" ({time.monotonic() - started:.1f} s)"
    print(f"-- {text}{seconds}", file=sys.stderr, flush=True)


def complain(text: str, code: int = 1) -> int:
    """Say what is wrong; the exit code."""
    print(f"run.py: {text}", file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
