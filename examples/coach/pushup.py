"""Counts push-ups by the left elbow's angle. Needs nothing but Python."""

import json
import math
import sys

ARM = ("left_shoulder", "left_elbow", "left_wrist")


def angle(a, b, c):
    """Degrees at b; None if a point is missing."""
    if a is None or b is None or c is None:
        return None
    turn = math.atan2(a[1] - b[1], a[0] - b[0]) - math.atan2(c[1] - b[1], c[0] - b[0])
    return abs((math.degrees(turn) + 180) % 360 - 180)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        arm = [message["joints"].index(joint) for joint in ARM]
        up, down = message["parameters"]["up"], message["parameters"]["down"]
        straight = turn = None  # when the arm was last straight, and when it was bent most
        lowest = 180
        continue
    answer = {}
    if message["type"] == "frame":
        time, points = message["time"], message["keypoints"]
        bend = angle(*[points[joint] for joint in arm])
        answer["signals"] = [bend]
        if bend is not None and bend >= up:
            if straight is not None and lowest < down:
                answer["events"] = [{"type": "rep", "start": straight, "end": time, "turn": turn}]
            straight, lowest = time, 180
        elif bend is not None and bend < lowest:
            lowest, turn = bend, time
    print(json.dumps(answer), flush=True)
