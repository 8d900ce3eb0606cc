"""Scores predictions in memory against ground truth in memory, without a project."""

from __future__ import annotations

import importlib
import json
import re
import uuid
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
_DEFAULTS: Mapping[str, Union[str, int]] = {"rater": "rater", "criterion": "form", "present": 1}
# The columns of predictions that bench reads as the clip.
_CLIP = ("clip", "clip_name", "clip_id", "video", "video_id", "name")
# The name of a clip in a dataset folder.
_PORTABLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
_WHOLE = ("rep_count", "count", "rep", "present")
# Where a row of ground truth comes from, such as `truth[1], row 3`; no column that is written.
_PLACE = "place in the frames"
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

    Frames are of pandas, or have `to_pandas()` such as those of polars and Arrow, or Arrow's `__arrow_c_stream__` (needs
    pyarrow). A clip's name may be any text. Times are seconds, and `tolerance` is that of a rep's end or a stroke.
    `criteria` has the lowest and highest grade of each criterion, by default 0 and 100. Warns of
    clips without a prediction, which are scored as if nothing was found in them: a row with the clip alone says so.
    Raises ValueError for a frame of ground truth with other columns, for one that says two things of a clip, and if
    there is nothing to score; and BenchError with the frame and its row, from 0.
    """
    with scratch.folder() as temporary:
        folder = temporary / "datasets" / "truth"
        folder.mkdir(parents=True)
        labelled = [_pandas(frame) for frame in _list(truth)]
        frames = [_pandas(frame) for frame in _list(predictions)]
        if not frames:
            raise ValueError("expected a frame of predictions, found none")
        aliases = _aliases(labelled)
        labelled, frames = ([_renamed(frame, aliases) for frame in side] for side in (labelled, frames))
        exercises, places = _write_truth(labelled, folder, criteria)
        paths = [temporary / f"predictions-{index + 1}.csv" for index in range(len(frames))]
        for frame, path in zip(frames, paths):
            _write(frame, path)
        try:
            run = scratch.score(find_program(), temporary, "truth", exercises, paths, tolerance)
        except BenchError as error:
            found = _of_frame(error, list(map(str, paths)), places)
            raise BenchError(_unaliased(found.message, aliases), found.exit_code, found.file, found.line) from None
    run = _unaliased(run, aliases)
    silent = [clip.partition("/")[2] for one in run["predicted"] for clip in one["unpredicted"]]
    if silent:
        names = ", ".join(silent[:5]) + (", …" if len(silent) > 5 else "")
        warnings.warn(
            f"{len(silent)} of {len(run['clips'])} clips have no prediction and are scored as if nothing was found: "
            f"{names}", stacklevel=2)
    return Run(run)


def _of_frame(error: BenchError, paths: Sequence[str], places: Mapping[str, Sequence[str]]) -> BenchError:
    """The error with the frame and row in the place of a temporary file and its line.

    `places` has those of the rows of each file of ground truth.
    """
    if error.file in paths:
        frame = "predictions" if len(paths) == 1 else f"predictions[{paths.index(error.file)}]"
        row = "" if error.line is None or error.line < 2 else f", row {error.line - 2}"
        message = re.sub(r"\bon line (\d+)", lambda line: f"in row {int(line[1]) - 2}", error.message)
        return BenchError(f"{frame}{row}: {message}", error.exit_code)
    folder, _, file = (error.file or "").rpartition("/")
    if folder == "datasets/truth":
        rows = places.get(file, ())
        # The first line is the header.
        number = -1 if error.line is None else error.line - 2
        return BenchError(f"{rows[number] if 0 <= number < len(rows) else 'truth'}: {error.message}", error.exit_code)
    return error


def _aliases(frames: Sequence[pandas.DataFrame]) -> dict[str, str]:
    """A name of a file for each clip whose name cannot be one, in the names' order."""
    named = {
        name for frame in frames if list(frame.columns).count("clip") == 1
        for name in frame["clip"] if isinstance(name, str) and name.strip() and not _PORTABLE.fullmatch(name)}
    # No text of a frame contains it by chance.
    mark = uuid.uuid4().hex
    return {name: f"clip-{mark}-{number:09}" for number, name in enumerate(sorted(named))}


def _renamed(frame: pandas.DataFrame, aliases: Mapping[str, str]) -> pandas.DataFrame:
    columns = [name for name in _CLIP if list(frame.columns).count(name) == 1] if aliases else []
    return frame.assign(**{
        name: [aliases.get(value, value) if isinstance(value, str) else value for value in frame[name]]
        for name in columns})


def _unaliased(value: Any, aliases: Mapping[str, str]) -> Any:
    """A text, or parsed JSON, with the clips' own names."""
    if not aliases:
        return value
    names = {alias: name for name, alias in aliases.items()}
    mark = re.compile(f"{next(iter(names))[:-9]}[0-9]{{9}}")
    if isinstance(value, str):
        return mark.sub(lambda alias: names[alias[0]], value)
    return json.loads(mark.sub(lambda alias: json.dumps(names[alias[0]])[1:-1], json.dumps(value)))


