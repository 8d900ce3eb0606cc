"""bench dataset import: read pose files, check and hash them, and keep the poses where a replay reads them.

The peers read the same files into arrays of float32, check that every number is one, hash the files, and save an .npy a
clip.
"""

import functools
import hashlib
import json
import pathlib
import subprocess

import numpy

from race import harness

PAIRS = ["eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle"]
JOINTS = ["nose", *[f"{side}_{joint}" for joint in PAIRS for side in ("left", "right")]]
COLUMNS = [f"{joint}_{channel}" for joint in JOINTS for channel in "xyc"]
FRAMES = 1_000
CLIPS = {"csv": 150, "json": 75, "coco": 1, "npy": 600}
# A clip of COCO's results is one long file.
COCO_FRAMES = 40_000
# The names of files that are no dataset folder.
FORMATS = {"json": "keypoints", "coco": "coco"}
MANIFEST = """\
name: {name}-clips
version: "1"
licence: none
source: generated for a race
origin: synthetic
skeleton: coco-17
coordinates: {{ unit: image, aspect: 1, y_axis: down, channels: [x, y, confidence] }}
"""


def poses(name: str, clip: int) -> numpy.ndarray:
    """Positions as shares of the image in six decimals, confidences in three; COCO's in all digits of doubles."""
    random = numpy.random.default_rng(clip)
    if name == "coco":
        return random.random((COCO_FRAMES, len(JOINTS), 3))
    values = random.random((FRAMES, len(JOINTS), 3)).round(6)
    values[..., 2] = values[..., 2].round(3)
    return values


def files(project: pathlib.Path, name: str) -> list[pathlib.Path]:
    """The files to import."""
    ending = "json" if name == "coco" else name
    return [project / f"{name}-clips/poses/clip-{clip:04}.{ending}" for clip in range(CLIPS[name])]


def prepare(name: str, bench: str, project: pathlib.Path) -> None:
    folder = project / f"{name}-clips"
    if folder.exists():
        return
    (folder / "poses").mkdir(parents=True)
    for clip, path in enumerate(files(project, name)):
        values = poses(name, clip)
        if name == "csv":
            lines = [
                ",".join([str(frame), f"{frame / 30:.6f}", *map(repr, row)])
                for frame, row in enumerate(values.reshape(FRAMES, -1).tolist())
            ]
            path.write_text("\n".join([",".join(["frame", "time_s", *COLUMNS]), *lines, ""]))
        elif name == "npy":
            numpy.save(path, values.astype(numpy.float32))
        elif name == "coco":
            rows = enumerate(values.reshape(len(values), -1).tolist())
            facts = {"category_id": 1, "score": 0.9, "bbox": [0.1, 0.1, 0.8, 0.8]}
            path.write_text(json.dumps([{"image_id": frame, "keypoints": row, **facts} for frame, row in rows]))
        else:
            path.write_text(
                json.dumps(
                    [
                        {"keypoints": [dict(zip(("x", "y", "score"), k, strict=True)) for k in f]}
                        for f in values.tolist()
                    ]
                )
            )
    if name in FORMATS:
        return
    rows = [f"clip-{clip:04},s{clip % 10},squat,side,30,,poses/clip-{clip:04}.{name}\n" for clip in range(CLIPS[name])]
    (folder / "clips.csv").write_text("clip,subject,exercise,view,fps,split,poses\n" + "".join(rows))
    (folder / "dataset.yaml").write_text(MANIFEST.format(name=name))


def command(name: str, bench: str, project: pathlib.Path, output: pathlib.Path) -> list[str]:
    output.mkdir()
    store = ["--store", f"{output}/store.sqlite"]
    if name in FORMATS:
        facts = ["--fps", "30", "--size", "1x1", "--exercise", "squat", "--name", f"{name}-clips"]
        return [bench, "dataset", "import", FORMATS[name], "--from", f"{project}/{name}-clips/poses", *facts, *store]
    return [bench, "dataset", "import", "--from", f"{project}/{name}-clips", *store]


def results(name: str, bench: str, project: pathlib.Path, output: pathlib.Path) -> list[numpy.ndarray]:
    """The poses as bench exports them from the store that it imported them into."""
    folder = output / "export"
    export = [bench, "dataset", "export", f"{name}-clips", "--to", str(folder), "--store", f"{output}/store.sqlite"]
    subprocess.run(export, cwd=project, check=True, capture_output=True)
    return [array(path) for path in sorted((folder / "poses").iterdir())]


def array(path: pathlib.Path) -> numpy.ndarray:
    if path.suffix == ".npy":
        return numpy.load(path)
    with open(path) as file:
        first = file.readline().split(",").index(COLUMNS[0])
        return numpy.loadtxt(file, delimiter=",", dtype=numpy.float32)[:, first:].reshape(-1, len(JOINTS), 3)


