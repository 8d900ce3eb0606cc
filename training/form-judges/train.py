"""Learns the reference values of the form judges from recordings, and measures them on people left out.

    bench dataset import ui-prmd --from DATA --single --exercise squat,lunge     # DATA: bench dataset show ui-prmd-sets
    bench dataset export ui-prmd --to FOLDER/ui-prmd
    bench dataset export ui-prmd-sets --to FOLDER/ui-prmd-sets
    python3 train.py FOLDER              # needs NumPy

Prints the values that stand in Sources/Coaching/FormScorers/FormJudge.swift, unrounded, and the figures of
docs/detectors.md. Reps and measures are found as in the detector: a trailing mean over 0.15 s, a fall and rise of the
knee angle in space and of the hips' height in a picture, statistics from its top to where it is back up by 70 % of the
fall.

A sound value is the median of sound reps. A faulty one, as incorrect reps are acted wrong in most respects, is 0.6 of
the way to the median of incorrect reps, and away by half of the sound reps' interquartile range or more. A rep's
distance is the mean over its known measures.

In space the values are learned from the recordings and from four invented sensors, and measured on six others: each
joint is off by some centimetres, alike for all people, the vertical by some degrees, and 30 noisy frames a second are
seen. For the picture, virtual cameras look at the recordings from several sides, with noise. Neither is another sensor.
"""
import csv
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

JOINTS = """head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_hip right_hip
left_knee right_knee left_ankle right_ankle left_heel right_heel left_toe right_toe""".split()
SPAN, RECOVERY, LEAST, MOST, HANGING, SHARE, LEAST_STEP = 0.15, 0.7, -0.5, 3, 110, 0.6, 0.5
SPACE_RANGE, PICTURE_RANGE = 15, 0.2
STATISTICS = ("max", "range", "turn", "end", "mean", "min")

MEASURES = {
    "squat": ["thigh max", "knee range", "hips' height range", "shoulders' height range", "knees per ankles turn",
              "knees per hips turn", "trunk max", "arms turn", "arms range", "arms apart range", "shoulders range"],
    "lunge": ["shoulders range", "spine range", "trunk range", "trunk max", "arms turn", "arms range",
              "arms apart range", "thighs apart range", "shank max", "hips' height range"],
}
# What the judges measured before.
THREE = {"squat": ["thigh max", "trunk max", "arms turn"], "lunge": ["shoulders range", "trunk range", "arms turn"]}

TRAINED_SENSORS, TESTED_SENSORS = range(10, 14), range(6)
SIGNALS = ["knee", "hips' height", "shoulders' height", "thigh", "thighs apart", "shank", "trunk", "spine", "arms",
           "arms apart", "shoulders", "knees per ankles", "knees per hips"]
# Degrees from where the person faces to the person's left, and above level.
CAMERAS = {
    "front": [(0, 10), (15, 0), (-15, 20), (30, 5), (-30, 5)],
    "side": [(90, 0), (70, 10), (-90, 0), (110, 15), (-70, 5)],
    "oblique": [(45, 5), (-45, 5), (60, 10), (-60, 10)],
}
TRAINED_CAMERAS = CAMERAS["front"][:3] + CAMERAS["side"][:3] + CAMERAS["oblique"][:2]


# --- the detector's measurements ---

def length(v):
    return np.sqrt((v * v).sum(-1))


def angle(a, b, c):
    u, v = a - b, c - b
    return np.degrees(np.arccos(np.clip((u * v).sum(-1) / length(u) / length(v), -1, 1)))


def lean(lower, upper):
    v = upper - lower
    return np.degrees(np.arccos(np.clip(v[:, 1] / length(v), -1, 1)))


def mean(left, right):
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, (left + right) / 2))


def longest(values, rate):
    """The recent longest length: grows within tenths of a second, shrinks within tens of seconds."""
    output, level = np.full(len(values), np.nan), np.nan
    for index, value in enumerate(values):
        if np.isfinite(value):
            level = value if np.isnan(level) else level + (value - level) / (1 + rate * (0.3 if value > level else 20))
        output[index] = level
    return output


