"""PPO learns a game from its rules by playing against itself: `python examples/ppo.py connect_four`.

One file in the manner of CleanRL, with JAX, Flax and Optax: pip install 'regelwerk[gymnasium]' jax flax optax. All it
knows of a game are tensors, masks and the names of their columns. One network plays all seats and has a value for each,
as games can have any number of seats and their moves several actions. Beside what PPO always is:

* Many small steps: some 16,000 decisions are learned from in parts of 256. In parts of 4,096 it does not even learn
  Tic-tac-toe: the network prefers corners, and overlooks its own three in a row.
* Half of the games have an *opening* in which every other move is random and nothing is learned, as a network that
  plays the same few games with itself is at a loss when somebody plays differently.
* Each seat reads tensors as if it were the first, so what is learned in one seat is known in all.
* Random games say how large the numbers in a column get, and how far the seats end apart: both are scaled to about 1.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import regelwerk
from regelwerk import gymnasium

SQUARE = re.compile(r"(\w+)\[([a-z])(\d+)\](.*)")
"""The name of a column about a square of a board: `disc[a1]: red`."""

LONGEST = 2000
"""The steps after which no random game is waited for any more."""

Numbers = Any
"""An array of NumPy or JAX."""


def from_seat(names: Sequence[str], seats: Sequence[str], seat: int) -> Numbers:
    """For each column or action the one that says it of the seats counted from this one, which so sees itself first.

    `disc[a1]: red` is `disc[a1]: yellow` for yellow. Who looks stays: it says who began. A word means a seat where all
    seats can stand, and nothing else: in China, `house[shu1]: red` is about a seat, `display: red` about a card, as
    there is `display: orange` as well.
    """
    numbers = {name: number for number, name in enumerate(names)}
    following = {name: seats[(number + seat) % len(seats)] for number, name in enumerate(seats)}
    standing: dict[tuple[str, str], set[str]] = {}
    for name in names:
        for word in re.finditer(r"\w+", name):
            standing.setdefault((name[: word.start()], name[word.end() :]), set()).add(word[0])

    def turned(word: re.Match[str]) -> str:
        around = word.string[: word.start()], word.string[word.end() :]
        return following[word[0]] if standing[around] == set(seats) else word[0]

    renamed = [name if name.startswith("looks") else re.sub(r"\w+", turned, name) for name in names]
    if len(numbers) < len(names) or not numbers.keys() >= set(renamed):
        return np.arange(len(names))  # the seats have not the same columns
    return np.array([numbers[name] for name in renamed])


def windows_of(names: Sequence[str], size: int) -> tuple[tuple[int, ...], ...]:
    """The columns in each window of `size` by `size` squares of a board; none if there is no board of squares.

    Where a board has gaps, the number after the last column stands for nothing.
    """
    squares = [(number, match) for number, name in enumerate(names) if (match := SQUARE.fullmatch(name))]
    planes = list(dict.fromkeys((match[1], match[4]) for _, match in squares))
    places = {number: (int(match[3]) - 1, ord(match[2]) - ord("a")) for number, match in squares}
    height, width = (max((place[axis] for place in places.values()), default=-1) + 1 for axis in (0, 1))
    board = np.full((height, width, len(planes)), len(names))
    for number, match in squares:
        board[(*places[number], planes.index((match[1], match[4])))] = number
    rows, columns = range(height - min(size, height) + 1), range(width - min(size, width) + 1)
    return tuple(tuple(board[y : y + size, x : x + size].ravel().tolist()) for y in rows for x in columns if planes)


class Network(nn.Module):
    """Logits of actions, and a value for each seat: two layers over each window of a board, and two over everything."""

    actions: int
    seats: int
    width: int
    features: int
    windows: tuple[tuple[int, ...], ...]

    @nn.compact
    def __call__(self, seen: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Both for some tensors."""
        hidden = seen
        if self.windows:
            squares = jnp.pad(seen, ((0, 0), (0, 1)))[:, np.array(self.windows)]
            found = nn.relu(nn.Dense(2 * self.features)(squares))  # a convolution, written as a product
            found = nn.relu(nn.Dense(self.features)(found))
            hidden = jnp.concatenate((seen, found.reshape(len(seen), -1)), 1)
        hidden = nn.relu(nn.Dense(self.width)(hidden))
        hidden = nn.relu(nn.Dense(self.width)(hidden))
        logits = nn.Dense(self.actions, kernel_init=nn.initializers.orthogonal(0.01))(hidden)
        return logits, nn.tanh(nn.Dense(self.seats)(hidden))


class Batch(NamedTuple):
    """Decisions: what was seen and legal, what was chosen, how much better than expected it was, what seats then got.

    All of it as if the seat that decides were the first. `learned` is 0 for those of openings.
    """

    seen: jax.Array
    masks: jax.Array
    actions: jax.Array
    log_probabilities: jax.Array
    advantages: jax.Array
    targets: jax.Array
    learned: jax.Array


