"""The protocol between bench and a detector: docs/detector-protocol.md."""

import inspect
import json
import math
import os
import sys
import time

PROTOCOL = 1

# Seconds after which answers are sent even if more frames are waiting: bench times out without a line.
_LONGEST_HOLD = 0.1
_PIECE = 1 << 16


class Clip:
    """The facts about a clip before its first frame."""

    def __init__(self, start):
        if start.get("protocol") != PROTOCOL:
            raise ValueError(f"expected protocol {PROTOCOL}, found {start.get('protocol')}")
        self.name = start["clip"]
        self.fps = start["fps"]
        self.unit = start["unit"]
        self.size = start["size"]
        self.y = start["y"]
        self.skeleton = start["skeleton"]
        self.joints = start["joints"]
        self.channels = start["channels"]
        self.parameters = start["parameters"]
        self.positions = {joint: position for position, joint in enumerate(self.joints)}
        # The factor that converts x to the unit of y.
        self.aspect = (self.size[0] or 1) if self.unit == "image" else 1


class Frame:
    """The points at one time. Set `signals` to measurements to draw them in timelines."""

    __slots__ = ("clip", "index", "time", "keypoints", "signals")

    def __init__(self, clip, message):
        self.clip = clip
        self.index = message["frame"]
        self.time = message["time"]
        self.keypoints = message["keypoints"]
        self.signals = None

    def __getitem__(self, joint):
        """The point of a joint in the order of the clip's channels; None if it is missing."""
        return self.keypoints[self.clip.positions[joint]]

    def angle(self, a, b, c):
        """Degrees at b in the image, 0 to 180; None if a point is missing or two coincide."""
        a, b, c = self[a], self[b], self[c]
        if a is None or b is None or c is None:
            return None
        aspect = self.clip.aspect
        ax, ay = (a[0] - b[0]) * aspect, a[1] - b[1]
        cx, cy = (c[0] - b[0]) * aspect, c[1] - b[1]
        if (ax == 0 and ay == 0) or (cx == 0 and cy == 0):
            return None
        return math.degrees(abs(math.atan2(ax * cy - ay * cx, ax * cx + ay * cy)))


def _event(type, **members):
    event = {"type": type}
    event.update((key, value) for key, value in members.items() if value is not None)
    return event


def rep(start, end, turn=None):
    """A counted rep, in seconds."""
    return _event("rep", start=start, end=end, turn=turn)


def grade(criterion, value, start, end, turn=None):
    """A grade of the rep of these times."""
    return _event("grade", criterion=criterion, value=value, start=start, end=end, turn=turn)


def fault(name, start, end, turn=None):
    """A fault of the rep of these times."""
    return _event("fault", fault=name, start=start, end=end, turn=turn)


def phase(name, time=None):
    """The person's phase from `time` on, by default from this frame."""
    return _event("phase", phase=name, time=time)


def stroke(start, contact, end, label=None):
    """A stroke; the label is None if it is unknown."""
    return _event("stroke", start=start, contact=contact, end=end, label=label)


def cue(text, fault=None, priority=None):
    """A spoken cue on this frame."""
    return _event("cue", text=text, fault=fault, priority=priority)


def _generator(make, clip, frames):
    """The events of a detector: a generator function, or a class whose objects have `update`."""
    if inspect.isgeneratorfunction(make):
        yield from make(clip, frames)
        return
    detector = make(clip)
    update = detector.update
    for frame in frames:
        events = update(frame)
        if events:
            yield from events
    finish = getattr(detector, "finish", None)
    if finish is not None:
        yield from finish() or ()


def _replay(make, start, messages, write, timed=False):
    """One clip: takes messages up to its end, and writes an answer to each frame and to the end."""
    clip = Clip(start)
    events = []
    clock = time.perf_counter_ns

    def frames():
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
            answer = {}
            if events:
                answer["events"] = events.copy()
                events.clear()
            if frame.signals is not None:
                answer["signals"] = [None if value is not None and value != value else value for value in frame.signals]
            if spent is not None:
                answer["nanoseconds"] = spent
            write(_text(answer))
        raise EOFError("expected frames until the clip ends, found the end of the messages")

    left = frames()
    for event in _generator(make, clip, left):
        events.append(event)
    # A detector may stop before the last frame.
    for _ in left:
        pass
    write(_text({"events": events}) if events else "{}\n")


def _text(answer):
    return json.dumps(answer, separators=(",", ":"), allow_nan=False, default=float) + "\n"


def play(make, clip, frames, timed=False):
    """A detector's answers to a `start` message and frames, as parsed messages, for tests without bench."""
    lines = []
    _replay(make, clip, iter([*frames, {"type": "end"}]), lines.append, timed)
    return [json.loads(line) for line in lines]


class _Pipe:
    """Reads messages from one descriptor and writes answers to another, with few system calls and without waiting."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.answers = []
        self.sent = time.monotonic()

    def write(self, text):
        self.answers.append(text)
        if len(self.answers) & 7 == 0 and time.monotonic() - self.sent > _LONGEST_HOLD:
            self.flush()

    def flush(self):
        data = "".join(self.answers).encode()
        self.answers.clear()
        while data:
            data = data[os.write(self.sink, data):]
        self.sent = time.monotonic()

    def messages(self):
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


def serve(make, timed=False):
    """Answers bench until there are no more clips.

    `make` is a generator function that takes a clip and its frames and yields events, or a class whose objects are made
    from a clip and whose `update(frame)` returns events. Its prints go to standard error: standard output belongs to
    bench.
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
