"""Boards as data: one JSON file, read, checked and queried for its places. The format: `docs/boards.md`."""

from dsl.boards.model import Board, Cell, Drawing, Entry, Selected, UnknownStep
from dsl.boards.reading import board_of, check_board, read_board

__all__ = ["Board", "Cell", "Drawing", "Entry", "Selected", "UnknownStep", "board_of", "check_board", "read_board"]
