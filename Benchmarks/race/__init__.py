"""Races bench against what a Python user would write instead: `python -m race --help`, or scripts/benchmark race."""
