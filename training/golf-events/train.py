"""Learns the weights of the detector golf-events from labelled swings, and measures them on players left out.

    python3 train.py FOLDER            # figures on players left out; needs NumPy and SciPy
    python3 train.py FOLDER OUTPUT     # also writes GolfEventWeights.swift

FOLDER has events.csv and poses/ID_poses.csv, as `bench dataset import` reads golf-swing. What is measured on a swing here
is what Sources/Coaching/SwingDetectors/GolfEvents.swift and GolfSwing.swift measure, in their order.

Each event but the finish is a linear rule in two steps: a first estimate from the wrists' crossings, then a correction
from all features, the mean of three ridge regressions (on the timing, on the joints around the estimate, on everything).
Their residuals are weighted to bring the errors' absolute values down, as labels have outliers. A swing is seen four
times: when it is first reported and 14, 19 and 25 units after the wrists came down. The finish is a conditional logit
over half units: the probability of a frame within the tolerance is maximised.
"""
import csv
import sys

import numpy as np
from scipy.optimize import minimize

EVENTS = ["address", "toe_up", "mid_backswing", "top", "mid_downswing", "impact", "mid_follow_through", "finish"]
JOINTS = ["left_wrist", "right_wrist", "left_elbow", "right_elbow", "left_shoulder", "right_shoulder", "left_hip",
          "right_hip", "left_knee", "right_knee", "nose"]
CAPACITY, AFTER, HOLD, LOW, DEPTH, NOISE = 600, 13, 28, 0.45, 0.6, 0.03
# Ridge penalties of the three regressions: the middle of what did as well on players left out (factors of 4 both ways).
TIMING, AROUND, ALL = 50, 50, 20
# How many times as much for the address, whose labels scatter most: 4 to 8 do as well.
ADDRESS = 4
LOGIT = 0.1
FIRST = 1


# --- the detector's measurements ---

def filled(frames):
    """Bridges gaps: linear between, constant beyond, 0 if nothing is known."""
    flat = frames.reshape(len(frames), -1).copy()
    index = np.arange(len(flat))
    for column in flat.T:
        known = np.isfinite(column)
        column[:] = np.interp(index, index[known], column[known]) if known.any() else 0
    return flat.reshape(frames.shape)


def lower_median(values):
    return np.sort(values, 0)[(len(values) - 1) // 2]


def smoothed(values, unit):
    def padded(values, reach):
        return np.concatenate([np.repeat(values[:1], reach, 0), values, np.repeat(values[-1:], reach, 0)])

    half = int(0.75 * unit)
    if half:
        wide = padded(values, half)
        values = np.median(np.stack([wide[k:k + len(values)] for k in range(2 * half + 1)]), 0)
    reach = max(1, int(3 * 0.45 * unit + 0.5))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (0.45 * unit)) ** 2)
    wide = padded(values, reach)
    return sum(w * wide[k:k + len(values)] for k, w in enumerate(weights / weights.sum()))


def crossing(signal, level, frames, rising):
    for t in frames:
        before, now = signal[t - 1], signal[t]
        if before < level <= now if rising else before > level >= now:
            return t - 1 + (level - before) / (now - before)
    return None


def first(signal, level, start, end, rising):
    return crossing(signal, level, range(start + 1, end + 1), rising)


def last(signal, level, start, end, rising):
    return crossing(signal, level, range(end, start, -1), rising)


def trunk_length(joints):
    return lower_median(np.hypot(*((joints[:, 4] + joints[:, 5] - joints[:, 6] - joints[:, 7]) / 2).T))


def anchor(joints, after):
    trunk = trunk_length(joints)
    if not trunk > 0:
        return None
    raw = (joints[:, 6, 1] + joints[:, 7, 1] - joints[:, 0, 1] - joints[:, 1, 1]) / 2 / trunk
    best = None
    for unit in (1, 2, 3.5):
        height = smoothed(raw, unit)
        for level in (0.3, 0.45, 0.6, 0.75, 0.9):
            high = np.concatenate([[False], height > level, [False]])
            edges = np.flatnonzero(high[1:] != high[:-1])
            runs = list(zip(edges[::2], edges[1::2]))
            for (start, end), (start2, end2) in zip(runs, runs[1:]):
                gap, hold = start2 - end, end - start
                if gap < 4 or hold < gap or hold > 8 * gap or start <= after:
                    continue
                score = min(height[start:end].max(), height[start2:end2].max(), 1.3) - height[end:start2].min()
                score -= 0.3 * abs(level - 0.6)
                if best is None or score > best[0] + 0.02:
                    best = score, start, end, start2, level
    return None if best is None or best[0] < DEPTH else (*best[1:], trunk)


