"""Whatever is passed to the package, it says what is wrong in an error of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import regelwerk

PIG = regelwerk.load("pig", options={"goal": 20})
FISH = regelwerk.load("go_fish")
VALUES = (None, -1, 1.5, float("nan"), 2**64, "", "\0", "x" * 300, b"x", [], ["\0"], {}, {1: 2}, object(), 3j)
mutate = partial(regelwerk.mutate, PIG, seconds=1, games=1, only="action hold")
explore = partial(regelwerk.explore, PIG, seconds=1)
CALLS: dict[str, Callable[[object], object]] = {
    "load": regelwerk.load,
    "load players": lambda value: regelwerk.load("pig", players=value),
    "load options": lambda value: regelwerk.load("pig", options=value),
    "load goal": lambda value: regelwerk.load("pig", options={"goal": value}),
    "load board": lambda value: regelwerk.load("china", board=value),
    "load variants": lambda value: regelwerk.load("pig", variants=value),
    "load language": lambda value: regelwerk.load("pig", language=value),
    "load backend": lambda value: regelwerk.load("pig", backend=value),
    "start seed": lambda value: PIG.start(seed=value),
    "start chance": lambda value: PIG.start(chance=value),
    "start given": lambda value: PIG.start(given=value),
    "push": lambda value: PIG.start().push(value),
    "view": lambda value: FISH.start().view(value),
    "log": lambda value: FISH.start().log(value),
    "why": lambda value: FISH.start().why(value),
    "evaluate": lambda value: FISH.start().evaluate(value),
    "evaluate for": lambda value: FISH.start().evaluate("count pond", value),
    "position": lambda value: FISH.start().position(value),
    "observation": lambda value: FISH.start().observation(value),
    "observation of a part": lambda value: PIG.start().observation("ann", partial=3 if value is None else value),
    "analyse": regelwerk.analyse,
    "search state": regelwerk.search_state,
    "solve": regelwerk.solve,
    "a search": lambda value: regelwerk.Mcts().choose(value),
    "a look ahead": lambda value: regelwerk.Greedy().choose(value),
    "games at once": lambda value: regelwerk.vector_env(PIG, value),
    "seed of games at once": lambda value: regelwerk.vector_env(PIG, 2, seed=value),
    "actions in games at once": lambda value: regelwerk.vector_env(PIG, 2).step([value, [value, value]]),
    "information": lambda value: FISH.start().information_state(value),
    "knowledge": lambda value: FISH.start().knowledge(value),
    "determinizations": lambda value: FISH.start().determinizations(value, 1),
    "save": lambda value: FISH.start().save(value),
    "resume": regelwerk.resume,
    "timeline": regelwerk.Timeline,
    "playouts seed": lambda value: list(PIG.playouts(1, seed=value)),
    "simulate": lambda value: regelwerk.simulate(value, games=1),
    "simulate bots": lambda value: regelwerk.simulate(PIG, games=1, bots=value),
    "simulate seed": lambda value: regelwerk.simulate(PIG, games=1, seed=value),
    "simulate until": lambda value: regelwerk.simulate(PIG, games=1, until=value),
    "simulate into": lambda value: regelwerk.simulate(PIG, games=1, into=value),
    "simulate progress": lambda value: regelwerk.simulate(PIG, games=1, progress=value),
    "simulate stop": lambda value: regelwerk.simulate(PIG, games=1, stop=value),
    "arena": lambda value: regelwerk.arena(PIG, value, games=2),
    "arena stop": lambda value: regelwerk.arena(PIG, ["random", "random"], games=2, stop=value),
    "explore": lambda value: regelwerk.explore(value, decisions=5),
    "explore seed": lambda value: explore(decisions=5, seed=value),
    "explore seconds": lambda value: regelwerk.explore(PIG, decisions=5, seconds=value),
    "explore into": lambda value: explore(decisions=5, into=value),
    "explore progress": lambda value: explore(decisions=5, progress=value),
    "mutate seed": lambda value: mutate(seed=value),
    "mutate into": lambda value: mutate(into=value),
    "mutate stop": lambda value: mutate(stop=value),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_value(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in VALUES:
        with contextlib.suppress(regelwerk.RegelwerkError):
            CALLS[name](value)


def test_values_of_an_option_are_listed_in_short() -> None:
    with pytest.raises(regelwerk.OptionError, match=r"must be 20\.\.200, not `500`"):
        regelwerk.load("pig", options={"goal": 500})
