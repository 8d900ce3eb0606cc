"""bench sweep: 1,000 settings of a rep counter over a million frames."""

import json
import pathlib

from race import harness, replay

BOTTOMS = range(70, 120)
STANDINGS = range(141, 161)


def command(bench, project, output):
    axes = [f"bottomAngle={BOTTOMS[0]}...{BOTTOMS[-1]}:1", f"standingAngle={STANDINGS[0]}...{STANDINGS[-1]}:1"]
    swept = [argument for axis in axes for argument in ("--sweep", f"reps.squat-states.{axis}")]
    return [bench, "sweep", "--suite", replay.SUITE, *swept, "--metric", "count.mae", "--json"]


def results(bench, project, output):
    sweep = json.loads(output.read_text())
    names = [axis["parameter"] for axis in sweep["axes"]]
    return {
        " ".join(f"{setting['values'][name]:g}" for name in names): setting["value"] for setting in sweep["settings"]
    }


def vectorised(project: pathlib.Path, output: pathlib.Path) -> None:
    """A pass over the frames for each standing angle; a bottom angle only selects among the excursions."""
    import numpy

    from race import squats

    clips = squats.read(project, replay.SUITE)
    scores = {}
    for standing in STANDINGS:
        found = squats.excursions(clips, standing)
        for bottom in BOTTOMS:
            counts = numpy.bincount(found.clips[squats.reps(found, bottom)], minlength=len(clips.names))
            scores[f"{bottom} {standing}"] = clips.mean_error(counts)
    output.write_text(json.dumps(scores))


def compiled(project: pathlib.Path, output: pathlib.Path) -> None:
    """The state machine frame by frame, for each setting, compiled by Numba and on all cores; the cache is warm."""
    import numpy

    from race import machine, squats

    clips = squats.read(project, replay.SUITE)
    settings = numpy.array([(bottom, standing) for bottom in BOTTOMS for standing in STANDINGS], dtype=numpy.float32)
    bounds = numpy.append(clips.firsts, len(clips.angles) - 1)
    counts = machine.counts(
        clips.angles, bounds, numpy.array(clips.rates), settings, squats.HYSTERESIS, numpy.int64(squats.COOLDOWN)
    )
    output.write_text(
        json.dumps({f"{b:g} {s:g}": clips.mean_error(row) for (b, s), row in zip(settings, counts, strict=True)})
    )


RACES = [
    harness.Race(
        "sweep",
        "`sweep`: 1,000 settings of two angles over 1,018,936 frames",
        {"NumPy, from crossing to crossing": "vectorised", "Numba, frame by frame": "compiled"},
        "sweep",
        command,
        results,
        harness.compare_numbers,
        prepare=replay.prepare,
    )
]

if __name__ == "__main__":
    harness.main_of_side(globals())