def masked(logits: jax.Array, masks: jax.Array) -> jax.Array:
    """The logarithms of the probabilities of legal actions."""
    return jax.nn.log_softmax(jnp.where(masks, logits, -1e9))


@partial(jax.jit, static_argnums=0)
def likelihoods(network: Network, weights: dict, seen: jax.Array, masks: jax.Array) -> jax.Array:
    """The logarithms of the probabilities of actions."""
    return masked(network.apply(weights, seen)[0], masks)


@partial(jax.jit, static_argnums=0)
def act(network: Network, weights: dict, key: jax.Array, seen: jax.Array, masks: jax.Array):
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
    gain = jnp.minimum(ratio * batch.advantages, jnp.clip(ratio, 1 - clip, 1 + clip) * batch.advantages)
    entropy = -(jnp.exp(logs) * jnp.where(batch.masks, logs, 0)).sum(-1)
    error = ((values - batch.targets) ** 2).mean(-1)
    share = batch.learned / jnp.maximum(batch.learned.sum(), 1)
    return (share * (0.5 * error - gain - entropy_weight * entropy)).sum()


class Learner:
    """A network that learns a game, and how seats read its tensors."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.game = regelwerk.load(chosen.game, players=chosen.players)
        self.env = regelwerk.vector_env(self.game, n=chosen.games, seed=chosen.seed, returns=chosen.returns)
        seats, names, actions = self.game.seats, self.env.observation_space.names, self.env.action_space.names
        self.columns = np.stack([from_seat(names, seats, seat) for seat in range(len(seats))])
        self.actions = np.stack([from_seat(actions, seats, seat) for seat in range(len(seats))])
        self.network = Network(
            len(actions), len(seats), chosen.width, chosen.features, windows_of(names, chosen.window)
        )
        self.largest, self.spread = self.in_random_games()
        self.weights = self.network.init(jax.random.PRNGKey(chosen.seed), jnp.zeros((1, len(names))))

    def in_random_games(self) -> tuple[Numbers, float]:
        """The largest number that a seat sees in each column, and the standard deviation of what seats get.

        The types of the rules only say what could be: scores in China are from 0 to 999, but few are over 50.
        """
        env, rng, position = self.env, np.random.default_rng(self.chosen.seed), self.env.position
        largest, returns, steps = np.zeros(self.columns.shape[1], np.float32), [], 0
        while len(returns) < env.n and steps < LONGEST:
            largest = np.maximum(largest, np.abs(self.turned(position.seats, position.observations)).max(0))
            position = env.step((rng.random(position.action_masks.shape) * position.action_masks).argmax(1))
            returns.extend(position.rewards[position.terminated])
            steps += 1
        env.reset(self.chosen.seed)
        spread = float(np.std(returns)) if returns else 0.0
        return np.where(largest > 0, largest, 1), spread or 1.0

    def turned(self, seats: Numbers, observations: Numbers) -> Numbers:
        """Tensors as if the seats that see them were the first."""
        return np.take_along_axis(observations, self.columns[seats], 1)

    def scaled(self, rewards: Numbers) -> Numbers:
        """What is learned from rewards: how far ahead a seat is counts less the farther it is."""
        return rewards if self.chosen.returns == "win" else np.tanh(rewards / (2 * self.spread))

    def learn(self) -> None:
        """Let the network play against itself, and play the bot now and then."""
        chosen, env, network, rng = self.chosen, self.env, self.network, np.random.default_rng(self.chosen.seed)
        key, seats = jax.random.PRNGKey(chosen.seed + 1), np.arange(len(self.game.seats))
        size = min(chosen.part, chosen.games * chosen.length)
        parts = chosen.games * chosen.length // size
        falling = optax.linear_schedule(chosen.rate, 0.0, chosen.updates * chosen.epochs * parts)
        optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(falling))
        moments = optimizer.init(self.weights)

        @jax.jit
        def update(weights, moments, batch, order, entropy):
            def one(carry, part):
                weights, moments = carry
                gradient = jax.grad(loss)(weights, network, Batch(*(column[part] for column in batch)), 0.2, entropy)
                change, moments = optimizer.update(gradient, moments)
                return (optax.apply_updates(weights, change), moments), None

            return jax.lax.scan(one, (weights, moments), order)[0]

        def evaluated(position):
            nonlocal key
            key, draw = jax.random.split(key)
            who = position.seats
            seen = self.turned(who, position.observations) / self.largest
            masks = np.take_along_axis(position.action_masks, self.actions[who], 1)
            actions, logs, values = map(np.asarray, act(network, self.weights, draw, seen, masks))
            by_seat = np.take_along_axis(values, (seats - who[:, None]) % len(seats), 1)
            return who, seen, masks, actions, logs, by_seat

        began, position, opening = time.process_time(), env.position, rng.random(env.n) < 0.5
        for number in range(1, chosen.updates + 1):
            columns: list[list[Numbers]] = [[] for _ in range(6)]
            rewards, overs, values = [], [], []
            for _ in range(chosen.length):
                who, seen, masks, actions, logs, value = evaluated(position)
                opening &= rng.random(env.n) > 1 / chosen.opening
                shaken = opening & (rng.random(env.n) < 0.5)
                actions = np.where(shaken, (rng.random(masks.shape) * masks).argmax(1), actions)
                position = env.step(self.actions[who, actions])
                over = position.terminated | position.truncated
                for column, entry in zip(columns, (who, seen, masks, actions, logs, ~opening), strict=True):
                    column.append(entry)
                rewards.append(self.scaled(position.rewards))
                overs.append(over)
                values.append(value)
                opening = np.where(over, rng.random(env.n) < 0.5, opening)
            # Generalised advantages, of every seat at every decision: what one seat does concerns all of them.
            following = evaluated(position)[-1]
            advantage, advantages = np.zeros_like(following), []
            for reward, over, value in zip(rewards[::-1], overs[::-1], values[::-1], strict=True):
                goes_on = 1.0 - over[:, None]
                advantage = reward + goes_on * following - value + 0.95 * goes_on * advantage
                advantages.append(advantage)
                following = value
            who, seen, masks, actions, logs, learned = map(np.concatenate, columns)
            first = (seats + who[:, None]) % len(seats)
            by_seat = np.take_along_axis(np.concatenate(advantages[::-1]), first, 1)
            targets = by_seat + np.take_along_axis(np.concatenate(values), first, 1)
            batch = Batch(*map(jnp.asarray, (seen, masks, actions, logs, by_seat[:, 0], targets, learned)))
            orders = [rng.permutation(len(seen))[: parts * size].reshape(parts, size) for _ in range(chosen.epochs)]
            entropy = chosen.entropy * (1 - number / chosen.updates)  # open first, sharp in the end
            self.weights, moments = update(self.weights, moments, batch, np.concatenate(orders), entropy)
            if number % max(1, chosen.updates // 10) == 0 and chosen.curve:
                spent, steps = time.process_time() - began, number * chosen.games * chosen.length
                result = self.against(chosen.curve)
                began += time.process_time() - began - spent
                print(f"{steps:,} steps, {spent:.0f} s, {result} against {chosen.bot}", flush=True)

    def against(self, games: int) -> str:
        """The mean return of the network, from all seats, against the bot in the others, and how far it may be off."""
        envs = [gymnasium.env(self.game, seat=seat, bots=self.chosen.bot) for seat in self.game.seats]
        returns = []
        for seed in range(games):
            env = envs[seed % len(envs)]
            seen, info = env.reset(seed=seed)
            over = False
            while not over:
                action = self.likeliest(env.seat, seen, info["action_mask"])
                seen, reward, over, _, info = env.step(action)
            returns.append(reward)
        return f"{np.mean(returns):+.2f} ± {1.96 * np.std(returns) / games**0.5:.2f}"

    def likeliest(self, seat: int, seen: Numbers, mask: Numbers) -> int:
        """The action that the network finds most likely for a seat."""
        seen, mask = self.turned(np.array([seat]), seen[None]) / self.largest, mask[None, self.actions[seat]]
        return int(self.actions[seat][likelihoods(self.network, self.weights, seen, mask)[0].argmax()])


def parser_of_arguments() -> argparse.ArgumentParser:
    """What can be chosen."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--players", type=int, help="by default as few as can play")
    parser.add_argument("--games", type=int, default=512, help="how many games go on at once")
    parser.add_argument("--length", type=int, default=32, help="the steps between two updates")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=2, help="how often each batch is learned from")
    parser.add_argument("--part", type=int, default=256, help="how many decisions make one step of learning")
    parser.add_argument("--width", type=int, default=128, help="of the two layers of the network")
    parser.add_argument("--features", type=int, default=32, help="of each window of a board")
    parser.add_argument("--window", type=int, default=4, help="the squares in a side of a window")
    parser.add_argument("--returns", choices=("win", "margin"), default="win", help="who wins, or by how much")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.02, help="how much worse may be what is more open")
    parser.add_argument("--opening", type=float, default=12, help="the mean length of an opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--curve", type=int, default=10, help="games against the bot at each tenth of the way")
    parser.add_argument("--against", type=int, default=200, help="games against the bot at the end")
    return parser


def main() -> None:
    """Learn a game, and play it against a bot."""
    learner = Learner(parser_of_arguments().parse_args())
    learner.learn()
    result = learner.against(learner.chosen.against)
    print(f"mean return against {learner.chosen.bot}: {result} (1 wins all; 0 is a fair share of the wins)")


if __name__ == "__main__":
    main()
