"""Writes a dataset folder as Parquet, a row a clip, and reads it back. Needs pyarrow and numpy.

    python -m formbench.parquet write datasets/squats squats-parquet
    python -m formbench.parquet read squats-parquet datasets/squats

docs/dataset-format.md has the schema. `write_table` writes the tables of a run, for `Run.to_parquet`.
"""

from __future__ import annotations

import csv
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable

from .columns import TABLES
from .program import PathLike

if TYPE_CHECKING:
    import pandas

# Of each table of labels: its columns besides the clip, and their types.
_LABELS = {
    "reps": {"rep": "int32", "start_s": "float64", "end_s": "float64", "turn_s": "float64"},
    "events": {"time_s": "float64", "label": "string"},
    "intervals": {"start_s": "float64", "end_s": "float64", "label": "string"},
    "grades": {"rep": "int32", "rater": "string", "criterion": "string", "grade": "float64"},
    "faults": {"rep": "int32", "rater": "string", "fault": "string", "present": "bool"},
}
_MANIFEST = "_dataset.yaml"
# The version of the layout of a run's tables.
FORMAT = "1"
_PARSE: dict[str, Callable[[str], Any]] = {
    "int32": int, "float64": float, "string": str, "bool": lambda text: text not in ("0", "false")}


def _arrow() -> Any:
    """pyarrow with the modules for files and folders. Raises ImportError without it."""
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("expected pyarrow for Parquet, found none; install it with: pip install pyarrow") from error
    return pyarrow


def table_schema(table: str, metadata: Mapping[str, str] = {}) -> Any:
    """The pyarrow schema of a run's table: each field has `unit` and `meaning`, the schema `format` and `metadata`."""
    pa = _arrow()
    fields = [
        pa.field(one.name, pa.type_for_alias(one.arrow), metadata={"unit": one.unit, "meaning": one.meaning})
        for one in TABLES[table][1]]
    return pa.schema(fields, metadata={"table": table, "format": FORMAT, **metadata})


def write_table(frame: pandas.DataFrame, table: str, path: PathLike, metadata: Mapping[str, str]) -> None:
    """Writes a frame of a run as one file with the schema of `table`. Missing folders are made, a file is replaced."""
    pa = _arrow()
    rows = pa.Table.from_pandas(frame, table_schema(table), preserve_index=False)
    # What pandas adds restores its types.
    added = {key: value for key, value in (rows.schema.metadata or {}).items() if key == b"pandas"}
    rows = rows.replace_schema_metadata({**table_schema(table, metadata).metadata, **added})
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    pa.parquet.write_table(rows, path)


def schema() -> Any:
    """The columns of a dataset; subject and exercise are also the folders of the Hive partitions."""
    pa = _arrow()

    def labels(columns: Mapping[str, str]) -> Any:
        return pa.list_(pa.struct([(name, pa.type_for_alias(kind)) for name, kind in columns.items()]))

    return pa.schema(
        [
            ("clip", pa.string()), ("subject", pa.string()), ("exercise", pa.string()), ("view", pa.string()),
            ("fps", pa.float64()), ("split", pa.string()), ("rep_count", pa.int32()), ("frames", pa.int32()),
            ("times_s", pa.list_(pa.float64())), ("columns", pa.list_(pa.string())),
            ("shape", pa.list_(pa.int32())), ("keypoints", pa.list_(pa.float32())),
        ]
        + [(name, labels(columns)) for name, columns in _LABELS.items()]
    )


