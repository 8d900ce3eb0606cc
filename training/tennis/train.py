"""Trains the network of the detector swing-strokes and writes its weights as Swift, with NumPy alone.

Reads dataset folders that bench writes:

    bench dataset import --from ~/tennis-stream
    bench dataset import --from ~/tennis-shots
    bench dataset export tennis-stream --to stream
    bench dataset export tennis-shots --to shots
    bench dataset generate --exercise tennis --seed 7 --subjects 24 --to generated
    python3 training/tennis/train.py --streams stream --shots shots --generated generated \
        --out Sources/Coaching/SwingDetectors/SwingWeights.swift

--folds measures instead of writing: each stream by a network that has not seen it, each player's shots by one that has
not seen the player. The same seed gives the same weights on the same machine.
"""

import argparse
import csv
import pathlib

import numpy as np

RATE = 30  # ticks a second
BEFORE, AFTER = 20, 6  # ticks around the contact; the first is left over by the pairs
LABELS = {"forehand": 1, "backhand": 2, "serve": 3, "foreslice": 1, "backslice": 2}
NAMES = ["none", "forehand", "backhand", "serve"]
# Nadal and Djokovic are known; Sock, who shares Djokovic's files, is right-handed too. All players of the streams hit
# with the right hand. Others are found out in training.
HANDS = {"nadal": 1, "djoko_sock": 0}
RIGHT, LEFT, UNKNOWN = 0, 1, 2
JOINTS = ["left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip",
          "right_hip"]
MIRRORED = [1, 0, 3, 2, 5, 4, 7, 6]
KEYPOINTS = {"openpose-18": [5, 2, 6, 3, 7, 4, 11, 8], "coco-17": [5, 6, 7, 8, 9, 10, 11, 12]}
STANDING = np.array([[-.3, 0], [.3, 0], [-.4, .5], [.4, .5], [-.3, .8], [.3, .8], [-.2, 1], [.2, 1]])


# Reading, as in SwingPoses in Swift.


def poses(points, times):
    """Ticks x joints x 2 in trunk lengths from the shoulders, and whether shoulders and hips were seen."""
    neck, root = (points[:, 0] + points[:, 1]) / 2, (points[:, 6] + points[:, 7]) / 2
    trunks = np.hypot(*(root - neck).T)
    recent, facing, count = [], 0.5, 30
    older, newer, was_seen, ticks, seen = None, STANDING, False, [], []
    for frame, time in enumerate(times):
        is_seen = bool(np.isfinite(trunks[frame]) and trunks[frame] > 0)
        newer = newer.copy()
        if is_seen:
            recent = (recent + [trunks[frame]])[-31:]
            scale = np.median(recent)
            for left, right in ((0, 1), (6, 7)):
                count = min(count + 1, 600)
                turn = (points[frame, right, 0] - points[frame, left, 0]) / scale
                facing += (np.clip(turn, -1, 1) - facing) / count
            place = np.clip((points[frame] - neck[frame]) / scale, -2.5, 2.5)
            if facing < 0:
                place[:, 0] *= -1
            known = np.isfinite(place).all(1)
            newer[known] = place[known]
        while times[0] + len(ticks) / RATE <= time + 0.001:
            tick = times[0] + len(ticks) / RATE
            share = 1 if older is None or abs(tick - time) < 0.001 else (tick - last) / (time - last)
            ticks.append(newer if share == 1 else older * (1 - share) + newer * share)
            seen.append(is_seen if share >= 0.5 else was_seen)
        older, last, was_seen = newer, time, is_seen
    return np.array(ticks, np.float32), np.array(seen)


def read(folder, kind):
    """The clips of a dataset folder with tennis strokes as (tick, class) in `events`."""
    folder = pathlib.Path(folder)
    text = (folder / "dataset.yaml").read_text()
    skeleton = next(name for name in KEYPOINTS if f"skeleton: {name}" in text)
    aspect = next((float(line.split(":")[1]) for line in text.splitlines() if "aspect:" in line), 1)
    events = {}
    for row in csv.DictReader(open(folder / "events.csv")):
        event = (round(float(row["time_s"]) * RATE), LABELS[row["label"]])
        events.setdefault(row["clip"], []).append(event)
    clips = []
    for row in csv.DictReader(open(folder / "clips.csv")):
        values = np.load(folder / row["poses"]).astype(float)[:, KEYPOINTS[skeleton]]
        points = values[..., :2] * [aspect, 1]
        if values.shape[2] > 2:
            points[~(values[..., 2] > 0.3)] = np.nan
        ticks, seen = poses(points, np.arange(len(points)) / float(row["fps"]))
        clip = {"name": row["clip"], "subject": row["subject"], "kind": kind, "ticks": ticks, "seen": seen,
                "events": events.get(row["clip"], [])}
        if kind == "shot":
            clip["labels"] = list(clip["events"])
            clip["events"] = [(contact(ticks), stroke) for _, stroke in clip["events"]]
        clips.append(clip)
    return clips


