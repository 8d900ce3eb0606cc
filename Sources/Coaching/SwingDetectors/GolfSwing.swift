import PoseModel
import RealModule

/// A swing in its own unit of time and in the golfer's own directions, and the features that predict its events.
///
/// Lengths are in trunk lengths from the middle of the hips, up and away from the target negative, as a right-hander is
/// seen face-on. A place is a frame, counted from the oldest kept, with a fraction.
struct GolfSwing: Sendable {
  /// The times at which the wrists first cross the level, come down, and rise again.
  private(set) var firstRise: Float
  private(set) var fall: Float
  private(set) var secondRise: Float
  /// The wrists' lowest place between.
  private let lowest: Int
  private let level: Float
  private let trunk: Float
  /// Frames: a 24th of the time between the two rises.
  let unit: Float
  /// 1, or -1 for a swing that is mirrored.
  private let side: Float
  private let shape: GolfShape

  /// Units from the fall within which the wrists come to rest.
  static let hold: Float = 28

  /// - Parameter after: Units that must have passed since the fall.
  init?(_ anchor: GolfFrames.Anchor, in frames: GolfFrames, after: Float) {
    let count = frames.count
    let (rise, fall, second) = (anchor.rise, anchor.fall, anchor.secondRise)
    unit = max(Float(second - rise) / 24, 0.5)
    // The refined fall is at most this much earlier.
    guard Float(count - 1) >= Float(fall) - 2 * unit - 2 + after * unit else { return nil }
    (level, trunk) = (anchor.level, anchor.trunk)
    side = Self.side(rise, fall, second, in: frames)
    shape = GolfShape(frames, trunk: trunk, side: side, unit: unit)
    let wide = 3 * Int(unit + 1)
    firstRise =
      shape.last(.height, level, from: max(0, rise - wide - 1), through: min(rise + wide, fall), rising: true)
      ?? Float(rise)
    self.fall =
      shape.first(
        .height, level, from: max(0, Int(Float(fall) - 2 * unit) - 1),
        through: min(Int(Float(fall) + 2 * unit), count - 1), rising: false) ?? Float(fall)
    secondRise =
      shape.first(
        .height, level, from: max(0, Int(Float(second) - 2 * unit) - 1),
        through: min(Int(Float(second) + 2 * unit) + 1, count - 1), rising: true) ?? Float(second)
    lowest = shape.extreme(.height, fall...second, -1)
    guard Float(count - 1) >= self.fall + after * unit else { return nil }
  }

  /// The wrists go away from the target: to the image's left for a right-hander, from whichever side a camera sees it.
  private static func side(_ rise: Int, _ fall: Int, _ second: Int, in frames: GolfFrames) -> Float {
    let count = frames.count
    var work = ContiguousArray(repeating: Float(0), count: 2 * count)
    for column in [0, 2, 12, 14] {
      frames.fill(column, into: &work, at: count)
      let sign: Float = column < 12 ? 0.5 : -0.5
      for index in 0..<count { work[index] += sign * work[count + index] }
    }
    let length = second - rise
    let start = max(0, rise - length)
    let end = max(start + 1, Int(Float(rise) - 0.35 * Float(length)))
    var top = work
    return GolfSmoothing.median(&work, start..<end) >= GolfSmoothing.median(&top, rise..<fall) ? 1 : -1
  }

  /// The places of address to mid-follow-through.
  func events() -> [Float] {
    let timing = timing()
    return GolfEventWeights.lines.enumerated().map { event, line in
      let basis = [
        1, (firstRise - fall) / unit, (secondRise - fall) / unit, (Float(lowest) - fall) / unit, level,
      ]
      var units = zip(basis, line).reduce(Float(0)) { $0 + $1.0 * $1.1 }
      let place = fall + unit * units
      let features = [1] + timing + shape.around(place, unit, wide: event == 0) + shape.distances(place, unit)
      for (feature, weight) in zip(features, line.dropFirst(basis.count)) { units += feature * weight }
      return fall + unit * units
    }
  }

