"""The intermediate representation (IR) of the rules of one game, between the checked model and generated code."""