def contact(ticks):
    """The tick at which a wrist is fastest, near the labelled one, which is only roughly the contact's."""
    wrists = ticks[:, [4, 5]]
    speed = np.linalg.norm(wrists[3:] - wrists[:-3], axis=2).max(1)
    middle = np.arange(len(speed)) + 1.5
    return middle[(speed * np.exp(-0.5 * ((middle - 16) / 5) ** 2)).argmax()]


# Samples: windows around a tick, with the probability of a contact.


def windows(ticks, centre, first, last, pace):
    """Windows of BEFORE + AFTER + 1 ticks at a changed pace; before `first` all is as in `first`."""
    place = centre[:, None] + np.arange(-BEFORE, AFTER + 1) * pace[:, None]
    place = np.clip(place, first[:, None], last[:, None])
    low = np.floor(place).astype(int)
    high = np.minimum(low + 1, last[:, None])
    share = (place - low).astype(np.float32)[..., None, None]
    return ticks[low] * (1 - share) + ticks[high] * share


def seen_around(clip, centres):
    total = np.concatenate([[0], np.cumsum(clip["seen"])])
    end = centres + AFTER + 1
    begin = np.maximum(0, end - 15)
    return 2 * (total[end] - total[begin]) >= end - begin


def samples(clips, random):
    """The ticks of all clips, and of each sample: tick, first, last, class, how surely, hand, weight."""
    ticks, rows, offset = [], [], 0
    for clip in clips:
        count, kind = len(clip["ticks"]), clip["kind"]
        centres = np.arange(2 if kind == "shot" else 0, count - AFTER)
        events = clip["events"] or [(-1000, 1)]
        nearest = np.abs(centres[:, None] - [time for time, _ in events]).argmin(1)
        distance = centres - np.array([time for time, _ in events])[nearest]
        sure = np.exp(-0.5 * (distance / 1.5) ** 2)
        sure[sure < 0.02] = 0
        # Of what is no contact a part is enough; generated motion repeats itself most.
        share = {"stream": 1 / 3, "shot": 0.4, "generated": 1 / 12}[kind]
        keep = (sure > 0) | (random.random(len(centres)) < share)
        if kind != "shot":
            keep &= seen_around(clip, centres)
        centres, sure, nearest = centres[keep], sure[keep], nearest[keep]
        # Some begin with the recording, as a shot of one second does.
        first = np.zeros(len(centres))
        if kind != "shot":
            cut = random.random(len(centres)) < 0.4
            first[cut] = np.maximum(0, centres - random.integers(3, BEFORE + 1, len(centres)))[cut]
        hand = RIGHT if kind == "stream" else HANDS.get(clip["subject"], UNKNOWN)
        same = np.ones(len(centres))
        rows.append(np.stack([
            centres + offset, first + offset, same * (count - 1 + offset), np.array([k for _, k in events])[nearest], sure,
            same * hand, np.where(sure > 0, 1.5, 1) * (0.5 if kind == "generated" else 1)], 1))
        ticks.append(clip["ticks"])
        offset += count
    return np.concatenate(ticks), np.concatenate(rows)


def changed(x, random):
    """The same windows with other body proportions, a worse estimator and a slightly different camera."""
    count, length = x.shape[:2]
    x = x * random.uniform(0.85, 1.15, (count, 1, 1, 1))
    x[..., 0] *= random.uniform(0.8, 1.25, (count, 1, 1))
    # An estimator whose places are as coarse as the cells of its map.
    coarse = random.random(count) < 0.2
    cell = random.uniform(0.08, 0.4, (coarse.sum(), 1, 1, 1))
    shift = random.uniform(0, 1, (coarse.sum(), 1, 1, 2)) + np.cumsum(random.normal(0, 0.15, (coarse.sum(), length, 1, 2)), 1)
    y = np.round(x[coarse] / cell + shift) * cell
    x[coarse] = y - 0.5 * (y[:, :, 0:1] + y[:, :, 1:2])
    x = x.astype(np.float32)
    x += 0.04 * random.standard_normal((count, 1, len(JOINTS), 2), np.float32)
    x += 0.04 * random.standard_normal(x.shape, np.float32)
    # A joint that is not seen for a while stays where it was.
    for sample, joint in zip(*np.nonzero(random.random((count, len(JOINTS))) < 0.06)):
        begin = random.integers(0, length)
        end = begin + random.integers(2, length)
        x[sample, begin:end, joint] = x[sample, begin, joint]
    return x


