"""The report of a run as one page that anybody can open: charts, tables, and what they mean."""

KIND = "report"
"""What the page says of itself, so that only such a page is replaced by another one."""
