import RealModule

/// The features of a movement's windows: the mean of each coordinate, and the amplitudes of arms, legs and trunk by
/// tempo.
///
/// Features give a lower bound of the distance of two movements. A window's mean square is the sum of the mean squares
/// of its frequencies (Parseval), and two windows' amplitudes at a frequency differ by at most the amplitude of their
/// difference. The mean square distance of two aligned windows, summed over the coordinates, is therefore at least the
/// squared distance of their features. The same holds for means of consecutive samples.
struct MotionWindows {
  /// The coordinates' means, then the amplitudes of each body part: for 1, 2, … whole periods per window, and for the
  /// rest.
  static let features = MotionFingerprint.width + parts * tempos
  private static let parts = 3
  private static let tempos = 8

  /// The body part of a pair of joints: 0 trunk, 1 arms, 2 legs.
  @inline(__always)
  private static func part(_ pair: Int) -> Int { pair == 0 || pair == 3 ? 0 : pair < 3 ? 1 : 2 }

  /// For each position, the features of the window that begins there and of the one that begins half a sample later.
  private(set) var values: [Double]
  /// The unknown features: their joints are missing.
  let unknown: [Int]
  var positions: Int { values.count / (2 * Self.features) }

  /// The maximum number of steps per window: a multiple of every other number of steps.
  private static let mostSteps = 24

  /// The lengths of windows, in samples, in growing order: each at most half as long again as the one before.
  static let lengths = [8, 12, 16] + (0..<24).flatMap { [24 << $0, 36 << $0] }

  /// Samples between two positions, for a window length: a step is 1/24 of it, or as little more as divides it.
  static func step(_ window: Int) -> Int {
    let steps = [mostSteps, mostSteps / 2].first { window % $0 == 0 } ?? mostSteps / 3
    return window / steps
  }

  /// - Parameters:
  ///   - window: The window length in samples: whole steps, at most the movement's length.
  ///   - first: The sample at which the first window begins.
  ///   - most: The maximum number of positions.
  init(_ means: MotionMeans, window: Int, from first: Int = 0, positions most: Int = .max) {
    unknown = Self.unknown(means.joints)
    let positions = min(most, (means.count - first - window) / means.step + 1)
    values = [Double](repeating: 0, count: positions * 2 * Self.features)
    let steps = window / means.step
    values.withUnsafeMutableBufferPointer { values in
      for pair in 0..<MotionMeans.pairs {
        means.withValues(of: pair, from: first) { own, between, stride in
          Self.add(pair, own, stride, positions: positions, steps: steps, at: 0, to: values)
          Self.add(pair, between, stride, positions: positions, steps: steps, at: Self.features, to: values)
        }
      }
      if first + (positions - 1) * means.step + window == means.count {
        // The last window has no sample after it to begin half a sample later.
        for feature in values.count - Self.features..<values.count { values[feature] = values[feature - Self.features] }
      }
      for first in stride(from: 0, to: values.count, by: Self.features) {
        for feature in first + MotionFingerprint.width..<first + Self.features {
          values[feature] = max(0, values[feature]).squareRoot()
        }
      }
    }
  }

  /// The features of missing joints.
  private static func unknown(_ joints: UInt16) -> [Int] {
    guard joints != 1 << (MotionFingerprint.width / 2) - 1 else { return [] }
    return (0..<features).filter { feature in
      let part = (feature - MotionFingerprint.width) / tempos
      return (0..<MotionFingerprint.width / 2).contains { joint in
        joints & 1 << joint == 0
          && (feature < MotionFingerprint.width ? feature / 2 == joint : part == Self.part(joint / 2))
      }
    }
  }

  /// Cosine and sine of fractions of a turn.
  private static let waves = (0..<mostSteps).map { place in
    let turn = 2 * Double.pi * Double(place) / Double(mostSteps)
    return SIMD2(Double.cos(turn), Double.sin(turn))
  }

