"""A game of one seed is the same game wherever it is played at random: `simulate`, `play`, coverage, `diff`."""

import json
from collections import Counter
from itertools import chain, islice
from pathlib import Path

import pytest

from interpreter.analysis.playouts import play_at_random
from interpreter.analysis.random_choices import random_choice, random_move
from interpreter.authoring.coverage.instrumentation import instrumented
from interpreter.play.game import load
from interpreter.play.saves.files import read_save, resume
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM
from tests.cli.conftest import PEBBLES
from tests.support.library import representative
from tests.support.long_run import one_in

SHIPPED = representative()


def same(run, name, seed, *words):
    """The numbers of moves to choose from show that both made the same choices, all along."""
    result = run("simulate", name, "--seed", seed, *words, "-n", 1, "-j", 1, "--format", "json")
    figures = json.loads(result.output)
    save = Path(f"{Path(name).stem}.json")
    result = run("play", name, "--seat", "all=random", "--seed", seed, "--save", save, *words)
    assert result.exit_code == 0
    sizes = numbers_of_moves(save)
    assert (figures["length"]["mean"], figures["widest"]) == (len(sizes), max(sizes))
    assert figures["sizes"]["mean"] == pytest.approx(sum(sizes) / len(sizes))
    winners = [seat["seat"] for seat in figures["seats"] if seat["wins"]["mean"]]
    everybody = [seat["seat"] for seat in figures["seats"]]
    alone = everybody[0] if not everybody[1:] else "everyone"
    named = " and ".join(winners) or "nobody"
    ways = [f"{named} {'share the win' if winners[1:] else 'wins'}"]
    ways += [f"{alone} {'wins' if winners else 'loses'}"] if winners in ([], everybody) else []
    teams = [team["team"] for team in figures["teams"] if team["wins"]["mean"]]
    ways += [f"{team.replace('_', ' ')} ({named}) wins" for team in teams if len(teams) == 1]
    assert any(f" {way}{sign} " in result.output for way in ways for sign in ":;")


def numbers_of_moves(save):
    """How many legal moves there were at each decision of a saved game."""
    state, sizes = resume(read_save(save)), []
    while state.history:
        state.pop()
        sizes.append(len(state.legal_moves))
    return sizes


@pytest.mark.parametrize("name", one_in(3, SHIPPED, 1))
def test_play_plays_what_simulate_played(run, name):
    same(run, name, 1)


def test_with_players_options_variants_and_a_board(run, own_folder):
    same(run, PEBBLES, 7, "--players", "red,blue", "--option", "turns=many", "--option", "start=random")
    same(run, "china", 5, "--players", 4, "--variant", "even_cards")


def test_of_many_games_each_has_its_seed(run):
    output = run("simulate", PEBBLES, "-n", 60, "-j", 2, "--seed", 100, "--format", "json").output
    game = load(PEBBLES)
    lengths = [play_at_random(game, seed).decisions for seed in range(100, 160)]
    assert json.loads(output)["length"]["mean"] == pytest.approx(sum(lengths) / 60)


@pytest.mark.parametrize("name", one_in(3, SHIPPED, 2))
def test_watched_games_are_the_same(name):
    """Coverage plays other code; a fault it meets is looked for in the plain game."""
    game = load(name)
    assert moves_of(game.program, 1) == moves_of(instrumented(game).compiled(), 1)


def moves_of(program, seed, most=200):
    cells = list(program.initial)
    cells[RANDOM] = seeded(seed)
    program.run(cells, None, 0)
    made = []
    while cells[POINT] >= 0 and len(made) < most:
        legal = program.legal(cells)
        made.append(legal)
        program.do(cells, None, legal[random_choice(seed, len(made) - 1, len(legal))])
    return made


SEEDS = (0, 1, 17, -1, -17, 2**63, 2**64 - 1, 1 - 2**64)


def splitmix64(state):
    """The generator as it was published, one step after the other."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


@pytest.mark.parametrize("seed", SEEDS)
def test_the_choices_of_a_seed(seed):
    drawn = list(islice(splitmix64((seed * 0xD1B54A32D192ED03 + 0x243F6A8885A308D3) % 2**64), 100))
    for count in (1, 2, 6, 1000, 2**63 + 1):
        assert [random_choice(seed, number, count) for number in range(100)] == [z * count // 2**64 for z in drawn]
    for number in (60, 3, 99):
        assert random_choice(seed, number, 6) == drawn[number] * 6 >> 64


def test_choices_are_the_same_on_every_machine():
    choices = {seed: [random_choice(seed, number, 1000) for number in range(6)] for seed in (0, 1, -1)}
    assert choices == {
        0: [174, 578, 864, 858, 494, 953],
        1: [770, 220, 135, 378, 128, 288],
        -1: [952, 988, 249, 167, 941, 868],
    }


def test_choices_are_independent_of_one_another_and_of_chance():
    """Consecutive seeds are the games of one sample; streams that overlap would make them alike."""
    chance = [list(islice(splitmix64(seeded(seed)), 100)) for seed in range(-100, 100)]
    drawn = {random_choice(seed, number, 2**64) for seed in range(-100, 100) for number in range(100)}
    assert len(drawn) == 200 * 100
    assert drawn.isdisjoint(chain.from_iterable(chance))
    for count in (2, 3, 7):
        pairs = Counter(
            (random_choice(seed, number, count), random_choice(seed + across, number + along, count))
            for across, along in ((0, 1), (1, 0), (1, 1), (1, -1))
            for seed in range(100)
            for number in range(1, 100)
        )
        expected = 4 * 100 * 99 / count**2
        assert len(pairs) == count**2
        assert max(abs(found - expected) for found in pairs.values()) < 6 * expected**0.5


def test_a_choice_depends_on_the_decision_alone():
    """After an undo or a resume a bot answers as before, however it got there."""
    state = load(PEBBLES).start(3)
    made = []
    while state.player is not None:
        made.append(random_move(state).notation)
        state.push(made[-1])
    for _ in range(len(made)):
        state.pop()
        for seed in range(10):
            random_choice(seed, 5, 3)
        assert random_move(state).notation == made[state.ply]
