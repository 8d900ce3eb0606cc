"""Runs a suite on a Spark cluster: every worker tallies shards of its clips with bench, and the driver merges them.

    spark-submit --files bench python/formbench/spark.py --suite squat --data /shared/project
    spark-submit --files bench --archives project.tar.gz#project python/formbench/spark.py --suite squat \\
        --data project --merge-in . --sweep reps.squat-states.bottomAngle=70...110:2
    spark-submit --files bench python/formbench/spark.py --suite squat --data s3a://bucket/project --merge-in .

See docs/scale.md. Other options are those of bench tally: --sweep, --metric, --set, --dataset, --perturb and so on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Sequence
from typing import Any, Optional

# Exit codes of bench that another attempt does not change: an error in the data, something missing, wrong usage.
_LASTING = {1, 5, 64}


class WorkerFailure(Exception):
    """bench ended without a result, such as by a signal: Spark tries the shard again."""


def _bench(name: str) -> str:
    from pyspark import SparkFiles

    # On a cluster the root is the worker's own working folder, which bench leaves.
    shipped = os.path.abspath(os.path.join(SparkFiles.getRootDirectory(), name))
    if os.path.sep in name or not os.path.exists(shipped):
        return name
    # A file that Spark ships may lose its permissions.
    os.chmod(shipped, 0o755)
    return shipped


def _folder(data: str) -> str:
    from pyspark import SparkFiles

    if "://" in data:
        data = os.path.basename(data.rstrip("/"))
    return data if os.path.isabs(data) else os.path.abspath(os.path.join(SparkFiles.getRootDirectory(), data))


def tally(
    shard: int, count: int, bench: str, data: str, store: Optional[str], options: Sequence[str]
) -> tuple[int, Optional[bytes], str]:
    """Tallies one shard on this machine and returns (shard, compressed tally file or None, error)."""
    folder = _folder(data)
    with tempfile.TemporaryDirectory(prefix="formbench-") as scratch:
        path = os.path.join(scratch, "tally.jsonl")
        command = [_bench(bench), "tally", *options, "--shard", f"{shard}/{count}", "--to", path, "--jobs", "1"]
        if store:
            command += ["--store", store]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            with open(path, "rb") as file:
                return shard, zlib.compress(file.read(), 1), ""
        error = done.stderr.strip() or f"{bench} ended with {done.returncode}"
        if done.returncode in _LASTING:
            return shard, None, error
        raise WorkerFailure(f"shard {shard}/{count}: {error}")


def _node_store(data: str) -> Optional[str]:
    """The store of this machine for the project: its tasks share it, and nothing is written to a shared folder.

    None for a project that Spark brought: its store is in its folder, which Spark deletes.
    """
    if not os.path.isabs(data):
        return None
    name = f"formbench-{os.getuid()}-{zlib.crc32(_folder(data).encode()):08x}"
    folder = os.path.join(tempfile.gettempdir(), name)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user: give --store")
    return os.path.join(folder, "store.sqlite")


class _Progress(threading.Thread):
    """Prints how many shards are done while a job runs."""

    def __init__(self, context: Any, total: int, group: str) -> None:
        super().__init__(daemon=True)
        self.tracker, self.total, self.group, self.ended = context.statusTracker(), total, group, threading.Event()

    def run(self) -> None:
        last = -1
        while not self.ended.wait(1):
            stages = [
                self.tracker.getStageInfo(stage)
                for job in self.tracker.getJobIdsForGroup(self.group)
                for stage in self.tracker.getJobInfo(job).stageIds
            ]
            done = sum(stage.numCompletedTasks for stage in stages if stage)
            if done != last:
                print(f"tallied  {done} of {self.total} shards", file=sys.stderr, flush=True)
                last = done


def _write(path: str, content: bytes) -> None:
    """The file appears when it is complete, so that a driver that is killed leaves no half of one."""
    partial = f"{path}.partial"
    with open(partial, "wb") as file:
        file.write(content)
    os.replace(partial, path)


def _plan(path: str) -> Any:
    """What a tally file was made of and how, from its first line; None if that is no plan."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.loads(file.readline()).get("plan")
        except (AttributeError, ValueError):
            return None