class Shape:
    """Columns: the wrists' middle, lead and trail wrist, elbow, shoulder, nose, knees, lead hip twice; across and up."""

    def __init__(self, joints, trunk, side, unit):
        hips = (joints[:, 6] + joints[:, 7]) / 2
        place = (joints - hips[:, None]) / trunk * [side, -1]
        if side < 0:
            place = place[:, [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 10]]
        parts = [(place[:, 0] + place[:, 1]) / 2] + [place[:, k] for k in (0, 1, 2, 3, 4, 5, 10, 8, 9)]
        self.values = smoothed(np.concatenate(parts + [2 * place[:, 6:7, 0]], 1), unit)
        self.count = len(joints)

    def at(self, place):
        place = np.clip(place, 0, self.count - 1)
        index = np.minimum(np.floor(place).astype(int), self.count - 2)
        share = (place - index)[..., None]
        return self.values[index] * (1 - share) + self.values[index + 1] * share

    def frame(self, place):
        return int(min(max(place, 1), self.count - 1))


class Swing:
    """`ok` if a swing is in view whose fall is `AFTER` units ago."""

    def __init__(self, joints, after=-1, wait=AFTER):
        self.ok = False
        joints = filled(joints)
        found = anchor(joints, after)
        if found is None:
            return
        rise, fall, rise2, self.level, trunk = found
        count = len(joints)
        self.unit = unit = max((rise2 - rise) / 24, 0.5)
        across = (joints[:, 0, 0] + joints[:, 1, 0] - joints[:, 6, 0] - joints[:, 7, 0]) / 2
        start = max(0, 2 * rise - rise2)
        end = max(start + 1, int(rise - 0.35 * (rise2 - rise)))
        self.side = 1 if lower_median(across[start:end]) >= lower_median(across[rise:fall]) else -1
        self.shape = shape = Shape(joints, trunk, self.side, unit)
        height = shape.values[:, 1]
        wide = 3 * int(unit + 1)
        refined = last(height, self.level, max(0, rise - wide - 1), min(rise + wide, fall), True)
        self.rise = rise if refined is None else refined
        refined = first(height, self.level, max(0, int(fall - 2 * unit) - 1), min(int(fall + 2 * unit), count - 1), False)
        self.fall = fall if refined is None else refined
        refined = first(
            height, self.level, max(0, int(rise2 - 2 * unit) - 1), min(int(rise2 + 2 * unit) + 1, count - 1), True)
        self.rise2 = rise2 if refined is None else refined
        self.lowest = fall + int(np.argmin(height[fall:rise2 + 1]))
        self.ok = count - 1 >= self.fall + wait * unit

    def basis(self):
        return np.array([1, (self.rise - self.fall) / self.unit, (self.rise2 - self.fall) / self.unit,
                         (self.lowest - self.fall) / self.unit, self.level])

    def timing(self):
        shape, values, unit, fall = self.shape, self.shape.values, self.unit, self.fall
        features = []

        def put(place):
            features.append((place - fall) / unit)

        def frame(units):
            return shape.frame(fall + units * unit)

        height = values[:, 1]
        over, arm = height - (values[:, 11] + values[:, 13]) / 2, values[:, 3] - values[:, 11]
        start, down = frame(-34), shape.frame(fall)
        top = frame(-13) + int(np.argmax(height[frame(-13):down + 1]))
        put(top)
        for signal, levels in ((height, (1, .8, .65, .5, .35, .25, .15, .05, -.05)),
                               (over, (-.1, -.25, -.4, -.55, -.7, -.8, -.9)), (values[:, 5], (.8, .6, .4, .2, .05)),
                               (values[:, 9], (.75, .65, .55, .45)), (values[:, 7], (.65, .55, .45)),
                               (arm, (-.3, -.5, -.7))):
            previous = None
            for level in levels:
                place = last(signal, level, start - 1, top, True)
                if place is None:
                    place = fall - 12 * unit if previous is None else previous - 0.5 * unit
                put(place)
                previous = place
        early = frame(-30)
        put(early + int(np.argmin(height[early:max(shape.frame(self.rise), early) + 1])))
        still = frame(-45)
        base = lower_median(values[still:max(frame(-34), still + 1) + 1])
        begin, end = frame(-36), frame(-8)
        usual = (.08, .15, .25, .4, .6)
        for columns, distances in (([0, 1], usual), ([6, 7, 8, 9], usual), ([10, 11, 12, 13], (.06, .1, .15, .2)),
                                   ([2, 3], usual), ([4, 5], usual), ([0], usual)):
            away = np.linalg.norm(values[:, columns] - base[columns], axis=1)[begin:end]
            for distance in distances:
                near = np.flatnonzero(away < distance)
                put(begin + (int(near[-1]) if len(near) else 0))
        left = frame(-24)
        put(left + int(np.argmin(values[left:max(down, left + 1), 0])))
        for signal, levels in ((height, (1.2, 1, .8, .4, .2)), (over, (-.05, -.2, -.35, -.5, -.65)), (arm, (-.1, -.4))):
            for level in levels:
                place = first(signal, level, top, frame(5), False)
                put(fall if place is None else place)
        valley = down + int(np.argmin(height[down:max(shape.frame(self.rise2), down) + 1]))
        put(valley)
        put(down + int(np.argmax(values[down:max(frame(12), down + 1), 0])))
        for signal, levels in ((height, (.15, .25, .35, .5, .7, .9, 1.1)), (over, (-.7, -.55, -.4, -.25, -.1)),
                               (arm, (-.5, -.3))):
            for level in levels:
                place = first(signal, level, valley - 1, frame(12), True)
                put(self.rise2 if place is None else place)
        put(self.rise)
        put(self.rise2)
        features += [5 * v for v in (base[0], base[1], base[10] - base[12], height[valley], height[top], self.level)]
        return np.array(features + [np.log(unit)])

    def around(self, place, event):
        steps = np.arange(-4, 5.0) * (2 if event == 0 else 1)
        return self.shape.at(place + self.unit * steps).ravel()

    def distances(self, place):
        away = self.shape.at(place + self.unit * np.array([-8, -5, -3, -1.5, 1.5, 3, 5, 8])) - self.shape.at(place)
        return np.concatenate([np.log(np.linalg.norm(away[:, columns], axis=1) + NOISE)
                               for columns in ([0, 1], [6, 7, 8, 9], [10, 11, 12, 13], [14, 15])])

    def features(self, place, event):
        if not hasattr(self, "times"):
            self.times = self.timing()
        return np.concatenate([self.times, self.around(place, event), self.distances(place)])

    def finish_features(self, joints, shift):
        """Candidate places for the finish in later frames of which `shift` more were dropped, and their features."""
        joints = filled(joints)
        fall, unit = self.fall - shift, self.unit
        shape = Shape(joints, trunk_length(joints), self.side, unit)
        places = fall + unit * np.arange(14, HOLD + 0.01, 0.5)
        end = min(fall + HOLD * unit, shape.count - 1)
        here = shape.at(np.minimum(places, end))[:, :2]
        away = [np.log(np.linalg.norm(shape.at(np.minimum(places + k * unit, end))[:, :2] - here, axis=1) + NOISE)
                for k in (-6, -3, 3, 6)]
        z = ((places - fall) / unit - 21) / 7
        return places, np.array([*away, z, z * z, np.abs(z)]).T


