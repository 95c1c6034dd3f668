"""The games that represent all where a test of the engines, the language or the command is about "every game".

What such a test can find depends on the constructs a game uses, and on its size; another game of tricks or of lines
adds neither. So these tests take `representative` games, which cover all constructs, kinds of games and sizes. The
others, the *library*, are tested as games in `tests/games/test_library.py`: they check, their examples hold, both
engines play them alike with all numbers of players, nobody sees what is hidden; and beside other implementations in
`tests/classic`. A new game is a library game unless it brings a construct into the games that none of these has.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.support.project import ROOT

GAMES = ROOT / "games"

REPRESENTATIVE = frozenset({
    "backgammon", "breakthrough", "checkers", "chess", "china", "chinesische_mauer", "connect_four", "dschingis_khan",
    "fells_and_becks", "go", "go_fish", "goofspiel", "hearts", "hex", "kuhn_poker", "leduc_poker", "liars_dice",
    "mancala", "mauerbauer", "nim", "nine_mens_morris", "no_thanks", "othello", "pig", "spades", "tallow_lane",
    "texas_holdem", "tic_tac_toe", "weir_keepers",
})  # fmt: skip


def shipped() -> list[str]:
    """The names of all shipped games."""
    return sorted(path.stem for path in GAMES.glob("*.rules") if "." not in path.stem)


def representative() -> list[str]:
    """The names of the games that represent all."""
    return [name for name in shipped() if name in REPRESENTATIVE]


def library() -> list[str]:
    """The names of all others."""
    return [name for name in shipped() if name not in REPRESENTATIVE]


def of_representatives(paths: Iterable[Path]) -> list[Path]:
    """The files of representative games: their rules, examples and translations, in order."""
    return sorted(path for path in paths if path.name.partition(".")[0] in REPRESENTATIVE)
