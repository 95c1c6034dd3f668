"""Searching a game in short time slices, so that keys are handled in between."""

from __future__ import annotations

import time
from asyncio import sleep

from textual.worker import Worker

from cli.viewer.display import Display
from cli.viewer.session import SearchGoal
from interpreter.errors import PlayError, UsageError
from interpreter.wording.phrases import Phrase

SLICE = 0.02
"""Seconds a search runs before keys are handled again."""


class Playback:
    """The running search of a viewer, if any."""

    def __init__(self, viewer: Display) -> None:
        self.viewer = viewer
        self._worker: Worker[None] | None = None

    @property
    def is_on(self) -> bool:
        """True if a search is running."""
        return self._worker is not None and self._worker.is_running

    def start(self, goal: SearchGoal, *, back: bool = False) -> None:
        """Search for an event, replacing any running search."""
        self.stop()
        self._worker = self.viewer.run_worker(self._search(goal, back), exclusive=True)

    def stop(self) -> bool:
        """Stop the search; True if one was running."""
        worker, self._worker = self._worker, None
        if worker is None or not worker.is_running:
            return False
        worker.cancel()
        self.viewer.say("")
        return True

    async def _search(self, goal: SearchGoal, back: bool) -> None:
        viewer, segments, since = self.viewer, 0, time.monotonic()
        try:
            for position in viewer.session.run(goal, back=back):
                if position is not None:
                    viewer.say("")
                    viewer.go(position)
                    return
                segments += 1
                if time.monotonic() - since > SLICE:
                    viewer.say(
                        Phrase(
                            "searching for {goal}: {decisions} so far; Esc stops", goal=goal.words,
                            decisions=Phrase("{number} decision", plural="{number} decisions", number=segments),
                        )
                    )  # fmt: skip
                    await sleep(0)
                    since = time.monotonic()
        except (PlayError, UsageError) as fault:  # such as a stored condition that is invalid under the current rules
            viewer.say(viewer.words.fault(fault).splitlines()[0])
            return
        viewer.say(
            Phrase("{goal}: not found before this event", goal=goal.words)
            if back
            else Phrase("{goal}: not found after this event", goal=goal.words)
        )