def stream(frames):
    """What the detector reports on, frame by frame: the swing, its offset, and the finish's candidates."""
    reports, heights, low, due, wait, opened, finished = [], [], 0, None, 0, None, -1
    for now in range(len(frames)):
        oldest = max(0, now + 1 - CAPACITY)
        view = frames[oldest:now + 1]
        if opened and now - opened[1] >= opened[0].fall + HOLD * opened[0].unit:
            reports.append((opened[0], opened[1], oldest, opened[0].finish_features(view, oldest - opened[1])))
            opened = None
        f = frames[now]
        height = (f[6, 1] + f[7, 1] - f[0, 1] - f[1, 1]) / 2 / np.hypot(*((f[4] + f[5] - f[6] - f[7]) / 2))
        if np.isfinite(height):
            heights = heights[-2:] + [height]
        if len(heights) < 3:
            continue
        if np.median(heights) < LOW:
            low += 1
        else:
            if low >= 2:
                due, wait = now + 8, 8
            low = 0
        if due is None or now < due:
            continue
        wait *= 1.25
        due = now + int(wait) if wait < 150 else None
        if opened:
            continue
        swing = Swing(view, finished - oldest)
        if swing.ok:
            finished = oldest + int(swing.fall + HOLD * swing.unit)
            opened, due = (swing, oldest), None
    if opened:
        reports.append((*opened, 0, None))
    return reports


