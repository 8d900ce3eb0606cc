"""A counter for tests: in their process, and as a program of a project."""

import formbench


def counter(clip, frames):
    """Counts squats by the knee angle's thresholds `down` and `up`, in degrees."""
    low = None
    for frame in frames:
        bend = frame.angle("left_hip", "left_knee", "left_ankle")
        frame.signals = [bend]
        if bend is not None and bend < clip.parameters["down"]:
            low = frame.time if low is None else low
        elif bend is not None and low is not None and bend > clip.parameters["up"]:
            yield formbench.rep(low, frame.time)
            low = None


if __name__ == "__main__":
    formbench.serve(counter)
