"""Completion in a shell: of verbs, games, variants, options, seats and saves, without importing what takes long."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.completion import candidates
from cli.completion.words import ValueKind, options_of, player_numbers, seats_of, text_of
from cli.main import app
from cli.verbs import VERBS
from dsl.text.folders import shipped_folder
from interpreter.opponents.specs import KINDS
from interpreter.play.game import load
from tests.support.known_rules import known_rules
from tests.support.library import representative
from tests.support.long_run import one_in
from tests.support.project import ROOT

TABLE = ROOT / "cli" / "completion" / "flags.json"
GAMES = [shipped_folder() / f"{name}.rules" for name in representative()]


def completed(*words: str) -> list[str]:
    """The words that can take the place of the last one."""
    return [one.value for one in candidates(words[:-1], words[-1])]


def asked(shell: str, line: str, folder: Path, **more: str) -> str:
    """What a shell is answered."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "_REGELWERK_COMPLETE": f"complete_{shell}", **more}
    if shell == "bash":
        env |= {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    else:
        env |= {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    code = "import sys; sys.argv = ['regelwerk']; from cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout


KINDS_OF_FLAGS: dict[str, ValueKind] = {
    "--option": "option", "--option-a": "option", "--option-b": "option", "--variant": "variant", "--seat": "seat",
    "--bots": "bot", "--as": "as", "--resume": "save", "--save": "file",
}  # fmt: skip
KINDS_OF_PLACEHOLDERS: dict[str, ValueKind] = {
    "GAME": "game", "A": "game", "B": "game", "SAVE": "save", "BOT": "bot", "TOPIC": "topic", "FILE": "file",
    "FOLDER": "file", "N|NAMES": "players",
}  # fmt: skip
KINDS_OF_ARGUMENTS: dict[str, ValueKind] = {"FILE": "game", "PATH": "game", "NAME": "save"}
"""Files given as arguments are those of games."""


def kind_of(param: Any) -> ValueKind | list[str]:
    """The kind of the values of a parameter of a verb, or all of them, by its flag or what the help calls the value."""
    if param.param_type_name == "argument":
        placeholder = param.metavar.strip("[].…")
        return KINDS_OF_ARGUMENTS.get(placeholder) or KINDS_OF_PLACEHOLDERS.get(placeholder, "")
    if param.is_flag:
        return "none"
    if param.opts[0] in KINDS_OF_FLAGS:
        return KINDS_OF_FLAGS[param.opts[0]]
    if re.fullmatch(r"[a-z]+(\|[a-z]+)+", param.metavar):
        return str(param.metavar).split("|")
    return KINDS_OF_PLACEHOLDERS.get(param.metavar, "")


def table() -> dict[str, Any]:
    """The arguments and flags of all verbs, from the commands themselves."""
    group = typer.main.get_command(app)
    entries = {}
    for verb in VERBS:
        params = group.get_command(None, verb).params
        arguments = [param for param in params if param.param_type_name == "argument"]
        flags = [param for param in params if param.param_type_name == "option" and "--help" not in param.opts]
        entries[verb] = {
            "arguments": [kind_of(param) for param in arguments],
            "repeats": bool(arguments) and arguments[-1].nargs == -1,
            "flags": {name: kind_of(param) for param in flags for name in param.opts},
        }
    return entries


def test_the_table_is_that_of_the_commands() -> None:
    text = json.dumps(table(), indent=1) + "\n"
    if os.environ.get("REGELWERK_UPDATE"):
        TABLE.write_text(text, encoding="utf-8")
    assert text == TABLE.read_text(encoding="utf-8"), "run REGELWERK_UPDATE=1 pytest tests/cli/test_completion.py"


def test_verbs_games_and_variants() -> None:
    assert set(VERBS) <= set(completed(""))
    assert completed("simulate", "mau") == ["mauerbauer"]
    assert {"fifty_will_do", "even_cards"} <= set(completed("play", "china", "--variant", ""))
    assert "fifty_will_do" not in completed("play", "hex", "--variant", "")
    assert completed("test", "china", "mauer") == ["mauerbauer"]


def test_options_and_seats() -> None:
    assert completed("play", "china", "--option", "adv") == ["advanced=true", "advanced=false"]
    assert completed("play", "china", "-o", "advanced=t") == ["advanced=true"]
    assert completed("play", "china", "--option", "advanced", "=", "t") == ["true"]
    assert completed("play", "china", "--option", "advanced", "") == ["true", "false"]
    assert completed("play", "china", "--seat", "violet=") == [f"violet={who}" for who in ("human", *KINDS)]
    assert completed("play", "china", "--bots", "") == list(KINDS)
    assert completed("simulate", "china", "--players", "") == ["3", "4", "5"]


def test_bots_of_an_arena() -> None:
    for words in (("hex",), ("hex", "greedy"), ("hex", "greedy", "--games", "9", "random")):
        assert {"random", "greedy", "mcts", "alphabeta"} <= set(completed("arena", *words, ""))
    assert "--until-decided" in completed("arena", "hex", "greedy", "--u")


def test_flags_and_words() -> None:
    assert "--backend" in completed("simulate", "china", "--b")
    assert completed("simulate", "china", "--backend", "m") == ["machine"]
    assert completed("simulate", "china", "--format", "c") == ["csv"]
    assert completed("compile", "china", "--form", "m") == ["machine"]
    assert completed("help", "vari") == ["variants"]
    assert completed("nonsense", "") == []


def test_saves_and_their_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "regelwerk" / "saves"
    folder.mkdir(parents=True)
    (folder / "china-20260101-120000.json").write_text("{}", encoding="utf-8")
    save = str(folder / "china-20260101-120000.json")
    assert completed("play", "--resume", "") == [save]
    assert completed("trace", "") == [save]
    assert completed("trace", save, "--as", "vi") == ["violet"]


@pytest.mark.parametrize("path", one_in(3, GAMES), ids=lambda path: path.stem)
def test_what_is_read_without_parsing_is_what_the_rules_say(path: Path) -> None:
    text, rules = text_of(path), known_rules(path)
    header = rules.model.file.header
    assert seats_of(text) == list(header.seats)
    assert player_numbers(text) == [str(number) for number in header.counts]
    game = load(path.name.removesuffix(".rules"))
    assert set(options_of(text)) == {info.name for info in game.option_info}


def test_shells_are_answered(tmp_path: Path) -> None:
    assert asked("bash", "regelwerk play chin", tmp_path).split() == ["china", "chinese_checkers", "chinesische_mauer"]
    assert '"china"' in asked("zsh", "regelwerk play chin", tmp_path)
    assert asked("fish", "regelwerk play chin", tmp_path).split() == ["china", "chinese_checkers", "chinesische_mauer"]


def test_nothing_that_takes_long_is_imported() -> None:
    code = (
        "import sys, json; sys.argv = ['regelwerk']; from cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\nprint(json.dumps(sorted(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "_REGELWERK_COMPLETE": "complete_bash"}
    env |= {"COMP_WORDS": "regelwerk play china --option ", "COMP_CWORD": "4"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    modules = set(json.loads(done.stdout.splitlines()[-1]))
    assert "start=random" in done.stdout
    assert modules.isdisjoint({"interpreter.play.game", "dsl.syntax", "lark", "pydantic", "textual", "rich.console"})
