"""The pages of `docs/reference`, in reading order, and what each of them describes: the one place that says so.

A *construct* is what an author can write: a class of nodes of the syntax tree (`Move`), one of the words that a field
of it can have (`Quantified.some`), an optional part of it (`Decide.secretly`), a function or predeclared name of the
language (`reach`, `me`), or the source of a type of places (`grid`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A page: its file, what it describes, the rules and aliases of the grammar shown on it, codes of its errors."""

    path: str
    title: str
    constructs: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """The folder of the page."""
        return self.path.partition("/")[0]


GROUPS = {
    "files": "Files",
    "types": "Types",
    "components": "Components",
    "secrecy": "Secrecy",
    "values": "Values and conditions",
    "functions": "Functions",
    "rules": "Definitions, actions, steps",
    "course": "The course of play",
    "decisions": "Decisions",
    "effects": "Effects",
    "scoring": "Scoring",
    "examples": "Examples",
}
"""The folders of pages with their titles, in reading order."""

FIRST = ("files/game.md", "components/zones.md", "rules/actions.md")
"""The three pages to read first."""


def _page(path: str, title: str, constructs: str = "", rules: str = "", codes: str = "") -> Page:
    numbered = tuple(f"E{code}" for code in codes.split())
    return Page(f"{path}.md", title, tuple(constructs.split()), tuple(rules.split()), numbered)


