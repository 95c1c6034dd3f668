"""What is kept, and what of it is used again: only what this user kept, as it was kept."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from interpreter.native.building import build, cached
from interpreter.native.cache import ABANDONED, Cache, open_cache
from interpreter.native.library import Library, open_library
from tests.interpreter.native.tiny_source import SHAPE, logging, tiny, waiting
from tests.support.project import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses programs for the shell of POSIX")


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many games have been compiled by now; the compiler is a real one that counts."""
    log = tmp_path / "log"
    monkeypatch.setenv("CC", str(logging(tmp_path / "bin/counting", log)))
    return lambda: log.read_text("utf-8").count("game.c") if log.exists() else 0


def built(number: int) -> Library:
    """The library of a source, which plays its own games."""
    found = build(tiny(number), open_library)
    assert isinstance(found, Library), found
    assert found.play_games(0, 1, SHAPE).decisions[0] == number
    return found


def in_another_process(number: int) -> None:
    """Build and play in a process that has not built anything before."""
    subprocess.run(
        [sys.executable, "-c", f"from tests.interpreter.native.test_cache import built; built({number})"],
        cwd=ROOT, check=True,
    )  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("compiler-"))


def test_a_library_is_compiled_once(compiled: Callable[[], int], cache_folder: Path) -> None:
    one, other = built(1), built(1)
    assert compiled() == 1
    assert one.path == other.path
    assert one.path.parent == cache_folder
    built(2)
    assert compiled() == 2


def test_another_process_starts_no_compiler(compiled: Callable[[], int], tmp_path: Path) -> None:
    built(3)
    before = (tmp_path / "log").read_text("utf-8")
    in_another_process(3)
    assert (tmp_path / "log").read_text("utf-8") == before


def test_both_degrees_of_optimisation_are_kept(compiled: Callable[[], int]) -> None:
    quick = build(tiny(4), open_library, optimise=False)
    assert isinstance(quick, Library)
    assert quick.path != built(4).path
    assert compiled() == 2
    assert cached(tiny(4), open_library, optimise=False) is not None
    assert cached(tiny(5), open_library) is None


def test_another_version_of_a_compiler_compiles_again(compiled: Callable[[], int], tmp_path: Path) -> None:
    built(6)
    path = tmp_path / "bin/counting"
    text = path.read_text("utf-8")
    path.write_text(text.replace("exec", 'test "$1" = --version && echo newer && exit\nexec'), "utf-8")
    in_another_process(6)
    assert compiled() == 2


def not_in_use(path: Path) -> Path:
    """Put a copy in the place of a file, which must not change under the process that has loaded it."""
    copy = path.with_name("copy")
    shutil.copy2(path, copy)
    return copy.replace(path)


def changed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def loosened(path: Path) -> None:
    path.chmod(0o666)


def linked(path: Path) -> None:
    copy = path.with_name("copy")
    path.replace(copy)
    path.symlink_to(copy)


def given_away(path: Path) -> None:
    os.chown(path, 65534, -1)


def made_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def removed(path: Path) -> None:
    path.unlink()


DAMAGES = [changed, cut, emptied, loosened, linked, made_a_pipe, removed]


@pytest.mark.parametrize("damage", [*DAMAGES, given_away], ids=lambda each: str(each.__name__))
@pytest.mark.parametrize("suffix", [".so", ".json"])
def test_what_is_not_as_it_was_kept_is_compiled_again(
    compiled: Callable[[], int], damage: Callable[[Path], None], suffix: str
) -> None:
    if damage is given_away and os.getuid() != 0:
        pytest.skip("only root can give files away")
    path = built(7).path
    damaged = not_in_use(path if suffix == ".so" else path.with_name(path.name.partition("-")[0] + ".json"))
    kept = path.read_bytes()
    damage(damaged)
    assert cached(tiny(7), open_library) is None
    assert built(7).path == path
    assert compiled() == 2
    assert path.read_bytes() == kept
    assert not damaged.is_symlink()
    assert cached(tiny(7), open_library) is not None


def test_a_library_with_the_contents_of_another_is_not_loaded(compiled: Callable[[], int], cache_folder: Path) -> None:
    """The digest is that of the contents, whatever the file is called."""
    in_another_process(8)
    path = cache_folder / names(cache_folder)[0]
    path.write_bytes(built(9).path.read_bytes())
    assert cached(tiny(8), open_library) is None
    built(8)
    assert compiled() == 3


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"sha256": 1}', '{"sha256": "../../x"}', "[" * 100_000, '{"sha256": "' + "0" * 64 + '"}']
)
def test_a_note_that_is_not_ours_counts_as_missing(compiled: Callable[[], int], text: str, cache_folder: Path) -> None:
    key = built(10).path.name.partition("-")[0]
    (cache_folder / f"{key}.json").write_text(text, "ascii")
    built(10)
    assert compiled() == 2


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(
    compiled: Callable[[], int], cache_folder: Path, mode: int
) -> None:
    built(11)
    cache_folder.chmod(mode)
    before = names(cache_folder)
    elsewhere = built(11).path.parent
    assert elsewhere != cache_folder
    assert elsewhere.stat().st_mode & 0o777 == 0o700
    assert compiled() == 2
    assert names(cache_folder) == before
    assert "written to by other users" in str(opened().unused)


def opened() -> Cache:
    found = open_cache()
    assert isinstance(found, Cache)
    return found


