"""What passes did and why not: one finding for each subject, in the order of the rules."""

from __future__ import annotations

from interpreter.compiler.passes.record import Finding, PassRecord, PassRecords, findings
from tests.interpreter.tiny_module import line


def found(records: PassRecords) -> list[tuple[str, list[tuple[str, bool, str]]]]:
    """Subjects with what is said about them."""
    return [
        (finding.subject, [(each.name, each.applied, each.reason) for each in finding.records])
        for finding in findings(records.entries)
    ]


def test_nothing_is_found_where_nothing_was_recorded() -> None:
    assert findings([]) == []


def test_records_say_what_was_done_and_why_not() -> None:
    records, node = PassRecords(), line(3)
    records.applied("folding", "rule a", node)
    records.applied("inlining", "define b", None, "in one place")
    records.refused("inlining", "define c", node, "too large")
    assert records.entries == [
        PassRecord("folding", "rule a", node, True, ""),
        PassRecord("inlining", "define b", None, True, "in one place"),
        PassRecord("inlining", "define c", node, False, "too large"),
    ]


def test_where_a_pass_applied_in_part_both_are_told_once() -> None:
    records = PassRecords()
    records.refused("hoisting", "rule a", line(1), "first")
    records.applied("hoisting", "rule a", line(1), "there")
    records.applied("hoisting", "rule a", line(1), "there as well")
    records.refused("hoisting", "rule a", line(1), "second")
    assert found(records) == [("rule a", [("hoisting", True, "there"), ("hoisting", False, "first")])]


def test_only_the_first_reason_for_a_failure_is_reported() -> None:
    records = PassRecords()
    records.refused("hoisting", "rule a", line(1), "first")
    records.refused("hoisting", "rule a", line(1), "second")
    assert found(records) == [("rule a", [("hoisting", False, "first")])]


def test_passes_stand_in_the_order_in_which_they_ran() -> None:
    records = PassRecords()
    records.refused("folding", "rule a", line(1), "no")
    records.applied("hoisting", "rule a", line(1))
    records.applied("folding", "rule a", line(1))
    assert found(records) == [("rule a", [("folding", True, ""), ("folding", False, "no"), ("hoisting", True, "")])]


def test_subjects_stand_in_the_order_of_the_rules_and_others_last() -> None:
    records = PassRecords()
    records.applied("folding", "nowhere", None)
    records.applied("folding", "later", line(20))
    records.applied("folding", "earlier", line(2))
    records.applied("hoisting", "later", line(1))
    assert [subject for subject, _ in found(records)] == ["earlier", "later", "nowhere"]


def test_a_subject_is_located_by_the_first_record_that_knows() -> None:
    records, node = PassRecords(), line(7)
    records.applied("folding", "rule a", None)
    records.applied("hoisting", "rule a", node)
    records.applied("inlining", "rule a", line(9))
    (finding,) = findings(records.entries)
    assert isinstance(finding, Finding) and finding.source is node
    assert [each.name for each in finding.records] == ["folding", "hoisting", "inlining"]
