"""Finds videos, and the files of keypoints that they become."""

from __future__ import annotations

import os
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

ENDINGS = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm")


class Source(NamedTuple):
    """A video to read."""

    path: str
    name: str
    """The path below the folder of keypoints, with the video's own ending and / between folders."""

    @property
    def table(self) -> str:
        """The path of its keypoints below their folder."""
        return os.path.splitext(self.name)[0] + ".csv"


def find_videos(paths: Sequence[str]) -> Tuple[List[Source], Dict[str, str]]:
    """The videos among files and in folders, sorted by name; and errors by name.

    A folder's videos are named by their paths below it. If there are several paths, the folder's own name comes first.
    Two videos whose keypoints would be the same file are an error of the second.

    Raises FileNotFoundError if a path does not exist.
    """
    sources: Dict[str, Source] = {}
    errors: Dict[str, str] = {}
    for path in paths:
        for source in sorted(_videos(path, keeps_name=len(paths) > 1), key=lambda source: source.name):
            # Case makes no difference in the file systems of macOS and Windows.
            other = sources.setdefault(source.table.casefold(), source)
            if not _is_same(other.path, source.path):
                errors[source.name] = f"same keypoint file as {other.path}: rename one of them"
    return sorted(sources.values(), key=lambda source: source.name), errors


def _videos(path: str, keeps_name: bool) -> Iterator[Source]:
    if os.path.isfile(path):
        yield Source(path, os.path.basename(path))
        return
    if not os.path.isdir(path):
        raise FileNotFoundError(path)
    base = os.path.dirname(os.path.abspath(path)) if keeps_name else os.path.abspath(path)
    for folder, folders, files in os.walk(os.path.abspath(path)):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            # macOS writes ._NAME beside NAME on foreign disks.
            if name.lower().endswith(ENDINGS) and not name.startswith("."):
                below = os.path.relpath(os.path.join(folder, name), base)
                yield Source(os.path.join(folder, name), below.replace(os.sep, "/"))


def _is_same(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)
