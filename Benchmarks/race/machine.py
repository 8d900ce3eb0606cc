"""The state machine of squat-states, compiled by Numba."""

import numba
import numpy


@numba.njit(parallel=True, cache=True)
def counts(angles, bounds, rates, settings, hysteresis, cooldown):
    """The reps of each setting (rows: bottom and standing angle) in each clip."""
    counted = numpy.zeros((len(settings), len(rates)), numpy.int64)
    for setting in numba.prange(len(settings)):
        bottom, standing = settings[setting]
        for clip in range(len(rates)):
            moves, deepest, last, count = False, numpy.float32(0), -cooldown, 0
            for place in range(bounds[clip] + 1, bounds[clip + 1]):
                angle = angles[place]
                if moves:
                    if angle < deepest:
                        deepest = angle
                    elif angle > standing:
                        moves = False
                        if deepest < bottom:
                            time = numpy.int64(numpy.rint((place - bounds[clip] - 1) / rates[clip] * 1e6))
                            if time - last >= cooldown:
                                count += 1
                                last = time
                elif angle < standing - hysteresis:
                    moves, deepest = True, angle
            counted[setting, clip] = count
    return counted
