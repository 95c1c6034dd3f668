"""The intermediate representation: what the rules of one game mean, between the checked model and code."""
