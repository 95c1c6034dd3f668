"""`python -m benchmarks.environments`: steps a second of environments, alone and in batches of 1,024.

Each step is a random legal action, with the observation and the legal actions after it. Ours are `vector_env` in the
machine engine and the environment of PettingZoo; beside them pgx in batches of the same size, OpenSpiel, driven from
Python, and PettingZoo's own games, where they are installed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any

import regelwerk
from benchmarks.figures import Figure, table

BATCH = 1024

GAMES = {
    "tic_tac_toe": ("tic_tac_toe", "tic_tac_toe", "tictactoe_v3"),
    "connect_four": ("connect_four", "connect_four", "connect_four_v3"),
    "kuhn_poker": ("kuhn_poker", "kuhn_poker", ""),
    "leduc_poker": ("leduc_holdem", "leduc_poker", "leduc_holdem_v4"),
    "hearts": ("", "hearts", ""),
    "chess": ("chess", "chess", "chess_v6"),
    "china": ("", "", ""),
    "chinesische_mauer": ("", "", ""),
    "mauerbauer": ("", "", ""),
    "dschingis_khan": ("", "", ""),
}
"""Our games, with the names of those of pgx, of OpenSpiel and of PettingZoo itself."""

Steps = Callable[[float], float]
"""Steps for some seconds of processor time; how many a second."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Steps a second of all games; none without PettingZoo."""
    try:
        importlib.import_module("pettingzoo")
    except ImportError:
        print("PettingZoo is not installed: pip install 'regelwerk[pettingzoo]'", file=sys.stderr)
        return []
    return [figure for name in GAMES for figure in of_game(name, rounds, span)]


def of_game(name: str, rounds: int, span: float) -> Iterator[Figure]:
    """Steps a second of a game: ours, and those of others where they are installed."""
    pgx, spiel, zoo = GAMES[name]
    sides: dict[str, Steps | None] = {
        f"{name}, {BATCH:,} at once": batch(name),
        f"{name} of pgx, {BATCH:,} at once": of_pgx(pgx),
        f"{name} in PettingZoo": alone(importlib.import_module("regelwerk.pettingzoo").env(name)),
        f"{name} of OpenSpiel": open_spiel(spiel),
        f"{name} of PettingZoo": of_pettingzoo(zoo),
    }
    for what, steps in sides.items():
        if steps is not None:
            steps(span / 10)  # warms up
            yield Figure(what, "steps/s", tuple(steps(span) for _ in range(rounds)))


def batch(name: str) -> Steps:
    """Many games at once; choosing random actions does not count."""
    np = importlib.import_module("numpy")
    games, rng = regelwerk.vector_env(name, n=BATCH), np.random.default_rng(1)

    def steps(span: float) -> float:
        masks, spent, made = games.position.action_masks, 0.0, 0
        while spent < span:
            chosen = (rng.random(masks.shape) * masks).argmax(axis=1)
            started = process_time()
            masks = games.step(chosen).action_masks
            spent += process_time() - started
            made += BATCH
        return made / spent

    return steps


def of_pgx(name: str) -> Steps | None:
    """A game of pgx, many at once on the processor, without choosing actions; None where it is not installed."""
    try:
        pgx, jax = importlib.import_module("pgx"), importlib.import_module("jax")
        again = importlib.import_module("pgx.experimental.wrappers").auto_reset
    except ImportError:
        return None
    if not name:
        return None
    env = pgx.make(name)
    step = jax.jit(jax.vmap(again(env.step, env.init)))
    choose = jax.jit(lambda key, masks: jax.random.categorical(key, jax.numpy.where(masks, 0.0, -jax.numpy.inf)))
    key, begin = jax.random.split(jax.random.PRNGKey(1))
    games = jax.jit(jax.vmap(env.init))(jax.random.split(begin, BATCH))

    def steps(span: float) -> float:
        nonlocal key, games
        spent, made = 0.0, 0
        while spent < span:
            key, draw = jax.random.split(key)
            ready = jax.block_until_ready((choose(draw, games.legal_action_mask), jax.random.split(draw, BATCH)))
            started = process_time()
            games = jax.block_until_ready(step(games, *ready))
            spent += process_time() - started
            made += BATCH
        return made / spent

    return steps


def alone(env: Any) -> Steps:
    """One game of PettingZoo after the other."""
    rng = Random(1)

    def steps(span: float) -> float:
        started, made = process_time(), 0
        while process_time() - started < span:
            env.reset(seed=made)
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
                    made += 1
        return made / (process_time() - started)

    return steps


def of_pettingzoo(name: str) -> Steps | None:
    """A game of PettingZoo itself; None where it or what it needs is not installed."""
    try:
        return alone(importlib.import_module(f"pettingzoo.classic.{name}").env()) if name else None
    except ImportError:
        return None


def open_spiel(name: str) -> Steps | None:
    """A game of OpenSpiel, driven from Python; None where it is not installed."""
    try:
        game = importlib.import_module("pyspiel").load_game(name) if name else None
    except ImportError:
        return None
    if game is None:
        return None
    rng, kind = Random(1), game.get_type()
    tensor = "observation_tensor" if kind.provides_observation_tensor else "information_state_tensor"

    def steps(span: float) -> float:
        started, made = process_time(), 0
        while process_time() - started < span:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                    continue
                getattr(state, tensor)(state.current_player())
                state.apply_action(rng.choice(state.legal_actions()))
                made += 1
        return made / (process_time() - started)

    return steps


if __name__ == "__main__":
    print(table(measure("", 3, 1.0)))