def inputs(x):
    """The network's input of the windows and of the mirrored windows: means of two ticks."""
    count = len(x)
    z = x[:, 1:].reshape(count, -1, 2, len(JOINTS), 2).mean(2)
    mirrored = z[:, :, MIRRORED] * np.array([-1, 1], np.float32)
    return z.reshape(count, -1).astype(np.float32), mirrored.reshape(count, -1).astype(np.float32)


# The network.


class Network:
    """Rectified units, then the logits of three strokes of a right-hander; the mirrored player gives the left-hander's."""

    def __init__(self, first, bias, second, last):
        self.weights = [np.asarray(w, np.float32) for w in (first, bias, second, last)]

    def forward(self, x):
        first, bias, second, last = self.weights
        units = np.maximum(x @ first + bias, 0)
        return units, units @ second + last

    def gradient(self, x, units, logits):
        back = (logits @ self.weights[2].T) * (units > 0)
        return [x.T @ back, back.sum(0), units.T @ logits, logits.sum(0)]

    def probabilities(self, right, left):
        """Of none, and forehand, backhand, serve of a right-, then of a left-hander."""
        return softmax(self.forward(right)[1], self.forward(left)[1])


def softmax(right, left):
    z = np.concatenate([np.zeros((len(right), 1), np.float32), right, left], 1)
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def train(clips, seed, units, epochs, decay):
    random = np.random.default_rng(seed)
    right, left, rows = [], [], []
    for copy in range(3):
        ticks, some = samples(clips, random)
        pace = random.uniform(0.85, 1.2, len(some)) if copy else np.ones(len(some))
        x = windows(ticks, some[:, 0], some[:, 1].astype(int), some[:, 2].astype(int), pace)
        for part, z in zip((right, left), inputs(changed(x, random) if copy else x)):
            part.append(z)
        rows.append(some)
    right, left, rows = np.concatenate(right), np.concatenate(left), np.concatenate(rows)
    mean = (right.mean(0) + left.mean(0)) / 2
    spread = np.maximum(np.sqrt((right.var(0) + left.var(0)) / 2), 0.1)
    right, left = (right - mean) / spread, (left - mean) / spread
    width = right.shape[1]
    network = Network(random.normal(0, width ** -0.5, (width, units)), np.zeros(units),
                      random.normal(0, units ** -0.5, (units, 3)), np.full(3, -2))
    kinds, hands = rows[:, 3].astype(int), rows[:, 5].astype(int)
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in network.weights]
    step, batch = 0, 512
    for epoch in range(epochs):
        order = random.permutation(len(rows))
        rate = 3e-3 * (1 + np.cos(np.pi * epoch / epochs)) / 2
        for begin in range(0, len(rows), batch):
            index = order[begin:begin + batch]
            r, l, sure = right[index], left[index], rows[index, 4]
            (ru, rz), (lu, lz) = network.forward(r), network.forward(l)
            said = softmax(rz, lz)
            n, kind, hand = np.arange(len(index)), kinds[index], hands[index]
            # Where nobody says which hand, the share that the network itself gives each.
            share = said[n, kind] / (said[n, kind] + said[n, kind + 3] + 1e-9)
            share = np.where(hand == UNKNOWN, share, hand == RIGHT)
            true = np.zeros_like(said)
            true[:, 0] = 1 - sure
            true[n, kind] = sure * share
            true[n, kind + 3] = sure * (1 - share)
            error = ((said - true) * (rows[index, 6:7] / len(index))).astype(np.float32)
            gradients = [a + b for a, b in zip(network.gradient(r, ru, error[:, 1:4]), network.gradient(l, lu, error[:, 4:7]))]
            step += 1
            for w, g, (m, v) in zip(network.weights, gradients, moments):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= np.float32(rate) * (m / (1 - 0.9 ** step) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
                                         + (decay * w if w.ndim == 2 else 0)).astype(np.float32)
    first, bias, second, last = network.weights
    return Network(first / spread[:, None], bias - (mean / spread) @ first, second, last)


