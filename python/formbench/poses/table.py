"""Writes keypoints as CSV, so that a killed run leaves no half of a file."""

from __future__ import annotations

import contextlib
import os
from typing import IO, Iterator, List, Optional, Sequence

from .estimators import Keypoint, Person

FACTS = ("frame", "timestamp_ms", "width", "height", "fps")
"""The first columns. A file that begins with others was not written by this program."""

_CHANNELS = ("x", "y", "z", "visibility")


@contextlib.contextmanager
def replacing(path: str) -> Iterator[IO[str]]:
    """A file to write, which takes the place of `path` when it is complete."""
    partial = _partial(path)
    try:
        with open(partial, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(partial, path)
    except BaseException:
        discard_partial(path)
        raise


def discard_partial(path: str) -> None:
    """Removes what a stopped process wrote of a file."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(_partial(path))


def _partial(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.partial")


def write_table(
    path: str, keypoints: Sequence[str], times: Sequence[float], people: Sequence[Sequence[Optional[Person]]],
    width: int, height: int,
) -> None:
    """Writes a row a frame, or a row a person in a frame if a frame has several.

    z and visibility are left out if there are keypoints and none has them.

    - times: seconds of each frame; people: those in each frame, in the order of `keypoints`.
    """
    channels = _channels(people)
    has_persons = any(len(frame) > 1 for frame in people)
    facts = f"{width},{height},{mean_rate(times):.6g}"
    empty = "," * (len(keypoints) * len(channels))
    header = [*FACTS, *(["person"] if has_persons else [])]
    header += [f"{keypoint}_{_CHANNELS[channel]}" for keypoint in keypoints for channel in channels]
    with replacing(path) as file:
        file.write(",".join(header) + "\n")
        for index, (time, frame) in enumerate(zip(times, people)):
            start = f"{index},{_number(1000 * time, 3)},{facts}"
            present = [(number, person) for number, person in enumerate(frame, 1) if person]
            if not present:
                file.write(start + ("," if has_persons else "") + empty + "\n")
            for number, person in present:
                name = f",{number}" if has_persons else ""
                file.write(f"{start}{name},{','.join(_values(person, channels))}\n")


def mean_rate(times: Sequence[float]) -> float:
    """Frames a second, 30 if there is only one frame."""
    return (len(times) - 1) / times[-1] if len(times) > 1 else 30.0


def is_ours(path: str) -> bool:
    """Whether a file begins as those of `write_table` do."""
    with open(path, "rb") as file:
        start = ",".join(FACTS) + ","
        return file.read(len(start)) == start.encode()


def _channels(people: Sequence[Sequence[Optional[Person]]]) -> List[int]:
    points = [point for frame in people for person in frame if person for point in person if point]
    return [place for place in range(4) if not points or any(point[place] is not None for point in points)]


def _values(person: Person, channels: Sequence[int]) -> List[str]:
    return ["" if point is None else _text(point, channel) for point in person for channel in channels]


def _text(point: Keypoint, channel: int) -> str:
    value = point[channel]
    return "" if value is None else _number(value, 6)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
