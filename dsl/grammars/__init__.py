"""The grammar of the language for programs that write texts character by character, in the notations they read."""

from dsl.grammars.notations import NOTATIONS, Notation, printed
from dsl.grammars.unrolling import character_grammar

__all__ = ["NOTATIONS", "Notation", "character_grammar", "printed"]
