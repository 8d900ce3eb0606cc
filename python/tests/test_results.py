"""python3 -m unittest discover -s python/tests"""

import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from projects import needs, project

# Two people of one clip each: one of a's two reps is missed, and two of the three predicted are false; the true rep of
# b has no times.
RUN = {
    "suite": "s",
    "metrics": [
        {
            "metric": "count.exact", "detector": "d", "value": 0.5, "interval": {"low": 0.1, "high": 0.9},
            "margin": 0.05, "direction": "higher", "unit": "", "clips": 2, "isListed": True,
            "bySubject": {"x/a": 0, "team/b": 1},
        },
        {
            "metric": "count.phantoms", "detector": "d", "direction": "lower", "unit": "reps/min", "clips": 0,
            "isListed": False, "bySubject": {},
        },
    ],
    "clips": [
        {
            "name": "one", "dataset": "x", "subject": "a", "exercise": "squat", "view": "side", "fps": 30,
            "duration": 9.5, "frames": 285, "trueCount": 2,
            "trueReps": [{"start": 1, "end": 2, "turn": 1.5}, {"start": 3, "end": 4}],
            "outcomes": {"d": {
                "count": 3,
                "reps": [
                    {"rep": {"start": 1.1, "end": 2.1, "turn": 1.6}, "reported": 2.2, "matches": 0},
                    {"rep": {"start": 7, "end": 8}, "reason": {"words": "nobody squats"}},
                    {"rep": {"start": 8, "end": 9}},
                ],
                "missed": [{"rep": 1, "start": 3, "end": 4, "reason": {"words": "too shallow"}}],
                "graded": [{"rep": 0, "predicted": 80, "ratings": {"r1": 70, "r2": 75}},
                           {"rep": 1, "ratings": {"r1": 9}}],
            }},
        },
        {
            "name": "two", "dataset": "y", "subject": "b", "people": "team", "exercise": "squat", "view": "", "fps": 30, "duration": 1,
            "frames": 30, "trueCount": 1, "outcomes": {"d": {"count": 1, "reps": [{"rep": {"start": 0, "end": 1}}]}},
        },
    ],
}


def rows(frame, *columns):
    """The values of columns, None where they are missing."""
    import pandas

    return [
        tuple(None if pandas.isna(value) else value for value in row)
        for row in frame[list(columns)].astype(object).itertuples(index=False)]


