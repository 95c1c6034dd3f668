"""The verbs of the command, one module each, loaded when the verb is called."""

VERBS = {
    "games": "List the games with their players, options and variants",
    "play": "Play a game with bots and other people, or resume a save",
    "check": "Report errors in rules files and boards",
    "explain": "Explain an error code, with a wrong and a corrected example",
    "fmt": "Format rules files",
    "test": "Run the examples in rules files, and measure coverage",
    "trace": "Step through a saved game, rule by rule, forward and back",
    "why": "Explain a move, a value or a place in a saved game",
    "diff": "Compare two sets of rules, and play both until they diverge",
    "simulate": "Play many random games: lengths, scores, wins",
    "perft": "Count the move sequences of a game, to compare programs",
}
"""Every verb with what it does in a few words. The function of that name in its module begins its docstring so."""
