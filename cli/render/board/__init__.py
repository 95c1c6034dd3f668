"""Boards as pictures: nodes, strokes and areas at the coordinates of the board, with what lies on them in letters.

Data in, rich renderables out. A view holds the board as plain data and the tables that are drawn on it:

    view["board"] = {
        "name": "Star",
        "drawing": [4, 2],      # text columns and lines for one unit of x and y; None: as small as is readable
        "places": [             # all of the board that take part in this game
            {"list": "points", "id": "a", "name": "Alpha", "mark": "A", "at": [0, 1], "ends": [], "edges": []}, …
        ],
        "captions": [{"text": "1", "at": [-1, 0]}, …],      # names of rows and columns beside it; may be missing
    }
    table["board"] = {
        "list": "points", "places": ["a", …],               # the place of each row
        "columns": [                                        # what each column can hold at any time
            {"kind": "pieces", "order": "heap", "sorts": [{"type": "Hut", "attributes": {"owner": ["red", …]}}]},
            {"kind": "truth"}, {"kind": "number"}, {"kind": "word", "words": ["wet", "dry"]},
            {"kind": "each", "item": {"kind": "word", "words": ["red", …]}},
        ],
    }
"""

from cli.render.board.picture import draw_board

__all__ = ["draw_board"]
