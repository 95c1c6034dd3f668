"""A comparison as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from interpreter.laboratory.comparing import Comparison, Difference
from interpreter.laboratory.conclusions import conclusions
from interpreter.laboratory.document import measure_data, setting_data
from interpreter.laboratory.report import Report


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The comparison, without failures."""
    return {
        "a": side(comparison.report_a),
        "b": side(comparison.report_b),
        "pairs": comparison.pairs,
        "same_winners": asdict(comparison.same_winners),
        "tests": comparison.tests,
        "conclusions": conclusions(comparison),
        "differences": [_difference(difference) for difference in comparison.differences],
        "only_a": [measure_data(measure) for measure in comparison.only_a],
        "only_b": [measure_data(measure) for measure in comparison.only_b],
    }


def side(report: Report) -> dict[str, Any]:
    """One side as plain data: its setting, and the number of finished games."""
    return {**setting_data(report.setting), "wanted": report.requested, "games": len(report.records)}


def _difference(difference: Difference) -> dict[str, Any]:
    estimate = difference.estimate
    return {
        **measure_data(difference.measure),
        "pairs": estimate.pairs,
        "differing": estimate.differing,
        "a": difference.mean_a,
        "b": difference.mean_b,
        "difference": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "p_value": estimate.p_value,
        "corrected_p_value": difference.corrected,
        "verdict": difference.verdict,
        "at_most": difference.at_most,
    }
