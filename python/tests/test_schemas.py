"""python3 -m unittest discover -s python/tests"""

import copy
import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from formbench.program import call
from projects import ROOT, needs, project
from schemas import faults

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("test_schemas: this Python has no jsonschema; the schemas are applied by schemas.py alone", file=sys.stderr)

SCHEMAS = {
    name: json.loads((ROOT / f"docs/{name}.schema.json").read_text(encoding="utf-8"))
    for name in ("results", "verdict", "leaderboard", "drift")}

# The content of each dataset that the suites use, by its name.
CONTENT = dict(
    re.findall(r"- name: (\S+)\n  content: (\S+)", "".join(
        (ROOT / f"datasets/suites/{suite}.yaml").read_text(encoding="utf-8") for suite in ("push-up", "squat"))))

# Of one detector each, because every perturbation is a replay of all.
SUITES = {
    "one": f"""\
suite: one
version: 1
datasets:
- name: push-up-sample
  content: {CONTENT["push-up-sample"]}
- name: negatives-sample
  content: {CONTENT["negatives-sample"]}
exercises: [push-up]
negatives: others
people: separate
detectors:
- name: exercise-push-up
matching: {{ instant: end, tolerance_s: 0.5 }}
camera: {{ fps: 30, estimator_ms: 30 }}
metrics:
- {{ detector: exercise-push-up, metric: count.exact, margin: 0.05 }}
- {{ detector: exercise-push-up, metric: count.phantoms, margin: 0.5 }}
- {{ detector: exercise-push-up, metric: reps.f1 }}
- {{ detector: exercise-push-up, metric: latency.live }}
- {{ detector: exercise-push-up, metric: grades.spearman }}
- {{ detector: exercise-push-up, metric: faults.any.f1 }}
- {{ detector: exercise-push-up, metric: cues.missed }}
""",
    "states": f"""\
suite: states
version: 1
datasets:
- name: squat-sample
  content: {CONTENT["squat-sample"]}
exercises: [squat]
detectors:
- name: squat-states
matching: {{ instant: end, tolerance_s: 0.5 }}
camera: {{ fps: 30, estimator_ms: 30 }}
metrics:
- {{ detector: squat-states, metric: count.exact, margin: 0.05 }}
- {{ detector: squat-states, metric: reps.timing-error }}
- {{ detector: squat-states, metric: latency.report, margin: 100 }}
"""}


def parts(schema, place="$"):
    """All schemas within a schema, with their places."""
    yield place, schema
    for word in ("properties", "$defs"):
        for name, part in schema.get(word, {}).items():
            yield from parts(part, f"{place}.{name}")
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from parts(schema[word], f"{place}.{word}")


class SchemaTests(unittest.TestCase):
    def test_every_property_is_described_and_no_object_is_open(self):
        for name, schema in SCHEMAS.items():
            self.assertTrue(schema["$id"].startswith(f"urn:formbench:{name}:"))
            for place, part in parts(schema, name):
                with self.subTest(place):
                    for key, one in part.get("properties", {}).items():
                        text = one.get("description") or schema["$defs"][one["$ref"].split("/")[-1]].get("description")
                        self.assertTrue(text, key)
                    if part.get("type") == "object":
                        self.assertIn("additionalProperties", part)
                    if "properties" in part:
                        self.assertIs(part["additionalProperties"], False)
                        self.assertLessEqual(set(part["required"]), set(part["properties"]))

    def test_the_check_finds_what_is_wrong(self):
        schema = {
            "type": "object", "required": ["a"], "additionalProperties": False,
            "properties": {
                "a": {"type": "integer", "minimum": 0, "maximum": 9}, "b": {"enum": ["x", "y"]}, "c": {"const": 1},
                "d": {"type": "array", "items": {"$ref": "#/$defs/t"}, "minItems": 1, "maxItems": 2},
                "e": {"type": ["number", "null"], "exclusiveMinimum": 0},
                "f": {"type": "object", "additionalProperties": {"type": "number"}}},
            "$defs": {"t": {"type": "string", "pattern": "^s"}}}
        right = {"a": 1, "b": "x", "c": 1, "d": ["s"], "e": None, "f": {"z": 0.5}}
        wrong = [
            {"a": -1}, {"a": 10}, {"a": "1"}, {"a": 1.5}, {"a": True}, {"b": "z"}, {"c": 2}, {"c": True}, {"d": []},
            {"d": ["s", "s", "s"]}, {"d": ["t"]}, {"d": [1]}, {"e": 0}, {"e": "x"}, {"f": {"z": "x"}}, {"g": 1}, {"f": []}]
        wrong = [{**right, **one} for one in wrong] + [{}, [], None]
        self.assertEqual([list(faults(value, schema)) for value in (right, {"a": 1.0})], [[], []])
        for value in wrong:
            with self.subTest(str(value)):
                self.assertTrue(list(faults(value, schema)))
                if jsonschema:
                    self.assertFalse(jsonschema.Draft202012Validator(schema).is_valid(value))
        self.assertRaises(ValueError, list, faults(1, {"oneOf": []}))


