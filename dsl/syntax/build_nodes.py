"""Grammar rules whose children are the fields of a node: for each rule its node, and the fields in order.

    "note": node(ast.Note, "name index type first anew_in *sights cites")

The first child becomes the field `name`, and so on. `*sights` takes all children that the fields after it leave over;
`body+cites` takes a child that has a value for each. Fields that are the same for every node of the rule are given by
name. A token is converted as the type of its field says: quoted text to a text or to the characters between the
quotation marks, a keyword to `True`. A child that is missing becomes None, or what is empty in that type.

Rules that do more than this have a function of their own in the other `build_…` modules.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ast
from dsl.syntax.build_tree import Builder, BuildFunction, RuleSet, cites
from dsl.syntax.layout import Token
from dsl.syntax.parser import Built
from dsl.text.span import Span

FromToken = Callable[[Builder, Token], Built]


def words_of(b: Builder, token: Token) -> str:
    """The characters of a token, without the quotation marks of a text."""
    return str(token)[1:-1] if token.type == "STRING" else str(token)


FROM_TOKEN: dict[str, FromToken] = {
    **dict.fromkeys(("str", "str | Expression", "Extreme", "AggregateFunction", "ArithmeticOperator"), words_of),
    "Literal['before', 'after', 'at bottom']": lambda b, token: " ".join(token.split()),
    "Literal['before', 'after']": words_of,
    "Literal['up', 'down']": lambda b, token: token.split()[-1],
    "bool": lambda b, token: True,
    "int": Builder.whole,
    "str | int": lambda b, token: b.whole(token) if token.type == "INT" else str(token),
    "Citations": lambda b, token: cites(token),
    "Text": Builder.text,
    **dict.fromkeys(("Name", "Word"), Builder.name),
}
"""How tokens become values, by the type of the field. Children of fields of other types are no tokens."""

EMPTY: dict[str, bool | str | tuple[()]] = {"bool": False, "str": "", "Citations": ()}
"""The value of a field whose child is missing, by its type; it is `()` if there may be several, and otherwise None."""


def node(kind: type[ast.Node], fields: str = "", **constants: Built) -> BuildFunction:
    """A function that builds a node from the children of its rule; the module explains `fields`."""
    words = fields.split()
    star = next((index for index, word in enumerate(words) if word.startswith("*")), -1)
    following = len(words) - star - 1
    required = len(words) - (star >= 0)
    slots = [(word, _conversion(kind, word)) for word in (word.lstrip("*") for word in words)]
    shared = {word: word.split("+") for word in words if "+" in word}

    def build(b: Builder, span: Span, *children: Built) -> ast.Node:
        if len(children) < required:
            children += (None,) * (required - len(children))
        if star >= 0:
            end = len(children) - following
            children = (*children[:star], children[star:end], *children[end:])
        values = {
            word: child if convert is None else convert(b, child)
            for (word, convert), child in zip(slots, children, strict=True)
        }
        for word, names in shared.items():
            values.update(zip(names, values.pop(word), strict=True))
        return kind(span=span, number=b.next(), **constants, **values)

    return build


def _conversion(kind: type[ast.Node], word: str) -> FromToken | None:
    """How children become the value of a field; None if they are the value."""
    if "+" in word:
        return None
    type_: str = kind.__dataclass_fields__[word].type
    several = type_.startswith("tuple[")
    element = type_.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None")
    alias = getattr(getattr(ast, element, None), "__name__", "")  # `TargetName` is another name of `Name`
    from_token = FROM_TOKEN.get(element) or FROM_TOKEN.get(alias)
    empty = EMPTY.get(type_)
    if several:
        return lambda b, children: tuple(
            child if from_token is None or type(child) is not Token else from_token(b, child)
            for child in children or ()
            if child is not None  # it is where an optional list is missing
        )
    if from_token is None:
        return None
    return lambda b, child: empty if child is None else from_token(b, child) if type(child) is Token else child


def listed(b: Builder, span: Span, *children: Built) -> tuple[Built, ...]:
    """What was built for all children."""
    return children


def passed_on(b: Builder, span: Span, child: Built) -> Built:
    """What was built for the only child."""
    return child


def first_words(b: Builder, span: Span, token: Token, *rest: Token | None) -> str:
    """The characters of the first token."""
    return words_of(b, token)


def constant(value: str) -> BuildFunction:
    """A function for a rule of one keyword, which means this value."""

    def build(b: Builder, span: Span, *words: Token) -> str:
        return value

    return build


NODE_RULES = RuleSet(
    {
        **dict.fromkeys(("acts", "binders", "counts", "cues", "glyphs", "holes"), listed),
        **dict.fromkeys(("named_index", "names_or", "params"), listed),
        **dict.fromkeys(("start", "else_block"), passed_on),
        **dict.fromkeys(("kind", "titled", "ruled", "clause_key", "sentence"), first_words),
        # ---------------------------------------------------------------- expressions
        "name": node(ast.Name, "name"),
        "int": node(ast.Number, "value"),
        "text": lambda b, span, token: b.text(token),
        **dict.fromkeys(("range_", "hole_range"), node(ast.Range, "low high")),
        "rectangle": node(ast.Rectangle, "first last"),
        "pattern": node(ast.Pattern, "*words", amount=None),
        "number_of": node(ast.Pattern, "amount *words"),
        "either": node(ast.Either, "then condition otherwise"),
        "list_": node(ast.ListOf, "*items"),
        "set_of": node(ast.SetOf, "*items"),
        "filter": node(ast.Filter, "binder where"),
        "builder": node(ast.Builder, "value binders where"),
        "index": node(ast.Index, "base *arguments"),
        "attr": node(ast.Attribute, "base name"),
        "hypothesis": node(ast.Hypothesis, "value step"),
        "times": node(ast.Times, "position"),
        "of": node(ast.Of, "whole part"),
        "count": node(ast.Count, "operand"),
        "negative": node(ast.Negative, "operand"),
        "not_": node(ast.Not, "operand"),
        "and_": node(ast.And, "left right"),
        "or_": node(ast.Or, "left right"),
        "compare": node(ast.Compare, "left operator right"),
        "arith": node(ast.Arithmetic, "left operator right"),
        "division": node(ast.Division, "left right rounded"),
        "binder": node(ast.Binder, "name domain"),
        "count_each": node(ast.Quantified, "binders where", quantifier="count"),
        "some": node(ast.Quantified, "binders where", quantifier="some"),
        "no": node(ast.Quantified, "binders where", quantifier="no"),
        "the": node(ast.Quantified, "*binders where", quantifier="the"),
        "best": node(ast.Best, "binder function value where"),
        "aggregate": node(ast.Aggregate, "function value binders where"),
        "lt": constant("<"),
        "le": constant("<="),
        "gt": constant(">"),
        "ge": constant(">="),
        "is_": constant("is"),
        "is_not": constant("is not"),
        "is_in": constant("is in"),
        "is_not_in": constant("is not in"),
        "before": constant("before"),
        "after": constant("after"),
        # ---------------------------------------------------------------- statements
        "for_each": node(ast.ForEach, "binders where at_once body+cites"),
        "each_player": node(ast.EachPlayer, "first last backwards where at_once body+cites"),
        "backwards": node(ast.Backwards, "condition"),
        "repeat": node(ast.Repeat, "bound body+cites"),
        "bound": node(ast.Bound, "times condition"),
        "move_all": node(ast.Move, "what target position", source=None),
        "move_some": node(ast.Move, "what source target position"),
        "move_random": node(ast.Move, "what source target position", at_random=True),
        "add_": node(ast.Add, "value target because"),
        "position": node(ast.Position, "relation anchor"),
        "set_to": node(ast.SetTo, "target value"),
        "remove": node(ast.Remove, "value target"),
        "shuffle": node(ast.Shuffle, "target"),
        "pick": node(ast.Pick, "amount name domain where"),
        "record": node(ast.Record, "target"),
        "let": node(ast.Let, "name value"),
        "decide": node(ast.Decide, "duty secretly acts otherwise bound"),
        "decide_else": node(ast.Decide, "duty secretly acts otherwise instead+cites", bound=None),
        "choose": node(ast.Choose, "duty secretly amount name domain where"),
        "do": node(ast.Do, "act"),
        "end_game": node(ast.EndGame),
        "tell": node(ast.Tell, "text", seat=None),
        "tell_seat": node(ast.Tell, "seat text"),
        "roll": node(ast.Roll, "*dice"),
        "must": constant("must"),
        "may": constant("may"),
        "exactly": node(ast.Amount, "most", fewest=None, exactly=True),
        "at_most": node(ast.Amount, "most", fewest=None, exactly=False),
        "at_least": node(ast.Amount, "fewest most", exactly=False),
        "act": node(ast.Act, "name *arguments"),
        # ---------------------------------------------------------------- declarations
        "type_list": node(ast.TypeList, "name *shapes cites"),
        "type_table": node(ast.TypeTable, "name columns cites *rows"),
        "type_board": node(ast.TypeBoard, "name source columns cites"),
        "board_path": node(ast.BoardSource, "*path", function=None),
        "grid": node(ast.BoardSource, "function *path holes"),
        "shape": node(ast.Shape, "name *arguments", low=None, high=None),
        "shape_range": node(ast.Shape, "low high", name=None, arguments=()),
        "by_players": node(ast.ByPlayers, "counts cites *rows"),
        "table_row": node(ast.Row, "key *cells cites"),
        "type": node(ast.TypeUnion, "*members"),
        "type_name": node(ast.TypeName, "name"),
        "type_range": node(ast.TypeRange, "low high"),
        "type_several": node(ast.TypeSeveral, "element"),
        "param_of_type": node(ast.Parameter, "secret name type", domain=None),
        "param_from": node(ast.Parameter, "secret name domain", type=None),
        "board": node(ast.Board, "path cites"),
        "piece": node(ast.Piece, "name amount attributes home cites"),
        "zone": node(ast.Zone, "name index shape+holds *sights cites"),
        "sight": node(ast.Sight, "attribute viewers"),
        "note": node(ast.Note, "name index type first anew_in *sights cites"),
        "option": node(ast.Option, "name type default cites sentence *texts"),
        "option_value": node(ast.OptionText, "value text"),
        "die": node(ast.Die, "name index *faces cites"),
        "position_declaration": node(ast.PositionDeclaration, "name *parts cites"),
        "names": node(ast.Names, "language *entries"),
        "name_entry": node(ast.NameEntry, "name parameters text plural glyphs"),
        "glyph_entry": node(ast.NameEntry, "name glyphs", parameters=(), text="", plural=None),
        "text_entry": node(ast.TextEntry, "original text"),
        "table": node(ast.Table, "title binders where on_board cites *columns"),
        "column": node(ast.Column, "heading value", name=None, domain=None, where=None),
        "column_each": node(ast.Column, "heading name domain where value"),
        "define": node(ast.Define, "name parameters result cites *cases"),
        "define_line": node(ast.Define, "name parameters result *cases cites"),
        "only_case": node(ast.Case, "value cites", condition=None),
        "value": node(ast.Case, "value", condition=None),
        "guarded": node(ast.Case, "value condition cites"),
        "otherwise": node(ast.Case, "value cites", condition=None),
        "winner": node(ast.Winner, "*criteria cites"),
        "criterion": node(ast.Criterion, "direction value words"),
        "teams": node(ast.Teams, "value cites"),
        "clause_family": node(ast.Call, "base *arguments"),
        "rest_clause": node(ast.Clause, value=None),
        "cue": node(ast.Cue, "relation *rules"),
        "cued": node(ast.CuedRule, "name clause"),
        "once": node(ast.OfferedOnce, "*values cites"),
        "require": node(ast.Require, "condition reason cites"),
        "when": node(ast.When, "name parameters body+cites"),
        # ---------------------------------------------------------------- examples
        "given_count": node(ast.GivenSeats, "count", seats=()),
        "given_one": node(ast.GivenSeats, count=1, seats=()),
        "given_seats": node(ast.GivenSeats, "*seats", count=None),
        "given_shown": node(ast.GivenShown, "die face"),
        "given_that": node(ast.Given, "condition"),
        "played": node(ast.Played, "seat choice"),
        "begun": node(ast.Begun, "phase seat"),
        "choosing": node(ast.Choosing, "value"),
        "then_that": node(ast.Then, "condition"),
        "then_may": node(ast.ThenMay, "seat *choices", only=False),
        "then_may_only": node(ast.ThenMay, "seat *choices", only=True),
        "then_may_not": node(ast.ThenMayNot, "seat choice because"),
        # ---------------------------------------------------------------- variants
        "variant": node(ast.VariantFile, "title game cites sentence *changes"),
        "add_decl": node(ast.Change, "declaration", verb="add"),
        "replace_decl": node(ast.Change, "declaration", verb="replace"),
        "inside_define": node(ast.Inside, "name *changes", declaration_kind="define"),
        "inside_type": node(ast.Inside, "name *changes", declaration_kind="type"),
        "inside_by_players": node(ast.Inside, "*changes", declaration_kind="by players", name=None),
        "add_part": node(ast.PartChange, "*parts", verb="add", address=None),
        "replace_part": node(ast.PartChange, "address *parts", verb="replace"),
        "remove_cue": node(ast.PartChange, "*parts", verb="remove", address=None),
        "remove_part": node(ast.PartChange, "address", verb="remove", parts=()),
        "reason": node(ast.ReasonWords, "words"),
        "guard": node(ast.Guard, "condition"),
        "place": node(ast.StatementKey, "statement"),
        "if_head": node(ast.If, "condition", then=(), otherwise=()),
        "for_each_head": node(ast.ForEach, "binders where at_once", body=()),
        "each_player_head": node(ast.EachPlayer, "first last backwards where at_once", body=()),
        "repeat_head": node(ast.Repeat, "bound", body=()),
    }
)
