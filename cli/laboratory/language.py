"""Results with display names, for people, or with the names of the rules, for programs."""

from __future__ import annotations

from dataclasses import replace

from cli.laboratory.comparing import Comparison, compare
from cli.laboratory.report import Report, report_of
from cli.laboratory.sweeping import Sweep, selected, with_same_winners


def worded(result: Report | Sweep | Comparison) -> Report | Sweep | Comparison:
    """The same result with display names."""
    match result:
        case Report():
            return report_in(result, plain=False)
        case Comparison():
            return compare(report_in(result.report_a, plain=False), report_in(result.report_b, plain=False))
        case Sweep():
            reports = with_same_winners([report_in(report, plain=False) for report in result.reports])
            keys = [measure.key for measure in result.measures]
            return Sweep(result.choices, reports, selected(reports, keys) if keys else ())


def report_in(report: Report, *, plain: bool) -> Report:
    """The same report with display names or, if `plain`, with the names of the rules."""
    if report.setting.plain == plain:
        return report
    setting = replace(report.setting, plain=plain)
    return replace(report_of(setting, report.records, report.failed, report.requested), skill=report.skill)
