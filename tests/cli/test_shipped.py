"""Every game that comes with Regelwerk, played by hand in a pipe: with every number of players, at every width."""

import random
import re

import pytest

from interpreter.loading.game_library import all_games
from interpreter.loading.languages import languages_of
from interpreter.play.game import load
from interpreter.play.saves.files import read_save, resume
from interpreter.wording.words import OWN
from tests.cli.late import write_late
from tests.support.headers import players_of
from tests.support.library import REPRESENTATIVE
from tests.support.long_run import one_in

SHIPPED = [game for game in all_games() if game.origin == "shipped" and game.name in REPRESENTATIVE]
WIDTHS = (40, 60, 80)
LAST = 12
"""How many decisions before the end of a random game the normal run begins; how a game begins `persons_only` shows."""


def played():
    """Every game with each number of players at every width.

    In the normal run two games of three, with the fewest or the most players and at one width, in turn.
    """
    for number, game in enumerate(SHIPPED):
        counts = players_of(game.path)
        for players in counts:
            for width in WIDTHS:
                usual = (counts[0], counts[-1])[number % 2], WIDTHS[number // 2 % len(WIDTHS)]
                normal = number % 3 < 2 and (players, width) == usual
                marks = () if normal else pytest.mark.long
                yield pytest.param(game.path, players, width, id=f"{width}-{game.name}-{players}", marks=marks)


def chosen(seed: int, number: int) -> list[str]:
    """Numbers of moves, small ones mostly, so that most are legal; a few other words between them."""
    hand = random.Random(seed)
    words = [str(hand.choice((1, 1, 1, 2, 2, 3, 4, 5, 8))) for _ in range(number)]
    for word in ("why 1", "log", "log all", "undo", "view", "?", "why nonsense", "rules", "know", "preview 1"):
        words.insert(hand.randrange(len(words)), word)
    return words


NAMES_OF_RULES = re.compile(
    r"\b[A-Za-z]\w*_\w+|\b[a-z]\w*\.[a-z]\w*\b|\b[a-z]\w*\[[A-Za-z][^\]]*\]|\b[a-z]\w*\(\w[^)]*\)"
)
"""What only rules contain: `first_player`, `card.rank`, `hand[red]`, `points(red)`."""

AS_WRITTEN = re.compile(
    r"`[^`]*`|regelwerk [^\n]*|a\.json|\w+\.rules:\d+|\bhand\[me\]|name\(argument, …\)|Name\(Argument, …\)"
)
"""What stands for itself: what is to be typed, files, and lines of the rules."""


DRAWN = re.compile("[\u2500-\u257f\u2580-\u259f]")
"""Lines and blocks of which boards are drawn."""


def names_of_rules(output: str) -> list[str]:
    """The lines, except those of boards, in which a player reads names or expressions of the rules instead of words."""
    lines = AS_WRITTEN.sub("", output).splitlines()
    return [line for line in lines if NAMES_OF_RULES.search(line) and not DRAWN.search(line)]


def unbroken(line: str) -> bool:
    """Whether a line may be wider than the terminal: a command to copy, a path, or what was typed."""
    return any(words in line for words in ("regelwerk play ", "regelwerk trace ", "saved after", "> "))


@pytest.mark.parametrize(("path", "players", "width"), list(played()))
def test_a_person_against_bots(run, own_folder, path, players, width, long_run):
    """In the normal run only the last decisions of games that have more of them."""
    typed = chosen(players * width, 400)
    if long_run:
        words = ("--players", players, "--seed", width, "--save", "a.json")
    else:
        write_late(own_folder / "a.json", path, players, width, LAST)
        words = ("--resume", "a.json")
    result = run("play", path, *words, typed=typed, COLUMNS=str(width))
    assert result.exit_code == 0
    assert "the game is over" in result.output
    assert "where the points came from" in result.output
    long = [line for line in result.output.splitlines() if len(line) > width]
    assert all(unbroken(line) for line in long), long
    assert not names_of_rules(result.output)
    state = resume(read_save(own_folder / "a.json"), language=OWN)
    assert state.outcome is not None
    assert state.outcome.reason in " ".join(result.output.split())


@pytest.mark.parametrize("path", one_in(3, [game.path for game in SHIPPED]))
def test_persons_only(run, own_folder, path, long_run):
    typed = [word for number in chosen(3, 200 if long_run else 20) for word in (number, "")]
    players = max(2, players_of(path)[0])
    language = ("--language", "de") if "de" in languages_of(path) else ()
    words = ("--players", players, "--seat", "all=human", "--seed", 2, "--save", "a.json", *language)
    result = run("play", path, *words, typed=typed)
    assert result.exit_code == 0
    passed_on = ("gib die Tastatur an" if language else "pass the keyboard to") in result.output
    assert passed_on is not load(path, players).is_open
    assert not names_of_rules(result.output)


# Where games have many decisions, as in chess, go, and fells and becks, the trace takes long.
@pytest.mark.parametrize("path", one_in(4, [game.path for game in SHIPPED], 1))
def test_bots_only_and_the_trace(run, own_folder, path):
    result = run("play", path, "--seat", "all=random", "--seed", 2, "--save", "a.json")
    assert result.exit_code == 0
    trace = run("trace", "a.json", "--plain")
    assert trace.exit_code == 0
    decisions = resume(read_save(own_folder / "a.json")).ply
    assert trace.output.count(f"{path.name}:") >= 4 * decisions
