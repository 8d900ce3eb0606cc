"""Learns the gates of the counters reps-EXERCISE from recordings, and measures them on people and movements left out.

    bench dataset export SET --to FOLDER/SET                # each set: poses and labels
    bench run --suite SUITE --json > FOLDER/runs/NAME.json  # detectors exercise-EXERCISE and reps-EXERCISE of all eight
    python3 train.py FOLDER [ExerciseGateWeights.swift]     # needs NumPy and scikit-learn

The suites name one exercise and `negatives: others`, so that every counter sees every clip, and run with
`--set reps.reps-EXERCISE.leastOdds=-7` for each exercise with a gate, mostLegDifference=1 for squats, leastLegDifference=0
for lunges, leastHands=-8 for pull-ups, mostHips=8 for sit-ups, leastHips=-8 and mostFeet=8 for front raises. Prints the
reps a minute that people do not do before and after the gate, and the clips of the exercise that it refuses; writes the
weights as Swift.

A softmax regression on 28 features of a rep of the exercise's own counter gives the probability of each movement. It is
learned from the mean features of the first 2, 4 and 10 reps of a clip. Arms are raised in all squats and lunges of motion
capture: these are also learned with arms in six other positions. The gate is open while the log odds of its exercise,
clipped and averaged over at least two reps so far, are above a limit. judges.py measures it on the reps of the judges.
"""
import collections
import csv
import json
import os
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

EXERCISES = "squat lunge push-up pull-up sit-up jumping-jack front-raise bench-press".split()
# Below -MOST there is no gate: that of front raises refused hardly any other movement that it had not learned. Those of
# pull-ups and sit-ups refuse one clip in ten of people left out.
LIMITS = {"squat": -3, "lunge": -2.5, "push-up": -3, "pull-up": -3, "sit-up": -2, "jumping-jack": -2.5,
          "front-raise": -7, "bench-press": -5}
# A feature is a statistic of one of the 32 numbers of a pose, over a rep.
FEATURES = """lo13 hi13 range13 lo12 range12 hi12 lo9 range9 range0 lo0 range2 range1 range30 hi30 hi23 range23 mean8
range8 range6 hi6 range4 lo4 mean10 range1/range0 range30/range9 lo13/hi13 hi1/bend seconds""".split()
# Movements that are alike for the gate, or of which there are too few to be learned alone.
ALIKE = {"bobbing": "other", "standing": "other", "feet-hidden": "other", "walking": "other", "reaching": "bow",
         "getting-down": "other", "others": "other", "golf-swing": "swing", "tennis": "swing"}
SEEN_AT = (2, 4, 10)  # reps after which a clip is learned
CLIP, MOST, C, FOLDS, RATE = 3, 6, 1.0, 5, 15
SIDES = [1, 3, 5, 7, 29, 30]  # change their sign when left and right are exchanged
ARMS = np.array([
    [[-1, 0, 0, 0], [-1, 0, 0, 0]], [[0, -1, 0, 0], [0, -1, 0, 0]], [[0, 0, 1, 0], [0, 0, 1, 0]],
    [[0, -1, 0.3, 0], [0, 0.8, 0.5, -0.3]], [[0, -0.8, -0.3, 0.5], [0, 0.9, 0.3, 0]],
    [[0, -0.8, 0, 0.6], [0, -0.7, 0, -0.7]]])
PARTS = "shoulder elbow wrist hip knee ankle".split()
JOINTS = ["nose"] + [f"{side}_{part}" for part in PARTS for side in ("left", "right")]
SKELETONS = {
    "coco-17": [0] + list(range(5, 17)),
    "blazepose-33": [0, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28],
    "openpose-18": [0, 5, 2, 6, 3, 7, 4, 11, 8, 12, 9, 13, 10],
    "motion-capture": list(range(13)),
}


# --- poses ---

def read_joints(folder, row, about):
    """The positions of each joint, in image heights or metres, y up."""
    frames = np.load(f"{folder}/{row['poses']}").astype(float)
    channels = [name.strip() for name in about["channels"].strip("[]").split(",")]
    place = np.zeros(frames.shape[:2] + (3,))
    for axis, name in enumerate("xyz"):
        if name in channels:
            place[..., axis] = frames[..., channels.index(name)]
    place[..., 2] = np.nan_to_num(place[..., 2])
    if about["unit"] == "image":
        place[..., (0, 2)] *= float(about["aspect"])
    if about["unit"] == "pixel":
        place /= float(about["height"])
    if about["y_axis"] == "down":
        place[..., 1] *= -1
    if "confidence" in channels:
        place[~(frames[..., channels.index("confidence")] > 0.3)] = np.nan
    return {name: place[:, index] for name, index in zip(JOINTS, SKELETONS[about["skeleton"]])}


