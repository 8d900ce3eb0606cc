"""Reads the frames of a video upright and with their true times. Needs av (PyAV) and numpy."""

from __future__ import annotations

import collections
import math
import struct
from typing import Any, Deque, Dict, Iterator, NamedTuple, Optional, Protocol, Tuple

GREY_SIZE = (32, 18)
"""Width and height of the small grey images that show cuts."""


class VideoError(Exception):
    """A video that cannot be read; the message is the reason."""


class Frame(NamedTuple):
    """A frame of a video."""

    time: float
    """Seconds since the first frame."""
    image: Any
    """Upright RGB, a numpy array of height x width x 3 bytes."""
    grey: bytes
    """The image at GREY_SIZE, not rotated, a byte a pixel."""


class Frames(Protocol):
    """The frames of a video, in order of time. The properties are known from the first frame on."""

    @property
    def width(self) -> int:
        """Pixels of the upright image, which are square."""
        ...

    @property
    def height(self) -> int: ...

    @property
    def rotation(self) -> int:
        """Degrees clockwise by which the stored image was turned: 0, 90, 180 or 270."""
        ...

    @property
    def is_mirrored(self) -> bool:
        """Whether the stored image was mirrored left to right, before it was turned."""
        ...

    @property
    def declared_frames(self) -> int:
        """The count of frames that the container declares, 0 if it does not."""
        ...

    @property
    def declared_duration(self) -> float:
        """Seconds that the container declares, 0 if it does not."""
        ...

    @property
    def start(self) -> float:
        """The time of the first frame in the container."""
        ...

    @property
    def untimed(self) -> int:
        """Frames without a time in the container; theirs follows from the frame rate."""
        ...

    @property
    def skipped(self) -> int:
        """Frames that were left out because their time is not later than that of the frame before."""
        ...

    def __iter__(self) -> Iterator[Frame]: ...


class Orientation(NamedTuple):
    """How a stored image becomes upright: by swapping its axes, and then flipping rows or columns."""

    swaps: bool = False
    flips_rows: bool = False
    flips_columns: bool = False
    rotation: int = 0
    is_mirrored: bool = False

    @classmethod
    def of_matrix(cls, matrix: bytes) -> "Orientation":
        """The orientation closest to a container's display matrix, nine integers of 32 bits.

        Source: FFmpeg, libavutil/display.h: a pixel at (p, q) is shown at (a p + c q, b p + d q).
        """
        a, b, _, c, d = struct.unpack("=5i", matrix[:20])
        swaps = abs(b) > abs(a)
        rows, columns = (b, c) if swaps else (d, a)
        is_mirrored = a * d - b * c < 0
        # A mirrored matrix is a mirror image left to right, which is then turned.
        turn = math.degrees(math.atan2(-b, -a) if is_mirrored else math.atan2(b, a))
        return cls(swaps, rows < 0, columns < 0, round(turn / 90) * 90 % 360, is_mirrored)

    def upright(self, image: Any) -> Any:
        """Turns an array of height x width x 3."""
        import numpy

        if self.swaps:
            image = image.swapaxes(0, 1)
        if self.flips_rows:
            image = image[::-1]
        if self.flips_columns:
            image = image[:, ::-1]
        return numpy.ascontiguousarray(image)


class Clock:
    """Times of frames since the first one, from their timestamps or else from the frame rate."""

    def __init__(self, seconds_per_frame: float) -> None:
        self.seconds_per_frame = seconds_per_frame
        self.untimed = 0
        self.skipped = 0
        self.start: Optional[float] = None
        self._last = 0.0

    def time(self, timestamp: Optional[float]) -> Optional[float]:
        """Seconds since the first frame; None for a frame that is not later than the one before.

        - timestamp: the frame's seconds in the container, or None.
        """
        if timestamp is None:
            self.untimed += 1
            timestamp = 0.0 if self.start is None else self.start + self._last + self.seconds_per_frame
        if self.start is None:
            self.start = timestamp
            return 0.0
        time = timestamp - self.start
        # Files have microseconds.
        if time - self._last < 1e-6:
            self.skipped += 1
            return None
        self._last = time
        return time


