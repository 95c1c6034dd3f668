"""Examples of a rules file, run as tests."""
