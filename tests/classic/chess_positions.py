"""Positions of chess in Forsyth-Edwards notation (FEN), there and back.

A position is set up by the lines of an example, as an author would: `given` for the squares and notes, `when` for the
seat to move.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from interpreter.loading.rules import load_rules
from interpreter.play.game import State, seat_game
from interpreter.play.scenes.runner import Runner

RULES = Path(__file__).parents[2] / "games" / "chess.rules"

RANKS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
LETTERS = {rank: letter for letter, rank in RANKS.items()}
CORNERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}


def example_of(title: str, fen: str) -> str:
    """An example that sets a position up and begins there."""
    placement, mover, castling, en_passant, quiet, _ = fen.split()
    given = []
    for row, line in zip(range(8, 0, -1), placement.split("/"), strict=True):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
                continue
            owner = "white" if letter.isupper() else "black"
            given.append(f"man[{'abcdefgh'[column]}{row}] is {owner} {RANKS[letter.lower()]}")
            column += 1
    corners = ", ".join(CORNERS[letter] for letter in castling.replace("-", ""))
    given.append(f"castling is {{{corners}}}")
    given.append(f"en_passant is {en_passant.replace('-', 'none')}")
    given.append(f"quiet is {quiet}")
    lines = [f'example "{title}":', *[f"    given {line}" for line in given]]
    lines.append(f"    when phase playing from {'white' if mover == 'w' else 'black'}")
    return "\n".join(lines)


def positions(folder: Path, fens: Mapping[str, str]) -> dict[str, State]:
    """The states at the first decision in these positions, by title; the rules are copied to the folder."""
    rules_path = folder / RULES.name
    shutil.copy(RULES, rules_path)
    examples = "\n\n".join(example_of(title, fen) for title, fen in fens.items())
    (folder / "chess.examples.rules").write_text(f"examples of chess\n\n{examples}\n", encoding="utf-8")
    rules = load_rules(rules_path, examples=True)
    game, found = seat_game(rules, None, None), dict[str, State]()
    for example in rules.model.examples:
        if example.title.value in fens:
            runner = Runner(game, example)
            assert not runner.run()
            found[example.title.value] = runner.state
    return found


def fen_of(state: State, castles: bool = True) -> str:
    """The position of a state; rooks that may castle, if any does, are named by the side of the king they are on."""
    lines = []
    kings = {}
    for row in range(8, 0, -1):
        line = ""
        for column in "abcdefgh":
            piece = state.evaluate(f"man[{column}{row}]")
            if not isinstance(piece, tuple) or not piece:
                line += "1"
                continue
            owner, rank = str(piece[0]).split()
            line += LETTERS[rank].upper() if owner == "white" else LETTERS[rank]
            if rank == "king":
                kings[row] = column
        lines.append(re.sub("1+", lambda empty: str(len(empty[0])), line))
    letters, rights = {(1, True): "K", (1, False): "Q", (8, True): "k", (8, False): "q"}, list[str]()
    for corner in map(str, state.evaluate("castling") if castles else ()):
        row = int(corner[1])
        rights.append(letters[row, corner[0] > kings[row]])
    castling = "".join(sorted(rights)) or "-"
    mover = "w" if state.evaluate("me") == "white" else "b"
    return f"{'/'.join(lines)} {mover} {castling} {state.evaluate('en_passant') or '-'} {state.evaluate('quiet')} 1"