def signals(joints, rate, in_picture):
    """The signals of squats and lunges, of which the first two find the reps in space and in a picture."""
    def sides(measure):
        return [measure(lambda name: joints[f"{side}_{name}"]) for side in ("left", "right")]

    def both(measure):
        return mean(*sides(measure))

    def height(name):
        def per_trunk(j):
            trunk = length(j("shoulder") - j("hip"))
            return (j(name) - j("ankle"))[:, 1] / (longest(trunk, rate) if in_picture else trunk)
        return both(per_trunk)

    def knees(reference):
        apart = length(joints[f"left_{reference}"] - joints[f"right_{reference}"])
        apart[apart < 0.25 * length(neck - root)] = np.nan
        return length(joints["left_knee"] - joints["right_knee"]) / apart

    root, neck = ((joints[f"left_{name}"] + joints[f"right_{name}"]) / 2 for name in ("hip", "shoulder"))
    thighs = sides(lambda j: lean(j("knee"), j("hip")))
    arms = sides(lambda j: lean(j("shoulder"), j("wrist")))
    return {
        "knee": both(lambda j: angle(j("hip"), j("knee"), j("ankle"))),
        "hips' height": height("hip"),
        "shoulders' height": height("shoulder"),
        "thigh": mean(*thighs), "left thigh": thighs[0], "right thigh": thighs[1],
        "shank": np.fmax(*sides(lambda j: lean(j("ankle"), j("knee")))),
        "trunk": both(lambda j: lean(j("hip"), j("shoulder"))),
        "spine": lean(root, neck),
        "arms": mean(*arms), "left arm": arms[0], "right arm": arms[1],
        "shoulders": lean(joints["left_shoulder"], joints["right_shoulder"]),
        "knees per ankles": knees("ankle"),
        "knees per hips": knees("hip"),
    }


def averaged(values, rate):
    count = int(np.ceil(SPAN * rate - 1e-6))
    known = np.isfinite(values)
    sums, counts = (np.cumsum(np.concatenate([np.zeros(count), v])) for v in (np.where(known, values, 0), known))
    output = (sums[count:] - sums[:-count]) / (counts[count:] - counts[:-count])
    output[~known] = np.nan
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


# --- sensors and cameras ---

def axes(frames):
    """From the right to the left hip along the floor, up, and the third direction, frame by frame."""
    across = frames[:, JOINTS.index("left_hip")] - frames[:, JOINTS.index("right_hip")]
    across = across * [1, 0, 1]
    across /= length(across)[:, None]
    up = np.zeros_like(across)
    up[:, 1] = 1
    return across, up, np.cross(across, up)


def thinned(frames, rate):
    return frames[np.arange(0, len(frames), rate / 30).astype(int)]


def sensor(frames, rate, seed, offset=0.03, noise=0.008, tilt=4):
    """The recording as an invented sensor sees it, in metres: the joints' offsets and the tilt (degrees) are the seed's."""
    draws = np.random.default_rng(seed)
    frames = thinned(frames, rate)
    across, up, ahead = axes(frames)
    seen, alike = frames.copy(), {}
    for index, name in enumerate(JOINTS):
        side = 1 if name.startswith("left") else -1 if name.startswith("right") else 0
        key = name.split("_")[-1]
        if key not in alike:
            alike[key] = draws.normal(0, offset, 3)
        x, y, z = alike[key] * [side, 1, 1] + draws.normal(0, offset / 3, 3)
        seen[:, index] += x * across + y * up + z * ahead
    # A noise that lasts some frames, of its own in each recording.
    draws_noise = np.random.default_rng([seed, len(frames), int(1e5 * abs(np.nansum(frames[0])))])
    kernel = np.exp(-np.arange(12) / 4)
    kernel /= length(kernel)
    raw = draws_noise.normal(0, 1, (len(frames) + 12,) + frames.shape[1:])
    seen += noise * sum(weight * raw[12 - lag:12 - lag + len(frames)] for lag, weight in enumerate(kernel))
    turn, axis = np.radians(draws.normal(0, tilt)), across[0]
    along = (seen @ axis)[..., None] * axis
    return seen * np.cos(turn) + np.cross(axis, seen) * np.sin(turn) + along * (1 - np.cos(turn)), 30.0


