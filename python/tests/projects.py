"""Projects for tests, with the program of $FORMBENCH_BENCH."""

import importlib.util
import os
import re
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
def project(*suites):
    """A folder with these suites, by default squat, and their datasets."""
    with tempfile.TemporaryDirectory(prefix="formbench-test-") as folder:
        datasets = Path(folder, "datasets")
        (datasets / "suites").mkdir(parents=True)
        for suite in suites or ("squat",):
            path = shutil.copy(ROOT / f"datasets/suites/{suite}.yaml", datasets / "suites")
            for name in set(re.findall(r"name: ([\w-]+-sample)\b", Path(path).read_text(encoding="utf-8"))):
                shutil.copytree(ROOT / "datasets" / name, datasets / name, dirs_exist_ok=True)
        yield Path(folder)
