"""From the checked model to the intermediate representation: the only reading of the language."""
