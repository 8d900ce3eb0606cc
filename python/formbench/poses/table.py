"""The file of a video's keypoints: a line a frame and person, in a layout that bench dataset import reads."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

_CHANNELS = ("x", "y", "z", "visibility")

# A person is followed to where the middle of the body is less than this many of its sizes away.
_REACH = 0.5


@dataclass
class Recording:
    """The people of each frame of a video."""

    keypoints: Sequence[str]
    # The most people in a frame; of more than one, each line has a number.
    people: int = 1
    times: list[Fraction] = field(default_factory=list)
    poses: list[list[npt.NDArray[np.float32]]] = field(default_factory=list)

    def add(self, time: Fraction, people: Sequence[npt.ArrayLike]) -> list[npt.NDArray[np.float32]]:
        """Adds a frame and returns its people."""
        poses = [np.asarray(person, dtype=np.float32) for person in people]
        shape = (len(self.keypoints), len(_CHANNELS))
        for pose in poses:
            if pose.shape != shape:
                raise ValueError(f"the estimator found {pose.shape}, expected {shape}: its keypoints x (x, y, z, visibility)")
        if len(poses) > self.people:
            raise ValueError(f"the estimator found {len(poses)} people in a frame, its class says people = {self.people}")
        self.times.append(time)
        self.poses.append(poses)
        return poses

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return float(self.times[-1] - self.times[0]) if self.times else 0.0

    @property
    def fps(self) -> float | None:
        """The mean rate; None of a single frame."""
        return (len(self.times) - 1) / self.seconds if self.seconds > 0 else None

    def write(self, path: Path, size: tuple[int, int]) -> None:
        """Writes the file; size is the width and height of the upright image."""
        named = ["person"] if self.people > 1 else []
        header = ["frame", "timestamp_ms", "width", "height", "fps", *named]
        facts = [*map(str, size), "" if self.fps is None else _decimals(self.fps)]
        nobody = [""] * (len(named) + len(self.keypoints) * len(_CHANNELS))
        follow = _Followed()
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header + [f"{name}_{channel}" for name in self.keypoints for channel in _CHANNELS])
            for frame, (time, poses) in enumerate(zip(self.times, self.poses)):
                start = [str(frame), milliseconds(time), *facts]
                numbers = follow.numbers(poses) if named else []
                for place, pose in enumerate(poses):
                    number = [str(numbers[place])] if named else []
                    writer.writerow(start + number + [_text(value) for value in pose.ravel().tolist()])
                if not poses:
                    writer.writerow(start + nobody)


class _Followed:
    """Numbers people: each takes the number of the nearest one that was seen last."""

    def __init__(self) -> None:
        self._places: dict[int, npt.NDArray[np.float32]] = {}
        self._next = 1

    def numbers(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[int]:
        places = [np.nanmean(pose[:, :2], axis=0) for pose in poses]
        sizes = [float(np.nanmax(np.ptp(pose[:, :2], axis=0))) for pose in poses]
        distances = sorted(
            (float(np.linalg.norm(place - seen)), index, number)
            for index, place in enumerate(places) for number, seen in self._places.items())
        found: dict[int, int] = {}
        for distance, index, number in distances:
            if index not in found and number not in found.values() and distance <= _REACH * sizes[index]:
                found[index] = number
        for index, place in enumerate(places):
            if index not in found:
                found[index], self._next = self._next, self._next + 1
            self._places[found[index]] = place
        return [found[index] for index in range(len(poses))]


def milliseconds(time: Fraction) -> str:
    """Milliseconds with up to three decimals."""
    return _decimals(round(time * 1_000_000) / 1000)


def _decimals(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _text(value: Any) -> str:
    return f"{value:.6g}" if math.isfinite(value) else ""
