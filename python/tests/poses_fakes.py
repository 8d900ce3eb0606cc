"""Estimators and videos for test_poses.py, in a module that other processes import too."""

import os
import signal
import time

from formbench.poses.video import GREY_SIZE, Frame, VideoError

PIXELS = GREY_SIZE[0] * GREY_SIZE[1]
KEYPOINTS = ("left_shoulder", "left_hip", "left_knee")


def grey(level, pixels=PIXELS):
    """A picture of stripes; other levels have them elsewhere."""
    return bytes(200 if (place // 3 + level) % 5 < 2 else 20 for place in range(pixels))


def person(x, y=0.5):
    return [(x, y, 0.25, 0.9), (x, y + 0.2, -0.5, 0.8), (x + 0.1, y + 0.4, 0.0, 0.7)]


class FakeVideo:
    """A text file: a word a frame, or a word that says what goes wrong there."""

    width, height, rotation, is_mirrored = 100, 200, 90, False
    declared_frames, declared_duration, start, untimed, skipped = 0, 0.0, 0.0, 0, 0

    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            words = file.read().split()
        for index, word in enumerate(words):
            if word == "broken":
                raise VideoError("cannot decode: it is broken")
            if word == "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            if word == "exit":
                print("last words", flush=True)
                os._exit(3)
            if word == "slow":
                time.sleep(60)
            yield Frame(index / 30, word, grey(0))


class Fake:
    """Finds one person, unless the frame's word is `nobody`."""

    name, model, version, keypoints = "fake", "none", "1", KEYPOINTS

    def find(self, image, time):
        return [] if image == "nobody" else [person(0.3)]


class Newer(Fake):
    version = "2"


class Wrong(Fake):
    def find(self, image, time):
        raise RuntimeError("no graphics card")


class Closing(Fake):
    def close(self):
        print("closed", flush=True)
        os._exit(4)


class Short(Fake):
    def find(self, image, time):
        return [person(0.3)[:2]]


class Nameless:
    keypoints = KEYPOINTS
