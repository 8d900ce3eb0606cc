"""The commands of bench as functions. Each runs the program in the project's folder and returns a `Result`.

Parameters have the names of the command's options: `bench run --help` describes them. `extra` is for options without a
parameter, such as `extra=["--release", "1.2"]`. All functions raise BenchError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Optional, Union

from .player import Player
from .program import PathLike, Value, call, call_json, options
from .results import Agreement, Comparison, Drift, Leaderboard, Replay, Run, Sweep, Tuning, Verdict
from .scratch import folder

Names = Union[str, Sequence[str]]
Settings = Mapping[str, Value]
Ranges = Mapping[str, Union[Value, Iterable[float]]]
Files = Union[PathLike, Sequence[PathLike]]

# Exit codes of bench gate that are verdicts: regression, a likely loss, something missing.
_VERDICTS = (2, 3, 5)


def run(
    suite: str, *, set: Optional[Settings] = None, dataset: Optional[Names] = None, parameters: Optional[Files] = None,
    smooth: Optional[str] = None, perturb: Optional[str] = None, seed: Optional[int] = None, jobs: Optional[int] = None,
    allow_commands: bool = False, store: Optional[PathLike] = None, project: PathLike = ".", extra: Sequence[str] = (),
) -> Run:
    """Replays a suite's clips and scores its detectors: `run("squat", set={"reps.squat-states.bottomAngle": 100})`.

    `Run.metrics`, `.people`, `.clips`, `.reps` and `.grades` are frames, and `.to_parquet(folder)` writes them. The
    report is written to reports/<suite>. Raises BenchError.
    """
    words = options(
        suite=suite, set=set, dataset=dataset, parameters=parameters, smooth=smooth, perturb=perturb, seed=seed,
        jobs=jobs, allow_commands=allow_commands, store=store)
    return Run(call_json(["run", *words, *extra], project))


def _range(name: str, values: Union[Value, Iterable[float]]) -> Value:
    """`70...110:10` for the numbers 70, 80, 90, 100 and 110."""
    if isinstance(values, (str, int, float)):
        return values
    numbers = [float(value) for value in values]
    step = (numbers[-1] - numbers[0]) / (len(numbers) - 1) if len(numbers) > 1 else 0
    if step <= 0 or any(abs(numbers[0] + i * step - value) > 1e-6 * step for i, value in enumerate(numbers)):
        raise ValueError(f"{name}: expected evenly spaced numbers that rise, or a text such as 70...110:10; found {values}")
    return f"{numbers[0]:.12g}...{numbers[-1]:.12g}:{step:.12g}"


def compare(
    suite: str, *, set: Optional[Settings] = None, from_set: Optional[Settings] = None,
    detectors: Optional[Sequence[str]] = None, runs: Optional[Sequence[str]] = None, dataset: Optional[Names] = None,
    parameters: Optional[Files] = None, predictions: Optional[Files] = None, from_predictions: Optional[Files] = None,
    smooth: Optional[str] = None, jobs: Optional[int] = None, allow_commands: bool = False,
    store: Optional[PathLike] = None, project: PathLike = ".", extra: Sequence[str] = (),
) -> Comparison:
    """Compares a suite with and without a change, two detectors, two runs or two files of predictions.

    A gain above 0 is better, in the metric's unit. Raises BenchError.
    """
    words = options(
        suite=suite, set=set, from_set=from_set, detectors=None if detectors is None else ",".join(detectors),
        dataset=dataset, parameters=parameters, predictions=predictions, from_predictions=from_predictions,
        smooth=smooth, jobs=jobs, allow_commands=allow_commands, store=store)
    # Several values of one option.
    words += [] if runs is None else ["--runs", *runs]
    return Comparison(call_json(["compare", *words, *extra], project))


def sweep(
    suite: str, sweep: Ranges, *, metric: Optional[str] = None, sample: Optional[int] = None,
    set: Optional[Settings] = None, dataset: Optional[Names] = None, parameters: Optional[Files] = None,
    perturb: Optional[str] = None, seed: Optional[int] = None, jobs: Optional[int] = None, allow_commands: bool = False,
    store: Optional[PathLike] = None, project: PathLike = ".", extra: Sequence[str] = (),
) -> Sweep:
    """Scores one metric at many settings: `sweep("squat", {"reps.squat-states.bottomAngle": "70...110:10"})`.

    A value is `from...to:step` in the parameter's unit, or evenly spaced numbers such as `range(70, 111, 10)`. Raises
    ValueError for others, and BenchError.
    """
    words = options(
        suite=suite, sweep={name: _range(name, values) for name, values in sweep.items()}, metric=metric, sample=sample, set=set, dataset=dataset, parameters=parameters,
        perturb=perturb, seed=seed, jobs=jobs, allow_commands=allow_commands, store=store)
    return Sweep(call_json(["sweep", *words, *extra], project))


def tune(
    suite: str, *, tune: Optional[Union[Names, Settings]] = None, detector: Optional[str] = None,
    metric: Optional[str] = None, search: Optional[str] = None, budget: Optional[int] = None, nested: bool = False,
    to: Optional[PathLike] = None, set: Optional[Settings] = None, dataset: Optional[Names] = None,
    parameters: Optional[Files] = None, perturb: Optional[str] = None, seed: Optional[int] = None,
    jobs: Optional[int] = None, allow_commands: bool = False, store: Optional[PathLike] = None,
    project: PathLike = ".", extra: Sequence[str] = (),
) -> Tuning:
    """Optimizes a detector's parameters for one metric; `tune` selects them, by name or with their values.

    `budget` is the number of settings that may be scored. Raises BenchError.
    """
    words = options(
        suite=suite, tune=tune, detector=detector, metric=metric, search=search, budget=budget, nested=nested, to=to,
        set=set, dataset=dataset, parameters=parameters, perturb=perturb, seed=seed, jobs=jobs,
        allow_commands=allow_commands, store=store)
    return Tuning(call_json(["tune", *words, *extra], project))


def gate(
    suite: str, *, set: Optional[Settings] = None, against: Optional[str] = None, dataset: Optional[Names] = None,
    parameters: Optional[Files] = None, predictions: Optional[Files] = None, smooth: Optional[str] = None,
    accept_suite_change: bool = False, strict_improvements: bool = False, allow_tuned_subjects: bool = False,
    jobs: Optional[int] = None, allow_commands: bool = False, store: Optional[PathLike] = None,
    project: PathLike = ".", extra: Sequence[str] = (),
) -> Verdict:
    """Compares a suite with its baseline: docs/verdict.schema.json.

    A verdict is returned, whatever it is, also if there is no baseline. Raises BenchError.
    """
    words = options(
        suite=suite, set=set, against=against, dataset=dataset, parameters=parameters, predictions=predictions,
        smooth=smooth, accept_suite_change=accept_suite_change, strict_improvements=strict_improvements,
        allow_tuned_subjects=allow_tuned_subjects, jobs=jobs, allow_commands=allow_commands, store=store)
    return Verdict(call_json(["gate", *words, *extra], project, _VERDICTS))


def drift(
    old: PathLike, new: PathLike, *, names: Optional[str] = None, people: Optional[PathLike] = None,
    person_before: Optional[str] = None, number: Optional[Names] = None, columns: Optional[str] = None,
    other_clips: bool = False, project: PathLike = ".", extra: Sequence[str] = (),
) -> Drift:
    """Compares two files of predictions without labels, by people: docs/drift.schema.json.

    It says how much they changed, not which is right.

    `number` are columns to compare too, such as a cost. Raises BenchError.
    """
    words = options(
        names=names, people=people, person_before=person_before, number=number, columns=columns,
        other_clips=other_clips)
    return Drift(call_json(["drift", str(old), str(new), *words, *extra], project))


def leaderboard(
    datasets: Optional[Sequence[str]] = None, *, suites: Optional[Sequence[str]] = None,
    detectors: Optional[Sequence[str]] = None, metrics: Optional[Sequence[str]] = None, jobs: Optional[int] = None,
    allow_commands: bool = False, store: Optional[PathLike] = None, project: PathLike = ".", extra: Sequence[str] = (),
) -> Leaderboard:
    """Ranks detectors on the clips of their own exercise, dataset by dataset: docs/leaderboard.schema.json.

    Give `datasets` or `suites`; the first of `metrics` decides the places. Raises BenchError.
    """
    words = options(jobs=jobs, allow_commands=allow_commands, store=store)
    lists = {"datasets": datasets, "suites": suites, "detectors": detectors, "metrics": metrics}
    for name, values in lists.items():
        words += [] if values is None else [f"--{name}", *values]
    return Leaderboard(call_json(["leaderboard", *words, *extra], project))


def agreement(dataset: str, criterion: str, *, store: Optional[PathLike] = None, project: PathLike = ".") -> Agreement:
    """Measures the agreement of a dataset's raters with each other on a graded criterion. Raises BenchError."""
    return Agreement(call_json(["agreement", "raters", dataset, *options(criterion=criterion, store=store)], project))


