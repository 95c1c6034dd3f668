"""Boards as pictures: nodes, strokes and areas at the coordinates of the board, with what lies on them in letters.

The `BoardView` of a view and those of its tables that are drawn on it in, rich renderables out.
"""

from cli.render.board.picture import draw_board

__all__ = ["draw_board"]
