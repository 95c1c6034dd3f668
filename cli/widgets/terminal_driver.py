"""The terminal of a full screen: input that is not text, job control, and a terminal that has gone."""

from __future__ import annotations

from typing import Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """The driver of the library, with three corrections.

    A byte that is not UTF-8 is read as `�`; in the library it ends the app. SIGCONT without a SIGTSTP before it, as
    after `kill -STOP`, draws the screen again; in the library it opens the screen a second time, and the terminal stays
    raw in the end. If the terminal has gone, the app ends without a traceback.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._is_suspended = False
        super().__init__(*arguments, **options)

    def suspend_application_mode(self) -> None:
        """Restore the terminal for the time in which the app is suspended."""
        self._is_suspended = True
        super().suspend_application_mode()

    def resume_application_mode(self) -> None:
        """Open the screen again after it was suspended; if it was not, only draw it again."""
        if self._is_suspended:
            self._is_suspended = False
            super().resume_application_mode()
        else:
            self._app.call_later(self._app.refresh, layout=True)

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
