"""Every small change of a game's rules is noticed by somebody, or its list of survivors says why it cannot be.

A requirement, case, trigger or effect that could be dropped, or a guard turned round, without anything failing would
be a rule that nothing tests. What is changed: interpreter/exploration/mutants.py. Who may notice:
tests/support/mutation.py, which also tries all mutants of a game from the command line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ast
from interpreter.exploration.mutants import CONDITIONS, mutants, text_of
from interpreter.loading.game_library import companion_of
from tests.support.mutation import NOTHING, noticed, properties_of, survivors_of, texts

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / "games"
GAMES = [
    path for path in sorted(FOLDER.glob("*.rules"))
    if companion_of(path) and (HERE / f"{path.stem}.survivors").exists()
]  # fmt: skip
"""The games all of whose mutants have been tried: the survivors are listed."""
STATEMENTS = (
    ast.Move | ast.SetTo | ast.Add | ast.Remove | ast.Shuffle | ast.Roll | ast.Let | ast.Decide | ast.Choose | ast.Do
    | ast.EndGame | ast.If | ast.ForEach | ast.EachPlayer | ast.Repeat
)  # fmt: skip
FEWER = {
    "china": 400, "dschingis_khan": 400, "mauerbauer": 400, "chinesische_mauer": 260, "backgammon": 320, "go": 100,
    "spades": 160, "weir_keepers": 260, "fells_and_becks": 220,
}  # fmt: skip
"""For games that take long: the normal run tries one mutant in so many, and at least one of each part."""

FEW = 20
"""If at most one mutant in this many is tried, finding out which examples reach what takes longer than it saves."""

PARTS, PARTS_IN_THE_LONG_RUN = 1, 12
"""How many tests the mutants of a game are dealt to, so that several processes share the work."""


def listed(game: Path) -> dict[str, str]:
    return survivors_of(HERE / f"{game.stem}.survivors")


def properties() -> list[tuple[Path, str]]:
    return [(game, name) for game in GAMES for name in properties_of(game.stem)]


def test_the_games_are_there() -> None:
    assert "chinesische_mauer" in [game.stem for game in GAMES]


@pytest.mark.parametrize(("game", "name"), properties(), ids=lambda value: getattr(value, "stem", value))
def test_property_holds(game: Path, name: str) -> None:
    texts(game).properties[name](texts(game).original.rules)


def numbers_below(node: ast.Node, below: dict[int, frozenset[int]]) -> frozenset[int]:
    """The numbers of a node and of all below it, which are noted for each of them by its identity."""
    parts = [numbers_below(child, below) for child in node.children()]
    below[id(node)] = frozenset((node.number,)).union(*parts)
    return below[id(node)]


def numbers_in(file: ast.GameFile, below: dict[int, frozenset[int]]) -> set[int]:
    """The numbers of a mutant, which occur once; it shares the nodes whose numbers are noted with its game.

    Walking through the whole of each mutant takes many times as long.
    """
    found, number_of_nodes, nodes = set[int](), 0, list[ast.Node]([file])
    while nodes:
        node = nodes.pop()
        shared = below.get(id(node))
        nodes += node.children() if shared is None else ()
        numbers = shared or {node.number}
        found |= numbers
        number_of_nodes += len(numbers)
    assert len(found) == number_of_nodes
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_each_rule_effect_and_guard_has_its_mutant(game: Path) -> None:
    """Some mutant lacks each requirement, case, trigger and effect; some mutant has each guard turned round."""
    file = texts(game).file
    every = list(mutants(file))
    below: dict[int, frozenset[int]] = {}
    numbers_below(file, below)
    numbers = [numbers_in(mutant.file, below) for mutant in every]
    changed = [mutant.description.partition(": ")[2] for mutant in every]
    shorter = [found for words, found in zip(changed, numbers, strict=True) if words.startswith("drop ")]
    lone = {node.cases[0].number for node in file.walk() if isinstance(node, ast.Define) and len(node.cases) == 1}
    for node in file.walk():
        if isinstance(node, ast.Require | ast.Case | ast.When | STATEMENTS) and node.number not in lone:
            assert any(node.number not in found for found in shorter), node.span.location
        for name in CONDITIONS:
            condition = getattr(node, name, None)
            if condition is not None and not isinstance(node, ast.Example | ast.Then | ast.Given):
                negated = f"negate {text_of(condition)}"
                assert any(words.startswith(negated) for words in changed), condition.span.location


@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=pytest.mark.long if part >= PARTS else ()) for part in range(PARTS_IN_THE_LONG_RUN)],
)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_mutants_are_noticed(game: Path, part: int, long_run: bool) -> None:
    """Of games that take long, the normal run tries one mutant in so many; the long run tries all."""
    read, known = texts(game), listed(game)
    parts, fewer = (PARTS_IN_THE_LONG_RUN, 1) if long_run else (PARTS, FEWER.get(game.stem, 1))
    mine = list(mutants(read.file))[part::parts][fewer // 2 :: fewer]  # the first ones change only the header
    assert mine
    reached = read.original.reached_by_example if fewer < FEW else NOTHING
    survivors = {mutant.description: mutant.location for mutant in mine if not noticed(read, mutant, reached=reached)}
    new = [f"{place}  {description}" for description, place in survivors.items() if description not in known]
    gone = [mutant.description for mutant in mine if mutant.description in known.keys() - survivors.keys()]
    assert not new, "\n".join(["nobody notices these changes of the rules:", *new])
    assert not gone, "\n".join(["these are noticed now; take them out of the list of survivors:", *gone])


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_survivors_are_explained(game: Path) -> None:
    descriptions = [mutant.description for mutant in mutants(texts(game).file)]
    assert len(set(descriptions)) == len(descriptions)
    known = listed(game)
    assert [description for description in known if description not in descriptions] == []
    assert [description for description, why in known.items() if len(why) < 20] == []
