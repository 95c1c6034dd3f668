"""What a bot is given: everything that its seat may know, and no way to anything else."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from interpreter.analysis.random_choices import random_move
from interpreter.opponents.driver import Chooser, Driver
from interpreter.opponents.seat_observer import SeatObserver
from interpreter.opponents.situation import Situation
from interpreter.opponents.specs import BotSpec, spec_of
from interpreter.opponents.thinking import Thought
from interpreter.play.game import State, load
from interpreter.play.state import back_to
from tests.support.reachable import module_variables, reachable

SEED = 987_654_321_012_345
"""Seeds so large that no other number of a game is equal to one."""
HIDING = ["china", "hearts", "go_fish"] + [
    pytest.param(name, marks=pytest.mark.long) for name in ("chinesische_mauer", "dschingis_khan", "tallow_lane")
]


def never() -> bool:
    return False


@dataclass
class Curious:
    """A bot that keeps all that it can reach while it decides: from what it gets, and from the frames around it."""

    draws: int = 0
    found: list[object] = field(default_factory=list)
    situation: Situation | None = None

    def choose(self, situation: Situation) -> int:
        self.situation = situation
        drawn = situation.sampler.states(self.draws) if self.draws else ()
        self.found = list(reachable(situation, sys._getframe(), drawn))
        return 0


def played(name: str, decisions: int, seed: int = SEED) -> State:
    """A game in which some decisions have been made, and a seat has a choice to make."""
    state = load(name).start(seed=seed)
    rng = random.Random(3)
    while state.ply < decisions or len(state.legal_moves) < 2:
        state.push(rng.choice(state.legal_moves))
    return state


def driver_of(state: State, bot: object) -> Driver:
    """A driver of the seat that decides, with a bot that no entry point names."""
    assert state.player is not None
    driver = Driver(BotSpec("random", "random"), state.player)
    driver.chooser = Chooser(bot, "the bot of a test")  # type: ignore[arg-type]
    return driver


def secrets_among(found: list[object], state: State) -> list[str]:
    """What of a state is among some objects: itself, its parts, its seeds, orders of pieces the seat cannot see."""
    parts = {
        id(part): name
        for name, part in {
            "state": state, "cells": state.cells, "journal": state.journal, "results": state.journal.results,
            "decisions": state.made, "records": state._records,
        }.items()
    }  # fmt: skip
    seeds = {state.seed}
    layout = state.program.layout
    unseen = hidden_orders(state)
    shuffles = {tuple(result) for result in state.journal.results if isinstance(result, list) and len(result) >= 6}
    told = []
    for each in found:
        if id(each) in parts:
            told.append(f"the {parts[id(each)]} itself")
        if type(each) is int and each in seeds:
            told.append("a seed")
        if type(each) is tuple and all(type(part) is int for part in each) and each in unseen:
            told.append(f"the order of hidden pieces {unseen[each]}")
        if type(each) in (tuple, list) and all(type(part) is int for part in each) and tuple(each) in shuffles:
            told.append("how the pieces were shuffled")
        if type(each) is list and len(each) == len(state.cells) and each[: len(layout.places)] == state.cells:
            told.append("equal cells")
    return sorted(set(told))


def hidden_orders(state: State) -> dict[tuple[int, ...], str]:
    """The orders of pieces in places of which the deciding seat sees none; long ones, which no chance repeats."""
    view = state.view(state.player)
    found = {}
    for place in state.program.layout.places[1:]:
        if place.order:
            order = state.cells[place.order]
            name = state.program.layout.place_name(place.number)
            zone = view.zones.get(name)
            if len(order) >= 6 and zone is not None and all(piece.hidden for piece in zone.pieces):
                found[tuple(order)] = name
    return found


@pytest.mark.parametrize("draws", [0, 3])
@pytest.mark.parametrize("name", HIDING)
def test_nothing_that_a_bot_gets_leads_to_the_real_state(name: str, draws: int) -> None:
    state = played(name, 9)
    bot = Curious(draws)
    thought = Thought(driver_of(state, bot), state)
    thought.move(state)
    assert len(bot.found) > 100
    assert secrets_among(bot.found, state) == []


@pytest.mark.parametrize("name", [pytest.param("china", marks=pytest.mark.long), "hearts"])
def test_nothing_of_it_is_kept_where_modules_can_be_asked(name: str) -> None:
    state = played(name, 9)
    found = list(reachable(*module_variables()))
    Thought(driver_of(state, Curious(1)), state).move(state)
    assert secrets_among(found, state) == []
    assert secrets_among(list(reachable(*module_variables())), state) == []


def test_the_walk_finds_what_is_hidden_well() -> None:
    """The walk itself is tested: it finds a state in closures, defaults, bound methods, generators and frames."""
    state = played("hearts", 9)

    def closing() -> Callable[[], object]:
        return lambda: state

    def generating() -> Any:
        kept = state
        yield kept

    running = generating()
    next(running)

    def asked(kept: State = state) -> None:
        """A function with a default."""

    def framed(kept: State) -> list[object]:
        return list(reachable(sys._getframe()))

    ways = [closing(), asked, state.view, running, {"a": [(state,)]}, Driver(BotSpec("random", "random"), "a")]
    for way in ways[:-1]:
        assert "the state itself" in secrets_among(list(reachable(way)), state), way
    assert "the state itself" in secrets_among(framed(state), state)
    assert secrets_among(list(reachable(ways[-1])), state) == []


@pytest.mark.parametrize(("name", "players"), [("pig", 2), ("goofspiel", 2), ("go_fish", 3)])
def test_the_log_is_that_of_the_game_also_after_decisions_were_taken_back(name: str, players: int) -> None:
    """It is extended from decision to decision."""
    state, rng = load(name, players).start(2), random.Random(5)
    observers = {seat: SeatObserver(seat) for seat in state.game.seats}
    for _ in range(200):
        if state.over or rng.random() < 0.15:
            state = back_to(state, max(0, state.ply - rng.randint(1, 12)))
        observer = observers[str(state.player)]
        if rng.random() < 0.3:
            observer.prepare(state, 1, lambda: True)
        if rng.random() < 0.6:
            assert list(observer.situation(state, 1, 2).log) == state.log(state.player)
        state.push(rng.choice(state.legal_moves))


def test_the_data_are_plain_and_those_of_the_seat() -> None:
    state = played("chinesische_mauer", 9)
    bot = Curious()
    driver_of(state, bot).play(state)
    situation = bot.situation
    assert situation is not None
    assert situation.seat == state.player
    assert situation.seats == state.game.seats
    assert situation.view == state.view(state.player)
    assert list(situation.log) == state.log(state.player)
    assert [offer.notation for offer in situation.legal_moves] == [move.notation for move in state.legal_moves]
    assert [offer.label for offer in situation.legal_moves] == [move.label for move in state.legal_moves]
    assert [offer.arguments for offer in situation.legal_moves] == [move.arguments for move in state.legal_moves]
    assert not situation.stop()


def test_the_seed_of_a_decision() -> None:
    """It is the same after an undo or a resume, and another one for each seat, decision and game."""
    state = played("hearts", 12)
    driver = driver_of(state, Curious())
    first = driver.situation(state, never).seed
    assert first == driver_of(state, Curious()).situation(state.copy(), never).seed
    assert first != state.seed
    state.push(state.legal_moves[0])
    state.pop()
    assert driver.situation(state, never).seed == first
    other = played("hearts", 12, SEED + 1)
    later = state.copy()
    later.push(later.legal_moves[0])
    seeds = {first, driver_of(other, Curious()).situation(other, never).seed}
    assert len(seeds | {driver_of(later, Curious()).situation(later, never).seed}) == 3


def test_the_seed_says_nothing_of_what_others_decided_in_secret() -> None:
    """Decisions of which the seat does not know change neither the seed nor anything else that it gets."""
    state = load(Path(__file__).parents[1] / "cli" / "games" / "pebbles.rules", 3).start(seed=5)
    for _ in range(30):
        if state.player is None:
            break
        driver = driver_of(state, Curious())
        known = sum(1 for made in state.history if made.player == state.player or not made.unnoticed)
        assert driver._seed(state) == driver._seed(with_so_many(state, known))
        state.push(random_move(state))


def with_so_many(state: State, known: int) -> State:
    """Another state of the same seed of which a seat knows so many decisions, made by that seat itself."""
    other = state.copy()
    other.render_history()
    noticed = [record for record in other._records if record.player == state.player or not record.unnoticed]
    other._records, other.made = noticed, other.made[:known]
    return other


def test_random_moves_are_those_of_random_games() -> None:
    state = load("china").start(seed=3)
    for _ in range(20):
        assert state.player is not None
        driver = Driver(BotSpec("random", "random"), state.player)
        assert driver.is_quick
        assert driver.play(state) == random_move(state)
        state.push(random_move(state))


@pytest.mark.parametrize("text", ["greedy", "mcts:20"])
def test_a_bot_is_stopped_and_thinks_again(text: str) -> None:
    """The same decision with the same seed gives the same move, whichever bot object is asked."""
    state = load("connect_four").start(seed=3)
    spec = spec_of(text)
    assert isinstance(spec, BotSpec)
    moves = {Thought(Driver(spec, "red"), state).move(state).notation for _ in range(2)}
    assert len(moves) == 1


def test_a_bot_that_is_wanted_to_move_at_once() -> None:
    state = load("connect_four").start(seed=3)
    spec = spec_of("mcts:60s")
    assert isinstance(spec, BotSpec)
    thought = Thought(Driver(spec, "red"), state)
    assert not thought.wait(0.2)
    thought.stop()
    assert thought.wait(20)
    assert thought.move(state) in state.legal_moves
    assert thought.seconds > 0.2


def test_a_thread_that_thinks_does_not_keep_a_program_running() -> None:
    waiting = threading.Event()

    class Deaf:
        def choose(self, situation: Situation) -> int:
            waiting.wait()
            return 0

    state = load("tic_tac_toe").start()
    thought = Thought(driver_of(state, Deaf()), state)
    threads = [thread for thread in threading.enumerate() if thread.name == "bot of cross"]
    assert threads
    assert all(thread.daemon for thread in threads)
    waiting.set()
    assert thought.move(state) == state.legal_moves[0]
