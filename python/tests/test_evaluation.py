"""python3 -m unittest discover -s python/tests"""

import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from formbench import recordings
from projects import ROOT, needs, project
from squat_counter import counter

DETECTOR = """detector: mine
command: [{python}, coach/squat_counter.py]
kind: reps
exercise: squat
poses: recorded
signals:
- {{ name: knee, unit: degrees }}
parameters:
- {{ name: down, value: 110, range: [0, 180], unit: degrees, summary: an angle }}
- {{ name: up, value: 150, range: [0, 180], unit: degrees, summary: an angle }}
"""


class RecordingTests(unittest.TestCase):
    @needs("numpy", bench=False)
    def test_numbers_have_the_fewest_digits(self):
        import numpy

        random = numpy.random.default_rng(1)
        values = numpy.concatenate([
            random.random(4000), 1920 * random.random(4000), -(10 ** random.uniform(-44, 38, 4000)),
            10.0 ** numpy.arange(-30, 30), [0, -0.0, 0.1, 1 / 3, 0.5, 999999.9, 16777216, numpy.inf],
        ]).astype("float32")
        self.assertEqual(recordings._shortest(values).tolist(), [float(str(value)) for value in values])

    def test_the_skeletons_are_those_of_bench(self):
        path = ROOT / "Sources/PoseModel/Skeletons.swift"
        if not path.exists():
            self.skipTest(f"there is no {path}")
        found = {}
        text = path.read_text(encoding="utf-8")
        for name, points in re.findall(r'name: "([^"]+)",\s*keypoints: (.*?\])', text, re.S):
            own = re.findall(r'"([^"]+)"', points)
            found[name] = (found["coco-17"] if "coco17.keypoints" in points else []) + own
        self.assertEqual(found, recordings.SKELETONS)

    @needs("numpy", bench=False)
    def test_a_table_of_poses(self):
        """Frames at their own times, a joint that the table lacks, and one that is missing in a frame."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "poses").mkdir()
            Path(folder, "dataset.yaml").write_text(
                'name: d\nskeleton: coco-17\ncoordinates:\n  unit: pixel\n  height: 720\n  y_axis: up\n'
                "  channels: [x, y, confidence]\n", encoding="utf-8")
            Path(folder, "clips.csv").write_text(
                "clip,subject,exercise,view,fps,split,poses,rep_count\n"
                "a,s,squat,,25,,poses/a.csv,1\nb,s,squat,,25,,,1\n", encoding="utf-8")
            Path(folder, "poses/a.csv").write_text(
                "frame,time_s,nose_x,nose_y,nose_c,left_eye_x,left_eye_y,left_eye_c\n"
                "0,0,0.1,2,1,,,\n1,0.05,3,4,,5,6,0.5\n", encoding="utf-8")
            clips = list(recordings.recordings(Path(folder), {"p": 1}))
        self.assertEqual([clip.name for clip in clips], ["a"])
        start = clips[0].start
        self.assertEqual(
            [start[key] for key in ("unit", "size", "y", "channels", "fps", "parameters")],
            ["pixels", [None, 720], "up", ["x", "y", "confidence"], 25, {"p": 1}])
        frames = list(clips[0].frames())
        self.assertEqual([frame["time"] for frame in frames], [0, 0.05])
        # 0.1 as a 32-bit number, in the fewest digits.
        self.assertEqual(frames[0]["keypoints"], [[0.1, 2, 1]] + 16 * [None])
        self.assertEqual(frames[1]["keypoints"], [[3, 4, None], [5, 6, 0.5]] + 15 * [None])


    @needs("numpy", bench=False)
    def test_an_array_of_poses(self):
        """Frames at the clip's rate, in whole microseconds."""
        import numpy

        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "poses").mkdir()
            Path(folder, "dataset.yaml").write_text(
                "name: d\nskeleton: coco-17\ncoordinates:\n  unit: image\n  aspect: 0.5625\n  y_axis: down\n"
                "  channels: [x, y]\n", encoding="utf-8")
            Path(folder, "clips.csv").write_text(
                "clip,subject,exercise,view,fps,split,poses,rep_count\na,s,squat,,30,,poses/a.npy,1\n",
                encoding="utf-8")
            numpy.save(Path(folder, "poses/a.npy"), numpy.zeros((3, 17, 2), dtype="<f4"))
            [clip] = recordings.recordings(Path(folder), {})
        self.assertEqual(clip.times, [0, 0.033333, 0.066667])
        self.assertEqual((clip.start["unit"], clip.start["size"]), ("image", [0.5625, 1]))
        self.assertEqual(next(clip.frames())["keypoints"], 17 * [[0, 0]])