def flat(joints, degrees):
    """As a camera sees it from a side."""
    turn = np.radians(degrees)
    return {name: np.stack([p[:, 0] * np.cos(turn) + p[:, 2] * np.sin(turn), p[:, 1], 0 * p[:, 0]], 1)
            for name, p in joints.items()}


def armed(joints, random):
    """With the arms as a person may hold them who is free to: hanging, ahead, at chest or hips, or at a bar."""
    joints, up = dict(joints), np.array([0, 1.0, 0])
    shoulders, hips = ((joints[f"left_{name}"] + joints[f"right_{name}"]) / 2 for name in ("shoulder", "hip"))
    across = (joints["left_hip"] - joints["right_hip"]) * [1, 0, 1]
    across /= length(across)[:, None]
    ahead = np.cross(across, up)
    ahead *= np.sign(np.nanmean(((joints["nose"] - shoulders) * ahead).sum(-1)))
    trunk = shoulders - hips
    size = np.nanmedian(length(trunk))
    trunk = trunk / length(trunk)[:, None]
    # Of upper arm and forearm, in their lengths: along vertical and trunk, ahead, outwards.
    upper, lower = ARMS[random.integers(len(ARMS))]
    upper, lower = (part + random.normal(0, 0.12, 4) for part in (upper, lower))
    for side, sign in (("left", 1), ("right", -1)):
        start = joints[f"{side}_shoulder"]
        for name, part, share in (("elbow", upper, 0.65), ("wrist", lower, 0.51)):
            way = part[0] * up + part[1] * trunk + part[2] * ahead + part[3] * sign * across
            start = joints[f"{side}_{name}"] = start + share * size * way / length(way)[:, None]
    return joints


def squeezed(joints):
    """With each axis of each frame scaled to 0...1."""
    all_joints = np.stack(list(joints.values()), 1)
    low, high = np.nanmin(all_joints, 1, keepdims=True), np.nanmax(all_joints, 1, keepdims=True)
    scaled = (all_joints - low) / np.maximum(high - low, 1e-6)
    return {name: scaled[:, index] for index, name in enumerate(joints)}


def length(v):
    return np.sqrt((v * v).sum(-1))


def angle(a, b, c):
    u, v = a - b, c - b
    return np.degrees(np.arccos(np.clip((u * v).sum(-1) / length(u) / length(v), -1, 1))) / 90


def mean(left, right):
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, (left + right) / 2))


def numbers(joints):
    """The 32 numbers of `PoseSampler.measure`."""
    left, right = ({part: joints[f"{side}_{part}"] for part in PARTS} for side in ("left", "right"))
    body, nose = {part: mean(left[part], right[part]) for part in PARTS}, joints["nose"]
    seen = shares = 0
    for limbs, ends in [(body, ("shoulder", "hip", 0.288))] * 2 + [
            (limbs, ends) for limbs in (left, right) for ends in (
                ("hip", "knee", 0.245), ("knee", "ankle", 0.246), ("shoulder", "elbow", 0.186),
                ("elbow", "wrist", 0.146))]:
        long = length(limbs[ends[0]] - limbs[ends[1]])
        seen, shares = seen + np.nan_to_num(long), shares + ends[2] * np.isfinite(long)
    size = np.where(seen > 0, seen / shares * 0.288, np.nan)

    def both(measure):
        return mean(measure(left), measure(right))

    def up(a, b):
        return (a[:, 1] - b[:, 1]) / size

    def aside(a, b):
        return (a[:, 0] - b[:, 0]) / size

    def apart(a, b):
        return length(a - b) / size

    all_numbers = []
    for a, b, c in (("hip", "knee", "ankle"), ("shoulder", "hip", "knee"), ("shoulder", "elbow", "wrist"),
                    ("hip", "shoulder", "elbow")):
        one, other = (angle(limbs[a], limbs[b], limbs[c]) for limbs in (left, right))
        all_numbers += [mean(one, other), (one - other) / 2]
    all_numbers += [up(body[a], body[b]) for a, b in (("wrist", "shoulder"), ("hip", "ankle"), ("shoulder", "ankle"))]
    all_numbers += [up(nose, body["hip"])]
    all_numbers += [up(body[a], body[b]) for a, b in (("shoulder", "hip"), ("hip", "knee"), ("wrist", "hip"),
                                                      ("elbow", "shoulder"))]
    all_numbers += [up(nose, body["wrist"])]
    all_numbers += [both(lambda limbs, a=a, b=b: apart(limbs[a], limbs[b])) for a, b in (
        ("wrist", "hip"), ("wrist", "shoulder"), ("hip", "ankle"), ("shoulder", "knee"), ("shoulder", "ankle"))]
    all_numbers += [apart(left[part], right[part]) for part in ("wrist", "ankle", "knee")]
    all_numbers += [aside(body["ankle"], body["hip"]), aside(body["wrist"], body["shoulder"]), aside(nose, body["hip"]),
                    aside(body["shoulder"], body["hip"]), up(left["wrist"], right["wrist"]),
                    up(left["ankle"], right["ankle"]), up(nose, body["shoulder"])]
    return np.stack(all_numbers, 1)


