"""What a seat knows, here and in OpenSpiel, and other histories that it could not tell from one that was played."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.classic.twin import Pair

FISHED = " asked -3 for "
"""In OpenSpiel's go fish all are told which card was fished, as if a seat of that number had been asked: its error."""


class Knowledge:
    """All positions met, by what a seat knows of them there and here; `shared` counts the histories that look alike.

    Histories that share OpenSpiel's information state look alike to the seat here: the same view and log. What looks
    alike here shares the information state there, and the observation.
    """

    def __init__(self) -> None:
        self.looks: dict[tuple[int, str], tuple[str, list[int]]] = {}
        self.states: dict[tuple[int, str], str] = {}
        self.shared = 0

    def meet(self, pair: Pair) -> None:
        """Compare a position with all that went before."""
        for number in watching(pair):
            there, here = information(pair, number), look(pair, number)
            history = list(pair.spiel.history())
            known, first = self.looks.setdefault((number, there), (here, history))
            assert known == here, f"the same information state, but not the same look:\n{there}"
            assert self.states.setdefault((number, here), there) == there
            self.shared += first != history


def watching(pair: Pair) -> list[int]:
    """The seats whose information state says something now. When the game is over all is open here."""
    if pair.state.over:
        return []
    return [pair.spiel.current_player()] if pair.twin.hidden == "mover" else list(range(pair.twin.players))


def look(pair: Pair, number: int) -> str:
    """All that a seat sees and has been told here."""
    seat = pair.state.game.seats[number]
    return json.dumps(
        [pair.state.view(seat).as_data(), [str(entry) for entry in pair.state.log(seat)], pair.state.player]
    )


def information(pair: Pair, number: int) -> str:
    """The information state of a seat there and what it observes; of a forgetful game, those of all its moves."""
    if not pair.twin.forgetful:
        return told(pair.spiel, number)
    told_so_far = []
    replayed = pair.spiel.get_game().new_initial_state()
    for action in pair.spiel.history():
        if replayed.current_player() == number:
            told_so_far.append(told(replayed, number))
        replayed.apply_action(action)
    return "\n".join([*told_so_far, told(pair.spiel, number)])


def told(spiel: Any, number: int) -> str:
    """What OpenSpiel says that a seat knows: its information state, and what it observes if the game says so."""
    kind = spiel.get_game().get_type()
    parts = [spiel.information_state_string(number)]
    if kind.provides_observation_string:
        parts.append(spiel.observation_string(number))
    if kind.provides_observation_tensor:
        parts.append(str(hash(tuple(spiel.observation_tensor(number)))))
    return "\n".join(line for part in parts for line in part.splitlines() if FISHED not in line)


def varied(pair: Pair, pyspiel: Any, seat: int, rng: random.Random) -> Pair | None:
    """The same game again with something else that the seat may not have noticed; none if it could not go on so.

    Two pieces have changed places in a shuffle, or another seat has made another move. Where a later move of another
    seat is not possible any more, the other piece or move takes its place.
    """
    results = [result for _, result in pair.events]
    turned = {number: made for number, made in enumerate(pair.made) if made.seat != seat and len(made.moves) > 1}
    shuffles = [number for number, (event, _) in enumerate(pair.events) if event.kind == "shuffle"]
    first, instead, number = "", "", None
    if shuffles and (not turned or rng.random() < 0.7):
        shuffle = rng.choice(shuffles)
        event, order = pair.events[shuffle]
        one, two = rng.sample(range(event.size), 2)
        results[shuffle] = list(order)
        results[shuffle][one], results[shuffle][two] = order[two], order[one]
        first, instead = (event.faces[order[place]].replace(" ", "") for place in (one, two))
    elif turned:
        number, made = rng.choice(list(turned.items()))
        first, instead = made.notation, rng.choice([move for move in made.moves if move != made.notation])
    other = Pair(pair.twin, pyspiel, 0, results)
    for place, made in enumerate(pair.made):
        notation = exchanged(made.notation, first, instead) if place == number else made.notation
        moves = other.moves()
        if made.seat != seat and notation not in moves:
            notation = exchanged(notation, first, instead)
        if notation not in moves or other.spiel.current_player() != made.seat:
            return None
        other.make(notation)
    other.moves()
    return other


def exchanged(notation: str, first: str, second: str) -> str:
    """One name for the other."""
    return second.join(part.replace(second, first) for part in notation.split(first))
