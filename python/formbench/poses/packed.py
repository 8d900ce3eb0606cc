"""Keeps the keypoints of long videos in little memory."""

from __future__ import annotations

import math
from array import array
from typing import Collection, Iterator, Optional

from .estimators import Keypoint, Person

_CHANNELS = 4


class PackedPerson(Collection[Optional[Keypoint]]):
    """A person as 32-bit floats: an hour of 33 keypoints at 30 frames a second takes 60 MB, and as tuples 700 MB."""

    __slots__ = ("_values",)

    def __init__(self, person: Person) -> None:
        missing = (math.nan,) * _CHANNELS
        self._values = array("f")
        for point in person:
            self._values.extend(math.nan if value is None else value for value in point or missing)

    def __len__(self) -> int:
        return len(self._values) // _CHANNELS

    def __iter__(self) -> Iterator[Optional[Keypoint]]:
        for start in range(0, len(self._values), _CHANNELS):
            x, y, z, visibility = self._values[start : start + _CHANNELS]
            if math.isnan(x) or math.isnan(y):
                yield None
            else:
                yield x, y, None if math.isnan(z) else z, None if math.isnan(visibility) else visibility

    def __contains__(self, point: object) -> bool:
        return any(point == own for own in self)
