"""Code generation from the intermediate representation."""
