"""Write detectors for FormBench in Python, and read its runs."""

from .detector import (
    PROTOCOL,
    Clip,
    Frame,
    cue,
    fault,
    grade,
    phase,
    play,
    rep,
    serve,
    stroke,
)
from .runs import read_clips, read_metrics, write_reps

__all__ = [
    "PROTOCOL",
    "Clip",
    "Frame",
    "cue",
    "fault",
    "grade",
    "phase",
    "play",
    "read_clips",
    "read_metrics",
    "rep",
    "serve",
    "stroke",
    "write_reps",
]