# --- learning ---

class Clip:
    def __init__(self, folder, row):
        path = f"{folder}/poses/{row['id']}_poses.csv"
        with open(path) as file:
            header = file.readline().strip().split(",")
        table = np.genfromtxt(path, delimiter=",", skip_header=1)
        numbers = table[:, header.index("frame")].astype(int)
        self.events = np.array([int(row[event]) for event in EVENTS])
        frames = np.full((max(numbers[-1], self.events[-1]) + 1, len(JOINTS), 2), np.nan)
        columns = [header.index(f"{joint}_{axis}") for joint in JOINTS for axis in "xy"]
        frames[numbers] = table[:, columns].reshape(-1, len(JOINTS), 2).astype(np.float32)
        self.name, self.player, self.view, self.slow = row["id"], row["player"], row["view"], row["slow"] == "1"
        self.count = len(frames)
        self.tolerance = max(np.round((self.events[5] - self.events[0]) / 30), 1)
        self.swing, self.finish, self.views = None, None, []
        for swing, offset, oldest, finish in stream(frames)[:1]:
            self.swing, self.offset = swing, offset
            self.views = [(swing, self.events - offset)]
            if finish:
                self.finish = finish[0] + oldest, finish[1]
        whole = Swing(frames)
        for units in (14, 19, 25) if self.swing and whole.ok else ():
            part = Swing(frames[:int(whole.fall + units * whole.unit) + 1])
            if part.ok and abs(part.fall - whole.fall) < 3 * part.unit:
                self.views.append((part, self.events))


def ridge(x, y, weight, penalty, rounds=6):
    """Least absolute errors by reweighting, features standardised; an error below half a unit counts as half."""
    mean, spread = x.mean(0), x.std(0) + 1e-6
    x, total, now = (x - mean) / spread, weight.sum(), weight
    for _ in range(rounds):
        centre = np.average(y, weights=now)
        root = np.sqrt(now / now.sum() * total)
        z = x * root[:, None]
        if len(y) < x.shape[1]:
            slope = z.T @ np.linalg.solve(z @ z.T + penalty * np.eye(len(y)), root * (y - centre))
        else:
            slope = np.linalg.solve(z.T @ z + penalty * np.eye(x.shape[1]), z.T @ (root * (y - centre)))
        now = weight / np.maximum(np.abs(y - centre - x @ slope), 0.5)
    return np.concatenate([[centre - mean / spread @ slope], slope / spread])


def learn_line(clips, event):
    y = np.array([(c.views[0][1][event] - c.swing.fall) / c.swing.unit for c in clips])
    if event == 0:
        basis = np.array([np.median(y), 0, 0, 0, 0])
    else:
        basis = ridge(np.array([c.swing.basis()[1:] for c in clips]), y, np.ones(len(y)), FIRST, rounds=1)
    x, y, weight = [], [], []
    for clip in clips:
        for swing, events in clip.views:
            place = swing.fall + swing.unit * (swing.basis() @ basis)
            x.append(swing.features(place, event))
            y.append((events[event] - place) / swing.unit)
            weight.append(1 / len(clip.views))
    x, y, weight = np.array(x), np.array(y), np.array(weight)
    count = len(clips[0].swing.times)
    around = 9 * 21
    line = np.zeros(1 + x.shape[1])
    for columns, penalty in ((slice(0, count), TIMING), (slice(count, count + around), AROUND), (slice(None), ALL)):
        part = ridge(x[:, columns], y, weight, penalty * (ADDRESS if event == 0 else 1))
        line[0] += part[0] / 3
        line[1:][columns] += part[1:] / 3
    return np.concatenate([basis, line])


