"""What to know of a video before its keypoints are trusted."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

# More than this share of frames without a person is said.
_NOBODY = 0.1
# A correlation of two small grey images below this is another scene, one above _SAME the same.
_CUT, _SAME = 0.4, 0.8
# Grey levels of an image with less contrast cannot be correlated.
_FLAT = 3.0
# A jump is further than half a body size, or faster than 8 a second (4 m/s), or changes the size by half.
_JUMP, _SPEED, _GROWTH = 0.5, 8.0, 1.5
# The longest gap over which a body is compared, in seconds.
_GAP = 0.5
# Frames on both sides of a cut or jump that must be calm.
_CALM = 3
# A rate varies if its intervals differ by more than this share of their median, and by more than rounding.
_VARIES, _ROUNDING = 0.1, 0.002
# More seconds than this without a frame before the end that the header says.
_EARLY = 1.0


@dataclass(frozen=True)
class Finding:
    """A finding with the times of the container, in seconds."""

    kind: str
    text: str
    times: tuple[float, ...] = ()

    def plain(self) -> dict[str, Any]:
        """As in poses.json."""
        return {"kind": self.kind, "text": self.text, **({"times_s": list(self.times)} if self.times else {})}


@dataclass(frozen=True)
class Body:
    """Where a person is, in pixels."""

    x: float
    y: float
    # The longer of trunk and shoulders: one of them is seen in full from any side.
    size: float

    @staticmethod
    def of(pose: npt.NDArray[np.float32], trunk: Sequence[int], image: tuple[int, int]) -> Body | None:
        """None if the trunk was not found or is hardly visible; `trunk` are the places of shoulders and hips."""
        points = pose[list(trunk)]
        if not np.isfinite(points[:, :2]).all() or points[:, 3].mean() < 0.5:
            return None
        left, right, left_hip, right_hip = points[:, :2] * image
        shoulders, hips = (left + right) / 2, (left_hip + right_hip) / 2
        size = max(float(np.linalg.norm(shoulders - hips)), float(np.linalg.norm(left - right)))
        x, y = (shoulders + hips) / 2
        return Body(float(x), float(y), size) if size > 0 else None


class Watch:
    """Sees the frames of a video one after the other."""

    def __init__(self, keypoints: Sequence[str], people: int = 1) -> None:
        names = ("left_shoulder", "right_shoulder", "left_hip", "right_hip")
        # People are numbered where there can be several: only of one the body may be another's.
        follows = people == 1 and all(name in keypoints for name in names)
        self._trunk = [list(keypoints).index(name) for name in names] if follows else []
        self._times: list[float] = []
        self._empty = 0
        # For each frame, the likeness to the one before.
        self._likeness: list[float] = []
        self._scene: npt.NDArray[np.float64] | None = None
        self._bodies: list[tuple[float, Body]] = []

    def see(
        self, time: float, grey: npt.NDArray[np.uint8], people: Sequence[npt.NDArray[np.float32]], image: tuple[int, int]
    ) -> None:
        """Sees a frame; `image` is its width and height."""
        self._times.append(time)
        self._likeness.append(self._like(grey))
        self._empty += not people
        body = Body.of(people[0], self._trunk, image) if people and self._trunk else None
        if body:
            self._bodies.append((time, body))

    def _like(self, grey: npt.NDArray[np.uint8]) -> float:
        """The correlation with the last frame that shows something: no change of brightness lowers it."""
        values = grey.astype(np.float64).ravel()
        if values.std() < _FLAT:
            return 1.0
        scene = (values - values.mean()) / values.std()
        before, self._scene = self._scene, scene
        return 1.0 if before is None else float((before * scene).mean())

    @property
    def empty(self) -> int:
        """Frames without a person."""
        return self._empty

    def findings(self, repeated: int = 0, missing_seconds: float = 0.0) -> list[Finding]:
        cuts = self.cuts()
        found = [self._nobody(), _at("cut", "cut to another scene", cuts),
                 _at("jump", "the body jumps, perhaps to another person,", self.jumps(cuts)), self._rate()]
        if repeated:
            found.append(Finding("repeated", f"{repeated} frames left out: their time is not after the frame before"))
        if missing_seconds > _EARLY:
            found.append(Finding("early", f"ends {missing_seconds:.1f} s before the end that its header says"))
        return [finding for finding in found if finding]

    def _nobody(self) -> Finding | None:
        share = self._empty / len(self._times) if self._times else 0
        return Finding("nobody", f"nobody in {share:.0%} of frames".replace("%", " %")) if share > _NOBODY else None

    def cuts(self) -> list[float]:
        """The times of the first frames of other scenes. A camera that moves fast is unlike in several frames."""
        return [
            self._times[place] for place, like in enumerate(self._likeness)
            if like < _CUT and all(near > _SAME for near in _around(self._likeness, place))
        ]

    def jumps(self, cuts: Sequence[float]) -> list[float]:
        """The times at which the body is elsewhere than before, and stays there."""
        found: list[float] = []
        for place in range(_CALM, len(self._bodies) - _CALM + 1):
            time = self._bodies[place][0]
            before, after = self._bodies[place - _CALM:place], self._bodies[place:place + _CALM]
            if found and time - found[-1] < _GAP or after[-1][0] - before[0][0] > 2 * _GAP:
                continue
            if any(before[0][0] < cut <= after[-1][0] for cut in cuts):
                continue
            step = time - before[-1][0]
            sides = (_middle(before), _middle(after))
            if step <= _GAP and _is_jump(before[-1][1], after[0][1], step) and _is_jump(*sides, step):
                found.append(time)
        return found

    def _rate(self) -> Finding | None:
        steps = [after - before for before, after in zip(self._times, self._times[1:])]
        if not steps or max(steps) - min(steps) <= max(_ROUNDING, _VARIES * statistics.median(steps)):
            return None
        return Finding("rate", f"variable frame rate: frames {min(steps) * 1000:.0f} to {max(steps) * 1000:.0f} ms apart")


def _around(values: Sequence[float], place: int) -> list[float]:
    return [*values[max(0, place - _CALM):place], *values[place + 1:place + 1 + _CALM]]


def _middle(bodies: Sequence[tuple[float, Body]]) -> Body:
    return Body(*(statistics.median(getattr(body, name) for _, body in bodies) for name in ("x", "y", "size")))


def _is_jump(before: Body, after: Body, seconds: float) -> bool:
    size = max(before.size, after.size)
    grown = size / min(before.size, after.size)
    return math.hypot(after.x - before.x, after.y - before.y) > max(_JUMP, _SPEED * seconds) * size or grown > _GROWTH


def _at(kind: str, text: str, times: Sequence[float]) -> Finding | None:
    """Tells the first five times."""
    if not times:
        return None
    told = ", ".join(f"{time:.1f}" for time in times[:5])
    more = f" and {len(times) - 5} more times" if len(times) > 5 else ""
    return Finding(kind, f"{text} at {told} s{more}", tuple(round(time, 3) for time in times))
