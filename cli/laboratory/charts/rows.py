"""Charts with many rows: each has its text at the left and its value at the right, above its marks.

So texts can use the full width, and are readable on a phone as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from cli.laboratory.charts.plot import Chart, Row, data, layered
from cli.laboratory.inks import Inks
from cli.laboratory.wording import percent

STEP = 42
"""The height of a row."""
BELOW = STEP / 5
"""How far below the middle of its row a mark is drawn."""


def row_axis() -> alt.Y:
    """The axis of rows, by their field `row`, from the top down."""
    return alt.Y("row:O", axis=None, sort=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))


def with_texts(layers: Sequence[alt.Chart], rows: Sequence[Row], inks: Inks, room: int = 70) -> Chart:
    """A chart of layers, with the `text` and the `value` of each row; `room` is the width reserved for the value.

    A value of 0 % is in the colour of warnings.
    """
    base = data(rows).encode(y=row_axis())
    style: dict[str, Any] = {"baseline": "bottom", "yOffset": -1, "fontSize": 12.5}
    never = alt.when(alt.datum.value == percent(0)).then(alt.value(inks.warning))
    named = base.mark_text(align="left", limit=alt.ExprRef(f"width - {room}"), color=inks.letters, **style)
    value = base.mark_text(align="right", fontWeight=600, **style)
    texts = [
        named.encode(text="text:N", x=alt.value(0)),
        value.encode(text="value:N", x=alt.value("width"), color=never.otherwise(alt.value(inks.letters))),
    ]
    return layered([*layers, *texts], STEP * len(rows))
