"""bench score: metrics of another system's predictions, from files of 2,100 clips.

bench also gives every metric an interval, a value for each person, and the value of a trivial predictor; the peers
compute the metrics alone.
"""

import functools
import json
import pathlib

from race import harness, replay

FOLDER = "predictions"


def predict(bench, project):
    """Writes predictions: reps missed, invented and shifted, random grades and scores of faults, and counts."""
    import numpy
    import pandas

    replay.prepare(bench, project)
    folder = project / FOLDER
    if folder.exists():
        return
    folder.mkdir()
    random = numpy.random.default_rng(1)
    reps = pandas.read_csv(project / "datasets" / replay.SUITE / "reps.csv")
    found = reps[random.random(len(reps)) > 0.05].copy()
    # One in thirty is late beyond the tolerance: missed, and a false detection.
    late = numpy.where(random.random(len(found)) < 1 / 30, 0.7, 0)
    for column, spread in ("start_s", 0.05), ("turn_s", 0.01), ("end_s", 0.05):
        found[column] = (found[column] + late + random.normal(0, spread, len(found))).round(6)
    found = found[(found.start_s < found.turn_s) & (found.turn_s < found.end_s)].drop(columns="rep")
    found = found.sort_values(["clip", "end_s"])
    found["rep"] = found.groupby("clip").cumcount() + 1
    found.to_csv(folder / "reps.csv", index=False)
    grades = found[["clip", "rep"]].assign(grade=random.integers(40, 101, len(found)), criterion="form")
    grades.to_csv(folder / "grades.csv", index=False)
    names = pandas.read_csv(project / "datasets" / replay.SUITE / "faults.csv").fault.unique()
    faults = found[["clip", "rep"]].merge(pandas.DataFrame({"fault": names}), how="cross")
    faults.assign(score=random.random(len(faults)).round(4)).to_csv(folder / "faults.csv", index=False)
    clips = pandas.read_csv(project / "datasets" / replay.SUITE / "clips.csv")
    counts = clips[["clip"]].assign(count=(clips.rep_count + random.integers(-2, 3, len(clips))).clip(lower=0))
    counts.to_csv(folder / "counts.csv", index=False)


def command(files: list[str], bench, project, output):
    predictions = [f"{FOLDER}/{file}.csv" for file in files]
    # Without a tolerance bench matches by the rule that fits the labels, which the peers do not have.
    rule = ["--tolerance", "0.5"]
    return [bench, "score", "--dataset", replay.SUITE, "--predictions", *predictions, *rule, "--json"]


def results(names: list[str], bench, project, output):
    values = {metric["metric"]: metric.get("value") for metric in json.loads(output.read_text())}
    return {name: values[name] for name in names}


FAULTS = ["shallow", "forward_lean", "knee_forward", "knee_valgus"]
COUNTS = ["count.exact", "count.off-by-one", "count.mae", "count.nmae", "count.nmae-shifted", "count.bias"]
EVERYTHING = [
    *["count.exact", "count.mae", "count.bias"],
    *["reps.precision", "reps.recall", "reps.f1", "reps.timing-error"],
    *["grades.spearman", "grades.pearson", "grades.kendall", "grades.mae", "grades.kappa-quadratic"],
    *["grades.icc-1-1", "grades.icc-a-1", "grades.icc-c-1"],
    *[f"faults.{fault}.{metric}" for fault in FAULTS for metric in ("precision", "recall", "f1")],
    *["scores.roc-auc", "scores.average-precision"],
]


