"""Games as games of OpenSpiel (the extra `open_spiel`): its algorithms learn, solve and search from a rules file.

    import pyspiel
    import regelwerk.open_spiel

    regelwerk.open_spiel.register("my_game.rules")
    game = pyspiel.load_game("regelwerk_my_game(players=3)")

`docs/research.md` says what a state of OpenSpiel is here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import brief
from interpreter.arguments import instance_of, integer_of
from interpreter.engine.seated_game import OptionInfo, SeatedGame
from interpreter.environments.actions import PartialMove
from interpreter.environments.returns import Returns, is_common, is_zero_sum, return_bounds, returns_named
from interpreter.errors import UsageError
from interpreter.loading.game_library import all_games, find
from interpreter.opponents.information import has_chance, is_known
from interpreter.solving.tree import GameTree, Node, max_outcomes
from regelwerk.game import Game, load

try:
    import numpy
    import pyspiel
except ImportError as fault:
    raise ImportError("OpenSpiel is not installed: pip install 'regelwerk[open_spiel]'") from fault

PREFIX = "regelwerk_"
MAX_DECISIONS = 10_000
"""The default of `max_decisions`, after which a game is broken off."""

MAX_CHANCE_EVENTS = 1_000_000
"""What OpenSpiel is told as the greatest number of chance events in a game: nothing counts them beforehand."""

PLAYERS, RETURNS, DECISIONS = "players", "returns", "max_decisions"
"""The names of the parameters that every game has."""

Parameter = bool | int | str


def register(*games: str | Path) -> list[str]:
    """Register games by name or path with OpenSpiel, by default all shipped ones; gives their names there.

    The name there is `regelwerk_` and the name of the game. Its parameters are the options of the game, `players`, the
    number of seats (by default the fewest), `returns`, what seats get (`win`, `score` or `margin`), and
    `max_decisions`, after which a game is broken off and nobody gets anything. To register a game again replaces it.
    Raises what `load` raises.
    """
    paths = [find(str(game)) for game in games] or [game.path for game in all_games() if game.origin == "shipped"]
    return [_register(path) for path in paths]


def _register(path: Path) -> str:
    game_type = _game_type(GameTree(load(path)))
    # OpenSpiel releases what it is given after Python has ended. It gets a class, as any other object would be freed by
    # then: the process would crash.
    pyspiel.register_game(game_type, type(game_type.short_name, (_Registered,), {"path": path}))
    return str(game_type.short_name)


def spiel_game(game: Game, returns: Returns = "win", max_decisions: int = MAX_DECISIONS) -> SpielGame:
    """A game of OpenSpiel, without registering it, from a loaded one with its variants, board and position.

    Raises UsageError for something that is no loaded game, other `returns`, or `max_decisions` below 1.
    """
    return SpielGame(instance_of(game, Game, "a game from `load`"), {RETURNS: returns, DECISIONS: max_decisions})


def _parameters(game: SeatedGame) -> dict[str, Parameter]:
    """The parameters of a game, with their defaults."""
    defaults: dict[str, Parameter] = {PLAYERS: game.fewest, RETURNS: "win", DECISIONS: MAX_DECISIONS}
    for option in game.option_info:
        if option.name in defaults:
            raise UsageError(f"the option `{option.name}` has the name of a parameter that every game has")
        defaults[option.name] = _default_of(option)
    return defaults


def _default_of(option: OptionInfo) -> Parameter:
    """The default of an option in the type that its parameter has in OpenSpiel."""
    if set(option.values) <= {"true", "false"}:
        return option.default == "true"
    if all(value.lstrip("-").isdecimal() for value in option.values):
        return int(option.default)
    return option.default


def _game_type(tree: GameTree) -> Any:  # OpenSpiel has no types
    """What kind of a game it is, in the terms of OpenSpiel."""
    types, game = pyspiel.GameType, tree.game
    is_random = has_chance(game) or "random" in game.options.values()
    utility = types.Utility.ZERO_SUM if is_zero_sum(game.program, tree.returns) else types.Utility.GENERAL_SUM
    if tree.returns == "win" and is_common(game.program) and len(game.seats) > 1:
        utility = types.Utility.IDENTICAL
    information = types.Information
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if is_random else types.ChanceMode.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if is_known(game) else information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.most,
        min_num_players=game.fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(game),
    )


@lru_cache(maxsize=16)
def _loaded(path: Path, players: int, options: tuple[tuple[str, str], ...]) -> Game:
    return load(path, players=players, options=dict(options))


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with its seats and options."""

    def __init__(self, game: Path | Game, parameters: Mapping[str, Any]) -> None:
        returns = returns_named(parameters[RETURNS])
        if isinstance(game, Path):
            options = tuple(
                (name, str(value).lower() if isinstance(value, bool) else str(value))
                for name, value in parameters.items()
                if name not in (PLAYERS, RETURNS, DECISIONS)
            )
            game = _loaded(game, int(parameters[PLAYERS]), options)
        self.tree = tree = GameTree(game, returns)
        self.actions, self.tensors = game.action_space, game.observation_space
        self.max_decisions = integer_of(parameters[DECISIONS], f"`{DECISIONS}`", least=1)
        self._node_caches: WeakKeyDictionary[Node, _NodeCache] = WeakKeyDictionary()
        low, high = return_bounds(game.program, returns)
        game_info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.size,
            max_chance_outcomes=max_outcomes(game.program),
            num_players=len(tree.seats),
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if is_zero_sum(game.program, returns) else None,
            max_game_length=self.max_decisions,
        )
        super().__init__(_game_type(tree), game_info, dict(parameters))

    def new_initial_state(self) -> SpielState:
        """The beginning of the game. Raises PlayError if a rule fails."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The greatest number of chance events in a game."""
        return MAX_CHANCE_EVENTS

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        """An observer, which says how a state looks to a seat. It has no parameters: raises UsageError for any."""
        if parameters:
            raise UsageError(f"an observer has no parameters, not {brief(parameters)}")
        return Observer(self, kind is not None and kind.perfect_recall)

    def node_cache(self, node: Node) -> _NodeCache:
        """What has been computed about a node."""
        if node not in self._node_caches:
            self._node_caches[node] = _NodeCache()
        return self._node_caches[node]


