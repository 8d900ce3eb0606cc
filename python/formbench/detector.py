"""The protocol between bench and a detector: docs/detector-protocol.md."""

from __future__ import annotations

import inspect
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Callable, Optional

PROTOCOL = 1

# Seconds after which answers are sent even if more frames are waiting: bench times out without a line.
_LONGEST_HOLD = 0.1
_PIECE = 1 << 16

Message = dict[str, Any]
Event = dict[str, Any]
Point = list[Optional[float]]
# A function of a clip and its frames, or a class.
Detector = Callable[..., Any]


class Clip:
    """The facts about a clip before its first frame.

    `fps` is in frames per second. `unit` is that of the points: pixels, image, image heights, metres or relative.
    `size` is the image's width and height in that unit, None if unknown. `y` is down or up. `joints` names the points
    in a frame's order, and `channels` the numbers of a point: x, y and perhaps z and confidence. `parameters` are the
    detector's values by name. Raises ValueError for another protocol.
    """

    def __init__(self, start: Message) -> None:
        if start.get("protocol") != PROTOCOL:
            raise ValueError(f"expected protocol {PROTOCOL}, found {start.get('protocol')}")
        self.name: str = start["clip"]
        self.fps: float = start["fps"]
        self.unit: str = start["unit"]
        self.size: list[Optional[float]] = start["size"]
        self.y: str = start["y"]
        self.skeleton: str = start["skeleton"]
        self.joints: list[str] = start["joints"]
        self.channels: list[str] = start["channels"]
        self.parameters: dict[str, float] = start["parameters"]
        self.positions = {joint: position for position, joint in enumerate(self.joints)}
        # The factor that converts x to the unit of y.
        self.aspect: float = (self.size[0] or 1) if self.unit == "image" else 1


class Frame:
    """The points at one time: `time` in seconds of the recording, `index` from 0.

    `keypoints` has a list of `clip.channels` for each of `clip.joints`, None for a missing one. Set `signals` to
    measurements to draw them in timelines.
    """

    __slots__ = ("clip", "index", "time", "keypoints", "signals")

    def __init__(self, clip: Clip, message: Message) -> None:
        self.clip = clip
        self.index: int = message["frame"]
        self.time: float = message["time"]
        self.keypoints: list[Optional[Point]] = message["keypoints"]
        self.signals: Optional[Sequence[Optional[float]]] = None

    def __getitem__(self, joint: str) -> Optional[Point]:
        """The point of a joint in the order of the clip's channels; None if it is missing.

        Raises KeyError for a joint that the clip does not have.
        """
        return self.keypoints[self.clip.positions[joint]]

    def angle(self, a: str, b: str, c: str) -> Optional[float]:
        """Degrees at b in the image, 0 to 180; None if a point is missing or two coincide. Raises KeyError as above."""
        first: Any = self[a]
        vertex: Any = self[b]
        last: Any = self[c]
        if first is None or vertex is None or last is None:
            return None
        aspect = self.clip.aspect
        ax, ay = (first[0] - vertex[0]) * aspect, first[1] - vertex[1]
        cx, cy = (last[0] - vertex[0]) * aspect, last[1] - vertex[1]
        if (ax == 0 and ay == 0) or (cx == 0 and cy == 0):
            return None
        return math.degrees(abs(math.atan2(ax * cy - ay * cx, ax * cx + ay * cy)))


def _event(type: str, **members: Any) -> Event:
    event = {"type": type}
    event.update((key, value) for key, value in members.items() if value is not None)
    return event


def rep(start: float, end: float, turn: Optional[float] = None) -> Event:
    """A counted rep, in seconds."""
    return _event("rep", start=start, end=end, turn=turn)


def grade(criterion: str, value: float, start: float, end: float, turn: Optional[float] = None) -> Event:
    """A grade of the rep of these times."""
    return _event("grade", criterion=criterion, value=value, start=start, end=end, turn=turn)


def fault(name: str, start: float, end: float, turn: Optional[float] = None) -> Event:
    """A fault of the rep of these times."""
    return _event("fault", fault=name, start=start, end=end, turn=turn)


def phase(name: str, time: Optional[float] = None) -> Event:
    """The person's phase from `time` on, by default from this frame."""
    return _event("phase", phase=name, time=time)


def stroke(start: float, contact: float, end: float, label: Optional[str] = None) -> Event:
    """A stroke; the label is None if it is unknown."""
    return _event("stroke", start=start, contact=contact, end=end, label=label)


def cue(text: str, fault: Optional[str] = None, priority: Optional[str] = None) -> Event:
    """A spoken cue on this frame."""
    return _event("cue", text=text, fault=fault, priority=priority)


_WANTED = "expected a function of a clip and its frames that yields or returns events, or a class with update(frame)"


