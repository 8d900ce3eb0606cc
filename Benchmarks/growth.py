"""Measures how the time of commands grows with clips and people: scripts/benchmark growth

Sets of generated squats, of N clips by a tenth as many people and of N people with a clip each. A cell is the processor's
time; an exponent compares two neighbouring sizes, without the time of a set of two clips: 1 grows with the size, 2 with
its square.
"""

import argparse
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile

COMMANDS = {
    "dataset check": ["dataset", "check", "{name}"],
    "run, with report": ["run", "--suite", "{name}"],
    "report --html": ["report", "--suite", "{name}", "--html"],
    "history list": ["history", "list", "--suite", "{name}"],
    "baseline accept": ["baseline", "accept", "--suite", "{name}"],
    "gate": ["gate", "--suite", "{name}"],
}


def seconds(bench, arguments, folder):
    """The processor's time of a command, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([bench, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(bench, folder, people, clips):
    """The time of each command on a new set, which is removed again."""
    name = f"squats-{people}-{clips}"
    generated = os.path.join(folder, "generated")
    options = ["--exercise", "squat", "--scenario", "perfect-form", "--seed", "1", "--name", name, "--to", generated]
    seconds(
        bench, ["dataset", "generate", *options, "--subjects", str(people), "--clips-per-subject", str(clips)], folder)
    seconds(bench, ["dataset", "import", "folder", "--from", generated], folder)
    shutil.rmtree(generated)
    seconds(bench, ["init", name], folder)
    times = [seconds(bench, [word.format(name=name) for word in words], folder) for words in COMMANDS.values()]
    seconds(bench, ["dataset", "remove", name], folder)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--clips", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--people", type=int, nargs="+", default=[100, 1000, 5000])
    known = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        start = measure(known.bench, folder, 2, 1)
        for what, sizes, shape in [
            ("clips", known.clips, lambda n: (max(1, n // 10), 10)), ("people", known.people, lambda n: (n, 1)),
        ]:
            rows = [measure(known.bench, folder, *shape(size)) for size in sizes]
            heads = [f"{size:,} {what}" for size in sizes] + [f"exponent to {size:,}" for size in sizes[1:]]
            print(f"| `bench` | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
            for place, command in enumerate(COMMANDS):
                times = [row[place] for row in rows]
                exponents = [
                    math.log(max(b - start[place], 1e-3) / max(a - start[place], 1e-3)) / math.log(n / m)
                    for a, b, m, n in zip(times, times[1:], sizes, sizes[1:])
                ]
                cells = [f"{time:.2f} s" for time in times] + [f"{exponent:.2f}" for exponent in exponents]
                print(f"| `{command}` | {' | '.join(cells)} |", flush=True)
            print()


if __name__ == "__main__":
    main()