@dataclass
class _NodeCache:
    """What has been computed about a node: its decision, and the information states of seats by number."""

    decision: PartialMove | None = None
    information: dict[int, str] = field(default_factory=dict)


class _Registered(SpielGame):
    """A game as OpenSpiel makes it from its parameters."""

    path: Path

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        super().__init__(self.path, parameters)


@dataclass(frozen=True)
class _Place:
    """A node, and what has been chosen of a move there. OpenSpiel copies it with the state, which costs nothing."""

    node: Node
    partial: PartialMove | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> _Place:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A history of a game: a node of its tree, and what has been chosen of a move there."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.place = _Place(game.tree.root)
        self.decisions = 0

    def current_player(self) -> int:
        """The seat that decides, or who else: chance, or nobody."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.place.node.seat
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def is_terminal(self) -> bool:
        """True if the game is over, or broken off."""
        return bool(self.place.node.is_over or self.decisions >= self.get_game().max_decisions)

    def returns(self) -> list[float]:
        """What each seat gets; nothing as long as the game is not over, or if it was broken off."""
        node = self.place.node
        return list(node.returns) if node.is_over else [0.0] * len(node.tree.seats)

    @property
    def partial(self) -> PartialMove:
        """What has been chosen of the move at a decision."""
        if self.place.partial is not None:
            return self.place.partial
        game, node = self.get_game(), self.place.node
        cache: _NodeCache = game.node_cache(node)
        if cache.decision is None:
            cache.decision = game.actions.begin(node.state.cells)
        return cache.decision

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.partial.legal_actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""
        return [(outcome.number, outcome.probability) for outcome in self.place.node.outcomes]

    def _apply_action(self, action: int) -> None:
        node = self.place.node
        if node.is_chance:
            self.place = _Place(node.after(action))
            return
        self.decisions += 1
        partial = self.partial.choose(action)
        self.place = _Place(node, partial) if partial.number is None else _Place(node.after(partial.number))

    def _action_to_string(self, player: int, action: int) -> str:
        node: Node = self.place.node
        if player == pyspiel.PlayerId.CHANCE:
            return next((outcome.words for outcome in node.outcomes if outcome.number == action), str(action))
        return str(self.get_game().actions.names[action])

    def __str__(self) -> str:
        """The moves since the beginning, and what is pending."""
        node: Node = self.place.node
        lines = [move.notation for move in node.line()]
        if self.place.partial is not None:
            lines += [f"… {self.get_game().actions.names[action]}" for action in self.place.partial.chosen]
        if node.is_chance:
            lines.append(f"chance: {', '.join(outcome.words for outcome in node.outcomes)}")
        elif node.is_over:
            lines.append("the game is over")
        else:
            lines.append(f"{node.state.player} decides")
        return "\n".join(lines)


class Observer:
    """How a state looks to a seat: as text, and as a tensor of what is seen now.

    If it `remembers`, the text is all that the seat has observed since the start, and there is no tensor.
    """

    def __init__(self, game: SpielGame, remembers: bool) -> None:
        self.game, self.remembers = game, remembers
        self.tensor = None if remembers else numpy.zeros(game.tensors.size, numpy.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the tensor. At a chance event it shows the decision before; zeros if there was none."""
        if self.tensor is None:
            return
        node = _looked_at(state)
        partial = state.place.partial if node is not None and node.seat == player else None
        self.tensor[:] = 0 if node is None else self.game.tensors.tensor(node.state.cells, player, partial)

    def string_from(self, state: SpielState, player: int) -> str:
        """How a state looks to a seat. What it has chosen of its move is in it."""
        node, partial = state.place.node, state.place.partial
        if self.remembers:
            information = self.game.node_cache(node).information
            if player not in information:
                information[player] = node.information(player)
            text = information[player]
        else:
            looked_at = _looked_at(state)
            seat = node.tree.seats[player]
            text = "" if looked_at is None else json.dumps(looked_at.state.view(seat).as_data(), sort_keys=True)
        if partial is not None and node.seat == player:
            text += "".join(f"\nchosen: {self.game.actions.names[action]}" for action in partial.chosen)
        return text


def _looked_at(state: SpielState) -> Node | None:
    """The decision or end that is shown; at a chance event the decision before, None if there was none."""
    node: Node = state.place.node
    return node.decision if node.is_chance else node


__all__ = ["SpielGame", "SpielState", "register", "spiel_game"]
