"""Pose estimators: MediaPipe, and how to add another.

    class Apart:
        name, model, version = "apart", "apart-small", "2.1"
        keypoints = ["nose", "left_shoulder", ...]

        def find(self, image, time_seconds):
            return [person.points for person in self.net(image)]
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Protocol, Sequence, cast

if TYPE_CHECKING:
    import numpy.typing as npt

MEDIAPIPE = "formbench.poses.estimators:MediaPipePose"


class Estimator(Protocol):
    """Finds people in the frames of one video, in their order: each video gets an object of its own.

    The class has `name`, `model` and `version`: a video is done again if one of them changes. `keypoints` are the names
    of the points. A class that finds more than one person also says `people = 5`, the most in a frame.
    """

    name: str
    model: str
    version: str
    keypoints: Sequence[str]

    def find(self, image: npt.NDArray[Any], time_seconds: float) -> Sequence[npt.ArrayLike]:
        """The people in an upright image, height x width x RGB in bytes.

        Each is an array, keypoints x (x, y, z, visibility): x and y as shares of the image with y down, z on the scale
        of x, visibility 0 to 1. NaN is a value that was not found.
        """
        ...


class EstimatorError(Exception):
    """An estimator that cannot be used, and what to do."""


class MediaPipePose:
    """BlazePose of MediaPipe with its full model, following one person."""

    name = "mediapipe"
    model = "pose_landmark_full"
    keypoints = (
        "nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye", "right_eye_outer",
        "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder", "right_shoulder", "left_elbow",
        "right_elbow", "left_wrist", "right_wrist", "left_pinky", "right_pinky", "left_index", "right_index",
        "left_thumb", "right_thumb", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle",
        "left_heel", "right_heel", "left_foot_index", "right_foot_index",
    )
    version = importlib.metadata.version("mediapipe") if importlib.util.find_spec("mediapipe") else ""

    def __init__(self) -> None:
        with _quiet():
            from mediapipe.python.solutions.pose import Pose

            self._pose = Pose(model_complexity=1)
        self._first: float | None = None

    def find(self, image: npt.NDArray[Any], time_seconds: float) -> list[list[tuple[float, float, float, float]]]:
        if self._first is None:
            self._first = time_seconds
            with _quiet():
                return self._people(image, 0)
        return self._people(image, time_seconds - self._first)

    def _people(self, image: npt.NDArray[Any], time: float) -> list[list[tuple[float, float, float, float]]]:
        # `process` advances its clock by a thirtieth of a second. Its smoothing filter needs the video's times.
        self._pose._simulated_timestamp = round(time * 1e6)
        found = self._pose.process(image).pose_landmarks
        return [[(point.x, point.y, point.z, point.visibility) for point in found.landmark]] if found else []


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Discards what native code writes to standard error: MediaPipe's log has no switch."""
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def load(name: str) -> Callable[[], Estimator]:
    """The class of `MODULE:CLASS`."""
    if name == MEDIAPIPE and not MediaPipePose.version:
        raise EstimatorError("not installed: mediapipe. Run: pip install 'formbench[poses]'")
    module, mark, kind = name.partition(":")
    if not mark:
        raise EstimatorError(f"expected an estimator as MODULE:CLASS, found {name}")
    try:
        found = getattr(importlib.import_module(module), kind)
    except (ImportError, AttributeError) as error:
        raise EstimatorError(f"no estimator {name}: {error}") from error
    missing = [member for member in ("name", "model", "version", "keypoints", "find") if not hasattr(found, member)]
    if missing:
        raise EstimatorError(f"estimator {name}: expected a class with {', '.join(missing)}")
    return cast("Callable[[], Estimator]", found)


def identity(estimator: Any) -> dict[str, str]:
    """What makes keypoints of two estimators different."""
    return {"estimator": estimator.name, "model": estimator.model, "version": estimator.version}
