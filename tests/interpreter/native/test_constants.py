"""Constant data as C."""

from __future__ import annotations

import pytest

from interpreter.ir.expressions import Table
from interpreter.ir.types import Int
from interpreter.native.constants import LARGEST_TABLE, Constants
from interpreter.native.forms import Forms, NotInC


def test_a_table_that_is_too_large_is_refused_at_once() -> None:
    """In Python rows can be the same object, so billions of entries may take hardly any memory."""
    content: object = tuple(range(3))
    for _ in range(58):
        content = (content,) * 3
    table = Table("large", (content, None), Int(0, 2))
    with pytest.raises(NotInC, match=f"a table of more than {LARGEST_TABLE} entries"):
        Constants(Forms()).table(table, 60, table.type)
