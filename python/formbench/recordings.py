"""The clips of a dataset as the messages of the detector protocol, with the recordings' own keypoints."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from .program import BenchError

_COCO = (
    "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow right_elbow left_wrist "
    "right_wrist left_hip right_hip left_knee right_knee left_ankle right_ankle")
# The keypoints in the order of a .npy file, as in Sources/PoseModel/Skeletons.swift.
SKELETONS = {
    "coco-17": _COCO.split(),
    "blazepose-33": (
        "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye right_eye_outer left_ear right_ear "
        "mouth_left mouth_right left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_pinky "
        "right_pinky left_index right_index left_thumb right_thumb left_hip right_hip left_knee right_knee left_ankle "
        "right_ankle left_heel right_heel left_foot_index right_foot_index").split(),
    "body-25": (
        "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist root right_hip "
        "right_knee right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear left_toe "
        "left_small_toe left_heel right_toe right_small_toe right_heel").split(),
    "openpose-18": (
        "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee "
        "right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear").split(),
    "halpe-26": _COCO.split() + (
        "head neck root left_toe right_toe left_small_toe right_small_toe left_heel right_heel").split(),
    "apple-vision-19": (
        "head_joint left_eye_joint right_eye_joint left_ear_joint right_ear_joint neck_1_joint left_shoulder_1_joint "
        "right_shoulder_1_joint left_forearm_joint right_forearm_joint left_hand_joint right_hand_joint root "
        "left_upLeg_joint right_upLeg_joint left_leg_joint right_leg_joint left_foot_joint right_foot_joint").split(),
    "motion-capture": (
        "head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_hip right_hip left_knee "
        "right_knee left_ankle right_ankle left_heel right_heel left_toe right_toe").split(),
}
_UNITS = {"image": "image", "pixel": "pixels", "metre": "metres", "relative": "relative"}
_CHANNELS = ("x", "y", "z", "confidence")


@dataclass(frozen=True)
class Recording:
    """A clip: its `start` message, and the times and keypoints of its frames."""

    name: str
    exercise: str
    start: dict[str, Any]
    # Seconds, a time a frame.
    times: list[float]
    # frames x keypoints x channels, float32; NaN if missing.
    values: Any

    def frames(self) -> Iterator[dict[str, Any]]:
        """The `frame` messages."""
        x, y = self.start["channels"].index("x"), self.start["channels"].index("y")
        for index, (time, points) in enumerate(zip(self.times, _shortest(self.values).tolist())):
            rows = [[None if value != value else value for value in point] for point in points]
            keypoints = [None if row[x] is None or row[y] is None else row for row in rows]
            yield {"type": "frame", "frame": index, "time": time, "keypoints": keypoints}


def _shortest(values: Any) -> Any:
    """The numbers with the fewest digits that restore 32-bit ones, as in the protocol, as 64-bit ones.

    They are `float(str(value))`, which takes seven times as long.
    """
    import numpy

    wide = values.astype("float64")
    shortest = wide.copy()
    with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
        exponents = numpy.floor(numpy.log10(numpy.abs(wide)))
        # Here the powers of ten below are whole and exact, and each decimal is the quotient of two exact numbers.
        left = (exponents >= -14) & (exponents <= 5)
        others = numpy.isfinite(wide) & (wide != 0) & ~left
        places = numpy.where(left, exponents, 0).astype(int)
        powers = numpy.array([float(f"1e{power}") for power in range(23)])
        # Six digits have a 32-bit number of their own, and nine restore each.
        for digits in range(6, 10):
            scale = powers[digits - 1 - places]
            decimal = numpy.rint(wide * scale) / scale
            found = left & (decimal.astype("float32") == values)
            shortest[found] = decimal[found]
            left &= ~found
    others |= left
    shortest[others] = [float(str(value)) for value in values[others]]
    return shortest


def recordings(folder: Path, parameters: dict[str, float]) -> Iterator[Recording]:
    """The clips with poses of a folder that `bench dataset export` wrote.

    Raises BenchError for a skeleton that is not in the table.
    """
    manifest = (folder / "dataset.yaml").read_text(encoding="utf-8")
    start = _start(manifest, str(folder / "dataset.yaml"), parameters)
    with open(folder / "clips.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not row["poses"]:
                continue
            fps = float(row["fps"])
            path = folder / row["poses"]
            channels, times, values = _table(path, start) if path.suffix == ".csv" else _array(path, start, fps)
            clip = {**start, "clip": row["clip"], "fps": fps, "channels": channels}
            yield Recording(row["clip"], row["exercise"], clip, times, values)


def _start(manifest: str, file: str, parameters: dict[str, float]) -> dict[str, Any]:
    def field(name: str) -> Optional[str]:
        found = re.search(rf"(?m)^\s*{name}: *\"?([^\"\n]*?)\"? *$", manifest)
        return found and found[1]

    skeleton = field("skeleton") or ""
    if skeleton not in SKELETONS:
        raise BenchError(f"expected a skeleton of {', '.join(SKELETONS)}, found {skeleton or 'none'}", 1, file)
    unit, aspect, height = field("unit") or "", field("aspect"), field("height")
    size = [float(aspect) if aspect else None, 1.0 if aspect else float(height) if height else None]
    channels = re.findall(r"\w+", field("channels") or "")
    return {
        "type": "start", "protocol": 1, "unit": _UNITS.get(unit, unit), "size": size, "y": field("y_axis"),
        "skeleton": skeleton, "joints": SKELETONS[skeleton], "channels": channels, "parameters": parameters,
    }


def _array(path: Path, start: dict[str, Any], fps: float) -> tuple[list[str], list[float], Any]:
    import numpy

    values = numpy.load(path)
    # Times are whole microseconds.
    return start["channels"], [round(frame * 1e6 / fps) / 1e6 for frame in range(len(values))], values


def _table(path: Path, start: dict[str, Any]) -> tuple[list[str], list[float], Any]:
    import numpy

    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    channels = [channel for channel in _CHANNELS if any(name.endswith(_ending(channel)) for name in header)]
    places = [[header.index(joint + _ending(channel)) if joint + _ending(channel) in header else None
               for channel in channels] for joint in start["joints"]]
    values = numpy.array(
        [[[float(row[place] or "nan") if place is not None else float("nan") for place in point] for point in places]
         for row in rows], dtype="float32")
    return channels, [float(row[header.index("time_s")]) for row in rows], values


def _ending(channel: str) -> str:
    return "_c" if channel == "confidence" else f"_{channel}"
