"""A tree-sitter grammar, made from the grammar of the language; see `grammar.py`."""
