"""PPO learns a game from its rules by playing against itself: `python examples/ppo.py connect_four`.

One file in the manner of CleanRL, with JAX, Flax and Optax: pip install 'regelwerk[gymnasium]' jax flax optax. The
network knows nothing of the game but its tensors and masks. All seats share it; it has a value for each seat, as games
can have any number of seats and their moves several actions. Afterwards it plays against a bot.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import regelwerk
from regelwerk import gymnasium


class Network(nn.Module):
    """Logits of actions, and a value for each seat."""

    actions: int
    seats: int
    width: int

    @nn.compact
    def __call__(self, seen: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Both for some tensors."""
        hidden = nn.relu(nn.Dense(self.width)(seen))
        hidden = nn.relu(nn.Dense(self.width)(hidden))
        logits = nn.Dense(self.actions, kernel_init=nn.initializers.orthogonal(0.01))(hidden)
        return logits, nn.tanh(nn.Dense(self.seats)(hidden))


class Batch(NamedTuple):
    """What has been played: the first axis is time, the second the games."""

    seen: jax.Array
    masks: jax.Array
    seats: jax.Array
    actions: jax.Array
    log_probabilities: jax.Array
    advantages: jax.Array
    targets: jax.Array


def masked(logits: jax.Array, masks: jax.Array) -> jax.Array:
    """The logarithms of the probabilities of legal actions."""
    return jax.nn.log_softmax(jnp.where(masks, logits, -1e9))


@partial(jax.jit, static_argnums=0)
def act(network: Network, weights: dict, key: jax.Array, seen: jax.Array, masks: jax.Array):  # type: ignore[no-untyped-def]
    """Random actions by their probabilities, with the logarithms of these and the values."""
    logits, values = network.apply(weights, seen)
    logs = masked(logits, masks)
    actions = jax.random.categorical(key, logs)
    return actions, jnp.take_along_axis(logs, actions[:, None], 1)[:, 0], values


def loss(weights: dict, network: Network, batch: Batch, clip: float, entropy_weight: float) -> jax.Array:
    """The clipped objective of PPO, the error of the values, and a little for entropy."""
    logits, values = network.apply(weights, batch.seen)
    logs = masked(logits, batch.masks)
    ratio = jnp.exp(jnp.take_along_axis(logs, batch.actions[:, None], 1)[:, 0] - batch.log_probabilities)
    advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
    clipped = jnp.clip(ratio, 1 - clip, 1 + clip)
    policy = -jnp.minimum(ratio * advantages, clipped * advantages).mean()
    entropy = -(jnp.exp(logs) * jnp.where(batch.masks, logs, 0)).sum(-1).mean()
    return policy + 0.5 * ((values - batch.targets) ** 2).mean() - entropy_weight * entropy


PARTS = 4
"""In how many parts a batch is learned from."""


def learn(  # type: ignore[no-untyped-def]
    name: str, games: int, length: int, updates: int, epochs: int, width: int, rate: float, seed: int
):
    """Let a network play against itself; the network and its weights."""
    env = regelwerk.vector_env(name, n=games, seed=seed)
    network = Network(env.action_space.size, len(env.game.seats), width)
    key, start = jax.random.split(jax.random.PRNGKey(seed))
    weights = network.init(start, jnp.zeros((1, env.observation_space.size)))
    falling = optax.linear_schedule(rate, 0.0, updates * epochs * PARTS)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(falling))
    moments = optimizer.init(weights)

    @jax.jit
    def update(weights, moments, batch, order):  # type: ignore[no-untyped-def]
        def one(carry, chosen):  # type: ignore[no-untyped-def]
            weights, moments = carry
            part = Batch(*(column[chosen] for column in batch))
            gradient = jax.grad(loss)(weights, network, part, 0.2, 0.01)
            change, moments = optimizer.update(gradient, moments)
            return (optax.apply_updates(weights, change), moments), None

        return jax.lax.scan(one, (weights, moments), order)[0]

    position, began = env.position, time.process_time()
    for number in range(updates):
        columns: list[list[np.ndarray]] = [[] for _ in range(5)]
        rewards, overs, values = [], [], []
        for _ in range(length):
            key, draw = jax.random.split(key)
            actions, logs, value = act(network, weights, draw, position.observations, position.action_masks)
            step = env.step(np.asarray(actions))
            played = (position.observations, position.action_masks, position.seats, actions, logs)
            for column, entry in zip(columns, played, strict=True):
                column.append(np.asarray(entry))
            rewards.append(step.rewards)
            overs.append(step.terminated | step.truncated)
            values.append(np.asarray(value))
            position = step
        key, draw = jax.random.split(key)
        *_, last = act(network, weights, draw, position.observations, position.action_masks)
        # Generalised advantages, of every seat at every decision: what one seat does concerns all of them.
        following, advantage = np.asarray(last), np.zeros_like(values[0])
        advantages = []
        for reward, over, value in zip(rewards[::-1], overs[::-1], values[::-1], strict=True):
            goes_on = 1.0 - over[:, None]
            advantage = reward + goes_on * following - value + 0.95 * goes_on * advantage
            advantages.append(advantage)
            following = value
        of_seats = np.stack(advantages[::-1])
        seen, masks, seats, chosen, logs = (np.concatenate(column) for column in columns)
        of_all = of_seats.reshape(-1, of_seats.shape[-1])
        own = np.take_along_axis(of_all, seats[:, None], 1)[:, 0]
        batch = Batch(*map(jnp.asarray, (seen, masks, seats, chosen, logs, own, of_all + np.concatenate(values))))
        key, draw = jax.random.split(key)
        draws = jax.random.split(draw, epochs)
        orders = [jax.random.permutation(each, len(seen)).reshape(PARTS, -1) for each in draws]
        weights, moments = update(weights, moments, batch, jnp.concatenate(orders))
        if (number + 1) % max(1, updates // 10) == 0:
            steps = (number + 1) * games * length
            print(f"{steps:,} steps, {np.sum(overs):,} games in the last batch, {time.process_time() - began:.0f} s")
    return network, weights


def against(name: str, bot: str, network: Network, weights: dict, games: int) -> float:
    """The mean return of the network, from all seats, against a bot in the others."""
    env, total = gymnasium.env(name, seat="any", bots=bot), 0.0
    logits = jax.jit(lambda seen: network.apply(weights, seen)[0])
    for seed in range(games):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            action = np.where(info["action_mask"], np.asarray(logits(seen)), -np.inf).argmax()
            seen, reward, over, _, info = env.step(action)
        total += reward
    return total / games


def main() -> None:
    """Learn a game, and play it against a bot."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--games", type=int, default=512, help="how many games go on at once")
    parser.add_argument("--length", type=int, default=32, help="the steps between two updates")
    parser.add_argument("--updates", type=int, default=700)
    parser.add_argument("--epochs", type=int, default=4, help="how often each batch is learned from")
    parser.add_argument("--width", type=int, default=128, help="of the two layers of the network")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--against", type=int, default=100, help="how many games it plays against the bot")
    chosen = parser.parse_args()
    network, weights = learn(
        chosen.game, chosen.games, chosen.length, chosen.updates, chosen.epochs, chosen.width, chosen.rate, chosen.seed
    )
    result = against(chosen.game, chosen.bot, network, weights, chosen.against)
    print(f"mean return against {chosen.bot}: {result:+.2f} (1 wins all, -1 loses all of two seats)")


if __name__ == "__main__":
    main()