def together(networks):
    """One network whose logits are the mean of several networks'."""
    parts = [n.weights for n in networks]
    return Network(np.concatenate([p[0] for p in parts], 1), np.concatenate([p[1] for p in parts]),
                   np.concatenate([p[2] for p in parts]) / len(parts), sum(p[3] for p in parts) / len(parts))


def quantised(network):
    """Whole numbers of 12 bits for the first layer, and the value of one in each unit."""
    first = network.weights[0]
    scale = np.abs(first).max(0) / 2047
    return np.round(first / scale).astype(int), scale.astype(np.float32)


# Detection, as in SwingStrokes in Swift.


def probabilities(network, clip):
    count = len(clip["ticks"]) - AFTER
    parts = []
    for begin in range(0, count, 4096):
        centres = np.arange(begin, min(begin + 4096, count))
        same = np.ones(len(centres), int)
        x = windows(clip["ticks"], centres, 0 * same, (len(clip["ticks"]) - 1) * same, same)
        parts.append(network.probabilities(*inputs(x)))
    return np.concatenate(parts) if parts else np.zeros((0, 7))


def strokes(said, clip, probability=0.2, wait=6, decline=0.5, spacing=30):
    """Contact, class and the tick of report of each stroke."""
    stroke = 1 - said[:, 0]
    smooth = stroke.copy()
    smooth[1:-1] = (stroke[:-2] + 2 * stroke[1:-1] + stroke[2:]) / 4
    smooth = np.where(seen_around(clip, np.arange(len(said))), smooth, 0)
    found, candidate, last = [], None, -spacing
    for tick in range(len(said) - 1):
        value = smooth[tick]
        if value >= probability and tick - last >= spacing and (candidate is None or value > smooth[candidate]):
            candidate = tick
        if candidate is not None and (tick - candidate >= wait or (tick > candidate and value < decline * smooth[candidate])):
            total = said[max(0, candidate - 3):tick + 1, 1:].sum(0)
            found.append((candidate, int((total[:3] + total[3:]).argmax()) + 1, tick + 1 + AFTER))
            last, candidate = candidate, None
    return found


def matches(events, found, tolerance):
    """Pairs of indices, one to one; strokes are further apart than the tolerance."""
    used, pairs = set(), []
    for index, (time, _, _) in enumerate(found):
        near = [(abs(time - event), i) for i, (event, _) in enumerate(events) if i not in used and abs(time - event) <= tolerance]
        if near:
            used.add(min(near)[1])
            pairs.append((min(near)[1], index))
    return pairs


def measure(title, cases, tolerance, **options):
    """Prints F1, named right, and the confusion matrix (rows true, columns said) of (network, clip) cases."""
    table, errors, doubled = np.zeros((4, 4), int), [], 0
    for said, clip in cases:
        events, found = clip.get("labels", clip["events"]), strokes(said, clip, **options)
        pairs = matches(events, found, tolerance)
        for event, index in pairs:
            table[events[event][1], found[index][1]] += 1
            errors.append(found[index][0] - events[event][0])
        for event in set(range(len(events))) - {e for e, _ in pairs}:
            table[events[event][1], 0] += 1
        for index in set(range(len(found))) - {i for _, i in pairs}:
            table[0, found[index][1]] += 1
    hit, missed, false = table[1:, 1:].sum(), table[1:, 0].sum(), table[0].sum()
    print(f"{title:28} F1 {2 * hit / max(1, 2 * hit + missed + false):.3f}  found {hit}  false {false}  missed {missed}  "
          f"named right {np.trace(table[1:, 1:]) / max(1, hit):.3f}  {table.tolist()}  "
          f"error {np.abs(errors).mean() if errors else 0:.1f} ticks", flush=True)


def measure_shots(title, cases, **options):
    """Prints how many clips of one shot are named right, a clip without a stroke being named none."""
    table, several = np.zeros((4, 4), int), 0
    for said, clip in cases:
        found = strokes(said, clip, **options)
        several += len(found) > 1
        table[clip["labels"][0][1] if clip["labels"] else 0, found[0][1] if found else 0] += 1
    there = [k for k in range(4) if table[k].sum()]
    f1 = [2 * table[k, k] / (table[k].sum() + table[:, k].sum()) for k in there]
    print(f"{title:28} right {np.trace(table) / table.sum():.3f}  macro-F1 {np.mean(f1):.3f}  {table.tolist()}  "
          f"with two strokes {several}", flush=True)


