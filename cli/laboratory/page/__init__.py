"""The report of a run as one page that anybody can open: charts, tables, and what they mean."""
