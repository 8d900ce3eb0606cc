"""The detector squat-states as a Python programmer would write it, over all clips of a dataset at once.

Defaults as in bench: joints with a confidence above 0.3, a hysteresis of 5 degrees, half a second between two reps. A
frame of infinite angle stands before each clip and after the last: it ends what is open at the end of a clip.
"""

import csv
import dataclasses
import pathlib

import numpy

HYSTERESIS = numpy.float32(5)
COOLDOWN = 500_000
# The left and right hip, knee and ankle of COCO's keypoints.
LEGS = slice(11, 17)
# Width through height of the generated images.
ASPECT = numpy.float32(0.5625)


@dataclasses.dataclass
class Clips:
    names: list[str]
    subjects: numpy.ndarray  # a number for each clip
    truth: numpy.ndarray  # reps of each clip
    rates: list[float]
    firsts: numpy.ndarray  # place of the frame before each clip
    angles: numpy.ndarray  # of the knee, in degrees

    def times(self, places: numpy.ndarray, clips: numpy.ndarray) -> numpy.ndarray:
        """The microseconds of frames in their clips."""
        rates = numpy.asarray(self.rates)[clips]
        return numpy.rint((places - self.firsts[clips] - 1) / rates * 1e6).astype(numpy.int64)

    def mean_error(self, counts: numpy.ndarray) -> float:
        """The mean over people of their clips' mean absolute count error."""
        errors = numpy.bincount(self.subjects, numpy.abs(counts - self.truth)) / numpy.bincount(self.subjects)
        return float(errors.mean())


def read(project: pathlib.Path, name: str) -> Clips:
    folder = project / "datasets" / name
    with open(folder / "clips.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    people = {subject: number for number, subject in enumerate(sorted({row["subject"] for row in rows}))}
    poses = [numpy.load(folder / row["poses"])[:, LEGS] for row in rows]
    lengths = numpy.array([len(pose) + 1 for pose in poses])
    firsts = numpy.concatenate([[0], lengths.cumsum()])
    angles = numpy.full(firsts[-1] + 1, numpy.inf, dtype=numpy.float32)
    between = numpy.ones(len(angles), dtype=bool)
    between[firsts] = False
    angles[between] = knee_angles(numpy.concatenate(poses))
    return Clips(
        [row["clip"] for row in rows],
        numpy.array([people[row["subject"]] for row in rows]),
        numpy.array([int(row["rep_count"]) for row in rows]),
        [float(row["fps"]) for row in rows],
        firsts[:-1],
        angles,
    )


def knee_angles(legs: numpy.ndarray) -> numpy.ndarray:
    """The mean angle of the visible knees; NaN if neither is."""
    x, y = legs[..., 0] * ASPECT, legs[..., 1]
    seen = (legs[..., 2] > 0.3) & numpy.isfinite(x) & numpy.isfinite(y)
    ux, uy = x[:, 0:2] - x[:, 2:4], y[:, 0:2] - y[:, 2:4]
    vx, vy = x[:, 4:6] - x[:, 2:4], y[:, 4:6] - y[:, 2:4]
    angles = numpy.arctan2(numpy.abs(ux * vy - uy * vx), ux * vx + uy * vy) * numpy.float32(180 / numpy.pi)
    angles[~(seen[:, 0:2] & seen[:, 2:4] & seen[:, 4:6])] = numpy.nan
    left, right = angles[:, 0], angles[:, 1]
    both = numpy.float32(0.5) * (left + right)
    return numpy.where(numpy.isnan(left), right, numpy.where(numpy.isnan(right), left, both))


@dataclasses.dataclass
class Excursions:
    """From leaving the stance to being back in it; bottoms are the smallest angles."""

    clips: numpy.ndarray
    begins: numpy.ndarray
    ends: numpy.ndarray
    end_times: numpy.ndarray
    bottoms: numpy.ndarray


def excursions(clips: Clips, standing: float) -> Excursions:
    """Goes from crossing to crossing: one pass over the angles, without a loop over frames."""
    standing = numpy.float32(standing)
    stands = clips.angles > standing
    places = numpy.flatnonzero(stands | (clips.angles < standing - HYSTERESIS))
    stands = stands[places]
    begins = places[1:][stands[:-1] & ~stands[1:]]
    ends = places[1:][~stands[:-1] & stands[1:]]
    bottoms = numpy.fmin.reduceat(clips.angles, numpy.column_stack([begins, ends]).ravel())[::2]
    whole = ~numpy.isinf(clips.angles[ends])
    begins, ends, bottoms = begins[whole], ends[whole], bottoms[whole]
    of = numpy.searchsorted(clips.firsts, ends) - 1
    return Excursions(of, begins, ends, clips.times(ends, of), bottoms)


def reps(found: Excursions, bottom: float) -> numpy.ndarray:
    """Which excursions are reps: deep enough, and not too soon after the last rep."""
    kept = numpy.flatnonzero(found.bottoms < numpy.float32(bottom))
    while True:
        clips, times = found.clips[kept], found.end_times[kept]
        hasty = 1 + numpy.flatnonzero((clips[1:] == clips[:-1]) & (times[1:] - times[:-1] < COOLDOWN))
        if len(hasty) == 0:
            return kept
        # The first of a clip is too soon for certain; whether the next is depends on it.
        kept = numpy.delete(kept, hasty[numpy.unique(clips[hasty], return_index=True)[1]])
