import RealModule

/// One squat, full or half: down from standing, perhaps held, and up again.
struct SquatMovement: Hashable, Sendable {
  var top: LegPosture
  var bottom: LegPosture
  /// Where it ends, which need not be quite upright.
  var end: LegPosture
  var armsAtTop: Arms
  var armsAtBottom: Arms
  /// Seconds.
  var descent: Double
  var pause: Double
  var ascent: Double
  /// How much the speed leans towards the beginning of a phase (positive) or its end: within ±0.4.
  var skew: Double
  /// How far the hips go to either side, in metres.
  var hipShift = 0.0

  var duration: Double { descent + pause + ascent }

  /// How far down: 0 at the top, 1 at the bottom.
  func depth(at time: Double) -> Double {
    if time <= descent { return progress(time / descent) }
    if time <= descent + pause { return 1 }
    return 1 - progress((time - descent - pause) / ascent)
  }

  func legs(at time: Double) -> LegPosture {
    let depth = depth(at: time)
    let high = time <= descent ? top : end
    // Knees lead: shanks lean before the hips are down (McKean and Burkett, Knee Behaviour in Squatting, Journal of
    // Australian Strength and Conditioning 20, 2012). Faults show near the bottom.
    let late = depth * depth
    return LegPosture(
      flexion: .blend(high.flexion, bottom.flexion, depth),
      shank: .blend(high.shank, bottom.shank, Double.pow(depth, 0.85)),
      heelRise: bottom.heelRise * late, kneesInward: bottom.kneesInward * late)
  }

  func arms(at time: Double) -> Arms { .blend(armsAtTop, armsAtBottom, depth(at: time)) }

  /// How far the hips are to the left of the middle: all the way halfway down, as far to the right halfway up.
  ///
  /// Legs that are nearly straight reach no farther, so that the hips go aside as they go down.
  func hipShift(at time: Double) -> Double {
    guard hipShift > 0 else { return 0 }
    let across = MinimumJerk.position((time - descent / 2) / (descent / 2 + pause + ascent / 2))
    return hipShift * MinimumJerk.position(depth(at: time) / 0.5) * (1 - 2 * across)
  }

  /// When the knee bends past `flexion` degrees on the way down, and when it is back there on the way up.
  func passing(_ flexion: Double) -> (down: Double, up: Double) {
    func time(from early: Double, to late: Double, rising: Bool) -> Double {
      var (early, late) = (early, late)
      while late - early > 1e-7 {
        let middle = (early + late) / 2
        if (legs(at: middle).flexion < flexion) == rising { early = middle } else { late = middle }
      }
      return (early + late) / 2
    }
    return (
      time(from: 0, to: descent, rising: true), time(from: descent + pause, to: duration, rising: false)
    )
  }

  private func progress(_ fraction: Double) -> Double {
    MinimumJerk.position(fraction + skew * fraction * (1 - fraction))
  }
}

extension Body {
  /// How far the hips can go to one side before the body falls over, in metres: its centre of mass is over the outer edge of a
  /// foot then, 0.025 of stature beside the ankle.
  ///
  /// Trunk, arms and head, 0.678 of the mass, go as far as the hips; the thighs, 0.2, by 0.433 of the way to knees that go
  /// half as far; the shanks, 0.093, by 0.567 of the knees' half: 0.678 + 0.2 (1 - 0.433 / 2) + 0.093 * 0.567 / 2 = 0.86.
  func widestHipShift(_ stance: Stance) -> Double { (stance.halfWidth + 0.025 * stature) / 0.86 }
}
