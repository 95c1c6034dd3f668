"""Rules, boards and variants: finding the files and reading them into a checked model."""