class Video:
    """The frames of a video file, by PyAV."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.width = self.height = self.rotation = 0
        self.is_mirrored = False
        self.declared_frames = 0
        self.declared_duration = 0.0
        self._clock = Clock(0)

    @property
    def start(self) -> float:
        return self._clock.start or 0.0

    @property
    def untimed(self) -> int:
        return self._clock.untimed

    @property
    def skipped(self) -> int:
        return self._clock.skipped

    def __iter__(self) -> Iterator[Frame]:
        """Raises VideoError if the file cannot be decoded to its end, or has no frames."""
        import av

        try:
            with av.open(self.path, **_lenient()) as container:
                yield from self._frames(container)
        except av.error.FFmpegError as error:
            raise VideoError(f"cannot decode: {error.strerror or error}") from error
        if not self.width:
            raise VideoError("no frame in the video stream")

    def _frames(self, container: Any) -> Iterator[Frame]:
        if not container.streams.video:
            raise VideoError("no video stream")
        stream = container.streams.video[0]
        # Videos run in parallel, a process each.
        stream.codec_context.thread_count = 1
        self.declared_frames = stream.frames
        self.declared_duration = (container.duration or 0) / 1e6
        self._clock = Clock(float(1 / (stream.average_rate or 30)))
        orientation = Orientation()
        size = (0, 0)
        is_avi = container.format.name == "avi"
        if is_avi:
            # An AVI file counts repeated frames, which are not stored.
            self.declared_frames = 0
        for decoded, timestamp in _timed_by_packets(container, stream) if is_avi else _timed(container, stream):
            if not self.width:
                orientation = _orientation(decoded)
                size = _square_pixels(decoded, stream.sample_aspect_ratio)
                self._set_facts(size, orientation)
            time = self._clock.time(timestamp)
            if time is None:
                continue
            image = decoded.to_ndarray(format="rgb24", width=size[0], height=size[1])
            yield Frame(time, orientation.upright(image), _grey(decoded))

    def _set_facts(self, size: Tuple[int, int], orientation: Orientation) -> None:
        self.width, self.height = size[::-1] if orientation.swaps else size
        self.rotation, self.is_mirrored = orientation.rotation, orientation.is_mirrored


def _lenient() -> Dict[str, Any]:
    """The option of PyAV before 19 that reads titles in other encodings; later versions always do."""
    import av

    return {"metadata_errors": "replace"} if int(av.__version__.split(".")[0]) < 19 else {}


def _timed(container: Any, stream: Any) -> Iterator[Tuple[Any, Optional[float]]]:
    """The frames of a stream and their seconds in the container."""
    for frame in container.decode(stream):
        yield frame, None if frame.pts is None else float(frame.pts * frame.time_base)


def _timed_by_packets(container: Any, stream: Any) -> Iterator[Tuple[Any, Optional[float]]]:
    """The same for AVI, which has no presentation times: its packets have increasing times, and each makes a frame."""
    times: Deque[float] = collections.deque()
    for packet in container.demux(stream):
        if packet.size and packet.dts is not None:
            times.append(float(packet.dts * packet.time_base))
        for frame in packet.decode():
            yield frame, times.popleft() if times else None


def _orientation(frame: Any) -> Orientation:
    data = frame.side_data.get("DISPLAYMATRIX")
    return Orientation() if data is None else Orientation.of_matrix(bytes(data))


def _square_pixels(frame: Any, aspect: Any) -> Tuple[int, int]:
    """The size of a frame when its pixels are made square."""
    return (max(1, round(frame.width * float(aspect))) if aspect else frame.width, frame.height)


def _grey(frame: Any) -> bytes:
    width, height = GREY_SIZE
    plane = frame.reformat(width=width, height=height, format="gray", interpolation="AREA").planes[0]
    data = bytes(plane)
    return b"".join(data[row * plane.line_size : row * plane.line_size + width] for row in range(height))
