"""Variants: the tree of a game with the differences of its variants put in."""

from dsl.variants.merging import Merged, merged
from dsl.variants.telling import failing, with_changes

__all__ = ["Merged", "failing", "merged", "with_changes"]
