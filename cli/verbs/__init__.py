"""The verbs of the command, one file each: flags in, work done elsewhere, text or JSON out."""