def _list(frames: Any) -> list[Any]:
    return list(frames) if isinstance(frames, (list, tuple)) else [frames]


def _pandas(frame: Any) -> pandas.DataFrame:
    import pandas

    if isinstance(frame, pandas.DataFrame):
        return frame
    converted: pandas.DataFrame
    if hasattr(frame, "to_pandas"):
        converted = frame.to_pandas()
    elif hasattr(frame, "__arrow_c_stream__"):
        converted = importlib.import_module("pyarrow").table(frame).to_pandas()
    else:
        raise ValueError(f"expected a frame of pandas, polars or Arrow, found {type(frame).__name__}")
    return converted


def _write(frame: pandas.DataFrame, path: Path) -> None:
    """As CSV; numbers with the digits that restore them, a missing value as an empty field."""
    import pandas

    whole = {
        name: pandas.Series([_whole(value) for value in frame[name].astype(object)], index=frame.index, dtype=object)
        for name in _WHOLE if name in frame.columns}
    frame.assign(**whole).to_csv(path, index=False, lineterminator="\n")


def _whole(value: Any) -> Any:
    """2 for 2.0, which a column with missing values has, and 1 for True. Others are left for bench to refuse."""
    try:
        return int(value) if int(value) == value else value
    except (TypeError, ValueError, OverflowError):
        return value


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
) -> tuple[set[str], dict[str, list[str]]]:
    """Writes a dataset folder; returns the exercises, and by each file's name where its rows come from."""
    import pandas

    tables: dict[str, list[pandas.DataFrame]] = {}
    facts: dict[str, dict[str, Any]] = {}
    places: dict[str, list[str]] = {}
    for number, frame in enumerate(frames):
        name = "truth" if len(frames) == 1 else f"truth[{number}]"
        table = _table(frame)
        frame = frame.rename(columns={"person": "subject"})
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"{name}: expected each column once, found {_word(twice)} twice")
        frame = frame.assign(**{_PLACE: [f"{name}, row {row}" for row in range(len(frame))]})
        _add_facts(frame, facts)
        if table is None:
            continue
        if table == "reps":
            is_none = frame["start_s"].isna() & frame["end_s"].isna()
            for clip in frame.loc[is_none, "clip"]:
                facts[str(clip)].setdefault("rep_count", 0)
            frame = frame[~is_none].sort_values(["clip", "start_s"], kind="stable")
            if "rep" not in frame.columns:
                frame = frame.assign(rep=frame.groupby("clip").cumcount() + 1)
        tables.setdefault(table, []).append(frame)
    if not facts:
        raise ValueError("truth: expected at least one clip, found none")
    for table, parts in tables.items():
        whole = pandas.concat(parts)
        for column in _TABLES[table]:
            if column not in whole.columns:
                whole[column] = _DEFAULTS.get(column)
        _write(whole[["clip", *_TABLES[table]]], folder / f"{table}.csv")
        places[f"{table}.csv"] = whole[_PLACE].tolist()
    clips = [{**_FACTS, "subject": clip, "poses": "", "rep_count": None, **own} for clip, own in sorted(facts.items())]
    header = ["clip", "subject", "exercise", "view", "fps", "split", "poses", "rep_count"]
    _write(pandas.DataFrame(clips, columns=header), folder / "clips.csv")
    places["clips.csv"] = [clip[_PLACE] for clip in clips]
    named = {str(name) for frame in tables.get("grades", []) for name in frame.get("criterion", ["form"])}
    ranges = {name: (0, 100) for name in sorted(named)} if criteria is None else criteria
    listed = [{"name": name, "minimum": low, "maximum": high} for name, (low, high) in ranges.items()]
    (folder / "dataset.yaml").write_text(_MANIFEST.format(criteria=json.dumps(listed)), encoding="utf-8")
    return {str(clip["exercise"]) for clip in clips}, places


def _add_facts(frame: pandas.DataFrame, facts: dict[str, dict[str, Any]]) -> None:
    """Adds what a frame says of its clips. Raises ValueError if that is not what was said before."""
    import pandas

    columns = [name for name in ("clip", "rep_count", *_FACTS) if name in frame.columns]
    for row in frame[[*columns, _PLACE]].drop_duplicates(columns).to_dict("records"):
        clip = str(row["clip"])
        own = facts.setdefault(clip, {"clip": row["clip"], _PLACE: row[_PLACE]})
        for key in columns[1:]:
            if not pandas.isna(row[key]) and own.setdefault(key, row[key]) != row[key]:
                raise ValueError(
                    f"{row[_PLACE]}: expected one {_word(key)} of clip {clip}, found {own[key]} and {row[key]}")


def _word(column: Any) -> Any:
    """The column's name in frames."""
    return "person" if column == "subject" else column
