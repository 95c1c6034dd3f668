"""Python with our packages in a web page: Pyodide in a worker, in the Chromium that is installed.

The page is served from a temporary folder with our wheel, built from this checkout, and with Pyodide and the packages
that it needs: those come from npm and pip, and stay in the user's cache folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import platformdirs

if TYPE_CHECKING:
    from tests.cli.browser import Tab

ROOT = Path(__file__).resolve().parent.parent
WORKER = Path(__file__).with_name("browser_worker.mjs")

PYODIDE = "314.0.7"
PYODIDE_PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

WHEELS = ROOT / "web" / "playground" / "build" / "wheels.py"
"""Fetches the packages that the interpreter needs in a browser."""

DEVELOPING = ("build", "hatchling", "playwright", "wasmtime")
"""Packages that are needed outside of the page."""

MAX_SECONDS = 300
"""The time after which an answer of the page is no longer waited for."""

ASK = f"""([request, argument]) => new Promise((resolve, reject) => {{
    globalThis.worker ??= new Worker("{WORKER.name}", {{type: "module"}});
    const fail = reason => {{ worker.terminate(); reject(new Error(reason)); }};
    const timer = setTimeout(fail, {MAX_SECONDS * 1000}, "no answer within {MAX_SECONDS} s");
    worker.onerror = event => fail(event.message);
    worker.onmessage = ({{data}}) => {{
        clearTimeout(timer);
        "error" in data ? reject(new Error(data.error)) : resolve(data.value);
    }};
    worker.postMessage([request, argument]);
}})"""
"""A function of the page that waits for the answer of the worker to a request."""


class MissingError(Exception):
    """Raised if something is not installed and cannot be fetched."""


class PythonInBrowser:
    """Python in a worker of a page. `loading` is how many seconds passed until it was loaded, with the wheels."""

    def __init__(self, tab: Tab, address: str, wheels: Iterable[str]) -> None:
        self.page = tab.page
        self._browser = tab.browser.new_browser_cdp_session()
        self.page.goto(address)
        self.loading: float = self._answer("load", list(wheels))

    def run(self, code: str) -> None:
        """Run statements."""
        self._answer("run", f"{code}\nNone")

    def value(self, expression: str) -> Any:
        """The value of an expression as JSON has it."""
        return json.loads(self._answer("run", f"import json; json.dumps({expression})"))

    def timed(self, code: str) -> float:
        """Run statements; the seconds of processor time that they take."""
        before = self.processor_time()
        self.run(code)
        return self.processor_time() - before

    def processor_time(self) -> float:
        """Seconds of processor time that pages have taken, with all their threads."""
        processes = self._browser.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(process["cpuTime"] for process in processes if process["type"] == "renderer"))

    def _answer(self, request: str, argument: object) -> Any:
        return self.page.evaluate(ASK, [request, argument])


@contextmanager
def python_in_browser() -> Iterator[PythonInBrowser]:
    """Python with our wheel in a browser, which is closed at the end. Raises MissingError."""
    for name in DEVELOPING:
        if importlib.util.find_spec(name) is None:
            raise MissingError(f"the package {name} is not installed: pip install 'regelwerk[dev]'")
    from tests.cli.browser import found_browser, opened_browser

    chromium = found_browser()
    if chromium is None:
        raise MissingError("Chromium is not installed")
    pyodide = pyodide_folder()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for path in (*pyodide.iterdir(), WORKER):
            shutil.copy(path, folder)
        building = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", temporary, str(ROOT))
        subprocess.run(building, check=True, capture_output=True)
        wheels = sorted(path.name for path in folder.glob("*.whl"))
        with served(folder) as address, opened_browser(chromium) as tab:
            yield PythonInBrowser(tab, address, wheels)


# ---- what is fetched


def pyodide_folder() -> Path:
    """The folder with Pyodide and the wheels of other packages, fetched unless it is there. Raises MissingError."""
    cache = Path(os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk"))
    folder = cache / f"pyodide-{PYODIDE}"
    if folder.is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise MissingError("npm, which fetches Pyodide, is not installed")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as temporary:
        fetched = Path(temporary) / "fetched"
        fetched.mkdir()
        _fetch(npm, "pack", f"pyodide@{PYODIDE}", "--pack-destination", temporary, "--fetch-retries=1")
        (archive,) = Path(temporary).glob("*.tgz")
        with tarfile.open(archive) as members:
            for part in PYODIDE_PARTS:
                content = members.extractfile(f"package/{part}")
                assert content is not None
                (fetched / part).write_bytes(content.read())
        _fetch(sys.executable, str(WHEELS), str(fetched), str(fetched / "pyodide-lock.json"))
        with suppress(OSError):  # another process was faster
            fetched.rename(folder)
    return folder


def _fetch(*words: str) -> None:
    """Run a command that fetches something. Raises MissingError."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
        raise MissingError(f"`{Path(words[0]).name} {' '.join(words[1:4])}` fails: {reason}")


# ---- the page


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder to this machine; their address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SilentHandler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


class SilentHandler(SimpleHTTPRequestHandler):
    """Serves files, and prints nothing about it."""

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""
