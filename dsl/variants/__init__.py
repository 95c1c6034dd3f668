"""Variants: merging the differences of variants into the tree of a game."""

from dsl.variants.blame import failing, with_changes
from dsl.variants.merging import Merged, merged

__all__ = ["Merged", "failing", "merged", "with_changes"]
