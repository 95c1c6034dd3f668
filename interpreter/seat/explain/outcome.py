"""The outcome of a game: who wins, the places of all seats, and the explanation of every number."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import REASON, Cells, Content, Journal, JournalEntry, number_in
from interpreter.runtime.layout import acting_as
from interpreter.runtime.ranking import leaders, places
from interpreter.seat.explain.breakdown import Explanation, explain, score_reasons_of
from interpreter.seat.explain.evaluator import NOTHING, SeatEvaluator
from interpreter.seat.redaction import HiddenValueError
from interpreter.wording.phrases import Phrase


@dataclass(frozen=True)
class Outcome:
    """The result of a game; there may be no winners.

    `scores` has one number per seat and criterion; for a condition it is 1 if the seat meets it, else 0. `places` are
    the places of all seats, the best first: 1, 2, 2, 4. `teams` has the team of each seat that is in one. The last
    three are for explanations.
    """

    winners: tuple[str, ...]
    scores: dict[str, tuple[int, ...]]
    reason: str
    criteria: tuple[str, ...]
    places: dict[str, int]
    teams: dict[str, str]
    program: Program = field(repr=False, compare=False)
    cells: tuple[Content, ...] = field(repr=False, compare=False)
    reasons: tuple[JournalEntry, ...] = field(repr=False, compare=False)

    @cached_property
    def explained(self) -> dict[str, tuple[Explanation, ...]]:
        """For each seat the explanations of its numbers; computed on first use."""
        assert self.program.model.winner is not None
        reasons = score_reasons_of(self.program, Cells(self.cells), self.reasons)
        explanations: dict[str, tuple[Explanation, ...]] = {}
        for index, seat in enumerate(self.program.layout.seats):
            cells = acting_as(Cells(self.cells), index)
            criteria = self.program.model.winner.criteria
            explanations[seat] = tuple(
                explain(self.program, cells, criterion.value, score_reasons=reasons) for criterion in criteria
            )
        return explanations


def winners_of(program: Program, state: Cells) -> tuple[int, ...]:
    """The seats that win if the game is over now: a tie after the last criterion is shared."""
    return leaders(program.ranks(state, program.criteria_of_all(state)))


def outcome_of(program: Program, state: Cells, journal: Journal | None = None) -> Outcome:
    """Compute the outcome as if the game ended now; with the journal, score reasons explain the numbers.

    Raises PlayError if a criterion of `winner` fails.
    """
    seats = program.layout.seats
    winner = program.model.winner
    assert winner is not None
    signs = [-1 if criterion.direction == "lowest" else 1 for criterion in winner.criteria]
    evaluated = program.criteria_of_all(state)
    ranks = program.ranks(state, evaluated)
    scores = {
        seat: tuple(sign * number for sign, number in zip(signs, numbers, strict=True))
        for seat, numbers in zip(seats, evaluated, strict=True)
    }
    won = leaders(ranks)
    criteria = tuple(criterion_words(program, criterion) for criterion in winner.criteria)
    words = program.words
    unmet = [criteria[number] for number in program.conditions if not all(numbers[number] for numbers in evaluated)]
    order, result = words.phrase(", then ").join(criteria), verdict(program, state, won)
    reason = (
        words.phrase("{result}: {criteria}", result=result, criteria=order)
        if won
        else words.phrase("{result}; not met: {criteria}", result=result, criteria=", ".join(unmet))
    )
    reasons = tuple(entry for entry in journal or () if entry[0] == REASON)
    place_of = dict(sorted(zip(seats, places(ranks), strict=True), key=lambda pair: pair[1]))
    names = tuple(seats[seat] for seat in won)
    return Outcome(names, scores, reason, criteria, place_of, _teams(program, state), program, tuple(state), reasons)


def criterion_words(program: Program, criterion: ast.Criterion) -> str:
    """A criterion in the words of the game, or as written in the rules."""
    if program.words.is_plain or not criterion.words:
        return criterion.text
    return program.words.text(criterion.words)


def _teams(program: Program, state: Cells) -> dict[str, str]:
    """The names of the teams of the seats that are in one."""
    named = zip(program.layout.seats, map(program.team_name, program.teams(state)), strict=False)
    return {seat: team for seat, team in named if team is not None}


VERDICTS = (
    Phrase("everyone wins"), Phrase("everyone loses"), Phrase("nobody wins"), Phrase("{names} share the win"),
    Phrase("{names} wins"), Phrase("{seat} loses"), Phrase("{names} and {last}"),
)  # fmt: skip
"""What `verdict` may say, and how it joins names."""


def verdict(program: Program, state: Cells, won: tuple[int, ...]) -> str:
    """Who wins, in words: `ann wins`, `ann and ben share the win`, `attackers (ann and ben) wins`, `everyone loses`."""
    phrase = program.words.phrase
    if not won:
        return in_brief(program, state, won)
    if _is_won_by_all(program, won):
        return phrase("everyone wins")
    sides = _sides(program, state, won)
    names = program.words.both(sides)
    return phrase("{names} wins", names=names) if len(sides) == 1 else phrase("{names} share the win", names=names)


def _sides(program: Program, state: Cells, won: tuple[int, ...]) -> list[str]:
    """The teams that win with their seats, and the seats that win alone."""
    winners = [program.words.name(program.layout.seats[seat]) for seat in won]
    teams = {program.words.name(seat): program.words.name(team) for seat, team in _teams(program, state).items()}
    seats_of: dict[str, list[str]] = {}
    for seat in winners:
        seats_of.setdefault(f"team {teams[seat]}" if seat in teams else seat, []).append(seat)
    return [
        f"{teams[seats[0]]} ({program.words.both(seats)})" if seats[0] in teams else side
        for side, seats in seats_of.items()
    ]


def in_brief(program: Program, state: Cells, won: tuple[int, ...]) -> str:
    """The names of the winners, or in words that nobody, or everyone, wins."""
    phrase, seats = program.words.phrase, program.layout.seats
    if won and _is_won_by_all(program, won):
        return phrase("everyone")
    if won:
        return program.words.both(_sides(program, state, won))
    if len(seats) == 1:
        return phrase("{seat} loses", seat=program.words.name(seats[0]))
    return phrase("everyone loses") if _lost_by_all(program, state) else phrase("nobody wins")


def _is_won_by_all(program: Program, won: tuple[int, ...]) -> bool:
    """True if all of several seats win by meeting a condition, or by what is the same for all."""
    assert program.model.winner is not None
    if not 1 < len(won) == len(program.layout.seats):
        return False
    return bool(program.conditions) or all(map(program.is_same_for_all, program.model.winner.criteria))


def _lost_by_all(program: Program, state: Cells) -> bool:
    """True if a condition that is the same for all seats is not met."""
    assert program.model.winner is not None
    met = program.criteria(state, 0)
    criteria = program.model.winner.criteria
    return any(not met[number] and program.is_same_for_all(criteria[number]) for number in program.conditions)


# ---- Scores while the game goes on: the number that will decide first, as far as a seat may know it


def score_criterion(program: Program) -> ast.Criterion | None:
    """The first criterion of `winner` that is a number and not a condition."""
    winner = program.model.winner
    return (
        next((criterion for criterion in winner.criteria if not criterion.is_condition), None)
        if winner is not None
        else None
    )


def scores_now(program: Program, state: Cells, observer: int | None) -> tuple[int | None, ...]:
    """This number for every seat in a state; None where the observer may not know it, or where it has no value."""
    criterion = score_criterion(program)
    if criterion is None:
        return ()
    evaluator, scores = SeatEvaluator(program, observer), list[int | None]()
    for seat in range(len(program.layout.seats)):
        try:
            value = evaluator.value(criterion.value, NOTHING, acting_as(state, seat))
            scores.append(None if value is None else int(number_in(value)))
        except (HiddenValueError, PlayError):
            scores.append(None)
    return tuple(scores)