def camera(frames, rate, azimuth, elevation, noise=0.005, distance=3.5):
    """The picture in metres at the person's distance, y up, with depth 0, in perspective."""
    across, up, ahead = axes(frames)
    left, ahead = across[:10].mean(0), ahead[:10].mean(0)
    toes, heels = (frames[:10, [JOINTS.index(f"{side}_{name}") for side in ("left", "right")]].mean((0, 1))
                   for name in ("toe", "heel"))
    if (toes - heels) @ ahead < 0:
        ahead = -ahead
    turn, rise = np.radians(azimuth), np.radians(elevation)
    towards = np.cos(rise) * (np.cos(turn) * ahead + np.sin(turn) * left) + np.sin(rise) * up[0]
    right = np.cross(up[0], towards)
    right /= np.linalg.norm(right)
    upwards = np.cross(towards, right)
    centre = np.nanmean(frames[:10].reshape(-1, 3), 0)
    frames = thinned(frames, rate) - centre
    nearer = distance / (distance - frames @ towards)
    seen = np.stack([frames @ right * nearer, frames @ upwards * nearer, np.zeros(nearer.shape)], -1)
    draws = np.random.default_rng([azimuth + 360, len(frames)])
    seen[..., :2] += draws.normal(0, noise, seen[..., :2].shape)
    return seen, 30.0


# --- reps ---

class Reps:
    """The labelled reps of an exercise under some condition: NaN for what is unknown."""

    def __init__(self, folder, exercise, names, transform=None, in_picture=False):
        with open(f"{folder}/faults.csv") as file:
            faulty = {row["clip"]: row["present"] == "1" for row in csv.DictReader(file)}
        labels = {}
        with open(f"{folder}/reps.csv") as file:
            for row in csv.DictReader(file):
                labels.setdefault(row["clip"], []).append((float(row["start_s"]), float(row["end_s"])))
        self.names, rows, self.faulty, self.person, self.seen = names, [], [], [], []
        with open(f"{folder}/clips.csv") as file:
            clips = [row for row in csv.DictReader(file) if row["exercise"] == exercise]
        for clip in clips:
            frames, rate = np.load(f"{folder}/{clip['poses']}").astype(float), float(clip["fps"])
            if transform:
                frames, rate = transform(frames, rate)
            found = self.measured(frames, rate, in_picture)
            whole = len(labels[clip["clip"]]) == 1
            for start, end in labels[clip["clip"]]:
                own = [values for turn, values in found if whole or start <= turn <= end]
                rows.append(np.nanmean(own, 0) if own else np.full(len(names), np.nan))
                self.seen.append(bool(own))
                self.faulty.append(faulty[clip["clip"]])
                self.person.append(clip["subject"])
        self.values = np.array(rows)
        self.seen, self.faulty, self.person = np.array(self.seen), np.array(self.faulty), np.array(self.person)

    def measured(self, frames, rate, in_picture):
        values = signals({name: frames[:, index] for index, name in enumerate(JOINTS)}, rate, in_picture)
        values = {name: averaged(signal, rate) for name, signal in values.items()}
        for name in ("thigh", "arm"):
            values[f"{name}s apart"] = np.abs(values[f"left {name}"] - values[f"right {name}"])
        counted, least = ("hips' height", PICTURE_RANGE) if in_picture else ("knee", SPACE_RANGE)
        found = []
        for rep in swings(values[counted], least):
            table = {f"{name} {statistic}": value for name, signal in values.items()
                     for statistic, value in zip(STATISTICS, statistics(signal, rep))}
            if table["arms max"] > HANGING:
                table.update({key: np.nan for key in table if key.startswith("arms")})
            found.append((rep[1] / rate, [table[name] for name in self.names]))
        return found

    def only(self, names):
        """The same reps with some of the measures."""
        part = object.__new__(Reps)
        part.__dict__.update(self.__dict__, names=names)
        part.values = self.values[:, [self.names.index(name) for name in names]]
        return part


# --- learning ---

def learn(values, faulty):
    sound, incorrect = (np.nanmedian(values[faulty == kind], 0) for kind in (False, True))
    step = SHARE * (incorrect - sound)
    spread = np.subtract(*np.nanpercentile(values[~faulty], (75, 25), axis=0))
    return sound, sound + np.where(step < 0, -1, 1) * np.maximum(np.abs(step), LEAST_STEP * spread)


def distance(values, table):
    sound, faulty = table
    parts = np.clip((values - (sound + faulty) / 2) / (faulty - sound), LEAST, MOST)
    return np.nan_to_num(np.nanmean(parts, 1))


def area(score, faulty):
    above = score[faulty][:, None] - score[~faulty]
    return (above > 0).mean() + (above == 0).mean() / 2


def f1(reported, faulty):
    return 2 * (reported & faulty).sum() / (reported.sum() + faulty.sum())


