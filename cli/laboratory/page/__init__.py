"""A report as one self-contained page for any browser: charts, tables, and what they mean."""

KIND = "report"
"""The mark by which a page is recognised as a report; only such a page is ever overwritten."""
