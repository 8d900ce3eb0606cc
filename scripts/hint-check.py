"""Simulates how often bench init suggests a setting that does not help: python3 scripts/hint-check.py [SAMPLES]

The rule is that of SettingSuggestion, on generated gains of people with a standard deviation of 1; options share half of
the variance where they are normal. Prints the share of samples with a suggestion for any of the detectors. Needs numpy;
2000 samples take three minutes.
"""

import functools
import math
import sys

import numpy

ALPHA, FEWEST, EXTREMITY = 0.05, 10, 1.5
SEED = 1


@functools.cache
def quantile(p, degrees):
    """Of Student's t, by the trapezoidal rule."""
    x = numpy.linspace(0, 60, 600_001)
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
    below = 0.5 + numpy.concatenate([[0], numpy.cumsum((density[1:] + density[:-1]) / 2 * (x[1] - x[0]))])
    return float(numpy.interp(p, below, x))


def t(values, bound):
    spread = values.std(ddof=1)
    if spread == 0:
        return math.inf if values.mean() > bound else -math.inf
    return (values.mean() - bound) / (spread / math.sqrt(len(values)))


def sign_flip(gains, random, flips=1999):
    """The two-sided p value, exact up to 14 gains other than 0."""
    sizes = numpy.abs(gains[gains != 0])
    if not len(sizes):
        return 1
    if len(sizes) <= 14:
        signs = ((numpy.arange(1 << len(sizes))[:, None] >> numpy.arange(len(sizes))) & 1) * 2 - 1
    else:
        signs = random.integers(0, 2, (flips, len(sizes))) * 2 - 1
    outside = (numpy.abs(signs @ sizes) >= abs(gains.sum()) - 1e-9 * sizes.sum()).sum()
    return outside / len(signs) if len(sizes) <= 14 else (outside + 1) / (flips + 1)


def is_suggested(gains, margin, detectors, random):
    """gains: options x people."""
    gains = gains[gains.mean(1) >= -margin]
    if not len(gains) or gains.sum(1).max() <= 0:
        return False
    without = gains.sum(1)[:, None] - gains
    people = numpy.arange(gains.shape[1])
    left_out = numpy.where(without.max(0) > 0, gains[without.argmax(0), people], 0)
    if t(left_out, 0) <= quantile(0.975, len(people) - 1):
        return False
    worst = left_out.min()
    sample = numpy.append(left_out, EXTREMITY * worst) if worst < 0 else left_out
    critical = quantile(1 - ALPHA, len(sample) - 1)
    passes = t(sample, -margin) >= critical or (left_out >= -margin).all()
    return passes and t(sample, margin) >= critical and sign_flip(left_out, random) <= ALPHA / detectors


def normal(random, shape):
    return math.sqrt(0.5) * (random.standard_normal(shape[1]) + random.standard_normal(shape))


def shares(random, shape):
    """Of three clips, before and after."""
    right = random.beta(2, 1, shape[1])
    change = random.binomial(3, right, shape) - random.binomial(3, right)
    return change / max(1e-9, change.std())


def three_in_twenty_change(random, shape):
    return random.choice([-1, 1], shape) * (random.random(shape) < 0.15) / math.sqrt(0.15)


def exponential(random, shape):
    return random.exponential(1, shape) - 1


def one_winner_in_five(random, shape):
    return numpy.where(random.random(shape) < 0.2, 2, -0.5)


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    random = numpy.random.default_rng(SEED)
    print("options,detectors,people,gains,margin,true gain,suggested")
    for options, detectors in ((8, 1), (12, 1), (8, 4)):
        for people in (FEWEST, 12, 20, 40):
            for gains in (normal, shares, three_in_twenty_change, exponential, one_winner_in_five):
                for margin, mean in ((0.25, 0), (0.25, 0.25), (1e-9, 0)):
                    found = sum(
                        any(
                            is_suggested(mean + gains(random, (options, people)), margin, detectors, random)
                            for _ in range(detectors))
                        for _ in range(samples))
                    name = gains.__name__.replace("_", " ")
                    print(options, detectors, people, name, margin, mean, found / samples, sep=",", flush=True)


if __name__ == "__main__":
    main()