def folds(streams, shots, generated, fit, options):
    cases = []
    for clip in streams:
        network = fit([c for c in streams if c is not clip] + shots + generated)
        cases.append((probabilities(network, clip), clip))
        measure(clip["name"], cases[-1:], 6, **options)
    for probability in (0.2, 0.25, 0.3, 0.35, 0.4):
        for wait in (3, 6):
            measure(f"streams {probability} {wait}", cases, 6, **{**options, "probability": probability, "wait": wait})
    cases = []
    for player in sorted({c["subject"] for c in shots}):
        network = fit(streams + [c for c in shots if c["subject"] != player] + generated)
        own = [(probabilities(network, c), c) for c in shots if c["subject"] == player]
        measure_shots(player, own, **options)
        cases += own
    for probability in (0.2, 0.25, 0.3, 0.35, 0.4):
        measure_shots(f"shots {probability}", cases, **{**options, "probability": probability})
    measure("shots", cases, 7.5, **options)
    network = fit(shots + generated)
    measure("streams from shots", [(probabilities(network, c), c) for c in streams], 6, **options)
    network = fit(streams + generated)
    measure_shots("shots from streams", [(probabilities(network, c), c) for c in shots], **options)


# Writing.


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def swift(network, card):
    places, scales = quantised(network)
    _, bias, second, last = network.weights
    text = "".join(DIGITS[v >> 6] + DIGITS[v & 63] for v in places.T.reshape(-1) + 2048)

    def listed(values):
        lines, line = [], "   "
        for value in values:
            if len(line) + len(value) + 2 > 118:
                lines.append(line)
                line = "   "
            line += f" {value},"
        return "\n".join(lines + [line])

    def number(value):
        return f"{float(value):.6g}"

    rows = ["SIMD4(" + ", ".join(number(v) for v in row) + ", 0)" for row in second]
    lines = [text[i:i + 112] for i in range(0, len(text), 112)]
    return f'''/// The weights of `SwingNetwork`, written by `training/tennis/train.py`.
///
{card}
enum SwingWeights {{
  /// Units of the first layer: a multiple of 8.
  static let hidden = {len(bias)}

  /// The value of one step of each unit's weights.
  static let scales: [Float] = [
{listed([number(v) for v in scales])}
  ]

  static let biases: [Float] = [
{listed([number(v) for v in bias])}
  ]

  /// The contribution of each unit to the logits of forehand, backhand and serve.
  static let output: [SIMD4<Float>] = [
{listed(rows)}
  ]

  static let outputBias = SIMD4<Float>({", ".join(number(v) for v in last)}, 0)

  /// The weights of the first layer, unit by unit, in places from -2048 to 2047.
  static var places: [Int] {{
    var places: [Int] = []
    places.reserveCapacity(text.utf8CodeUnitCount / 2)
    text.withUTF8Buffer {{ text in
      for index in stride(from: 0, to: text.count - 1, by: 2) {{
        places.append(digit(text[index]) << 6 + digit(text[index + 1]) - 2048)
      }}
    }}
    return places
  }}

  /// The value of a digit of base64.
  private static func digit(_ code: UInt8) -> Int {{
    switch code {{
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(code - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(code - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(code - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    default: 63
    }}
  }}

  /// Two digits of base64 a place.
  private static let text: StaticString = """
    {(chr(92) + chr(10) + "    ").join(lines)}
    """
}}
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", required=True)
    parser.add_argument("--shots", required=True)
    parser.add_argument("--generated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--networks", type=int, default=3, help="how many are averaged")
    parser.add_argument("--units", type=int, default=16, help="of each network")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    streams, shots = read(arguments.streams, "stream"), read(arguments.shots, "shot")
    generated = read(arguments.generated, "generated") if arguments.generated else []

    def fit(clips):
        return together([train(clips, arguments.seed + i, arguments.units, arguments.epochs, arguments.decay)
                         for i in range(arguments.networks)])

    if arguments.folds:
        folds(streams, shots, generated, fit, {})
    if arguments.out:
        network = fit(streams + shots + generated)
        card = f"""/// Trained on {sum(len(c["events"]) for c in streams)} strokes of {len(streams)} continuous recordings (OpenPose, right-handers from behind), {len(shots)} shots of
/// {len({c["subject"] for c in shots})} players (MoveNet, one left-handed, from behind; serves of one player only), and {sum(len(c["events"]) for c in generated)} strokes of
/// {len({c["subject"] for c in generated})} generated players seen from the front, the side and between, for what the recordings lack: serves and other
/// views. Seed {arguments.seed}, {arguments.networks} networks of {arguments.units} units averaged."""
        pathlib.Path(arguments.out).write_text(swift(network, card))


if __name__ == "__main__":
    main()
