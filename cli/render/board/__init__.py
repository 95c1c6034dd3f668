"""Boards as pictures: nodes, strokes and areas at the coordinates of the board, with what lies on them in letters.

The `BoardView` of a view and those of its tables that are drawn on it in, rich renderables out.
"""

from cli.render.board.picture import draw_board
from cli.render.board.targets import PLACE

__all__ = ["PLACE", "draw_board"]
