"""The terminal of a full screen: input that is not text, job control, and a terminal that has gone."""

from __future__ import annotations

import os
import select
import signal
import threading
from typing import Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

GONE_SECONDS = 2
"""How long an app may take to end in order after its terminal has gone."""


class TerminalDriver(LinuxDriver):
    """The driver of the library, with five corrections.

    A byte that is not UTF-8 is read as `�`; in the library it ends the app. SIGCONT without a SIGTSTP before it, as
    after `kill -STOP`, draws the screen again; in the library it opens the screen a second time, and the terminal stays
    raw in the end. The screen opens again only where the terminal is the app's: after `bg` the library would believe it
    had been opened. If the terminal has gone, the app ends without a traceback; where the signal that says so is
    ignored, as by `nohup`, the library would wait for the terminal for ever, at the full speed of a processor.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._is_suspended = False
        self._closed = threading.Event()
        super().__init__(*arguments, **options)

    def _sigtstp_application(self, *arguments: Any) -> None:
        super()._sigtstp_application(*arguments)  # returns when the shell continues the command
        # The system may hand SIGCONT to another thread, and this one would wait for keys before it hears of it.
        if self._is_suspended:
            self.resume_application_mode()

    def suspend_application_mode(self) -> None:
        """Restore the terminal for the time in which the app is suspended."""
        self._is_suspended = True
        super().suspend_application_mode()

    def resume_application_mode(self) -> None:
        """Open the screen again after it was suspended; if it was not, only draw it again."""
        if not self._is_suspended:
            self._app.call_later(self._app.refresh, layout=True)
            return
        while self._is_suspended and os.tcgetpgrp(self.fileno) != os.getpgrp():
            os.kill(os.getpid(), signal.SIGSTOP)  # the handler of SIGCONT may run within this call, and open the screen
        if self._is_suspended:
            self._is_suspended = False
            super().resume_application_mode()

    def start_application_mode(self) -> None:
        """Begin, and watch for the end of the terminal."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # the library does not say
        self._closed = threading.Event()
        threading.Thread(target=self._end_with_terminal, args=(self._closed,), name="terminal", daemon=True).start()

    def close(self) -> None:
        """End, or be suspended."""
        self._closed.set()
        super().close()

    def _end_with_terminal(self, closed: threading.Event) -> None:
        """End the process when the terminal has gone, unless the app does so: every decision is saved already."""
        poll = select.poll()
        poll.register(self.fileno, 0)
        while not closed.is_set():
            if any(event & select.POLLHUP for _, event in poll.poll(500)):
                if not closed.wait(GONE_SECONDS):
                    os._exit(128 + signal.SIGHUP)
                return

    def _run_input_thread(self) -> None:
        while not self.exit_event.is_set():
            try:
                self.run_input_thread()
            except UnicodeDecodeError as fault:
                for event in XTermParser(self._debug).feed(fault.object.decode("utf-8", "replace")):
                    self.process_message(event)
            except OSError:
                self._app.call_later(self._app.exit)
                return