def samples(values, rate):
    """Fifteen a second, the mean over the last three; a missing number keeps its last value, and is 0 before one."""
    place = np.floor(RATE * np.arange(len(values)) / rate + 1e-6).astype(int)
    total, known = np.zeros((2, place[-1] + 1, values.shape[1]))
    np.add.at(total, place, np.nan_to_num(values))
    np.add.at(known, place, np.isfinite(values))
    held = np.where(known > 0, np.clip(total / np.maximum(known, 1), -8, 8), np.nan)
    for index in range(1, len(held)):
        held[index] = np.where(np.isnan(held[index]), held[index - 1], held[index])
    before = np.full((2, held.shape[1]), np.nan)
    last = np.stack([np.vstack([before[:count], held])[:len(held)] for count in range(3)])
    return np.nansum(last, 0) / np.maximum(1, np.isfinite(last).sum(0))


def features(rows, start, end):
    """The features of a rep, from the samples that end within it; `None` for less than two."""
    first = int(np.floor(RATE * start))
    rows = rows[first:max(first + 2, int(np.floor(RATE * end)))].copy()
    if len(rows) < 2:
        return None
    spread = np.ptp(rows, axis=0)
    rows[:, SIDES] = abs(rows[:, SIDES])
    low, high, middle = rows.min(0), rows.max(0), rows.mean(0)
    named = {f"{name}{index}": value for name, values in (("lo", low), ("hi", high), ("mean", middle), ("range", spread))
             for index, value in enumerate(values)}
    named["range1/range0"] = spread[1] / (spread[0] + 0.15)
    named["range30/range9"] = spread[30] / (spread[9] + 0.15)
    named["lo13/hi13"] = np.clip(low[13] / max(high[13], 0.2), -1, 1.2)
    named["hi1/bend"] = np.clip(high[1] / max(2 - low[0], 0.2), 0, 1.5)
    named["seconds"] = np.log(max(end - start, 0.1))
    return np.clip([named[name] for name in FEATURES], -4, 4)


# --- clips ---

class Clip:
    def __init__(self, set_name, name, subject, exercise, minutes, count, rows, own, voted):
        self.set, self.name, self.subject, self.exercise = set_name, name, subject, exercise
        self.movement = ALIKE.get(exercise, exercise)
        self.minutes, self.count, self.voted = minutes, count, voted
        self.features, self.ends = {}, {}
        for counter, reps in own.items():
            known = [(features(rows, start, end), end) for start, end in reps]
            known = [(values, end) for values, end in known if values is not None]
            self.ends[counter] = [end for _, end in known]
            if known:
                self.features[counter] = np.array([values for values, _ in known])

    @property
    def is_copy(self):
        return "/" in self.set

    @property
    def is_generated(self):
        return self.set.endswith("-sample")