def libraries(project: pathlib.Path, output: pathlib.Path) -> None:
    """pandas for tables, mir_eval for matching, SciPy, scikit-learn and pingouin for the rest."""
    import mir_eval
    import numpy
    import pandas
    import pingouin
    from scipy import stats
    from sklearn import metrics

    labels, files = project / "datasets" / replay.SUITE, project / FOLDER
    clips = pandas.read_csv(labels / "clips.csv").set_index("clip")
    truth, found = (pandas.read_csv(folder / "reps.csv") for folder in (labels, files))
    values = {}

    predicted = found.groupby("clip").size().reindex(clips.index, fill_value=0)
    people = clips.assign(error=predicted - clips.rep_count).groupby("subject").error
    values["count.exact"] = people.agg(lambda errors: (errors == 0).mean()).mean()
    values["count.mae"] = people.agg(lambda errors: errors.abs().mean()).mean()
    values["count.bias"] = people.mean().mean()

    truth_of, found_of = dict(list(truth.groupby("clip"))), dict(list(found.groupby("clip")))
    pairs = []
    for clip in truth_of.keys() & found_of.keys():
        true, detected = truth_of[clip], found_of[clip]
        matches = mir_eval.util.match_events(true.end_s.to_numpy(), detected.end_s.to_numpy(), 0.5)
        pairs += [(true.index[one], detected.index[other]) for one, other in matches]
    matched = pandas.DataFrame(pairs, columns=["true", "found"])
    values["reps.precision"] = precision = len(matched) / len(found)
    values["reps.recall"] = recall = len(matched) / len(truth)
    values["reps.f1"] = 2 * precision * recall / (precision + recall)
    matched["subject"] = clips.subject[truth["clip"][matched.true]].to_numpy()
    times = (truth.end_s[matched.true].to_numpy() - found.end_s[matched.found].to_numpy()) * 1e3
    values["reps.timing-error"] = pandas.Series(numpy.abs(times)).groupby(matched.subject).mean().mean()

    keys = truth.loc[matched.true, ["clip", "rep"]].assign(predicted=found.rep[matched.found].to_numpy())
    raters = pandas.read_csv(labels / "grades.csv").groupby(["clip", "rep"]).grade.mean().rename("raters").reset_index()
    grades = pandas.read_csv(files / "grades.csv").rename(columns={"rep": "predicted"})
    graded = keys.merge(raters, on=["clip", "rep"]).merge(grades, on=["clip", "predicted"])
    ours, theirs = graded.grade.to_numpy(dtype=float), graded.raters.to_numpy().round(9)
    values["grades.spearman"] = stats.spearmanr(ours, theirs).statistic
    values["grades.pearson"] = stats.pearsonr(ours, theirs).statistic
    values["grades.kendall"] = stats.kendalltau(ours, theirs).statistic
    subjects = clips.subject[graded["clip"]].to_numpy()
    values["grades.mae"] = pandas.Series(numpy.abs(ours - theirs)).groupby(subjects).mean().mean()
    whole = [ours.round().astype(int), theirs.round().astype(int)]
    scale = numpy.arange(min(map(min, whole)), max(map(max, whole)) + 1)
    values["grades.kappa-quadratic"] = metrics.cohen_kappa_score(*whole, labels=scale, weights="quadratic")
    long = pandas.DataFrame({"item": numpy.tile(graded.index, 2), "rater": numpy.repeat(["a", "b"], len(graded))})
    long["grade"] = numpy.concatenate([ours, theirs])
    icc = pingouin.intraclass_corr(long, targets="item", raters="rater", ratings="grade").set_index("Type").ICC
    for name, form in ("icc-1-1", "ICC(1,1)"), ("icc-a-1", "ICC(A,1)"), ("icc-c-1", "ICC(C,1)"):
        values[f"grades.{name}"] = icc[form]

    judged = (
        pandas.read_csv(labels / "faults.csv").groupby(["fault", "clip", "rep"]).present.mean().gt(0.5).reset_index()
    )
    scores = pandas.read_csv(files / "faults.csv").rename(columns={"rep": "predicted"})
    cases = judged.merge(keys, how="left").merge(scores, how="left", on=["fault", "clip", "predicted"])
    false = found.drop(matched.found)[["clip", "rep"]].rename(columns={"rep": "predicted"}).merge(scores)
    for fault in FAULTS:
        mine, unmatched = cases[cases.fault == fault], false[false.fault == fault]
        present = numpy.concatenate([mine.present, numpy.zeros(len(unmatched), dtype=bool)])
        reported = numpy.concatenate([mine.score, unmatched.score]) >= 0.5
        three = metrics.precision_recall_fscore_support(present, reported, average="binary")[:3]
        values |= {
            f"faults.{fault}.{name}": value for name, value in zip(("precision", "recall", "f1"), three, strict=True)
        }
    certain = cases.score.fillna(0)
    values["scores.roc-auc"] = metrics.roc_auc_score(cases.present, certain)
    values["scores.average-precision"] = metrics.average_precision_score(cases.present, certain)
    output.write_text(json.dumps({name: float(value) for name, value in values.items()}))


