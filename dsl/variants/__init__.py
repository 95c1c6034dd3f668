"""Variants: the tree of a game with the differences of its variants put in."""

from dsl.variants.blame import failing, with_changes
from dsl.variants.merging import Merged, merged

__all__ = ["Merged", "failing", "merged", "with_changes"]
