"""Projects for tests, with the program of $FORMBENCH_BENCH."""

import atexit
import importlib.util
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = os.environ.get("FORMBENCH_BENCH")


def needs(*packages, bench=True):
    """Skips a test, with the reason, without these packages or the program."""
    missing = [f"no {name}" for name in packages if importlib.util.find_spec(name) is None]
    if bench and not BENCH:
        missing.append("no $FORMBENCH_BENCH, the path of bench")
    return unittest.skipIf(missing, f"there is {' and '.join(missing)}")


_made = {}


def _first(suites):
    """The project that others with these suites are copies of: to generate its datasets takes longer than most tests."""
    if suites not in _made:
        made = tempfile.TemporaryDirectory(prefix="formbench-test-")
        atexit.register(made.cleanup)
        datasets = Path(made.name, "datasets")
        (datasets / "suites").mkdir(parents=True)
        for suite in suites or ("squat",):
            text = (ROOT / f"datasets/suites/{suite}.yaml").read_text(encoding="utf-8")
            if not suites:
                text = re.sub(r"(?m)^- (name: |\{ detector: )(coach-|coach-live-|live-)squat\b.*\n", "", text)
            (datasets / f"suites/{suite}.yaml").write_text(text, encoding="utf-8")
            for name in set(re.findall(r"name: ([\w-]+-sample)\b", text)):
                shutil.copytree(ROOT / "datasets" / name, datasets / name, dirs_exist_ok=True)
        subprocess.run([BENCH, "dataset", "list"], cwd=made.name, check=True, capture_output=True)
        _made[suites] = Path(made.name).resolve()
    return _made[suites]


@contextmanager
def project(*suites):
    """A folder with these suites and their datasets, which its store has.

    By default the suite squat without half of its detectors, which take a third of a run's time.
    """
    first = _first(suites)
    with tempfile.TemporaryDirectory(prefix="formbench-test-") as folder:
        shutil.copytree(first, folder, dirs_exist_ok=True)
        # The store knows the folders that it holds copies of by their whole paths.
        with closing(sqlite3.connect(Path(folder, ".formbench/store.sqlite"))) as store, store:
            store.execute(
                "UPDATE dataset SET folder = replace(folder, ?, ?)", (str(first), str(Path(folder).resolve())))
        yield Path(folder)
