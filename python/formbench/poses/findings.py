"""Tells what may be wrong with a video and its keypoints."""

from __future__ import annotations

import math
import statistics
from typing import List, Optional, Sequence

from .estimators import Person
from .video import Frames

_MOST_EMPTY = 0.1
"""The share of frames without a person that is no finding."""

_CUT = 18.0
"""The least mean difference of grey levels (0 to 255) at a cut."""
_CUT_RATIO = 6.0
"""The least ratio of the difference at a cut to the median of those around it."""
_CUT_REACH = 12
"""Frames before and after a cut that show how much the picture moves."""

_JUMP = 0.7
"""The least jump to another person, in diagonals of the body's bounding box."""
_JUMP_SPEED = 4.0
"""Diagonals a second that a moving person covers at most."""
_LONGEST_JUMP = 0.5
"""The most seconds between the frames before and after a jump."""
_JUMP_REACH = 4
"""Frames before and after a jump that must lie apart, too."""
_FEWEST_AROUND = 3
"""The fewest frames on each side of a jump: a person is often misplaced in the first frame or the last."""

_LEAST_DECODED = 0.95
"""The least share of the declared frames that is no finding."""
_LEAST_SECONDS = 0.9
"""The same of the declared seconds, as sound may be longer than the picture; and a second less."""


def findings(
    video: Frames, times: Sequence[float], people: Sequence[Sequence[Optional[Person]]], greys: Sequence[bytes]
) -> List[str]:
    """The findings of a video as sentences, the worst first.

    - times: seconds of each frame; people: those in each frame; greys: each frame as a small grey image.
    """
    cuts = cut_frames(greys)
    aspect = video.width / video.height
    found = [
        _nobody(people),
        *(f"cut at {times[frame]:.2f} s" for frame in cuts),
        *(f"the body jumps at {times[frame]:.2f} s, probably to another person"
          for frame in jump_frames(times, people, aspect) if not _is_near(frame, cuts)),
        variable_rate(times),
        *_decoding(video, times),
    ]
    return [text for text in found if text]


def _nobody(people: Sequence[Sequence[Optional[Person]]]) -> Optional[str]:
    empty = sum(not any(frame) for frame in people)
    if empty == len(people):
        return "nobody in any frame"
    return f"nobody in {100 * empty / len(people):.0f} % of frames" if empty > _MOST_EMPTY * len(people) else None


def _decoding(video: Frames, times: Sequence[float]) -> List[str]:
    found = []
    decoded = len(times) + video.skipped
    if decoded < _LEAST_DECODED * video.declared_frames:
        found.append(f"only {decoded} of {video.declared_frames} declared frames can be decoded")
    end = video.start + times[-1]
    if not video.declared_frames and end < _LEAST_SECONDS * video.declared_duration - 1:
        found.append(f"frames end at {end:.1f} s of {video.declared_duration:.1f} s")
    if video.skipped:
        found.append(f"left out {video.skipped} frames whose times do not increase")
    if video.untimed:
        found.append(f"no times in the file for {video.untimed} frames: the frame rate was assumed")
    return found


def variable_rate(times: Sequence[float]) -> Optional[str]:
    """The range of steps between frames, if some are half as long as the median one, or half as long again."""
    steps = [later - earlier for earlier, later in zip(times, times[1:])]
    if not steps:
        return None
    middle = statistics.median(steps)
    if max(steps) <= 1.5 * middle and min(steps) >= 0.5 * middle:
        return None
    return (
        f"variable frame rate: frames {1000 * min(steps):.0f} to {1000 * max(steps):.0f} ms apart, "
        f"median {1000 * middle:.0f} ms"
    )


def cut_frames(greys: Sequence[bytes]) -> List[int]:
    """The first frames after cuts.

    At a cut, the pictures of the two frames before differ from those of the two frames after, and the difference stands
    out from those nearby: that of a flash, of a change of exposure and of a fast pan do not.
    """
    steps = [0.0, *(_difference(earlier, later) for earlier, later in zip(greys, greys[1:]))]
    cuts: List[int] = []
    for frame in range(1, len(greys)):
        if steps[frame] < _CUT or not _stands_out(steps, frame) or _is_near(frame, cuts):
            continue
        before = greys[max(0, frame - 2) : frame]
        after = greys[frame : frame + 2]
        if all(_difference(one, other) >= _CUT for one in before for other in after):
            cuts.append(frame)
    return cuts


def _stands_out(steps: Sequence[float], frame: int) -> bool:
    around = [*steps[max(1, frame - _CUT_REACH) : frame], *steps[frame + 1 : frame + 1 + _CUT_REACH]]
    if around and steps[frame] < _CUT_RATIO * statistics.median(around):
        return False
    # Videos whose rate was converted blend the two frames at a cut, which makes two steps of it.
    near = [*steps[max(1, frame - 2) : frame], *steps[frame + 1 : frame + 3]]
    return sum(2 * step > steps[frame] for step in near) <= 1


def _difference(one: bytes, other: bytes) -> float:
    """The mean difference of two grey images, apart from their brightness."""
    differences = [b - a for a, b in zip(one, other)]
    shift = statistics.fmean(differences)
    return statistics.fmean(abs(difference - shift) for difference in differences)


def jump_frames(
    times: Sequence[float], people: Sequence[Sequence[Optional[Person]]], aspect: float
) -> List[int]:
    """The first frames after the body jumped farther than a person moves, and stayed there.

    Empty if there are several people in a frame, as bench chooses the subject.

    - aspect: width of the image, in heights.
    """
    if any(len(frame) > 1 for frame in people):
        return []
    found = [(index, _Place(frame[0], aspect)) for index, frame in enumerate(people) if frame and frame[0]]
    jumps = []
    for position in range(_FEWEST_AROUND, len(found) - _FEWEST_AROUND + 1):
        (earlier, before), (later, after) = found[position - 1 : position + 1]
        seconds = times[later] - times[earlier]
        if seconds > _LONGEST_JUMP:
            continue
        least = _JUMP + _JUMP_SPEED * seconds
        near = found[max(0, position - _JUMP_REACH) : position], found[position : position + _JUMP_REACH]
        pairs = [(one, other) for _, one in near[0] for _, other in near[1]]
        if before.distance(after) >= least and all(one.distance(other) >= _JUMP for one, other in pairs):
            jumps.append(later)
    return jumps


class _Place:
    """Where a body is in the image, and how large, in image heights."""

    def __init__(self, person: Person, aspect: float) -> None:
        xs = [point[0] * aspect for point in person if point]
        ys = [point[1] for point in person if point]
        self.x, self.y = statistics.median(xs), statistics.median(ys)
        self.size = math.hypot(max(xs) - min(xs), max(ys) - min(ys))

    def distance(self, other: "_Place") -> float:
        """In diagonals of the larger body's bounding box; 0 if both are points."""
        size = max(self.size, other.size)
        return math.hypot(self.x - other.x, self.y - other.y) / size if size else 0.0


def _is_near(frame: int, cuts: Sequence[int]) -> bool:
    return any(abs(frame - cut) <= 3 for cut in cuts)
