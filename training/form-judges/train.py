"""Learns the reference values of the form judges from recordings, and measures them on people left out.

    bench dataset export ui-prmd --to FOLDER/ui-prmd
    python3 train.py FOLDER              # needs NumPy

Prints the values that stand in Sources/Coaching/FormScorers/FormJudge.swift, unrounded, and what was tried. Reps and
measures are found as there: a trailing mean over 0.15 s, a fall and rise of an angle, statistics from its top to where
it is back up by 70 % of the fall.

A sound value is the median of sound reps. A faulty one, as incorrect reps are acted wrong in most respects, is 0.6 of
the way to the median of incorrect reps.
"""
import csv
import sys

import numpy as np

MOTION_CAPTURE = """head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_hip right_hip
left_knee right_knee left_ankle right_ankle left_heel right_heel left_toe right_toe""".split()
SPAN, RECOVERY, LEAST, MOST, HANGING, SHARE, STEEPNESS = 0.15, 0.7, -0.5, 3, 110, 0.6, 8
STATISTICS = ("max", "range", "turn", "end", "mean", "min")


# --- the detector's measurements ---

def length(v):
    return np.sqrt((v * v).sum(-1))


def angle(a, b, c):
    u, v = a - b, c - b
    return np.degrees(np.arccos(np.clip((u * v).sum(-1) / length(u) / length(v), -1, 1)))


def lean(lower, upper, up):
    v = upper - lower
    return np.degrees(np.arccos(np.clip(up * v[:, 1] / length(v), -1, 1)))


def mean(left, right):
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, (left + right) / 2))


def in_space(joints):
    """The signals of squats and lunges, of which the first finds the reps."""
    def both(measure):
        return mean(*(measure(lambda name: joints[f"{side}_{name}"]) for side in ("left", "right")))

    return {
        "knee": both(lambda j: angle(j("hip"), j("knee"), j("ankle"))),
        "thigh": both(lambda j: lean(j("knee"), j("hip"), 1)),
        "trunk": both(lambda j: lean(j("hip"), j("shoulder"), 1)),
        "arms": both(lambda j: lean(j("shoulder"), j("wrist"), 1)),
        "shoulders": lean(joints["left_shoulder"], joints["right_shoulder"], 1),
        "knees apart": np.abs(angle(joints["left_hip"], joints["left_knee"], joints["left_ankle"])
                              - angle(joints["right_hip"], joints["right_knee"], joints["right_ankle"])),
        "knees' distance": length(joints["left_knee"] - joints["right_knee"])
                           / length(joints["left_hip"] - joints["right_hip"]),
    }


def averaged(values, rate):
    count = int(np.ceil(SPAN * rate - 1e-6))
    known = np.isfinite(values)
    output = np.full(len(values), np.nan)
    for index in np.flatnonzero(known):
        window = slice(max(0, index - count + 1), index + 1)
        output[index] = values[window][known[window]].mean()
    return output


def swings(values, least):
    """From the top, the turn and the frame of the report of each rep."""
    high, found = None, []
    for index, value in enumerate(values):
        if not np.isfinite(value):
            continue
        if high is None:
            high = low = value
            top = turn = index
            falling = True
        elif not falling:
            if value > high:
                high, top = value, index
            elif high - value >= least / 2:
                falling, low, turn = True, value, index
        elif value >= high and high - low < least / 2:
            high = low = value
            top = turn = index
        else:
            if value < low:
                low, turn = value, index
            if value - low >= max(least, RECOVERY * (high - low)):
                found.append((top, turn, index))
                high, top, falling = value, index, False
    return found


def statistics(values, rep):
    top, turn, end = rep
    known = values[top:end + 1][np.isfinite(values[top:end + 1])]
    if len(known) == 0:
        return [np.nan] * len(STATISTICS)
    before = values[top:turn + 1][np.isfinite(values[top:turn + 1])]
    return [known.max(), np.ptp(known), before[-1] if len(before) else np.nan, known[-1], known.mean(), known.min()]


class Clip:
    def __init__(self, folder, row, names, measure, least):
        frames = np.load(f"{folder}/{row['poses']}").astype(float)
        signals = measure({name: frames[:, index] for index, name in enumerate(names)})
        rate = float(row["fps"])
        signals = {name: averaged(values, rate) for name, values in signals.items()}
        self.name, self.subject, self.exercise = row["clip"], row["subject"], row["exercise"]
        reps = swings(next(iter(signals.values())), least)
        self.reps = [{f"{name} {statistic}": value for name, values in signals.items()
                      for statistic, value in zip(STATISTICS, statistics(values, rep))} for rep in reps]
        for rep in self.reps:
            if rep.get("arms turn", 0) > HANGING:
                rep.update({key: np.nan for key in rep if key.startswith("arms")})
            rep.update({f"{key} size": abs(value) for key, value in list(rep.items())})


