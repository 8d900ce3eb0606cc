"""python3 -m unittest discover -s python/tests"""

import functools
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench

START = {
    "type": "start", "protocol": 1, "clip": "d/c", "fps": 10, "unit": "image heights", "size": [None, None], "y": "down",
    "skeleton": "common", "joints": ["left_hip", "left_knee", "left_ankle"], "channels": ["x", "y", "confidence"],
    "parameters": {"low": 2},
}


def frames(*heights):
    """Frames whose hip has these heights; None is a missing hip."""
    return [
        {"type": "frame", "frame": i, "time": i / 10, "keypoints": [None if y is None else [0, y, 1], [0, 3, 1], [1, 3, 1]]}
        for i, y in enumerate(heights)
    ]


def dips(clip, frames):
    down = None
    for frame in frames:
        hip = frame["left_hip"]
        frame.signals = [hip and hip[1]]
        if hip is None:
            continue
        if hip[1] > clip.parameters["low"]:
            down = frame.time if down is None else down
        elif down is not None:
            yield formbench.rep(down, frame.time)
            down = None
    if down is not None:
        yield formbench.phase("left down")


class Dips:
    def __init__(self, clip):
        self.clip, self.down = clip, None

    def update(self, frame):
        hip = frame["left_hip"]
        if hip is None:
            return None
        if hip[1] > self.clip.parameters["low"]:
            self.down = frame.time if self.down is None else self.down
        elif self.down is not None:
            start, self.down = self.down, None
            return [formbench.rep(start, frame.time)]
        return None

    def finish(self):
        return [formbench.phase("left down")] if self.down is not None else []


class PlayTests(unittest.TestCase):
    def test_an_event_is_of_the_frame_before_the_next_is_taken(self):
        answers = formbench.play(dips, START, frames(1, 2.5, 1.5, None))
        self.assertEqual(
            answers,
            [
                {"signals": [1]},
                {"signals": [2.5]},
                {"signals": [1.5], "events": [{"type": "rep", "start": 0.1, "end": 0.2}]},
                {"signals": [None]},
                {},
            ],
        )

    def test_what_comes_after_the_frames_answers_the_end(self):
        answers = formbench.play(dips, START, frames(3))
        self.assertEqual(answers[-1], {"events": [{"type": "phase", "phase": "left down"}]})

    def test_a_class_says_the_same(self):
        for heights in [(1, 2.5, 1.5, None), (3,), (), (1, 3, 1, 3, 1)]:
            events = [
                [answer.get("events", []) for answer in formbench.play(detector, START, frames(*heights))]
                for detector in (dips, Dips)
            ]
            self.assertEqual(*events)

    def test_a_generator_may_stop_early(self):
        def first(clip, frames):
            yield formbench.phase(f"from {next(frames).time}")

        answers = formbench.play(first, START, frames(1, 1, 1))
        self.assertEqual(answers, [{"events": [{"type": "phase", "phase": "from 0.0"}]}, {}, {}, {}])

    def test_a_function_that_returns_events(self):
        def counted(clip, frames, least=2):
            heights = [frame["left_hip"][1] for frame in frames]
            return [formbench.rep(0, index / 10) for index, height in enumerate(heights) if height >= least]

        class Counter:
            def __call__(self, clip, frames):
                return counted(clip, frames)

        at_the_end = [{}, {}, {"events": [{"type": "rep", "start": 0, "end": 0.1}]}]
        for detector in (counted, lambda clip, frames: counted(clip, frames, 2.5), Counter()):
            self.assertEqual(formbench.play(detector, START, frames(1, 2.5)), at_the_end)
        # One that hands on a generator reports with each frame.
        heights = (1, 2.5, 1.5, None)
        for detector in (lambda clip, frames: dips(clip, frames), functools.partial(dips)):
            self.assertEqual(
                formbench.play(detector, START, frames(*heights)), formbench.play(dips, START, frames(*heights)))

    def test_what_is_no_detector(self):
        def forgetful(clip, frames):
            [frame.time for frame in frames]

        def none(clip, frames):
            yield None

        wrong = {
            "a class with update.*, found forgetful, which returned NoneType": forgetful,
            "found <lambda>, which made list": lambda clip: [], r"such as formbench.rep\(start, end\), found None": none,
            "found <lambda>, which takes something else": lambda: [],
        }
        for text, detector in wrong.items():
            with self.assertRaisesRegex(TypeError, text):
                formbench.play(detector, START, frames(1))

    def test_one_signal_is_a_list_too(self):
        def bare(clip, frames):
            for frame in frames:
                frame.signals = frame.time
                yield from ()

        with self.assertRaisesRegex(TypeError, r"^expected a list of signals, such as \[angle\], found 0.0$"):
            formbench.play(bare, START, frames(1))

    def test_time_is_told(self):
        answers = formbench.play(dips, START, frames(1, 1), timed=True)
        self.assertTrue(all(answer["nanoseconds"] > 0 for answer in answers[:2]))

    def test_another_protocol_is_refused(self):
        with self.assertRaisesRegex(ValueError, "expected protocol 1, found 2"):
            formbench.play(dips, {**START, "protocol": 2}, [])

    def test_angles(self):
        clip = formbench.Clip(START)
        # From the knee at (0, 3): straight up to the hip, right to the ankle.
        self.assertAlmostEqual(formbench.Frame(clip, frames(1)[0]).angle("left_hip", "left_knee", "left_ankle"), 90)
        self.assertIsNone(formbench.Frame(clip, frames(None)[0]).angle("left_hip", "left_knee", "left_ankle"))
        self.assertIsNone(formbench.Frame(clip, frames(3)[0]).angle("left_hip", "left_knee", "left_ankle"))
        # Twice as wide as high: one to the right is as far as two up, and half of one up and one right is 45 degrees.
        wide = formbench.Clip({**START, "unit": "image", "size": [2, 1]})
        frame = formbench.Frame(wide, frames(1)[0])
        frame.keypoints = [[0, 1, 1], [0, 0, 1], [0.5, 1, 1]]
        self.assertAlmostEqual(frame.angle("left_hip", "left_knee", "left_ankle"), 45)

    def test_no_event_has_empty_members(self):
        self.assertEqual(formbench.rep(1, 2), {"type": "rep", "start": 1, "end": 2})
        self.assertEqual(
            formbench.grade("form", 80, 1, 2, turn=1.5),
            {"type": "grade", "criterion": "form", "value": 80, "start": 1, "end": 2, "turn": 1.5},
        )
        self.assertEqual(formbench.stroke(1, 2, 3), {"type": "stroke", "start": 1, "contact": 2, "end": 3})


