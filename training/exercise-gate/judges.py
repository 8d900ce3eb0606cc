"""Measures the gates on the reps that judge-squat and judge-lunge find, with gates learned without the rep's person.

    python3 judges.py FOLDER [BENCH]     # FOLDER as for train.py; BENCH: the program; needs NumPy and scikit-learn

Prints, by condition, the labelled reps that are still graded, the grades a minute in other movements with and without
the gate, also learned without the movement, and the AUC of correct and incorrect reps, with values learned as in
../form-judges/train.py without the rep's person; and what the highest limits that keep 99 % of the reps of four fifths
of the people, and 98 % (in pictures 95 %) in each condition, do on the others.

In motion capture, its pictures and as invented sensors see it, reps are found as in ../form-judges/train.py; with BENCH
also those on videos, by `bench replay`. A rep counts as labelled if it turns within a label.
"""
import collections
import csv
import importlib.util
import json
import os
import subprocess
import sys

import numpy as np

import train

LIMITS = {("squat", False): -3, ("squat", True): -5, ("lunge", False): -2.5, ("lunge", True): -2.5}
GRID = [-7, -6, -5.5, -5, -4.5, -4, -3.5, -3, -2.5, -2]
MEMORY, SETS = 3, "ui-prmd-sets"
VIDEOS = ("repcount", "countix")

spec = importlib.util.spec_from_file_location("form", os.path.join(os.path.dirname(__file__), "../form-judges/train.py"))
form = importlib.util.module_from_spec(spec)
spec.loader.exec_module(form)


def conditions():
    """How the recordings are seen, and whether in a picture."""
    seen = {"space": (None, False)}
    for seed in form.TESTED_SENSORS:
        seen[f"sensor {seed}"] = (lambda frames, rate, seed=seed: form.sensor(frames, rate, seed)), False
    for seed in range(3):
        seen[f"bad sensor {seed}"] = (
            lambda frames, rate, seed=seed: form.sensor(frames, rate, seed, 0.05, 0.012, 8)), False
    cameras = [(view, place, 0.005) for view, places in form.CAMERAS.items() for place in places[:3]]
    for view, place, noise in cameras + [("level", (0, 0), 0), ("level", (90, 0), 0)]:
        seen[f"{view} {place[0]},{place[1]}"] = (
            lambda frames, rate, place=place, noise=noise: form.camera(frames, rate, *place, noise)), True
    return seen


def rows_of(folder, name):
    with open(f"{folder}/{name}") as file:
        return list(csv.DictReader(file))


class Judged:
    """The reps that a judge finds in a clip, and what the gate thinks of each."""

    def __init__(self, place, row, in_picture, reps, rows, labels, minutes, gates):
        self.group, self.in_picture, self.exercise, self.minutes = place, in_picture, row["exercise"], minutes
        self.fold = gates["folds"].get(row["subject"], 0)
        known = [(train.features(rows, top, end), turn) for top, turn, end in reps]
        known = [(values, turn) for values, turn in known if values is not None]
        self.turns = [turn for _, turn in known]
        self.own = np.array([any(start <= turn <= end for start, end in labels) for turn in self.turns], bool)
        self.is_labelled, movement = bool(labels), train.ALIKE.get(self.exercise, self.exercise)
        values = [values for values, _ in known]
        self.means = {e: smoothed(gates["people"][self.fold], values, e) for e in ("squat", "lunge")}
        self.means_without = {e: smoothed(gates["movement"].get(movement) if movement != e else None, values, e)
                              for e in ("squat", "lunge")}


def smoothed(gate, values, exercise):
    """The gate's mean after each rep, earlier ones with less weight."""
    total, count, means = 0, 0, []
    for rep in values if gate else ():
        clip = train.Clip("", "", "", exercise, 0, "0", None, {}, {})
        clip.features[exercise] = rep[None]
        if count == MEMORY:
            total -= total / count
        else:
            count += 1
        total += gate.odds(clip, exercise)[0]
        means.append(total / count)
    return np.array(means)