def _takes(make: Detector, *arguments: Any) -> bool:
    """Whether it can be called so. A class that is not written in Python has no signature: it is called with a clip."""
    try:
        inspect.signature(make).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        return len(arguments) == 1
    return True


def _generator(make: Detector, clip: Clip, frames: Iterable[Frame]) -> Iterator[Event]:
    """The events of a detector: a function of both, or a class whose objects have `update`."""
    name = getattr(make, "__name__", make)
    if inspect.isgeneratorfunction(make) or not _takes(make, clip):
        if not _takes(make, clip, frames):
            raise TypeError(f"{_WANTED}, found {name}, which takes something else")
        events = make(clip, frames)
        if not isinstance(events, Iterable):
            raise TypeError(f"{_WANTED}, found {name}, which returned {type(events).__name__}")
        yield from events
        return
    detector = make(clip)
    update = getattr(detector, "update", None)
    if update is None:
        raise TypeError(f"{_WANTED}, found {name}, which made {type(detector).__name__}")
    for frame in frames:
        events = update(frame)
        if events:
            yield from events
    finish = getattr(detector, "finish", None)
    if finish is not None:
        yield from finish() or ()


def _replay(
    make: Detector, start: Message, messages: Iterable[Message], write: Callable[[str], Any], timed: bool = False
) -> None:
    """One clip: takes messages up to its end, and writes an answer to each frame and to the end."""
    clip = Clip(start)
    events: list[Event] = []
    clock = time.perf_counter_ns

    def frames() -> Iterator[Frame]:
        for message in messages:
            if message["type"] == "end":
                return
            frame = Frame(clip, message)
            began = clock() if timed else 0
            yield frame
            # The detector asks for the next frame: it is done with this one.
            spent = clock() - began if timed else None
            if not events and frame.signals is None and spent is None:
                write("{}\n")
                continue
            answer: dict[str, Any] = {}
            if events:
                answer["events"] = events.copy()
                events.clear()
            if frame.signals is not None:
                if not isinstance(frame.signals, Iterable):
                    raise TypeError(f"expected a list of signals, such as [angle], found {frame.signals!r}")
                answer["signals"] = [None if value is not None and value != value else value for value in frame.signals]
            if spent is not None:
                answer["nanoseconds"] = spent
            write(_text(answer))
        raise EOFError("expected frames until the clip ends, found the end of the messages")

    left = frames()
    for event in _generator(make, clip, left):
        if not isinstance(event, dict):
            raise TypeError(f"expected an event such as formbench.rep(start, end), found {event!r}")
        events.append(event)
    # A detector may stop before the last frame.
    for _ in left:
        pass
    write(_text({"events": events}) if events else "{}\n")


def _text(answer: Message) -> str:
    try:
        return json.dumps(answer, separators=(",", ":"), allow_nan=False, default=float) + "\n"
    except ValueError:
        raise ValueError(f"expected finite numbers, found {answer}") from None


def play(make: Detector, clip: Message, frames: Iterable[Message], timed: bool = False) -> list[Message]:
    """A detector's answers to a `start` message and frames, as parsed messages, for tests without bench."""
    lines: list[str] = []
    _replay(make, clip, iter([*frames, {"type": "end"}]), lines.append, timed)
    return [json.loads(line) for line in lines]


class _Pipe:
    """Reads messages from one descriptor and writes answers to another, with few system calls and without waiting."""

    def __init__(self, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self.answers: list[str] = []
        self.sent = time.monotonic()

    def write(self, text: str) -> None:
        self.answers.append(text)
        if len(self.answers) & 7 == 0 and time.monotonic() - self.sent > _LONGEST_HOLD:
            self.flush()

    def flush(self) -> None:
        data = "".join(self.answers).encode()
        self.answers.clear()
        while data:
            data = data[os.write(self.sink, data):]
        self.sent = time.monotonic()

    def messages(self) -> Iterator[Message]:
        parse = json.JSONDecoder().raw_decode
        rest = b""
        while True:
            self.flush()
            piece = os.read(self.source, _PIECE)
            if not piece:
                return
            whole, mark, rest_of_piece = piece.rpartition(b"\n")
            if not mark:
                rest += piece
                continue
            lines = (rest + whole).decode().split("\n")
            rest = rest_of_piece
            for line in lines:
                yield parse(line)[0]


def serve(make: Detector, timed: bool = False) -> None:
    """Answers bench until there are no more clips.

    `make` is a function of a clip and its frames that yields events, or returns them and so reports all at the clip's
    end; or a class whose objects are made from a clip and whose `update(frame)` returns events. Its prints go to
    standard error: standard output belongs to bench.
    """
    sys.stdout.flush()
    pipe = _Pipe(0, os.dup(1))
    os.dup2(2, 1)
    messages = pipe.messages()
    try:
        for message in messages:
            try:
                _replay(make, message, messages, pipe.write, timed)
            finally:
                pipe.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
