"""The verbs of the command, one module each, loaded when the verb is called."""

VERBS = {
    "games": "List the games with their players, and what they are about",
    "rules": "Summarise the rules of a game: who wins, what players may do",
    "rulebook": "Write a rulebook to play from, as Markdown or as a page",
    "play": "Play a game with bots and other people, or resume a save",
    "saves": "List, rename and delete saved games",
    "check": "Report errors in rules files and boards",
    "explain": "Explain an error code, with a wrong and a corrected example",
    "fmt": "Format rules files in their canonical layout",
    "parse": "Print the syntax tree of a rules file, as text or as data",
    "test": "Run the examples in rules files, and measure coverage",
    "explore": "Search a game for faults, endless games and rules never reached",
    "mutate": "Show which small changes of the rules no example notices",
    "trace": "Step through a saved game, rule by rule, forward and back",
    "why": "Explain a move, a value or a place in a saved game",
    "position": "Print the position in a saved game as lines of an example",
    "hint": "Show the best moves in a saved game, found by a search",
    "know": "Show what a seat can infer about hidden pieces and notes in a save",
    "diff": "Show, rule by rule, how B differs from A, and where play diverges",
    "simulate": "Let bots play many games, and report who wins and how the games went",
    "compare": "Compare two sets of rules over many games, and test differences",
    "sweep": "Show how the figures of a game change over a range of options",
    "arena": "Play bots against each other, and rate them",
    "perft": "Count the move sequences of a game, to compare implementations",
    "solve": "Find the exact value of a small game for one or two, and best play",
    "compile": "Print what the rules of a game are compiled to",
    "grammar": "Print the grammar of the language for programs that write rules",
    "new": "Write a small game to begin with",
    "copy": "Copy a game with its board, examples and variants, to modify it",
    "help": "Show a page of the documentation, or list the pages",
}
"""Each verb with a short help text: the first line of the docstring of its function."""

EXAMPLES = {
    "games": ("regelwerk games", "regelwerk games GAME --format json"),
    "rules": ("regelwerk rules GAME", "regelwerk rules my_game.rules --variant my_variant"),
    "rulebook": ("regelwerk rulebook GAME --output GAME.html", "regelwerk rulebook my_game.rules --check"),
    "play": ("regelwerk play GAME --players 4 --bots mcts", "regelwerk play --resume game.json"),
    "saves": ("regelwerk saves", "regelwerk saves --rename game-20260101-120000 evening"),
    "check": ("regelwerk check my_game.rules", "regelwerk check variants/my_variant.rules --accept"),
    "explain": ("regelwerk explain E0207", "regelwerk explain"),
    "fmt": ("regelwerk fmt my_game.rules", "regelwerk fmt --check my_games"),
    "parse": ("regelwerk parse my_game.rules", "regelwerk parse GAME --format json"),
    "test": ("regelwerk test my_game.rules", "regelwerk test GAME --coverage --playouts 200"),
    "explore": ("regelwerk explore GAME", "regelwerk explore my_game.rules --time 600 --into found"),
    "mutate": ("regelwerk mutate GAME", "regelwerk mutate my_game.rules --only 'action lay' --time 600"),
    "trace": ("regelwerk trace game.json", "regelwerk trace game.json --html game.html"),
    "why": ("regelwerk why game.json 4", "regelwerk why game.json 'points(me)' --at 12"),
    "position": ("regelwerk position game.json", "regelwerk position game.json --at 12 --as SEAT"),
    "hint": ("regelwerk hint game.json", "regelwerk hint game.json --review"),
    "know": ("regelwerk know game.json --as SEAT", "regelwerk know game.json --at 12 --format json"),
    "diff": ("regelwerk diff GAME my_variant", "regelwerk diff old.rules new.rules --games 500"),
    "simulate": ("regelwerk simulate GAME --games 1000", "regelwerk simulate GAME --details 50 --bots mcts:200"),
    "compare": ("regelwerk compare GAME my_variant", "regelwerk compare GAME GAME --option-b NAME=VALUE -n 5000"),
    "sweep": ("regelwerk sweep GAME -o NAME=20..200:20", "regelwerk sweep GAME --players 2..5 --measure win"),
    "arena": ("regelwerk arena GAME random greedy --games 200", "regelwerk arena GAME random greedy --until-decided"),
    "perft": ("regelwerk perft GAME --depth 4", "regelwerk perft GAME --players 2 --format json"),
    "solve": ("regelwerk solve GAME", "regelwerk solve GAME --returns margin --format json"),
    "compile": ("regelwerk compile GAME --only turn", "regelwerk compile GAME --explain"),
    "grammar": ("regelwerk grammar > rules.gbnf", "regelwerk grammar --format lark"),
    "new": ("regelwerk new my_game", "regelwerk new my_game --kind board --players 2 --ending race"),
    "copy": ("regelwerk copy GAME my_games", "regelwerk copy ../game.rules ."),
    "help": ("regelwerk help", "regelwerk help play undo"),
}
"""Two command lines for each verb, shown below its help."""

MODULES: dict[str, str] = {}
"""The modules of verbs that are not in this package."""


def add_verb(verb: str, module: str, about: str, examples: tuple[str, str]) -> None:
    """Add a verb of another package, whose function has its name in this module."""
    VERBS[verb], EXAMPLES[verb], MODULES[verb] = about, examples, module