SERVER = """
import formbench, sys
print("ready")
def dips(clip, frames):
    for frame in frames:
        print("frame", frame.index)
        yield formbench.phase(clip.name)
formbench.serve(dips)
"""


class ServeTests(unittest.TestCase):
    def serve(self, text):
        path = os.pathsep.join([str(Path(formbench.__file__).parent.parent)])
        return subprocess.run(
            [sys.executable, "-c", SERVER], input=text, capture_output=True, text=True, timeout=20,
            env={**os.environ, "PYTHONPATH": path},
        )

    def test_a_line_for_each_frame_and_end_of_each_clip(self):
        def messages(clip):
            return [{**START, "clip": clip}, *frames(1, 2), {"type": "end"}]

        text = "".join(json.dumps(message) + "\n" for message in messages("a") + messages("b"))
        done = self.serve(text)
        names = [[event["phase"] for event in json.loads(line).get("events", [])] for line in done.stdout.splitlines()[1:]]
        self.assertEqual(names, [["a"], ["a"], [], ["b"], ["b"], []])
        self.assertEqual(done.returncode, 0)

    def test_what_is_printed_does_not_mix_with_answers(self):
        text = "".join(json.dumps(message) + "\n" for message in [START, *frames(1), {"type": "end"}])
        self.assertIn("frame 0", self.serve(text).stderr)

    def test_the_end_within_a_clip_is_an_error(self):
        done = self.serve(json.dumps(START) + "\n" + json.dumps(frames(1)[0]) + "\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("expected frames until the clip ends", done.stderr)


class RunTests(unittest.TestCase):
    def test_nothing_imports_pandas_before_it_is_needed(self):
        code = "import sys, formbench; sys.exit('pandas' in sys.modules)"
        path = str(Path(formbench.__file__).parent.parent)
        self.assertEqual(subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}).returncode, 0)


if __name__ == "__main__":
    unittest.main()