def pandas(project: pathlib.Path, output: pathlib.Path) -> None:
    import pandas

    clips = pandas.read_csv(project / "datasets" / replay.SUITE / "clips.csv", usecols=["clip", "subject", "rep_count"])
    joined = clips.merge(pandas.read_csv(project / FOLDER / "counts.csv"), on="clip")
    bias = joined["count"] - joined.rep_count
    error = bias.abs()
    columns = [error == 0, error <= 1, error, (error / joined.rep_count).where(joined.rep_count > 0)]
    values = pandas.concat([*columns, error / (joined.rep_count + 0.1), bias], axis=1, keys=COUNTS)
    output.write_text(values.astype(float).groupby(joined.subject).mean().mean().to_json(double_precision=15))


def polars(project: pathlib.Path, output: pathlib.Path) -> None:
    import polars
    from polars import col

    clips = polars.scan_csv(project / "datasets" / replay.SUITE / "clips.csv")
    truth, bias = col("rep_count"), col("count") - col("rep_count")
    error = bias.abs()
    expressions = [
        error == 0,
        error <= 1,
        error,
        polars.when(truth > 0).then(error / truth),
        error / (truth + 0.1),
        bias,
    ]
    people = (
        clips.join(polars.scan_csv(project / FOLDER / "counts.csv"), on="clip")
        .group_by("subject")
        .agg(expression.mean().alias(name) for name, expression in zip(COUNTS, expressions, strict=True))
    )
    output.write_text(json.dumps(people.select(polars.col(COUNTS).mean()).collect().row(0, named=True)))


def duckdb(project: pathlib.Path, output: pathlib.Path) -> None:
    import duckdb

    query = """
      WITH clips AS (
        SELECT subject, rep_count AS truth, count - rep_count AS bias, abs(count - rep_count) AS error
        FROM read_csv(?) JOIN read_csv(?) USING (clip)),
      people AS (
        SELECT avg((error = 0)::INT) AS a, avg((error <= 1)::INT) AS b, avg(error) AS c,
          avg(error / truth) FILTER (truth > 0) AS d, avg(error / (truth + 0.1)) AS e, avg(bias) AS f
        FROM clips GROUP BY subject)
      SELECT avg(a), avg(b), avg(c), avg(d), avg(e), avg(f) FROM people"""
    paths = [str(project / "datasets" / replay.SUITE / "clips.csv"), str(project / FOLDER / "counts.csv")]
    row = duckdb.execute(query, paths).fetchone()
    output.write_text(json.dumps(dict(zip(COUNTS, row, strict=True))))


def race(name: str, what: str, files: list[str], names: list[str], sides: dict[str, str]) -> harness.Race:
    return harness.Race(
        name,
        what,
        sides,
        "scoring",
        functools.partial(command, files),
        functools.partial(results, names),
        harness.compare_numbers,
        prepare=predict,
    )


RACES = [
    race(
        "score",
        f"`score`: {len(EVERYTHING)} metrics of reps, grades and faults of 2,100 clips",
        ["reps", "grades", "faults"],
        EVERYTHING,
        {"pandas, mir_eval, SciPy, scikit-learn, pingouin": "libraries"},
    ),
    race(
        "score-counts",
        "`score`: 6 metrics of the counts of 2,100 clips",
        ["counts"],
        COUNTS,
        {"Polars": "polars", "pandas": "pandas", "DuckDB": "duckdb"},
    ),
]

if __name__ == "__main__":
    harness.main_of_side(globals())
