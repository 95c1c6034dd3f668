"""`compile GAME`: the rules as they are carried out, with the lines of the rules, and what made them fast."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import wasmtime

from interpreter.compiler.machine.forms import UnprintableError
from interpreter.compiler.passes.pipeline import FOR_THE_MACHINE, MEANINGS
from interpreter.play.game import load
from tests.cli.conftest import PEBBLES
from tests.support.library import representative

GOLDEN = Path(__file__).parent / "golden" / "passes"
UPDATE = bool(os.environ.get("REGELWERK_UPDATE"))
NAMES = representative()

SLOW = """
game "Slow" for 2 players ann, ben

== components ==

type Cell from grid(4, 4)
type Side from beside(Cell)
piece Man: 3 for each owner: Player in box[owner]
zone box[p: Player] holds Man
zone man[c: Cell] holds one Man
note worth[c: Cell]: 0..9 or none = none
note round: 0..9 = 0

== phases ==

phase main, turns from ann, over when round is 3:
    add 1 to round
    must put or pass

action put(c: Cell, d: Cell):
    "put at {c} and {d}"
    require man[c] is empty                 because "{c} is taken"
    require worth[c] + worth[d] > 3         because "it is worth too little"
    require d is in free                    because "{d} is taken"
    move 1 from box[me] to man[c]

action pass:
    "pass"

define free: Cell - man

define size(p: Player): count c in Cell where man[c] is not empty and c.column is 2

== scoring ==

winner highest size(me)
"""


FAR = """
define far(c: Cell): sum count path(c, d, Side) for d in Cell