def learned(folder):
    clips, standing = train.read(folder)
    clips = [clip for clip in clips + train.made(standing) if not clip.set.startswith("probe")]
    people = sorted({clip.subject for clip in clips})
    folds = dict(zip(people, np.random.default_rng(0).permutation(len(people)) % train.FOLDS))
    movements = {clip.movement for clip in clips if not clip.movement.startswith("made")}
    return {"folds": folds,
            "people": [train.Gate([c for c in clips if folds[c.subject] != fold]) for fold in range(train.FOLDS)],
            "movement": {m: train.Gate([c for c in clips if c.movement != m]) for m in movements}}


def labels_of(folder):
    labels = collections.defaultdict(list)
    if os.path.exists(f"{folder}/reps.csv"):
        for row in rows_of(folder, "reps.csv"):
            labels[row["clip"]].append((float(row["start_s"]), float(row["end_s"])))
    return labels


def motion_capture(folder, gates):
    """By condition and clip."""
    labels, found = labels_of(folder), {}
    for row in rows_of(folder, "clips.csv"):
        recorded = np.load(f"{folder}/{row['poses']}").astype(float)
        for name, (transform, in_picture) in conditions().items():
            frames, rate = transform(recorded, float(row["fps"])) if transform else (recorded, float(row["fps"]))
            joints = {joint: frames[:, index] for index, joint in enumerate(form.JOINTS)}
            counted, least = ("hips' height", form.PICTURE_RANGE) if in_picture else ("knee", form.SPACE_RANGE)
            values = form.averaged(form.signals(joints, rate, in_picture)[counted], rate)
            reps = [[index / rate for index in rep] for rep in form.swings(values, least)]
            joints["nose"] = joints.pop("head")
            found[name, row["clip"]] = Judged(
                "sensor" if name.startswith("sensor") else name, row, in_picture, reps,
                train.samples(train.numbers(joints), rate), labels[row["clip"]], len(frames) / rate / 60, gates)
    return found


def videos(folder, bench, gates):
    found = []
    for name in VIDEOS:
        with open(f"{folder}/{name}/dataset.yaml") as file:
            lines = [line.strip().split(":", 1) for line in file if ":" in line]
        about, labels = {key: value.strip() for key, value in reversed(lines)}, labels_of(f"{folder}/{name}")
        for row in rows_of(f"{folder}/{name}", "clips.csv"):
            joints, rate = train.read_joints(f"{folder}/{name}", row, about), float(row["fps"])
            rows = train.samples(train.numbers(joints), rate)
            for e in ("squat", "lunge"):
                said = subprocess.run([bench, "replay", row["clip"], "--dataset", name, "--detector", f"judge-{e}",
                                       "--set", f"form.judge-{e}.leastOdds=-7", "--json"],
                                      capture_output=True, text=True, check=True)
                reps = [(event["start"], event["turn"], event["end"]) for event in json.loads(said.stdout)["events"]
                        if event["kind"] == "grade"]
                clip = Judged(name, row, False, reps, rows, labels[row["clip"]], len(rows) / train.RATE / 60, gates)
                clip.means = {e: clip.means[e]}
                found.append(clip)
    return found


def shares(clips, exercise, limit):
    """By condition: labelled reps, and those of them that are graded."""
    found = collections.defaultdict(lambda: np.zeros(2, int))
    for clip in clips:
        if clip.exercise == exercise and clip.is_labelled and exercise in clip.means:
            found[clip.group] += (clip.own.sum(), (clip.own & (clip.means[exercise] > limit)).sum())
    return found


