"""The viewer's questions: asking them, interpreting the answers, and showing what is wrong with invalid ones."""

from __future__ import annotations

import time
from asyncio import sleep
from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.text import Text
from textual.worker import Worker

from cli.errors import suggestion
from cli.render.reasons import decider, reasons
from cli.viewer.contents import tree, wrong
from cli.viewer.display import Display
from cli.viewer.session import SearchGoal
from cli.widgets.dialogs import MORE, Answer, Ask, Choose
from dsl.text.numbers import whole_number
from interpreter.errors import PlayError, UsageError
from interpreter.play.trace import Stop
from interpreter.wording.phrases import Phrase

REQUESTS = {
    "decision": Phrase("go to decision number"),
    "words": Phrase("search for an event with this text"),
    "change": Phrase("run to a change of which place or note? (hand: every hand)"),
    "expression": Phrase("evaluate which expression?"),
    "watch": Phrase("watch which expression?"),
    "until": Phrase("run until which condition is true?"),
    "altered": Phrase("run until which expression has a different value?"),
    "breakpoint": Phrase("stop at this line while which condition is true?"),
    "why": Phrase("explain which move, legal or not?"),
}


class Questions:
    """The dialogs of one viewer."""

    def __init__(self, viewer: Display, running: Playback) -> None:
        self.viewer, self.running, self.last = viewer, running, dict[str, str]()
        self.words = viewer.words

    # ---- asking for a line

    def ask(self, what: str, text: str = "", fault: RenderableType | None = None) -> None:
        """Ask for a line of text; ask again with the error until it is valid or the user cancels."""
        handle: Callable[[str], RenderableType | None] = getattr(self, f"_{what}")

        def answered(line: str | None) -> None:
            if line:
                self.last[what] = line
                error = handle(line)
                if error is not None:
                    self.ask(what, line, error)

        places = self._places() if what == "change" else ()
        self.viewer.push_screen(
            Ask(self.words.phrase(REQUESTS[what]), text, fault, places, self.last.get(what, "")), answered
        )

    def _decision(self, line: str) -> RenderableType | None:
        most = self.viewer.session.timeline.plies
        number = whole_number(line)
        if number is None or not 0 <= number <= most:
            several = Phrase("the decisions are numbered 1 to {number}; 0 is the setup", number=most)
            few = {0: Phrase("there is only 0, the setup"), 1: Phrase("the only decision is number 1; 0 is the setup")}
            return self._fault(few.get(most, several))
        self.viewer.go(self.viewer.session.to_decision(number))
        return None

    def _words(self, line: str) -> RenderableType | None:
        self.running.start(SearchGoal((Stop(words=line),), f"`{line}`"))
        return None

    def _change(self, line: str) -> RenderableType | None:
        places = self._places()
        if line not in places:
            hint = suggestion(line, places)
            return self._fault(Phrase("there is no place or note `{name}` here{meant}", name=line, meant=hint))
        self.running.start(SearchGoal((Stop(what=line),), Phrase("a change of {name}", name=line)))
        return None

    def _expression(self, line: str) -> RenderableType | None:
        return self._evaluated(line, lambda text: self.answer(text, list(tree(self.viewer.session.evaluate(text)))))

    def _watch(self, line: str) -> RenderableType | None:
        def watch(text: str) -> None:
            self.viewer.session.watch(text)
            self.viewer.changed()

        return self._evaluated(line, watch)

    def _until(self, line: str) -> RenderableType | None:
        def run(text: str) -> None:
            self.viewer.session.timeline.check_condition(text)
            self.running.start(SearchGoal((Stop(holds=text),), Phrase("`{condition}` to be true", condition=text)))

        return self._evaluated(line, run)

    def _altered(self, line: str) -> RenderableType | None:
        def run(text: str) -> None:
            self.viewer.session.timeline.check_expression(text)
            self.running.start(SearchGoal((), Phrase("another value of `{expression}`", expression=text), altered=text))

        return self._evaluated(line, run)

    def _breakpoint(self, line: str) -> RenderableType | None:
        def set_(text: str) -> None:
            source, session = self.viewer.source, self.viewer.session
            session.break_if(source.file, source.cursor, text)
            source.mark(session.breakpoints)
            report = Phrase(
                "breakpoint on line {line} while `{condition}`; r runs to it", line=source.cursor, condition=text
            )
            self.viewer.say(session.note or report)

        return self._evaluated(line, set_)

    def _why(self, line: str) -> RenderableType | None:
        def explain(text: str) -> None:
            session = self.viewer.session
            answer = session.snapshot.why(text)
            deciding_seat = decider(session.snapshot.view().turn, session.timeline.as_seat)
            further = self.words.phrase("{command} shows the rest", command=MORE)
            self.answer(
                text,
                list(reasons(answer, deciding_seat, further, self.words)),
                list(reasons(answer, deciding_seat, words=self.words)),
            )

        return self._evaluated(line, explain)

    def _evaluated(self, line: str, use: Callable[[str], None]) -> RenderableType | None:
        try:
            use(line)
        except UsageError as fault:
            return wrong(fault, self.words)
        except PlayError as fault:
            return Text(self.words.message(fault), style="bright_red")
        return None

    def _fault(self, message: Phrase) -> Text:
        return Text(self.words.phrase(message), style="bright_red")

    def _places(self) -> Sequence[str]:
        """The names of places and notes, each zone and note also without its index."""
        view = self.viewer.session.snapshot.view()
        names = [*view.zones, *view.notes]
        return sorted({*names, *(name.partition("[")[0] for name in names)})

    # ---- asking for one of several

    def seat(self) -> None:
        """Ask for a seat, and search for its next decision."""
        viewer = self.viewer
        choices = [(self._seated(seat), seat) for seat in viewer.session.game.seats]

        def answered(seat: str | None) -> None:
            if seat is not None:
                self.running.start(
                    SearchGoal((Stop(seat=seat),), Phrase("a decision of {seat}", seat=self.words.name(seat)))
                )

        viewer.push_screen(Choose(self.words.phrase("run to a decision of"), choices), answered)

    def costly(self) -> None:
        """Ask for one of the costliest decisions, and go to it; show the analysis if there is none yet."""
        viewer = self.viewer
        decisions = viewer.analysis.costly()
        if not decisions:
            viewer.analysis.begin()
            viewer.say(Phrase("no costly decision has been found: {progress}", progress=viewer.analysis.progress))
            return

        def answered(ply: int | None) -> None:
            if ply is not None:
                self.running.stop()
                viewer.go(viewer.session.to_decision(ply))

        viewer.push_screen(
            Choose(
                self.words.phrase("go to a costly decision"),
                [(viewer.analysis.words(decision), decision.ply) for decision in decisions],
            ),
            answered,
        )

    def look_as(self) -> None:
        """Ask for the seat to view the game as."""
        viewer, offered = self.viewer, self.viewer.session.offered
        if len(offered) < 2:
            viewer.say(Phrase("another seat can be chosen only after the game, or with --all"))
            return
        choices = [
            (Text(self.words.phrase("everything")) if seat is None else self._seated(seat), (seat,)) for seat in offered
        ]

        def answered(chosen: tuple[str | None] | None) -> None:
            if chosen is not None:
                self.running.stop()
                viewer.session.look_as(chosen[0])
                viewer.outline.follow(viewer.session.timeline)
                viewer.changed()

        viewer.push_screen(Choose(self.words.phrase("view as"), choices), answered)

    def unwatch(self) -> None:
        """Ask for a watched expression, and remove it."""
        viewer, watched = self.viewer, self.viewer.session.watched
        if not watched:
            viewer.say(Phrase("nothing is watched yet; w watches an expression"))
            return

        def answered(text: str | None) -> None:
            if text is not None:
                viewer.session.unwatch(text)
                viewer.changed()

        viewer.push_screen(
            Choose(self.words.phrase("stop watching"), [(Text(text), text) for text in watched]), answered
        )

    def _seated(self, seat: str) -> Text:
        return Text(self.words.name(seat), style=self.viewer.look.style(seat))

    # ---- what to search for

    def line_of(self, file: str, line: int) -> SearchGoal:
        """Search for events on a line."""
        return SearchGoal((Stop(line=line, file=file),), Phrase("line {number}", number=line))

    def breakpoints(self) -> SearchGoal:
        """Search for the lines with a breakpoint."""
        marked = sorted(self.viewer.session.breakpoints.items())
        stops = (Stop(line=line, file=file, holds=condition or None) for (file, line), condition in marked)
        return SearchGoal(tuple(stops), Phrase("a breakpoint"))

    def chance(self) -> SearchGoal:
        """Search for a shuffle, roll or pick."""
        return SearchGoal((Stop(kinds=frozenset({"chance"})),), Phrase("chance"))

    def answer(self, title: str, parts: Sequence[RenderableType], more: Sequence[RenderableType] = ()) -> None:
        """Show an answer until the user closes it, with `more` at a key."""
        self.viewer.push_screen(Answer(title, parts, more))


# ---------------- searching a game in short time slices, so that keys are handled in between


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
