"""Rules, boards and variants: where they are, and reading them into a checked model."""