@needs()
class ProgramSchemaTests(unittest.TestCase):
    """What the program writes follows the schemas; a key that they lack does not."""

    @classmethod
    def setUpClass(cls):
        cls.context = project("squat", "push-up", "tennis")
        cls.project = cls.context.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.context.__exit__(None, None, None)

    def check(self, name, value):
        schema = SCHEMAS[name]
        self.assertEqual(list(faults(value, schema))[:5], [])
        self.assertEqual(list(faults({**value, "newKey": 1}, schema)), ["$: expected no key newKey"])
        if jsonschema:
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.Draft202012Validator(schema).validate(value)

    def test_runs(self):
        runs = {name: formbench.run(name, project=self.project).json for name in ("squat", "push-up", "tennis")}
        for name, run in runs.items():
            with self.subTest(name):
                self.check("results", run)
        found = [outcome for clip in runs["squat"]["clips"] for outcome in clip["outcomes"].values()]
        self.assertTrue([rep for outcome in found for rep in outcome["graded"] if rep["ratings"]])
        strokes = [outcome["classes"] for clip in runs["tennis"]["clips"] for outcome in clip["outcomes"].values()]
        self.assertTrue(strokes)
        # A metric that is undefined, and one for some people.
        self.assertTrue([metric for metric in runs["tennis"]["metrics"] + runs["squat"]["metrics"] if "value" not in metric])
        self.assertTrue([one for one in runs["squat"]["metrics"] if None in one["bySubject"].values()])
        # A key deep within is found as well.
        changed = copy.deepcopy(runs["squat"])
        changed["clips"][0]["outcomes"]["squat-states"]["newKey"] = 1
        self.assertEqual(len(list(faults(changed, SCHEMAS["results"]))), 1)

    def test_other_runs(self):
        for name, text in SUITES.items():
            (self.project / f"datasets/suites/{name}.yaml").write_text(text, encoding="utf-8")
        perturbed = formbench.run(
            "states", perturb="noise=2%", smooth="one-euro", set={"reps.squat-states.bottomAngle": 100},
            project=self.project).json
        robust = formbench.run("one", extra=["--robustness"], project=self.project).json
        predictions = self.project / "predictions.csv"
        predictions.write_text("clip,start_s,end_s\ns01_side_2,1,2\n", encoding="utf-8")
        scored = json.loads(
            call(["score", "--suite", "squat", "--predictions", predictions.name, "--json"], self.project))
        for key, run in {"perturbation": perturbed, "robustness": robust, "predicted": scored}.items():
            with self.subTest(key):
                self.assertIn(key, run)
                self.check("results", run)

    def test_verdicts(self):
        call(["baseline", "accept", "--suite", "squat"], self.project)
        # Without a setting, one that almost nobody does, and one of which twelve people cannot tell.
        angles = {"pass": None, "regression": 60, "maybe-worse": 85}
        for outcome, angle in angles.items():
            with self.subTest(outcome):
                change = angle and {"reps.squat-states.bottomAngle": angle}
                verdict = formbench.gate("squat", set=change, project=self.project)
                self.assertEqual(verdict.verdict, outcome)
                self.check("verdict", verdict.json)
        run = formbench.run("squat", project=self.project).json
        self.assertIn("comparison", run)
        self.check("results", run)
        suite = self.project / "datasets/suites/squat.yaml"
        text = suite.read_text(encoding="utf-8")
        self.addCleanup(suite.write_text, text, encoding="utf-8")
        gone = [line for line in text.splitlines() if "squat-states, metric: count.mae" not in line]
        suite.write_text("\n".join(gone) + "\n", encoding="utf-8")
        verdict = formbench.gate("squat", project=self.project)
        self.assertEqual((verdict.verdict, verdict.exit_code), ("missing", 5))
        self.check("verdict", verdict.json)

    def test_drifts(self):
        def write(name, counts):
            rows = [f"p{n}_a,p{n},{count},0.{count}\n" for n, count in enumerate(counts)]
            (self.project / name).write_text("clip,subject,count,cost\n" + "".join(rows), encoding="utf-8")

        write("old.csv", [2, 1, 2, 2, 3, 2])
        write("new.csv", [3, 2, 3, 3, 4, 3])
        paired = formbench.drift("old.csv", "new.csv", number=["cost"], project=self.project)
        self.assertEqual(paired.json["measures"][0]["shown"], "higher")
        groups = formbench.drift("old.csv", "new.csv", other_clips=True, extra=["--person-before", "_"], project=self.project)
        for drift in (paired, groups):
            self.check("drift", drift.json)

    def test_leaderboards(self):
        names = ["squat-sample", "tennis-sample"]
        self.check("leaderboard", formbench.leaderboard(
            names, detectors=["squat-states", "squat-posture", "swing-states"], project=self.project).json)
        self.check("leaderboard", formbench.leaderboard(suites=["push-up"], project=self.project).json)


if __name__ == "__main__":
    unittest.main()
