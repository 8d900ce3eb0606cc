"""bench draw: three charts of a stored run.

Both sides draw the same run at the same size in pixels. Pictures are not compared beyond that; bench's also state their
finding, place labels so that none overlap, and have a subtitle and notes.
"""

import json
import pathlib
import struct
import subprocess

from race import harness, replay

CHARTS = ["counts", "errors", "people"]


def prepare(bench, project):
    replay.prepare(bench, project)
    if not run(project).exists():
        subprocess.run([bench, "run", "--suite", replay.SUITE], cwd=project, check=True, capture_output=True)


def run(project: pathlib.Path) -> pathlib.Path:
    return project / "reports" / replay.SUITE / "latest/results.json"


def command(bench, project, output):
    return [bench, "draw", *CHARTS, "--suite", replay.SUITE, "--output", str(output)]


def size(path: pathlib.Path) -> list[int]:
    """Width and height of a PNG, from its header."""
    return list(struct.unpack(">II", path.read_bytes()[16:24]))


def results(bench, project, output):
    """The sizes, which the peer draws in."""
    sizes = {name: size(output / f"{name}.png") for name in CHARTS}
    (project / "sizes.json").write_text(json.dumps(sizes))
    return sizes


def compare(expected, output: pathlib.Path) -> None:
    found = {name: size(output / f"{name}.png") for name in CHARTS}
    assert found == expected, f"sizes: bench {expected}, peer {found}"


def matplotlib(project: pathlib.Path, output: pathlib.Path) -> None:
    import collections

    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    results = json.loads(run(project).read_text())
    sizes = json.loads((project / "sizes.json").read_text())
    clips = results["clips"]
    counts = [clip["outcomes"]["squat-states"]["count"] for clip in clips]
    truth = [clip["trueCount"] for clip in clips]
    errors = [count - true for count, true in zip(counts, truth, strict=True)]
    output.mkdir()

    def figure(name):
        figure, axes = pyplot.subplots(figsize=[pixels / 100 for pixels in sizes[name]], dpi=100, layout="constrained")
        axes.spines[["top", "right"]].set_visible(False)
        return figure, axes

    def save(name, figure):
        figure.savefig(output / f"{name}.png", dpi=100)
        pyplot.close(figure)

    picture, axes = figure("counts")
    points = collections.Counter(zip(truth, counts, strict=True))
    axes.scatter(*zip(*points, strict=True), s=[10 * number for number in points.values()], alpha=0.6)
    axes.axline((0, 0), slope=1, color="grey", linewidth=1)
    worst = sorted(range(len(clips)), key=lambda clip: -abs(errors[clip]))
    for clip in worst[:3]:
        axes.annotate(clips[clip]["name"], (truth[clip], counts[clip]))
    axes.set(
        title=f"{errors.count(0)} of {len(clips)} clips counted exactly", xlabel="true reps", ylabel="counted reps"
    )
    save("counts", picture)

    picture, axes = figure("errors")
    shown = worst[:30][::-1]
    axes.barh([clips[clip]["name"] for clip in shown], [errors[clip] for clip in shown])
    axes.set(title="Count error of the worst 30 clips", xlabel="counted minus true reps")
    save("errors", picture)

    picture, axes = figure("people")
    people: dict[str, list[int]] = {}
    for clip, error in zip(clips, errors, strict=True):
        people.setdefault(clip["subject"], []).append(error)
    for place, own in enumerate(people.values()):
        axes.scatter(own, [place] * len(own), s=12, alpha=0.4, color="tab:blue")
        axes.scatter(sum(own) / len(own), place, s=30, marker="|", color="black")
    axes.set_yticks(range(len(people)), people.keys())
    axes.set(title="Count errors by person", xlabel="counted minus true reps")
    save("people", picture)


RACES = [
    harness.Race(
        "charts",
        "`draw`: three charts of a run of 2,100 clips; the same data and size, pictures not compared",
        {"matplotlib": "matplotlib"},
        "charts",
        command,
        results,
        compare,
        prints=False,
        prepare=prepare,
    )
]

if __name__ == "__main__":
    harness.main_of_side(globals())
