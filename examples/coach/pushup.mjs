// Counts push-ups by the left elbow's angle. Needs nothing but node.
import { createInterface } from "node:readline";

const ARM = ["left_shoulder", "left_elbow", "left_wrist"];

// Degrees at b; null if a point is missing.
function angle(a, b, c) {
  if (!a || !b || !c) return null;
  const turn = Math.atan2(a[1] - b[1], a[0] - b[0]) - Math.atan2(c[1] - b[1], c[0] - b[0]);
  const degrees = (turn * 180) / Math.PI;
  return Math.abs(((((degrees + 180) % 360) + 360) % 360) - 180);
}

let arm, up, down, straight, turn, lowest;

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const message = JSON.parse(line);
  if (message.type === "start") {
    arm = ARM.map((joint) => message.joints.indexOf(joint));
    ({ up, down } = message.parameters);
    straight = turn = null; // when the arm was last straight, and when it was bent most
    lowest = 180;
    continue;
  }
  const answer = {};
  if (message.type === "frame") {
    const bend = angle(...arm.map((joint) => message.keypoints[joint]));
    answer.signals = [bend];
    if (bend !== null && bend >= up) {
      if (straight !== null && lowest < down) {
        answer.events = [{ type: "rep", start: straight, end: message.time, turn }];
      }
      straight = message.time;
      lowest = 180;
    } else if (bend !== null && bend < lowest) {
      lowest = bend;
      turn = message.time;
    }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
