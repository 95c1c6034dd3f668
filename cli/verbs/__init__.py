"""The verbs of the command, one module each, loaded when the verb is called."""

VERBS = {
    "games": "List the games with their players, and what they are about",
    "rules": "Summarise the rules of a game: who wins, what may be done",
    "play": "Play a game with bots and other people, or resume a save",
    "check": "Report errors in rules files and boards",
    "explain": "Explain an error code, with a wrong and a corrected example",
    "fmt": "Format rules files in their canonical layout",
    "parse": "Print the syntax tree of a rules file, as text or as data",
    "test": "Run the examples in rules files, and measure coverage",
    "trace": "Step through a saved game, rule by rule, forward and back",
    "why": "Explain a move, a value or a place in a saved game",
    "diff": "Show, rule by rule, how B differs from A, and where play diverges",
    "simulate": "Play many random games, and report lengths, scores and wins",
    "perft": "Count the move sequences of a game, to compare implementations",
    "compile": "Print what the rules of a game are compiled to",
}
"""Each verb with a short help text: the first line of the docstring of its function."""
