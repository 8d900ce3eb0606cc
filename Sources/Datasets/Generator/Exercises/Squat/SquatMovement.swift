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
