"""Custom bots, installed in a folder: a module with the metadata of a package that names its entry points."""

from __future__ import annotations

from pathlib import Path

BOTS = '''\
"""Bots for tests: some of them do something wrong."""

import time


class First:
    """Makes the first move, or the one with the number that it is set to."""

    def __init__(self, settings="0"):
        self.number = int(settings)

    def choose(self, situation):
        return self.number


class Last:
    def choose(self, situation):
        return len(situation.legal_moves) - 1


class Slow:
    """Thinks until it is asked for the move, ten minutes at most; then it makes the last one."""

    def choose(self, situation):
        end = time.monotonic() + 600
        while time.monotonic() < end and not situation.stop():
            time.sleep(0.01)
        return len(situation.legal_moves) - 1


class Deaf:
    """Thinks for ten minutes, whatever it is asked for."""

    def choose(self, situation):
        time.sleep(600)


class Broken:
    def choose(self, situation):
        return {}[situation.seat]


class Leaving:
    def choose(self, situation):
        raise SystemExit(3)


class Interrupting:
    def choose(self, situation):
        raise KeyboardInterrupt


class Cancelled:
    def choose(self, situation):
        raise BaseException(10**5000)


class Huge:
    """Makes a move whose number has more digits than Python converts to text."""

    def choose(self, situation):
        return 10**5000


class Odd:
    """Makes a move that is no number, one of several."""

    def __init__(self, settings):
        self.settings = settings

    def choose(self, situation):
        return eval(self.settings, {"Silent": Silent, "Exiting": Exiting, "Masked": Masked})


class Exiting:
    """An object that ends the program when its text is asked for."""

    def __repr__(self):
        raise SystemExit(0)


class Masked:
    """An object that says that it is a whole number, as a mock object may."""

    __class__ = int

    def __repr__(self):
        return "masked"


class Unspeakable:
    """Raises an exception that ends the program when its text is asked for."""

    def choose(self, situation):
        raise Mute


class Mute(Exception):
    def __str__(self):
        raise SystemExit(0)


class Silent:
    def __index__(self):
        raise KeyboardInterrupt

    def __repr__(self):
        raise ValueError("no text")


class Hiding:
    @property
    def choose(self):
        raise KeyboardInterrupt


class Stillborn:
    def __init__(self):
        raise KeyboardInterrupt


class Wordy:
    def choose(self, situation):
        return situation.legal_moves[0].notation


class Unready:
    def __init__(self):
        raise ValueError("the book of openings\\nis missing")


class Nothing:
    pass
'''
NAMES = (
    "first", "last", "slow", "deaf", "broken", "leaving", "wordy", "unready", "nothing", "interrupting", "cancelled",
    "huge", "odd", "hiding", "stillborn", "unspeakable",
)  # fmt: skip


def install_bots(
    folder: Path, text: str = BOTS, names: tuple[str, ...] = NAMES, module: str = "bots_for_tests"
) -> Path:
    """Write the bots to a folder that is to be on the path of Python; returns it."""
    package = folder / f"{module}-1.0.dist-info"
    package.mkdir(parents=True)
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    entries = "".join(f"{name} = {module}:{name.capitalize()}\n" for name in names)
    (package / "entry_points.txt").write_text(
        f"[regelwerk.bots]\n{entries}missing = {module}:Gone\nbad name = {module}:First\n", encoding="utf-8"
    )
    return folder
