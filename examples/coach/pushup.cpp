// Counts push-ups by the left elbow's angle: c++ -std=c++17 -O2 -o coach/pushup coach/pushup.cpp
#include "formbench.hpp"

struct PushUpCounter {
  explicit PushUpCounter(const formbench::Clip &clip)
      : shoulder(clip.position("left_shoulder")), elbow(clip.position("left_elbow")),
        wrist(clip.position("left_wrist")), up(clip.parameters.at("up")), down(clip.parameters.at("down")) {}

  void update(const formbench::Frame &frame, formbench::Answer &answer) {
    double bend = angle(frame);
    answer.signal(bend);
    if (bend >= up) {
      if (straight >= 0 && lowest < down) answer.rep(straight, frame.time, turn);
      straight = frame.time;
      lowest = 180;
    } else if (bend < lowest) {
      lowest = bend;
      turn = frame.time;
    }
  }

private:
  int shoulder, elbow, wrist;
  double up, down;
  // When the arm was last straight, and when it was bent most.
  double straight = -1, turn = 0, lowest = 180;

  // Degrees at the elbow; NaN if a point is missing.
  double angle(const formbench::Frame &frame) const {
    double ax, ay, bx, by, cx, cy;
    if (!frame.point(shoulder, ax, ay) || !frame.point(elbow, bx, by) || !frame.point(wrist, cx, cy)) return NAN;
    double turned = std::atan2(ay - by, ax - bx) - std::atan2(cy - by, cx - bx);
    double degrees = std::fabs(std::remainder(turned * 180 / M_PI, 360));
    return degrees;
  }
};

int main() { return formbench::serve<PushUpCounter>(); }
