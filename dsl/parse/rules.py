"""All rules of the grammar with what each is built into."""

from __future__ import annotations

from dsl.parse.building import Rule
from dsl.parse.declaring import DECLARATIONS
from dsl.parse.expressing import EXPRESSIONS
from dsl.parse.stating import EXAMPLES, STATEMENTS
from dsl.parse.varying import VARIANTS

RULES: dict[str, Rule] = {**EXPRESSIONS, **STATEMENTS, **EXAMPLES, **DECLARATIONS, **VARIANTS}