  /// Adds a pair of joints, with mean squares instead of amplitudes.
  @inline(__always)
  private static func add(
    _ pair: Int, _ means: UnsafePointer<SIMD4<Double>>, _ stride: Int, positions: Int, steps: Int,
    at offset: Int, to values: UnsafeMutableBufferPointer<Double>
  ) {
    let share = 1 / Double(steps)
    let part = MotionFingerprint.width + part(pair) * tempos
    let rest = part + tempos - 1
    let length = steps * stride
    var (sum, squares) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for place in Swift.stride(from: 0, to: length, by: stride) {
      sum += means[place]
      squares += means[place] * means[place]
    }
    for position in 0..<positions {
      let own = 2 * position * features + offset
      let mean = sum * share
      for lane in 0..<4 { values[own + 4 * pair + lane] = mean[lane] }
      values[own + rest] += (squares * share - mean * mean).sum()
      guard position + 1 < positions else { break }
      let (first, last) = (means[position * stride], means[position * stride + length])
      sum += last - first
      squares += last * last - first * first
    }
    let scale = 2 * share * share
    let waves = waves
    withUnsafeTemporaryAllocation(of: SIMD4<Double>.self, capacity: steps) { halves in
      // Even tempos need the sum of a window's two halves, odd ones the difference.
      for place in 0..<steps / 2 {
        let (one, other) = (means[place * stride], means[(place + steps / 2) * stride])
        (halves[place], halves[place + steps / 2]) = (one + other, one - other)
      }
      for tempo in 1..<tempos where 2 * tempo < steps {
        // The discrete Fourier transform of a window, computed from the previous window's.
        var (real, imaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        let (first, turn) = (tempo % 2 * steps / 2, tempo * mostSteps / steps)
        var angle = 0
        for place in 0..<steps / 2 {
          real += halves[first + place] * waves[angle].x
          imaginary -= halves[first + place] * waves[angle].y
          angle += turn
          if angle >= mostSteps { angle -= mostSteps }
        }
        let (cosine, sine) = (waves[turn].x, waves[turn].y)
        for position in 0..<positions {
          let own = 2 * position * features + offset
          let energy = (real * real + imaginary * imaginary).sum() * scale
          values[own + part + tempo - 1] += energy
          values[own + rest] -= energy
          guard position + 1 < positions else { break }
          let changed = real + (means[position * stride + length] - means[position * stride])
          real = changed * cosine - imaginary * sine
          imaginary = changed * sine + imaginary * cosine
        }
      }
    }
  }
}

/// A movement's means over consecutive samples.
///
/// The mean square of a difference's means is at most that of the difference. Windows of means, which are fewer,
/// therefore bound the distance of two movements as windows of samples do.
struct MotionMeans {
  static let pairs = MotionFingerprint.width / 4

  /// Samples per mean.
  let step: Int
  /// The movement's length in samples.
  let count: Int
  let joints: UInt16
  /// Samples between two kept means.
  private let every: Int
  /// Pair by pair of joints: its means, then the means that begin half a sample later.
  private let values: [SIMD4<Double>]
  private var kept: Int { values.count / (2 * Self.pairs) }

  /// - Parameter every: 1 to keep a mean for every sample; the step for means that do not overlap.
  init(_ samples: MotionSamples, step: Int, every: Int) {
    (self.step, self.every, count, joints) = (step, every, samples.count, samples.joints)
    let (count, kept) = (samples.count, (samples.count - step) / every + 1)
    values = [SIMD4<Double>](unsafeUninitializedCapacity: kept * 2 * Self.pairs) { values, initialized in
      samples.values.withUnsafeBytes { bytes in
        let share = 1 / Double(step)
        for pair in 0..<Self.pairs {
          @inline(__always) func value(_ sample: Int) -> SIMD4<Double> {
            let place = 4 * (sample * MotionFingerprint.width + 4 * pair)
            let value = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
            return SIMD4(Double(value[0]), Double(value[1]), Double(value[2]), Double(value[3]))
          }
          // Sums are exact, as the samples are whole multiples of a power of two.
          var sum = SIMD4<Double>.zero
          for sample in 0..<step { sum += value(sample) }
          let first = 2 * pair * kept
          var start = 0
          for place in first..<first + kept {
            values[place] = sum * share
            values[place + kept] = (sum + (value(min(start + step, count - 1)) - value(start)) * 0.5) * share
            let end = min(start + every, count - step)
            while start < end {
              sum += value(start + step) - value(start)
              start += 1
            }
          }
        }
      }
      initialized = kept * 2 * Self.pairs
    }
  }

