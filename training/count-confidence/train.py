"""Learns how likely a count is right from what speaks against it, and measures that on recordings left out.

    bench dataset import --from RepCount
    python3 train.py BENCH DATASET       # the program and the dataset's name; needs NumPy

Replays each clip to reps-any and to the counter of its exercise, whose doubts `bench replay --json` prints, and prints
the numbers that stand in Sources/Coaching/RepCounters/CountDoubts.swift. One regression serves all counters: each clip
counts once per counter, and both are left out together.
"""
import csv
import json
import subprocess
import sys
import tempfile

import numpy as np

PENALTY = 3
DOUBTS = ("unclear", "longGaps", "idle", "unseen")


def replays(bench, dataset):
    """Clip, whether reps-any counted it, whether off by one at most, and the doubts."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([bench, "dataset", "export", dataset, "--to", f"{folder}/clips"], check=True,
                       stdout=subprocess.DEVNULL)
        with open(f"{folder}/clips/clips.csv") as file:
            rows = [row for row in csv.DictReader(file) if row["rep_count"]]
    for row in rows:
        for detector in ("reps-any", f"exercise-{row['exercise']}"):
            said = subprocess.run(
                [bench, "replay", row["clip"], "--dataset", dataset, "--detector", detector, "--json"],
                capture_output=True, text=True)
            if said.returncode != 0:  # no counter for this exercise
                continue
            said = json.loads(said.stdout)
            count = sum(event["kind"] == "rep" for event in said["events"])
            found.append((row["clip"], detector == "reps-any", abs(count - int(row["rep_count"])) <= 1,
                          [said["doubts"][name] for name in DOUBTS]))
    return found


def evidence(doubts):
    """Counts and times weigh less the more there are."""
    return np.log(1 + np.array(doubts, float)[:, :3])


def fit(x, right):
    """The intercept and a weight for each doubt, with a ridge penalty on standardised weights."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z = np.c_[np.ones(len(x)), (x - mean) / spread]
    weights, penalty = np.zeros(z.shape[1]), np.diag([1e-6] + [PENALTY] * x.shape[1])
    for _ in range(20):
        p = 1 / (1 + np.exp(-z @ weights))
        weights += np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + penalty, z.T @ (right - p) - penalty @ weights)
    return np.r_[weights[0] - (weights[1:] * mean / spread).sum(), weights[1:] / spread]


def probability(weights, x, unseen):
    """A rep may hide in whatever is not seen."""
    return (1 - unseen) / (1 + np.exp(-(weights[0] + x @ weights[1:])))


def accuracy(confidence, right, coverage):
    """Of the most confident share of clips; equal confidences share their accuracy."""
    order = np.argsort(-confidence, kind="stable")
    confidence, right = confidence[order], right[order].astype(float)
    for value in np.unique(confidence):
        right[confidence == value] = right[confidence == value].mean()
    size = coverage * len(right)
    whole = int(size)
    return (right[:whole].sum() + (size - whole) * (right[whole] if whole < len(right) else 0)) / size


def report(name, confidence, right):
    stands = confidence >= 0.5
    print(f"{name}: off by one {right.mean():.3f}; the surest 80 % {accuracy(confidence, right, 0.8):.3f}; "
          f"not abstained from {stands.mean():.2f}, of these {right[stands].mean():.3f}; "
          f"squared error {((confidence - right) ** 2).mean():.3f}, of a constant {right.mean() * (1 - right.mean()):.3f}")
    for low, high in ((0, 0.3), (0.3, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 1.01)):
        part = (confidence >= low) & (confidence < high)
        if part.any():
            print(f"    stated {confidence[part].mean():.2f}: right {right[part].mean():.2f} of {part.sum()}")


def main(bench, dataset):
    clips, is_any, right, doubts = zip(*replays(bench, dataset))
    clips, is_any, right, x = np.array(clips), np.array(is_any), np.array(right), evidence(doubts)
    unseen = np.array(doubts)[:, 3]
    left_out = np.zeros(len(right))
    for clip in np.unique(clips):
        own = clips == clip
        left_out[own] = probability(fit(x[~own], right[~own]), x[own], unseen[own])
    report("reps-any, clips left out", left_out[is_any], right[is_any])
    report("exercise-*, clips left out", left_out[~is_any], right[~is_any])
    for name, doubt in zip(DOUBTS, np.array(doubts).T):
        for kind, part in (("reps-any", is_any), ("exercise-*", ~is_any)):
            print(f"by {name} alone, {kind}: the surest 80 % {accuracy(-doubt[part], right[part], 0.8):.3f}")
    print("weights:", " ".join(f"{name} {weight:.2f}" for name, weight in zip(("constant",) + DOUBTS, fit(x, right))))


if __name__ == "__main__":
    main(*sys.argv[1:])
