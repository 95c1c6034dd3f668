"""The verbs of the command, one file each: flags in, text or JSON out; the work is done elsewhere."""