@needs("pandas", bench=False)
class ResultTests(unittest.TestCase):
    def test_a_run(self):
        run = formbench.Run(RUN)
        self.assertEqual(
            rows(
                run.metrics, "metric", "value", "lower", "upper", "margin", "direction", "people", "clips",
                "is_listed"),
            [("count.exact", 0.5, 0.1, 0.9, 0.05, "higher", 2, 2, True),
             ("count.phantoms", None, None, None, None, "lower", 0, 0, False)])
        self.assertEqual(rows(run.people, "person", "value"), [("x/a", 0), ("team/b", 1)])
        self.assertEqual(
            rows(run.clips, "clip", "person", "count", "true_count", "missed", "false"),
            [("one", "x/a", 3, 2, 1, 2), ("two", "team/b", 1, 1, None, None)])
        self.assertEqual(
            rows(run.reps, "clip", "outcome", "rep", "start_s", "turn_s", "reported_s", "true_start_s", "reason"),
            [("one", "matched", 1, 1.1, 1.6, 2.2, 1, None),
             ("one", "false", None, 7, None, None, None, "nobody squats"),
             ("one", "false", None, 8, None, None, None, None),
             ("one", "missed", 2, None, None, None, 3, "too shallow"),
             ("two", None, None, 0, None, None, None, None)])
        self.assertEqual(
            rows(run.grades, "rep", "predicted", "rater", "grade"),
            [(1, 80, "r1", 70), (1, 80, "r2", 75), (2, None, "r1", 9)])
        self.assertRaises(AttributeError, lambda: run.signals)

    def test_people_of_groups_are_named_as_in_metrics(self):
        run = copy.deepcopy(RUN)
        run["metrics"][0]["bySubject"] = {"team/b": 1, "club/b": 0}
        run["clips"][0].update(subject="b", people="club")
        self.assertEqual(rows(formbench.Run(run).clips, "clip", "person"), [("one", "club/b"), ("two", "team/b")])

    def test_people_with_a_value_are_counted(self):
        run = copy.deepcopy(RUN)
        run["metrics"][0]["bySubject"]["x/c"] = None
        self.assertEqual(list(formbench.Run(run).metrics["people"]), [2, 0])
        self.assertEqual(rows(formbench.Run(run).people, "person", "value")[2], ("x/c", None))

    def test_grades_of_a_whole_clip_have_no_rep(self):
        run = copy.deepcopy(RUN)
        run["clips"][0]["outcomes"]["d"]["graded"] = [{"predicted": 80, "ratings": {"r1": 70}}]
        self.assertEqual(rows(formbench.Run(run).grades, "rep", "predicted", "grade"), [(None, 80, 70)])

    def test_a_missed_stroke_has_its_own_times(self):
        run = copy.deepcopy(RUN)
        run["clips"][0]["outcomes"] = {"d": {"missed": [{"rep": 0, "start": 5, "end": 6}]}}
        self.assertEqual(
            rows(formbench.Run(run).reps, "outcome", "rep", "true_start_s", "true_turn_s")[0], ("missed", 1, 5, None))

    def test_agreement_on_faults(self):
        ac1 = {"metric": "faults.ac1", "value": 0.5, "low": 0.25, "high": 0.75, "direction": "higher", "unit": ""}
        ac1["people"] = 3
        fault = {"fault": "shallow", "items": 8, "present": 0.125, "metrics": [ac1, {"metric": "faults.kappa"}]}
        agreed = formbench.Agreement({"metrics": [], "pairs": [], "faults": [fault]})
        self.assertEqual(
            rows(agreed.faults, "fault", "metric", "value", "lower", "upper", "people", "present", "items"),
            [("shallow", "faults.ac1", 0.5, 0.25, 0.75, 3, 0.125, 8),
             ("shallow", "faults.kappa", None, None, None, None, 0.125, 8)])

    def test_drift(self):
        count = {
            "measure": "count", "unit": "reps a clip", "before": 2, "after": 3, "difference": 1, "low": 0.5, "high": 1.5,
            "level": 0.95, "peopleBefore": 6, "peopleAfter": 6, "shown": "higher",
        }
        drift = formbench.Drift({"measures": [count], "recounts": [{"clip": "a", "before": 2, "after": 4}]})
        self.assertEqual(
            rows(drift.metrics, "measure", "difference", "lower", "upper", "people_after", "shown"),
            [("count", 1, 0.5, 1.5, 6, "higher")])
        self.assertEqual(rows(drift.clips, "clip", "detector", "after"), [("a", None, 4)])

    def test_read_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "results.json")
            path.write_text(json.dumps(RUN), encoding="utf-8")
            self.assertEqual(formbench.read_run(path).json, RUN)
            for wrong, found in (('{"metrics": []}', "metrics"), ("{}", "nothing"), ("[]", "list")):
                path.write_text(wrong, encoding="utf-8")
                with self.assertRaisesRegex(ValueError, f"expected the results.json of a run, found {found}"):
                    formbench.read_run(path)

    def test_a_notebook_displays_a_replay(self):
        event = {"time": 1, "reported": 2, "kind": "rep", "start": 0, "end": 1}
        replay = formbench.Replay({"clip": "c", "detector": "d", "signals": [], "events": [event]})
        self.assertIn("<table", replay._repr_html_())
        self.assertFalse(hasattr(replay, "metrics"))

    def test_frames_without_rows_have_types(self):
        run = formbench.Run({"suite": "s", "metrics": [], "clips": []})
        for frame in (run.metrics, run.people, run.clips, run.reps, run.grades):
            self.assertEqual(len(frame), 0)
            self.assertNotIn("object", set(map(str, frame.dtypes)))

    @needs("polars", "pyarrow", bench=False)
    def test_polars_takes_the_frames(self):
        import polars

        frame = polars.from_pandas(formbench.Run(RUN).metrics)
        self.assertEqual(frame["value"].to_list(), [0.5, None])
        self.assertEqual(frame.schema["people"], polars.Int64)
        self.assertEqual(frame.schema["metric"], polars.String)


