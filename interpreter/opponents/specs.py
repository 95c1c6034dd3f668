"""Bots by name, as people write them: `normal`, `random`, `mcts:1000`, `alphabeta:2s`, and custom bots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dsl.lazy_dataclasses import dataclass
from dsl.text.spelling import nearest
from dsl.text.visible import brief
from interpreter.errors import UsageError
from interpreter.opponents.budgets import MOST_AHEAD, Budget
from interpreter.opponents.own_bots import checked_bot, own_bot, own_bot_names
from interpreter.opponents.situation import Bot
from interpreter.play.game import Game
from interpreter.wording.phrases import Phrase, alternatives, did_you_mean

RANDOM, GREEDY, MCTS, ALPHABETA = "random", "greedy", "mcts", "alphabeta"
EASY, NORMAL, HARD, BEST = "easy", "normal", "hard", "best"
DEFAULT = Budget(seconds=1.0)
"""The default thinking time of a bot: short, as a person is waiting."""
MAX_SECONDS = 3600
"""Maximum thinking time for a decision, in seconds."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as specified by a user: `text` as written, and its meaning.

    `budget` limits its thinking about a decision, None for no limit; `settings` is the text after the colon in the name
    of a custom bot. A bot of a program has no such text, but `make`, which makes it.
    """

    text: str
    name: str
    budget: Budget | None = None
    settings: str | None = None
    make: Callable[[], Bot] | None = None

    @property
    def is_random(self) -> bool:
        """True for random moves, which take no time."""
        return self.name == RANDOM


@dataclass(frozen=True, slots=True)
class SpecProblem:
    """Why a text names no bot, in one line for people."""

    message: str


@dataclass(frozen=True, slots=True)
class BotKind:
    """A kind of bot that comes with Regelwerk; random moves need none.

    `limited` names what a number after the colon limits, None if no number is allowed; `most` is its maximum.
    `examples` are typical specifications, `budget` limits it if nothing else is said.
    """

    make: Callable[[Budget], Bot] | None
    limited: Phrase | None
    most: int
    examples: tuple[str, ...]
    budget: Budget | None = None


def _greedy(budget: Budget) -> Bot:
    from interpreter.opponents.greedy import Greedy  # start-up of play without it: searches take long to import

    return Greedy()


def _mcts(budget: Budget) -> Bot:
    from interpreter.opponents.mcts import Mcts  # start-up of play without it

    return Mcts(budget)


def _alphabeta(budget: Budget) -> Bot:
    from interpreter.opponents.alphabeta import AlphaBeta  # start-up of play without it

    return AlphaBeta(budget.iterations, budget.seconds)


KINDS: Mapping[str, BotKind] = {
    # The iterations are the limit in most games, so that a level is as strong on every machine; the time is a cap.
    EASY: BotKind(_mcts, None, 0, (EASY,), Budget(iterations=25, seconds=0.25)),
    NORMAL: BotKind(_mcts, None, 0, (NORMAL,), Budget(iterations=1_000, seconds=0.5)),
    HARD: BotKind(_mcts, None, 0, (HARD,), Budget(iterations=20_000, seconds=2.0)),
    BEST: BotKind(_mcts, None, 0, (BEST,), Budget(seconds=5.0)),
    RANDOM: BotKind(None, None, 0, (RANDOM,)),
    GREEDY: BotKind(_greedy, None, 0, (GREEDY,)),
    MCTS: BotKind(_mcts, Phrase("iterations"), 100_000_000, (MCTS, "mcts:1000", "mcts:200ms", "mcts:2s"), DEFAULT),
    ALPHABETA: BotKind(
        _alphabeta, Phrase("decisions looked ahead"), MOST_AHEAD, (ALPHABETA, "alphabeta:6", "alphabeta:2s"), DEFAULT
    ),
}
"""The bots that come with Regelwerk, by name."""
WITHOUT_STATES = (RANDOM, ALPHABETA)
"""The bots that draw no states."""
EXAMPLES = tuple(text for kind in KINDS.values() for text in kind.examples)
"""What people can write for these bots: names, with typical limits."""


def bot_names() -> list[str]:
    """The names of all bots there are, custom ones last."""
    return [*KINDS, *own_bot_names()]


def spec_of(text: str, also: Iterable[str] = ()) -> BotSpec | SpecProblem:
    """Read the name of a bot with its limit; `also` are other words that are possible there."""
    name, colon, rest = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        return _own(text, name, rest if colon else None, also)
    if not colon:
        return BotSpec(text, name, kind.budget)
    if kind.limited is None:
        return SpecProblem(Phrase("`{text}`: nothing can follow `{name}`", text=brief(text), name=name))
    try:
        budget = Budget.of(rest)
    except UsageError:
        typical = alternatives([f"`{one}`" for one in kind.examples[1:]])
        expected = Phrase(
            "`{text}`: after the colon comes a number of {what}, or a time: {examples}",
            text=brief(text), what=kind.limited, examples=typical,
        )  # fmt: skip
        return SpecProblem(expected)
    if budget.iterations is not None and budget.iterations > kind.most:
        return SpecProblem(
            Phrase("`{text}`: the {what} are 1 to {number}", text=brief(text), what=kind.limited, number=kind.most)
        )
    if budget.seconds is not None and budget.seconds > MAX_SECONDS:
        return SpecProblem(Phrase("`{text}`: the time is at most {seconds}s", text=brief(text), seconds=MAX_SECONDS))
    return BotSpec(text, name, budget)


def _own(text: str, name: str, settings: str | None, also: Iterable[str]) -> BotSpec | SpecProblem:
    names = bot_names()
    if name in names:
        return BotSpec(text, name, settings=settings)
    unknown = Phrase(
        "there is no bot `{name}`{meant} (there are {names})", name=brief(name),
        meant=did_you_mean(nearest(name, [*also, *names])), names=", ".join(names),
    )  # fmt: skip
    return SpecProblem(unknown)


def is_timed(spec: BotSpec) -> bool:
    """True if a bot has a time limit, so that its choices depend on the machine."""
    return spec.budget is not None and spec.budget.seconds is not None


def bot_of(spec: BotSpec) -> Bot | None:
    """The bot, None for random moves. Raises BotError if a custom one cannot be made."""
    if spec.make is not None:
        return checked_bot(spec.text, spec.make, spec.name)
    kind = KINDS.get(spec.name)
    if kind is None:
        return own_bot(spec.name, spec.settings)
    return None if kind.make is None else kind.make(spec.budget or DEFAULT)


def why_unfit(spec: BotSpec, game: Game) -> str | None:
    """Why a bot cannot play a game, with what to use instead; None if it can."""
    if game.given is not None and not game.is_open and spec.name != RANDOM:
        return Phrase(
            "`{bot}` cannot play a game with secrets that begins in a position, as that does not say what its seat has "
            "seen before; use `{better}`",
            bot=brief(spec.text), better=RANDOM,
        )  # fmt: skip
    if spec.name != ALPHABETA:
        return None
    from interpreter.opponents.information import why_uncertain  # start-up of play without it

    reason = why_uncertain(game)
    if reason is None:
        return None
    return Phrase(
        "`{bot}` cannot play {game}: {reason}; use `{better}`",
        bot=brief(spec.text), game=game.title, reason=reason, better=MCTS,
    )  # fmt: skip