def test_a_folder_of_another_user_is_not_used(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(12)
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    assert opened().folder != cache_folder
    assert opened().folders == (opened().folder,)
    assert "another user" in str(opened().unused)


def test_a_folder_that_is_a_link_is_not_used(cache_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "else").mkdir(mode=0o700)
    cache_folder.parent.mkdir()
    cache_folder.symlink_to(tmp_path / "else")
    built(13)
    assert names(tmp_path / "else") == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", "ascii")
    monkeypatch.setenv("REGELWERK_CACHE", str(tmp_path / "file"))
    built(14)
    assert "cannot be made" in str(opened().unused)


def test_a_full_disk(compiled: Callable[[], int], cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been kept is used, and new libraries last as long as the process."""
    built(15)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    assert built(15).path.parent == cache_folder
    assert compiled() == 1
    assert built(16).path.parent == built(16).path.parent != cache_folder
    assert compiled() == 2
    assert "is full" in str(opened().unused)


def as_nobody(folder: Path) -> None:
    """In a process of its own: give up what root may do, then build where nothing can be written."""
    os.environ["REGELWERK_CACHE"] = str(folder)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    kept = built(17).path
    assert kept.parent == folder / "native"
    kept.parent.chmod(0o500)
    try:
        assert built(17).path == kept
        assert built(18).path.parent != kept.parent
        assert "cannot be written to" in str(opened().unused)
    finally:
        kept.parent.chmod(0o700)


def test_a_folder_that_can_only_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            os.chown(folder, 65534, 65534)
        process = multiprocessing.get_context("fork").Process(target=as_nobody, args=(folder,))
        process.start()
        process.join(300)
        assert process.exitcode == 0


def fill(number: int, barrier: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    built(number)


def test_two_processes_fill_the_cache_at_once(cache_folder: Path) -> None:
    around = multiprocessing.get_context("spawn")
    barrier = around.Barrier(2)
    processes = [around.Process(target=fill, args=(19, barrier)) for _ in range(2)]
    for each in processes:
        each.start()
    for each in processes:
        each.join(300)
        assert each.exitcode == 0
    library, note = names(cache_folder)
    assert json.loads((cache_folder / note).read_text("ascii"))["sha256"].startswith(library[65:81])


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def alive(number: int) -> bool:
    """Whether a process exists and is no zombie."""
    path = Path(f"/proc/{number}/stat")
    try:
        return path.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> "subprocess.Popen[bytes]":
    """A process in the middle of compiling, which it ends when its input does."""
    monkeypatch.setenv("CC", str(waiting(tmp_path / "bin/waiting", tmp_path / "go on", tmp_path / "begun")))
    lines = (
        "import sys",
        "from interpreter.native.building import Building",
        "from interpreter.native.library import open_library",
        "from tests.interpreter.native.tiny_source import tiny",
        "building = Building(tiny(20), open_library)",
        "sys.stdin.read()",
    )
    process = subprocess.Popen([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, stdin=subprocess.PIPE)
    until(lambda: (tmp_path / "begun").exists())
    return process


def test_killed_in_the_middle(
    compiling: "subprocess.Popen[bytes]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_folder: Path
) -> None:
    """What a killed process leaves behind is passed over, and removed once nobody can be working on it."""
    compiler = int((tmp_path / "begun").read_text("ascii"))
    compiling.kill()
    compiling.communicate()
    os.killpg(compiler, signal.SIGKILL)
    (left,) = names(cache_folder)
    monkeypatch.delenv("CC")
    built(20)
    assert left in names(cache_folder)
    long_ago = time.time() - ABANDONED - 60
    os.utime(cache_folder / left, (long_ago, long_ago))
    built(21)
    assert left not in names(cache_folder)
    assert len(names(cache_folder)) == 4


def test_the_end_of_a_program_ends_its_compiler(
    compiling: "subprocess.Popen[bytes]", tmp_path: Path, cache_folder: Path
) -> None:
    compiler = int((tmp_path / "begun").read_text("ascii"))
    assert not (tmp_path / "go on").exists()
    assert compiling.communicate(timeout=120) == (None, None)
    assert compiling.returncode == 0
    until(lambda: not alive(compiler))
    assert names(cache_folder) == []


def keep(key: str, size: int, age: float, most: int) -> None:
    """Keep a file as if it were a library, last used some seconds ago."""
    cache = opened()
    with cache.scratch() as folder:
        made = folder / "made.so"
        made.write_bytes(key.encode("ascii") * (size // 64))
        kept = cache.keep(key, made, most)
    assert isinstance(kept, Path)
    then = time.time() - age
    os.utime(kept.with_name(f"{key}.json"), (then, then))


def test_those_not_used_for_the_longest_time_are_removed() -> None:
    first, second, third, fourth = (digit * 64 for digit in "abcd")
    keep(first, 6400, 3000, 20_000)
    keep(second, 6400, 2000, 20_000)
    keep(third, 6400, 1000, 20_000)
    assert opened().find(first)  # which counts as use
    keep(fourth, 6400, 0, 20_000)
    assert [bool(opened().find(key)) for key in (first, second, third, fourth)] == [True, False, True, True]
    keep("e" * 64, 64_000, 0, 20_000)
    assert [bool(opened().find(key)) for key in (first, third, fourth, "e" * 64)] == [False, False, False, True]


def test_a_library_without_its_note_is_removed_after_a_while(cache_folder: Path) -> None:
    library = built(22).path
    for path in (cache_folder / names(cache_folder)[1], library):
        if path.suffix == ".json":
            path.unlink()
    then = time.time() - ABANDONED - 60
    os.utime(library, (then, then))
    built(23)
    assert not library.exists()
