#!/usr/bin/env python3
"""Reads the files of ThroughputFiles as a Python user would, and prints rows of a table: throughput.py FOLDER

The fastest of several tries, in MB of the file a second on one core as far as a package lets itself be told so. A package
that is not installed is left out, and said.
"""
import importlib
import json
import os
import sys
import time


def rate(path, read, tries=3):
    fastest = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        read(path)
        fastest = min(fastest, time.perf_counter() - start)
    return os.path.getsize(path) / 1e6 / fastest


def with_file(parse):
    def read(path):
        with open(path, "rb") as file:
            return parse(file.read())
    return read


def numbers(parse):
    """Parses frames and collects their numbers, the minimum for reading poses."""
    import_numpy = importlib.import_module("numpy")

    def gather(text):
        frames = parse(text)
        return import_numpy.array(
            [[[k["x"], k["y"], k["score"]] for k in frame["keypoints"]] for frame in frames], dtype="float32")
    return with_file(gather)


def results(parse):
    """The same for COCO's results."""
    import_numpy = importlib.import_module("numpy")
    return with_file(lambda text: import_numpy.array([result["keypoints"] for result in parse(text)], dtype="float32"))


def main(folder):
    csv, npy, jsn = (f"{folder}/poses.{ending}" for ending in ("csv", "npy", "json"))
    mediapipe, coco, indented = (f"{folder}/{name}" for name in ("mediapipe.csv", "coco.json", "coco-indented.json"))
    cases = [
        ("pandas", "pandas.read_csv", csv, lambda m: m.read_csv),
        ("pandas", "pandas.read_csv of MediaPipe's", mediapipe, lambda m: m.read_csv),
        ("numpy", "numpy.loadtxt", csv, lambda m: lambda p: m.loadtxt(p, delimiter=",", skiprows=1, dtype="float32")),
        ("numpy", "numpy.load", npy, lambda m: m.load),
        ("json", "json.load alone", jsn, lambda m: with_file(m.loads)),
        ("json", "json.load into a numpy array", jsn, lambda m: numbers(m.loads)),
        ("orjson", "orjson.loads alone", jsn, lambda m: with_file(m.loads)),
        ("orjson", "orjson.loads into a numpy array", jsn, lambda m: numbers(m.loads)),
        ("json", "json.load of COCO's results into a numpy array", coco, lambda m: results(m.loads)),
        ("orjson", "orjson.loads of COCO's results into a numpy array", coco, lambda m: results(m.loads)),
        ("json", "json.load of the same, indented", indented, lambda m: results(m.loads)),
        ("orjson", "orjson.loads of the same, indented", indented, lambda m: results(m.loads)),
    ]
    for package, what, path, reader in cases:
        try:
            module = importlib.import_module(package)
            measured = f"{rate(path, reader(module)):.0f} MB/s"
            version = getattr(module, "__version__", sys.version.split()[0])
            print(f"| {what} ({package} {version}) | {measured} |")
        except ImportError as error:
            print(f"| {what} | skipped: {error} |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: throughput.py FOLDER")
    main(sys.argv[1])
