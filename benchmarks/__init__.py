"""Measurements: `python3 run.py bench` prints a table. How to read it: docs/performance.md."""