define free: {c in Cell where far(c) > 3} -
""".strip()
"""A definition that searches and depends on nothing that changes, for one that says which cells are free."""


@pytest.fixture
def slow(own_folder: Path) -> str:
    (own_folder / "slow.rules").write_text(SLOW, encoding="utf-8")
    return "slow.rules"


@pytest.fixture
def compiled(run):
    """The output of `compile` for a shipped game, which several tests look at, so that it is compiled once."""

    def output(name: str, *words: str) -> str:
        if (name, *words) not in COMPILED:
            COMPILED[name, *words] = run("compile", name, *words).output
        return COMPILED[name, *words]

    return output


COMPILED: dict[tuple[str, ...], str] = {}


def stable(text: str) -> str:
    """What `--explain` prints, without numbers of lines and without what the passes do."""
    records = text.partition("\n\n")[0] + "\n"
    return re.sub(r" \(line \d+\)$", "", re.sub(r"^\S+:\d+:\d+: ", "", records, flags=re.M), flags=re.M)


# ---- which passes apply


@pytest.mark.parametrize("name", NAMES)
def test_the_passes_that_apply_to_the_shipped_games(compiled, name) -> None:
    """A pass that stops applying somewhere is noticed: with the fewest players and the default options."""
    found = stable(compiled(name, "--explain"))
    path = GOLDEN / f"{name}.txt"
    if UPDATE:
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes what is found now; review it"


def test_there_is_a_record_for_every_shipped_game_and_no_other() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == NAMES


def test_every_pass_applies_somewhere(run, slow) -> None:
    """In a shipped game, but for what none of them needs."""
    told = "".join(path.read_text(encoding="utf-8") for path in GOLDEN.iterdir())
    far = Path(slow).read_text(encoding="utf-8").replace("define free:", FAR)
    Path("far.rules").write_text(far, encoding="utf-8")
    told += run("compile", "far.rules", "--explain").output
    assert [name for name in MEANINGS if not re.search(rf"^  {name} +applied", told, re.M)] == []


# ---- --explain


def test_a_reason_names_and_quotes_the_line(run, slow) -> None:
    told = run("compile", slow, "--explain").output
    assert re.search(r"^slow\.rules:18:5: decision `must put or pass` in phase main$", told, re.M)
    assert "tested one by one, because `worth[c]` may be none" in told
    assert re.search(r"^slow\.rules:30:1: define free$", told, re.M)


def test_at_the_end_it_says_what_the_passes_do(run, slow) -> None:
    told, _, legend = run("compile", slow, "--explain").output.partition("\n\n")
    named = [each for each in MEANINGS if re.search(rf"^  {each} ", told, re.M)]
    assert [line.partition("  ")[0] for line in legend.splitlines()] == named
    assert all(line.endswith(MEANINGS[name]) for line, name in zip(legend.splitlines(), named, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_reasons_are_written_for_authors(compiled, name) -> None:
    """Of a game nothing is named that its rules do not name."""
    told = compiled(name, "--explain")
    assert not re.search(r"\bˑ|\b(block|node|IR|module|quiet|lambda|opcode|decision \d)\b", told)


def test_every_reason_is_reported_for_a_single_name(run, slow) -> None:
    told = run("compile", slow, "--explain", "--only", "put").output
    assert "define" not in told.partition("\n\n")[0]
    assert "decision `must put or pass` in phase main" in told
    assert "(line 24)" in told
    about_definition = run("compile", slow, "--explain", "--only", "size").output
    assert about_definition.startswith("slow.rules:32:1: define size\n")
    assert "put" not in about_definition.partition("\n\n")[0]


def test_a_rule_that_nothing_can_be_said_about(run, slow) -> None:
    assert run("compile", slow, "--explain", "--only", "pass").output == "pass: there is nothing to optimise\n"


# ---- the code


@pytest.mark.parametrize("name", NAMES)
def test_the_listing_is_the_same_on_every_machine(compiled, name) -> None:
    """Nothing in it depends on where Python keeps an object."""
    assert " at 0x" not in compiled(name) + compiled(name, "--form", "python")


def test_the_lines_of_the_rules_stand_beside_the_python(run, slow) -> None:
    text = run("compile", slow, "--form", "python").output
    lines = text.splitlines()
    assert lines[0] == "# The cells of the state:"
    (put,) = [line for line in lines if line.startswith("def rˑput(")]
    assert put.endswith("# 20  action put(c: Cell, d: Cell):")
    assert any("move_some" in line and line.endswith("# 25  move 1 from box[me] to man[c]") for line in lines)
    code = "\n".join(line.partition("  # ")[0] for line in lines)
    compile(code, "x", "exec")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_is_the_code_that_runs(compiled, name) -> None:
    shown = compiled(name, "--form", "python")
    own = load(name).program.source
    assert _code(shown) == _code(own)


def _code(text: str) -> list[str]:
    lines = [re.sub(r"\s+# (\S+:)?\d+(  .*)?$", "", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("form", ["ir", "python"])
def test_one_name_alone(run, slow, form) -> None:
    whole = run("compile", slow, "--form", form).output
    alone = run("compile", slow, "--form", form, "--only", "size").output
    assert "size" in alone and "put" not in alone and len(alone) < len(whole) / 3
    heads = [line for line in alone.splitlines() if line and not line.startswith(" ")]
    assert len(heads) == 1


def test_the_machine_form_is_a_module_of_webassembly(run, slow) -> None:
    text = run("compile", slow, "--form", "machine").output
    wasmtime.Module.validate(wasmtime.Engine(), wasmtime.wat2wasm(text))
    assert "(func $game\n" in text


def test_a_function_of_the_machine_form_alone(compiled) -> None:
    lines = compiled("dschingis_khan", "--form", "machine", "--only", "contested").splitlines()
    assert [line for line in lines if not line.startswith("  ")] == ['(func $"fˑcontested"', ")", ""]


def test_an_action_of_the_machine_form_comes_with_the_legal_moves_of_its_decisions(compiled) -> None:
    lines = compiled("china", "--form", "machine", "--only", "build").splitlines()
    heads = [line for line in lines if line.startswith("(")]
    assert heads[0] == '(func $"rˑbuild"' and all(head.startswith('(func $"moves ') for head in heads[1:]) and heads[1:]


def test_rules_without_a_machine_form(run, slow, monkeypatch) -> None:
    """The reason is given in one line."""

    def refuse(rules: object) -> None:
        raise UnprintableError("a set of 5200 values")

    monkeypatch.setattr("cli.verbs.compile.print_rules", refuse)
    result = run("compile", slow, "--form", "machine")
    assert result.exit_code == 2
    assert result.output == "error: these rules have no machine form: it does not know a set of 5200 values\n"


@pytest.mark.parametrize("form", ["ir", "python"])
def test_an_action_alone_comes_with_the_decisions_that_offer_it(run, slow, form) -> None:
    alone = run("compile", slow, "--form", form, "--only", "put").output
    heads = [line.split("(")[0] for line in alone.splitlines() if line and not line.startswith(" ")]
    assert len(heads) == 2 and "rˑput" in "".join(heads)


def test_compiled_without_a_pass(run, slow) -> None:
    usual = run("compile", slow, "--explain").output
    assert "\n  inlining " in usual
    assert "\n  inlining " not in run("compile", slow, "--explain", "--without", "inlining").output
    everything = [word for name in FOR_THE_MACHINE for word in ("--without", name)]
    told = run("compile", slow, "--explain", *everything).output
    assert not [name for name in FOR_THE_MACHINE if f"\n  {name} " in told]
    assert run("compile", slow, *everything).output != run("compile", slow).output


def test_seats_and_options_count(run) -> None:
    two, three = (run("compile", PEBBLES, "--players", number).output for number in (2, 3))
    assert two != three


# ---- mistakes


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--only", "putt"), "has no rule or definition `putt`; did you mean put?"),
        (("--only", "nothing_like_it"), "has no rule or definition `nothing_like_it`"),
        (("--only", ""), "has no rule or definition ``"),
        (("--explain", "--only", "siz"), "did you mean size?"),
        (("--without", "hoistin"), "there is no pass `hoistin`; did you mean hoisting?"),
        (("--without", "xyz"), "there is no pass `xyz`; the passes are "),
        (("--form", "c"), "--form must be ir, python or machine, not c"),
        (("--form", "machine", "--only", "pass"), "`pass` has no function of its own in the machine form"),
        (("--explain", "--form", "python"), "--explain prints no code: omit --form"),
    ],
)
def test_what_is_not_there(run, slow, words, message) -> None:
    result = run("compile", slow, *words)
    assert result.exit_code == 2
    assert message in result.output and len(result.output.splitlines()) == 1