def read(folder):
    outcomes = {}
    for name in os.listdir(f"{folder}/runs"):
        with open(f"{folder}/runs/{name}") as file:
            outcomes.update({(clip["dataset"], clip["name"]): clip for clip in json.load(file)["clips"]})
    clips, standing, random = [], {}, np.random.default_rng(3)
    for set_name in sorted({key[0] for key in outcomes}):
        with open(f"{folder}/{set_name}/dataset.yaml") as file:
            lines = [line.strip().split(":", 1) for line in file if ":" in line]
        about = {key: value.strip() for key, value in reversed(lines)}
        with open(f"{folder}/{set_name}/clips.csv") as file:
            for row in csv.DictReader(file):
                joints = read_joints(f"{folder}/{set_name}", row, about)
                clip = outcomes[set_name, row["clip"]]
                found = {name: outcome["reps"] for name, outcome in clip["outcomes"].items()}
                own = {e: [(rep["rep"]["start"], rep["rep"]["end"]) for rep in found.get(f"exercise-{e}", [])]
                       for e in EXERCISES}
                voted = {e: [rep["reported"] for rep in found.get(f"reps-{e}", [])] for e in EXERCISES}
                views = {"": lambda: joints}
                if "z" in about["channels"] and not "confidence" in about["channels"]:
                    views["/flat 45"], views["/squeezed"] = lambda: flat(joints, 45), lambda: squeezed(joints)
                    if about["skeleton"] == "motion-capture":
                        views["/arms"] = lambda: armed(joints, random)
                        for degrees in (0, 45, 90):
                            views[f"/arms {degrees}"] = lambda degrees=degrees: flat(armed(joints, random), degrees)
                        if row["exercise"] == "squat":
                            pose = {name: np.nanmean(places[:10], 0) for name, places in joints.items()}
                            if np.isfinite(list(pose.values())).all():
                                standing.setdefault(row["subject"], pose)
                    else:
                        views["/flat 0"], views["/flat 90"] = lambda: flat(joints, 0), lambda: flat(joints, 90)
                for view, seen in views.items():
                    rows = samples(numbers(seen()), float(row["fps"]))
                    clips.append(Clip(set_name + view, row["clip"], row["subject"], row["exercise"],
                                      clip["duration"] / 60, row["rep_count"], rows, own, voted))
    return clips, standing


# --- made movements: standing people of motion capture who move one leg, their arms or their trunk ---

def turned(v, axis, angles):
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    return v * cos + np.cross(np.broadcast_to(axis, v.shape), v) * sin + axis * (v @ axis)[:, None] * (1 - cos)


