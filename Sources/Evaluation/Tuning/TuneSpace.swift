import Coaching

/// The settings among which a search looks: every combination of its axes' levels.
struct TuneSpace: Sendable {
  let axes: [TuneAxis]

  /// Where the suite stands, or what is nearest to it: a level of each axis.
  var start: [Int] { axes.map(\.start) }

  func values(_ point: [Int]) -> [Double] { zip(axes, point).map { $0.levels[$1] } }

  /// How far a setting is from the start, on each axis as a part of what it spans.
  func distance(_ point: [Int]) -> Double {
    zip(axes, point).reduce(0) { sum, next in
      let (axis, level) = next
      guard let low = axis.levels.first, let high = axis.levels.last, high > low else { return sum }
      return sum + abs(axis.levels[level] - axis.levels[axis.start]) / (high - low)
    }
  }
}
