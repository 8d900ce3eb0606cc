import RealModule

/// What windows of a movement are like: the mean of each coordinate, and how much arms, legs and trunk move at each tempo.
///
/// They bound from below how far apart two movements are. A window's mean square is the sum of those of its parts by
/// frequency (Parseval), and a part's amplitude differs between two windows by no more than the part of their difference
/// has: so the mean square distance of two windows that are laid upon each other, summed over the coordinates, is at least
/// the squared distance of their features.
struct MotionWindows {
  /// The coordinates' means, then for each part of the body its amplitudes: of so many whole periods in a window, from
  /// one on, and of what is left.
  static let features = MotionFingerprint.width + parts * tempos
  private static let parts = 3
  private static let tempos = 8

  /// Trunk, arms or legs: of a pair of joints.
  @inline(__always)
  private static func part(_ pair: Int) -> Int { pair == 0 || pair == 3 ? 0 : pair < 3 ? 1 : 2 }

  /// For each position the features of the window that begins there, and of the one that begins half a sample later.
  private(set) var values: [Double]
  private var joints: UInt16
  var positions: Int { values.count / (2 * Self.features) }

  /// - Parameter window: samples of a window, no more than there are.
  init(_ samples: MotionSamples, window: Int) {
    let count = samples.count
    joints = samples.joints
    values = [Double](repeating: 0, count: (count - window + 1) * 2 * Self.features)
    values.withUnsafeMutableBufferPointer { values in
      samples.values.withUnsafeBufferPointer { samples in
        for pair in 0..<MotionFingerprint.width / 4 {
          Self.add(pair, samples, count: count, window: window, to: values)
        }
      }
      for first in stride(from: 0, to: values.count, by: Self.features) {
        for feature in first + MotionFingerprint.width..<first + Self.features {
          values[feature] = max(0, values[feature]).squareRoot()
        }
      }
    }
  }

  /// Whether joints are missing.
  var isPartial: Bool { joints != 1 << (MotionFingerprint.width / 2) - 1 }

  /// Whether no joint is missing that a feature is of.
  func isKnown(_ feature: Int) -> Bool {
    let part = (feature - MotionFingerprint.width) / Self.tempos
    return (0..<MotionFingerprint.width / 2).allSatisfy { joint in
      joints & 1 << joint != 0
        || (feature < MotionFingerprint.width ? feature / 2 != joint : part != Self.part(joint / 2))
    }
  }

  /// As a mirror shows it: parts of the body keep their amplitudes.
  var mirrored: MotionWindows {
    var mirrored = self
    mirrored.joints = MotionFingerprint.mirrored(joints)
    mirrored.values.withUnsafeMutableBufferPointer { values in
      for first in stride(from: 0, to: values.count, by: Self.features) {
        for left in stride(from: first, to: first + MotionFingerprint.width, by: 4) {
          (values[left], values[left + 2]) = (-values[left + 2], -values[left])
          values.swapAt(left + 1, left + 3)
        }
      }
    }
    return mirrored
  }

