"""The frames of a video as a player shows them: upright, and at the times that its container says."""

from __future__ import annotations

import logging
import struct
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

ENDINGS = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm")

# The side of the small grey image in which cuts are found.
_SMALL = 32


class VideoError(Exception):
    """A video that cannot be decoded, and why."""


@dataclass(frozen=True)
class Picture:
    """A frame of a video."""

    # Seconds, as in the container.
    time: Fraction
    # Upright, height x width x RGB.
    image: npt.NDArray[np.uint8]
    # The whole image in small, as it is stored.
    grey: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Turn:
    """How a stored image is made upright."""

    # Degrees clockwise, after mirroring.
    rotation: int
    # Whether left and right are swapped first.
    is_mirrored: bool

    @staticmethod
    def of(matrix: bytes) -> Turn:
        """From a display matrix: nine integers in rows, of which the first two map x, the next two of row 2 map y."""
        a, b, _, c, d = (np.sign(value) for value in struct.unpack("=5i", matrix[:20]))
        is_mirrored = bool(a * d - b * c < 0)
        if is_mirrored:
            a, b = -a, -b
        return Turn({(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}.get((int(a), int(b)), 0), is_mirrored)

    def upright(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if self.is_mirrored:
            image = image[:, ::-1]
        return np.ascontiguousarray(np.rot90(image, -self.rotation // 90))


class Video:
    """A video file, decoded once from its start to its end.

    `turn` is known once the first picture was taken, `repeated` and `ends_early` after the last one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.turn = Turn(0, False)
        # The frames that were left out because their time is not after the one before.
        self.repeated = 0
        # The seconds that the header promises after the last frame.
        self.missing_seconds = 0.0
        # Seconds as the header says; None if it does not.
        self.duration: float | None = None

    def pictures(self) -> Iterator[Picture]:
        import av
        import av.logging

        # The library's log has the reason of an error.
        av.logging.set_level(av.logging.ERROR)
        logging.getLogger("libav").addHandler(logging.NullHandler())
        last: Fraction | None = None
        try:
            with av.open(str(self._path)) as container:
                if not container.streams.video:
                    raise VideoError("it has no video, only " + _kinds(container))
                stream = container.streams.video[0]
                stream.thread_count = 1
                self.duration = _duration(container, stream)
                for frame in container.decode(stream):
                    if frame.pts is None or frame.time_base is None:
                        raise VideoError("its frames have no times")
                    time = frame.pts * frame.time_base
                    if last is None:
                        self.turn, size = _turn(frame), _size(frame, stream)
                        first = time
                    elif time <= last:
                        self.repeated += 1
                        continue
                    last = time
                    yield self._picture(frame, time, size)
        except av.error.FFmpegError as error:
            where = "" if last is None else f" after {float(last - first):.1f} s"
            raise VideoError(f"cannot be decoded{where}: {_reason(error)}") from error
        if last is None:
            raise VideoError("it has no frames")
        if self.duration is not None:
            self.missing_seconds = max(0.0, self.duration - float(last - first))

    def _picture(self, frame: Any, time: Fraction, size: tuple[int, int]) -> Picture:
        image = frame.to_ndarray(format="rgb24", width=size[0], height=size[1])
        grey = frame.to_ndarray(format="gray", width=_SMALL, height=_SMALL)
        return Picture(time, self.turn.upright(image), grey)


def _turn(frame: Any) -> Turn:
    for side in frame.side_data:
        if side.type.name == "DISPLAYMATRIX":
            return Turn.of(bytes(side))
    return Turn(0, False)


def _size(frame: Any, stream: Any) -> tuple[int, int]:
    """Width and height of the stored image with square pixels."""
    shape = stream.sample_aspect_ratio
    return (round(frame.width * shape) if shape else frame.width), frame.height


def _duration(container: Any, stream: Any) -> float | None:
    if stream.duration is not None and stream.time_base is not None:
        return float(stream.duration * stream.time_base)
    return None if container.duration is None else container.duration / 1e6


def _kinds(container: Any) -> str:
    return ", ".join(sorted({stream.type for stream in container.streams})) or "nothing that can be played"


def _reason(error: Any) -> str:
    detail = error.log[2].strip().rstrip(".") if error.log else ""
    return f"{error.strerror} ({detail})" if detail else str(error.strerror)
