"""Projects for tests, with the program of $FORMBENCH_BENCH."""

import importlib.util
import os
import shutil
import tempfile
import unittest
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = os.environ.get("FORMBENCH_BENCH")


def needs(*packages, bench=True):
    """Skips a test, with the reason, without these packages or the program."""
    missing = [f"no {name}" for name in packages if importlib.util.find_spec(name) is None]
    if bench and not BENCH:
        missing.append("no $FORMBENCH_BENCH, the path of bench")
    return unittest.skipIf(missing, f"there is {' and '.join(missing)}")


@contextmanager
def project():
    """A folder with the suite squat and its datasets."""
    with tempfile.TemporaryDirectory(prefix="formbench-test-") as folder:
        datasets = Path(folder, "datasets")
        for name in ("squat-sample", "negatives-sample"):
            shutil.copytree(ROOT / "datasets" / name, datasets / name)
        (datasets / "suites").mkdir()
        shutil.copy(ROOT / "datasets/suites/squat.yaml", datasets / "suites")
        yield Path(folder)
