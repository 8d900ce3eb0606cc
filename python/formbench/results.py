"""What bench printed, as pandas frames. Statistics are bench's own: nothing is computed here but columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from .columns import COUNT, FLAG, NUMBER, TABLES, TEXT, types
from .program import PathLike

if TYPE_CHECKING:
    import pandas

_METRIC = {"metric": TEXT, "detector": TEXT}
_RANGE = {"value": NUMBER, "lower": NUMBER, "upper": NUMBER}
_KIND = {"direction": TEXT, "unit": TEXT}
_CLIP = {"clip": TEXT, "dataset": TEXT}
_SIZE = {"people": COUNT, "clips": COUNT}
_MOMENT = {"time_s": NUMBER, "value": NUMBER}


def frame(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> pandas.DataFrame:
    """A frame with these columns and types, also without rows; a missing value is NA."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("expected pandas for frames, found none; install it with: pip install pandas") from error
    return pandas.DataFrame(list(rows), columns=list(columns)).astype(dict(columns))


def _range(found: Mapping[str, Any], interval: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    interval = interval or {}
    return {"value": found.get("value"), "lower": interval.get("low"), "upper": interval.get("high")}


class Result:
    """What a command printed. `json` is all of it, parsed.

    The properties are pandas frames, which need pandas: ImportError says so. Each access makes a new frame, so keep it
    in a variable to change it.
    """

    def __init__(self, json: Any) -> None:
        self.json = json

    def _shown(self) -> pandas.DataFrame:
        """The frame that a notebook displays."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<formbench {type(self).__name__}>"

    def _repr_html_(self) -> str:
        return str(self._shown().to_html(max_rows=20))


class Scores(Result):
    """A result whose main frame is `metrics`."""

    @property
    def metrics(self) -> pandas.DataFrame:
        raise NotImplementedError

    def _shown(self) -> pandas.DataFrame:
        return self.metrics


class Run(Scores):
    """A run of a suite, from its results.json: docs/results.schema.json. The columns are explained in formbench.columns."""

    def __init__(self, json: Any, signals: Optional[pandas.DataFrame] = None) -> None:
        super().__init__(json)
        self._signals = signals

    def to_parquet(self, folder: PathLike) -> None:
        """Writes all frames as `folder/metrics.parquet`, `people`, `clips`, `reps`, `grades` and `signals`.

        Each field has its unit and meaning as metadata, each file the run's `suite`, `suite_version` and `bench`
        version. The folder is made if it is missing, and the files of another run in it are replaced. A file without
        rows has its columns too. Needs pandas and pyarrow: ImportError says which is missing.
        """
        # Only Parquet needs pyarrow.
        from . import parquet

        facts = {"suite": "suite", "suite_version": "suiteVersion", "bench": "bench"}
        metadata = {name: str(self.json[key]) for name, key in facts.items() if key in self.json}
        empty = frame((), types("signals")) if self._signals is None else self._signals
        for table in TABLES:
            parquet.write_table(
                empty if table == "signals" else getattr(self, table), table, Path(folder, f"{table}.parquet"), metadata)

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a metric and detector; `lower` to `upper` is the 95 % interval over people, `people` who have a value."""
        rows = (
            {**_named(m), **_range(m, m.get("interval")), "people": _defined(m), "is_listed": m["isListed"]}
            for m in self.json["metrics"])
        return frame(rows, types("metrics"))

    @property
    def people(self) -> pandas.DataFrame:
        """One row a metric, detector and person; `value` is NA where it is undefined."""
        rows = (
            {**_named(m), "person": person, "value": value}
            for m in self.json["metrics"] for person, value in m["bySubject"].items())
        return frame(rows, types("people"))

    @property
    def clips(self) -> pandas.DataFrame:
        """One row a clip and detector. `missed` and `false` are numbers of reps; NA without the times of reps."""
        rows = (
            {
                **head, **{key: clip.get(key) for key in ("exercise", "view", "fps", "frames")},
                "duration_s": clip.get("duration"), "count": found.get("count"), "true_count": clip.get("trueCount"),
                "missed": len(found.get("missed", [])) if _is_matched(clip, found) else None,
                "false": sum("matches" not in rep for rep in found["reps"]) if _is_matched(clip, found) else None,
            }
            for clip, head, found in self._outcomes())
        return frame(rows, types("clips"))

    @property
    def reps(self) -> pandas.DataFrame:
        """One row a predicted or missed rep: `outcome` is matched, missed or false, `rep` the number of the true one.

        `outcome` is NA where the clip's true reps have no times. Of a detector of strokes there are the missed strokes.
        Times are seconds of the recording; `true_…` are those of the ground truth.
        """
        return frame(self._reps(), types("reps"))

    @property
    def grades(self) -> pandas.DataFrame:
        """One row a rep, detector and rater: `grade` is the rater's, `predicted` the detector's.

        `rep` is NA for grades of a whole clip.
        """
        rows = (
            {
                **head, "rep": rep["rep"] + 1 if "rep" in rep else None, "predicted": rep.get("predicted"),
                "rater": rater, "grade": grade,
            }
            for _, head, found in self._outcomes() for rep in found.get("graded", [])
            for rater, grade in rep["ratings"].items())
        return frame(rows, types("grades"))

    @property
    def signals(self) -> pandas.DataFrame:
        """One row a frame and signal, of a detector in Python: see `evaluate`. Raises AttributeError for other runs."""
        if self._signals is None:
            raise AttributeError("a run keeps no signals; formbench.replay(clip) has those of one clip")
        return self._signals

    def _outcomes(self) -> Iterable[tuple[Any, dict[str, Any], Any]]:
        """Each clip with the columns that name it and its person, and what a detector found in it."""
        for clip in self.json["clips"]:
            # As in bySubject.
            person = f"{clip.get('people', clip['dataset'])}/{clip['subject']}"
            for detector, found in sorted(clip["outcomes"].items()):
                head = {"clip": clip["name"], "dataset": clip["dataset"], "person": person, "detector": detector}
                yield clip, head, found

    def _reps(self) -> Iterable[dict[str, Any]]:
        for clip, head, found in self._outcomes():
            truth = clip.get("trueReps", [])
            for rep in found.get("reps", []):
                match = rep.get("matches")
                row = {**head, **_seconds(rep["rep"]), "reported_s": rep.get("reported")}
                if _is_matched(clip, found):
                    row["outcome"] = "false"
                if match is not None:
                    row.update(_seconds(truth[match], "true_"), outcome="matched", rep=match + 1)
                yield {**row, "reason": rep.get("reason", {}).get("words")}
            for miss in found.get("missed", []):
                # Of a detector without reps these are strokes, numbered among the strokes.
                truly = _seconds(truth[miss["rep"]] if "reps" in found else miss, "true_")
                reason = miss.get("reason", {}).get("words")
                yield {**head, **truly, "outcome": "missed", "rep": miss["rep"] + 1, "reason": reason}

    def __repr__(self) -> str:
        return f"<formbench Run of {self.json['suite']}: {len(self.json['clips'])} clips>"


class Replay(Result):
    """One clip with one detector, as `bench replay --json` prints it."""

    @property
    def signals(self) -> pandas.DataFrame:
        """One row a time and signal, the one that decides first. `value` is NA where a joint was missing."""
        rows = (
            {"signal": signal["name"], "unit": signal["unit"], "time_s": time, "value": value}
            for signal in self.json["signals"] for time, value in zip(signal["times"], signal["values"]))
        return frame(rows, {"signal": TEXT, "unit": TEXT, **_MOMENT})

    @property
    def thresholds(self) -> pandas.DataFrame:
        """One row a threshold of a signal; for one that follows its signal, one row a time, NA while there is none."""
        rows = (
            {"signal": signal["name"], "threshold": level["name"], "time_s": time, "value": value}
            for signal in self.json["signals"] for level in signal["thresholds"]
            for time, value in (zip(signal["times"], level["values"]) if "values" in level else [(None, level["value"])]))
        return frame(rows, {"signal": TEXT, "threshold": TEXT, **_MOMENT})

    @property
    def events(self) -> pandas.DataFrame:
        """One row an event, in the order of the reports: rep, phase, grade, fault, stroke, cue or haptic."""
        rows = (
            {**event, "time_s": event["time"], "reported_s": event["reported"], **_seconds(event)}
            for event in self.json["events"])
        columns = {"reported_s": NUMBER, "kind": TEXT, "name": TEXT, **_MOMENT}
        return frame(rows, {**columns, "start_s": NUMBER, "turn_s": NUMBER, "end_s": NUMBER})

    def _shown(self) -> pandas.DataFrame:
        return self.events

    def __repr__(self) -> str:
        return f"<formbench Replay of {self.json['clip']} by {self.json['detector']}>"


class Comparison(Scores):
    """Two sides on the same clips, from compare.json. A positive gain is better, in each metric's unit."""

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a metric and detector. `lower` to `upper` is the 95 % interval of the gain.

        `better`, `worse` and `same` are numbers of people. `shown` is better or worse, NA if it may be chance.
        """
        columns = {**_CHANGE, "p": NUMBER, "adjusted_p": NUMBER, "is_listed": FLAG}
        return frame(map(_change, self.json["metrics"]), columns)

    @property
    def people(self) -> pandas.DataFrame:
        """One row a metric, detector and person."""
        rows = (
            {**_named(m), "person": person, **change}
            for m in self.json["metrics"] for person, change in m.get("bySubject", {}).items())
        return frame(rows, {**_METRIC, "person": TEXT, "before": NUMBER, "after": NUMBER, "gain": NUMBER, **_KIND})

    @property
    def clips(self) -> pandas.DataFrame:
        """One row a changed clip, detector and `kind` of change: count, strokes, labels, grade, faults or times."""
        rows = []
        for change in self.json["clipChanges"]:
            dataset, _, clip = change["clip"].partition("/")
            rows.append({**change, "clip": clip, "dataset": dataset, "true": change.get("truth")})
        return frame(
            rows, {**_CLIP, "detector": TEXT, "kind": TEXT, "before": NUMBER, "after": NUMBER, "true": NUMBER})

    def __repr__(self) -> str:
        return f"<formbench Comparison of {self.json['suite']}: {self.json['before']} → {self.json['after']}>"


class Verdict(Scores):
    """A gate's verdict: `pass`, `regression`, `maybe-worse`, `accepted-loss` or `missing`, with the reason in words."""

    def __init__(self, json: Any) -> None:
        super().__init__(json)
        self.verdict: str = json["verdict"]
        self.exit_code: int = json["exitCode"]
        self.reason: str = json.get("reason", "")
        self.findings: list[str] = json.get("findings", [])
        self.missing: list[str] = json.get("missing", [])

    @property
    def passed(self) -> bool:
        """Whether `bench gate` lets the release through: exit code 0."""
        return self.exit_code == 0

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a gating metric, as in `Comparison.metrics`. `probability_of_loss` is of one beyond the margin."""
        columns = {**_CHANGE, "outcome": TEXT, "probability_of_loss": NUMBER, "reason": TEXT}
        return frame(map(_change, self.json["metrics"]), columns)

    def __repr__(self) -> str:
        return f"<formbench Verdict {self.verdict}, exit code {self.exit_code}: {self.reason}>"


class Sweep(Scores):
    """One metric at many settings, from sweep.json."""

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a setting: a column a parameter, then the value. `phantoms` are reps a minute in negative time."""
        columns = {
            **_METRIC, **_RANGE, **_KIND, **_SIZE, "phantoms": NUMBER, "on_plateau": FLAG, "is_optimum": FLAG,
            "is_default": FLAG,
        }
        rows = (
            {
                **parameters, **self._named(), **_range(setting, setting.get("interval")),
                "people": _defined(setting), "clips": self.json["clips"], "phantoms": setting.get("phantoms"),
                "on_plateau": setting["isOnPlateau"], "is_optimum": index == self.json.get("optimum"),
                "is_default": setting["values"] == self.json["base"]["values"],
            }
            for index, (parameters, setting) in enumerate(self._settings()))
        return frame(rows, {**self._axes(), **columns})

    @property
    def people(self) -> pandas.DataFrame:
        """One row a setting and person."""
        rows = (
            {**parameters, **self._named(), "person": person, "value": value}
            for parameters, setting in self._settings() for person, value in setting["bySubject"].items())
        return frame(rows, {**self._axes(), **_METRIC, "person": TEXT, "value": NUMBER, **_KIND})

    def _axes(self) -> dict[str, str]:
        return {axis["parameter"]: NUMBER for axis in self.json["axes"]}

    def _settings(self) -> Iterable[tuple[dict[str, float], Any]]:
        for setting in self.json["settings"]:
            yield {name: setting["values"][name] for name in self._axes()}, setting

    def _named(self) -> dict[str, Any]:
        metric = self.json["metric"]
        return {
            "metric": metric["name"], "detector": self.json["detector"], "direction": metric["direction"],
            "unit": metric["unit"],
        }


class Tuning(Scores):
    """Parameters found for one metric, from tune.json. `parameters` has the value of each."""

    @property
    def parameters(self) -> dict[str, float]:
        """The found values by the parameters' names, in each parameter's own unit."""
        return dict(self.json["parameters"])

    @property
    def metrics(self) -> pandas.DataFrame:
        """A row a `score`: `expected` on new people, `expected default`, `gain`, and the optimistic `in-sample`."""
        names = {"expected": "expected", "expectedOfBase": "expected default", "gain": "gain", "inSample": "in-sample"}
        metric = self.json["metric"]
        rows = []
        for key, name in names.items():
            found = self.json.get(key)
            if found is not None:
                people = found.get("subjects", len(found.get("bySubject", {})))
                rows.append({
                    "metric": metric["name"], "detector": self.json["tuning"]["detector"], "score": name,
                    **_range(found, found.get("interval")), "direction": metric["direction"], "unit": metric["unit"],
                    "people": people, "clips": self.json["clips"],
                })
        return frame(rows, {**_METRIC, "score": TEXT, **_RANGE, **_KIND, **_SIZE})

    @property
    def people(self) -> pandas.DataFrame:
        """One row a person left out: the `value` of the setting found without that person, and the `default`'s."""
        metric = self.json["metric"]
        rows = (
            {
                "metric": metric["name"], "detector": self.json["tuning"]["detector"], "person": fold["leftOut"],
                "value": fold.get("score"), "default": fold.get("baseScore"), "gain": fold.get("gain"),
            }
            for fold in self.json["folds"])
        return frame(rows, {**_METRIC, "person": TEXT, "value": NUMBER, "default": NUMBER, "gain": NUMBER})


class Drift(Scores):
    """How predictions without labels changed between two versions, by people; never which version is right."""

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a measure and detector. `lower` to `upper` is the 95 % interval of the difference.

        `shown` is higher or lower, NA if it may be chance.
        """
        columns = {
            "measure": TEXT, "detector": TEXT, "unit": TEXT, "before": NUMBER, "after": NUMBER, "difference": NUMBER,
            "lower": NUMBER, "upper": NUMBER, "people_before": COUNT, "people_after": COUNT, "shown": TEXT,
        }
        rows = (
            {
                **measure, "lower": measure.get("low"), "upper": measure.get("high"),
                "people_before": measure.get("peopleBefore"), "people_after": measure.get("peopleAfter"),
            }
            for measure in self.json["measures"])
        return frame(rows, columns)

    @property
    def clips(self) -> pandas.DataFrame:
        """One row a clip of both sides with another count, the greatest difference first."""
        return frame(self.json["recounts"], {"clip": TEXT, "detector": TEXT, "before": COUNT, "after": COUNT})


class Leaderboard(Scores):
    """Detectors by dataset, from board.json."""

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row an exercise, dataset, detector and metric. `role` is detector, offline peaks, trivial or people."""
        rows = (
            {
                **{key: section[key] for key in ("exercise", "dataset", "clips", "people")}, "place": row.get("place"),
                "role": row["role"], "detector": row["name"], "metric": value["metric"],
                "direction": value.get("direction"), "unit": value.get("unit"), **_range(value, value),
            }
            for section in self.json["sections"] for row in section["rows"] for value in row["values"])
        head = {"exercise": TEXT, "dataset": TEXT, "place": COUNT, "role": TEXT}
        return frame(rows, {**head, **_METRIC, **_RANGE, **_KIND, **_SIZE})


class Agreement(Scores):
    """How far raters agree on a criterion and on faults. Intervals are over people: `people` who were rated for it."""

    @property
    def metrics(self) -> pandas.DataFrame:
        """One row a metric of all raters together; `undefined` is the number of people without a value."""
        return frame(map(_agreed, self.json["metrics"]), {**_AGREED, "undefined": COUNT})

    @property
    def pairs(self) -> pandas.DataFrame:
        """One row a pair of raters and metric; `bias` and its limits are Bland–Altman's, in the criterion's unit."""
        rows = (
            {
                **_agreed(metric), "first": pair["raters"][0], "second": pair["raters"][1], "bias": pair.get("bias"),
                "bias_lower": pair.get("lower"), "bias_upper": pair.get("upper"),
            }
            for pair in self.json["pairs"] for metric in pair["metrics"])
        limits = {"bias": NUMBER, "bias_lower": NUMBER, "bias_upper": NUMBER}
        return frame(rows, {"first": TEXT, "second": TEXT, **_AGREED, **limits})

    @property
    def faults(self) -> pandas.DataFrame:
        """One row a fault and metric of all its raters: the share of the same judgements, AC1 and κ.

        `present` is the share of the judgements that say present, `items` the judged reps and clips.
        """
        rows = (
            {**_agreed(metric), "fault": fault["fault"], "present": fault.get("present"), "items": fault["items"]}
            for fault in self.json["faults"] for metric in fault["metrics"])
        return frame(rows, {"fault": TEXT, **_AGREED, "present": NUMBER, "items": COUNT})


def read_run(path: PathLike) -> Run:
    """The run in a `results.json` that `bench run` wrote, such as reports/squat/latest/results.json.

    Raises ValueError for another JSON file, and OSError if there is none.
    """
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"metrics", "clips"} <= found.keys():
        keys = ", ".join(sorted(found)) if isinstance(found, dict) else type(found).__name__
        raise ValueError(f"{path}: expected the results.json of a run, found {keys or 'nothing'}")
    return Run(found)