PAGES = (
    _page("files/game", "A game file", "GameFile Header About Part ExamplesFile",
          "header header_of_one numbers number_span about about_line part companion",
          "0101 0102 0120 0121 0122 0123 0124 0126 0127 0401 0402 0403"),
    _page("files/lines", "Lines, names and comments", "", "", "0103 0104 0105 0106 0107 0108 0109 0110 0111 0112 0115 "
          "0131 0201 0202 0203 0204 0502"),
    _page("files/options", "Options", "Option OptionText random", "option option_value sentence", "0304"),
    _page("files/variants", "Variants", "VariantFile Change Inside PartChange Setup ReasonWords Guard RowKey OnceKey "
          "StatementKey PhaseClause PhaseClauseKey",
          "variant add_decl replace_decl replace_setup remove_decl inside inside_setup inside_define inside_type "
          "inside_by_players add_part replace_part remove_part beside_part replace_statement add_acts remove_acts "
          "replace_once remove_once remove_cue replace_clause replace_row remove_row clause_key reason guard place "
          "if_head for_each_head each_player_head repeat_head phase_clause phase_words kind",
          "0801 0802 0803 0804 0805 0806 0807 0808 0809"),
    _page("files/names", "Display names", "Names NameEntry", "names name_entry glyph_entry glyphs named_index",
          "0220 0221 0224 0227 0228 0229"),
    _page("files/translations", "Translations", "NamesFile TextEntry", "names_file text_entry",
          "0222 0223 0225 0226"),
    _page("files/limits", "Guarantees, limits and faults", "", "", "0117 0338 0346"),
    _page("types/types", "Types", "TypeName TypeRange TypeSeveral TypeUnion Truth Player true false",
          "type_range type_several type signed",
          "0303 0305 0306 0323 0337 0339 0342 0344"),
    _page("types/lists", "Listed types", "TypeList Shape", "type_list shape", "0205 0301"),
    _page("types/tables", "Types with columns", "TypeTable Row Attribute", "type_table table_row cell attr",
          "0207 0302"),
    _page("types/arguments", "Values with arguments", "Shape.arguments", "", "0345"),
    _page("types/none", "None and nobody", "none nobody somebody", "", "0343"),
    _page("types/players", "Tables by number of players", "ByPlayers", "by_players counts", "0404"),
    _page("types/boards", "Boards from a file", "Board TypeBoard BoardSource",
          "board type_board type_board_block board_path",
          "0701 0702 0703 0704 0705 0706 0707 0708 0709 0710 0711 0712 0713 0751 0752 0753 0754 0755 0756 0760"),
    _page("types/grids", "Grids, rings and other shapes",
          "grid hexes hexagon plane track ring beside around borders directions blocks BoardSource.function Rectangle",
          "grid holes", "0758 0759"),
    _page("components/pieces", "Pieces", "Piece", "piece", "0206 0324 0341 0505 0509 0510"),
    _page("components/zones", "Zones", "Zone", "zone holding names_or",
          "0119 0309 0312 0331 0333 0334 0335 0506"),
    _page("components/notes", "Notes", "Note", "note", "0329"),
    _page("components/dice", "Dice", "Die Roll", "die roll", "0328"),
    _page("components/tables", "Tables: what people see", "Table Column Table.on_board", "table column column_each",
          "0601 0757"),
    _page("components/positions", "Positions and repetition", "PositionDeclaration Record Times",
          "position_declaration record times", "0425 0512 0613"),
    _page("secrecy/seen_by", "Who sees what: `seen by`", "Sight all", "sight", "0325"),
    _page("secrecy/moves", "What others learn of a move", "Parameter.secret Decide.secretly Choose.secretly",
          "param_of_type param_from decide choose",
          "0604"),
    _page("secrecy/leaks", "What the check looks for", "", "",
          "0602 0603 0605 0606 0607 0608 0609 0610 0611 0612 0614"),
    _page("values/operators", "Values and operators", "Name Call Index me", "index call name", "0208 0310 0311 0313 "
          "0315 0415"),
    _page("values/numbers", "Numbers", "Number Arithmetic.+ Arithmetic.- Arithmetic.* Negative magnitude larger "
          "smaller", "arith negative", "0320 0321"),
    _page("values/division", "Division and remainder", "Division remainder", "division", "0135 0347"),
    _page("values/comparisons", "Comparisons",
          "Compare.is Compare.is_not Compare.is_in Compare.is_not_in Compare.< Compare.<= Compare.> Compare.>= empty",
          "compare cmp", "0316"),
    _page("values/conditions", "Conditions", "And Or Not Either", "and_ or_ not_ either", "0130 0307"),
    _page("values/sets", "Sets", "SetOf Range Filter Builder Arithmetic.&",
          "set_of range_ filter builder", "0308 0340"),
    _page("values/kinds", "Kinds of pieces", "Of Pattern ListOf", "of pattern number_of list_", "0318 0322"),
    _page("values/quantifiers", "`some`, `no` and `count`",
          "Quantified.some Quantified.no Quantified.count Count Binder",
          "some no count_each count binders binder", "0133 0514"),
    _page("values/the", "`the`: one member of a set", "Quantified.the Best", "the best", "0317 0508"),
    _page("values/sums", "`sum`, `highest` and `lowest`", "Aggregate", "aggregate", "0134"),
    _page("values/order", "The order of values", "Compare.before Compare.after next previous", "", "0319"),
    _page("values/hypotheses", "Hypotheses: `given`", "Hypothesis", "hypothesis", "0423 0424"),
    _page("values/texts", "Texts with placeholders", "Text", "text", "0118"),
    _page("functions/members", "Members of rows, stacks and sets", "first last nth top bottom", "", "0314 0348"),
    _page("functions/seats", "Neighbouring seats", "left right", "", ""),
    _page("functions/graphs", "Places that are connected", "reach groups near path", "", ""),
    _page("functions/paths", "Paths, trails and packings", "paths trails packings", "", ""),
    _page("functions/relations", "A relation in place of edges", "", "", "0761"),
    _page("functions/steps", "Steps and lines on grids", "next ray between lines", "", ""),
    _page("functions/handfuls", "Handfuls", "handfuls", "", ""),
    _page("rules/definitions", "Definitions", "Define Case", "define define_line guarded otherwise", "0405 0406 0503"),
    _page("rules/actions", "Actions", "Action Parameter", "action label param_of_type param_from",
          "0504 0513 0515"),
    _page("rules/requirements", "Requirements", "Require", "require", "0113 0132"),
    _page("rules/steps", "Steps", "Step Do Act", "step step_line do act", "0412 0414 0501"),
    _page("rules/clauses", "Rules for single values", "Clause", "step action rule_params clause_value", "0426 0427"),
    _page("rules/equal_moves", "Equal moves", "OfferedOnce", "once", "0350"),
    _page("rules/reactions", "Reactions: `when`", "When", "when", "0407"),
    _page("rules/interrupts", "Interrupts: `before` and `after`", "Cue CuedRule", "step step_line cues cue cued",
          "0431"),
    _page("rules/instead", "Costs, instead, in addition", "", "", ""),
    _page("rules/idioms", "Captures, tricks, bets, bids", "", "", ""),
    _page("course/phases", "Phases", "Phase", "phase", "0209 0421 0507"),
    _page("course/turns", "Turns", "Phase.first Phase.last Phase.over_when", "phase backwards", "0409 0410 0411"),
    _page("course/rounds", "Rounds", "Phase.repeated_until Note.anew_in round", "phase note", "0428 0429"),
    _page("course/ends", "Sudden ends", "EndGame Phase.over_at_once", "end_game phase", ""),
    _page("decisions/must", "`must` and `may`", "Decide Decide.instead", "decide decide_else acts", "0413 0418 0430"),
    _page("decisions/choose", "`choose`", "Choose", "choose", ""),
    _page("decisions/several", "Choosing several", "Amount", "exactly at_most at_least bound_of", "0336"),
    _page("decisions/at_once", "Choices of all at once", "EachPlayer.at_once", "each_player", "0436"),
    _page("effects/move", "`move`", "Move Position", "move_all move_some position", "0332"),
    _page("effects/set", "`set`, `add` and `remove`", "SetTo Add Remove", "set_to add_ remove", "0326 0330"),
    _page("effects/shuffle", "`shuffle`", "Shuffle", "shuffle", "0327"),
    _page("effects/at_random", "`at random`", "Pick Move.at_random", "move_random pick", ""),
    _page("effects/if", "`if`", "If", "if_ if_line else_block else_if", "0114 0116"),
    _page("effects/for_each", "`for each`", "ForEach", "for_each block block_line", ""),
    _page("effects/at_once", "Loops `at once`", "ForEach.at_once", "for_each", "0435"),
    _page("effects/each_player", "`each player`", "EachPlayer Backwards", "each_player backwards", ""),
    _page("effects/repeat", "`up to … times`", "Repeat Bound", "repeat bound", ""),
    _page("effects/let", "`let`", "Let", "let", ""),
    _page("effects/tell", "Announcements: `tell`", "Tell", "tell tell_seat", ""),
    _page("scoring/winner", "Winners", "Winner Criterion", "winner criterion condition", ""),
    _page("scoring/teams", "Teams", "Teams", "teams", "0511"),
    _page("examples/examples", "Examples", "Example", "example scene", "0125"),
    _page("examples/given", "`given`: the position", "GivenSeats Given GivenShown",
          "given_count given_one given_seats given_shown given_that", "0138 0416 0417 0419 0422"),
    _page("examples/when", "`when`: what is done", "Played Begun Choosing", "played begun choosing", "0420"),
    _page("examples/then", "`then`: what must hold", "Then ThenMay ThenMayNot sees over winners player moves",
          "then_that then_may then_may_not then_may_only", ""),
)  # fmt: skip