def run(
    context: Any, suite: str, data: str, to: str, bench: str = "bench", shards: Optional[int] = None,
    store: Optional[str] = None, options: Sequence[str] = (),
) -> tuple[list[str], dict[int, str]]:
    """Tallies a suite on the cluster.

    `data` is a folder on every machine, the name of one of --archives, or a URI of a file system that Spark reads, from
    which every machine gets a copy. Shards whose file is in the folder `to` already are left alone, so that a driver
    that was stopped goes on where it was; files of other recordings, another suite or other options are made again.
    Returns the paths of the tally files and the errors by shard.
    """
    # First, as it may lie in the data, of which Spark compares the copies.
    os.makedirs(to, exist_ok=True)
    if "://" in data:
        context.addFile(data, recursive=True)
    count = shards or 2 * context.defaultParallelism
    paths = {shard: os.path.join(to, f"{shard}-of-{count}.jsonl") for shard in range(1, count + 1)}
    kept = [shard for shard, path in paths.items() if os.path.exists(path)]
    # If there is nothing to make, one file made again shows whether the others still hold.
    left = [shard for shard in paths if shard not in kept] or kept[:1]
    errors: dict[int, str] = {}
    while left:
        errors.update(_make(context, left, paths, bench, data, store, ["--suite", suite, *options]))
        kept = [shard for shard in kept if shard not in left]
        plan = next((_plan(paths[shard]) for shard in left if shard not in errors), None)
        left = [shard for shard in kept if plan and _plan(paths[shard]) != plan]
    return [path for shard, path in paths.items() if shard not in errors], errors


def _make(
    context: Any, left: Sequence[int], paths: dict[int, str], bench: str, data: str, store: Optional[str],
    options: Sequence[str],
) -> dict[int, str]:
    """Writes the files of some shards, and returns the errors by shard; a shard with an error leaves its file alone."""
    from pyspark import StorageLevel

    count = len(paths)
    errors: dict[int, str] = {}
    results = (
        context.parallelize(left, len(left))
        .map(lambda shard: tally(shard, count, bench, data, store or _node_store(data), options))
        # Kept on the workers' disks: the driver takes one shard after the other, and what a lost worker had is made
        # again.
        .persist(StorageLevel.DISK_ONLY)
    )
    progress = _Progress(context, len(left), "formbench")
    context.setJobGroup("formbench", " ".join(["bench tally", *options]))
    progress.start()
    try:
        results.count()
    finally:
        progress.ended.set()
        progress.join()
    for shard, content, error in results.toLocalIterator():
        if content is None:
            errors[shard] = error
        else:
            _write(paths[shard], zlib.decompress(content))
    results.unpersist()
    return errors


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="spark-submit … spark.py", description=(__doc__ or "").split("\n")[0], allow_abbrev=False)
    parser.add_argument("--suite", required=True, help="the suite: datasets/suites/<suite>.yaml")
    parser.add_argument(
        "--data", required=True,
        help="the project: a folder that every machine has, the name of one of --archives, or a URI such as s3a://…")
    parser.add_argument("--to", help="the folder of the tally files (default: tallies/<suite>)")
    parser.add_argument("--shards", type=int, help="the number of parts (default: two for each core)")
    parser.add_argument("--bench", default="bench", help="the program: a name of --files, or a path (default: bench)")
    parser.add_argument("--store", help="the store on every machine (default: one in its folder for temporary files)")
    parser.add_argument(
        "--merge-in", help="the project on this machine, in which bench merge stores the run (default: --data)")
    parser.add_argument("--no-merge", action="store_true", help="only write the tally files")
    known, options = parser.parse_known_args(arguments)

    from pyspark import SparkConf, SparkContext

    context = SparkContext.getOrCreate(SparkConf().setIfMissing("spark.app.name", f"bench {known.suite}"))
    try:
        paths, errors = run(
            context, known.suite, known.data, known.to or os.path.join("tallies", known.suite), known.bench,
            known.shards, known.store, options,
        )
        program = os.path.abspath(_bench(known.bench)) if os.path.sep in known.bench else _bench(known.bench)
        folder = known.merge_in or _folder(known.data)
        if errors:
            for shard, error in sorted(errors.items()):
                print(f"shard {shard}: {error}", file=sys.stderr)
            print(
                f"{len(errors)} of {len(errors) + len(paths)} shards failed. Correct what is wrong and run it again: "
                "the other shards are kept.",
                file=sys.stderr,
            )
            return 1
        if known.no_merge:
            return 0
        command = [program, "merge", *map(os.path.abspath, paths)]
        if known.store:
            command += ["--store", known.store]
        return subprocess.run(command, cwd=folder).returncode
    finally:
        context.stop()


if __name__ == "__main__":
    sys.exit(main())
