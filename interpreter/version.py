"""The version, written here and not read from the installed package: that takes as long as importing the language."""

__version__ = "0.2.0"
