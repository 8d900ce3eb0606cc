"""Learns the weights of the detector judge-push-up from graded clips, and measures it on clips left out.

    python3 train.py FOLDER            # figures on clips left out; needs NumPy and scikit-learn
    python3 train.py FOLDER OUTPUT     # writes PushUpWeights.swift

FOLDER is the data that `bench dataset show pushfit-mediapipe` names: {mediapipe,movenet}/{correct,wrong}/NAME.json.
Measures and reports are those of Sources/Coaching/FormScorers/PushUpJudge.swift. The weights in the repository were
made with NumPy 2.4.6 and scikit-learn 1.9.1; other versions may differ in the last digits.

The clips do not say who is in them, and many are of the same session. Clips are grouped in two ways, and no group is in
both training and test data:

    duplicates  frames of one clip have near copies in the other, also mirrored
    sessions    duplicates; clips with neighbouring numbers, equal labels and equal images in which the person moves or
                stands alike; and clips of equal images in which the person stands in the same place

A network learns from the means of each clip, one example for each of the two estimators. The structure (22 measures,
8 units, 6 networks, penalty 4) was chosen in view of the figures by sessions, among some 300 models and 100 rules of
when to report: they are optimistic. The last figures choose the penalty without the clips left out, but nothing else.

The detector also leaves out stretches in which the wrists are above the shoulders or the ankles far below them, four of
404 by MediaPipe and one of 419 by MoveNet. They are learned and measured here.
"""
import glob
import json
import math
import os
import re
import sys
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.neural_network import MLPClassifier

JOINTS = ["nose", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist",
          "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle"]
