"""A comparison as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cli.laboratory.comparing import Comparison, Difference
from cli.laboratory.document import head, named
from cli.laboratory.report import Report


def comparison_document(found: Comparison) -> dict[str, Any]:
    """The comparison, without failures."""
    return {
        "a": side(found.one),
        "b": side(found.other),
        "pairs": found.pairs,
        "same_winners": asdict(found.same_winners),
        "tests": found.tests,
        "differences": [_difference(each) for each in found.differences],
        "only_a": [named(measure) for measure in found.only_one],
        "only_b": [named(measure) for measure in found.only_other],
    }


def side(report: Report) -> dict[str, Any]:
    """What one run is of, and how many of its games are over."""
    return {**head(report.setting), "wanted": report.wanted, "games": len(report.records)}


def _difference(each: Difference) -> dict[str, Any]:
    found = each.found
    return {
        **named(each.measure),
        "pairs": found.pairs,
        "differing": found.differing,
        "a": each.one,
        "b": each.other,
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "p_value": found.p_value,
        "corrected_p_value": each.corrected,
        "verdict": each.verdict,
        "at_most": each.at_most,
    }
