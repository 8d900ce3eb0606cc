"""A project of its own for predictions that bench scores: a dataset and a suite in a folder that is deleted."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .program import call_json, options

# The suite must pin a content; --dataset replaces it. The predictions replace the detector.
_SUITE = """suite: predictions
version: 1
datasets: [{{ name: {dataset}, content: "sha256:{content}" }}]
exercises: {exercises}
detectors: [{{ name: exercise-squat }}]
matching: {{ instant: end, tolerance_s: {tolerance} }}
camera: {{ fps: 30, estimator_ms: 0 }}
metrics: [{{ detector: exercise-squat, metric: count.exact }}]
"""


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder, deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="formbench-") as path:
        yield Path(path)


def score(
    project: Path, dataset: str, exercises: Iterable[str], predictions: Sequence[Path], tolerance: float
) -> Any:
    """The results.json of predictions for `project/datasets/DATASET`."""
    text = _SUITE.format(
        dataset=json.dumps(dataset), content="0" * 64, exercises=json.dumps(sorted(exercises)), tolerance=tolerance)
    suites = project / "datasets" / "suites"
    suites.mkdir(parents=True)
    (suites / "predictions.yaml").write_text(text, encoding="utf-8")
    words = options(suite="predictions", dataset=dataset)
    return call_json(["score", *words, "--predictions", *map(str, predictions)], project)