def read(folder, names, measure, least):
    with open(f"{folder}/faults.csv") as file:
        faulty = {row["clip"]: row["present"] == "1" for row in csv.DictReader(file)}
    with open(f"{folder}/clips.csv") as file:
        clips = [Clip(folder, row, names, measure, least) for row in csv.DictReader(file)]
    for clip in clips:
        clip.faulty = faulty[clip.name]
    return clips


# --- learning ---

def learn(clips, measures):
    table = []
    for measure in measures:
        sound, faulty = (np.array([np.nanmean([rep[measure] for rep in clip.reps]) for clip in clips
                                   if clip.faulty == kind and any(np.isfinite(rep[measure]) for rep in clip.reps)])
                         for kind in (False, True))
        middle = np.median(sound)
        table.append((middle, middle + SHARE * (np.median(faulty) - middle)))
    return table


def distance(rep, measures, table):
    parts = [np.clip((rep[measure] - (sound + faulty) / 2) / (faulty - sound), LEAST, MOST)
             for measure, (sound, faulty) in zip(measures, table)]
    return np.mean(np.nan_to_num(parts))


def area(score, faulty):
    above = score[faulty][:, None] - score[~faulty]
    return (above > 0).mean() + (above == 0).mean() / 2


def f1(reported, faulty):
    return 2 * (reported & faulty).sum() / (reported.sum() + faulty.sum())


def folds(clips, measures):
    """The score and the reported fault of each clip, with values learned without its subject."""
    score, reported = np.zeros(len(clips)), np.zeros(len(clips), bool)
    for subject in {clip.subject for clip in clips}:
        table = learn([clip for clip in clips if clip.subject != subject], measures)
        for index, clip in enumerate(clips):
            if clip.subject == subject:
                parts = [distance(rep, measures, table) for rep in clip.reps]
                # Clips without a judgement get the worst score, as in `bench`.
                score[index] = np.mean(parts) if parts else (-np.inf if clip.faulty else np.inf)
                reported[index] = any(part > 0 for part in parts)
    return score, reported


def nested(clips, variants):
    """Like `folds`, with the measures chosen without each subject, by the area over the other folds."""
    score, reported = np.zeros(len(clips)), np.zeros(len(clips), bool)
    for subject in {clip.subject for clip in clips}:
        others = [clip for clip in clips if clip.subject != subject]
        faulty = np.array([clip.faulty for clip in others])
        best = max(variants, key=lambda measures: round(area(folds(others, measures)[0], faulty), 6))
        table = learn(others, best)
        for index, clip in enumerate(clips):
            if clip.subject == subject:
                parts = [distance(rep, best, table) for rep in clip.reps]
                score[index] = np.mean(parts) if parts else (-np.inf if clip.faulty else np.inf)
                reported[index] = any(part > 0 for part in parts)
    return score, reported


def steepness(score, faulty):
    """Of a logistic regression through 0, of sound (1) or not on the score."""
    known = np.isfinite(score)
    x, y, slope = score[known], faulty[known], 1.0
    for _ in range(200):
        p = 1 / (1 + np.exp(-slope * x))
        slope += np.clip((((y - p) * x).sum() - 0.02 * slope) / ((p * (1 - p) * x * x).sum() + 0.02), -1, 1)
    return slope


def isotonic(x, y, at):
    """The best rising function through the points, at other points (pool adjacent violators)."""
    order, blocks = np.argsort(x), []
    for value in y[order].astype(float):
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (last, count), (before, earlier) = blocks.pop(), blocks.pop()
            blocks.append([(last * count + before * earlier) / (count + earlier), count + earlier])
    return np.interp(at, x[order], np.concatenate([[value] * count for value, count in blocks]))


def calibration(name, p, y):
    places = np.minimum((10 * p).astype(int), 9)
    error = sum(abs(p[places == k].mean() - y[places == k].mean()) * (places == k).mean() for k in np.unique(places))
    print(f"  {name:40} squared error {((p - y) ** 2).mean():.4f}  calibration error {error:.3f}")


