"""A race: a bench command and Python programs that compute the same, as whole processes.

Before any time counts, each side runs once and its results are compared with bench's; a side with other results stops
the race. Then each round runs every side once, in an order that changes from round to round, and every peer's time is
divided by bench's of the same round: what else runs on the machine falls on both.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Race:
    """A bench command against Python programs, the sides.

    A side is a function of the race's module that is called in a process of its own with the project's folder and an
    output path, where it writes its results.
    """

    name: str
    what: str
    # Name in the table, and name of the function.
    sides: dict[str, str]
    module: str
    # Of the program, the project and the output path; what bench prints goes to the output path where `prints` is set.
    command: Callable[[str, pathlib.Path, pathlib.Path], list[str]]
    # Bench's results, of the program, the project and the output path.
    results: Callable[[str, pathlib.Path, pathlib.Path], object]
    # Raises AssertionError if a side's results are not bench's. The last argument is the side's output path.
    compare: Callable[[object, pathlib.Path], None]
    prints: bool = True
    prepare: Callable[[str, pathlib.Path], None] = lambda bench, project: None
    # What the results of all sides have to say, if their equality is not all.
    finding: Callable[[object, dict[str, pathlib.Path]], str] | None = None


@dataclasses.dataclass
class Effort:
    """What a process took, with the processes that it waited for."""

    cpu: float
    wall: float


def run(command: list[str], folder: pathlib.Path, stdout=subprocess.DEVNULL) -> Effort:
    """Runs a command, and stops the program with the command's own error if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=stdout, stderr=subprocess.PIPE, text=True, env=environment)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"race: {' '.join(map(str, command))}\nended with {process.returncode}:\n{errors}")
    return Effort(usage.ru_utime + usage.ru_stime, wall)


@dataclasses.dataclass
class Row:
    """A peer's result in a race."""

    race: Race
    peer: str
    bench: list[Effort]
    other: list[Effort]
    finding: str

    def ratios(self, measure: str) -> list[float]:
        return sorted(getattr(b, measure) / getattr(a, measure) for a, b in zip(self.bench, self.other, strict=True))

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios("cpu"))

    def text(self) -> str:
        def spread(measure):
            ratios = self.ratios(measure)
            return f"{statistics.median(ratios):.2g} ({ratios[0]:.2g} to {ratios[-1]:.2g})"

        def cost(efforts):
            return f"{statistics.median(effort.cpu for effort in efforts):.2f} s"

        what = self.race.what + (f"; {self.finding}" if self.finding else "")
        cells = [
            spread("cpu"),
            spread("wall"),
            what,
            self.peer,
            cost(self.bench),
            cost(self.other),
            str(len(self.bench)),
        ]
        return f"| {' | '.join(cells)} |"


HEADER = """\
| processor time, peer : bench | by the clock | race | peer | bench | peer's | rounds |
|---|---|---|---|---|---|---|"""


class Runner:
    """Runs races in a project folder."""

    def __init__(self, bench: str, project: pathlib.Path, rounds: int):
        self.bench, self.project, self.rounds = bench, project, rounds
        self.outputs = project / f"outputs-{os.getpid()}"

    def once(self, race: Race, side: str | None) -> tuple[Effort, pathlib.Path]:
        """Runs one side, bench where it has no name, into an empty output path."""
        output = self.outputs / (race.sides[side] if side else "bench")
        shutil.rmtree(output, ignore_errors=True)
        output.unlink(missing_ok=True)
        if side:
            command = [sys.executable, "-m", f"race.{race.module}", race.sides[side], str(self.project), str(output)]
            return run(command, self.project), output
        command = race.command(self.bench, self.project, output)
        if not race.prints:
            return run(command, self.project), output
        with open(output, "w") as file:
            return run(command, self.project, file), output

    def rows(self, race: Race) -> list[Row]:
        shutil.rmtree(self.outputs, ignore_errors=True)
        self.outputs.mkdir()
        race.prepare(self.bench, self.project)
        _, output = self.once(race, None)
        expected = race.results(self.bench, self.project, output)
        outputs = {}
        for side in race.sides:
            _, outputs[side] = self.once(race, side)
            try:
                race.compare(expected, outputs[side])
            except AssertionError as error:
                sys.exit(f"race: {race.name}: {side} has other results than bench, so there is no race:\n{error}")
        finding = race.finding(expected, outputs) if race.finding else ""
        sides = [None, *race.sides]
        efforts = {side: [] for side in sides}
        for turn in range(self.rounds):
            order = sides[turn % len(sides) :] + sides[: turn % len(sides)]
            for side in order if turn % 2 == 0 else reversed(order):
                efforts[side].append(self.once(race, side)[0])
        shutil.rmtree(self.outputs)
        return [Row(race, side, efforts[None], efforts[side], finding) for side in race.sides]


def compare_numbers(expected: dict[str, float], output: pathlib.Path) -> None:
    """Compares two dictionaries of numbers; the second is JSON."""
    found = json.loads(output.read_text())
    assert expected.keys() == found.keys(), f"names differ: {sorted(expected.keys() ^ found.keys())[:5]}"
    for name, value in expected.items():
        assert abs(value - found[name]) <= 1e-9 * max(1, abs(value)), f"{name}: bench {value}, peer {found[name]}"


def main_of_side(functions: dict[str, object]) -> None:
    """Calls the side that the command line names, in a process of its own."""
    name, project, output = sys.argv[1:]
    functions[name](pathlib.Path(project), pathlib.Path(output))
