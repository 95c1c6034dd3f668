"""The hunt for faults as a whole: the search, the comparison of actions, and each finding as short as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from time import monotonic

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted
from dsl.text.replacing import replace_text
from interpreter.analysis.workers import Progress, Stop, Watch, never, spread, unwatched
from interpreter.authoring.coverage.random_games import BranchCounts, CoveragePlayer
from interpreter.authoring.coverage.report import Coverage, Missing, description, run_instrumented
from interpreter.errors import Interrupted, writing
from interpreter.exploration.dominated import Comparison
from interpreter.exploration.findings import ORDER, Finding
from interpreter.exploration.kept_search import keep, resume
from interpreter.exploration.proposing import Bench
from interpreter.exploration.search import Explorer
from interpreter.exploration.shrinking import example_of, shortened, state_before
from interpreter.loading.rules import Rules
from interpreter.play.game import Game
from interpreter.play.saves.files import SaveMeta, save_text

SECONDS = 60
"""Default time of a search, in seconds."""

SHARE_OF_ACTIONS = 0.2
"""Share of the time in which actions are compared."""

MAX_SAMPLED = 100_000
DECISIONS_OF_A_SAMPLE = 20
"""Number of decisions of a search for each decision at which actions are compared."""

MAX_SHOWN = 20
"""Number of findings for which a short course and an example are looked for: each takes seconds."""

GRAVE = ("fault", "stuck", "endless")
"""The kinds of findings for which the rules have to be mended."""


@dataclass(frozen=True)
class Found:
    """Something found in the games of a set of rules, as short as it could be made.

    `kind` is fault, stuck, endless, one move or dominated; `location` is that of the rule. It shows after `decisions`
    in the game with this seed, number of players and options, of which `save` is the file, and in the `example`.
    """

    kind: str
    location: str
    words: str
    decisions: int
    seed: int
    players: int
    options: dict[str, str]
    example: str | None = None
    save: Path | None = None

    def as_data(self) -> JsonObject:
        """It as plain data."""
        return {
            "kind": self.kind, "place": self.location, "words": self.words, "decisions": self.decisions,
            "seed": self.seed, "players": self.players, "options": self.options, "example": self.example,
            "save": None if self.save is None else str(self.save),
        }  # fmt: skip


@dataclass(frozen=True)
class Unreached:
    """A part of the rules that the search has not reached; `by_examples`: an example does."""

    location: str
    words: str
    by_examples: bool


@dataclass(frozen=True)
class Exploration:
    """What a hunt for faults has found, the gravest first, and which parts of the rules it has not reached.

    It was played with the `players` and with `others`, the number of combinations of other options. `seconds` and all
    counts include earlier parts of a hunt that is continued. One that was `interrupted` is not complete. The titles of
    the `failing_examples` say what is wrong with the rules or the examples, whatever else was found.
    """

    game: str
    variants: tuple[str, ...]
    seed: int
    runs: int
    games: int
    decisions: int
    seconds: float
    interrupted: bool
    findings: tuple[Found, ...]
    unreached: tuple[Unreached, ...]
    players: tuple[int, ...]
    others: int
    failing_examples: tuple[str, ...]

    @property
    def is_grave(self) -> bool:
        """True if a rule fails, or a game is stuck or endless."""
        return any(finding.kind in GRAVE for finding in self.findings)

    def as_data(self) -> JsonObject:
        """It as plain data."""
        return {
            "game": self.game, "variants": list(self.variants), "seed": self.seed, "runs": self.runs,
            "games": self.games, "decisions": self.decisions, "interrupted": self.interrupted,
            "failing_examples": list(self.failing_examples),
            "findings": [finding.as_data() for finding in self.findings],
            "unreached": [
                {"place": part.location, "what": part.words, "by_examples": part.by_examples}
                for part in self.unreached
            ],
        }  # fmt: skip

    def __repr__(self) -> str:
        findings = counted(len(self.findings), "finding")
        return f"<Exploration of {self.game}: {self.decisions:,} decisions, {findings}>"


@dataclass
class Hunt:
    """A hunt through rules that were read with their examples, for some seconds, and at most a number of decisions.

    It is worked on by `jobs` processes. What is found is saved in the folder `into`, from which the same hunt goes on.
    """

    rules: Rules
    seconds: float = SECONDS
    decisions: int | None = None
    seed: int = 0
    jobs: int = 1
    into: Path | None = None
    watch: Watch = unwatched
    stop: Stop = never
    by_keyboard: bool = field(default=False, init=False)
    ended_early: bool = field(default=False, init=False)

    def explored(self) -> Exploration:
        """Search, compare and shorten. Raises Interrupted after Ctrl-C, RunError for the folder."""
        self._show(0, "running the examples")
        results, by_examples = run_instrumented(self.rules)
        explorer = Explorer(self.rules, self.seed)
        saved_search = None if self.into is None else self.into / f"{self.rules.name}.search.json"
        if saved_search is not None and saved_search.exists():
            resume(saved_search, explorer)
        began, earlier_seconds = monotonic(), explorer.seconds
        self._search(explorer)
        if saved_search is not None:
            keep(saved_search, explorer)
        findings = [*explorer.findings.values(), *explorer.without_choice(), *self._dominated()]
        seconds = earlier_seconds + monotonic() - began
        findings.sort(key=lambda finding: (ORDER.index(finding.kind), finding.length))
        shown_findings = self._shortened(findings)
        if self.into is not None:
            examples = [
                f"# {finding.location}: {finding.words}\n{finding.example}"
                for finding in shown_findings
                if finding.example
            ]
            path = self.into / f"{self.rules.name}.found.txt"
            with writing(path):
                replace_text(path, "\n".join(examples))
        counts = BranchCounts(_reached(explorer), explorer.games)
        coverage = Coverage(self.rules, results, by_examples, counts, [], self.seed)
        usual, unusual = explorer.settings
        exploration = Exploration(
            self.rules.name, tuple(self.rules.titles), self.seed, explorer.runs, explorer.games, explorer.decisions,
            seconds, self.by_keyboard or self.ended_early, shown_findings, tuple(_unreached(coverage)),
            tuple(setting.players for setting in usual), len(unusual),
            tuple(result.title for result in results if not result.passed),
        )  # fmt: skip
        if self.by_keyboard:
            raise Interrupted(exploration)
        return exploration

    def _search(self, explorer: Explorer) -> None:
        """Search until the time is over or enough decisions were made."""
        began = monotonic()
        earlier_seconds, end = explorer.seconds, began + self.seconds * (1 - SHARE_OF_ACTIONS)
        earlier_decisions = explorer.decisions
        max_decisions = None if self.decisions is None else earlier_decisions + self.decisions

        def is_over() -> bool:
            return monotonic() >= end or (max_decisions is not None and explorer.decisions >= max_decisions)

        def note() -> tuple[int, str]:
            findings = counted(len(explorer.findings), "finding")
            return explorer.decisions - earlier_decisions, f"{explorer.decisions:,} decisions, {findings}"

        self._follow(explorer.search(is_over, self.jobs), note)
        explorer.seconds = earlier_seconds + monotonic() - began

    def _dominated(self) -> list[Finding]:
        """Actions that seem never worth doing."""
        sampled = MAX_SAMPLED if self.decisions is None else self.decisions // DECISIONS_OF_A_SAMPLE
        comparison = Comparison(self.rules, self.seed, monotonic() + self.seconds * SHARE_OF_ACTIONS, sampled)
        self._follow(
            comparison.run(self.jobs),
            lambda: (self.decisions or 0, f"comparing actions: {comparison.looked_at:,} decisions sampled"),
        )
        return comparison.dominated()

    def _shortened(self, findings: Sequence[Finding]) -> tuple[Found, ...]:
        """The findings, the first ones as short as possible."""
        first = list(enumerate(findings))[:MAX_SHOWN]
        shortest: list[Found] = []

        def shorten() -> Iterator[None]:
            for finding in spread(partial(_shortest, self.rules, self.into), first, self.jobs):
                shortest.append(finding)
                yield

        def note() -> tuple[int, str]:
            number = f"finding {min(len(shortest) + 1, len(first))} of {len(first)}"
            return self.decisions or 0, f"shortening {number}, Ctrl-C shows the others as they are"

        # Ctrl-C before this ends the search, and is no reason to show less of what it has found; a second one is.
        if first:
            self._follow(shorten(), note, always=True)
        return (*shortest, *(_as_found(finding) for finding in findings[len(shortest) :]))

    def _follow(self, steps: Iterator[None], note: Callable[[], tuple[int, str]], always: bool = False) -> None:
        """Take steps and show the progress that `note` says, until they are over, or the caller or Ctrl-C ends them.

        Not at all if the hunt was ended before, unless `always`.
        """
        if not always and (self.by_keyboard or self.ended_early):
            return
        try:
            self._show(*note())
            for _ in steps:
                self._show(*note())
                if self.stop() and not always:
                    self.ended_early = True
                    return
        except KeyboardInterrupt:
            self.by_keyboard = True

    def _show(self, completed: int, note: str) -> None:
        self.watch(Progress(completed, self.decisions or 0, note=note))


def _reached(explorer: Explorer) -> Counter[int]:
    """In how many runs each branch was taken; 1 for declarations that are reached as a part of them is."""
    runs_by_branch = explorer.runs_by_branch
    branches = CoveragePlayer(explorer.rules).with_derived(frozenset(runs_by_branch))
    return Counter({branch: runs_by_branch.get(branch, 1) for branch in branches})


def _unreached(coverage: Coverage) -> Iterator[Unreached]:
    """What the search has not reached of rules; values of options are chosen by the search itself."""
    for missing_parts, by_examples in ((coverage.never, False), (coverage.not_played, True)):
        for missing in missing_parts:
            if missing.subject.kind != "option":
                yield Unreached(_place(missing), _what(missing), by_examples)


def _place(missing: Missing) -> str:
    span = (missing.subject if missing.part is None else missing.part).span
    return span.location.rpartition(":")[0]


def _what(missing: Missing) -> str:
    return f"{missing.subject.kind} {missing.subject.name}".strip() + f" {description(missing)}"


# ---- each finding


def _shortest(
    rules: Rules, folder: Path | None, numbered_findings: Iterable[tuple[int, Finding]]
) -> Iterator[list[Found]]:  # fmt: skip
    """Findings with the shortest course and the example that were found for them, saved in a folder if there is one."""
    bench = Bench(rules)
    for number, finding in numbered_findings:
        game = bench.games.seated(finding.course.setting.players, finding.course.setting.options)
        short = shortened(game, finding)
        example = example_of(game, short, bench)
        save = None if folder is None else _save(game, short, folder, number + 1)
        yield [_as_found(short, example or None, save)]


def _as_found(finding: Finding, example: str | None = None, save: Path | None = None) -> Found:
    course = finding.course
    return Found(
        finding.kind, finding.location, finding.words, finding.length, course.seed, course.setting.players,
        dict(course.setting.options), example, save,
    )  # fmt: skip


def _save(game: Game, finding: Finding, folder: Path, number: int) -> Path | None:
    """Save the game that shows a finding; None if it fails during setup."""
    state, move = state_before(game, finding)
    if state is None:
        return None
    path = folder / f"{game.name}-{finding.kind.replace(' ', '-')}-{number}.json"
    with writing(path):
        replace_text(path, save_text(state, SaveMeta(dict.fromkeys(game.seats, "random"), failing=move)))
    return path
