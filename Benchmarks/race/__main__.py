"""Runs the races and prints their table, what bench loses first."""

import argparse
import os
import pathlib
import platform
import sys
from importlib import metadata

from race import agreement, charts, harness, importing, replay, scoring, sweep, tune

RACES = [race for module in (importing, replay, sweep, tune, scoring, agreement, charts) for race in module.RACES]
PACKAGES = pathlib.Path(__file__).parent / "requirements.txt"


def main() -> None:
    parser = argparse.ArgumentParser(prog="race", description=__doc__)
    parser.add_argument("races", nargs="*", help=f"races to run; all are: {', '.join(race.name for race in RACES)}")
    parser.add_argument("--bench", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--project", required=True, type=pathlib.Path, help="folder for the recordings, which stay")
    parser.add_argument("--rounds", type=int, default=7, help="times that each side runs (default: 7)")
    arguments = parser.parse_args()
    unknown = set(arguments.races) - {race.name for race in RACES}
    if unknown:
        parser.error(f"unknown races: {', '.join(sorted(unknown))}")
    project = arguments.project.resolve()
    project.mkdir(parents=True, exist_ok=True)
    runner = harness.Runner(arguments.bench, project, arguments.rounds)
    rows = []
    for race in RACES:
        if not arguments.races or race.name in arguments.races:
            print(f"race: {race.name}", file=sys.stderr, flush=True)
            rows += runner.rows(race)
    packages = [line.split("==")[0] for line in PACKAGES.read_text().split() if "==" in line]
    versions = ", ".join(f"{package} {metadata.version(package)}" for package in packages)
    print(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} cores\n")
    print(harness.HEADER)
    for row in sorted(rows, key=lambda row: row.ratio):
        print(row.text())


main()
