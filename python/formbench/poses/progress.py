"""Shows how many videos are done, and how long the rest takes."""

from __future__ import annotations

import os
import time
from typing import Dict, Sequence, TextIO

from .pool import Event
from .sources import Source


class Progress:
    """One line that changes on a terminal, or else a line a video."""

    def __init__(self, sources: Sequence[Source], output: TextIO) -> None:
        # The work grows with the length of videos, of which their size is a guess.
        self._sizes = {source.name: max(1, os.path.getsize(source.path)) for source in sources}
        self._shares: Dict[str, float] = {}
        self._done = 0
        self._start = time.monotonic()
        self._output = output
        self._is_terminal = output.isatty()

    def show(self, event: Event) -> None:
        self._shares[event.source.name] = 1.0 if event.is_end else event.share
        if event.error:
            # It may have failed at once.
            self._sizes[event.source.name] = 0
        self._done += event.is_end
        text = f"{self._done} of {len(self._sizes)} videos{self._time_left()}"
        if self._is_terminal:
            self._output.write(f"\r\033[K{text}")
        elif event.is_end:
            self._output.write(f"{text}: {event.source.name}{' failed' if event.error else ''}\n")
        self._output.flush()

    def clear(self) -> None:
        if self._is_terminal:
            self._output.write("\r\033[K")
            self._output.flush()

    def _time_left(self) -> str:
        done = sum(self._sizes[name] * share for name, share in self._shares.items())
        total = sum(self._sizes.values())
        if self._done == len(self._sizes) or not done:
            return ""
        return f", {duration((time.monotonic() - self._start) * (total - done) / done)} left"


def duration(seconds: float) -> str:
    """Seconds as 40 s, 12 min or 3 h 20 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