def compare(expected: list[numpy.ndarray], output: pathlib.Path) -> None:
    """Equal but for the last digit of a float32: a reader may round twice, by way of a double."""
    found = sorted(output.glob("*.npy"))
    assert len(found) == len(expected), f"bench has {len(expected)} clips, the peer {len(found)}"
    for ours, path in zip(expected, found, strict=True):
        numpy.testing.assert_allclose(numpy.load(path), ours, rtol=1.2e-7, atol=0, err_msg=path.name)


def keep(name: str, project: pathlib.Path, output: pathlib.Path, read) -> None:
    """Keeps the clips; `read` makes an array of a file's path and bytes."""
    output.mkdir()
    hashes = {}
    for path in files(project, name):
        data = path.read_bytes()
        values = numpy.ascontiguousarray(read(path, data), dtype=numpy.float32).reshape(-1, len(JOINTS), 3)
        if not numpy.isfinite(values).all():
            raise ValueError(f"{path}: expected numbers")
        hashes[path.name] = hashlib.sha256(data).hexdigest()
        numpy.save(output / f"{path.stem}.npy", values)
    (output / "index.json").write_text(json.dumps(hashes))


def pandas(project, output):
    import io

    import pandas

    keep("csv", project, output, lambda path, data: pandas.read_csv(io.BytesIO(data), usecols=COLUMNS).to_numpy())


def polars(project, output):
    import polars

    keep("csv", project, output, lambda path, data: polars.read_csv(data, columns=COLUMNS).to_numpy())


def duckdb(project, output):
    import duckdb

    # All files in one query, as DuckDB reads many faster than one after the other.
    output.mkdir()
    columns = ", ".join(f"{column}::FLOAT AS {column}" for column in COLUMNS)
    paths = files(project, "csv")
    query = f"SELECT {columns} FROM read_csv(?, filename = true) ORDER BY filename, frame"
    table = duckdb.execute(query, [[str(path) for path in paths]]).fetchnumpy()
    values = numpy.column_stack([table[column] for column in COLUMNS])
    if not numpy.isfinite(values).all():
        raise ValueError("expected numbers")
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    for path, clip in zip(paths, numpy.split(values, len(paths)), strict=True):
        numpy.save(output / f"{path.stem}.npy", clip.reshape(-1, len(JOINTS), 3))
    (output / "index.json").write_text(json.dumps(hashes))


def loadtxt(project, output):
    def read(path, data):
        return numpy.loadtxt(path, delimiter=",", skiprows=1, dtype=numpy.float32)[:, 2:]

    keep("csv", project, output, read)


def keypoints(parse, data: bytes) -> numpy.ndarray:
    """Gathers the numbers of frames, as whoever wants poses has to."""
    frames = [frame["keypoints"] for frame in parse(data)]
    return numpy.array([[(k["x"], k["y"], k["score"]) for k in frame] for frame in frames], dtype=numpy.float32)


def standard_json(project, output):
    keep("json", project, output, lambda path, data: keypoints(json.loads, data))


def orjson(project, output):
    import orjson

    keep("json", project, output, lambda path, data: keypoints(orjson.loads, data))


def results_of_coco(parse, data: bytes) -> numpy.ndarray:
    return numpy.array([result["keypoints"] for result in parse(data)], dtype=numpy.float32)


def standard_coco(project, output):
    keep("coco", project, output, lambda path, data: results_of_coco(json.loads, data))


def orjson_coco(project, output):
    import orjson

    keep("coco", project, output, lambda path, data: results_of_coco(orjson.loads, data))


def load(project, output):
    import io

    keep("npy", project, output, lambda path, data: numpy.load(io.BytesIO(data)))


def race(name: str, what: str, sides: dict[str, str]) -> harness.Race:
    bound = [functools.partial(function, name) for function in (command, results, prepare)]
    return harness.Race(
        f"import-{name}", what, sides, "importing", bound[0], bound[1], compare, prints=False, prepare=bound[2]
    )


RACES = [
    race(
        "csv",
        "`dataset import`: 150 pose CSVs of 1,000 frames",
        {"Polars": "polars", "pandas": "pandas", "DuckDB": "duckdb", "NumPy's `loadtxt`": "loadtxt"},
    ),
    race(
        "json", "`dataset import`: 75 keypoint JSONs of 1,000 frames", {"orjson": "orjson", "`json`": "standard_json"}
    ),
    race(
        "coco",
        "`dataset import`: COCO's results of 40,000 images, one file",
        {"orjson": "orjson_coco", "`json`": "standard_coco"},
    ),
    race("npy", "`dataset import`: 600 `.npy` of 1,000 frames", {"NumPy": "load"}),
]

if __name__ == "__main__":
    harness.main_of_side(globals())
