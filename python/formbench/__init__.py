"""Write detectors for FormBench in Python, run bench from a notebook, and read its runs as frames."""

from .commands import agreement, compare, drift, gate, leaderboard, replay, run, show, sweep, tune
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
from .evaluation import evaluate
from .player import Player
from .program import BenchError
from .results import Agreement, Comparison, Drift, Leaderboard, Replay, Run, Sweep, Tuning, Verdict, read_run
from .scoring import score

__all__ = [
    "PROTOCOL",
    "Agreement",
    "BenchError",
    "Clip",
    "Comparison",
    "Drift",
    "Frame",
    "Leaderboard",
    "Player",
    "Replay",
    "Run",
    "Sweep",
    "Tuning",
    "Verdict",
    "agreement",
    "compare",
    "cue",
    "drift",
    "evaluate",
    "fault",
    "gate",
    "grade",
    "leaderboard",
    "phase",
    "play",
    "read_run",
    "rep",
    "replay",
    "run",
    "score",
    "serve",
    "show",
    "stroke",
    "sweep",
    "tune",
]
