"""The columns of a run's tables, said once: for the frames of `Run`, its Parquet files, and their documentation.

    python -c "import formbench.columns; print(formbench.columns.markdown())"
"""

from __future__ import annotations

from dataclasses import dataclass

# The types of pandas' columns, all of which can be missing.
TEXT, NUMBER, COUNT, FLAG = "string", "float64", "Int64", "boolean"


@dataclass(frozen=True)
class Column:
    """A column: `type` is that of pandas, `unit` is empty for texts and flags."""

    name: str
    type: str
    unit: str
    meaning: str

    @property
    def arrow(self) -> str:
        """The name of its type in Arrow and Parquet: string, float64, int64 or bool."""
        return {TEXT: "string", NUMBER: "float64", COUNT: "int64", FLAG: "bool"}[self.type]


_OF_UNIT = "that of the column unit"
_DETECTOR = Column("detector", TEXT, "", "the detector's name")
_METRIC = (Column("metric", TEXT, "", "the metric, such as count.mae: docs/metrics.md"), _DETECTOR)
_KIND = (
    Column("direction", TEXT, "", "higher, lower or zero: where the best value is"),
    Column("unit", TEXT, "", "the metric's unit; empty for shares and correlations"),
)
_CLIP = (
    Column("clip", TEXT, "", "the clip's name, which is its own within the dataset"),
    Column("dataset", TEXT, "", "the dataset's name"),
)
_PERSON = Column("person", TEXT, "", "dataset/person, or group/person for one of several datasets")
_REP = Column("rep", COUNT, "number", "the true rep from 1 on; missing for a false rep, and for a grade of the clip")

TABLES: dict[str, tuple[str, tuple[Column, ...]]] = {
    "metrics": ("a metric and detector", (
        *_METRIC,
        Column("value", NUMBER, _OF_UNIT, "the mean over people, or that of all clips pooled; missing if undefined"),
        Column("lower", NUMBER, _OF_UNIT, "lower end of the 95 % interval over people; missing if there is none"),
        Column("upper", NUMBER, _OF_UNIT, "its upper end"),
        Column("margin", NUMBER, _OF_UNIT, "the loss that the gate accepts, from 0; missing if it does not gate"),
        *_KIND,
        Column("people", COUNT, "people", "people with a value, from 0"),
        Column("clips", COUNT, "clips", "clips that were scored, from 0"),
        Column("is_listed", FLAG, "", "whether the suite names the metric"),
    )),
    "people": ("a metric, detector and person", (
        *_METRIC, _PERSON,
        Column("value", NUMBER, _OF_UNIT, "the person's value over all their clips; missing if undefined"),
        *_KIND,
    )),
    "clips": ("a clip and detector", (
        *_CLIP, _PERSON,
        Column("exercise", TEXT, "", "the exercise of the clip"),
        Column("view", TEXT, "", "where the camera was, such as side; empty if unknown"),
        Column("fps", NUMBER, "frames/s", "frame rate, above 0"),
        Column("duration_s", NUMBER, "s", "time from the first to the last frame, from 0"),
        Column("frames", COUNT, "frames", "frames of the recording, from 0"),
        _DETECTOR,
        Column("count", COUNT, "reps", "counted reps, from 0; missing if the detector does not count"),
        Column("true_count", COUNT, "reps", "true reps, from 0; missing if unknown"),
        Column("missed", COUNT, "reps", "true reps that were not found, from 0; missing without the times of reps"),
        Column("false", COUNT, "reps", "predicted reps that are none, from 0; missing without the times of reps"),
    )),
    "reps": ("a predicted or missed rep; of a detector of strokes, a missed stroke", (
        *_CLIP, _PERSON, _DETECTOR,
        Column("outcome", TEXT, "", "matched, missed or false; missing where the true reps have no times"),
        _REP,
        Column("start_s", NUMBER, "s", "predicted start, in time of the recording as all times; missing if missed"),
        Column("end_s", NUMBER, "s", "predicted end; missing if missed"),
        Column("turn_s", NUMBER, "s", "predicted turn, such as a squat's bottom; missing if unknown or missed"),
        Column("reported_s", NUMBER, "s", "when the detector reported the rep; missing if unknown or missed"),
        Column("true_start_s", NUMBER, "s", "true start; missing for a false rep"),
        Column("true_end_s", NUMBER, "s", "true end; missing for a false rep"),
        Column("true_turn_s", NUMBER, "s", "true turning point; missing if unknown or for a false rep"),
        Column("reason", TEXT, "", "why the rep was missed or is false, in words; missing for others"),
    )),
    "grades": ("a graded rep, detector and rater", (
        *_CLIP, _PERSON, _DETECTOR, _REP,
        Column("predicted", NUMBER, "points", "the detector's grade, on the criterion's scale; missing if none"),
        Column("rater", TEXT, "", "the rater's name"),
        Column("grade", NUMBER, "points", "the rater's grade, on the criterion's scale"),
    )),
    "signals": ("a frame and signal", (
        *_CLIP,
        Column("frame", COUNT, "number", "the frame from 0 on"),
        Column("time_s", NUMBER, "s", "the frame's time"),
        Column("signal", TEXT, "", "the signal's name"),
        Column("value", NUMBER, "the signal's own", "what the detector set as frame.signals; missing if it had none"),
    )),
}


def types(table: str) -> dict[str, str]:
    """The pandas type of each column of a table, in the columns' order. Raises KeyError for an unknown table."""
    return {column.name: column.type for column in TABLES[table][1]}


def markdown() -> str:
    """The documentation: a heading and a Markdown table for each of the tables."""
    lines: list[str] = []
    for name, (row, columns) in TABLES.items():
        lines += [f"**`{name}`**, a row is {row}:", "", "| column | type | unit | meaning |", "|---|---|---|---|"]
        lines += [f"| `{one.name}` | {one.arrow} | {one.unit} | {one.meaning} |" for one in columns]
        lines.append("")
    return "\n".join(lines)
