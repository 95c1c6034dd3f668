"""The syntax tree: nodes that nothing changes, each with a span. Use `from dsl import ast` and write `ast.Phase`.

Whatever the modules define is part of it.
"""

# ruff: noqa: F403
from dsl.ast.base import Node as Node
from dsl.ast.declarations import *
from dsl.ast.examples import *
from dsl.ast.expressions import *
from dsl.ast.files import *
from dsl.ast.statements import *
