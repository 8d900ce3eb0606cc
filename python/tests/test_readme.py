"""python3 -m unittest discover -s python/tests"""

import contextlib
import os
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from projects import ROOT, needs, project

README = (ROOT / "python/README.md").read_text(encoding="utf-8")
SECTION = README.split("## In a notebook\n")[1].split("\n## ")[0]


@contextlib.contextmanager
def inside(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@needs("pandas")
class ReadmeTests(unittest.TestCase):
    def test_the_examples_of_the_notebook_section_run(self):
        examples = re.findall(r"```python\n(.*?)```", SECTION, re.S)
        self.assertEqual(len(examples), 3)
        with project() as folder, inside(folder):
            for example in examples:
                code = "\n".join(line for line in example.splitlines() if "needs matplotlib" not in line)
                exec(compile(code, "README.md", "exec"), {})

    def test_the_table_has_the_columns_of_the_frames(self):
        empty = {"suite": "s", "metrics": [], "clips": [], "before": "", "after": "", "clipChanges": [], "pairs": [], "faults": [],
                 "measures": [], "recounts": [],
                 "sections": [], "signals": [], "events": [], "settings": [], "axes": [], "folds": [], "verdict": "pass", "exitCode": 0,
                 "metric": {"name": "m", "direction": "lower", "unit": ""}, "tuning": {"detector": "d"}}
        kinds = {
            "run": formbench.Run, "compare": formbench.Comparison, "sweep": formbench.Sweep, "tune": formbench.Tuning,
            "gate": formbench.Verdict, "replay": formbench.Replay, "leaderboard": formbench.Leaderboard, "drift": formbench.Drift,
            "agreement": formbench.Agreement}
        call, checked = "", 0
        row_pattern = (
            r"(?m)^\| (?:`(\w+)\(.*?\)`)? ?\| `\.(metrics|people|clips|reps|grades|pairs|faults|signals|thresholds|events)` \| [^|]*\| ([^|]*) \|$")
        for row in re.findall(row_pattern, SECTION):
            call = row[0] or call
            columns = list(getattr(kinds[call](empty), row[1]).columns)
            listed = [name.strip() for name in row[2].split(",")]
            if call == "gate":
                change = list(kinds["compare"](empty).metrics.columns)
                listed = change[:change.index("shown") + 1] + listed[1:]
            if call == "sweep":
                listed = listed[1:]
            with self.subTest(f"{call}.{row[1]}"):
                self.assertEqual(listed, columns)
            checked += 1
        self.assertEqual(checked, 22)


if __name__ == "__main__":
    unittest.main()
