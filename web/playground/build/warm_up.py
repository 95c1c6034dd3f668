"""What Python does before the snapshot of its memory is made: all that an author needs is imported and used once.

The game that it checks and plays, which visitors find first, uses what most games use.
"""

from __future__ import annotations

import json
import signal

import interpreter.authoring.examples.recording
import interpreter.opponents.alphabeta
import interpreter.opponents.greedy
import interpreter.opponents.mcts  # noqa: F401
from interpreter.watchdog import MAX_MEMORY, Watchdog
from web.workshop.workshop import Workshop

MAX_SECONDS = 10.0
"""Maximum time of one call into the rules, in seconds. The worker sends a signal a few times a second (`worker.js`)."""
NAME, WRONG = "first_game.rules", "wrong.rules"


def warm_up(rules: str) -> list[str]:
    """Check and play a game, well and badly; everything that was answered."""
    answers: list[str] = []
    workshop = Workshop()
    workshop.send = lambda line, text: answers.append(text)

    def ask(line: int, **message: object) -> None:
        workshop.hear(line, json.dumps({"id": "warm-up", **message}))
        while workshop.step():
            pass

    ask(0, kind="write", files={NAME: rules, WRONG: rules.replace("note taker", "noet taker").replace("ann:", "anna:")})
    ask(0, kind="check", rules=WRONG)
    ask(0, kind="check", rules=NAME)
    ask(0, kind="complete", rules=NAME, file=NAME, text=rules, offset=rules.index("set taker"))
    ask(0, kind="hover", rules=NAME, file=NAME, offset=rules.index("taker"))
    ask(0, kind="test", rules=NAME)
    ask(0, kind="begin", rules=NAME, kinds={"ann": "human", "ben": "random"}, options={})
    workshop.hear(1, json.dumps({"kind": "join", "token": ""}))
    ask(1, kind="rules")
    ask(1, kind="why", text="take(2)")
    ask(1, kind="ask", number=0, path=[])
    ask(1, kind="play", number=0, notation="take(1)")
    ask(0, kind="trace", level="everything", plies=10)
    ask(1, kind="undo")
    ask(0, kind="write", files={NAME: None, WRONG: None})
    return answers


workshop = Workshop()
signal.signal(signal.SIGINT, Watchdog(MAX_SECONDS, MAX_MEMORY).look)
