"""From the checked model to the intermediate representation: the only implementation of the language's semantics."""