@needs("pandas")
class EvaluationTests(unittest.TestCase):
    def test_it_finds_what_the_program_finds_under_bench(self):
        with project() as folder:
            (folder / "coach").mkdir()
            shutil.copytree(Path(formbench.__file__).parent, folder / "coach/formbench")
            shutil.copy(Path(__file__).parent / "squat_counter.py", folder / "coach")
            (folder / "detectors").mkdir()
            (folder / "detectors/mine.yaml").write_text(DETECTOR.format(python=sys.executable), encoding="utf-8")
            suite = (folder / "datasets/suites/squat.yaml").read_text(encoding="utf-8")
            suite = suite.replace("suite: squat\n", "suite: mine\n").replace("- name: squat-states\n", "- name: mine\n")
            suite = re.sub(r"(?m)^- name: (squat-posture|.*-squat)\n", "", suite)
            suite = re.sub(r"(?m)^- \{ detector: .*\n", "", suite)
            suite = suite.replace("metrics:\n", "metrics:\n- { detector: mine, metric: count.exact }\n")
            (folder / "datasets/suites/mine.yaml").write_text(suite, encoding="utf-8")
            theirs = formbench.run("mine", dataset="squat-sample", allow_commands=True, project=folder)
            before = sorted(path for path in folder.rglob("*") if ".formbench" not in path.parts)
            ours = formbench.evaluate(
                counter, "squat-sample", parameters={"down": 110, "up": 150}, signals=["knee"], project=folder)
            after = sorted(path for path in folder.rglob("*") if ".formbench" not in path.parts)
        self.assertEqual(before, after)
        columns = ["clip", "outcome", "start_s", "end_s", "reported_s", "true_end_s"]
        self.assertGreater(len(ours.reps), 100)
        self.assertTrue(ours.reps[columns].equals(theirs.reps[columns]))
        metrics = ours.metrics.merge(theirs.metrics, on="metric", suffixes=("", "_of_bench"))
        metrics = metrics[metrics["metric"].str.startswith(("count.", "reps."))]
        self.assertGreater(len(metrics), 10)
        for column in ("value", "lower", "upper"):
            self.assertTrue(metrics[column].equals(metrics[f"{column}_of_bench"].rename(column)), column)
        # A signal a frame of each clip.
        signals = ours.signals
        frames = ours.clips.set_index("clip")["frames"].to_dict()
        self.assertEqual(signals.groupby("clip")["frame"].size().to_dict(), frames)
        self.assertEqual(set(signals["signal"]), {"knee"})

    def test_nothing_found_and_a_fault(self):
        def silent(clip, frames):
            return
            yield

        def critic(clip, frames):
            for frame in frames:
                if frame.index == 300:
                    yield formbench.rep(0, frame.time)
                    yield formbench.grade("form", 50, 0, frame.time)
                    yield formbench.fault("shallow", 0, frame.time)
                    yield formbench.cue("Lower.")

        with project() as folder:
            run = formbench.evaluate(silent, "squat-sample", project=folder)
            self.assertEqual(set(run.clips["count"]), {0})
            self.assertEqual(len(run.signals), 0)
            run = formbench.evaluate(critic, "squat-sample", exercise="squat", project=folder)
            self.assertLessEqual(set(run.clips["count"]), {0, 1})
            self.assertIn("faults.shallow.recall", set(run.metrics["metric"]))
            with self.assertRaisesRegex(ValueError, "expected clips with poses of lunge, found none"):
                formbench.evaluate(silent, "squat-sample", exercise="lunge", project=folder)

    def test_the_program_is_that_of_the_project(self):
        def silent(clip, frames):
            yield from ()

        with project() as folder, mock.patch.dict(os.environ, PATH=""):
            (folder / "bench").symlink_to(os.environ.pop("FORMBENCH_BENCH"))
            self.assertEqual(len(formbench.evaluate(silent, "squat-sample", project=folder).clips), 36)

    def test_its_own_error_is_raised(self):
        def broken(clip, frames):
            yield clip.parameters["depth"]

        def undefined(clip, frames):
            for frame in frames:
                yield formbench.rep(float("nan"), frame.time)

        with project() as folder:
            with self.assertRaisesRegex(KeyError, "depth") as caught:
                formbench.evaluate(broken, "squat-sample", project=folder)
            with self.assertRaisesRegex(ValueError, "^expected finite numbers, found .*'start': nan"):
                formbench.evaluate(undefined, "squat-sample", project=folder)
        if sys.version_info >= (3, 11):
            self.assertEqual(caught.exception.__notes__, ["formbench: in clip s01_front_1 of squat-sample"])


if __name__ == "__main__":
    unittest.main()
