"""Which compiler is found, which are passed over, and what is said if there is none."""

import importlib.util
import os
import sys
import time
from pathlib import Path

import pytest

from interpreter.native.building import build
from interpreter.native.cache import Cache, open_cache
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.library import Library, open_library
from interpreter.native.not_built import NotBuilt
from interpreter.native.processes import run
from tests.interpreter.native.tiny_source import SHAPE, logging, real_compiler, script, tiny

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses programs for the shell of POSIX")


@pytest.fixture
def without_ziglang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)


def cache() -> Cache:
    found = open_cache()
    assert isinstance(found, Cache)
    return found


def decisions(built: Library | NotBuilt) -> int:
    assert isinstance(built, Library), built
    return built.play_games(0, 1, SHAPE).decisions[0]


def test_a_compiler_is_found() -> None:
    found = find_compiler(cache())
    assert isinstance(found, Compiler), found
    assert Path(found.words[0]).is_absolute()
    assert found.version


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, without_ziglang: None) -> None:
    monkeypatch.setenv("PATH", "")
    built = build(tiny(1), open_library)
    assert isinstance(built, NotBuilt)
    for word in ("cc is not installed", "gcc is not", "clang is not", "ziglang is not", "pip install"):
        assert word in built.reason
    assert "\n" not in built.reason


def test_a_broken_compiler_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "bin/cc", "echo 'no headers here' >&2; exit 1")
    logging(tmp_path / "bin/gcc", tmp_path / "log")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert decisions(build(tiny(2), open_library)) == 2
    found = find_compiler(cache())
    assert isinstance(found, Compiler)
    assert found.words == (str(tmp_path / "bin/gcc"),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("echo 'first line\nsecond line' >&2; exit 1", "cc failed: first line"),
        ("exit 3", "cc failed: exit code 3"),
        ("exit 0", "made no library"),
        ('while test "$1" != -o; do test "$1" = --version && exit; shift; done; echo text > "$2"', "cannot be loaded"),
        ("printf '\\033[31mred' >&2; exit 1", "cc failed: "),
    ],
)
def test_the_reason_of_a_broken_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_ziglang: None, text: str, reason: str
) -> None:
    script(tmp_path / "bin/cc", text.replace("\n", "\\n") if "second" not in text else text)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    built = build(tiny(3), open_library)
    assert isinstance(built, NotBuilt)
    assert reason in built.reason
    assert "second line" not in built.reason
    assert "\033" not in built.reason


def test_the_compiler_wished_for_with_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{real_compiler()} -DEXTRA=100 '-DUNUSED=a b;c'")
    assert decisions(build(tiny(4), open_library)) == 104


@pytest.mark.parametrize("wished", ["no_such_compiler -O9", "'not closed", "false"])
def test_another_compiler_if_the_one_wished_for_does_not_work(monkeypatch: pytest.MonkeyPatch, wished: str) -> None:
    monkeypatch.setenv("CC", wished)
    assert decisions(build(tiny(5), open_library)) == 5


def test_a_compiler_that_lacks_a_flag_is_used_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script(
        tmp_path / "cc", 'case "$*" in *-march=native*) echo unknown flag >&2; exit 1;; esac; exec $REAL "$@"'
    )
    monkeypatch.setenv("CC", str(path))
    found = find_compiler(cache())
    assert isinstance(found, Compiler)
    assert "-march=native" not in found.flags
    assert found.processor == ""


@pytest.mark.parametrize("wished", ["", "cc", "gcc -O1"])
def test_nothing_is_found_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_ziglang: None, wished: str
) -> None:
    logging(tmp_path / "cc", tmp_path / "log")
    monkeypatch.setenv("CC", wished)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ".")
    assert isinstance(build(tiny(6), open_library), NotBuilt)
    assert not (tmp_path / "log").exists()


def test_a_source_that_does_not_compile() -> None:
    built = build("int play_games(void) { return wrong; }\n", open_library)
    assert isinstance(built, NotBuilt)
    assert "failed: " in built.reason
    assert "\n" not in built.reason


def test_a_library_without_entry_point() -> None:
    built = build("int other(void) { return 1; }\n", open_library)
    assert isinstance(built, NotBuilt)
    assert "not complete" in built.reason


def test_a_process_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = script(tmp_path / "slow", "sleep 60 & sleep 60")
    begun = time.monotonic()
    stopped = run((str(path),), tmp_path, 0.3)
    assert stopped == NotBuilt("slow was stopped: it took more than 0.3 seconds")
    assert time.monotonic() - begun < 30


def test_names_of_folders_mean_nothing_to_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGELWERK_CACHE", str(tmp_path / "a b; touch made $(touch made) -o x"))
    monkeypatch.chdir(tmp_path)
    assert decisions(build(tiny(7), open_library)) == 7
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None and not os.environ.get("CI"),
    reason="needs the package ziglang: pip install -e '.[native]'",
)
def test_the_compiler_of_the_package_ziglang(monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    found = find_compiler(cache())
    assert isinstance(found, Compiler), found
    assert found.words == (sys.executable, "-m", "ziglang", "cc")
    assert decisions(build(tiny(8), open_library)) == 8
    assert (cache_folder / "zig").is_dir()