def _rows(folder: PathLike, name: str) -> list[dict[str, str]]:
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _poses(folder: PathLike, path: str | None) -> dict[str, Any]:
    """The pose columns of a clip; all null for labels only."""
    import numpy

    if not path:
        return {}
    path = os.path.join(folder, path)
    if path.endswith(".npy"):
        values = numpy.load(path)
        return {"frames": len(values), "shape": list(values.shape[1:]), "keypoints": values.ravel()}
    with open(path, encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    places = [place for place, name in enumerate(header) if name not in ("frame", "time_s")]
    time = header.index("time_s")
    values = [numpy.float32(row[place] or "nan") for row in rows for place in places]
    return {
        "frames": len(rows), "times_s": [float(row[time]) for row in rows], "columns": [header[place] for place in places],
        "keypoints": values,
    }


def clips(folder: PathLike) -> Iterator[dict[str, Any]]:
    """The rows of a dataset folder, one after the other."""
    labels: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name, columns in _LABELS.items():
        own: dict[str, list[dict[str, Any]]] = {}
        labels[name] = own
        for row in _rows(folder, f"{name}.csv"):
            values = {column: _PARSE[kind](row[column]) if row.get(column) else None for column, kind in columns.items()}
            own.setdefault(row["clip"], []).append(values)
    for row in _rows(folder, "clips.csv"):
        yield {
            **{name: row[name] for name in ("clip", "subject", "exercise", "view", "split")},
            "fps": float(row["fps"]), "rep_count": int(row["rep_count"]) if row.get("rep_count") else None,
            **_poses(folder, row.get("poses")), **{name: own.get(row["clip"]) for name, own in labels.items()},
        }


def _partitions() -> Any:
    pa = _arrow()
    return pa.dataset.partitioning(pa.schema([("exercise", pa.string()), ("subject", pa.string())]), flavor="hive")


# Rows that are in memory at once.
_BATCH = 256


def write(folder: PathLike, output: PathLike) -> None:
    """Writes a dataset folder as Parquet with Hive partitions by exercise and subject.

    `output` must not exist or be empty. Raises ValueError for a folder without dataset.yaml.
    """
    pa = _arrow()

    def batches() -> Iterator[Any]:
        rows: list[dict[str, Any]] = []
        for row in clips(folder):
            rows.append(row)
            if len(rows) == _BATCH:
                yield pa.RecordBatch.from_pylist(rows, schema())
                rows = []
        yield pa.RecordBatch.from_pylist(rows, schema())

    if not os.path.exists(os.path.join(folder, "dataset.yaml")):
        raise ValueError(f"{folder}: expected a dataset folder with dataset.yaml; a recipe is generated by bench dataset export")
    pa.dataset.write_dataset(
        batches(), output, schema=schema(), format="parquet", existing_data_behavior="error", max_partitions=1 << 16,
        partitioning=_partitions())
    shutil.copy(os.path.join(folder, "dataset.yaml"), os.path.join(output, _MANIFEST))


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return str(int(value)) if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _write_csv(path: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_text(value) for value in row] for row in rows)


def _write_poses(folder: PathLike, row: Mapping[str, Any]) -> str:
    """Returns the path for clips.csv."""
    import numpy

    if row["keypoints"] is None:
        return ""
    values = numpy.asarray(row["keypoints"], dtype="<f4")
    if row["columns"] is None:
        path = f"poses/{row['clip']}.npy"
        numpy.save(os.path.join(folder, path), values.reshape(-1, *row["shape"]))
        return path
    path = f"poses/{row['clip']}.csv"
    values = values.reshape(row["frames"], -1)
    # The shortest decimals that are the same float32.
    _write_csv(
        os.path.join(folder, path), ["frame", "time_s", *row["columns"]],
        ([frame, time, *("" if value != value else str(value) for value in values[frame])]
         for frame, time in enumerate(row["times_s"])))
    return path


def read(source: PathLike, folder: PathLike) -> None:
    """Writes Parquet as a dataset folder, which bench takes; the folder must not exist.

    Raises FileExistsError if it does, and ValueError for a clip's name that is a path.
    """
    parts = _arrow().dataset.dataset(source, schema=schema(), format="parquet", partitioning=_partitions())
    os.makedirs(folder)
    os.mkdir(os.path.join(folder, "poses"))
    table: list[list[Any]] = []
    labels: dict[str, list[list[Any]]] = {name: [] for name in _LABELS}
    for batch in parts.to_batches(batch_size=64):
        for row in batch.to_pylist():
            if os.path.basename(row["clip"]) != row["clip"]:
                raise ValueError(f"{source}: expected a clip's name, found {row['clip']!r}")
            table.append(
                [row[name] for name in ("clip", "subject", "exercise", "view", "fps", "split")]
                + [_write_poses(folder, row), row["rep_count"]])
            for name, columns in _LABELS.items():
                labels[name] += [[row["clip"], *(label[column] for column in columns)] for label in row[name] or []]
    header = ["clip", "subject", "exercise", "view", "fps", "split", "poses", "rep_count"]
    _write_csv(os.path.join(folder, "clips.csv"), header, sorted(table, key=lambda row: row[0]))
    for name, rows in labels.items():
        if rows:
            _write_csv(os.path.join(folder, f"{name}.csv"), ["clip", *_LABELS[name]], rows)
    shutil.copy(os.path.join(source, _MANIFEST), os.path.join(folder, "dataset.yaml"))


def main(arguments: Sequence[str]) -> int:
    commands = {"write": write, "read": read}
    if len(arguments) != 3 or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 64
    try:
        commands[arguments[0]](*arguments[1:])
    except (ImportError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
