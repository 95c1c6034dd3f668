"""The same file gives the same findings and the same code, in any process and whatever was checked before."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from tests.support import hostile
from tests.support.checking import TOO_SLOW
from tests.support.project import ROOT


def rules_files() -> list[Path]:
    """The games with their variants, and the rules files of the tests."""
    return sorted(path for folder in ("games", "tests") for path in (ROOT / folder).rglob("*.rules"))


def generated(folder: Path, many: int) -> list[Path]:
    """Games that were changed, and sentences of the grammar."""
    paths = []
    for number in range(many):
        rng = random.Random(number)
        text = (hostile.sentence if number % 4 == 3 else hostile.changed_game)(rng)
        paths.append(folder / f"made{number}.rules")
        paths[-1].write_bytes(text.encode("utf-8", "surrogatepass"))
    return paths


def results(paths: list[Path], hash_seed: int) -> dict[str, list[str]]:
    """The findings of a separate process that checks the files in a different order."""
    order = random.Random(hash_seed).sample(paths, len(paths))
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.checking"],
        input="\n".join(map(str, order)),
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"PYTHONHASHSEED={hash_seed}: {done.stderr}"
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_findings_depend_on_nothing_but_the_file(tmp_path: Path, long_run: bool) -> None:
    """Files checked together under several hash seeds, and some alone: 2,000 checks in the long run."""
    files = [*rules_files(), *generated(tmp_path, 100 if long_run else 6)]
    rng = random.Random(1)
    together = files if long_run else [*rng.sample(files, 10), *files[-6:]]
    alone = rng.sample(files, 250 if long_run else 2)
    first = results(files if long_run else sorted({*together, *alone}), 0)
    runs = [results(together, seed) for seed in range(1, 4 if long_run else 2)]
    runs += [results([path], seed) for seed, path in enumerate(alone, 100)]
    differing = {
        name: (first[name], found)
        for run in runs
        for name, found in run.items()
        if first[name] != found and [TOO_SLOW] not in (first[name], found)
    }
    assert differing == {}
    assert not long_run or len(first) + sum(map(len, runs)) >= 2_000
