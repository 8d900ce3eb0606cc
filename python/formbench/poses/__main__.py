"""python -m formbench.poses VIDEOS --to KEYPOINTS"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from typing import Dict, Iterable, List, Optional, Sequence

from .convert import OpenVideo
from .estimators import estimator_class, require
from .pool import convert_all
from .progress import Progress, duration
from .records import Record, Records, describe_estimator
from .sources import ENDINGS, Source, find_videos
from .video import Video

_PACKAGES = ("av", "mediapipe")
_INSTALL = 'pip install "./python[poses]"'


def main(arguments: Optional[Sequence[str]] = None, open_video: Optional[OpenVideo] = None) -> int:
    """Returns 0, 1 if a video failed or none was found, or 130 after Ctrl-C.

    - open_video: reads a video by other means than PyAV.
    """
    options = _parser().parse_args(arguments)
    try:
        if open_video is None:
            require("av")
        return _run(options, open_video or Video)
    except KeyboardInterrupt:
        print("Stopped. Run the same command again to continue.", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:
        remedy = _INSTALL if error.name in _PACKAGES else "run from its folder, or install it"
        print(f"error: no Python package {error.name}: {remedy}", file=sys.stderr)
    except FileNotFoundError as error:
        print(f"error: no such file or folder: {error.filename or error}", file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m formbench.poses", allow_abbrev=False,
        description="Find keypoints in videos and write files for bench dataset import.",
        epilog="Videos that are done and have not changed are skipped: run the same command again to continue.")
    parser.add_argument("videos", nargs="+", metavar="VIDEOS", help="videos, or folders with videos at any depth")
    parser.add_argument("--to", required=True, metavar="KEYPOINTS", help="the folder of keypoints to write")
    parser.add_argument(
        "--workers", type=_positive, default=os.cpu_count() or 1, metavar="N", help="processes (default: CPU cores)")
    parser.add_argument(
        "--estimator", default="mediapipe", metavar="MODULE:CLASS", help="your own estimator (default: mediapipe)")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return int(text)


def _run(options: argparse.Namespace, open_video: OpenVideo) -> int:
    sources, errors = find_videos(options.videos)
    count = len(sources) + len(errors)
    if not sources:
        places = ", ".join(options.videos)
        endings = ", ".join(f"*{ending}" for ending in ENDINGS)
        print(f"error: no video in {places}: looked for {endings}", file=sys.stderr)
        return 1
    estimator = describe_estimator(estimator_class(options.estimator))
    os.makedirs(options.to, exist_ok=True)
    records = Records(options.to)
    left = [source for source in sources if not records.is_done(source, estimator)]
    start = time.monotonic()
    errors.update(_convert(left, options, records, open_video))
    done = {source.name: records.videos[source.name] for source in sources if source.name not in errors}
    _print_findings(done)
    for name, error in sorted(errors.items()):
        print(f"error: {name}: {error}", file=sys.stderr)
    skipped = len(sources) - len(left)
    print(_summary(count, skipped, len(errors), time.monotonic() - start))
    if done:
        print(f"Next: {_import_command(done, options.to)}")
    return 1 if errors else 0


def _convert(
    left: List[Source], options: argparse.Namespace, records: Records, open_video: OpenVideo
) -> Dict[str, str]:
    """Converts videos, notes their records, and returns errors by name."""
    errors: Dict[str, str] = {}
    progress = Progress(left, sys.stderr)
    events = convert_all(left, options.to, options.estimator, options.workers, open_video)
    try:
        for event in events:
            if event.record:
                records.add(event.source.name, event.record)
            elif event.error:
                errors[event.source.name] = event.error
            progress.show(event)
    finally:
        events.close()
        progress.clear()
        records.write()
    return errors


def _print_findings(done: Dict[str, Record]) -> None:
    found = [(name, finding) for name, record in sorted(done.items()) for finding in record["findings"]]
    for name, finding in found:
        print(f"{name}: {finding}")
    if found:
        print("Look at these videos before you label them: trim or leave out what is wrong.")


def _summary(count: int, skipped: int, failed: int, seconds: float) -> str:
    parts = [f"{count - skipped - failed} of {count} videos done in {duration(seconds)}"]
    if skipped:
        parts.append(f"{skipped} were done before")
    if failed:
        parts.append(f"{failed} failed")
    return "; ".join(parts)


def _import_command(names: Iterable[str], folder: str) -> str:
    # A folder a person.
    folders = " --folders subject" if all(name.count("/") == 1 for name in names) else ""
    return f"bench dataset import --from {shlex.quote(folder)}{folders} --exercise NAME"


if __name__ == "__main__":
    sys.exit(main())
