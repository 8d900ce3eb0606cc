"""poses.json: which videos are done, of what content, and by which estimator."""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import Any, Dict, Type, Union

from .estimators import Estimator
from .sources import Source
from .table import replacing

NAME = "poses.json"
_VERSION = 1
_SECONDS_BETWEEN_WRITES = 5.0

Record = Dict[str, Any]


def describe_file(path: str) -> Record:
    """The size, time of change and SHA-256 of a video."""
    status = os.stat(path)
    return {"bytes": status.st_size, "modified_ns": status.st_mtime_ns, "sha256": _sha256(path)}


def describe_estimator(estimator: Union[Estimator, Type[Estimator]]) -> Record:
    return {"estimator": estimator.name, "model": estimator.model, "version": estimator.version}


class Records:
    """The records of a folder of keypoints, by the names of their videos."""

    def __init__(self, folder: str) -> None:
        """Raises ValueError if the folder has a file of this name with other content."""
        self.folder = folder
        self.path = os.path.join(folder, NAME)
        self.videos: Dict[str, Record] = {}
        self._written = time.monotonic()
        if os.path.exists(self.path):
            self.videos = self._read()

    def is_done(self, source: Source, estimator: Record) -> bool:
        """Whether the keypoints of a video are there, of the same content and by the same estimator.

        - estimator: as `describe_estimator` returns it.
        """
        record = self.videos.get(source.name)
        if record is None or not os.path.exists(os.path.join(self.folder, source.table)):
            return False
        if any(record.get(key) != value for key, value in estimator.items()):
            return False
        status = os.stat(source.path)
        if record.get("bytes") != status.st_size:
            return False
        # A copy of a video has another time, but the same content.
        return record.get("modified_ns") == status.st_mtime_ns or record.get("sha256") == _sha256(source.path)

    def add(self, name: str, record: Record) -> None:
        """Writes the file from time to time: what a killed run does not note is done again."""
        self.videos[name] = record
        if time.monotonic() - self._written > _SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        content = {"version": _VERSION, "videos": dict(sorted(self.videos.items()))}
        with replacing(self.path) as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.write("\n")
        self._written = time.monotonic()

    def _read(self) -> Dict[str, Record]:
        try:
            with open(self.path, encoding="utf-8") as file:
                content = json.load(file)
            if content["version"] == _VERSION:
                videos: Dict[str, Record] = content["videos"]
                return videos
        except (KeyError, TypeError, ValueError):
            pass
        raise ValueError(f"{self.path} was not written by this version: move it away, or choose another --to")


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()
