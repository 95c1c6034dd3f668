"""The list of common mistakes: every entry has an example that it matches and corrects, and names what there is.

That the examples are reported in whole files is tested with the files of `newcomer_mistakes` and others.
"""

from __future__ import annotations

import pytest

from dsl.syntax import terminals
from dsl.syntax.common_mistakes import CONDITIONS, REWRITES, Mistake, common_mistakes

ALWAYS = [
    mistake
    for mistake in common_mistakes()
    if not (mistake.expected or mistake.not_expected or mistake.only_expected or mistake.found or mistake.when)
    and not mistake.at_error
]
"""Those that are reported wherever parsing stopped in their line."""


@pytest.mark.parametrize("mistake", common_mistakes(), ids=lambda mistake: mistake.example)
def test_an_entry_matches_its_example_and_corrects_it(mistake: Mistake) -> None:
    match = mistake.match(mistake.example)
    assert match is not None
    assert (mistake.correction(match) or "") == mistake.becomes
    assert mistake.becomes or mistake.help, "nothing says what to do"
    assert mistake.becomes != mistake.example


@pytest.mark.parametrize("mistake", common_mistakes(), ids=lambda mistake: mistake.example)
def test_no_entry_before_takes_the_example(mistake: Mistake) -> None:
    earlier = common_mistakes()[: common_mistakes().index(mistake)]
    assert not [entry.pattern for entry in earlier if entry in ALWAYS and entry.match(mistake.example)]


def test_entries_name_functions_and_terminals_that_there_are() -> None:
    used = {mistake.rewrite for mistake in common_mistakes()} - {""}
    conditions = {mistake.when for mistake in common_mistakes()} - {""}
    assert used == set(REWRITES)
    assert conditions == set(CONDITIONS)
    named = {
        name
        for mistake in common_mistakes()
        for name in mistake.expected | mistake.not_expected | mistake.only_expected
    }
    assert named <= {"LPAR", "COLON", "COMMA", *terminals.spellings()}
