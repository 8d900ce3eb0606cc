"""Finds keypoints in videos and writes them as files that `bench dataset import` reads.

    python -m formbench.poses VIDEOS --to KEYPOINTS

`Estimator` is the interface of your own pose estimator. See python/README.md.
"""

from .estimators import Estimator, Keypoint, Person

__all__ = ["Estimator", "Keypoint", "Person"]