  /// Adds a pair of joints, with mean squares in place of amplitudes.
  @inline(__always)
  private static func add(
    _ pair: Int, _ samples: UnsafeBufferPointer<Float>, count: Int, window: Int,
    to values: UnsafeMutableBufferPointer<Double>
  ) {
    let bytes = UnsafeRawBufferPointer(samples)
    @inline(__always) func value(_ sample: Int) -> SIMD4<Double> {
      let place = 4 * (sample * MotionFingerprint.width + 4 * pair)
      let value = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
      return SIMD4(Double(value[0]), Double(value[1]), Double(value[2]), Double(value[3]))
    }
    let positions = count - window + 1
    let share = 1 / Double(window)
    let part = MotionFingerprint.width + part(pair) * tempos
    let rest = part + tempos - 1
    // Sums are exact, as the samples are whole multiples of a power of two.
    var (sum, squares, products) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
    for sample in 0..<window {
      let one = value(sample)
      sum += one
      squares += one * one
      if sample + 1 < count { products += one * value(sample + 1) }
    }
    for position in 0..<positions {
      let (own, next) = (2 * position * features, (2 * position + 1) * features)
      var (between, squaresBetween) = (sum, squares)
      let (mean, ownSquares) = (sum * share, squares)
      if position + window < count {
        let (first, last) = (value(position), value(position + window))
        squares += last * last - first * first
        between = sum + (last - first) * 0.5
        squaresBetween = (ownSquares + squares + products * 2) * 0.25
        sum += last - first
        products -= first * value(position + 1)
        if position + window + 1 < count { products += last * value(position + window + 1) }
      }
      between *= share
      for lane in 0..<4 {
        values[own + 4 * pair + lane] = mean[lane]
        values[next + 4 * pair + lane] = between[lane]
      }
      values[own + rest] += (ownSquares * share - mean * mean).sum()
      values[next + rest] += (squaresBetween * share - between * between).sum()
    }
    for tempo in 1..<tempos where 2 * tempo < window {
      // The discrete Fourier transform of a window from that of the one before.
      let turn = 2 * Double.pi * Double(tempo) * share
      let (cosine, sine) = (Double.cos(turn), Double.sin(turn))
      var (real, imaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
      var (x, y) = (1.0, 0.0)
      for sample in 0..<window {
        let one = value(sample)
        real += one * x
        imaginary -= one * y
        (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
      }
      let scale = 2 * share * share
      for position in 0..<positions {
        let (own, next) = (2 * position * features, (2 * position + 1) * features)
        let energy = (real * real + imaginary * imaginary).sum() * scale
        var energyBetween = energy
        if position + window < count {
          let (oldReal, oldImaginary) = (real, imaginary)
          let changed = real + (value(position + window) - value(position))
          real = changed * cosine - imaginary * sine
          imaginary = changed * sine + imaginary * cosine
          let (sumReal, sumImaginary) = (real + oldReal, imaginary + oldImaginary)
          energyBetween = (sumReal * sumReal + sumImaginary * sumImaginary).sum() * (scale * 0.25)
        }
        values[own + part + tempo - 1] += energy
        values[next + part + tempo - 1] += energyBetween
        values[own + rest] -= energy
        values[next + rest] -= energyBetween
      }
    }
  }
}

/// The least and the greatest features of some windows.
struct MotionBox: Sendable {
  private struct Part {
    var low = SIMD16<Float>(repeating: .infinity)
    var high = SIMD16<Float>(repeating: -.infinity)
  }

  private var parts = (Part(), Part(), Part())

  /// Around all of some boxes, at least one.
  init(_ boxes: some Collection<MotionBox>) {
    for box in boxes {
      Self.widen(&parts.0, box.parts.0)
      Self.widen(&parts.1, box.parts.1)
      Self.widen(&parts.2, box.parts.2)
    }
  }

  /// Around the two windows of a position.
  init(_ windows: MotionWindows, _ position: Int) {
    windows.values.withUnsafeBufferPointer { values in
      for window in [2 * position, 2 * position + 1] {
        func part(_ first: Int) -> Part {
          var features = SIMD16<Float>.zero
          for lane in 0..<16 { features[lane] = Float(values[window * MotionWindows.features + first + lane]) }
          return Part(low: features, high: features)
        }
        Self.widen(&parts.0, part(0))
        Self.widen(&parts.1, part(16))
        Self.widen(&parts.2, part(32))
      }
    }
    // Nothing is known of missing joints.
    guard windows.isPartial else { return }
    for feature in 0..<MotionWindows.features where !windows.isKnown(feature) { set(feature, -1e6, 1e6) }
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

  /// Its width in each feature; 0 in one that is not known.
  var widths: [Float] {
    [parts.0, parts.1, parts.2].flatMap { part in
      let width = part.high - part.low
      return (0..<16).map { width[$0] < 1e6 ? width[$0] : 0 }
    }
  }

  /// The sum of the squares of its widths.
  var extent: Float {
    func squares(_ part: Part) -> Float {
      let width = part.high - part.low
      return (width * width).replacing(with: SIMD16<Float>.zero, where: width .>= 1e6).sum()
    }
    return squares(parts.0) + squares(parts.1) + squares(parts.2)
  }

  /// Whether no point of the one is so near to one of the other.
  ///
  /// - Parameter most: a squared distance.
  @inline(__always)
  static func areApart(_ one: MotionBox, _ other: MotionBox, _ most: Float) -> Bool {
    var sum = squares(one.parts.0, other.parts.0)
    if sum > most { return true }
    sum += squares(one.parts.1, other.parts.1)
    return sum > most || sum + squares(one.parts.2, other.parts.2) > most
  }

  /// The squared distance in some features.
  @inline(__always)
  private static func squares(_ one: Part, _ other: Part) -> Float {
    squares(one.low.lowHalf, one.high.lowHalf, other.low.lowHalf, other.high.lowHalf)
      + squares(one.low.highHalf, one.high.highHalf, other.low.highHalf, other.high.highHalf)
  }

  @inline(__always)
  private static func squares(
    _ low: SIMD8<Float>, _ high: SIMD8<Float>, _ otherLow: SIMD8<Float>, _ otherHigh: SIMD8<Float>
  ) -> Float {
    // Of two distances, of which at most one is positive, the greatest of both and 0: without comparisons, which are slow.
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

/// The windows of a movement with boxes around every four, sixteen and so on that follow each other.
struct MotionTimeline {
  struct Span {
    var box: MotionBox
    var extent: Float
    /// The spans that it is around; none for a single position.
    var parts: Range<Int>
  }

  private static let group = 4

  /// Single positions, then spans of more and more of them, up to all.
  private(set) var spans: [Span]

  init(_ windows: MotionWindows) {
    spans = (0..<windows.positions).map { position in
      let box = MotionBox(windows, position)
      return Span(box: box, extent: box.extent, parts: 0..<0)
    }
    var level = spans.indices
    while level.count > 1 {
      for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.group) {
        let parts = first..<min(first + Self.group, level.upperBound)
        let box = MotionBox(spans[parts].lazy.map(\.box))
        spans.append(Span(box: box, extent: box.extent, parts: parts))
      }
      level = level.upperBound..<spans.count
    }
  }
}