def report(clips, exercise, in_picture):
    limit = LIMITS[exercise, in_picture]
    clips = [clip for clip in clips if clip.in_picture == in_picture and exercise in clip.means]
    print(f"judge-{exercise}, {'in pictures' if in_picture else 'in space'}: limit {limit}")
    for group, (own, kept) in shares(clips, exercise, limit).items():
        print(f"  {group}: {kept} of {own} labelled reps are graded")
    others = collections.defaultdict(list)
    for clip in clips:
        if clip.exercise != exercise:
            others[clip.group, "" if clip.group in VIDEOS else clip.exercise].append(clip)
    for (group, movement), own in others.items():
        minutes = sum(clip.minutes for clip in own)
        counts = [sum(len(clip.turns) for clip in own)]
        counts += [sum((means[exercise] > limit).sum() for means in all_means) for all_means in (
            [clip.means for clip in own], [clip.means_without for clip in own])]
        before, after, without = (count / minutes for count in counts)
        print(f"  {group} {movement}: {before:.1f} grades a minute -> {after:.1f}; movement left out {without:.1f}")
    total, kept, minutes, before, after, limits = 0, 0, 0, 0, 0, []
    for fold in range(train.FOLDS):
        best = GRID[0]
        for limit in GRID:
            sizes = np.array(list(shares([c for c in clips if c.fold != fold], exercise, limit).values()))
            whole, least = sizes.sum(0), min(graded / own for own, graded in sizes if own > 20)
            if whole[1] >= 0.99 * whole[0] and least >= (0.95 if in_picture else 0.98):
                best = limit
        limits.append(best)
        left_out = [clip for clip in clips if clip.fold == fold]
        for own, graded in shares(left_out, exercise, best).values():
            total, kept = total + own, kept + graded
        for clip in left_out:
            if clip.exercise != exercise:
                minutes, before = minutes + clip.minutes, before + len(clip.turns)
                after += (clip.means[exercise] > best).sum()
    print(f"  limits of the folds {limits}: {kept} of {total} labelled reps are graded; "
          f"{before / minutes:.1f} grades a minute of others -> {after / minutes:.1f}")


class Gated(form.Reps):
    """The labelled reps that the gate lets a judge grade."""

    def __init__(self, folder, exercise, condition, found):
        clips = [row["clip"] for row in rows_of(folder, "clips.csv") if row["exercise"] == exercise]
        self.clips = [found[condition, clip] for clip in clips]
        self.exercise = exercise
        super().__init__(folder, exercise, form.MEASURES[exercise], *conditions()[condition])

    def measured(self, frames, rate, in_picture):
        clip = self.clips.pop(0)
        is_open = clip.means[self.exercise] > LIMITS[self.exercise, in_picture]
        turns = {round(turn, 4) for turn, graded in zip(clip.turns, is_open) if graded}
        return [rep for rep in super().measured(frames, rate, in_picture) if round(rep[0], 4) in turns]


def areas(folder, exercise, found):
    names = form.MEASURES[exercise]
    trained = {False: [form.Reps(folder, exercise, names)] + [
        form.Reps(folder, exercise, names, lambda frames, rate, seed=seed: form.sensor(frames, rate, seed))
        for seed in form.TRAINED_SENSORS]}
    trained[True] = [form.Reps(folder, exercise, names, lambda frames, rate, place=place: form.camera(
        frames, rate, *place), True) for place in form.TRAINED_CAMERAS]
    for name, (transform, in_picture) in conditions().items():
        all_reps = [form.Reps(folder, exercise, names, transform, in_picture), Gated(folder, exercise, name, found)]
        scores = form.folds(trained[in_picture], all_reps)
        before, after = (form.area(score, reps.faulty) for score, reps in zip(scores, all_reps))
        print(f"  {exercise}, {name}: AUC {before:.3f} -> {after:.3f}")


def main(folder, bench=None):
    gates = learned(folder)
    found = motion_capture(f"{folder}/{SETS}", gates)
    clips = list(found.values()) + (videos(folder, bench, gates) if bench else [])
    for exercise in ("squat", "lunge"):
        for in_picture in (False, True):
            report(clips, exercise, in_picture)
        areas(f"{folder}/{SETS}", exercise, found)


if __name__ == "__main__":
    np.seterr(invalid="ignore", divide="ignore")
    main(*sys.argv[1:])