def calibrate(judges):
    """How well grades are probabilities; each judge's regression is of the other judges' people left out."""
    judges = {name: (score[np.isfinite(score)], faulty[np.isfinite(score)]) for name, (score, faulty) in judges.items()}
    pooled = {}
    for name, (x, y) in judges.items():
        others_x, others_y = (np.concatenate([judge[part] for other, judge in judges.items() if other != name])
                              for part in (0, 1))
        slope = steepness(others_x, others_y)
        variants = {f"steepness {fixed}": 1 / (1 + np.exp(-fixed * x)) for fixed in (3, 4, 5, 6, 8, 10)}
        variants["logistic of the other judges"] = 1 / (1 + np.exp(-slope * x))
        variants["isotonic of the other judges"] = isotonic(others_x, others_y, x)
        print(f"{name}: slope of the other judges {slope:.1f}")
        for variant, p in variants.items():
            calibration(variant, p, y)
            pooled.setdefault(variant, []).append((p, y))
    print("all judges")
    for variant, parts in pooled.items():
        calibration(variant, *(np.concatenate(part) for part in zip(*parts)))


def report(clips, variants, parts):
    faulty = np.array([clip.faulty for clip in clips])
    print(f"  {len(clips)} clips, {sum(not clip.reps for clip in clips)} without a rep; "
          f"all called faulty: F1 {f1(np.ones(len(clips), bool), faulty):.2f}")

    def show(name, score, reported):
        print(f"  {name:72} " + "   ".join(
            f"AUC {area(score[part], faulty[part]):.3f} F1 {f1(reported[part], faulty[part]):.2f}" for part in parts))

    for place, measures in enumerate(variants):
        score, reported = folds(clips, measures)
        show(("* " if place == 0 else "  ") + " + ".join(measures), score, reported)
        if place == 0:
            print(f"    steepness on people left out {steepness(score, faulty):.1f}")
            for measure, (sound, bad) in zip(measures, learn(clips, measures)):
                print(f"    {measure:20} sound {sound:8.3f}  faulty {bad:8.3f}")
    # With two subjects there is none left to choose on.
    if len(variants) > 1 and len({clip.subject for clip in clips}) > 2:
        show("measures chosen anew without each subject", *nested(clips, variants))
    score, _ = folds(clips, variants[0])
    return score, faulty


def main(folder):
    judges = {}
    clips = read(f"{folder}/ui-prmd", MOTION_CAPTURE, in_space, 20)
    for exercise, variants in (
        ("squat", [["thigh max", "trunk max", "arms turn"], ["thigh max"], ["knee min"], ["trunk max"], ["arms turn"],
                   ["knees apart max"], ["knees' distance max"], ["shoulders range"],
                   ["thigh max", "trunk max"], ["thigh max", "arms turn"], ["trunk max", "arms turn"],
                   ["thigh max", "trunk range", "arms turn"], ["thigh max", "trunk max", "arms max"],
                   ["thigh max", "trunk max", "arms turn", "shoulders range"],
                   ["thigh max", "trunk max", "arms turn", "knees apart max"],
                   ["thigh max", "trunk max", "arms turn", "knees' distance max"],
                   ["thigh max", "trunk max", "knees apart max"], ["thigh max", "knee min", "trunk max", "arms turn"]]),
        ("lunge", [["shoulders range", "trunk range", "arms turn"], ["shoulders range"], ["trunk range"], ["trunk max"],
                   ["arms turn"], ["knee min"], ["knees apart max"], ["shoulders range", "arms turn"],
                   ["shoulders range", "trunk range"], ["trunk range", "arms turn"],
                   ["shoulders range", "trunk max", "arms turn"], ["shoulders range", "trunk range", "arms mean"],
                   ["shoulders range", "trunk range", "arms turn", "thigh max"],
                   ["shoulders range", "trunk range", "arms turn", "knees apart max"],
                   ["shoulders range", "trunk range", "arms turn", "knees' distance max"]]),
    ):
        chosen = [clip for clip in clips if clip.exercise == exercise]
        print(f"{exercise}, each of {len({clip.subject for clip in chosen})} subjects left out in turn")
        judges[exercise] = report(chosen, variants, [np.ones(len(chosen), bool)])
    calibrate(judges)
    graded = [(100 / (1 + np.exp(STEEPNESS * score)), bad) for judge in judges.values() for score, bad in zip(*judge)]
    print("grades of people and clips left out")
    for low, high in ((0, 30), (30, 70), (70, 101)):
        faulty = [bad for grade, bad in graded if low <= grade < high]
        print(f"  {low} to {high - high % 10}: {faulty.count(False)} of {len(faulty)} correct")


if __name__ == "__main__":
    np.seterr(invalid="ignore", divide="ignore")
    main(*sys.argv[1:])
