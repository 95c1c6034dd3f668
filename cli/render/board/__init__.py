"""Boards as pictures: nodes, strokes and areas at the coordinates of the board, with their contents as letters.

The input is the `BoardView` of a view and the tables drawn on the board; the output is a rich renderable.
"""

from cli.render.board.picture import PLACE, BoardDrawing, board_drawing, draw_board

__all__ = ["PLACE", "BoardDrawing", "board_drawing", "draw_board"]