  /// The place of the finish, with the frames since then.
  ///
  /// - Parameter shift: The number of frames dropped since, negative: places are counted from the oldest kept.
  func finish(in frames: GolfFrames, shiftedBy shift: Float) -> Float {
    var frames = frames
    let late = GolfShape(frames, trunk: frames.measureTrunkAndHeight(), side: side, unit: unit)
    let fall = fall + shift
    let weights = GolfEventWeights.finish
    let end = min(fall + Self.hold * unit, Float(late.count - 1))
    let candidates = stride(from: Float(14), through: Self.hold, by: 0.5).map { fall + unit * $0 }
    let scores = candidates.map { place in
      let x = late.value(0, min(place, end))
      let y = late.value(1, min(place, end))
      let z = ((place - fall) / unit - 21) / 7
      var score = weights[4] * z + weights[5] * z * z + weights[6] * abs(z)
      for (offset, weight) in zip([-6, -3, 3, 6] as [Float], weights) {
        let then = min(place + offset * unit, end)
        let (dx, dy) = (late.value(0, then) - x, late.value(1, then) - y)
        score += weight * Float.log((dx * dx + dy * dy).squareRoot() + GolfShape.noise)
      }
      return score
    }
    let highest = scores.max() ?? 0
    let likelihoods = scores.map { Float.exp($0 - highest) }
    // The time around which most of the likelihood lies, as a tolerance of one unit either way.
    let sums = likelihoods.indices.map { likelihoods[max($0 - 2, 0)...min($0 + 2, scores.count - 1)].reduce(0, +) }
    let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
    return candidates[best]
  }

  /// The times at which the arms cross certain heights and distances, in units from the fall, in the weights' order.
  private func timing() -> [Float] {
    var features: [Float] = []
    func put(_ place: Float) { features.append((place - fall) / unit) }
    func frame(_ units: Float) -> Int { shape.frame(fall + units * unit) }
    let start = frame(-34)
    let down = shape.frame(fall)
    let top = shape.extreme(.height, frame(-13)...down, 1)
    put(Float(top))
    for (signal, levels) in Self.risesBeforeTop {
      var previous: Float?
      for level in levels {
        let place =
          shape.last(signal, level, from: start - 1, through: top, rising: true)
          ?? previous.map { $0 - 0.5 * unit } ?? fall - 12 * unit
        put(place)
        previous = place
      }
    }
    let early = frame(-30)
    put(Float(shape.extreme(.height, early...max(shape.frame(firstRise), early), -1)))
    let still = frame(-45)
    let base = shape.medians(still...max(frame(-34), still + 1))
    let (from, to) = (frame(-36), frame(-8))
    for (columns, distances) in Self.departures {
      for distance in distances { put(Float(shape.lastWithin(distance, of: base, columns, from..<to) ?? from)) }
    }
    let left = frame(-24)
    put(Float(shape.extreme(.across, left...(max(down, left + 1) - 1), -1)))
    for (signal, levels) in Self.fallsAfterTop {
      for level in levels {
        put(shape.first(signal, level, from: top, through: frame(5), rising: false) ?? fall)
      }
    }
    let valley = shape.extreme(.height, down...max(shape.frame(secondRise), down), -1)
    put(Float(valley))
    put(Float(shape.extreme(.across, down...(max(frame(12), down + 1) - 1), 1)))
    for (signal, levels) in Self.risesAfterImpact {
      for level in levels {
        put(shape.first(signal, level, from: valley - 1, through: frame(12), rising: true) ?? secondRise)
      }
    }
    put(firstRise)
    put(secondRise)
    for value in [base[0], base[1], base[10] - base[12], shape[.height, valley], shape[.height, top], level] {
      features.append(5 * value)
    }
    features.append(Float.log(unit))
    return features
  }

