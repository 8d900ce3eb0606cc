"""Finds keypoints in videos and writes them as files that bench dataset import reads.

    python -m formbench.poses VIDEOS --to KEYPOINTS

Needs av, numpy and mediapipe: pip install './python[poses]'. Another estimator is a class with the members of
`Estimator`.
"""

from .estimators import Estimator

__all__ = ["Estimator"]
