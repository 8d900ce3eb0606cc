"""Makes the keypoints of one video."""

from __future__ import annotations

import os
import statistics
from typing import Callable, List, Optional, Sequence

from .estimators import Estimator, Person
from .findings import findings
from .packed import PackedPerson
from .records import Record, describe_estimator, describe_file
from .sources import Source
from .table import is_ours, write_table
from .video import Frame, Frames, Video, VideoError

OpenVideo = Callable[[str], Frames]
"""Opens the video at a path."""


def convert(
    source: Source, folder: str, estimator: Estimator, open_video: OpenVideo = Video,
    progress: Callable[[float], None] = lambda share: None,
) -> Record:
    """Writes a video's keypoints below `folder` and returns its record.

    Raises VideoError if the video cannot be decoded, or if its place is taken by another file.

    - estimator: a new one, as it may follow the person from frame to frame.
    - progress: is called with the share that is done, 0 to 1, after each frame.
    """
    path = os.path.join(folder, source.table)
    if os.path.exists(path) and not is_ours(path):
        raise VideoError(f"{path} exists and has other content: move it away, or choose another --to")
    file = describe_file(source.path)
    video = open_video(source.path)
    times: List[float] = []
    people: List[Sequence[Optional[Person]]] = []
    greys: List[bytes] = []
    for frame in video:
        times.append(frame.time)
        people.append(_find(estimator, frame))
        greys.append(frame.grey)
        progress(min(1.0, frame.time / video.declared_duration) if video.declared_duration else 0.0)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_table(path, estimator.keypoints, times, people, video.width, video.height)
    return {
        **file,
        "width": video.width, "height": video.height, "rotation": video.rotation, "mirrored": video.is_mirrored,
        "frames": len(times), "seconds": round(_duration(times), 6),
        **describe_estimator(estimator),
        "findings": findings(video, times, people, greys),
    }


def _find(estimator: Estimator, frame: Frame) -> List[Optional[Person]]:
    """Raises ValueError if a person has another number of keypoints than the estimator names."""
    people: List[Optional[Person]] = []
    for person in estimator.find(frame.image, frame.time):
        if person and len(person) != len(estimator.keypoints):
            raise ValueError(f"expected {len(estimator.keypoints)} keypoints a person, found {len(person)}")
        people.append(PackedPerson(person) if person else None)
    return people


def _duration(times: Sequence[float]) -> float:
    """Seconds from the first frame to the end of the last, which lasts as long as most."""
    steps = [later - earlier for earlier, later in zip(times, times[1:])]
    return times[-1] + (statistics.median(steps) if steps else 0.0)