  private static let risesBeforeTop: [(GolfShape.Signal, [Float])] = [
    (.height, [1, 0.8, 0.65, 0.5, 0.35, 0.25, 0.15, 0.05, -0.05]),
    (.overShoulders, [-0.1, -0.25, -0.4, -0.55, -0.7, -0.8, -0.9]),
    (.trailWrist, [0.8, 0.6, 0.4, 0.2, 0.05]),
    (.trailElbow, [0.75, 0.65, 0.55, 0.45]),
    (.leadElbow, [0.65, 0.55, 0.45]),
    (.leadArm, [-0.3, -0.5, -0.7]),
  ]
  private static let departures: [([Int], [Float])] = [
    ([0, 1], [0.08, 0.15, 0.25, 0.4, 0.6]),
    ([6, 7, 8, 9], [0.08, 0.15, 0.25, 0.4, 0.6]),
    ([10, 11, 12, 13], [0.06, 0.1, 0.15, 0.2]),
    ([2, 3], [0.08, 0.15, 0.25, 0.4, 0.6]),
    ([4, 5], [0.08, 0.15, 0.25, 0.4, 0.6]),
    ([0], [0.08, 0.15, 0.25, 0.4, 0.6]),
  ]
  private static let fallsAfterTop: [(GolfShape.Signal, [Float])] = [
    (.height, [1.2, 1, 0.8, 0.4, 0.2]),
    (.overShoulders, [-0.05, -0.2, -0.35, -0.5, -0.65]),
    (.leadArm, [-0.1, -0.4]),
  ]
  private static let risesAfterImpact: [(GolfShape.Signal, [Float])] = [
    (.height, [0.15, 0.25, 0.35, 0.5, 0.7, 0.9, 1.1]),
    (.overShoulders, [-0.7, -0.55, -0.4, -0.25, -0.1]),
    (.leadArm, [-0.5, -0.3]),
  ]
}

/// A golfer's joints over the kept frames in trunk lengths from the hips, smoothed to the swing's unit.
///
/// Columns: the wrists' middle (0, 1), lead wrist (2, 3), trail wrist, lead elbow, trail elbow, lead shoulder, trail
/// shoulder (12, 13), nose, lead knee, trail knee (18, 19), each across and up, and the lead hip across, twice (20).
struct GolfShape: Sendable {
  enum Signal {
    /// Heights above the hips, but `across`: the wrists' middle.
    case height, across, trailWrist, leadElbow, trailElbow
    /// The wrists' middle above the shoulders'.
    case overShoulders
    /// The lead wrist above the lead shoulder.
    case leadArm
  }

  static let columns = 21
  /// An estimator's error, in trunk lengths.
  static let noise: Float = 0.03
  let count: Int
  private var values: ContiguousArray<Float>

  init(_ frames: GolfFrames, trunk: Float, side: Float, unit: Float) {
    let count = frames.count
    var joints = ContiguousArray(repeating: Float(0), count: GolfFrames.columns * count)
    for column in 0..<GolfFrames.columns { frames.fill(column, into: &joints, at: column * count) }
    var values = ContiguousArray(repeating: Float(0), count: Self.columns * count)
    // The joint of a pair that leads is the left one of a right-hander.
    func joint(_ index: Int) -> Int { side > 0 || index > 9 ? index : index ^ 1 }
    let order = [0, 1, 2, 3, 4, 5, 10, 8, 9, 6].map(joint)
    for frame in 0..<count {
      for axis in 0..<2 {
        func place(_ joint: Int) -> Float { joints[(2 * joint + axis) * count + frame] }
        let hips = (place(6) + place(7)) / 2
        let scale = (axis == 0 ? side : -1) / trunk
        for (index, joint) in order.enumerated() where index < 9 || axis == 0 {
          values[(2 * index + 2 + axis) * count + frame] = (place(joint) - hips) * scale * (index < 9 ? 1 : 2)
        }
        values[axis * count + frame] = ((place(0) + place(1)) / 2 - hips) * scale
      }
    }
    var work = ContiguousArray(repeating: Float(0), count: 3 * count)
    for column in 0..<Self.columns {
      for frame in 0..<count { work[frame] = values[column * count + frame] }
      GolfSmoothing.smooth(&work, from: 0, to: count, via: 2 * count, count, unit: unit)
      for frame in 0..<count { values[column * count + frame] = work[count + frame] }
    }
    (self.count, self.values) = (count, values)
  }

