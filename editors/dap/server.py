"""The debug adapter: answers the requests of one client, and runs what is debugged in between.

One thread reads requests into a queue; the other one answers them, and, while the rules run, looks into the queue after
every decision. So a run can be paused, a breakpoint set meanwhile, and a client that goes away ends the run.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, TypeVar

from pydantic import ValidationError

from editors.dap import arguments
from editors.dap.breakpoints import (
    Breakpoint,
    breakpoint_at,
    executed_lines,
    line_from,
    path_of_source,
    place_stop,
    rule_named,
)
from editors.dap.console import answer, value
from editors.dap.debuggee import Debuggee, FailureKind, Waiting
from editors.dap.frames import StackFrame, stack
from editors.dap.launching import launched
from editors.dap.stepping import Hit, Step, run, stepped
from editors.dap.variables import References, Variable, scopes
from editors.dap.wire import BrokenMessageError, Request, Wire
from interpreter.errors import RegelwerkError
from interpreter.opponents.own_bots import described_failure
from interpreter.play.trace import Position, Stop, known_names
from interpreter.play.trace.search import meets

THREAD = 1
"""The only thread there is: the game."""

MAX_GOTO_TARGETS = 50
"""Maximum number of decisions that are offered for one line."""

FAILURES: dict[FailureKind, str] = {
    "fault": "Errors in rules and bots",
    "refused": "Moves that are refused",
    "then": "Claims of examples that fail",
}

OWN_FAULT = "`{}` failed because of a fault of the debugger: {}"

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsGotoTargetsRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsDataBreakpoints": True,
    "supportsLogPoints": True,
    "supportsTerminateRequest": True,
    "supportsBreakpointLocationsRequest": True,
    "exceptionBreakpointFilters": [
        {"filter": name, "label": label, "default": True} for name, label in FAILURES.items()
    ],
}

Body = Mapping[str, object]
Given = TypeVar("Given", bound=arguments.Arguments)


class RefusedRequestError(Exception):
    """A request that cannot be met now; the message is for the user."""


class Adapter:
    """One session with one client."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self.wire = Wire(reading, writing)
        self.requests: queue.Queue[Request | None] = queue.Queue()
        self.gone = threading.Event()
        self.settings = arguments.ClientSettings()
        self.debuggee: Debuggee | None = None
        self.launch = arguments.Launch()
        self.position = Position(0)
        self.references = References()
        self.filters: frozenset[str] = frozenset(FAILURES)
        self.line_breakpoints: dict[str, list[Breakpoint]] = {}
        self.rule_breakpoints: list[Breakpoint] = []
        self.place_breakpoints: list[Breakpoint] = []
        self.hits: Counter[int] = Counter()
        self.goto_targets: dict[int, Position] = {}
        self.failure: Waiting | None = None
        self.running: Iterator[None] | None = None
        self.end_was_told = False
        self.ended = False
        self.held_events: list[tuple[str, Body]] | None = None
        self.handlers: dict[str, Callable[[Request], Body | None]] = {
            "initialize": self._initialize, "launch": self._launch, "configurationDone": self._configured,
            "disconnect": self._end, "terminate": self._end, "threads": self._threads, "pause": self._pause,
            "setBreakpoints": self._set_line_breakpoints, "setFunctionBreakpoints": self._set_rule_breakpoints,
            "setDataBreakpoints": self._set_place_breakpoints, "dataBreakpointInfo": self._place_information,
            "setExceptionBreakpoints": self._set_filters, "breakpointLocations": self._breakable_lines,
            "exceptionInfo": self._failure_information, "stackTrace": self._stack, "scopes": self._scopes,
            "variables": self._variables, "evaluate": self._evaluate, "continue": lambda _: self._go_on(back=False),
            "reverseContinue": lambda _: self._go_on(back=True), "next": lambda _: self._step("over"),
            "stepIn": lambda _: self._step("in"), "stepOut": lambda _: self._step("out"),
            "stepBack": lambda _: self._step("back"), "gotoTargets": self._goto_targets, "goto": self._goto,
        }  # fmt: skip

    # ------------------------------------------------------------ the course of a session

    def serve(self) -> None:
        """Answer requests until the client goes away or ends the session."""
        threading.Thread(target=self._read, daemon=True).start()
        while not self.ended:
            try:
                request = self.requests.get(block=self.running is None)
            except queue.Empty:
                self._run_on()
                continue
            if request is None:
                return
            self._handle(request)

    def _read(self) -> None:
        """Read requests until the client goes away."""
        while True:
            try:
                request = self.wire.read()
            except BrokenMessageError as fault:
                self.wire.event("output", {"category": "stderr", "output": f"a message is ignored: {fault}\n"})
                continue
            except (OSError, ValueError):  # the stream was closed
                request = None
            if request is None or request.command in ("disconnect", "terminate"):
                self.gone.set()
            self.requests.put(request)
            if request is None:
                return

    def _handle(self, request: Request) -> None:
        handler = self.handlers.get(request.command)
        if handler is None:
            self.wire.refuse(request, f"the request `{request.command}` is not supported")
            return
        self.held_events = []
        try:
            body = handler(request)
        except ValidationError as fault:
            first = fault.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            self.wire.refuse(request, f"{request.command}: {where}: {first['msg']}")
        except RefusedRequestError as fault:
            self.wire.refuse(request, str(fault))
        except RegelwerkError as fault:
            self.wire.refuse(request, str(fault))
        except Exception as fault:
            # A fault of the debugger itself costs one answer, not a session in which somebody has come a long way.
            self.wire.refuse(request, OWN_FAULT.format(request.command, described_failure(fault)))
        else:
            self.wire.respond(request, body)
            self._after(request.command)
        held, self.held_events = self.held_events, None
        for name, content in held:
            self.wire.event(name, content)

    def _after(self, command: str) -> None:
        """What follows the response to a request."""
        if command == "launch":
            self._tell("initialized", {})
        elif command == "configurationDone":
            if self.launch.no_debug or not self.launch.stop_on_entry:
                self._begin_run(back=False)
            else:
                self._stopped("entry")
        elif command in ("disconnect", "terminate"):
            self._tell("terminated", {})
            self.ended = True

    def _run_on(self) -> None:
        """Go on running for a moment."""
        assert self.running is not None
        try:
            next(self.running)
        except StopIteration:
            self.running = None
        except Exception as fault:  # as in `_handle`
            self.running = None
            told = (
                str(fault) if isinstance(fault, RegelwerkError) else OWN_FAULT.format("run", described_failure(fault))
            )
            self._say(f"{told}\n", "stderr")
            self._stopped("exception", told)

    def _tell(self, event: str, body: Body) -> None:
        """Tell the client of an event: while a request is handled, after the response to it."""
        if self.held_events is None:
            self.wire.event(event, body)
        else:
            self.held_events.append((event, body))

    def _say(self, text: str, category: str = "console") -> None:
        self._tell("output", {"category": category, "output": text})

    def _stopped(self, reason: str, text: str = "", failure: Waiting | None = None) -> None:
        """Tell the client that the debugger stands at its position."""
        self.references.clear()
        self.failure = failure
        body: dict[str, object] = {"reason": reason, "threadId": THREAD, "allThreadsStopped": True}
        if text:
            body |= {"description": text.splitlines()[0], "text": text}
        self._tell("stopped", body)

    @property
    def _debugged(self) -> Debuggee:
        if self.debuggee is None:
            raise RefusedRequestError("nothing has been launched")
        return self.debuggee

    def _require(self) -> None:
        """Refuse a request before anything is launched. Raises RefusedRequestError."""
        _ = self._debugged

    # ------------------------------------------------------------ beginning and end

    def _initialize(self, request: Request) -> Body:
        self.settings = arguments.ClientSettings.model_validate(request.arguments)
        return CAPABILITIES

    def _launch(self, request: Request) -> Body | None:
        self.launch = arguments.Launch.model_validate(request.arguments)
        self.debuggee = launched(self.launch)
        self.position, self.running, self.failure, self.end_was_told = self.debuggee.recording.first, None, None, False
        self.line_breakpoints, self.rule_breakpoints, self.place_breakpoints = {}, [], []
        self.hits.clear()
        self.goto_targets.clear()
        self.references.clear()
        return None

    def _configured(self, _: Request) -> Body | None:
        self._require()
        return None

    def _end(self, _: Request) -> Body | None:
        self.running = None
        return None

    def _threads(self, _: Request) -> Body:
        name = "game" if self.debuggee is None else self.debuggee.game.title
        return {"threads": [{"id": THREAD, "name": name}]}

    # ------------------------------------------------------------ running

    def _pause(self, _: Request) -> Body | None:
        if self.running is not None:
            self.running = None
            self._stopped("pause")
        return None

    def _go_on(self, *, back: bool) -> Body | None:
        self._require()
        self._begin_run(back=back)
        return {"allThreadsContinued": True}

    def _begin_run(self, *, back: bool) -> None:
        self.running = self._run(back=back)

    def _run(self, *, back: bool) -> Iterator[None]:
        """Run until something stops the debugger; yields now and then, so that requests are answered."""
        debuggee = self._debugged
        while True:
            breakpoints = [] if self.launch.no_debug else self._all_breakpoints()
            for hit in run(debuggee.recording, self.position, breakpoints, self.hits, back=back):
                for message in hit.messages:
                    self._say(f"{message}\n")
                if hit.position is not None:
                    self._hit(hit, breakpoints)
                    return
                yield
            if back:
                self.position = debuggee.recording.first
                self._stopped("entry", "the beginning")
                return
            self.position = debuggee.recording.last
            waiting = debuggee.ahead(self.gone.is_set)
            if waiting is not None:
                self._wait(waiting)
                return
            yield

    def _hit(self, hit: Hit, breakpoints: list[Breakpoint]) -> None:
        assert hit.position is not None and hit.number is not None
        self.position = hit.position
        met = breakpoints[hit.number]
        reason = "data breakpoint" if met.stop.what else "function breakpoint" if met.entered else "breakpoint"
        self._stopped(reason, self._debugged.recording.event(hit.position).text)

    def _wait(self, waiting: Waiting) -> None:
        """Stop at the end of what is recorded; who goes on from the end of a game ends the session."""
        if waiting.over and (self.end_was_told or self.launch.no_debug or self._ends_quietly(waiting)):
            if not self.end_was_told:
                self._say(f"{waiting.text}\n", "stderr" if waiting.failure else "console")
            self._tell("exited", {"exitCode": 1 if waiting.failure else 0})
            self._tell("terminated", {})
            return
        self.end_was_told = waiting.over
        if waiting.failure is not None:
            self._say(f"{waiting.text}\n", "stderr")
            self._stopped("exception", waiting.text, waiting)
        else:
            self._say(f"{waiting.text}\n")
            self._stopped("pause", waiting.text)

    def _ends_quietly(self, waiting: Waiting) -> bool:
        return waiting.failure is not None and waiting.failure not in self.filters

    def _step(self, step: Step) -> Body | None:
        debuggee = self._debugged
        self.running = self._stepping(debuggee, step)
        return None

    def _stepping(self, debuggee: Debuggee, step: Step) -> Iterator[None]:
        following = stepped(debuggee.recording, self.position, step)
        if following is None and step == "back":
            self._stopped("step", "the beginning")
            return
        while following is None:
            self.position = debuggee.recording.last
            waiting = debuggee.ahead(self.gone.is_set)
            if waiting is not None:
                self._wait(waiting)
                return
            following = Position(debuggee.recording.plies)
            yield
        self.position = following
        self._stopped("step")

    def _running_to(self, debuggee: Debuggee, ply: int) -> Iterator[None]:
        """Let the recording grow up to a decision, past breakpoints, and stop there, or where it cannot grow."""
        while debuggee.recording.plies < ply:
            self.position = debuggee.recording.last
            waiting = debuggee.ahead(self.gone.is_set)
            if waiting is not None:
                self._say(f"there are {debuggee.recording.plies} decisions so far\n")
                self._wait(waiting)
                return
            yield
        self.position = Position(ply)
        self._stopped("goto")

    # ------------------------------------------------------------ breakpoints

    def _all_breakpoints(self) -> list[Breakpoint]:
        of_lines = [breakpoint_ for of_file in self.line_breakpoints.values() for breakpoint_ in of_file]
        return [*of_lines, *self.rule_breakpoints, *self.place_breakpoints]

    def _verified(
        self,
        wanted_breakpoints: list[arguments.WantedBreakpoint],
        make: Callable[[arguments.WantedBreakpoint], Breakpoint],
    ) -> tuple[list[Breakpoint], Body]:
        """The breakpoints that can be set, and the answer for each one that was wanted."""
        breakpoints, answers = [], list[dict[str, object]]()
        for wanted_breakpoint in wanted_breakpoints:
            try:
                breakpoint_ = make(wanted_breakpoint)
            except (RegelwerkError, RefusedRequestError) as fault:
                answers.append({"verified": False, "message": str(fault)})
                continue
            breakpoints.append(breakpoint_)
            line = breakpoint_.stop.line
            answers.append({"verified": True} | ({} if line is None else {"line": self._to_client(line)}))
        self.hits.clear()
        return breakpoints, {"breakpoints": answers}

    def _set_line_breakpoints(self, request: Request) -> Body:
        request_arguments = arguments.SetBreakpoints.model_validate(request.arguments)
        recording = self._debugged.recording

        def make(wanted_breakpoint: arguments.WantedBreakpoint) -> Breakpoint:
            file, lines = executed_lines(recording.program.model, request_arguments.source.path)
            line = line_from(lines, self._from_client(wanted_breakpoint.line))
            return breakpoint_at(wanted_breakpoint, Stop(line=line, file=file), recording)

        self.line_breakpoints[request_arguments.source.path], body = self._verified(request_arguments.breakpoints, make)
        return body

    def _set_rule_breakpoints(self, request: Request) -> Body:
        recording = self._debugged.recording

        def make(wanted_breakpoint: arguments.WantedBreakpoint) -> Breakpoint:
            node = rule_named(recording.program.model, wanted_breakpoint.name)
            return breakpoint_at(
                wanted_breakpoint, Stop(line=node.span.line, file=node.span.source.name), recording, node.number
            )

        request_arguments = arguments.SetBreakpoints.model_validate(request.arguments)
        self.rule_breakpoints, body = self._verified(request_arguments.breakpoints, make)
        return body

    def _set_place_breakpoints(self, request: Request) -> Body:
        recording = self._debugged.recording

        def make(wanted_breakpoint: arguments.WantedBreakpoint) -> Breakpoint:
            return breakpoint_at(wanted_breakpoint, place_stop(recording, wanted_breakpoint.data_id), recording)

        request_arguments = arguments.SetBreakpoints.model_validate(request.arguments)
        self.place_breakpoints, body = self._verified(request_arguments.breakpoints, make)
        return body

    def _place_information(self, request: Request) -> Body:
        name = arguments.DataBreakpointInfo.model_validate(request.arguments).name
        if name not in known_names(self._debugged.recording.program):
            return {"dataId": None, "description": f"`{name}` is no place or note"}
        return {"dataId": name, "description": f"changes of {name}", "accessTypes": ["write"]}

    def _set_filters(self, request: Request) -> Body | None:
        self.filters = frozenset(arguments.SetExceptionBreakpoints.model_validate(request.arguments).filters)
        return None

    def _breakable_lines(self, request: Request) -> Body:
        locations = arguments.BreakpointLocations.model_validate(request.arguments)
        _, lines = executed_lines(self._debugged.recording.program.model, locations.source.path)
        first = self._from_client(locations.line)
        last = first if locations.end_line is None else self._from_client(locations.end_line)
        return {"breakpoints": [{"line": self._to_client(line)} for line in lines if first <= line <= last]}

    def _failure_information(self, _: Request) -> Body:
        if self.failure is None or self.failure.failure is None:
            raise RefusedRequestError("nothing has failed here")
        label = FAILURES[self.failure.failure]
        return {"exceptionId": label, "description": self.failure.text, "breakMode": "always"}

    # ------------------------------------------------------------ what is shown

    def _stack(self, request: Request) -> Body:
        page = arguments.StackTrace.model_validate(request.arguments)
        frames = stack(self._debugged.recording, self.position)
        end = page.start_frame + page.levels if page.levels else len(frames)
        listed = [self._frame(number, frame) for number, frame in enumerate(frames)][page.start_frame : end]
        return {"stackFrames": listed, "totalFrames": len(frames)}

    def _frame(self, number: int, frame: StackFrame) -> dict[str, object]:
        body: dict[str, object] = {"id": number + 1, "name": frame.name, "line": 0, "column": 0}
        if frame.span is not None:
            path = path_of_source(frame.span.source)
            column = frame.span.column if self.settings.columns_start_at1 else frame.span.column - 1
            source = {"name": frame.span.source.name.rsplit("/", 1)[-1], "path": path}
            body |= {"line": self._to_client(frame.span.line), "column": column, "source": source}
        return body

    def _scopes(self, _: Request) -> Body:
        debuggee = self._debugged
        groups = scopes(debuggee.recording, self.position, debuggee.as_seat)
        return {
            "scopes": [
                {"name": group.name, "variablesReference": self.references.of(group), "expensive": number > 0}
                for number, group in enumerate(groups)
            ]
        }

    def _variables(self, request: Request) -> Body:
        page = arguments.Variables.model_validate(request.arguments)
        listed = self.references.listed(page.variables_reference, page.start, page.count)
        if listed is None:
            raise RefusedRequestError("this value is no longer shown: the debugger has gone on")
        return {"variables": [self._variable(variable) for variable in listed]}

    def _variable(self, variable: Variable) -> dict[str, object]:
        body: dict[str, object] = {
            "name": variable.name, "value": variable.value, "variablesReference": self.references.of(variable),
        }  # fmt: skip
        return body | ({"evaluateName": variable.place} if variable.place else {})

    def _evaluate(self, request: Request) -> Body:
        evaluation = arguments.Evaluate.model_validate(request.arguments)
        debuggee = self._debugged
        if self.running is not None:
            raise RefusedRequestError("the game is running: pause it first")
        evaluate = answer if evaluation.context == "repl" else value
        answered = evaluate(debuggee, self.position, evaluation.expression)
        if answered.moved_to is not None:
            self.position, self.end_was_told = answered.moved_to, False
            self.goto_targets.clear()  # the decisions offered may have been taken back
            self._stopped("step")
        if answered.run_to is not None:
            self.running = self._running_to(debuggee, answered.run_to)
            self._tell("continued", {"threadId": THREAD, "allThreadsContinued": True})
        variable = answered.variable
        return {"result": variable.value, "variablesReference": self.references.of(variable)}

    # ------------------------------------------------------------ jumping to a decision

    def _goto_targets(self, request: Request) -> Body:
        """The decisions during which something on a line was executed."""
        location = arguments.BreakpointLocations.model_validate(request.arguments)
        recording = self._debugged.recording
        file, lines = executed_lines(recording.program.model, location.source.path)
        line = line_from(lines, self._from_client(location.line))
        targets = list[dict[str, object]]()
        self.goto_targets.clear()
        executed = Stop(line=line, file=file)
        for ply in range(recording.plies + 1):
            events = recording.events(ply)
            index = next((index for index, event in enumerate(events) if meets(event, executed)), None)
            if index is not None and len(targets) < MAX_GOTO_TARGETS:
                number = len(targets) + 1
                self.goto_targets[number] = Position(ply, index)
                label = f"decision {ply}: {events[0].text}"
                targets.append({"id": number, "label": label, "line": self._to_client(line)})
        return {"targets": targets}

    def _goto(self, request: Request) -> Body | None:
        target = self.goto_targets.get(arguments.Goto.model_validate(request.arguments).target_id)
        if target is None:
            raise RefusedRequestError("this place is no longer offered")
        self.position, self.running = target, None
        self._stopped("goto")
        return None

    # ------------------------------------------------------------ how the client counts

    def _to_client(self, line: int) -> int:
        return line if self.settings.lines_start_at1 else line - 1

    def _from_client(self, line: int) -> int:
        return line if self.settings.lines_start_at1 else line + 1