_CHANGE = {
    **_METRIC, "before": NUMBER, "after": NUMBER, "gain": NUMBER, "lower": NUMBER, "upper": NUMBER, "margin": NUMBER,
    **_KIND, **_SIZE, "better": COUNT, "worse": COUNT, "same": COUNT, "shown": TEXT,
}
_AGREED = {"metric": TEXT, **_RANGE, **_KIND, "people": COUNT}


def _is_matched(clip: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether predicted reps were matched with true ones: both have times."""
    return "reps" in found and (bool(clip.get("trueReps")) or clip.get("trueCount") == 0)


def _named(metric: Mapping[str, Any]) -> dict[str, Any]:
    return {key: metric.get(key) for key in ("metric", "detector", "direction", "unit", "margin", "clips")}


def _defined(metric: Mapping[str, Any]) -> int:
    """The number of people with a value."""
    return sum(value is not None for value in metric["bySubject"].values())


def _change(metric: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **metric, "lower": metric.get("low"), "upper": metric.get("high"), "people": metric.get("subjects"),
        "adjusted_p": metric.get("adjustedP"), "is_listed": metric.get("isListed"),
        "probability_of_loss": metric.get("probabilityOfLoss"),
    }


def _agreed(metric: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("metric", "direction", "unit", "people", "undefined")
    return {**{key: metric.get(key) for key in keys}, **_range(metric, metric)}


def _seconds(rep: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    return {f"{prefix}{key}_s": rep.get(key) for key in ("start", "end", "turn")}
