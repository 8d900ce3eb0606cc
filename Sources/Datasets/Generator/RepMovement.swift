/// One rep or half rep: from one depth out to another, perhaps held there, and back to a third.
struct RepMovement: Hashable, Sendable {
  var number: Int
  var start: Double
  var turn: Double
  var end: Double
  /// The faults that the movement before left behind, and its own.
  var before: Severities
  var severities: Severities
  /// Seconds.
  var out: Double
  var pause: Double
  var back: Double
  /// How much the speed leans towards the beginning of a phase (positive) or its end: within ±0.4.
  var skew: Double

  var duration: Double { out + pause + back }

  /// A rep begins and ends where it is so far from where it starts and stops.
  static let departure = 0.06

  func depth(at time: Double) -> Double {
    if time <= out { return .blend(start, turn, progress(time / out)) }
    if time <= out + pause { return turn }
    return .blend(turn, end, progress((time - out - pause) / back))
  }

  /// A fault comes with the first third of a movement and stays.
  func severities(at time: Double) -> Severities {
    .blend(before, severities, MinimumJerk.position(3 * time / out))
  }

  /// When the depth passes `departure` on the way out, and when on the way back.
  var passing: (out: Double, back: Double) {
    func time(from early: Double, to late: Double, beyond depth: Double, rising: Bool) -> Double {
      var (early, late) = (early, late)
      while late - early > 1e-7 {
        let middle = (early + late) / 2
        if (self.depth(at: middle) < depth) == rising { early = middle } else { late = middle }
      }
      return (early + late) / 2
    }
    return (
      time(from: 0, to: out, beyond: start + Self.departure, rising: true),
      time(from: out + pause, to: duration, beyond: end + Self.departure, rising: false)
    )
  }

  private func progress(_ fraction: Double) -> Double {
    MinimumJerk.position(fraction + skew * fraction * (1 - fraction))
  }
}
