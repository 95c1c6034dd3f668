"""What the server knows: the open texts, the analyses of the games they belong to, and the work that is under way.

Requests are answered in the thread of the protocol. Games are read in another one, so that completion need not wait for
the checker: it works on the last analysis. Whatever speaks of places in a text waits for the analysis of that text.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import reading_from
from editors.lsp.documents import Document, Encoding, TextLines
from editors.service.analysis import Analysis, Trees, analyse, checked_file
from editors.service.names import Names
from editors.service.results import Finding, Place
from editors.service.texts import DISK, Texts


class StaleError(Exception):
    """Raised within an analysis whose texts have changed meanwhile."""


@dataclass(eq=False)
class CheckedGame:
    """The last analysis of a game, the names in it, and the number of changes that it has seen.

    `is_named`: the table of the names is filled. That takes half as long again as the analysis, so findings are shown
    before it, and completion does without.
    """

    analysis: Analysis
    names: Names
    change: int
    is_named: bool = False


class Session:
    """The state of one connection. All methods are called in the thread of the protocol, unless they say otherwise.

    `on_analysed` is called there after each analysis, with the file that was checked.
    """

    def __init__(self, on_analysed: Callable[[Path], None]) -> None:
        self.encoding = Encoding.Utf16
        self.documents: dict[Path, Document] = {}
        self.checked_games: dict[Path, CheckedGame] = {}
        self.trees = Trees()
        self._on_analysed = on_analysed
        self._change = 0
        # Shared with the thread that reads games: `_texts` is replaced and never changed, `_waiting` has a lock.
        self._texts: Mapping[Path, str] = {}
        self._waiting: dict[Path, int] = {}
        self._lock = threading.Lock()
        self._analysed = asyncio.Condition()
        self._wake = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def texts(self) -> Mapping[Path, str]:
        """The open texts. Any thread may ask for them."""
        return self._texts

    def start(self) -> None:
        """Start the thread that reads games; it ends with the process."""
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._work, daemon=True, name="analysis").start()

    # ---------------- changes

    def open(self, document: Document) -> None:
        """A text is opened, or opened anew."""
        self.documents[document.path] = document
        self.changed(document.path)

    def close(self, path: Path) -> None:
        """A text is closed: from now on the file counts."""
        if self.documents.pop(path, None) is not None:
            self.changed(path)

    def changed(self, path: Path) -> None:
        """A text, or a file, is not what it was: everything that depends on it is to be read again."""
        self._change += 1
        self._texts = {path: document.lines.text for path, document in self.documents.items()}
        targets = {target for target, checked in self.checked_games.items() if path in checked.analysis.asked}
        targets |= {self.target(open_path) for open_path in self.documents}
        with self._lock:
            for target in targets:
                checked = self.checked_games.get(target)
                if checked is None or path in checked.analysis.asked or path.parent in checked.analysis.asked:
                    self._waiting[target] = self._change
        self._wake.set()

    def target(self, path: Path) -> Path:
        """The file that is checked for a file."""
        with reading_from(Texts(self.texts, DISK)):
            return checked_file(path)

    def is_wanted(self, target: Path) -> bool:
        """True if an open text belongs to what is checked in a file."""
        return any(self.target(path) == target for path in self.documents)

    def is_fresh(self, path: Path) -> bool:
        """True if everything that is known of a file is about its text as it is now."""
        with self._lock:
            waiting = set(self._waiting)
        about = {target for target, checked in self.checked_games.items() if path in checked.analysis.asked}
        return waiting.isdisjoint({self.target(path), *about})

    def forget_unwanted(self) -> list[Path]:
        """Forget games of which no text is open; return the files that their findings were about."""
        forgotten: list[Path] = []
        for target in [target for target in self.checked_games if not self.is_wanted(target)]:
            forgotten += {finding.place.path for finding in self.checked_games.pop(target).analysis.findings}
            with self._lock:
                self._waiting.pop(target, None)
        return forgotten

    # ---------------- answers

    def last(self, path: Path) -> CheckedGame | None:
        """The last analysis of what a file belongs to, perhaps of an older text."""
        return self.checked_games.get(self.target(path))

    async def fresh(self, path: Path) -> CheckedGame | None:
        """The analysis of what a file belongs to, with all texts as they are now; None for a file that is not open."""
        if path not in self.documents:
            return self.last(path)
        target = self.target(path)
        if target not in self.checked_games and target not in self._waiting:
            self.changed(path)

        def is_done() -> bool:
            checked = self.checked_games.get(target)
            return target not in self._waiting and (checked is None or checked.is_named)

        async with self._analysed:
            await self._analysed.wait_for(is_done)
        return self.checked_games.get(target)

    def lines(self, path: Path, analysis: Analysis | None = None) -> TextLines:
        """The lines of a text: the open one, or that of the file."""
        document = self.documents.get(path)
        if document is not None:
            return document.lines
        source = analysis.source(path) if analysis is not None else None
        return TextLines(source.text if source is not None else "", self.encoding)

    def findings(self) -> Mapping[Path, list[Finding]]:
        """All findings by file; what several games find in the same place counts once."""
        by_path: dict[Path, list[Finding]] = {}
        for checked in self.checked_games.values():
            for finding in checked.analysis.findings:
                findings = by_path.setdefault(finding.place.path, [])
                if all(_key(finding) != _key(other) for other in findings):
                    findings.append(finding)
        return by_path

    # ---------------- the thread that reads games

    def _work(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            while True:
                with self._lock:
                    waiting = list(self._waiting.items())
                if not waiting:
                    break
                target, change = max(waiting, key=lambda item: item[1])
                checked = self._read(target, change)
                assert self._loop is not None
                asyncio.run_coroutine_threadsafe(self._finish(target, change, checked), self._loop).result()
                if checked is not None and self.checked_games.get(target) is checked:
                    _ = checked.names.by_path
                    asyncio.run_coroutine_threadsafe(self._named(checked), self._loop).result()

    def _read(self, target: Path, change: int) -> CheckedGame | None:
        """Read one game; give up, with None, as soon as its texts change."""

        def stop_if_stale(stage: str) -> None:
            if self._waiting.get(target) != change:
                raise StaleError(stage)

        try:
            analysis = analyse(target, self.texts, DISK, self.trees, stop_if_stale)
        except StaleError:
            return None
        except Exception:
            # A mistake of ours in one text must not end the service for all others. It is in the log of the editor.
            traceback.print_exc()
            return None
        return CheckedGame(analysis, Names(analysis), change)

    async def _finish(self, target: Path, change: int, checked: CheckedGame | None) -> None:
        """Keep what was read, unless its texts have changed again."""
        with self._lock:
            if self._waiting.get(target) != change:
                return
            del self._waiting[target]
        if checked is not None:
            self.checked_games[target] = checked
            self._on_analysed(target)
        async with self._analysed:
            self._analysed.notify_all()

    async def _named(self, checked: CheckedGame) -> None:
        checked.is_named = True
        async with self._analysed:
            self._analysed.notify_all()


def _key(finding: Finding) -> tuple[Place, str, str]:
    return finding.place, finding.code, finding.message
