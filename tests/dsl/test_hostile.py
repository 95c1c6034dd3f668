"""Files that mean no good: refused with a message or run within limits, whatever stands in them.

Each case is made from a number, so that one that fails can be had again: `hostile_case(KIND, NUMBER)`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from dsl import ast
from dsl.boards import Board, board_of
from dsl.checker import check
from dsl.diagnostics import RulesError
from dsl.formatter import canonical
from dsl.syntax import parse
from dsl.syntax.prescan import source_of
from dsl.text.span import Source
from dsl.text.visible import visible
from dsl.variants import merged
from interpreter.errors import ExpressionError, IllegalMoveError, PlayError, SaveError, UsageError
from interpreter.loading.rules import Rules
from interpreter.play.game import Game, State, load, seat_game
from interpreter.play.saves.files import Note, SaveMeta, checksum, read_save, resume, save_text
from interpreter.seat.explain.query import evaluate_query
from interpreter.watchdog import watchdog
from tests.support import hostile
from tests.support.long_run import one_in
from tests.support.project import ROOT

SECONDS, MEMORY = 2.0, 512 * 1024**2
MOVES = 12
CASES = {
    "changed": 120,
    "sentence": 60,
    "noise": 40,
    "board": 20,
    "variant": 20,
    "question": 20,
    "save": 20,
    "command": 10,
}


def rules_file(text: str, rng: random.Random) -> None:
    """Read, written in canonical form, checked, compiled and played."""
    tree, found = parse(Source("x.rules", text))
    assert (tree is None) == any(finding.severity == "error" for finding in found)
    assert all(finding.draw() for finding in found)
    if tree is None:
        return
    if rng.random() < 0.2:
        canonical(Source("x.rules", text))
    if not isinstance(tree, ast.GameFile):
        return
    model, found = check(tree)
    assert all(finding.draw() for finding in found)
    assert (model is None) == any(finding.severity == "error" for finding in found)
    if model is not None:
        rules = Rules(Path("x.rules"), model, ())
        seats = rng.choice(model.file.header.counts)
        options = {option.name: rng.choice(option.values) for option in model.options.values()}
        with suppress(UsageError):
            play(seat_game(rules, seats, options), rng)


def play(game: Game, rng: random.Random) -> None:
    """Some random moves, looked at from all sides; only the faults that a game can have may come."""
    try:
        state = game.start(rng.getrandbits(20), traced=rng.random() < 0.2)
        for _ in range(MOVES):
            moves = state.legal_moves
            if not moves:
                break
            assert all(move.label.isprintable() for move in moves)
            state.push(rng.choice(moves))
        for seat in (None, *game.seats):
            state.view(seat)
            state.log(seat)
        while state.history:
            state.pop()
    except PlayError as fault:
        assert fault.location and "\n" not in fault.message


def changed(rng: random.Random) -> None:
    rules_file(hostile.changed_game(rng), rng)


def sentence(rng: random.Random) -> None:
    rules_file(hostile.sentence(rng), rng)


def noise(rng: random.Random) -> None:
    source = source_of(hostile.noise(rng), "x.rules")
    if isinstance(source, Source):
        rules_file(source.text, rng)
    else:
        assert source.draw()


@cache
def boards() -> list[str]:
    paths = [*(ROOT / "games" / "boards").glob("*.json"), *(ROOT / "tests" / "dsl").glob("*/boards/*.json")]
    return [path.read_text("utf-8") for path in sorted(paths) if path.stat().st_size < 40_000]


def board(rng: random.Random) -> None:
    found = board_of(Source("x.json", hostile.changed_json(rng.choice(boards()), rng)))
    assert isinstance(found, Board) or (found and all(finding.draw() for finding in found))


@cache
def variants() -> list[tuple[str, str]]:
    paths = sorted((ROOT / "games" / "variants").glob("*.rules"))
    games = {path.stem: path.read_text("utf-8") for path in (ROOT / "games").glob("*.rules")}
    texts = [path.read_text("utf-8") for path in paths]
    return [(text, game) for text in texts for name, game in games.items() if f" of {name}:" in text]


def variant(rng: random.Random) -> None:
    text, game = rng.choice(variants())
    base, _ = parse(Source("base.rules", game))
    assert isinstance(base, ast.GameFile)
    for _ in range(rng.randrange(1, 4)):
        text = rng.choice((hostile._tokens, hostile._lines, hostile._characters))(text, rng)
    tree, found = parse(Source("x.rules", text), base.number + 1)
    if isinstance(tree, ast.VariantFile):
        with_variant, found = merged(base, None, [tree])
        if with_variant is not None and not any(isinstance(node, ast.Board) for node in base.walk()):
            found = check(with_variant.file)[1]
    assert all(finding.draw() for finding in found)


@cache
def begun() -> list[State]:
    return [load(name).start(1) for name in ("go_fish", "chinesische_mauer", "nim", "hex", "leduc_poker")]


def question(rng: random.Random) -> None:
    state = rng.choice(begun())
    with suppress(ExpressionError, PlayError):
        evaluate_query(state.program, state.cells, hostile.expression(rng), rng.choice((None, 0, 1)))
    with suppress(IllegalMoveError, PlayError):
        state.push(hostile.expression(rng))
        state.pop()


@cache
def saved() -> str:
    state = load("nim").start(3)
    for _ in range(4):
        state.push(state.legal_moves[0])
    notes = [Note(1, "undo", state.game.seats[0], "took back the last decision", (state.game.seats[1],), (("a", "b"),))]
    return save_text(state, SaveMeta(dict.fromkeys(state.game.seats, "human"), notes))


def save(rng: random.Random, folder: Path) -> None:
    """A save that was changed, mostly with its checksum corrected, so that its content is read."""
    path = folder / "x.json"
    text = hostile.changed_json(saved(), rng)
    with suppress(ValueError):
        document = json.loads(text)
        if isinstance(document, dict) and rng.random() < 0.8:
            text = json.dumps({**document, "checksum": checksum(document)})
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        resume(read_save(path))
    except SaveError as fault:
        assert str(fault) == visible(str(fault))
    result = CliRunner().invoke(app, ["play", "--resume", str(path), "--save", str(folder / "y.json")], input="quit\n")
    (folder / "y.json").unlink(missing_ok=True)
    assert result.exit_code in (0, 1, 2) and "bug in Regelwerk" not in result.output
    assert result.output == visible(result.output, layout=True)


def command(rng: random.Random, folder: Path) -> None:
    """A verb of the command line: an exit code and messages, never a mistake of its own."""
    path = folder / "x.rules"
    text = rng.choice((hostile.changed_game, hostile.sentence, hostile.noise))(rng)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    verb, *flags = rng.choice(VERBS)
    result = CliRunner().invoke(app, [verb, str(path), *flags])
    assert result.exit_code in (0, 1, 2) and "bug in Regelwerk" not in result.output
    assert result.output == visible(result.output, layout=True)


VERBS = (
    ["check"], ["check", "--format", "json"], ["fmt", "--check"], ["fmt", "--diff"], ["test"], ["diff", "nim"],
    ["perft", "--depth", "1"],
)  # fmt: skip
KINDS: dict[str, Callable[[random.Random], None]] = {
    "changed": changed, "sentence": sentence, "noise": noise, "board": board, "variant": variant, "question": question,
}  # fmt: skip


def hostile_case(kind: str, number: int, folder: Path) -> None:
    """One case; what fails says which it was."""
    rng = random.Random(f"{kind} {number}")
    with watchdog(SECONDS, MEMORY):
        try:
            if kind in KINDS:
                KINDS[kind](rng)
            else:
                {"save": save, "command": command}[kind](rng, folder)
        except PlayError:
            assert kind == "question"
        except (UsageError, RulesError) as fault:
            assert "too large" in str(fault)
        except BaseException as fault:
            fault.add_note(f"this is hostile_case({kind!r}, {number})")
            raise


@pytest.mark.parametrize("part", one_in(2, range(10)))
@pytest.mark.parametrize("kind", CASES)
def test_no_file_does_harm(kind: str, part: int, long_run: bool, tmp_path: Path) -> None:
    """155 cases, 24 800 in the long run."""
    for number in range(part, CASES[kind] * (80 if long_run else 1), 10):
        hostile_case(kind, number, tmp_path)
