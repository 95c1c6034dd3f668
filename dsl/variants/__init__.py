"""Variants: merging the differences of variants into the tree of a game."""

from dsl.variants.merging import Merged, failing, merged, with_changes

__all__ = ["Merged", "failing", "merged", "with_changes"]
