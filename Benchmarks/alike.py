"""Makes keypoints of people who all do the same squats, with other depths and tempos, to measure bench dataset check.

    Benchmarks/.build/venv/bin/python Benchmarks/alike.py 1000 FOLDER
    bench dataset import --from FOLDER --name alike --exercise squat --fps 30
    bench dataset check alike

Each clip has 1,000 frames of COCO's 17 keypoints in pixels; each rep has a tempo and a depth of its own.
"""

import pathlib
import sys

import numpy as np

FRAMES, FPS, SHANK, TRUNK = 1000, 30, 100, 120
SIDES = [(11, 13, 15, 5, 7, 9), (12, 14, 16, 6, 8, 10)]
FACE = {0: (10, -40), 1: (8, -44), 2: (12, -44), 3: (2, -42), 4: (14, -42)}


def bend(random):
    """How far the person is down in each frame, from 0 to about 1."""
    depth, period, begin = random.uniform(0.5, 1), random.uniform(1.8, 2.4), random.uniform(0, 1)
    reps = 60
    ends = np.concatenate([[0], np.cumsum(random.uniform(0.85, 1.15, reps) * period)])
    place = np.interp(np.arange(FRAMES) / FPS + begin * period, ends, np.arange(reps + 1))
    depths = np.interp(place, np.arange(reps) + 0.5, random.uniform(0.9, 1.1, reps) * depth)
    return depths * (1 - np.cos(2 * np.pi * place)) / 2


def clip(random):
    """Frames x keypoints x (x, y, confidence)."""
    down = bend(random)
    poses = np.full((FRAMES, 17, 3), 0.9)

    def limb(start, length, angle):
        return start + length * np.stack([np.sin(angle), -np.cos(angle)], axis=-1)

    for place, (hip, knee, ankle, shoulder, elbow, wrist) in enumerate(SIDES):
        feet = np.tile([288.0 + 24 * place, 600.0], (FRAMES, 1))
        knees = limb(feet, SHANK, 0.6 * down)
        hips = limb(knees, SHANK, -1.6 * down)
        shoulders = limb(hips, TRUNK, 0.7 * down)
        elbows = limb(shoulders, 50, np.pi - 1.5 * down)
        wrists = limb(elbows, 45, np.pi - 1.5 * down)
        for joint, at in [
            (hip, hips), (knee, knees), (ankle, feet), (shoulder, shoulders), (elbow, elbows), (wrist, wrists)
        ]:
            poses[:, joint, :2] = at
    neck = (poses[:, 5, :2] + poses[:, 6, :2]) / 2
    for joint, offset in FACE.items():
        poses[:, joint, :2] = neck + offset
    poses[..., :2] += random.normal(0, 1, (FRAMES, 17, 2))
    return poses.astype(np.float32)


def main():
    count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    random = np.random.default_rng(1)
    for number in range(count):
        person = folder / f"person_{number:04d}"
        person.mkdir(parents=True)
        np.save(person / "squats.npy", clip(random))


if __name__ == "__main__":
    main()
