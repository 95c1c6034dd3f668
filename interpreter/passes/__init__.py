"""Passes: what makes a module smaller or faster and changes nothing that anybody can observe, one idea a file."""
