"""Scores predictions in memory against ground truth in memory, without a project."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import scratch
from .program import BenchError, find_program
from .results import Run

if TYPE_CHECKING:
    import pandas

# The columns of each table of ground truth besides the clip.
_TABLES = {
    "grades": ["rep", "rater", "criterion", "grade"],
    "faults": ["rep", "rater", "fault", "present"],
    "events": ["time_s", "label"],
    "intervals": ["start_s", "end_s", "label"],
    "reps": ["rep", "start_s", "end_s", "turn_s"],
}
# The columns by which a frame is one of these tables, in this order.
_KEYS = {
    "grades": {"grade"}, "faults": {"fault"}, "events": {"time_s", "label"},
    "intervals": {"start_s", "end_s", "label"}, "reps": {"start_s", "end_s"},
}
_DEFAULTS = {"rater": "rater", "criterion": "form", "present": 1}
_WHOLE = ("rep_count", "count", "rep", "present")
_FACTS = {"subject": None, "exercise": "exercise", "view": "", "fps": 30, "split": "test"}
_MANIFEST = """name: truth
version: "1"
licence: n/a
source: frames in memory
origin: recorded
skeleton: coco-17
coordinates: {{ unit: image, aspect: 1, y_axis: down, channels: [x, y, confidence] }}
criteria: {criteria}
"""


def score(
    truth: Union[Any, Sequence[Any]], predictions: Union[Any, Sequence[Any]], *, tolerance: float = 0.5,
    criteria: Optional[Mapping[str, tuple[float, float]]] = None,
) -> Run:
    """Scores predictions by the numbers of `bench score`. Both arguments are a frame or several.

    A frame of ground truth has one of:

    - `clip,rep_count`
    - `clip,start_s,end_s[,turn_s][,rep]`: reps; a row without times is a clip without reps
    - `clip,grade[,rep][,rater][,criterion]`: of a rep or, without one, of the clip
    - `clip,fault[,present][,rep][,rater]`: likewise
    - `clip,time_s,label`: events
    - `clip,start_s,end_s,label`: intervals

    Its columns `person`, `exercise`, `view` and `fps` describe the clip; without `person` each clip is a person of its
    own, and intervals are too narrow if one person has several. Predictions have the columns of `bench score --help`.

    Frames are of pandas, or have `to_pandas()` such as those of polars and Arrow. Times are seconds, and `tolerance` is
    that of a rep's end or a stroke. `criteria` has the lowest and highest grade of each criterion, by default 0 and
    100. Warns of clips without a prediction, which are scored as if nothing was found in them: a row with the clip alone
    says so. Raises ValueError for a frame of ground truth with other columns, and BenchError with the frame and its row,
    from 0.
    """
    with scratch.folder() as temporary:
        folder = temporary / "datasets" / "truth"
        folder.mkdir(parents=True)
        exercises = _write_truth([_pandas(frame) for frame in _list(truth)], folder, criteria)
        frames = [_pandas(frame) for frame in _list(predictions)]
        paths = [temporary / f"predictions-{index + 1}.csv" for index in range(len(frames))]
        for frame, path in zip(frames, paths):
            _write(frame, path)
        try:
            run = scratch.score(find_program(), temporary, "truth", exercises, paths, tolerance)
        except BenchError as error:
            raise _of_frame(error, list(map(str, paths))) from None
    silent = [clip.partition("/")[2] for one in run["predicted"] for clip in one["unpredicted"]]
    if silent:
        names = ", ".join(silent[:5]) + (", …" if len(silent) > 5 else "")
        warnings.warn(
            f"{len(silent)} of {len(run['clips'])} clips have no prediction and are scored as if nothing was found: "
            f"{names}", stacklevel=2)
    return Run(run)


def _of_frame(error: BenchError, paths: Sequence[str]) -> BenchError:
    """The error with the frame and row in the place of a temporary file and its line."""
    if error.file in paths:
        frame = "predictions" if len(paths) == 1 else f"predictions[{paths.index(error.file)}]"
        row = "" if error.line is None or error.line < 2 else f", row {error.line - 2}"
        return BenchError(f"{frame}{row}: {error.message}", error.exit_code)
    if error.file is not None and error.file.startswith("datasets/truth/"):
        return BenchError(f"truth: {error.message}", error.exit_code)
    return error


def _list(frames: Any) -> list[Any]:
    return list(frames) if isinstance(frames, (list, tuple)) else [frames]


def _pandas(frame: Any) -> pandas.DataFrame:
    import pandas

    if isinstance(frame, pandas.DataFrame):
        return frame
    if not hasattr(frame, "to_pandas"):
        raise ValueError(f"expected a frame of pandas, polars or Arrow, found {type(frame).__name__}")
    converted: pandas.DataFrame = frame.to_pandas()
    return converted


def _write(frame: pandas.DataFrame, path: Path) -> None:
    """As CSV; numbers with the digits that restore them, a missing value as an empty field."""
    whole = {name: "Int64" for name in _WHOLE if name in frame.columns}
    frame.astype(whole).to_csv(path, index=False, lineterminator="\n")


def _table(frame: pandas.DataFrame) -> Optional[str]:
    """The table that a frame's columns make, None for counts of clips. Raises ValueError."""
    columns = set(frame.columns)
    if "clip" in columns:
        for table, keys in _KEYS.items():
            if keys <= columns:
                return table
        if "rep_count" in columns:
            return None
    raise ValueError(
        "expected ground truth with clip and rep_count, start_s and end_s, grade, fault, or label with time_s; found "
        f"{', '.join(map(str, frame.columns)) or 'no columns'}")


