"""The language service: functions over texts that say what an editor shows about them.

It knows no protocol and opens no file but through the `Files` it is given. `analysis.py` reads a game; everything else
answers questions about what was read.
"""
