"""bench agreement raters: how far three raters agree, with BCa intervals of 2,000 resamples of people."""

import csv
import json
import pathlib

from race import harness, recordings

SUITE = "raters"
RESAMPLES = 2_000
FORMS = {
    "1-1": "ICC(1,1)",
    "a-1": "ICC(A,1)",
    "c-1": "ICC(C,1)",
    "1-k": "ICC(1,k)",
    "a-k": "ICC(A,k)",
    "c-k": "ICC(C,k)",
}
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
# No library has them: standard errors of measurement, detectable changes, and Gwet's coefficients.
WITHOUT_PEER = ("grades.sem-", "grades.mdc-", "grades.ac")


def prepare(bench, project):
    recordings.prepare(bench, project, SUITE, 12, 3)


def command(bench, project, output):
    return [bench, "agreement", "raters", SUITE, "--criterion", "form", "--json"]


def results(bench, project, output):
    """Of each measure that libraries have, the value and the ends of its interval."""
    found = json.loads(output.read_text())
    measures = [
        (metric["metric"], metric) for metric in found["metrics"] if not metric["metric"].startswith(WITHOUT_PEER)
    ]
    for pair in found["pairs"]:
        measures += [(f"{metric['metric']} {' '.join(pair['raters'])}", metric) for metric in pair["metrics"]]
    return {name: [metric["value"], metric["low"], metric["high"]] for name, metric in measures}


def compare(expected, output: pathlib.Path) -> None:
    """Equal values; ends of intervals, which come from other random numbers, within a sixth of the interval's width."""
    found = json.loads(output.read_text())
    assert found.keys() == expected.keys(), f"measures differ: {sorted(found.keys() ^ expected.keys())}"
    for name, (value, low, high) in expected.items():
        other, *ends = found[name]
        assert abs(value - other) < 1e-9, f"{name}: bench {value}, peer {other}"
        for ours, theirs in zip((low, high), ends, strict=True):
            assert abs(ours - theirs) < (high - low) / 6, f"{name}: bench {low} to {high}, peer {ends}"


def correlations(grades) -> list[float]:
    """The six intraclass correlations of a table of items by raters: McGraw and Wong, 1996, table 4."""
    count, k = grades.shape
    mean = grades.mean()
    rows = k * ((grades.mean(axis=1) - mean) ** 2).sum() / (count - 1)
    columns_sum = count * ((grades.mean(axis=0) - mean) ** 2).sum()
    within_sum = ((grades - grades.mean(axis=1, keepdims=True)) ** 2).sum()
    within = within_sum / (count * (k - 1))
    columns = columns_sum / (k - 1)
    error = (within_sum - columns_sum) / ((count - 1) * (k - 1))
    return [
        (rows - within) / (rows + (k - 1) * within),
        (rows - error) / (rows + (k - 1) * error + k * (columns - error) / count),
        (rows - error) / (rows + (k - 1) * error),
        (rows - within) / rows,
        (rows - error) / (rows + (columns - error) / count),
        (rows - error) / rows,
    ]


def libraries(project: pathlib.Path, output: pathlib.Path) -> None:
    """The libraries' functions on each resample; intraclass correlations by NumPy, checked by pingouin once."""
    import krippendorff
    import numpy
    import pandas
    import pingouin
    from scipy import stats
    from sklearn.metrics import cohen_kappa_score

    folder = project / "datasets" / SUITE
    with open(folder / "clips.csv", newline="") as file:
        subject_of = {row["clip"]: row["subject"] for row in csv.DictReader(file)}
    table = pandas.read_csv(folder / "grades.csv").pivot(index=["clip", "rep"], columns="rater", values="grade")
    subjects = [subject_of[clip] for clip, _ in table.index]
    items, raters = table.to_numpy(dtype=float), list(table.columns)
    people = [numpy.flatnonzero(numpy.array(subjects) == subject) for subject in sorted(set(subjects))]
    pairs = [(a, b) for a in range(len(raters)) for b in range(a + 1, len(raters))]
    scale = list(range(101))

    def ceilings(grades):
        others = [numpy.delete(grades, rater, axis=1).mean(axis=1) for rater in range(len(raters))]
        each = [(grades[:, rater], other) for rater, other in enumerate(others)]
        return [
            numpy.mean([stats.pearsonr(*one).statistic for one in each]),
            numpy.mean([stats.kendalltau(*one).statistic for one in each]),
            numpy.mean([numpy.sqrt(((one - other) ** 2).mean()) for one, other in each]),
        ]

    def measures(grades):
        values = correlations(grades)
        values += [krippendorff.alpha(grades.T, level_of_measurement=level) for level in LEVELS]
        values += ceilings(grades)
        for a, b in pairs:
            one, other = grades[:, a], grades[:, b]
            values.append(stats.spearmanr(one, other).statistic)
            values.append(cohen_kappa_score(one.astype(int), other.astype(int), labels=scale, weights="quadratic"))
        return numpy.array(values)

    names = [f"grades.icc-{form}" for form in FORMS] + [f"grades.alpha-{level}" for level in LEVELS]
    names += [f"grades.human-{name}" for name in ("pearson", "kendall", "rmse")]
    for a, b in pairs:
        names += [f"grades.{name} {raters[a]} {raters[b]}" for name in ("spearman", "kappa-quadratic")]
    values = measures(items)
    long = (
        table.reset_index().reset_index().melt(id_vars="index", value_vars=raters, var_name="rater", value_name="grade")
    )
    icc = pingouin.intraclass_corr(long, targets="index", raters="rater", ratings="grade").set_index("Type").ICC
    numpy.testing.assert_allclose(values[: len(FORMS)], [icc[form] for form in FORMS.values()])

    # BCa: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 14.3.
    random = numpy.random.default_rng(1)
    draws = random.integers(len(people), size=(RESAMPLES, len(people)))
    replicates = numpy.array([measures(items[numpy.concatenate([people[p] for p in draw])]) for draw in draws])
    left_out = numpy.array([measures(numpy.delete(items, person, axis=0)) for person in people])
    below = (replicates < values).mean(axis=0) + (replicates == values).mean(axis=0) / 2
    bias = stats.norm.ppf(below)
    deviations = left_out.mean(axis=0) - left_out
    acceleration = (deviations**3).sum(axis=0) / (6 * (deviations**2).sum(axis=0) ** 1.5)
    ends = []
    for share in 0.025, 0.975:
        moved = bias + stats.norm.ppf(share)
        places = stats.norm.cdf(bias + moved / (1 - acceleration * moved))
        ends.append([numpy.quantile(replicates[:, i], place) for i, place in enumerate(places)])
    output.write_text(json.dumps({name: row for name, *row in zip(names, values, *ends, strict=True)}))


RACES = [
    harness.Race(
        "agreement",
        "`agreement raters`: 25 measures of three raters (libraries: 19), 36 clips, BCa intervals of 2,000 resamples",
        {"SciPy, scikit-learn, krippendorff, NumPy": "libraries"},
        "agreement",
        command,
        results,
        compare,
        prepare=prepare,
    )
]

if __name__ == "__main__":
    harness.main_of_side(globals())
