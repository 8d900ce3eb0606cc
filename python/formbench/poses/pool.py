"""Converts videos in several processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback
from multiprocessing.connection import Connection, wait
from typing import Callable, Generator, Iterator, List, NamedTuple, Optional, Sequence

from .convert import OpenVideo, convert
from .estimators import Estimator, estimator_class
from .records import Record
from .sources import Source
from .table import discard_partial
from .video import Video, VideoError

_SECONDS_BETWEEN_REPORTS = 0.5


class Event(NamedTuple):
    """What a process tells of a video: a share that is done, its record, or an error."""

    source: Source
    share: float = 0.0
    record: Optional[Record] = None
    error: Optional[str] = None

    @property
    def is_end(self) -> bool:
        """Whether the video is done or failed."""
        return self.record is not None or self.error is not None


class _Worker:
    """A process that converts one video after the other."""

    def __init__(self, folder: str, estimator: str, open_video: OpenVideo, source: Source) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.is_alive = True
        self.log = tempfile.NamedTemporaryFile(prefix="formbench-poses-", suffix=".log")
        arguments = (theirs, folder, estimator, open_video, self.log.name)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        with _interrupts_blocked():
            self.process.start()
        theirs.close()
        self.begin(source)

    def begin(self, source: Source) -> None:
        self.source = source
        with contextlib.suppress(BrokenPipeError):
            self.pipe.send(source)

    def receive(self) -> Event:
        """The next event; if the process has ended, that is an error of its video."""
        try:
            event: Event = self.pipe.recv()
            return event
        except (EOFError, ConnectionError):
            self.is_alive = False
            return Event(self.source, error=self._failure())

    def _failure(self) -> str:
        self.process.join()
        code = self.process.exitcode or 0
        if code < 0:
            return f"the process was ended by {signal.Signals(-code).name}"
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if line.strip()]
        return f"the process ended with code {code}: {lines[-1] if lines else 'no message'}"

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.log.close()


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Ctrl-C reaches all processes of the terminal: those that start here inherit that it is blocked."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def convert_all(
    sources: Sequence[Source], folder: str, estimator: str, workers: int, open_video: OpenVideo = Video
) -> Generator[Event, None, None]:
    """Converts videos in up to `workers` processes, and yields events as they come.

    Every video ends with a record or an error. A process that ends by itself is an error of its video only. Closing the
    iterator stops the processes.
    """
    left = list(reversed(sources))
    busy: List[_Worker] = []
    try:
        while left and len(busy) < workers:
            busy.append(_Worker(folder, estimator, open_video, left.pop()))
        while busy:
            for worker in _ready(busy):
                event = worker.receive()
                yield event
                if not event.is_end:
                    continue
                if left and worker.is_alive:
                    worker.begin(left.pop())
                    continue
                busy.remove(worker)
                worker.stop()
                if left:
                    busy.append(_Worker(folder, estimator, open_video, left.pop()))
    finally:
        for worker in busy:
            worker.stop()
            discard_partial(os.path.join(folder, worker.source.table))


def _ready(workers: Sequence[_Worker]) -> List[_Worker]:
    """Waits for processes that tell something or have ended."""
    pipes = wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in pipes]


def _work(pipe: Connection, folder: str, estimator: str, open_video: OpenVideo, log: str) -> None:
    """Converts the videos that come through the pipe, until the other end is gone."""
    # Messages of FFmpeg and MediaPipe would mix with the progress.
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(descriptor, sys.stderr.fileno())
    os.dup2(descriptor, sys.stdout.fileno())
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            source = pipe.recv()
            pipe.send(_convert_one(source, folder, estimator, open_video, _reporter(pipe, source)))


def _convert_one(
    source: Source, folder: str, estimator: str, open_video: OpenVideo, progress: Callable[[float], None]
) -> Event:
    try:
        with _closed_later(estimator_class(estimator)()) as new:
            return Event(source, record=convert(source, folder, new, open_video, progress))
    except VideoError as error:
        return Event(source, error=str(error))
    except ConnectionError:
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return Event(source, error=f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})")


@contextlib.contextmanager
def _closed_later(estimator: Estimator) -> Iterator[Estimator]:
    try:
        yield estimator
    finally:
        close = getattr(estimator, "close", None)
        if close:
            close()


def _reporter(pipe: Connection, source: Source) -> Callable[[float], None]:
    """Sends shares that are done, not too often. If the main process is gone, it raises and so ends this one."""
    last = time.monotonic()

    def report(share: float) -> None:
        nonlocal last
        if time.monotonic() - last > _SECONDS_BETWEEN_REPORTS:
            last = time.monotonic()
            pipe.send(Event(source, share=share))

    return report
