"""Pose estimators: the interface, MediaPipe, and how one is chosen by name."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from typing import Any, Collection, List, Optional, Protocol, Sequence, Tuple, Type

Keypoint = Tuple[float, float, Optional[float], Optional[float]]
"""x and y as shares of the upright image, y down; z on the scale of x, or None; visibility 0 to 1, or None."""

Person = Collection[Optional[Keypoint]]
"""The keypoints in the order of `Estimator.keypoints`; None for one that was not found."""


class Estimator(Protocol):
    """Finds people in the frames of one video. A new object is made for each video, without arguments.

    The properties are attributes of the class. If name, model or version change, all videos are done again. A method
    `close`, if there is one, is called after the last frame.
    """

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def keypoints(self) -> Sequence[str]:
        """Names such as left_knee."""
        ...

    def find(self, image: Any, time: float) -> Sequence[Optional[Person]]:
        """The people in a frame; empty if there is nobody.

        A person keeps the same position in the list in all frames; None marks a person who is not in this frame.

        - image: an upright RGB image, a numpy array of height x width x 3 bytes.
        - time: seconds since the first frame, always increasing.
        """
        ...


def _installed_version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


class MediaPipe:
    """BlazePose of MediaPipe: one person, with the full model that the package carries."""

    name = "mediapipe"
    model = "pose_landmark_full"
    version = _installed_version("mediapipe")
    keypoints = (
        "nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye", "right_eye_outer",
        "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder", "right_shoulder", "left_elbow",
        "right_elbow", "left_wrist", "right_wrist", "left_pinky", "right_pinky", "left_index", "right_index",
        "left_thumb", "right_thumb", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle",
        "left_heel", "right_heel", "left_foot_index", "right_foot_index",
    )

    _STEP = 33333
    """The microseconds that MediaPipe adds to its own clock before each image."""

    def __init__(self) -> None:
        import mediapipe  # type: ignore[import-untyped]

        self._pose = mediapipe.solutions.pose.Pose(model_complexity=1)

    def find(self, image: Any, time: float) -> List[Person]:
        # MediaPipe smooths by its clock, which assumes 30 frames a second. This sets the clock to the video's time.
        self._pose._simulated_timestamp = round(time * 1e6) - self._STEP
        found = self._pose.process(image).pose_landmarks
        return [[(point.x, point.y, point.z, point.visibility) for point in found.landmark]] if found else []

    def close(self) -> None:
        """Frees 100 MB, which MediaPipe otherwise keeps."""
        self._pose.close()


def require(package: str) -> None:
    """Raises ModuleNotFoundError if a package is missing, without importing it."""
    if importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def estimator_class(name: str) -> Type[Estimator]:
    """The class of `mediapipe`, or of MODULE:CLASS, which is imported.

    Raises ValueError if there is no such class, and ModuleNotFoundError if a package is missing.
    """
    if name == "mediapipe":
        require("mediapipe")
        return MediaPipe
    module, colon, member = name.partition(":")
    if not (module and colon and member):
        raise ValueError(f"expected --estimator MODULE:CLASS, such as mine:Estimator, found {name}")
    try:
        found: Type[Estimator] = getattr(importlib.import_module(module), member)
    except AttributeError:
        raise ValueError(f"module {module} has no class {member}") from None
    missing = [attribute for attribute in ("name", "model", "version", "keypoints") if not hasattr(found, attribute)]
    if missing:
        raise ValueError(f"class {member} of {module} has no attribute {' and no '.join(missing)}")
    return found
