"""A project of its own for predictions that bench scores: a dataset and a suite in a folder that is deleted."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .program import call_json, options

# The suite must pin a content, which --dataset replaces, and name a metric for each kind of predictions: these replace
# the detectors, and are scored on all metrics of their kind.
_SUITE = """suite: predictions
version: 1
datasets: [{{ name: {dataset}, content: "sha256:{content}" }}]
exercises: {exercises}
detectors: [{{ name: exercise-squat }}, {{ name: swing-peaks }}, {{ name: exercise-plank }}]
matching: {{ instant: end, tolerance_s: {tolerance} }}
camera: {{ fps: 30, estimator_ms: 0 }}
metrics:
- {{ detector: exercise-squat, metric: count.exact }}
- {{ detector: exercise-squat, metric: grades.mae }}
- {{ detector: exercise-squat, metric: faults.any.f1 }}
- {{ detector: swing-peaks, metric: strokes.f1 }}
- {{ detector: exercise-plank, metric: segments.f1-50 }}
"""


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder, deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="formbench-") as path:
        yield Path(path)


def score(
    program: str, project: Path, dataset: str, exercises: Iterable[str], predictions: Sequence[Path], tolerance: float
) -> Any:
    """The results.json of predictions for `project/datasets/DATASET`. `program` is the path of bench.

    Raises ValueError for a tolerance below 0, and BenchError.
    """
    if not 0 <= tolerance < math.inf:
        raise ValueError(f"expected a tolerance in seconds from 0, found {tolerance}")
    text = _SUITE.format(
        dataset=json.dumps(dataset), content="0" * 64, exercises=json.dumps(sorted(exercises)), tolerance=tolerance)
    suites = project / "datasets" / "suites"
    suites.mkdir(parents=True)
    (suites / "predictions.yaml").write_text(text, encoding="utf-8")
    words = options(suite="predictions", dataset=dataset)
    return call_json(["score", *words, "--predictions", *map(str, predictions)], project, program=program)
