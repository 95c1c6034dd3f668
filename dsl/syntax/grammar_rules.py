"""All grammar rules, with the function that builds the node of each."""

from __future__ import annotations

from dsl.syntax.build_declarations import DECLARATIONS
from dsl.syntax.build_examples import EXAMPLES
from dsl.syntax.build_expressions import EXPRESSIONS
from dsl.syntax.build_files import FILES
from dsl.syntax.build_rules import GAME_RULES
from dsl.syntax.build_statements import STATEMENTS
from dsl.syntax.build_tree import BuildFunction
from dsl.syntax.build_variants import VARIANTS

RULES: dict[str, BuildFunction] = {
    **FILES, **DECLARATIONS, **GAME_RULES, **STATEMENTS, **EXAMPLES, **EXPRESSIONS, **VARIANTS
}  # fmt: skip
