"""What is called from outside: moves forward and back, many random games, legal moves, keys, sequences of moves.

Each move puts a copy of the state on the past, which begins where the memory for values of one step ends; taking it
back copies it again. A journal of the changed cells would be smaller, but every store would have to write it: copying
two kilobytes takes 40 ns, a tenth of the time of a move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.types import COUNT
from interpreter.compiler.machine import numbers
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.course import (
    NOT_PICKED,
    OVER,
    SEED_FACTOR,
    ResultPlaces,
    check_criterion,
    result_places,
    store_winners,
)
from interpreter.compiler.machine.forms import NUMBER_ITEMS, SCALAR, WORD_BYTES, Form, UnprintableError
from interpreter.compiler.machine.functions import copied
from interpreter.compiler.machine.listing import RowFormat, define_listing
from interpreter.compiler.machine.playing import PLAYED, Playing
from interpreter.compiler.machine.positions import FIRST_OFFSET, LOG_HASHES, SECOND_OFFSET, absorb
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.rules import Rules
from interpreter.compiler.machine.scope import order_items
from interpreter.compiler.machine.seeing import REVEALED
from interpreter.compiler.machine.sights import Sights
from interpreter.compiler.machine.statements import Statements
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Block,
    Callee,
    Code,
    Label,
    Read,
    Switch,
    Types,
    call,
    load,
    plain,
)
from interpreter.compiler.wasm.modules import PAGE_BYTES, Function
from interpreter.runtime.layout import ME

CHANCE_OFFSET = 0x13198A2E03707344
MAX_BATCH = 1 << 12
"""Maximum number of games of one call."""

MAX_DECISIONS = 100_000
MAX_DEPTH = 200
"""Maximum length of the sequences of moves that are counted."""

NEXT_MOVE, SEQUENCES, ENDING, ROWS, BASE = range(5)
"""What is in memory for each level while sequences are counted: the number of the next move, the sequences, those of
them that end the game, where the moves are listed, and where the values of their steps begin."""

WORDS_OF_LEVELS = 2 + 5 * (MAX_DEPTH + 1)
"""The present level comes first, and the last word says whether there was chance."""


@dataclass(frozen=True)
class Places:
    """Addresses that are read and written from outside.

    `results` are those of a batch; `played` is how many games of it are complete, `scoring` whether a game that was cut
    off is being scored. `depth` is the number of moves that can be taken back, `key` two words. `levels` are the
    `WORDS_OF_LEVELS` for counting sequences of moves.
    """

    results: int
    played: int
    scoring: int
    depth: int
    key: int
    levels: int

    @property
    def chance_of_levels(self) -> int:
        """Where it says whether there was chance."""
        return self.levels + WORD_BYTES * (WORDS_OF_LEVELS - 1)

    def of_level(self, part: int, level: int = 0) -> int:
        """Where a part of a level is."""
        return self.levels + WORD_BYTES * (1 + part * (MAX_DEPTH + 1) + level)


def reserve_places(program: Program, rules: Rules) -> Places:
    """Reserve memory for what is called from outside."""
    reserve = program.data.reserve
    results = reserve(result_places(rules).size * MAX_BATCH)
    played, scoring, depth, key, levels = (reserve(WORD_BYTES * count) for count in (1, 1, 1, 2, WORDS_OF_LEVELS))
    return Places(results, played, scoring, depth, key, levels)


def points_of_blocks(rules: Rules, block_places: Mapping[int, int]) -> list[int]:
    """The decision that each block waits for, by the place of the block; `OVER` for none."""
    waiting = rules.prepared.waiting
    return [waiting[block].point if block in waiting else OVER for block in block_places]


class Stepping:
    """The functions of a module that are called from outside."""

    def __init__(self, program: Program, rules: Rules, game: Function, places: Places) -> None:
        self.program, self.rules, self.game, self.places = program, rules, game, places
        self.of_result: ResultPlaces = result_places(rules)

    def define(self, opening: int, block_places: Mapping[int, int], formats: Mapping[int, RowFormat]) -> None:
        """Print all of them; `opening` is the address of the state in which games begin."""
        points = points_of_blocks(self.rules, block_places)
        listings = {
            rule.number: define_listing(self.program, rule, formats[rule.number]).callee
            for rule in self.rules.of_kind("moves")
        }
        self._function("push", (I64,), (), self._push)
        # Searches write states into memory themselves, for which no moves are listed.
        self._function(PLAYED.format("push"), (I64,), (), self._push)
        self._function("pop", (), (), self._pop_outside)
        self._function("settle", (), (), self._settle)
        self._function("score", (), (), lambda body: self._score(body, i32(self.places.results)))
        self._function("hash", (), (), lambda body: self._hash(body, points))
        self._function("look", (I64,), (), self._look)
        self._function("rows", (), (I32,), lambda body: self._rows(body, points, listings))
        self._function("play", (I32, I64, I32, I64), (), lambda body: self._play(body, opening))
        self._function("sequences", (I64, I64, I32), (I32,), self._sequences)
        self._function("reach", (I32,), (), lambda body: self._reach(body, Read(body.function.locals[0])))
        playing = Playing(
            self.program, self.places.results, self.places.key, self.of_result, self.rules.privacy, formats, points
        )
        playing.define(listings, self._make, self._play_on_now, self._draw_chance)

    def _function(self, name: str, params: Types, results: Types, fill: Callable[[Body], None]) -> None:
        function = self.program.module.function(name, params, results, exported=True)
        body = Body(function)
        # A call that ended in a fault has left its values behind: nothing after it would have given their memory back.
        body.add(wasm.write((self.program.top,), Read(self.program.bounds.scratch)))
        if name != "push":  # anything else may write over the moves that have been listed
            self._set(body, self.program.listed, i32(0))
        fill(body)
        function.body = tuple(body.statements)

    # ------------------------------------------------------------ the past

    def _word(self, address: int, type_: str = "i64") -> Code:
        return load(f"{type_}.load", i32(0), address)

    def _set(self, body: Body, address: int, value: Code) -> None:
        body.add(wasm.store(f"{'i32' if value.results == (I32,) else 'i64'}.store", i32(0), value, address))

    def _past(self) -> Callee:
        """The function that gives the address of a state of the past, by its number, and makes room for it."""
        program, size = self.program, self.program.state_bytes

        def fill(body: Body) -> None:
            depth = Read(body.function.locals[0])
            offset = plain("i32.mul", depth, i32(size))
            address = body.held(plain("i32.add", Read(program.bounds.end), offset))
            self._reach(body, plain("i32.add", address, i32(size)))
            body.give((address,))

        return program.helper("past", (), (I32,), (I32,), fill)

    def _reach(self, body: Body, end: Code) -> None:
        """Let memory reach to an end."""
        end = plain("i32.add", end, i32(PAGE_BYTES - 1))
        pages = plain("i32.shr_u", end, i32(PAGE_BYTES.bit_length() - 1))
        missing = body.held(plain("i32.sub", pages, plain("memory.size")))
        grown = plain("memory.grow", missing)
        body.when(plain("i32.gt_s", missing, i32(0)), lambda: body.fault(plain("i32.lt_s", grown, i32(0))))

    def _keep(self, body: Body) -> None:
        """Put a copy of the state on the past."""
        depth = body.held(self._word(self.places.depth, "i32"))
        body.add(call(copied(self.program), call(self._past(), depth), i32(self.program.chance)))
        self._set(body, self.places.depth, plain("i32.add", depth, i32(1)))

    def _pop(self, body: Body) -> None:
        # INVARIANT: whoever counts moves forward and back outside is never below the number here, so this is a mistake
        # of ours and no error of a player.
        depth = body.held(plain("i32.sub", self._word(self.places.depth, "i32"), i32(1)))
        body.fault(plain("i32.lt_s", depth, i32(0)))
        body.add(call(copied(self.program), i32(self.program.chance), call(self._past(), depth)))
        self._set(body, self.places.depth, depth)
        self._set(body, self.program.listed, i32(0))

    def _pop_outside(self, body: Body) -> None:
        """Take moves back, also after a rule has failed while sequences were counted."""
        self._pop(body)
        self._begin_steps_at(body, Read(self.program.bounds.scratch))

    def _begin_steps_at(self, body: Body, base: Code) -> None:
        body.add(wasm.write((self.program.base,), base))

    def _go_on(
        self, body: Body, picked: Code, limit: Code, seed: Code, results: Code, listed: Code | None = None
    ) -> None:
        """Play on. `listed` is where the moves are, 0 if they have to be listed again."""
        self._set(body, self.program.listed, listed or i32(0))
        block = self._word(self.program.block, "i32")
        body.add(call(self.game.callee, block, picked, limit, seed, results))

    def _push(self, body: Body) -> None:
        # The copy is made first: a rule that fails in the middle of a move leaves a state that `pop` can restore.
        self._keep(body)
        listed = self._word(self.program.listed, "i32")
        self._go_on(body, Read(body.function.locals[0]), i64(1), i64(0), i32(self.places.results), listed)

    def _settle(self, body: Body) -> None:
        """Count the legal moves of a state whose cells have been set."""
        self._go_on(body, i64(NOT_PICKED), i64(0), i64(0), i32(self.places.results))

    # ------------------------------------------------------------ values of the state

    def _score(self, body: Body, results: Code) -> None:
        """The criteria and teams of all seats as if the game was over, and who is ahead."""
        program, rules = self.program, self.rules
        criteria = rules.of_kind("criterion")
        for rule in criteria[: rules.criteria]:
            assert rule.result is not None
            check_criterion(rule.result)
        # Criteria speak of `me`: each seat acts in turn, and the one that acts really is put back.
        acting = body.held(self._word(program.cells[ME]))
        for seat in range(len(rules.prepared.results)):
            self._set(body, program.cells[ME], i64(seat))
            for number, rule in enumerate(criteria):
                of_team = number >= rules.criteria
                place = self.of_result.teams + WORD_BYTES * seat
                offset = place if of_team else WORD_BYTES * (rules.criteria * seat + number)
                value = call(program.functions[rule.name].callee)
                number_of_it = wide(value) if value.results == (I32,) else value
                body.add(wasm.store("i64.store", results, number_of_it, offset))
        self._set(body, program.cells[ME], acting)
        store_winners(program, rules, body, results)

    def _hash(self, body: Body, points: Sequence[int]) -> None:
        """Two hashes of the state: of its cells, chance, the decision, and recorded positions.

        The same decision can wait in several blocks, in which other values are known.
        """
        program = self.program
        scope = Statements(program, body)
        first_hash, second_hash = body.variable(I64), body.variable(I64)
        body.assign((first_hash, second_hash), (i64(FIRST_OFFSET), i64(SECOND_OFFSET)))
        # The number of the block would tell apart positions that are the same to players. The point of the decision is
        # hashed in its place; a game that is over has a block below 0, for which there is the entry after the last.
        table = program.data.values([*points, OVER], COUNT)
        last = i32(len(points))
        place = body.held(self._word(program.block, "i32"))
        place = wasm.select(plain("i32.lt_s", place, i32(0)), last, place)
        point = load("i64.load", plain("i32.mul", place, i32(WORD_BYTES)), table)
        for word in (self._word(program.chance), point):
            absorb(scope, SCALAR, (word,), first_hash, second_hash)
        for form, cells in self._alike():
            size = program.cell_size(form)

            def absorb_cell(address: Code, form: Form = form) -> None:
                in_place = form == NUMBER_ITEMS
                value = order_items(scope, address) if in_place else scope.loaded(form, address, 0)
                absorb(scope, form, body.named(value), first_hash, second_hash)

            start = program.cells[cells[0]]
            if len(cells) > 1:
                body.counted(i32(start), i32(start + size * len(cells)), absorb_cell, size)
            else:
                absorb_cell(i32(start))
            if cells[0] in program.logs:
                self._absorb_log(scope, program.logs[cells[0]], self._word(start), first_hash, second_hash)
        for number, variable in enumerate((first_hash, second_hash)):
            self._set(body, self.places.key + WORD_BYTES * number, Read(variable))

    def _alike(self) -> list[tuple[Form, list[int]]]:
        """The cells with values, in runs of the same form that lie one after the other; those with logs by themselves.

        A loop for each run, not statements for each cell, made the module of the game with most cells half as large.
        """
        program, unused = self.program, set(self.rules.prepared.kinds.replaced_cells())
        runs: list[tuple[Form, list[int]]] = []
        end = -1
        for cell, address in program.cells.items():
            if cell in unused:
                continue
            form = program.forms[cell]
            if address == end and form == runs[-1][0] and cell not in program.logs:
                runs[-1][1].append(cell)
            else:
                runs.append((form, [cell]))
            end = -1 if cell in program.logs else address + program.cell_size(form)
        return runs

    def _absorb_log(
        self, scope: Statements, log: int, count: Code, first_hash: wasm.Local, second_hash: wasm.Local
    ) -> None:
        """Recorded positions; two states may have recorded the same ones in another order."""
        body = scope.body
        sums = tuple([body.variable(I64) for _ in LOG_HASHES])
        body.assign(sums, tuple([i64(0) for _ in sums]))

        # Added up, not absorbed one after the other, as their order makes no difference. Each is mixed before: sums of
        # plain numbers would often be equal for different positions.
        def add_position(number: Code) -> None:
            offset = body.held(plain("i32.mul", number, i32(WORD_BYTES)))
            hashes: list[Code] = [
                load("i64.load", plain("i32.add", self._word(log + WORD_BYTES * field, "i32"), offset))
                for field in LOG_HASHES
            ]
            words: tuple[Code, ...] = hashes[0], plain("i64.xor", *hashes)
            for variable, word in zip(sums, words, strict=True):
                body.assign((variable,), (numbers.add(Read(variable), numbers.mixed(body, word)),))

        body.counted(i32(0), body.held(narrow(count)), add_position)
        for variable in sums:
            absorb(scope, SCALAR, (Read(variable),), first_hash, second_hash)

    def _rows(self, body: Body, points: Sequence[int], listings: Mapping[int, Callee]) -> None:
        """The address of the legal moves, which are as many as have been counted."""
        none = Label()
        labels = {point: Label() for point in listings}
        targets = [labels.get(point, none) for point in points]
        codes: list[Code] = [Switch((*targets, none), self._word(self.program.block, "i32"))]
        for point in listings:
            listing = wasm.Return((call(listings[point]),))
            codes = [Block(labels[point], tuple(codes), ()), listing]
        body.add(Block(none, tuple(codes), ()))
        body.give((i32(0),))

    def _look(self, body: Body) -> None:
        """Hash what a seat sees; a fault where that cannot be printed."""
        try:
            bit = plain("i64.shl", i64(1), Read(body.function.locals[0]))
            over = plain("i64.lt_s", self._word(self.program.block), i64(0))
            seat = body.held(wasm.select(over, i64(REVEALED), bit))
            Sights(self.program, self.rules, body, seat).hash_all(self.places.key)
        except UnprintableError:
            body.statements = [plain("unreachable")]

    # ------------------------------------------------------------ many games

    def _play(self, body: Body, opening: int) -> None:
        """Random games from the present state or the opening: (whether from there, first seed, how many, horizon).

        The results of each game are where those of the batch are. The state is afterwards as before.
        """
        program, places, of_result = self.program, self.places, self.of_result
        begun, seed, count, horizon = (Read(local) for local in body.function.locals)
        most = i64(MAX_DECISIONS)
        limit = body.held(wasm.select(plain("i64.lt_s", horizon, most), horizon, most))
        self._set(body, places.played, i32(0))
        self._set(body, places.scoring, i32(0))
        self._keep(body)
        saved = call(self._past(), plain("i32.sub", self._word(places.depth, "i32"), i32(1)))
        source = body.held(wasm.select(begun, i32(opening), saved))
        played = body.variable(I32)

        def once(out: Label) -> None:
            body.leave(out, plain("i32.ge_s", Read(played), count))
            results = body.held(
                plain("i32.add", i32(places.results), plain("i32.mul", Read(played), i32(of_result.size)))
            )
            own_seed = body.held(numbers.add(seed, wide(Read(played))))
            body.add(call(copied(program), i32(program.chance), source))
            self._draw_chance(body, own_seed)
            self._play_on(body, own_seed, horizon, limit, results)
            # INVARIANT: it is stored after each game. Where a game ends in a fault, the results of those before it are
            # complete, and the faulty one is the next: Python plays it again to say what went wrong.
            body.assign((played,), (plain("i32.add", Read(played), i32(1)),))
            self._set(body, places.played, Read(played))

        def play_all(out: Label) -> None:
            def repeat(start: Label) -> None:
                once(out)
                body.leave(start)

            body.loop(repeat)

        body.block(play_all)
        self._pop(body)

    def _draw_chance(self, body: Body, seed: Code) -> None:
        """Let future chance follow from a seed."""
        chance = numbers.add(plain("i64.mul", seed, i64(SEED_FACTOR)), i64(CHANCE_OFFSET))
        self._set(body, self.program.chance, chance)

    def _play_on(self, body: Body, seed: Code, horizon: Code, limit: Code, results: Code) -> None:
        """Play at random from the present state, up to a horizon, or fail after `limit` decisions."""
        of_result, places = self.of_result, self.places

        def at_end() -> None:
            for place in (of_result.decisions, of_result.choices, of_result.widest):
                body.add(wasm.store("i64.store", results, i64(0), place))
            self._score(body, results)

        over = plain("i64.lt_s", self._word(self.program.block), i64(0))
        body.when(over, at_end, lambda: self._go_on(body, i64(NOT_PICKED), limit, seed, results))
        waits = body.held(plain("i64.ge_s", self._word(self.program.block), i64(0)))
        body.add(wasm.store("i64.store", results, wide(plain("i32.eqz", waits)), of_result.over))
        body.add(wasm.store("i64.store", results, i64(1), of_result.scored))

        def cut_off() -> None:
            body.fault(plain("i64.gt_s", horizon, i64(MAX_DECISIONS)))
            # A criterion may have no value before the game is over. The word tells such a fault from one of the rules.
            self._set(body, places.scoring, i32(1))
            body.add(wasm.store("i64.store", results, i64(0), of_result.scored))
            self._score(body, results)
            body.add(wasm.store("i64.store", results, i64(1), of_result.scored))
            self._set(body, places.scoring, i32(0))

        body.when(waits, cut_off)

    # ------------------------------------------------------------ searching

    def _make(self, body: Body, number: Code) -> None:
        """Make a move that is not taken back."""
        self._go_on(body, number, i64(1), i64(0), i32(self.places.results))

    def _play_on_now(self, body: Body, seed: Code, horizon: Code) -> None:
        """Play at random from the present state."""
        limit = body.held(wasm.select(plain("i64.lt_s", horizon, i64(MAX_DECISIONS)), horizon, i64(MAX_DECISIONS)))
        self._play_on(body, seed, horizon, limit, i32(self.places.results))

    # ------------------------------------------------------------ counting

    def _sequences(self, body: Body) -> None:
        """Count sequences of moves: (length, most moves to make now, whether to make last moves); whether it is done.

        Called again until it is. A last move has to be made to know whether it ends the game.
        """
        program, places = self.program, self.places
        length, budget, ends = body.function.locals
        level = body.variable(I64)
        body.assign((level,), (self._word(places.levels),))
        scratch, end = Read(program.bounds.scratch), Read(program.bounds.end)

        # A walk in depth that can be interrupted: level 1 holds the number of the next move from the first position,
        # level 2 that of the next one from where this led, and so on; at level 0 it is done. Everything is in memory:
        # the next call goes on where `budget` was used up. On the last level moves are counted, not made.
        #
        # Making a move takes as long as listing all of them, so they are listed once for each position: the values of
        # the steps after it begin behind them. It is done again where they need more than half of the room.
        def of_level(part: int) -> Code:
            offset = plain("i32.mul", narrow(Read(level)), i32(WORD_BYTES))
            return load("i64.load", offset, places.of_level(part))

        def store_for_level(part: int, value: Code) -> None:
            offset = plain("i32.mul", narrow(Read(level)), i32(WORD_BYTES))
            body.add(wasm.store("i64.store", offset, value, places.of_level(part)))

        def add(part: int, amount: Code) -> None:
            store_for_level(part, numbers.add(of_level(part), amount))

        def keep_rows(base: Code) -> None:
            rows, end_of_rows = (self._word(program.listed + WORD_BYTES * word, "i32") for word in range(2))
            half = plain("i32.lt_u", plain("i32.sub", end_of_rows, scratch), plain("i32.sub", end, end_of_rows))
            kept = body.held(plain("i32.and", plain("i32.ne", rows, i32(0)), half))
            store_for_level(ROWS, wide(wasm.select(kept, rows, i32(0))))
            store_for_level(BASE, wide(wasm.select(kept, end_of_rows, base)))

        def begin() -> None:
            self._settle(body)
            keep_rows(scratch)

        body.when(plain("i64.eqz", self._word(places.of_level(BASE, level=1))), begin)

        def once(out: Label) -> None:
            body.leave(out, plain("i64.eqz", Read(level)))
            body.leave(out, plain("i64.le_s", Read(budget), i64(0)))
            number = body.held(of_level(NEXT_MOVE))

            def back() -> None:
                body.assign((level,), (plain("i64.sub", Read(level), i64(1)),))
                body.when(plain("i64.ne", Read(level), i64(0)), lambda: self._pop(body))

            def forth() -> None:
                add(NEXT_MOVE, i64(1))
                body.assign((budget,), (plain("i64.sub", Read(budget), i64(1)),))
                chance = body.held(self._word(program.chance))
                self._keep(body)
                base, rows = body.held(narrow(of_level(BASE))), narrow(of_level(ROWS))
                self._begin_steps_at(body, base)
                self._set(body, program.listed + WORD_BYTES, base)
                self._go_on(body, number, i64(1), i64(0), i32(places.results), rows)
                add(SEQUENCES, i64(1))
                over = body.held(plain("i64.lt_s", self._word(program.block), i64(0)))
                add(ENDING, wide(over))
                changed = wide(plain("i64.ne", chance, self._word(program.chance)))
                recorded = self._word(places.chance_of_levels)
                self._set(body, places.chance_of_levels, plain("i64.or", recorded, changed))
                deeper = plain("i32.and", plain("i32.eqz", over), plain("i64.lt_s", Read(level), Read(length)))

                def enter() -> None:
                    body.assign((level,), (numbers.add(Read(level), i64(1)),))
                    store_for_level(NEXT_MOVE, i64(0))
                    keep_rows(base)

                body.when(deeper, enter, lambda: self._pop(body))

            def count() -> None:
                add(SEQUENCES, self._word(program.count))
                back()

            def further() -> None:
                body.when(plain("i64.ge_s", number, self._word(program.count)), back, forth)

            last = plain("i64.eq", Read(level), Read(length))
            body.when(plain("i32.and", plain("i32.eqz", Read(ends)), last), count, further)

        def count_all(out: Label) -> None:
            def repeat(start: Label) -> None:
                once(out)
                body.leave(start)

            body.loop(repeat)

        body.block(count_all)
        self._begin_steps_at(body, scratch)
        self._set(body, places.levels, Read(level))
        body.give((plain("i64.eqz", Read(level)),))