  /// - Parameter body: Receives the means, the means that begin half a sample later, and the stride from a mean to the
  ///   one that follows it.
  @inline(__always)
  func withValues(
    of pair: Int, from first: Int,
    _ body: (_ own: UnsafePointer<SIMD4<Double>>, _ between: UnsafePointer<SIMD4<Double>>, _ stride: Int) -> Void
  ) {
    values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      let own = start + (2 * pair * kept + first / every)
      body(own, own + kept, step / every)
    }
  }
}

/// The minimum and maximum of each feature of some windows.
///
/// The joints that differ most between movements come first: a few features then usually suffice to tell two boxes
/// apart.
struct MotionBox: Sendable {
  /// Wrists, ankles, elbows, knees, shoulders and hips, by pair; then the amplitudes. A pair's four values stay
  /// together, as mirroring swaps them.
  private static let order = [2, 5, 1, 4, 0, 3].flatMap { 4 * $0..<4 * $0 + 4 } + (24..<MotionWindows.features)

  private struct Part {
    var low = SIMD16<Float>(repeating: .infinity)
    var high = SIMD16<Float>(repeating: -.infinity)
  }

  private var parts = (Part(), Part(), Part())

  /// The box around some boxes, at least one.
  init(_ boxes: some Collection<MotionBox>) {
    for box in boxes {
      Self.widen(&parts.0, box.parts.0)
      Self.widen(&parts.1, box.parts.1)
      Self.widen(&parts.2, box.parts.2)
    }
  }

  /// The box around nothing.
  init() {}

  /// Covers the two windows of a position, too.
  mutating func widen(_ windows: MotionWindows, _ position: Int) {
    let order = Self.order
    windows.values.withUnsafeBufferPointer { values in
      for window in [2 * position, 2 * position + 1] {
        func part(_ first: Int) -> Part {
          var features = SIMD16<Float>.zero
          for lane in 0..<16 {
            features[lane] = Float(values[window * MotionWindows.features + order[first + lane]])
          }
          return Part(low: features, high: features)
        }
        Self.widen(&parts.0, part(0))
        Self.widen(&parts.1, part(16))
        Self.widen(&parts.2, part(32))
      }
    }
    guard !windows.unknown.isEmpty else { return }
    for place in order.indices where windows.unknown.contains(order[place]) { set(place, -1e6, 1e6) }
  }

  /// The mirror image: body parts keep their amplitudes.
  var mirrored: MotionBox {
    var mirrored = self
    mirrored.parts.0 = Part(
      low: Self.mirrored(parts.0.low, -parts.0.high), high: Self.mirrored(parts.0.high, -parts.0.low))
    // The first eight of the second sixteen are coordinates.
    mirrored.parts.1.low.lowHalf = Self.mirrored(parts.1.low, -parts.1.high).lowHalf
    mirrored.parts.1.high.lowHalf = Self.mirrored(parts.1.high, -parts.1.low).lowHalf
    return mirrored
  }

  /// Swaps the two sides of each pair, which are neighbours, and negates x.
  private static func mirrored(_ own: SIMD16<Float>, _ opposite: SIMD16<Float>) -> SIMD16<Float> {
    var mirrored = SIMD16<Float>.zero
    for x in stride(from: 0, to: 16, by: 4) {
      (mirrored[x], mirrored[x + 1]) = (opposite[x + 2], own[x + 3])
      (mirrored[x + 2], mirrored[x + 3]) = (opposite[x], own[x + 1])
    }
    return mirrored
  }

  private static func widen(_ part: inout Part, _ other: Part) {
    part.low.replace(with: other.low, where: other.low .< part.low)
    part.high.replace(with: other.high, where: other.high .> part.high)
  }

  private mutating func set(_ feature: Int, _ low: Float, _ high: Float) {
    switch feature / 16 {
    case 0: (parts.0.low[feature % 16], parts.0.high[feature % 16]) = (low, high)
    case 1: (parts.1.low[feature % 16], parts.1.high[feature % 16]) = (low, high)
    default: (parts.2.low[feature % 16], parts.2.high[feature % 16]) = (low, high)
    }
  }