def joined(parts):
    return (np.concatenate([getattr(part, name)[part.seen] for part in parts])
            for name in ("values", "faulty", "person"))


def folds(trained, tested):
    """The distances of each tested condition's reps, with values learned without the rep's person.

    Reps without a judgement get the worst distance, as in `bench`.
    """
    values, faulty, person = joined(trained)
    scores = [np.where(part.faulty, -1e9, 1e9) for part in tested]
    for left_out in np.unique(person):
        table = learn(values[person != left_out], faulty[person != left_out])
        for part, score in zip(tested, scores):
            own = (part.person == left_out) & part.seen
            score[own] = distance(part.values[own], table)
    return scores


def areas(scores, faulty):
    """The area of each column."""
    ranks = np.empty(scores.shape)
    for column, values in enumerate(scores.T):
        _, place, count = np.unique(values, return_inverse=True, return_counts=True)
        ranks[:, column] = (np.cumsum(count) - (count - 1) / 2)[place]
    many = faulty.sum()
    return (ranks[faulty].sum(0) - many * (many + 1) / 2) / (many * (~faulty).sum())


def chosen_anew(trained, tested, most=8, gain=0.003):
    """Like `folds`, with measures chosen one by one, without each person, by the area over the other folds."""
    values, faulty, person = joined(trained)
    scores, counts = [np.where(part.faulty, -1e9, 1e9) for part in tested], {}
    for left_out in np.unique(person):
        rest = person != left_out
        v, f, p = values[rest], faulty[rest], person[rest]
        parts = np.zeros(v.shape)
        for other in np.unique(p):
            sound, bad = learn(v[p != other], f[p != other])
            parts[p == other] = np.nan_to_num(
                np.clip((v[p == other] - (sound + bad) / 2) / (bad - sound), LEAST, MOST))
        chosen, best, total = [], 0, np.zeros(len(v))
        while len(chosen) < most:
            found = areas(total[:, None] + parts, f)
            found[chosen] = 0
            measure = int(found.round(4).argmax())
            if found[measure] < best + gain:
                break
            chosen, best, total = chosen + [measure], found[measure], total + parts[:, measure]
        for measure in chosen:
            counts[trained[0].names[measure]] = counts.get(trained[0].names[measure], 0) + 1
        table = learn(v[:, chosen], f)
        for part, score in zip(tested, scores):
            own = (part.person == left_out) & part.seen
            score[own] = distance(part.values[own][:, chosen], table)
    print("  chosen anew in each fold: " + ", ".join(
        f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: -item[1])))
    return scores


def logistic(score, faulty):
    """Slope and middle of a logistic regression of faulty on the score."""
    x, y, w = np.column_stack([score, np.ones(len(score))]), faulty.astype(float), np.zeros(2)
    for _ in range(100):
        p = 1 / (1 + np.exp(-x @ w))
        w -= np.linalg.solve((x.T * (p * (1 - p))) @ x + 1e-3 * np.eye(2), x.T @ (p - y) + 1e-3 * w)
    return w[0], -w[1] / w[0]


def gain(trained, before, tested, tested_before, draws=2000):
    """The areas of the first recordings under both sets of measures, and their difference, with 95 % over people."""
    part, (score,), (old,) = tested[0], folds(trained, tested[:1]), folds(before, tested_before[:1])
    people, rng, found = np.unique(part.person), np.random.default_rng(1), []
    for _ in range(draws):
        chosen = np.concatenate([np.flatnonzero(part.person == p) for p in rng.choice(people, len(people))])
        found.append([area(s[chosen], part.faulty[chosen]) for s in (score, old)])
    found = np.column_stack([np.array(found), np.diff(found, axis=1) * -1])
    low, high = np.percentile(found, (2.5, 97.5), axis=0)
    print("  95 % over people: " + ", ".join(
        f"{name} {a:.3f} to {b:.3f}" for name, a, b in zip(("all", "three", "gain"), low, high)))


def show(name, trained, groups, method=folds):
    text, tested = [], [part for group in groups.values() for part in group]
    scores = iter(method(trained, tested))
    for group, parts in groups.items():
        found = [area(next(scores), part.faulty) for part in parts]
        spread = f" ({min(found):.3f} to {max(found):.3f})" if len(found) > 1 else ""
        text.append(f"{group} AUC {np.mean(found):.3f}{spread}")
    print(f"  {name:32} " + "   ".join(text))


