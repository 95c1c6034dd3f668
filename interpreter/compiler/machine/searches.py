"""The searches of bots as a module, which is the same for all games.

It imports what it plays a game with (`playing.py`) and the memory from the module of the game. Its routines
(`routines/tree_search.py`, `alpha_beta.py`) keep their arrays and worlds there, behind the data of the game, where play
step by step has its past. Whoever calls them makes room, and writes the records with the addresses of the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from types import ModuleType

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.body import Body, i32, narrow
from interpreter.compiler.machine.forms import SCALAR, WORD_BYTES
from interpreter.compiler.machine.playing import PLAY, PLAYED
from interpreter.compiler.machine.polls import add_polls
from interpreter.compiler.machine.program import Helpers
from interpreter.compiler.machine.routines import alpha_beta, tree_search
from interpreter.compiler.machine.routines.kinds import GAME, RecordOf, ValueKind, record_of
from interpreter.compiler.machine.routines.translation import routine
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import I64, Callee, Code, Read, call, load, plain
from interpreter.compiler.wasm.modules import Function, Module

SEARCH, LOOKAHEAD = record_of(tree_search, "Search"), record_of(alpha_beta, "Lookahead")

WORLDS_ADDRESS = 16
"""Where the address of the worlds is.

There is a list of the places in memory that have to be set for each world: where, from where, and how many bytes. The
worlds are the beginnings of these lists in a row, and the end of the last one.
"""


def records_in(search: RecordOf) -> Sequence[RecordOf]:
    """The records of a search: those in its own one, and that one."""
    return (*[kind for _, kind in search.fields if isinstance(kind, RecordOf)], search)


@dataclass(frozen=True)
class SearchCall:
    """A routine that is called from outside, with the game, the record of the search and this many numbers."""

    module: ModuleType
    routine: str
    record: RecordOf
    numbers: int


CALLS: Mapping[str, SearchCall] = {
    "search_begin": SearchCall(tree_search, "begin", SEARCH, 1),
    "search_run": SearchCall(tree_search, "run", SEARCH, 1),
    "search_abandon": SearchCall(tree_search, "abandon", SEARCH, 0),
    "search_line": SearchCall(tree_search, "continue_line", SEARCH, 1),
    "ahead_begin": SearchCall(alpha_beta, "begin", LOOKAHEAD, 2),
    "ahead_run": SearchCall(alpha_beta, "run", LOOKAHEAD, 1),
}
"""What is called, by the names of the functions; the first argument is the address of the record."""


@dataclass
class Searches(Helpers):
    """The module while it is printed."""

    module: Module
    helpers: dict[tuple[object, ...], Function] = field(default_factory=dict)
    play: dict[str, Callee] = field(default_factory=dict)


def search_module() -> Module:
    """The module."""
    module = Module()
    searches = Searches(module)
    for name, (params, results) in PLAY.items():
        searches.play[name] = module.imported(PLAYED.format(name), params, results)
    load_world = module.function("load_world", (I64,), ())
    body = Body(load_world)
    _load_world(body, Read(load_world.locals[0]))
    load_world.body = tuple(body.statements)
    searches.play["load_world"] = load_world.callee
    for name, search_call in CALLS.items():
        _export(searches, name, search_call)
    add_polls(module)
    return module


def _export(searches: Searches, name: str, search_call: SearchCall) -> None:
    numbers = [SCALAR] * search_call.numbers
    kinds: list[ValueKind] = [GAME, search_call.record, *numbers]
    callee, _ = routine(searches, search_call.module, search_call.routine, kinds)
    function = searches.module.function(name, (I64, *[I64] * len(numbers)), callee.results, exported=True)
    record, *others = map(Read, function.locals)
    result = call(callee, narrow(record), *others)
    function.body = (wasm.Return((result,)),) if callee.results else (result,)


def _load_world(body: Body, number: Code) -> None:
    """Set the memory of a world."""
    offset = plain("i32.mul", narrow(number), i32(WORD_BYTES))
    starts = body.held(plain("i32.add", load("i32.load", i32(0), WORLDS_ADDRESS), offset))

    def copy_part(part: Code) -> None:
        target, source, size = (load("i32.load", part, WORD_BYTES * place) for place in range(3))
        body.add(plain("memory.copy", target, source, size))

    low, high = body.held(load("i32.load", starts)), body.held(load("i32.load", starts, WORD_BYTES))
    body.counted(low, high, copy_part, 3 * WORD_BYTES)
