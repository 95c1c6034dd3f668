"""One game forward and back in Python and in the machine engine, which must agree at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from interpreter.analysis.bulk import Rollouts, rollouts_in_machine, rollouts_in_python
from interpreter.engine.machine.games import MachineState
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.play.state import key_of
from interpreter.runtime.cells import Cells
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, MOVES, POINT, RANDOM
from tests.interpreter.machine.comparing import Difference, machine_of

BACK, AGAIN, ROLLOUTS, BLIND = 0.15, 0.05, 0.04, 0.4
"""How often a walk goes back, goes on with a copy or with the cells of Python, plays random games from there, and makes
a move without having looked at anything: its engine has listed the moves when it came there."""

FARTHEST_BACK = 6
HORIZONS = 0, 3


def outcome_of(play: Callable[[], Rollouts]) -> Rollouts | str:
    """The results of random games, or the fault that ended one of them."""
    try:
        return play()
    except PlayError as fault:
        return str(fault)


class Walk:
    """A game in both engines; `keys` are those of Python by those of the machine engine.

    `left` are states that were left when the walk went on with a copy, with what was true of them.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.program, self.machine, self.seed = game, game.program, machine_of(game), seed
        self.figures: Counter[str] = Counter()
        self.keys: dict[int, str] = {}
        self.left: list[tuple[MachineState, int, int]] = []
        self.S = list(self.program.initial)
        self.S[RANDOM] = seeded(seed)
        self.program.run(self.S, None, 0)
        self.past: list[Cells] = []
        self.state = self.machine.state(self.S)

    def different(self, what: str, mine: object, theirs: object) -> Difference:
        where = f"{self.game.name}, seed {self.seed}, step {self.figures['steps']}"
        return Difference(f"{where}: {what}: in the machine {mine!r:.300}, in Python {theirs!r:.300}")

    def same(self, what: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            raise self.different(what, mine, theirs)

    def compare(self) -> None:
        """Compare everything about the present position. Raises Difference."""
        S, state = self.S, self.state
        legal = self.program.legal(S)
        self.same("the decision", max(state.point, -1), max(S[POINT], -1))
        self.same("legal moves", state.legal_moves(), legal)
        self.same("the number of legal moves", state.count if legal else 0, len(legal))
        if legal:
            self.same("the seat that decides", state.acting, S[ME])
        key = self.key_by_kinds()
        if self.keys.setdefault(state.key(), key) != key or len(set(self.keys.values())) != len(self.keys):
            raise self.different("states with equal keys", state.key(), key)
        self.same("scores", state.scores(), self.scores())

    def key_by_kinds(self) -> str:
        """The key of the cells in Python, with pieces that no rule tells apart by their kind.

        Two states that differ only in which of these lies where are the same to the machine engine.
        """
        kinds = self.machine.rules.prepared.kinds
        cells, replaced = Cells(kinds.opening(self.S)), set(kinds.replaced_cells())
        return key_of(Cells(cell for number, cell in enumerate(cells) if number == MOVES or number not in replaced))

    def scores(self) -> list[tuple[int, ...]] | None:
        """The criteria of all seats, if neither they nor a team fail."""
        try:
            return self.scored(self.S)
        except PlayError:
            return None

    def scored(self, cells: Cells) -> list[tuple[int, ...]]:
        """The criteria of all seats. Raises PlayError, also where the team of a seat has no value."""
        self.program.teams(cells)
        return [tuple(map(int, criteria)) for criteria in self.program.criteria_of_all(cells)]

    def rollouts(self, horizon: int, seeds: range = range(5, 7)) -> None:
        """Compare random games from here, which leave the state as it is; both may end in the same fault."""
        expected = outcome_of(lambda: rollouts_in_python(self.game, self.S, seeds, horizon))
        played = outcome_of(lambda: rollouts_in_machine(self.game, self.state, lambda: self.S, seeds, horizon, 1))
        self.same(f"random games of {horizon} decisions from here", played, expected)
        self.figures["rollouts"] += 1

    def forward(self, number: int, blind: bool = False) -> None:
        """Make a move in both, or find that it fails, or a criterion where it ends the game. Raises Difference."""
        after, key = list(self.S), None if blind else self.state.key()
        try:
            self.program.do(after, None, self.program.legal(self.S)[number])
            if after[POINT] < 0:
                self.scored(after)
        except PlayError as fault:
            if self.state.push(number):
                raise self.different("a fault", "none", fault) from None
            if key is not None:
                self.same("the key after a move that failed", self.state.key(), key)
            self.figures["faults"] += 1
            return
        if not self.state.push(number):
            raise self.different("a move", "a fault", "none")
        self.past.append(self.S)
        self.S = after
        self.figures["moves"] += 1

    def back(self) -> bool:
        """Take a move back in both, if there is one."""
        assert self.state.pop() == bool(self.past)
        if not self.past:
            return False
        self.S = self.past.pop()
        return True

    def go(self, steps: int) -> Counter[str]:
        """Go on at random, comparing at every step. Raises Difference."""
        random = Random(self.seed)
        for _ in range(steps):
            self.figures["steps"] += 1
            blind = random.random() < BLIND
            if not blind:
                self.compare()
            if random.random() < ROLLOUTS:
                self.rollouts(random.choice(HORIZONS))
            if self.S[POINT] < 0 or random.random() < BACK:
                self.figures["over"] += self.S[POINT] < 0
                succeeded = [self.back() for _ in range(random.randint(1, FARTHEST_BACK))]
                if not all(succeeded) and self.S[POINT] < 0:
                    break
                continue
            self.forward(random.randrange(len(self.program.legal(self.S))), blind)
            if random.random() < AGAIN:
                self.go_on_with(self.state.copy())
            elif random.random() < AGAIN:
                self.go_on_with(self.machine.state(self.S))
        self.compare()
        for state, key, depth in self.left:
            self.same("the key of a state that was left", state.key(), key)
            self.same("how far it goes back", sum(iter(state.pop, False)), depth)
        return self.figures

    def go_on_with(self, state: MachineState) -> None:
        """Leave the state, which keeps its past, for another one of the same position."""
        self.same("the key of a copy", state.key(), self.state.key())
        self.left.append((self.state, self.state.key(), len(self.past)))
        self.state, self.past = state, []