def calibrated(trained, groups):
    """Offset and steepness of each fold from the people left in, and the figures with them."""
    values, faulty, person = joined(trained)
    f1s, errors, found = {}, {}, []
    kept = {}
    for left_out in np.unique(person):
        rest = person != left_out
        inner = np.zeros(rest.sum())
        v, f, p = values[rest], faulty[rest], person[rest]
        for other in np.unique(p):
            inner[p == other] = distance(v[p == other], learn(v[p != other], f[p != other]))
        found.append(logistic(inner, f))
        kept[left_out] = found[-1]
    for group, tested in groups.items():
        for score, part in zip(folds(trained, tested), tested):
            slope, middle = (np.array([kept[person][k] for person in part.person]) for k in (0, 1))
            f1s.setdefault(group, []).append(f1(score > middle, part.faulty))
            odds = np.clip(slope * (score - middle), -30, 30)[part.seen]
            errors.setdefault(group, []).append(((1 / (1 + np.exp(-odds)) - part.faulty[part.seen]) ** 2).mean())
    print("  steepness and offset of the folds " + ", ".join(f"{slope:.1f} {middle:.2f}" for slope, middle in found))
    print("  with them: " + "   ".join(
        f"{group} F1 {np.mean(f1s[group]):.2f} squared error {np.mean(errors[group]):.3f}" for group in groups))


def values_of(parts):
    values, faulty, person = joined(parts)
    scores = folds(parts, parts)
    slope, middle = logistic(np.concatenate([s[p.seen] for s, p in zip(scores, parts)]), faulty)
    print(f"  steepness {slope:.2f}, offset {middle:.3f}")
    for name, sound, bad in zip(parts[0].names, *learn(values, faulty)):
        print(f"    {name:26} sound {sound:8.3f}  faulty {bad:8.3f}")


def main(folder):
    for exercise, measures in MEASURES.items():
        names = [f"{signal} {statistic}" for signal in SIGNALS for statistic in STATISTICS]

        def reps(source="ui-prmd", transform=None, in_picture=False):
            return Reps(f"{folder}/{source}", exercise, names, transform, in_picture)

        def sensors(seeds):
            return [reps(transform=lambda f, r, seed=seed: sensor(f, r, seed)) for seed in seeds]

        def pictures(places):
            return [reps(transform=lambda f, r, place=place: camera(f, r, *place), in_picture=True)
                    for place in places]

        recorded = reps()
        print(f"{exercise}, each of {len(set(recorded.person))} people left out in turn: {len(recorded.faulty)} reps, "
              f"{(~recorded.seen).sum()} not found; all called faulty: "
              f"F1 {f1(np.ones(len(recorded.faulty), bool), recorded.faulty):.2f}")
        print(" in space")
        trained = [recorded] + sensors(TRAINED_SENSORS)
        groups = {"recorded": [recorded], "sets": [reps("ui-prmd-sets")], "sensors": sensors(TESTED_SENSORS)}
        compare(exercise, measures, trained, groups)
        print(" in the picture")
        trained = pictures(TRAINED_CAMERAS)
        print(f"  not found: {[int((~part.seen).sum()) for part in trained]}")
        compare(exercise, measures, trained, {name: pictures(places) for name, places in CAMERAS.items()})


def compare(exercise, measures, trained, groups):
    """Prints the figures of the measures, of fewer and of other ones, then the values."""
    def chosen(names):
        return [part.only(names) for part in trained], {
            group: [part.only(names) for part in tested] for group, tested in groups.items()}

    parts, tested = chosen(measures)
    show("all", parts, tested)
    if "recorded" in groups:
        show("all, from the recordings alone", parts[:1], tested)
    before, tested_before = chosen(THREE[exercise])
    show("three, as before", before, tested_before)
    first = next(iter(groups))
    gain(parts, before, tested[first], tested_before[first])
    for name in measures:
        show(name, *chosen([name]))
    print(f"  {len(trained[0].names)} measures")
    show("some, chosen in each fold", trained, groups, chosen_anew)
    calibrated(parts, tested)
    values_of(parts)


if __name__ == "__main__":
    np.seterr(invalid="ignore", divide="ignore")
    import warnings

    warnings.filterwarnings("ignore", "(Mean of empty slice|All-NaN)")
    main(*sys.argv[1:])
