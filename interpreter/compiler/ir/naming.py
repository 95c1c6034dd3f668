"""Names of functions and tables, which never collide, whatever the names in a rules file."""

from __future__ import annotations

import re
from functools import lru_cache

BETWEEN = "ˑ"
"""The separator of the parts of a name: a letter that no name of the language can have."""

NEIGHBOURS = "linked"
"""The prefix of the functions that give the places linked with one by a relation."""


@lru_cache(maxsize=1 << 14, typed=True)
def named(what: str, *parts: object) -> str:
    """The name composed of a prefix (a letter or a word) and parts: names of the rules, `round(hand)`, or numbers."""
    return re.sub(r"[ ()]", BETWEEN, BETWEEN.join([what, *map(str, parts)]))
