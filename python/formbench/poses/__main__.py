"""python -m formbench.poses VIDEOS --to KEYPOINTS"""

from __future__ import annotations

import importlib.util
import sys


def _run() -> int:
    missing = [name for name in ("av", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"error: not installed: {', '.join(missing)}. Run: pip install 'formbench[poses]'", file=sys.stderr)
        return 1
    from .command import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(_run())