def learn_finish(clips):
    places = [(c.finish[1], np.abs(np.round(c.finish[0]) - c.events[7]) <= c.tolerance) for c in clips if c.finish]
    places = [(x, good) for x, good in places if good.any()]
    spread = np.concatenate([x for x, _ in places]).std(0) + 1e-6

    def loss(w):
        value, slope = LOGIT * w @ w / 2, LOGIT * w
        for x, good in places:
            p = np.exp(x / spread @ w - (x / spread @ w).max())
            p /= p.sum()
            within = p @ good + 1e-9
            value -= np.log(within) / len(places)
            slope = slope + (p - p * good / within) @ (x / spread) / len(places)
        return value, slope

    return minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B").x / spread


def learn(clips):
    clips = [clip for clip in clips if clip.swing]
    return [learn_line(clips, event) for event in range(7)], learn_finish(clips)


def predict(clip, lines, finish):
    """Frames; NaN for what is not found."""
    found = np.full(8, np.nan)
    if clip.swing:
        swing, latest = clip.swing, 0
        for event, line in enumerate(lines):
            units = swing.basis() @ line[:5]
            units += line[5] + swing.features(swing.fall + swing.unit * units, event) @ line[6:]
            latest = max(latest, swing.fall + swing.unit * units)
            found[event] = latest + clip.offset
    if clip.finish:
        places, x = clip.finish
        p = np.exp(x @ finish - (x @ finish).max())
        found[7] = places[np.argmax(np.convolve(np.pad(p, 2), np.ones(5), "valid"))]
    return found


def report(name, clips, found):
    good = np.array([np.abs(np.round(f) - c.events) <= c.tolerance for c, f in zip(clips, found)])
    print(f"{name:28} PCE {good.mean():.3f}  " + " ".join(f"{e} {s:.2f}" for e, s in zip(EVENTS, good.mean(0))))
    return good


def main(folder, output=None):
    with open(f"{folder}/events.csv") as file:
        clips = [Clip(folder, row) for row in csv.DictReader(file)]
    players = sorted({clip.player for clip in clips})
    share = {p: np.mean([c.events / c.count for c in clips if c.player != p], 0) for p in players}
    report("mean place in the clip", clips, [share[c.player] * c.count for c in clips])
    found = {}
    for player in players:
        model = learn([clip for clip in clips if clip.player != player])
        found.update({clip.name: predict(clip, *model) for clip in clips if clip.player == player})
    good = report("players left out", clips, [found[clip.name] for clip in clips])
    for name, chosen in (("real time", lambda c: not c.slow), ("slow motion", lambda c: c.slow),
                         ("face-on", lambda c: c.view == "face-on"), ("down the line", lambda c: c.view == "down-the-line"),
                         ("other views", lambda c: c.view == "other"), ("swings found", lambda c: c.swing)):
        rows = [k for k, clip in enumerate(clips) if chosen(clip)]
        report(f"  {name}, {len(rows)}", [clips[k] for k in rows], [found[clips[k].name] for k in rows])
    means = [good[[k for k, c in enumerate(clips) if c.player == p]].mean() for p in players]
    draws = np.random.default_rng(1).choice(means, (10_000, len(means))).mean(1)
    print(f"95 % interval over {len(players)} players: {np.quantile(draws, 0.025):.3f} to {np.quantile(draws, 0.975):.3f}")
    if output:
        write(output, *learn(clips))


def write(output, lines, finish):
    def text(value):
        value = float(f"{value:.5g}")
        return np.format_float_positional(np.float32(value), trim="-") if abs(value) >= 1e-6 else "0"

    rows = ["/// The weights of `GolfEvents`, written by training/golf-events/train.py.", "enum GolfEventWeights {",
            "  /// The weights of address to mid-follow-through: the constant and four weights of the first estimate, then the",
            "  /// constant and the weights of its correction, in the order of the features.", "  static let lines: [[Float]] = ["]
    for line in lines:
        rows.append("    [")
        row = "     "
        for value in line:
            word = f" {text(value)},"
            if len(row + word) > 119:
                rows.append(row)
                row = "     "
            row += word
        rows += [row, "    ],"]
    rows += ["  ]", "", "  /// The weights of the finish: the wrists' distances in time, then the position's distance, square and size.",
             "  static let finish: [Float] = [" + ", ".join(map(text, finish)) + "]", "}", ""]
    with open(output, "w") as file:
        file.write("\n".join(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
