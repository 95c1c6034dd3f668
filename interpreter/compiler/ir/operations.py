"""The operations of expressions, with their types and whether they may fail.

The verifier reads `SIGNATURES`. Operations that read the state beyond their arguments are in `READING`. `shift` adds a
constant to every member of a set and drops results outside of the domain; `end` is the number after the last member,
0 for an empty set. `seen_over` are the places from which a
straight line leads to one of a set, over one or more places, all in a second set; `enclosed` the places on such lines
from one place. `joined` says whether places of two sets are connected within a set of places. Operations that end in
`_by` search a relation: `reach_by` and `path_by` ask for the neighbours of one place at a time, `groups_by` and
`paths_by` get those of each place of a set, in order. Of some pieces, `fully_seen` are those of which the acting seat
sees every attribute, and `by_standing` lists them in the order in which they are listed for it.
"""

from __future__ import annotations

SIGNATURES: dict[str, tuple[tuple[str, ...], str]] = {
    # numbers and truth
    "add": (("Int", "Int"), "Int"), "sub": (("Int", "Int"), "Int"), "mul": (("Int", "Int"), "Int"),
    "div": (("Int", "Int"), "Int"), "mod": (("Int", "Int"), "Int"), "neg": (("Int",), "Int"), "abs": (("Int",), "Int"),
    "lt": (("Int", "Int"), "Bool"), "le": (("Int", "Int"), "Bool"),
    "gt": (("Int", "Int"), "Bool"), "ge": (("Int", "Int"), "Bool"),
    "least": (("Int", "*Int"), "Int"), "greatest": (("Int", "*Int"), "Int"),
    "not": (("Bool",), "Bool"), "eq": (("any", "any"), "Bool"), "is_none": (("any",), "Bool"),
    "to_int": (("Bool",), "Int"),
    # sets
    "union": (("Set", "Set"), "Set"), "both": (("Set", "Set"), "Set"), "minus": (("Set", "Set"), "Set"),
    "single": (("any",), "Set"), "or_empty": (("any",), "any"), "has": (("Set", "any"), "Bool"),
    "is_empty": (("any",), "Bool"), "size": (("Set",), "Int"), "first": (("Set",), "Opt"), "last": (("Set",), "Opt"),
    "end": (("Set",), "Int"), "lowest": (("Set",), "any"), "nth_member": (("Int", "Set"), "Opt"),
    "select": (("Set", "Int"), "any"), "shift": (("Set", "Int"), "Set"),
    # sequences and written-out lists
    "list": (("*any",), "Seq"), "span": (("Int", "Int"), "Seq"), "in_list": (("any", "Seq"), "Bool"),
    "length": (("Seq",), "Int"), "take": (("any", "Int"), "Seq"), "as_set": (("Seq",), "Set"),
    "nth_of": (("Int", "Seq"), "any"), "item": (("Seq", "Int"), "any"), "row": (("*any",), "Row"),
    "part": (("Row", "Int"), "any"), "reversed": (("Seq",), "Seq"), "behind": (("Seq", "Int"), "Seq"),
    "without_last": (("Seq", "Int"), "Seq"), "from_end": (("Seq", "Int"), "any"), "appended": (("Seq", "Seq"), "Seq"),
    "left_out": (("Seq", "Set"), "Seq"),
    # pieces in order
    "contents": (("Ref",), "Seq"), "nth": (("Int", "Ref"), "Opt"), "before": (("any", "any"), "Bool"),
    "same_pieces": (("any", "Seq", "Bool"), "Bool"), "with_kind": (("Int", "Set", "Set"), "Set"),
    # lines and graphs
    "steps_on": (("Opaque", "Ref", "Ref", "Int"), "Opt"), "lines_in": (("any", "Set"), "Seq"),
    "seen_over": (("Opaque", "Set", "Set"), "Set"), "enclosed": (("Opaque", "any", "Set", "Set"), "Set"),
    "joined": (("Opaque", "Set", "Set", "Set"), "Bool"),
    "reach": (("Opaque", "Ref", "Set"), "Set"), "near": (("Opaque", "Ref", "Set"), "Set"),
    "groups": (("Opaque", "Set", "Set"), "Seq"), "hanging": (("any", "Set"), "Seq"),
    "path": (("Opaque", "Ref", "Ref", "Set"), "Opt"), "all_paths": (("Opaque", "Set", "Set", "Int"), "Seq"),
    "reach_by": (("any", "Opaque"), "Set"), "groups_by": (("Set", "Seq"), "Seq"),
    "path_by": (("any", "any", "Opaque"), "Opt"), "paths_by": (("Set", "Seq", "Int"), "Seq"),
    "all_trails": (("Opaque", "Set", "Set", "Int"), "Seq"),
    "all_packings": (("Seq",), "Seq"),
    "best_rows": (("Opaque", "Set", "Set", "Int", "Opaque"), "Row"), "best_sets": (("Seq", "Opaque"), "Row"),
    "objective": (("Row", "Row", "Opaque"), "Opaque"), "replayed": (("Row", "Opaque"), "Row"),
    # choices
    "distinct": (("Set",), "Seq"), "fully_seen": (("Set",), "Set"), "by_standing": (("Set",), "Seq"),
    "singles": (("any",), "Seq"), "alike": (("any",), "Seq"), "in_turn": (("any",), "Seq"),
    "picks": (("Seq", "Set", "Int"), "Seq"), "handfuls": (("Seq", "Int", "Int"), "Seq"),
    # positions: what is looked up, and how often it was recorded
    "key": (("*any",), "Row"), "lying": (("Set",), "Seq"), "recorded": (("Opaque", "Row"), "Opaque"),
    "times": (("Opaque", "Row"), "Int"),
    # the game as a whole
    "sees_piece": (("Ref", "Ref"), "Bool"), "sees_place": (("Ref", "Ref"), "Bool"),
    "sees_note": (("Ref", "Int"), "Bool"), "over": ((), "Bool"), "winners": ((), "Set"), "moves": ((), "Int"),
    "player": ((), "any"),
}  # fmt: skip
"""The types of the arguments, with `*` before the last if it can be repeated, and of the result."""

FAILING = frozenset(
    {"all_paths", "paths_by", "all_trails", "all_packings", "best_rows", "best_sets", "handfuls", "replayed", "winners"}
)
"""The operations that may end the game in a fault."""

READING = frozenset({
    "with_kind", "contents", "nth", "before", "same_pieces", "distinct", "fully_seen", "by_standing", "alike",
    "in_turn", "lying", "sees_piece", "sees_place", "sees_note", "over", "winners", "moves", "player",
})  # fmt: skip
"""The operations that read cells of the state that are not among their arguments."""
