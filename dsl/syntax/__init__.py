"""From text to the syntax tree: read a file, parse it, and explain syntax errors."""

from dsl.syntax.parsing import Parse, parse, parse_expression
from dsl.syntax.prescan import read_source
from dsl.text.files import MAX_FILE_SIZE

__all__ = ["MAX_FILE_SIZE", "Parse", "parse", "parse_expression", "read_source"]