def moved(pose, legs, arms, lean, seconds, reps, alternate, random, fps=30):
    """A person's joints, seen in space, from the front and from the side.

    Legs and arms of each side: degrees of flexion and abduction of hip or shoulder, and of knee or elbow, at the turn.
    """
    time = np.arange(int(reps * seconds * fps)) / fps
    phase = np.radians((1 - np.cos(2 * np.pi * time / seconds)) / 2)
    joints = {name: np.repeat(p[None], len(time), 0) for name, p in pose.items()}
    across = (pose["left_hip"] - pose["right_hip"]) * [1, 0, 1]
    across /= length(across)
    ahead = np.cross(across, [0, 1, 0])
    down = np.array([[0, -1.0, 0]])
    if (pose["nose"] - (pose["left_shoulder"] + pose["right_shoulder"]) / 2) @ ahead < 0:
        ahead = -ahead
    flexion = across if turned(down, across, np.array([0.1]))[0] @ ahead > 0 else -across
    outwards = ahead if turned(down, ahead, np.array([0.1]))[0] @ across > 0 else -ahead
    odd = (time // seconds) % 2 == 1
    for side, sign in (("left", 1), ("right", -1)):
        active = phase * (odd if side == "right" else ~odd) if alternate else phase

        def limb(part, values, joints=joints, side=side, sign=sign, active=active):
            first, second, third = (f"{side}_{name}" for name in part)
            bend, spread, joint = values
            upper, lower = joints[second] - joints[first], joints[third] - joints[second]
            upper, lower = (turned(turned(v, flexion, angles * active), sign * outwards, spread * active)
                            for v, angles in ((upper, bend), (lower, bend + joint)))
            joints[second], joints[third] = joints[first] + upper, joints[first] + upper + lower

        limb(("hip", "knee", "ankle"), legs[side])
        limb(("shoulder", "elbow", "wrist"), arms[side])
    hips = (joints["left_hip"] + joints["right_hip"]) / 2
    for name in joints:
        if name.split("_")[-1] in ("nose", "shoulder", "elbow", "wrist"):
            joints[name] = hips + turned(joints[name] - hips, -flexion, lean * phase)
        joints[name] = joints[name] + random.normal(0, 0.006, joints[name].shape)
    views = {"space": joints}
    for view, axis in (("front", across), ("side", ahead)):
        views[view] = {name: np.stack([p @ axis, p[:, 1], 0 * p[:, 1]], 1) for name, p in joints.items()}
    return views, fps


def made(standing, seed=7):
    """Movements by chance to learn from, and fixed ones that are only counted."""
    random, clips = np.random.default_rng(seed), []

    def add(kind, set_name, subject, legs, arms, lean, seconds=3.0, alternate=False, reps=6):
        views, fps = moved(standing[subject], legs, arms, lean, seconds, reps, alternate, random)
        spans = [((i + 0.15) * seconds, (i + 0.85) * seconds) for i in range(reps)]
        for view, joints in views.items():
            clips.append(Clip(f"{set_name}-{view}", subject + kind, subject, kind, reps * seconds / 60, "0",
                              samples(numbers(joints), fps), {e: spans for e in ("squat", "lunge")},
                              {e: [end for _, end in spans] for e in ("squat", "lunge")}))

    def small(*sizes):
        return tuple(random.normal(0, size) for size in sizes)

    still = {"left": (0, 0, 0), "right": (0, 0, 0)}
    for subject in sorted(standing):
        for _ in range(14):
            hip, knee, spread = random.uniform(-25, 110), random.uniform(0, 110), random.uniform(0, 45)
            one = (hip, spread * (random.random() < 0.5), -knee * (random.random() < 0.5))
            alternate, is_left = random.random() < 0.3, random.random() < 0.5
            rest = small(4, 0.1, 8) if not alternate else one
            legs = {"left": one if is_left else rest, "right": rest if is_left else one}
            add("made one-leg", "made", subject, legs, {side: small(10, 8, 1) for side in still}, random.uniform(-8, 15),
                random.uniform(1.5, 4), alternate)
        for _ in range(8):
            spread = random.uniform(0, 160) * (random.random() < 0.5)
            arm = (random.uniform(-40, 20 if spread else 170), spread, random.uniform(0, 120) * (random.random() < 0.5))
            which = random.integers(3)
            arms = {"left": arm if which != 1 else (0, 0, 0), "right": arm if which != 2 else (0, 0, 0)}
            add("made arms", "made", subject, {side: small(2, 0.1, 3) for side in still}, arms, random.normal(0, 4),
                random.uniform(1.5, 4))
        for _ in range(3):
            add("bow", "made", subject, {side: small(0.1, 0.1, 8) for side in still}, still, random.uniform(30, 80),
                random.uniform(1.5, 4))
        for kind, legs, arms, lean in (
            ("leg-raise 50", {"left": (50, 0, 0)}, {}, -3), ("leg-raise 80", {"right": (80, 0, -8)}, {}, -5),
            ("hurdle", {"left": (90, 0, -100)}, {}, 5),
            ("hurdle, knee bent", {"right": (60, 0, -80), "left": (8, 0, -15)}, {}, 8),
            ("heel to seat", {"left": (-5, 0, -100)}, {}, 0), ("leg aside", {"left": (0, 40, 0)}, {}, 0),
            ("arms ahead", {}, {"left": (150, 0, 0), "right": (150, 0, 0)}, 0),
            ("arms aside", {}, {"left": (0, 150, 0), "right": (0, 150, 0)}, 0),
        ):
            add(kind, "probe", subject, {**still, **legs}, {**still, **arms}, lean, reps=10)
    return clips


# --- learning ---

class Gate:
    """A softmax regression on clipped standard scores."""

    def __init__(self, clips):
        sizes = collections.Counter((clip.set, clip.movement) for clip in clips)
        rows, movements, weights, sums = [], [], [], collections.Counter()
        for clip in clips:
            for counter, values in clip.features.items():
                for reps in sorted({min(len(values), reps) for reps in SEEN_AT} - {0, 1}):
                    weight = (0.5 if clip.is_copy else 1) * (0.3 if clip.is_generated else 1)
                    weight *= (3 if counter == clip.movement else 1) / np.sqrt(sizes[clip.set, clip.movement])
                    rows.append(values[:reps].mean(0))
                    movements.append(clip.movement)
                    weights.append(weight)
                    sums[clip.movement] += weight
        rows = np.array(rows)
        weights = np.array([weight / sums[movement] ** 0.6 for weight, movement in zip(weights, movements)])
        weights *= 0.2 * len(weights) / weights.sum()
        self.middle = np.average(rows, axis=0, weights=weights)
        self.scale = np.sqrt(np.average((rows - self.middle) ** 2, axis=0, weights=weights)) + 0.02
        model = LogisticRegression(C=C, max_iter=120, tol=1e-3)
        model.fit(self.standard(rows), movements, sample_weight=weights)
        self.set(model.classes_, model.coef_, model.intercept_)

    def set(self, movements, weights, offsets):
        self.movements, self.weights, self.offsets = list(movements), np.array(weights), np.array(offsets)

    def round(self, digits):
        self.middle, self.scale = self.middle.round(3), self.scale.round(3)
        self.set(self.movements, self.weights.round(digits), self.offsets.round(digits))

    def standard(self, rows):
        return np.clip((rows - self.middle) / self.scale, -CLIP, CLIP)

    def odds(self, clip, exercise):
        """The mean log odds of the exercise over the reps so far, after each rep of its own counter."""
        if exercise not in clip.features:
            return np.zeros(0)
        logits = self.standard(clip.features[exercise]) @ self.weights.T + self.offsets
        place = self.movements.index(exercise)
        one, others = logits[:, place], np.delete(logits, place, 1)
        most = others.max(1, keepdims=True)
        odds = np.clip(one - most[:, 0] - np.log(np.exp(others - most).sum(1)), -MOST, MOST)
        return np.cumsum(odds) / np.arange(1, len(odds) + 1)


def after(clip, exercise, odds, limit):
    """The count of a gated counter: nothing is reported while the gate is shut, all that is due once it opens."""
    is_open = np.flatnonzero((odds > limit) & (np.arange(len(odds)) >= 1))
    if len(is_open) == 0:
        return 0
    ends, voted = clip.ends[exercise], clip.voted[exercise]
    last = is_open[-1]
    return len(voted) if last == len(odds) - 1 else sum(time <= ends[last + 1] for time in voted)


def left_out(clips):
    """The log odds of each clip with its people left out, and of other movements with the movement left out."""
    learned = [clip for clip in clips if not clip.set.startswith("probe")]
    people = sorted({clip.subject for clip in clips})
    folds = dict(zip(people, np.random.default_rng(0).permutation(len(people)) % FOLDS))
    by_people, by_movement = {}, {}
    for fold in range(FOLDS):
        gate = Gate([clip for clip in learned if folds[clip.subject] != fold])
        by_people.update({(clip, e): gate.odds(clip, e)
                          for clip in clips if folds[clip.subject] == fold for e in EXERCISES})
    for movement in sorted({clip.movement for clip in learned}):
        gate = Gate([clip for clip in learned if clip.movement != movement])
        by_movement.update({(clip, e): gate.odds(clip, e) for clip in learned if clip.movement == movement
                            for e in EXERCISES if e != movement})
    return by_people, by_movement, folds


GROUPS = {"motion capture": lambda c: c.set.startswith("ui-prmd"), "web": lambda c: c.set in ("repcount", "countix"),
          "generated": lambda c: c.is_generated, "other sets": lambda c: c.set.startswith(("golf", "tennis", "pushfit")),
          "probes": lambda c: c.set.startswith("probe")}


def report(clips, by_people, by_movement, folds):
    armed_clips = [clip for clip in clips if "/arms" in clip.set]
    clips = [clip for clip in clips if not clip.is_copy]
    for e in EXERCISES:
        mine = [clip for clip in clips if clip.exercise == e and clip.voted[e]]

        def nested(clip):
            """The highest limit that refuses at most 1 % of the clips of the other folds."""
            odds = sorted(by_people[other, e][1:].max() for other in mine
                          if folds[other.subject] != folds[clip.subject] and len(by_people[other, e]) > 1)
            return odds[int(0.01 * len(odds))] - 1e-9

        for name, limit in (("limit", lambda clip: LIMITS[e]), ("nested limit", nested)):
            counts = [(len(clip.voted[e]), after(clip, e, by_people[clip, e], limit(clip)), clip) for clip in mine]
            web = [clip for clip in clips if clip.exercise == e and GROUPS["web"](clip)]
            right = [[abs(count - int(clip.count)) < 2 for count in (
                len(clip.voted[e]), after(clip, e, by_people[clip, e], limit(clip)))] for clip in web]
            print(f"{e}, {name}: refused {sum(new == 0 for _, new, _ in counts)} of {len(counts)} clips, "
                  f"{1 - sum(new for _, new, _ in counts) / sum(old for old, _, _ in counts):.1%} of reps; "
                  f"web off by one {sum(old for old, _ in right)} -> {sum(new for _, new in right)} of {len(right)}")
            for group, contains in GROUPS.items():
                others = [clip for clip in clips if clip.movement != e and contains(clip) and e in clip.voted]
                if others:
                    minutes = sum(clip.minutes for clip in others)
                    before = sum(len(clip.voted[e]) for clip in others)
                    shown = [sum(after(clip, e, odds[clip, e], limit(clip)) for clip in others) / minutes
                             for odds in (by_people, by_movement) if (others[0], e) in odds]
                    print(f"  {group:15} {before / minutes:5.1f} a minute -> "
                          + "; movement left out ".join(f"{value:.1f}" for value in shown))
        for name, others in (("squats", "squat"), ("lunges", "lunge")) if e in ("squat", "lunge") else ():
            own = [c for c in armed_clips if c.exercise == others and len(c.ends.get(e, ())) > 1]
            print(f"  {name} with other arms: {sum(by_people[c, e][1:].max() > LIMITS[e] for c in own)} "
                  f"of {len(own)} clips taken for {e}s")
        by_kind = collections.defaultdict(list)
        for clip in clips:
            if GROUPS["probes"](clip) and e in clip.features:
                by_kind[clip.exercise, clip.set.removeprefix("probe-")].append(clip)
        for (kind, view), probes in by_kind.items():
            count = sum(after(clip, e, by_people[clip, e], LIMITS[e]) for clip in probes)
            print(f"    {kind}, {view}: {count / sum(clip.minutes for clip in probes):.1f} a minute")


SWIFT = {"range1/range0": ".kneesApart", "range30/range9": ".anklesApart", "lo13/hi13": ".thighsFall",
         "hi1/bend": ".oneKnee", "seconds": ".duration"}


def swift_feature(name):
    if name in SWIFT:
        return SWIFT[name]
    statistic = name.rstrip("0123456789")
    return f".{ {'lo': 'low', 'hi': 'high'}.get(statistic, statistic)}({name[len(statistic):]})"


def write(gate, path):
    """The gate's weights, rounded, as a Swift file; `swift format` breaks its lines."""
    def numbers(values):
        return ", ".join(f"{value:g}" for value in np.ravel(values))

    limits = ", ".join(f'"{e}": {limit}' for e, limit in LIMITS.items() if limit > -MOST)
    movements = ", ".join(f'"{name}"' for name in gate.movements)
    with open(path, "w") as file:
        file.write(f"""/// The weights of `ExerciseGate`, written by training/exercise-gate/train.py.
///
/// Learned from RepCount, Countix, UI-PRMD, pushfit, GolfDB, tennis and generated people.
enum ExerciseGateWeights {{
  /// The least mean log odds of each exercise with a gate.
  static let limits: [String: Double] = [{limits}]

  static let features: [ExerciseGate.Feature] = [{", ".join(map(swift_feature, FEATURES))}]

  /// The mean of each feature.
  static let center: [Float] = [{numbers(gate.middle)}]

  /// The standard deviation of each feature.
  static let scale: [Float] = [{numbers(gate.scale)}]

  /// The movements that are told apart.
  static let movements = [{movements}]

  /// The log odds of each movement at the features' means.
  static let offsets: [Float] = [{numbers(gate.offsets)}]

  /// Movement by movement, the weight of each feature's standard score.
  static let weights: [Float] = [{numbers(gate.weights)}]
}}
""")


def main(folder, output="ExerciseGateWeights.swift"):
    clips, standing = read(folder)
    for clip in (more := made(standing)):
        for e in EXERCISES:
            clip.voted.setdefault(e, [])
    clips += more
    report(clips, *left_out(clips))
    gate = Gate([clip for clip in clips if not clip.set.startswith("probe")])
    exact = {(clip, e): gate.odds(clip, e) for clip in clips for e in EXERCISES}
    gate.round(2)
    shift = [abs(gate.odds(clip, e) - odds).max() for (clip, e), odds in exact.items() if len(odds)]
    print(f"rounding changes the log odds by {np.median(shift):.3f} (median), {max(shift):.3f} at most")
    write(gate, output)


if __name__ == "__main__":
    np.seterr(invalid="ignore", divide="ignore")
    main(*sys.argv[1:])