def replay(
    clip: str, *, suite: Optional[str] = None, dataset: Optional[str] = None, detector: Optional[str] = None,
    set: Optional[Settings] = None, parameters: Optional[Files] = None, smooth: Optional[str] = None,
    allow_commands: bool = False, store: Optional[PathLike] = None, project: PathLike = ".", extra: Sequence[str] = (),
) -> Replay:
    """Replays one clip with one detector: the signals that it decides by, and what it reports when, in seconds.

    Raises BenchError.
    """
    words = options(
        suite=suite, dataset=dataset, detector=detector, set=set, parameters=parameters, smooth=smooth,
        allow_commands=allow_commands, store=store)
    return Replay(call_json(["replay", clip, *words, *extra], project))


def show(
    clip: str, *, suite: Optional[str] = None, dataset: Optional[str] = None, detector: Optional[str] = None,
    set: Optional[Settings] = None, parameters: Optional[Files] = None, smooth: Optional[str] = None,
    videos: Optional[PathLike] = None, allow_commands: bool = False, store: Optional[PathLike] = None,
    project: PathLike = ".", extra: Sequence[str] = (),
) -> Player:
    """The player of a clip, which a notebook displays; with `set`, next to the detector without it.

    `videos` is a folder of the clips' videos. Raises BenchError.
    """
    with folder() as scratch:
        page = scratch / "clip.html"
        words = options(
            suite=suite, dataset=dataset, detector=detector, set=set, parameters=parameters, smooth=smooth, html=page,
            videos=videos, allow_commands=allow_commands, store=store)
        call(["replay", clip, *words, *extra], project)
        return Player(page.read_text(encoding="utf-8"))