@needs("pandas")
class ProgramResultTests(unittest.TestCase):
    """With the program: the frames have what its JSON has, and nothing of theirs is empty."""

    @classmethod
    def setUpClass(cls):
        cls.context = project()
        cls.project = cls.context.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.context.__exit__(None, None, None)

    def test_run_and_compare(self):
        run = formbench.run("squat", project=self.project)
        known = set(map(str, run.people["person"]))
        self.assertLessEqual(set(run.clips["person"]), known)
        exact = run.metrics.query("metric == 'count.exact' and detector == 'squat-states'")
        # By the definition, from the clips with a count: the mean of people's shares of exact clips.
        clips = run.clips.query("detector == 'squat-states' and dataset == 'squat-sample'")
        right = (clips["count"] == clips["true_count"]).groupby(clips["person"]).mean()
        self.assertAlmostEqual(exact["value"].item(), right.mean(), 12)
        self.assertEqual((exact["people"].item(), exact["clips"].item(), exact["margin"].item()), (12, 36, 0.05))
        reps = run.reps.query("detector == 'squat-states' and dataset == 'squat-sample'")
        self.assertEqual(len(reps[reps["outcome"] != "missed"]), clips["count"].sum())
        self.assertEqual(len(reps[reps["outcome"] != "false"]), clips["true_count"].sum())
        self.assertEqual(clips["missed"].sum(), sum(reps["outcome"] == "missed"))

        changed = formbench.compare("squat", set={"reps.squat-states.bottomAngle": 100}, project=self.project)
        change = changed.metrics.query("metric == 'count.exact' and detector == 'squat-states'")
        self.assertEqual(change["before"].item(), exact["value"].item())
        people = changed.people.query("metric == 'count.exact' and detector == 'squat-states'")
        self.assertEqual((people["gain"] > 0).sum(), change["better"].item())
        self.assertTrue(set(changed.clips["kind"]) <= {"count", "strokes", "labels", "grade", "faults", "times"})

    def test_sweep_tune_leaderboard_and_agreement(self):
        values = {"reps.squat-states.bottomAngle": "80...100:10"}
        sweep = formbench.sweep("squat", values, metric="count.mae", project=self.project)
        self.assertEqual(list(sweep.metrics["bottomAngle"]), [80, 90, 100])
        self.assertEqual(list(sweep.metrics["is_default"]), [False, True, False])
        best = sweep.metrics.loc[sweep.metrics["is_optimum"], "value"].item()
        self.assertEqual(best, sweep.metrics["value"].min())
        self.assertEqual(len(sweep.people), 3 * 12)
        tuned = formbench.tune(
            "squat", detector="squat-states", metric="count.mae", tune=values, project=self.project)
        self.assertIn(tuned.parameters["bottomAngle"], (80, 90, 100))
        self.assertEqual(list(tuned.metrics["score"]), ["expected", "expected default", "gain", "in-sample"])
        self.assertAlmostEqual(tuned.people["value"].mean(), tuned.metrics["value"][0], 12)
        board = formbench.leaderboard(
            ["squat-sample"], detectors=["squat-states"], metrics=["count.mae"], project=self.project).metrics
        mae = sweep.metrics["value"][1]
        self.assertEqual(board.loc[board["detector"] == "squat-states", "value"].item(), mae)
        self.assertEqual(set(board["direction"]), {"lower"})
        raters = formbench.agreement("squat-sample", "form", project=self.project)
        self.assertEqual(set(raters.pairs["first"]) | set(raters.pairs["second"]), {"rater_a", "rater_b", "rater_c"})
        self.assertTrue((raters.metrics["lower"] <= raters.metrics["upper"]).all())
        self.assertTrue({"grades.ac1", "grades.ac2"} <= set(raters.metrics["metric"]))
        self.assertEqual(set(raters.faults["metric"]), {"faults.same", "faults.ac1", "faults.kappa"})
        self.assertTrue(raters.faults["present"].between(0, 1).all())
        for frame in (raters.metrics, raters.pairs, raters.faults):
            self.assertEqual(set(frame["people"]), {12})

    def test_gate(self):
        verdict = formbench.gate("squat", project=self.project)
        self.assertEqual((verdict.verdict, verdict.passed, verdict.exit_code), ("missing", False, 5))
        self.assertIn("baseline", verdict.reason)
        formbench.program.call(["baseline", "accept", "--suite", "squat"], self.project)
        self.assertTrue(formbench.gate("squat", project=self.project).passed)
        # A squat to 60° that almost nobody does.
        verdict = formbench.gate("squat", set={"reps.squat-states.bottomAngle": 60}, project=self.project)
        self.assertEqual((verdict.verdict, verdict.exit_code), ("regression", 2))
        self.assertIn("regression", set(verdict.metrics["outcome"]))

    def test_replay(self):
        run = formbench.run("squat", project=self.project)
        found = run.reps.query("clip == 's01_side_2' and detector == 'squat-states' and outcome != 'missed'")
        clip = formbench.replay("s01_side_2", suite="squat", detector="squat-states", project=self.project)
        self.assertEqual(clip.signals["signal"][0], "knee angle")
        knee = clip.signals.query("signal == 'knee angle'")
        self.assertEqual(len(knee), run.clips.query("clip == 's01_side_2'")["frames"].iloc[0])
        self.assertEqual(clip.thresholds.query("value == 90")["signal"].item(), "knee angle")
        self.assertEqual(list(clip.events.query("kind == 'rep'")["end_s"]), list(found["end_s"]))
        # Thresholds that follow their signal have a value at each time.
        other = formbench.replay("s01_side_2", suite="squat", detector="exercise-squat", project=self.project)
        first = other.signals["signal"][0]
        self.assertEqual(len(other.thresholds.query("signal == @first")), 2 * sum(other.signals["signal"] == first))

    def test_show(self):
        player = formbench.show("s01_side_2", suite="squat", project=self.project)
        self.assertTrue(player.page.lstrip().lower().startswith("<!doctype html"))
        self.assertTrue(player._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;'))

    def test_wrong_values_say_where(self):
        (self.project / "datasets/suites/bad.yaml").write_text("suite: bad\nversion: x\n", encoding="utf-8")
        with self.assertRaises(formbench.BenchError) as caught:
            formbench.run("bad", project=self.project)
        self.assertEqual((caught.exception.file, caught.exception.line), ("datasets/suites/bad.yaml", 1))


if __name__ == "__main__":
    unittest.main()