  subscript(low feature: Int) -> Float {
    switch feature / 16 {
    case 0: parts.0.low[feature % 16]
    case 1: parts.1.low[feature % 16]
    default: parts.2.low[feature % 16]
    }
  }

  /// The width in each feature; 0 if the feature is unknown.
  var widths: [Float] {
    [parts.0, parts.1, parts.2].flatMap { part in
      let width = part.high - part.low
      return (0..<16).map { width[$0] < 1e6 ? width[$0] : 0 }
    }
  }

  /// The sum of the squared widths.
  var extent: Float {
    func squares(_ part: Part) -> Float {
      let width = part.high - part.low
      return (width * width).replacing(with: SIMD16<Float>.zero, where: width .>= 1e6).sum()
    }
    return squares(parts.0) + squares(parts.1) + squares(parts.2)
  }

  /// Whether all points of the two boxes are farther apart than a limit.
  ///
  /// - Parameter most: The limit, a squared distance.
  @inline(__always)
  static func areApart(_ one: MotionBox, _ other: MotionBox, _ most: Float) -> Bool {
    var sum = squares(
      one.parts.0.low.lowHalf, one.parts.0.high.lowHalf, other.parts.0.low.lowHalf, other.parts.0.high.lowHalf)
    if sum > most { return true }
    sum += squares(
      one.parts.0.low.highHalf, one.parts.0.high.highHalf, other.parts.0.low.highHalf, other.parts.0.high.highHalf)
    if sum > most { return true }
    sum += squares(one.parts.1, other.parts.1)
    return sum > most || sum + squares(one.parts.2, other.parts.2) > most
  }

  /// The squared distance of two boxes in some features.
  @inline(__always)
  private static func squares(_ one: Part, _ other: Part) -> Float {
    squares(one.low.lowHalf, one.high.lowHalf, other.low.lowHalf, other.high.lowHalf)
      + squares(one.low.highHalf, one.high.highHalf, other.low.highHalf, other.high.highHalf)
  }

  @inline(__always)
  private static func squares(
    _ low: SIMD8<Float>, _ high: SIMD8<Float>, _ otherLow: SIMD8<Float>, _ otherHigh: SIMD8<Float>
  ) -> Float {
    // At most one of the two is positive. This takes the maximum of both and 0 without comparisons, which are slow.
    let (above, below) = (low - otherHigh, otherLow - high)
    let away = positive(above) + positive(below)
    return (away * away).sum() * 0.25
  }

  /// Twice the value where it is positive, otherwise 0.
  @inline(__always)
  private static func positive(_ value: SIMD8<Float>) -> SIMD8<Float> {
    value + unsafeBitCast(unsafeBitCast(value, to: SIMD8<UInt32>.self) & 0x7fff_ffff, to: SIMD8<Float>.self)
  }
}

/// The windows of a movement, with boxes around every 4, 16, 64, … consecutive ones.
struct MotionTimeline {
  struct Span {
    var box: MotionBox
    var extent: Float
    /// The positions that it covers.
    var positions: Range<Int>
    /// The spans that it contains; empty for a single position.
    var parts: Range<Int>
  }

  private static let group = 4

  /// Single positions, then longer and longer spans, up to all positions.
  private(set) var spans: [Span]

  init(_ windows: MotionWindows) {
    spans = (0..<windows.positions).map { position in
      var box = MotionBox()
      box.widen(windows, position)
      return Span(box: box, extent: box.extent, positions: position..<position + 1, parts: 0..<0)
    }
    var level = spans.indices
    while level.count > 1 {
      for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.group) {
        let parts = first..<min(first + Self.group, level.upperBound)
        let box = MotionBox(spans[parts].lazy.map(\.box))
        let positions = spans[parts.lowerBound].positions.lowerBound..<spans[parts.upperBound - 1].positions.upperBound
        spans.append(Span(box: box, extent: box.extent, positions: positions, parts: parts))
      }
      level = level.upperBound..<spans.count
    }
  }

  /// The mirror image.
  var mirrored: MotionTimeline {
    var mirrored = self
    for span in spans.indices { mirrored.spans[span].box = spans[span].box.mirrored }
    return mirrored
  }
}
