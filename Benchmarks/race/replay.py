"""bench run: replay a rep counter on a million frames, match its reps with the true ones, score both."""

import csv
import json
import pathlib

from race import harness, recordings

SUITE = "million-frames"


def prepare(bench, project):
    recordings.prepare(bench, project, SUITE, 100, 21)


def command(bench, project, output):
    return [bench, "run", "--suite", SUITE, "--json"]


def results(bench, project, output):
    """Each clip's count and the two metrics of the suite."""
    run = json.loads(output.read_text())
    counts = {clip["name"]: clip["outcomes"]["squat-states"]["count"] for clip in run["clips"]}
    return counts | {metric["metric"]: metric["value"] for metric in run["metrics"] if metric["isListed"]}


def write(project: pathlib.Path, output: pathlib.Path, clips, ends: list[list[int]]) -> None:
    """Scores the ends of the reps of each clip, in microseconds, and writes counts and metrics."""
    import numpy

    truth: dict[str, list[int]] = {name: [] for name in clips.names}
    with open(project / "datasets" / SUITE / "reps.csv", newline="") as file:
        for row in csv.DictReader(file):
            truth[row["clip"]].append(round(float(row["end_s"]) * 1e6))
    counts = numpy.array([len(clip) for clip in ends])
    hits = sum(matches(truth[name], clip) for name, clip in zip(clips.names, ends, strict=True))
    scores = dict(zip(clips.names, counts.tolist(), strict=True))
    scores["count.mae"] = clips.mean_error(counts)
    scores["reps.f1"] = 2 * hits / (int(counts.sum()) + sum(map(len, truth.values())))
    output.write_text(json.dumps(scores))


def matches(truth: list[int], found: list[int], tolerance=500_000) -> int:
    """The greatest number of pairs within the tolerance: in order of time, the first that fits is the best."""
    truth, found = sorted(truth), sorted(found)
    pairs = here = 0
    for time in truth:
        while here < len(found) and found[here] < time - tolerance:
            here += 1
        if here < len(found) and found[here] <= time + tolerance:
            pairs, here = pairs + 1, here + 1
    return pairs


def plain(project: pathlib.Path, output: pathlib.Path) -> None:
    """Angles by NumPy, then a state machine frame by frame."""
    from race import squats

    clips = squats.read(project, SUITE)
    standing, bottom, hysteresis = 160.0, 90.0, float(squats.HYSTERESIS)
    angles = clips.angles.tolist()
    bounds = [*clips.firsts.tolist(), len(angles) - 1]
    ends = []
    for clip, rate in enumerate(clips.rates):
        counted: list[int] = []
        moves, deepest = False, 0.0
        for place, angle in enumerate(angles[bounds[clip] + 1 : bounds[clip + 1]]):
            if moves:
                if angle < deepest:
                    deepest = angle
                elif angle > standing:
                    moves = False
                    if deepest < bottom:
                        time = round(place / rate * 1e6)
                        if not counted or time - counted[-1] >= squats.COOLDOWN:
                            counted.append(time)
            elif angle < standing - hysteresis:
                moves, deepest = True, angle
        ends.append(counted)
    write(project, output, clips, ends)


def vectorised(project: pathlib.Path, output: pathlib.Path) -> None:
    """From crossing to crossing by NumPy."""
    import numpy

    from race import squats

    clips = squats.read(project, SUITE)
    found = squats.excursions(clips, 160)
    counted = squats.reps(found, 90)
    bounds = numpy.searchsorted(found.clips[counted], numpy.arange(1, len(clips.names)))
    write(project, output, clips, [part.tolist() for part in numpy.split(found.end_times[counted], bounds)])


RACES = [
    harness.Race(
        "replay",
        "`run`: one rep counter on 2,100 clips, 1,018,936 frames, scored",
        {"NumPy, from crossing to crossing": "vectorised", "NumPy angles, state machine in plain Python": "plain"},
        "replay",
        command,
        results,
        harness.compare_numbers,
        prepare=prepare,
    )
]

if __name__ == "__main__":
    harness.main_of_side(globals())