BLAZE_POSE = [0, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
COCO = [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
RATE = 30
# Of both sides: the mean of the sides that have a value.
SIDED = ["elbow", "knee", "hip", "body", "armpit", "neck", "nose", "knee_off", "hip_off", "hip_off_size", "head_off",
         "nose_off", "wrist_along", "elbow_along", "nose_along", "elbow_off", "wrist_off", "wrist_along_body"]
# Left minus right without its sign; unknown if a side is.
DIFFERENCES = ["elbow", "armpit", "knee", "hip"]
MEASURES = SIDED + [name + "_difference" for name in DIFFERENCES]
SPAN, MINIMUM_RANGE, RECOVERY = 0.15, 30.0, 0.7
FIRST, LATER, GAP, STANDING = 0.9, 2.0, 2.0, 1.2
UNITS, PENALTY, NETWORKS = 8, 4, 6
SEEDS, FOLDS = 5, 10


# --- the recordings, as `PushFit` imports them ---

class Clip:
    """A clip in image heights, as each estimator saw it: frames x 15 joints x (x, y, confidence)."""

    def __init__(self, name, is_faulty, blaze, coco):
        self.name, self.is_faulty = name, is_faulty
        self.number = int(re.sub(r"\D", "", name))
        self.aspect, self.side = image(blaze, coco)
        width, height = min(self.side, self.side * self.aspect), min(self.side, self.side / self.aspect)
        blaze, undistorted = blaze.copy(), coco.copy()
        blaze[..., 0] *= self.aspect
        undistorted[..., 0] = (coco[..., 0] / width * self.side - (self.side - width) / 2) / height
        undistorted[..., 1] = (coco[..., 1] / height * self.side - (self.side - height) / 2) / height
        self.poses = [blaze, undistorted]


def image(blaze, coco):
    """Width / height and longer side of the image, fitted to what both estimators saw."""
    known = (blaze[..., 2] > 0.8) & (coco[..., 2] > 0.5) & np.isfinite(blaze).all(-1) & np.isfinite(coco).all(-1)

    def slope(x, y):
        x, y = x[known], y[known]
        return ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()

    def nearest(value, choices):
        return min(choices, key=lambda choice: abs(choice / value - value / choice))

    if known.sum() >= 20:
        x, y = (slope(blaze[..., axis], coco[..., axis]) for axis in (0, 1))
        if x > 0 and y > 0:
            return (nearest((x / y) ** 0.5, [9 / 16, 3 / 4, 1, 4 / 3, 16 / 9]),
                    nearest(max(x, y), [320, 480, 640, 854, 960, 1280, 1920, 2560, 3840]))
    return 16 / 9, 640


def read(folder):
    def frames(path, keypoints, confidence):
        with open(path) as file:
            recording = json.load(file)
        poses = np.full((len(recording), len(JOINTS), 3), np.nan)
        for index, frame in enumerate(recording):
            found = frame["keypoints"]
            if found:
                for joint, keypoint in enumerate(keypoints):
                    place = found[keypoint]
                    poses[index, joint] = [place["x"], place["y"], place[confidence]]
        return poses

    clips = []
    for verdict in ("correct", "wrong"):
        for path in sorted(glob.glob(f"{folder}/mediapipe/{verdict}/*.json")):
            name = os.path.basename(path)
            clips.append(Clip(name[:-5], verdict == "wrong", frames(path, BLAZE_POSE, "visibility"),
                              frames(f"{folder}/movenet/{verdict}/{name}", COCO, "score")))
    return clips


# --- the detector's measures and reports ---

def angle(a, b, c):
    ux, uy, vx, vy = a[0] - b[0], a[1] - b[1], c[0] - b[0], c[1] - b[1]
    if (ux == 0 and uy == 0) or (vx == 0 and vy == 0):
        return math.nan
    return math.degrees(math.atan2(abs(ux * vy - uy * vx), ux * vx + uy * vy))


def above(p, a, b, per):
    """How far p is above the line through a and b in the image, per a length."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(ux, uy)
    if not length > 0 or not per > 0:
        return math.nan
    cross = (ux * (p[1] - a[1]) - uy * (p[0] - a[0])) / length
    return (-cross if ux > 0 else cross) / per


def along(p, origin, foot, per):
    """How far p is from the origin in the direction from the foot to the origin, per a length."""
    ux, uy = origin[0] - foot[0], origin[1] - foot[1]
    length = math.hypot(ux, uy)
    if not length > 0 or not per > 0:
        return math.nan
    return ((p[0] - origin[0]) * ux + (p[1] - origin[1]) * uy) / length / per


def measures_of_side(joint, side, size):
    shoulder, elbow, wrist, hip, knee, ankle, ear = (
        joint(f"{side}_{name}") for name in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "ear"))
    nose = joint("nose")
    body = math.hypot(ankle[0] - shoulder[0], ankle[1] - shoulder[1])
    leg = math.hypot(ankle[0] - hip[0], ankle[1] - hip[1])
    return {
        "elbow": angle(shoulder, elbow, wrist), "knee": angle(hip, knee, ankle), "hip": angle(shoulder, hip, knee),
        "body": angle(shoulder, hip, ankle), "armpit": angle(hip, shoulder, elbow), "neck": angle(ear, shoulder, hip),
        "nose": angle(nose, shoulder, hip), "knee_off": above(knee, hip, ankle, leg),
        "hip_off": above(hip, shoulder, ankle, size), "hip_off_size": abs(above(hip, shoulder, ankle, body)),
        "head_off": above(ear, shoulder, hip, size), "nose_off": above(nose, shoulder, hip, size),
        "wrist_along": along(wrist, shoulder, hip, size), "elbow_along": along(elbow, shoulder, hip, size),
        "nose_along": along(nose, shoulder, hip, size), "elbow_off": above(elbow, shoulder, hip, size),
        "wrist_off": above(wrist, shoulder, hip, size), "wrist_along_body": along(wrist, shoulder, ankle, body),
    }


def mean(values):
    known = [value for value in values if math.isfinite(value)]
    return sum(known) / len(known) if known else math.nan


def measure(pose):
    """The measures of a frame (NaN: unknown), and whether the frame counts."""
    def joint(name):
        x, y, confidence = pose[JOINTS.index(name)]
        known = math.isfinite(x) and math.isfinite(y) and not confidence <= 0
        return (float(x), float(y)) if known else (math.nan, math.nan)

    def middle(name):
        left, right = joint("left_" + name), joint("right_" + name)
        return mean([left[0], right[0]]), mean([left[1], right[1]])

    shoulder, hip, ankle = middle("shoulder"), middle("hip"), middle("ankle")
    # Seen from the side the trunk is long, seen from the front the shoulders are wide: the length is never near 0.
    trunk = math.hypot(shoulder[0] - hip[0], shoulder[1] - hip[1])
    left, right = joint("left_shoulder"), joint("right_shoulder")
    width = math.hypot(left[0] - right[0], left[1] - right[1])
    size = math.hypot(trunk, width if math.isfinite(width) else 0.0)
    left, right = (measures_of_side(joint, side, size) for side in ("left", "right"))
    values = [mean([left[name], right[name]]) for name in SIDED]
    values += [abs(left[name] - right[name]) for name in DIFFERENCES]
    return values, size > 0 and not (ankle[1] - hip[1]) / size >= STANDING


class Swing:
    """`AngleSwing` without its times."""

    def __init__(self):
        self.high = None

    def update(self, value):
        """Whether a rep is over."""
        if self.high is None:
            self.high = self.low = value
            self.falling = True
        elif not self.falling:
            if value > self.high:
                self.high = value
            elif self.high - value >= MINIMUM_RANGE / 2:
                self.falling, self.low = True, value
        elif value >= self.high and self.high - self.low < MINIMUM_RANGE / 2:
            self.high = self.low = value
        else:
            self.low = min(self.low, value)
            if value - self.low >= max(MINIMUM_RANGE, RECOVERY * (self.high - self.low)):
                self.high, self.falling = value, False
                return True
        return False


def reports(measured):
    """The mean measures of each report of a clip."""
    swing, window, found = Swing(), [], []
    count = len(MEASURES)
    sums, counts, start, last = [0.0] * count, [0] * count, None, None
    for index, (values, is_counted) in enumerate(measured):
        time = index / RATE
        if last is not None and time - last > GAP:
            swing, sums, counts, start = Swing(), [0.0] * count, [0] * count, None
        if not is_counted:
            continue
        last = time
        if start is None:
            start = time
        for place, value in enumerate(values):
            if math.isfinite(value):
                sums[place] += value
                counts[place] += 1
        is_rep = False
        if math.isfinite(values[0]):
            window = [(t, v) for t, v in window if time - t < SPAN - 1e-6] + [(time, values[0])]
            is_rep = swing.update(sum(v for _, v in window) / len(window))
        if is_rep or time - start >= (LATER if found else FIRST) - 1e-6:
            found.append([s / n if n else math.nan for s, n in zip(sums, counts)])
            sums, counts, start = [0.0] * count, [0] * count, None
    return np.array(found).reshape(-1, count)


# --- groups of clips that are not independent ---

def distances(clips):
    """Between all clips, for each estimator, the smaller of those to the clip and to its mirror image.

    The distance of two clips is the median distance of a frame to the other clip's nearest one, root mean square over
    the joints below the head, of frames centred and divided by the clip's size.
    """
    mirror = [JOINTS.index(name.replace("left", "right") if "left" in name else name.replace("right", "left"))
              for name in JOINTS]

    def frames(poses, is_mirrored):
        poses = poses[..., :2].copy()
        if is_mirrored:
            poses = poses[:, mirror]
            poses[..., 0] *= -1
        poses = poses[:, 3:]
        poses = poses[np.isfinite(poses).all((1, 2))]
        poses = poses - poses.mean(1, keepdims=True)
        size = np.median(np.sqrt((poses ** 2).sum(-1).mean(1)))
        return (poses / size)[::2].reshape(-1, 24)

    def distance(a, b):
        if len(a) == 0 or len(b) == 0:
            return 9.0
        squares = (a ** 2).sum(1)[:, None] + (b ** 2).sum(1)[None] - 2 * a @ b.T
        between = np.sqrt(np.maximum(squares, 0) / 12)
        return min(np.median(between.min(1)), np.median(between.min(0)))

    tables = []
    for estimator in (0, 1):
        plain, mirrored = ([frames(clip.poses[estimator], side) for clip in clips] for side in (False, True))
        table = np.full((len(clips), len(clips)), 9.0)
        for i in range(len(clips)):
            for j in range(i + 1, len(clips)):
                table[i, j] = table[j, i] = min(distance(plain[i], plain[j]), distance(plain[i], mirrored[j]))
        tables.append(table)
    return tables


def groups(clips):
    """The number of each clip's group of duplicates, and of its session."""
    blaze, coco = distances(clips)
    alike = np.minimum(blaze, coco)
    # Where shoulders, wrists, hips and ankles usually are in the image.
    chosen = [JOINTS.index(f"{side}_{name}") for name in ("shoulder", "wrist", "hip", "ankle")
              for side in ("left", "right")]
    places = [np.nanmedian(clip.poses[1][:, chosen, :2], 0) for clip in clips]
    apart = np.array([[np.linalg.norm(a - b, axis=1).mean() for b in places] for a in places])

    def is_duplicate(i, j):
        return coco[i, j] < 0.062 or blaze[i, j] < 0.05

    def is_session(i, j):
        a, b = clips[i], clips[j]
        if is_duplicate(i, j):
            return True
        if (a.aspect, a.side) != (b.aspect, b.side):
            return False
        steps = abs(a.number - b.number) if a.is_faulty == b.is_faulty else math.inf
        return (steps <= 2 and alike[i, j] < 0.11 or steps <= 3 and apart[i, j] < 0.1
                or apart[i, j] < 0.05 and alike[i, j] < 0.2)

    def connected(are_together):
        group = list(range(len(clips)))

        def root(i):
            while group[i] != i:
                i = group[i]
            return i

        for i in range(len(clips)):
            for j in range(i + 1, len(clips)):
                if are_together(i, j):
                    group[root(i)] = root(j)
        return np.array([root(i) for i in range(len(clips))])

    return connected(is_duplicate), connected(is_session)


# --- learning ---

class Judge:
    """The mean probability that some networks give to a sound push-up."""

    def __init__(self, penalty=PENALTY, networks=NETWORKS):
        self.penalty, self.networks = penalty, networks

    def fit(self, rows, faulty):
        self.low, self.high = np.nanpercentile(rows, [2, 98], axis=0)
        clamped = np.clip(rows, self.low, self.high)
        self.center, self.scale = np.nanmean(clamped, 0), np.nanstd(clamped, 0) + 1e-9
        self.sound = np.nanmean(clamped[faulty == 0], 0)
        inputs = self.inputs(rows)
        # The penalty is per example of 241, which the first models had.
        self.models = [
            MLPClassifier((UNITS,), alpha=self.penalty * len(inputs) / 241, max_iter=200, solver="lbfgs",
                          random_state=seed).fit(inputs, faulty) for seed in range(self.networks)]
        return self

    def inputs(self, rows):
        values = (np.clip(rows, self.low, self.high) - self.center) / self.scale
        return np.where(np.isfinite(values), values, 0)

    def __call__(self, rows):
        if len(rows) == 0:
            return np.array([])
        return np.mean([model.predict_proba(self.inputs(rows))[:, 0] for model in self.models], 0)


def folds(group, count, seed, faulty):
    """The fold of each clip: groups whole, both labels as even as possible."""
    random = np.random.default_rng(seed)
    order = random.permutation(np.unique(group))
    order = sorted(order, key=lambda g: -(group == g).sum())
    fold, sizes = np.zeros(len(group), int), np.zeros((count, 2))
    for g in order:
        members = group == g
        added = np.array([(faulty[members] == 0).sum(), (faulty[members] == 1).sum()])
        costs = [((size + added) ** 2).sum() + random.random() * 2 for size in sizes]
        best = int(np.argmin(costs))
        fold[members] = best
        sizes[best] += added
    return fold


def chosen_penalty(rows, faulty, group, seed):
    """The penalty that is best on the training clips, in five folds by groups."""
    inner = folds(group, 5, seed, faulty)

    def area(penalty):
        grades = np.zeros(len(rows))
        for k in range(5):
            grades[inner == k] = Judge(penalty, 3).fit(rows[inner != k], faulty[inner != k])(rows[inner == k])
        return roc_auc_score(1 - faulty, grades)

    return max((2, 3, 4, 5), key=area)


def left_out(rows, segments, faulty, group, seeds, is_nested=False):
    """For each seed the grades of each clip's reports, by judges that did not learn from its group.

    `rows` and `segments` are first those of one estimator, then those of the other.
    """
    twice, found = np.r_[faulty, faulty], []
    for seed in range(seeds):
        fold = folds(group, FOLDS, 100 + seed, faulty)
        fold, grades = np.r_[fold, fold], [None] * len(rows)
        for k in range(FOLDS):
            training = fold != k
            penalty = PENALTY
            if is_nested:
                penalty = chosen_penalty(rows[training], twice[training], np.r_[group, group][training], seed)
            judge = Judge(penalty).fit(rows[training], twice[training])
            for index in np.flatnonzero(~training):
                grades[index] = judge(segments[index])
        found.append(grades)
    return found


def f1(reported, faulty):
    return 2 * (reported & (faulty == 1)).sum() / (reported.sum() + (faulty == 1).sum())


def show(name, found, faulty, group):
    """AUC of a clip's mean grade, F1 of a mean below 0.5 and of any report below; 95 % by drawing groups."""
    count = len(faulty)
    means = np.array([[grade.mean() if len(grade) else 0.5 for grade in grades] for grades in found])
    worst = np.array([[grade.min() if len(grade) else 1 for grade in grades] for grades in found])
    random = np.random.default_rng(0)
    members = [np.flatnonzero(group == g) for g in np.unique(group)]
    draws = [np.concatenate([members[g] for g in random.integers(0, len(members), len(members))]) for _ in range(500)]
    print(f"{name}: {len(members)} groups")
    for estimator, part in (("MediaPipe", slice(0, count)), ("MoveNet", slice(count, 2 * count))):
        area = np.mean([roc_auc_score(1 - faulty, grades[part]) for grades in means])
        both = [np.mean([f1(grades[part] < 0.5, faulty) for grades in table]) for table in (means, worst)]
        average = means.mean(0)[part]
        bounds = [np.percentile([score(draw) for draw in draws if 0 < faulty[draw].mean() < 1], [2.5, 97.5])
                  for score in (lambda draw: roc_auc_score(1 - faulty[draw], average[draw]),
                                lambda draw: f1(average[draw] < 0.5, faulty[draw]))]
        print(f"  {estimator:10} AUC {area:.3f} ({bounds[0][0]:.2f} to {bounds[0][1]:.2f})  F1 {both[0]:.3f} "
              f"({bounds[1][0]:.2f} to {bounds[1][1]:.2f}); of any report {both[1]:.3f}", flush=True)


# --- the weights ---

def digits(values, count):
    return [float(f"{value:.{count}g}") for value in np.ravel(values)]


def table(judge):
    """The weights as they are written: 5 significant digits of the inputs' scales, 4 of the networks."""
    coefficients = [model.coefs_ for model in judge.models]
    intercepts = [model.intercepts_ for model in judge.models]
    return {
        "low": digits(judge.low, 5), "high": digits(judge.high, 5), "center": digits(judge.center, 5),
        "scale": digits(judge.scale, 5), "sound": digits(judge.sound, 5),
        "inputs": digits([first.T for first, _ in coefficients], 4),
        "biases": digits([first for first, _ in intercepts], 4),
        "outputs": digits([second[:, 0] for _, second in coefficients], 4),
        "outputBiases": digits([second for _, second in intercepts], 4),
    }


COMMENTS = {
    "low": "The least value of each measure: the 2nd percentile of the clips. A lower mean counts as this one.",
    "high": "The greatest value of each measure: the 98th percentile.",
    "center": "The mean of each measure over the clips.",
    "scale": "The standard deviation of each measure over the clips.",
    "sound": "The mean of each measure over the sound clips.",
    "inputs": "Network by network and unit by unit, the weight of each measure.",
    "biases": "Network by network, the bias of each unit.",
    "outputs": "Network by network, the weight of each unit.",
    "outputBiases": "The bias of each network.",
}


def write(output, weights, clips):
    def text(value):
        return np.format_float_positional(value, trim="-")

    rows = [
        "/// The weights of `PushUpJudge`, written by training/push-up-judge/train.py.",
        "///",
        f"/// Learned from {len(clips)} clips of push-ups, {sum(clip.is_faulty for clip in clips)} of them wrong, each "
        "seen by MediaPipe and MoveNet. Measures are in the",
        "/// order of `PushUpMeasure`.",
        "enum PushUpWeights {",
        "  /// The number of networks, and of units in each.",
        f"  static let networks = {NETWORKS}",
        f"  static let units = {UNITS}",
    ]
    for name, comment in COMMENTS.items():
        rows += ["", f"  /// {comment}", f"  static let {name}: [Float] = ["]
        row = "   "
        for value in weights[name]:
            word = f" {text(value)},"
            if len(row + word) > 119:
                rows.append(row)
                row = "   "
            row += word
        rows += [row, "  ]"]
    with open(output, "w") as file:
        file.write("\n".join(rows + ["}", ""]))


def main(folder, output=None):
    clips = read(folder)
    faulty = np.array([int(clip.is_faulty) for clip in clips])
    rows, segments = [], []
    for estimator in (0, 1):
        for clip in clips:
            measured = [measure(pose) for pose in clip.poses[estimator]]
            counted = np.array([values for values, is_counted in measured if is_counted]).reshape(-1, len(MEASURES))
            rows.append(np.nanmean(counted, 0) if len(counted) else np.full(len(MEASURES), np.nan))
            segments.append(reports(measured))
    rows = np.array(rows)
    if output:
        write(output, table(Judge().fit(rows, np.r_[faulty, faulty])), clips)
        return
    print(f"{len(clips)} clips, {faulty.sum()} wrong; {sum(map(len, segments))} reports, "
          f"{sum(len(segment) == 0 for segment in segments)} clips without one; "
          f"all called faulty: F1 {f1(np.ones(len(clips), bool), faulty):.3f}, AUC 0.5")
    duplicates, sessions = groups(clips)
    for name, group in (("sessions", sessions), ("duplicates", duplicates), ("clips", np.arange(len(clips)))):
        show(f"left out by {name}", left_out(rows, segments, faulty, group, SEEDS), faulty, group)
    show("left out by sessions, penalty chosen without them",
         left_out(rows, segments, faulty, sessions, 2, is_nested=True), faulty, sessions)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