  private func column(_ column: Int, _ frame: Int) -> Float { values[column * count + frame] }

  subscript(_ signal: Signal, _ frame: Int) -> Float {
    switch signal {
    case .height: column(1, frame)
    case .across: column(0, frame)
    case .trailWrist: column(5, frame)
    case .leadElbow: column(7, frame)
    case .trailElbow: column(9, frame)
    case .overShoulders: column(1, frame) - (column(11, frame) + column(13, frame)) / 2
    case .leadArm: column(3, frame) - column(11, frame)
    }
  }

  /// The frame at or before a place, with one before it.
  func frame(_ place: Float) -> Int { Int(Float.minimum(Float.maximum(place, 1), Float(count - 1))) }

  /// A column's value at a place, between its two frames.
  func value(_ column: Int, _ place: Float) -> Float {
    let bounded = Float.minimum(Float.maximum(place, 0), Float(count - 1))
    let index = min(Int(bounded), count - 2)
    let share = bounded - Float(index)
    return self.column(column, index) * (1 - share) + self.column(column, index + 1) * share
  }

  /// The first crossing of a level after frame `from`.
  func first(_ signal: Signal, _ level: Float, from: Int, through end: Int, rising: Bool) -> Float? {
    for frame in stride(from: from + 1, through: end, by: 1) {
      if let place = crossing(signal, level, frame, rising) { return place }
    }
    return nil
  }

  /// The last crossing of a level after frame `from`.
  func last(_ signal: Signal, _ level: Float, from: Int, through end: Int, rising: Bool) -> Float? {
    for frame in stride(from: end, to: from, by: -1) {
      if let place = crossing(signal, level, frame, rising) { return place }
    }
    return nil
  }

  private func crossing(_ signal: Signal, _ level: Float, _ frame: Int, _ rising: Bool) -> Float? {
    let (before, now) = (self[signal, frame - 1], self[signal, frame])
    guard rising ? before < level && level <= now : before > level && level >= now else { return nil }
    return Float(frame - 1) + (level - before) / (now - before)
  }

  /// The first frame with the highest (`sign` 1) or lowest (-1) value.
  func extreme(_ signal: Signal, _ range: ClosedRange<Int>, _ sign: Float) -> Int {
    var best = range.lowerBound
    for frame in range where sign * self[signal, frame] > sign * self[signal, best] { best = frame }
    return best
  }

  /// The lower median of each column.
  func medians(_ range: ClosedRange<Int>) -> [Float] {
    (0..<Self.columns).map { column in
      var values = ContiguousArray(range.map { self.column(column, min($0, count - 1)) })
      return GolfSmoothing.median(&values, 0..<values.count)
    }
  }

  /// The last frame of a range in which some columns are together less than a distance from where they were.
  func lastWithin(_ distance: Float, of base: [Float], _ columns: [Int], _ range: Range<Int>) -> Int? {
    range.last { frame in
      columns.reduce(Float(0)) { sum, column in
        let step = self.column(column, frame) - base[column]
        return sum + step * step
      } < distance * distance
    }
  }

  /// All columns at nine places around one, a unit apart, or two.
  func around(_ place: Float, _ unit: Float, wide: Bool) -> [Float] {
    (-4...4).flatMap { step in
      (0..<Self.columns).map { value($0, place + unit * Float(wide ? 2 * step : step)) }
    }
  }

  /// How far wrists, elbows, shoulders and nose are from there at eight places around: the logarithm of trunk lengths.
  func distances(_ place: Float, _ unit: Float) -> [Float] {
    [[0, 1], [6, 7, 8, 9], [10, 11, 12, 13], [14, 15]].flatMap { (columns: [Int]) in
      ([-8, -5, -3, -1.5, 1.5, 3, 5, 8] as [Float]).map { offset in
        let square = columns.reduce(Float(0)) { sum, column in
          let step = value(column, place + offset * unit) - value(column, place)
          return sum + step * step
        }
        return Float.log(square.squareRoot() + Self.noise)
      }
    }
  }
}