def _write_truth(
    frames: Sequence[pandas.DataFrame], folder: Path, criteria: Optional[Mapping[str, tuple[float, float]]]
) -> set[str]:
    """Writes a dataset folder; returns the exercises."""
    import pandas

    tables: dict[str, list[pandas.DataFrame]] = {}
    facts: dict[str, dict[str, Any]] = {}
    for frame in frames:
        table = _table(frame)
        frame = frame.rename(columns={"person": "subject"})
        for row in frame[[name for name in ("clip", "rep_count", *_FACTS) if name in frame.columns]].to_dict("records"):
            facts.setdefault(str(row["clip"]), {}).update(
                {str(key): value for key, value in row.items() if not pandas.isna(value)})
        if table is None:
            continue
        if table == "reps":
            for clip in frame.loc[frame["start_s"].isna(), "clip"]:
                facts[str(clip)].setdefault("rep_count", 0)
            frame = frame[frame["start_s"].notna()].sort_values(["clip", "start_s"], kind="stable")
            if "rep" not in frame.columns:
                frame = frame.assign(rep=frame.groupby("clip").cumcount() + 1)
        tables.setdefault(table, []).append(frame)
    for table, parts in tables.items():
        whole = pandas.concat(parts)
        for name in _TABLES[table]:
            if name not in whole.columns:
                whole[name] = _DEFAULTS.get(name)
        _write(whole[["clip", *_TABLES[table]]], folder / f"{table}.csv")
    clips = [{**_FACTS, "subject": clip, "poses": "", "rep_count": None, **own} for clip, own in sorted(facts.items())]
    header = ["clip", "subject", "exercise", "view", "fps", "split", "poses", "rep_count"]
    _write(pandas.DataFrame(clips, columns=header), folder / "clips.csv")
    named = {str(name) for frame in tables.get("grades", []) for name in frame.get("criterion", ["form"])}
    ranges = {name: (0, 100) for name in sorted(named)} if criteria is None else criteria
    listed = [{"name": name, "minimum": low, "maximum": high} for name, (low, high) in ranges.items()]
    (folder / "dataset.yaml").write_text(_MANIFEST.format(criteria=json.dumps(listed)), encoding="utf-8")
    return {str(clip["exercise"]) for clip in clips}
