"""bench tune: search two parameters of a rep counter, for each person on all others.

Searches find other settings by chance, so equal results would be luck. What is compared is whether each side's settings
score what it says they do, by one count for all; how good they are stands in the table.
"""

import json
import pathlib

from race import harness, recordings

SUITE = "tuning"
BUDGET = 300
BOTTOMS = (70, 130)
STANDINGS = (141, 170)
STEP = {"bottom": 1, "standing": 0.5}


def prepare(bench, project):
    recordings.prepare(bench, project, SUITE, 10, 10)


def command(bench, project, output):
    ranges = {"bottomAngle": BOTTOMS, "standingAngle": STANDINGS}
    tuned = [a for name, (low, high) in ranges.items() for a in ("--tune", f"reps.squat-states.{name}={low}...{high}")]
    search = ["--search", "global", "--budget", str(BUDGET), "--seed", "1"]
    return [bench, "tune", "--suite", SUITE, "--metric", "count.mae", *tuned, *search, "--json"]


class Scores:
    """Each person's mean absolute count error at a setting; settings are scored once, excursions found once."""

    def __init__(self, project: pathlib.Path):
        from race import squats

        self.squats = squats
        self.clips = squats.read(project, SUITE)
        self.people = max(self.clips.subjects) + 1
        self.found: dict[float, object] = {}
        self.scored: dict[tuple[float, float], object] = {}

    def __call__(self, bottom: float, standing: float):
        import numpy

        if (bottom, standing) not in self.scored:
            if standing not in self.found:
                self.found[standing] = self.squats.excursions(self.clips, standing)
            found = self.found[standing]
            counts = numpy.bincount(found.clips[self.squats.reps(found, bottom)], minlength=len(self.clips.names))
            errors = numpy.abs(counts - self.clips.truth)
            sums = numpy.bincount(self.clips.subjects, errors)
            self.scored[bottom, standing] = sums / numpy.bincount(self.clips.subjects)
        return self.scored[bottom, standing]


def results(bench, project, output):
    tuned = json.loads(output.read_text())
    names = [axis["parameter"] for axis in tuned["axes"]]
    folds = [{"values": [fold["values"][name] for name in names], "score": fold["score"]} for fold in tuned["folds"]]
    values = [tuned["inSample"]["values"][name] for name in names]
    found = {"folds": folds, "in-sample": tuned["inSample"]["value"], "values": values}
    check(project, found)
    return project, found


def check(project: pathlib.Path, found) -> None:
    scores = Scores(project)
    assert len(found["folds"]) == scores.people, f"expected {scores.people} folds, found {len(found['folds'])}"
    for person, fold in enumerate(found["folds"]):
        score = scores(*fold["values"])[person]
        assert abs(score - fold["score"]) < 1e-9, f"fold {person}: {fold} scores {score}"
    score = scores(*found["values"]).mean()
    assert abs(score - found["in-sample"]) < 1e-9, f"{found['values']} scores {score}"


def compare(expected, output: pathlib.Path) -> None:
    check(expected[0], json.loads(output.read_text()))


def finding(expected, outputs) -> str:
    """The expected error on new people, and that on the people tuned on."""

    def text(found):
        return f"{sum(fold['score'] for fold in found['folds']) / len(found['folds']):.2f} ({found['in-sample']:.2f})"

    peers = [f"{name} {text(json.loads(path.read_text()))}" for name, path in outputs.items()]
    return f"error on new people (in-sample): bench {text(expected[1])}, {', '.join(peers)}"


def folds(project: pathlib.Path, output: pathlib.Path, search) -> None:
    """Searches on all people, and for each on the others; `search` minimizes a function of a setting."""
    import numpy

    scores = Scores(project)

    def best(people):
        return search(lambda bottom, standing: float(scores(bottom, standing)[people].mean()))

    everyone = numpy.arange(scores.people)
    found = []
    for person in everyone:
        values = best(everyone != person)
        found.append({"values": values, "score": float(scores(*values)[person])})
    values = best(everyone >= 0)
    result = {"folds": found, "in-sample": float(scores(*values).mean()), "values": values}
    output.write_text(json.dumps(result))


def optuna(project, output):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def search(score):
        def objective(trial):
            return score(
                trial.suggest_float("bottom", *BOTTOMS, step=STEP["bottom"]),
                trial.suggest_float("standing", *STANDINGS, step=STEP["standing"]),
            )

        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
        study.optimize(objective, n_trials=BUDGET)
        return [study.best_params["bottom"], study.best_params["standing"]]

    folds(project, output, search)


def scipy(project, output):
    from scipy.optimize import differential_evolution

    # Whole steps; 15 settings a generation and parameter, SciPy's default, and the generations that the budget allows.
    steps = [
        (0, round((high - low) / step)) for (low, high), step in zip((BOTTOMS, STANDINGS), STEP.values(), strict=True)
    ]

    def setting(place):
        return [BOTTOMS[0] + place[0] * STEP["bottom"], STANDINGS[0] + place[1] * STEP["standing"]]

    def search(score):
        found = differential_evolution(
            lambda place: score(*setting(place)),
            steps,
            integrality=[True, True],
            maxiter=BUDGET // 30 - 1,
            polish=False,
            rng=1,
        )
        return [float(value) for value in setting(found.x)]

    folds(project, output, search)


RACES = [
    harness.Race(
        "tune",
        "`tune`: two parameters, 11 searches of 300 settings on 100 clips of 10 people",
        {"SciPy's differential evolution": "scipy", "Optuna's TPE": "optuna"},
        "tune",
        command,
        results,
        compare,
        prepare=prepare,
        finding=finding,
    )
]

if __name__ == "__main__":
    harness.main_of_side(globals())
