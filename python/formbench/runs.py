"""Runs of bench as pandas frames. Only the functions that make a frame import pandas."""

from __future__ import annotations

import csv
import json
import os
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import pandas

_Path = Union[str, "os.PathLike[str]"]


def _results(path: _Path) -> Any:
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    if "metrics" not in results or "clips" not in results:
        raise ValueError(f"{path}: expected the results.json of a run, found {', '.join(sorted(results)) or 'nothing'}")
    return results


def read_metrics(path: _Path) -> pandas.DataFrame:
    """One row per metric and subject: detector, metric, unit, subject, value. The subject of the overall row is empty."""
    import pandas

    rows = []
    for metric in _results(path)["metrics"]:
        head = {"detector": metric["detector"], "metric": metric["metric"], "unit": metric["unit"]}
        rows.append({**head, "subject": "", "value": metric.get("value")})
        for subject, value in sorted(metric["bySubject"].items()):
            rows.append({**head, "subject": subject, "value": value})
    return pandas.DataFrame(rows, columns=["detector", "metric", "unit", "subject", "value"])


def read_clips(path: _Path) -> pandas.DataFrame:
    """One row per clip and detector: clip, dataset, subject, detector, count, true_count."""
    import pandas

    rows = [
        {
            "clip": clip["name"],
            "dataset": clip["dataset"],
            "subject": clip["subject"],
            "detector": detector,
            "count": outcome.get("count"),
            "true_count": clip.get("trueCount"),
        }
        for clip in _results(path)["clips"]
        for detector, outcome in sorted(clip["outcomes"].items())
    ]
    return pandas.DataFrame(rows, columns=["clip", "dataset", "subject", "detector", "count", "true_count"])


def write_reps(frame: pandas.DataFrame, path: _Path) -> None:
    """Writes a frame with the columns clip, start_s and end_s for `bench score`; a clip without reps has a row without times."""
    missing = [column for column in ("clip", "start_s", "end_s") if column not in frame.columns]
    if missing:
        raise ValueError(f"expected the columns clip, start_s and end_s, found none called {', '.join(missing)}")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["clip", "start_s", "end_s"])
        for row in frame.itertuples():
            times = ["" if value is None or value != value else value for value in (row.start_s, row.end_s)]
            writer.writerow([row.clip, *times])
