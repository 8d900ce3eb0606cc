"""python3 -m unittest discover -s python/tests"""

import json
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from projects import BENCH, needs, project


def value(run, metric):
    return run.metrics.loc[run.metrics["metric"] == metric, "value"].item()


@needs("pandas")
class ScoreTests(unittest.TestCase):
    def test_counts(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a", "b"], "rep_count": [2, 1]})
        run = formbench.score(truth, pandas.DataFrame({"clip": ["a", "b"], "count": [2, 3]}))
        # Errors of 0 and +2 reps, each clip a person.
        self.assertEqual(value(run, "count.exact"), 1 / 2)
        self.assertEqual(value(run, "count.off-by-one"), 1 / 2)
        self.assertEqual(value(run, "count.mae"), (0 + 2) / 2)
        self.assertEqual(value(run, "count.nmae"), (0 / 2 + 2 / 1) / 2)
        self.assertEqual(value(run, "count.bias"), (0 + 2) / 2)
        self.assertEqual(list(run.clips["count"]), [2, 3])

    def test_reps_of_two_people(self):
        import pandas

        # Of anna's two reps one is found, and one more rep is detected. Ben, who does none, has none detected.
        truth = pandas.DataFrame({
            "clip": ["a", "a", "b"], "person": ["anna", "anna", "ben"], "start_s": [3.0, 1.0, None],
            "end_s": [4.0, 2.0, None]})
        predictions = pandas.DataFrame({
            "clip": ["a", "a", "b"], "start_s": [1.25, 8.0, None], "end_s": [2.25, 9.0, None]})
        run = formbench.score(truth, predictions)
        self.assertEqual(value(run, "reps.precision"), 1 / 2)
        self.assertEqual(value(run, "reps.recall"), 1 / 2)
        self.assertEqual(value(run, "reps.f1"), 2 * 1 / (2 * 1 + 1 + 1))
        self.assertEqual(value(run, "reps.timing-error"), 250)
        self.assertEqual(value(run, "count.exact"), 1)
        self.assertEqual([tuple(row) for row in run.clips[["person", "true_count", "count"]].itertuples(index=False)],
                         [("truth/anna", 2, 2), ("truth/ben", 0, 0)])
        self.assertEqual(
            [(outcome, end) for outcome, end in run.reps[["outcome", "true_end_s"]].itertuples(index=False)
             if outcome != "false"], [("matched", 2), ("missed", 4)])
        # Ends that are 0.25 s apart are another rep's by a tolerance of 0.2 s.
        self.assertEqual(value(formbench.score(truth, predictions, tolerance=0.2), "reps.recall"), 0)

    def test_grades_and_faults(self):
        import pandas

        reps = pandas.DataFrame({"clip": "a", "start_s": [1, 3], "end_s": [2, 4]})
        grades = pandas.DataFrame({"clip": "a", "rep": [1, 2], "grade": [6, 9]})
        faults = pandas.DataFrame({"clip": "a", "rep": [1, 2], "fault": "shallow", "present": [True, False]})
        predicted = [
            reps, pandas.DataFrame({"clip": "a", "rep": [1, 2], "grade": [7, 5], "criterion": "form"}),
            pandas.DataFrame({"clip": "a", "rep": [1, 2], "fault": "shallow", "present": [True, True]})]
        run = formbench.score([reps, grades, faults], predicted, criteria={"form": (0, 10)})
        self.assertEqual(value(run, "grades.mae"), (1 + 4) / 2)
        self.assertEqual(value(run, "faults.shallow.precision"), 1 / 2)
        self.assertEqual(value(run, "faults.shallow.recall"), 1)
        self.assertEqual([tuple(row) for row in run.grades[["predicted", "grade"]].to_numpy()], [(7, 6), (5, 9)])

    def test_faults_of_whole_clips(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a", "b", "c"], "fault": "shallow", "present": [1, 1, 0]})
        run = formbench.score(truth, truth.assign(present=[1, 0, 1]))
        # One of two present is reported, and one of two reported is present.
        self.assertEqual(value(run, "faults.any.f1"), 2 * 1 / (2 * 1 + 1 + 1))

    def test_strokes(self):
        import pandas

        truth = pandas.DataFrame({"clip": "a", "time_s": [1.0, 5.0], "label": ["forehand", "backhand"]})
        predicted = pandas.DataFrame({"clip": "a", "time_s": [1.1, 9.0], "label": ["forehand", "backhand"]})
        run = formbench.score(truth, predicted)
        # One of two found, and one of two detected is true.
        self.assertEqual(value(run, "strokes.recall"), 1 / 2)
        self.assertEqual(value(run, "strokes.f1"), 2 * 1 / (2 * 1 + 1 + 1))

    def test_intervals(self):
        import pandas

        truth = pandas.DataFrame({"clip": "a", "start_s": [0, 10], "end_s": [10, 20], "label": ["correct", "sag"]})
        # The first overlaps by 8 / 10, the second by 4 / 10 of the union.
        predicted = pandas.DataFrame({"clip": "a", "start_s": [0, 16], "end_s": [8, 20], "label": ["correct", "sag"]})
        run = formbench.score(truth, predicted)
        self.assertEqual(value(run, "segments.f1-50"), 2 * 1 / (2 * 1 + 1 + 1))
        self.assertEqual(value(run, "segments.f1-25"), 1)

    def test_numbers_are_those_of_bench_score(self):
        import pandas

        with project() as folder:
            formbench.program.call(["dataset", "export", "squat-sample", "--to", "exported"], folder)
            clips = pandas.read_csv(folder / "exported/clips.csv")[["clip", "subject", "exercise", "view", "rep_count"]]
            reps = pandas.read_csv(folder / "exported/reps.csv")
            # Every third rep is not found, every fifth one ends 0.4 s late.
            found = reps[reps.index % 3 != 0].copy()
            found.loc[found.index % 5 == 0, "end_s"] += 0.4
            found[["clip", "start_s", "end_s"]].to_csv(folder / "found.csv", index=False)
            output = subprocess.run(
                [BENCH, "score", "--dataset", "squat-sample", "--predictions", "found.csv", "--json"], cwd=folder,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        run = formbench.score([clips, reps], found[["clip", "start_s", "end_s"]])
        ours = {metric["metric"]: metric for metric in run.json["metrics"]}
        theirs = json.loads(output)
        self.assertGreater(len(theirs), 10)
        self.assertEqual(set(ours), {metric["metric"] for metric in theirs})
        for metric in theirs:
            with self.subTest(metric["metric"]):
                for key in ("value", "interval", "clips"):
                    self.assertEqual(ours[metric["metric"]].get(key), metric.get(key))

    def test_metrics_are_those_that_the_predictions_allow(self):
        import pandas

        def topics(truth, predictions):
            return {name.partition(".")[0] for name in formbench.score(truth, predictions).metrics["metric"]}

        counts = pandas.DataFrame({"clip": ["a", "b"], "rep_count": [2, 1]})
        self.assertEqual(topics(counts, counts.rename(columns={"rep_count": "count"})), {"count"})
        reps = pandas.DataFrame({"clip": "a", "start_s": [1, 3], "end_s": [2, 4]})
        faults = pandas.DataFrame({"clip": "a", "rep": [1, 2], "fault": "shallow", "present": [True, False]})
        self.assertEqual(topics([reps, faults], [reps, faults]), {"count", "reps", "faults"})
        scored = faults.assign(score=[0.9, 0.2])
        self.assertEqual(topics([reps, faults], [reps, scored]), {"count", "reps", "faults", "scores"})

    def test_wrong_frames(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a"], "rep_count": [2]})
        with self.assertRaisesRegex(ValueError, "expected ground truth with clip and rep_count.*found video, reps"):
            formbench.score(truth.rename(columns={"clip": "video", "rep_count": "reps"}), truth)
        with self.assertRaisesRegex(ValueError, "expected a frame of pandas, polars or Arrow, found int"):
            formbench.score(truth, 3)
        with self.assertRaises(formbench.BenchError) as caught:
            formbench.score(truth, pandas.DataFrame({"clip": ["a", "z"], "count": [1, 1]}))
        self.assertRegex(str(caught.exception), "^predictions, row 1: clip z: expected a clip of dataset truth")
        self.assertEqual(caught.exception.exit_code, 1)

    def test_errors_name_the_row_of_the_frame(self):
        import pandas

        counts = pandas.DataFrame({"clip": ["a", "b"], "rep_count": [2, 4]})
        reps = pandas.DataFrame({"clip": ["a", "a"], "start_s": [5.0, 1.0], "end_s": [6.0, 2.0]})
        grades = pandas.DataFrame({"clip": "a", "rep": [1, 2], "grade": [6, 900]})
        found = counts.rename(columns={"rep_count": "count"})
        wrong = [
            (counts.assign(rep_count=[2, 2.5]), found, '^truth, row 1: expected a whole number .*found "2.5"$'),
            (counts, found.assign(count=["2", "two"]), '^predictions, row 1: expected a whole number .*found "two"$'),
            (counts, found.assign(count=[2, None]), "^predictions, row 1: expected a whole number .*an empty field$"),
            (counts, pandas.concat([found, found[:1]]), "^predictions, row 2: .* found another in row 0$"),
            # Of both clips the first, each time.
            (counts, pandas.concat([found, found]), "^predictions, row 2: .* found another in row 0$"),
            # By the start the second row is the first rep.
            (reps.assign(end_s=[6.0, 0.5]), reps, "^truth, row 1: clip a: expected an end after the start 1 s"),
            (reps.assign(start_s=[5.0, None]), reps, "^truth, row 1: expected a time .*start_s, found an empty field$"),
            ([reps, grades], reps, r"^truth\[1\], row 1: clip a: expected a grade of form from 0 to 100, found 900$")]
        for truth, predictions, words in wrong:
            with self.subTest(words), self.assertRaisesRegex(formbench.BenchError, words):
                formbench.score(truth, predictions)

    @needs("pandas", bench=False)
    def test_a_clip_may_have_any_name(self):
        import pandas

        names = ["anna/squat 1.mp4", "日本", 'c,"x"\n', " z", "ok-1"]
        truth = pandas.DataFrame({"clip": names, "person": "Zoë 李", "start_s": 1.0, "end_s": 2.0})
        found = pandas.DataFrame({"video_id": names, "start_s": 1.0, "end_s": [2.0, 2.0, 2.0, 2.0, 3.0]})
        run = formbench.score(truth, found)
        self.assertEqual(dict(zip(run.clips["clip"], run.clips["missed"])), {name: int(name == "ok-1") for name in names})
        self.assertEqual(set(run.clips["person"]), {"truth/Zoë 李"})
        # A clip is a person of its own, with its own name.
        alone = formbench.score(truth.drop(columns="person"), found)
        self.assertEqual(set(alone.people["person"]), {f"truth/{name}" for name in names})
        with self.assertRaisesRegex(formbench.BenchError, "^predictions, row 1: clip 日本: expected an end after the start"):
            formbench.score(truth, found.assign(start_s=[1.0, 5.0, 1.0, 1.0, 1.0]))
        with self.assertWarnsRegex(UserWarning, "^1 of 5 clips have no prediction .*: anna/squat 1.mp4$"):
            formbench.score(truth, found[1:])

    def test_ground_truth_that_says_two_things(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a", "a"], "rep_count": [2, 3]})
        found = pandas.DataFrame({"clip": ["a"], "count": [2]})
        people = pandas.DataFrame({"clip": ["a"], "person": ["anna"], "rep_count": [2]})
        wrong = {
            "truth, row 1: expected one rep_count of clip a, found 2 and 3": (truth, found),
            "truth[1], row 0: expected one person of clip a, found anna and ben":
                ([people, people.assign(person="ben")], found),
            "truth: expected each column once, found person twice": (people.assign(subject="ben"), found),
            "truth: expected at least one clip, found none": (truth[:0], found),
            "expected a frame of predictions, found none": (people, []),
        }
        for words, (truth, predictions) in wrong.items():
            with self.subTest(words), self.assertRaises(ValueError) as caught:
                formbench.score(truth, predictions)
            self.assertEqual(str(caught.exception), words)

    def test_a_tolerance_below_0(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a"], "rep_count": [2]})
        for tolerance in (-1, float("nan")):
            with self.assertRaisesRegex(ValueError, "^expected a tolerance in seconds from 0, found "):
                formbench.score(truth, truth.rename(columns={"rep_count": "count"}), tolerance=tolerance)

    def test_a_clip_without_a_prediction(self):
        import pandas

        truth = pandas.DataFrame({"clip": ["a", "b"], "rep_count": [2, 4]})
        with self.assertWarnsRegex(UserWarning, "^1 of 2 clips have no prediction .*: b$"):
            run = formbench.score(truth, pandas.DataFrame({"clip": ["a"], "count": [2]}))
        self.assertEqual(value(run, "count.mae"), 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            formbench.score(truth, pandas.DataFrame({"clip": ["a", "b"], "count": [2, 4]}))

    @needs("polars", "pyarrow")
    def test_frames_of_polars_and_arrow(self):
        import polars

        truth = polars.DataFrame({"clip": ["a", "b"], "rep_count": [2, None]})
        predicted = polars.DataFrame({"clip": ["a", "b"], "count": [3, 1]})
        self.assertEqual(value(formbench.score(truth, predicted), "count.mae"), 1)
        self.assertEqual(value(formbench.score(truth.to_arrow(), predicted.to_arrow()), "count.mae"), 1)

        class Stream:
            """A frame of another library, which hands its columns on as Arrow's C stream alone."""

            def __init__(self, frame):
                self.__arrow_c_stream__ = frame.__arrow_c_stream__

        self.assertEqual(value(formbench.score(Stream(truth), Stream(predicted)), "count.mae"), 1)


if __name__ == "__main__":
    unittest.main()
