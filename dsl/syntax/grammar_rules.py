"""All grammar rules, with the function that builds the node of each."""

from __future__ import annotations

from dsl.syntax.build_declarations import DECLARATIONS
from dsl.syntax.build_expressions import EXPRESSIONS
from dsl.syntax.build_statements import EXAMPLES, STATEMENTS
from dsl.syntax.build_tree import Rule
from dsl.syntax.build_variants import VARIANTS

RULES: dict[str, Rule] = {**EXPRESSIONS, **STATEMENTS, **EXAMPLES, **DECLARATIONS, **VARIANTS}
