"""A comparison as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cli.laboratory.comparing import Comparison, Difference
from cli.laboratory.conclusions import conclusions
from cli.laboratory.document import measure_data, setting_data
from cli.laboratory.report import Report


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The comparison, without failures."""
    return {
        "a": side(comparison.one),
        "b": side(comparison.other),
        "pairs": comparison.pairs,
        "same_winners": asdict(comparison.same_winners),
        "tests": comparison.tests,
        "conclusions": conclusions(comparison),
        "differences": [_difference(each) for each in comparison.differences],
        "only_a": [measure_data(measure) for measure in comparison.only_a],
        "only_b": [measure_data(measure) for measure in comparison.only_b],
    }


def side(report: Report) -> dict[str, Any]:
    """One side as plain data: its setting, and the number of finished games."""
    return {**setting_data(report.setting), "wanted": report.wanted, "games": len(report.records)}


def _difference(each: Difference) -> dict[str, Any]:
    estimate = each.estimate
    return {
        **measure_data(each.measure),
        "pairs": estimate.pairs,
        "differing": estimate.differing,
        "a": each.one,
        "b": each.other,
        "difference": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "p_value": estimate.p_value,
        "corrected_p_value": each.corrected,
        "verdict": each.verdict,
        "at_most": each.at_most,
    }
