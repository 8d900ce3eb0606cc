import PoseModel

/// A clip's movement in a normal form that is the same for its copies, however they were made.
///
/// Positions are relative to the middle of the hips and in trunk lengths, which removes cropping and scaling. They are
/// sampled at 15 Hz, which removes the frame rate, and smoothed over a third of a second, which removes small noise.
struct MotionFingerprint: Sendable {
  static let rate = 15.0
  /// The length of the smoothing window, in samples.
  static let smoothing = 5
  /// Values averaged per sample. Without values between the samples, a spike of one frame would be in one copy and not
  /// in another.
  private static let oversampling = 4
  /// The minimum number of samples that two clips share: half a second, smoothed from nearly one second.
  static let fewestSamples = 8
  static let fewestJoints = 8
  /// x and y of each of the twelve joints; a constant, as inner loops go by it.
  static let width = 24
  /// In trunk lengths. Positions up to eight trunk lengths fit into 16 bits; no joint is farther away.
  static let resolution: Float = 1 / 4096

  /// Sample by sample: x and y of each joint, as multiples of the resolution.
  private let values: [Int16]
  /// A bit for each joint that is present in the clip.
  let joints: UInt16
  /// Whether the frames are close enough in time. A slide show of single frames is no movement, but may be one if it is
  /// played faster.
  private let isSteady: Bool

  /// The playback speed.
  enum Speed: Hashable, Sendable { case plain, fast }

  /// `nil` for a clip that is too short or has too few joints.
  init?(_ body: BodyTrack) {
    let times = body.times
    guard let first = times.first, let last = times.last else { return nil }
    let step = (last - first) / Double(max(1, body.frameCount - 1))
    let count = Int((last - first) * Self.rate + 1e-9) + 1
    guard step < 2 * BodyTrack.longestStep, count >= Self.fewestSamples + Self.smoothing - 1 else { return nil }
    let kept = count - Self.smoothing + 1
    let window = (Self.smoothing - 1) * Self.oversampling + 1
    var samples = [Float](repeating: 0, count: kept * Self.width)
    var joints: UInt16 = 0
    for joint in BodyTrack.joints.indices {
      var known: [(time: Double, x: Float, y: Float)] = []
      known.reserveCapacity(body.frameCount)
      for frame in 0..<body.frameCount {
        let place = body[joint, frame] - body.middle(ofPair: 3, frame)
        if place.x.isFinite && place.y.isFinite { known.append((times[frame], place.x, place.y)) }
      }
      guard known.count > 1 else { continue }
      joints |= 1 << joint
      let places = Self.interpolated(known, from: first, count: (count - 1) * Self.oversampling + 1)
      for sample in 0..<kept {
        var sum = SIMD2<Float>.zero
        for offset in 0..<window { sum += places[sample * Self.oversampling + offset] }
        sum /= Float(window)
        samples[sample * Self.width + 2 * joint] = sum.x
        samples[sample * Self.width + 2 * joint + 1] = sum.y
      }
    }
    guard joints.nonzeroBitCount >= Self.fewestJoints else { return nil }
    self.init(samples: samples, joints: joints, isSteady: step < BodyTrack.longestStep)
  }

  /// - Parameters:
  ///   - samples: Sample by sample, at least one: x and y of each joint, in trunk lengths.
  ///   - joints: As the property.
  init(samples: [Float], joints: UInt16, isSteady: Bool = true) {
    values = samples.map { value in
      let multiple = (value / Self.resolution).rounded()
      return multiple.isNaN ? 0 : Int16(min(max(multiple, Float(Int16.min)), Float(Int16.max)))
    }
    self.joints = joints
    self.isSteady = isSteady
  }

  /// The number of samples; 0 if it is no movement at this speed.
  func count(_ speed: Speed) -> Int {
    let count = values.count / Self.width
    switch speed {
    case .plain: return isSteady ? count : 0
    case .fast:
      // Each fast sample is the mean of two smoothed samples that are four apart; the next one begins two samples
      // later.
      let fast = count < Self.smoothing ? 0 : (count - Self.smoothing) / 2 + 1
      return fast < Self.fewestSamples ? 0 : fast
    }
  }

  /// The bits of left and right joints swapped.
  static func mirrored(_ joints: UInt16) -> UInt16 { (joints & 0x555) << 1 | (joints & 0xAAA) >> 1 }

  func samples(_ speed: Speed) -> MotionSamples {
    let count = count(speed)
    let (step, apart) = speed == .plain ? (1, 0) : (2, Self.smoothing - 1)
    let samples = [Float](unsafeUninitializedCapacity: count * Self.width) { samples, initialized in
      let buffer = UnsafeMutableRawBufferPointer(samples)
      values.withUnsafeBytes { values in
        for sample in 0..<count {
          let (to, from) = (sample * Self.width, sample * step * Self.width)
          for column in stride(from: 0, to: Self.width, by: 8) {
            @inline(__always) func value(_ place: Int) -> SIMD8<Int32> {
              SIMD8(truncatingIfNeeded: values.loadUnaligned(fromByteOffset: 2 * place, as: SIMD8<Int16>.self))
            }
            let sum = value(from + column) &+ value(from + apart * Self.width + column)
            buffer.storeBytes(
              of: SIMD8<Float>(sum) * (Self.resolution / 2), toByteOffset: 4 * (to + column), as: SIMD8<Float>.self)
          }
        }
      }
      initialized = count * Self.width
    }
    return MotionSamples(values: samples, joints: joints)
  }

  /// Linear between known values; before the first and after the last one, their value.
  private static func interpolated(
    _ known: [(time: Double, x: Float, y: Float)], from start: Double, count: Int
  ) -> [SIMD2<Float>] {
    var next = 0
    return (0..<count).map { place in
      let time = start + Double(place) / (rate * Double(oversampling))
      while next < known.count, known[next].time < time { next += 1 }
      let (a, b) = (known[max(0, next - 1)], known[min(next, known.count - 1)])
      let (one, other) = (SIMD2(a.x, a.y), SIMD2(b.x, b.y))
      return a.time < b.time ? one + (other - one) * Float((time - a.time) / (b.time - a.time)) : one
    }
  }
}

/// A movement in the form that is compared.
struct MotionSamples: Sendable {
  /// Sample by sample: x and y of each joint, in trunk lengths; 0 for a missing joint.
  let values: [Float]
  /// A bit for each present joint.
  let joints: UInt16

  private static let width = MotionFingerprint.width
  var count: Int { values.count / Self.width }

  /// The number of samples that two movements of these lengths must share: half of the shorter one.
  static func need(_ count: Int, _ other: Int) -> Int {
    max(MotionFingerprint.fewestSamples, (min(count, other) + 1) / 2)
  }

  /// The movement with these joints only.
  func of(_ kept: UInt16) -> MotionSamples {
    guard joints & ~kept != 0 else { return self }
    var values = values
    for place in values.indices where kept & 1 << (place % Self.width / 2) == 0 { values[place] = 0 }
    return MotionSamples(values: values, joints: joints & kept)
  }

  /// The first samples, at most.
  func first(_ most: Int) -> MotionSamples {
    MotionSamples(values: Array(values.prefix(most * Self.width)), joints: joints)
  }

  /// The last samples, at most, from the end to the start.
  func reversed(_ most: Int) -> MotionSamples {
    let kept = min(count, most)
    let reversed = [Float](unsafeUninitializedCapacity: kept * Self.width) { buffer, initialized in
      for sample in 0..<kept {
        let (to, from) = (sample * Self.width, (count - 1 - sample) * Self.width)
        for column in 0..<Self.width { buffer[to + column] = values[from + column] }
      }
      initialized = kept * Self.width
    }
    return MotionSamples(values: reversed, joints: joints)
  }

  /// The mirror image: left and right joints are swapped.
  var mirrored: MotionSamples {
    let mirrored = [Float](unsafeUninitializedCapacity: values.count) { buffer, initialized in
      for place in stride(from: 0, to: values.count, by: 4) {
        // The sides of a pair are neighbours.
        (buffer[place], buffer[place + 1]) = (-values[place + 2], values[place + 3])
        (buffer[place + 2], buffer[place + 3]) = (-values[place], values[place + 1])
      }
      initialized = values.count
    }
    return MotionSamples(values: mirrored, joints: MotionFingerprint.mirrored(joints))
  }

  /// The sum of the coordinates' variances.
  var variance: Float {
    (0..<Self.width).reduce(0) { total, column in
      var (sum, squares) = (0.0, 0.0)
      for place in Swift.stride(from: column, to: values.count, by: Self.width) {
        sum += Double(values[place])
        squares += Double(values[place]) * Double(values[place])
      }
      return total + Float(max(0, squares - sum * sum / Double(count)) / Double(count))
    }
  }
}

/// The distance of two movements at their best alignment.
struct MotionMatch: Sendable {
  /// Root mean square distance of the joints' coordinates, in trunk lengths.
  var distance: Double
  /// How many seconds later the other one begins.
  var shift: Double
  /// The length of the overlap, in seconds.
  var overlap: Double
}

/// Two movements to be aligned.
struct MotionPair {
  private let one: MotionSamples
  private let other: MotionSamples
  /// The number of coordinates compared per sample.
  private let width: Int
  /// The limit for the sum of squares per sample.
  private let most: Float
  private let share: Float

  /// How two movements are laid over each other.
  struct Alignment {
    /// How many samples later the other one begins.
    var shift: Int
    /// Whether it begins half a sample earlier than that, as a cut may lie between two samples.
    var isHalf: Bool

    /// The samples of the first that the other one shares; `nil` if they are less than half of the shorter one.
    ///
    /// - Parameters:
    ///   - count: The first one's samples.
    ///   - other: The other one's.
    @inline(__always)
    func shared(_ count: Int, _ other: Int) -> Range<Int>? {
      let first = max(0, shift)
      let end = max(first, min(count, other - (isHalf ? 1 : 0) + shift))
      return end - first >= MotionSamples.need(count, other) ? first..<end : nil
    }
  }

  private static let stride = MotionFingerprint.width

  /// `nil` if they have too few common joints. A joint that one of the two lacks is left out of both.
  ///
  /// - Parameters:
  ///   - limit: The root mean square distance, in trunk lengths.
  ///   - share: The limit as a share of the movement's own variation.
  init?(_ one: MotionSamples, _ other: MotionSamples, distance limit: Float, share: Float) {
    let both = one.joints & other.joints
    guard both.nonzeroBitCount >= MotionFingerprint.fewestJoints else { return nil }
    (self.one, self.other, self.share) = (one.of(both), other.of(both), share)
    width = 2 * both.nonzeroBitCount
    most = limit * limit * Float(width)
  }

  /// The closest match of some alignments.
  func best(of alignments: [Alignment]) -> MotionMatch? {
    alignments.compactMap(match).min { ($0.distance, $0.shift) < ($1.distance, $1.shift) }
  }

  /// The distance; `nil` beyond a limit, or if they share less than half of the shorter one.
  private func match(_ alignment: Alignment) -> MotionMatch? {
    guard let shared = alignment.shared(one.count, other.count) else { return nil }
    let (shift, isHalf) = (alignment.shift, alignment.isHalf)
    let most = most * Float(shared.count)
    let sum = one.values.withUnsafeBufferPointer { one in
      other.values.withUnsafeBufferPointer { other in
        squares(one, other, shared, shift, isHalf ? Self.stride : 0, most: most)
      }
    }
    guard sum <= most else { return nil }
    let terms = Float(shared.count * width)
    let movement = (one.values.withUnsafeBufferPointer { variation($0, shared) } / terms).squareRoot()
    let distance = (sum / terms).squareRoot()
    guard movement > 0, distance < share * movement else { return nil }
    let rate = MotionFingerprint.rate
    return MotionMatch(
      distance: Double(distance), shift: (Double(shift) - (isHalf ? 0.5 : 0)) / rate,
      overlap: Double(shared.count + MotionFingerprint.smoothing - 1) / rate)
  }

  /// The squared distance, or any value above `most`.
  private func squares(
    _ one: Samples, _ other: Samples, _ shared: Range<Int>, _ shift: Int, _ next: Int, most: Float
  ) -> Float {
    var sum: Float = 0
    // Neighbouring samples are alike: taking samples far apart first exceeds the limit sooner, and the rest only adds.
    for first in shared.prefix(Self.strides) {
      var parts = SIMD8<Float>.zero
      for sample in Swift.stride(from: first, to: shared.upperBound, by: Self.strides) {
        let (i, j) = (sample * Self.stride, (sample - shift) * Self.stride)
        @inline(__always) func part(_ column: Int) -> SIMD8<Float> {
          let difference = load(one, i + column) - (load(other, j + column) + load(other, j + next + column)) / 2
          return difference * difference
        }
        parts += part(0) + part(8) + part(16)
      }
      sum += parts.sum()
      guard sum <= most else { break }
    }
    return sum
  }

  private static let strides = 32

  /// The squared distance of the coordinates from their means.
  private func variation(_ samples: Samples, _ range: Range<Int>) -> Float {
    func part(_ column: Int) -> SIMD8<Float> {
      var (sum, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for sample in range {
        let value = load(samples, sample * Self.stride + column)
        sum += value
        squares += value * value
      }
      return pointwiseMax(squares - sum * sum / Float(range.count), .zero)
    }
    return (part(0) + part(8) + part(16)).sum()
  }
}

private typealias Samples = UnsafeBufferPointer<Float>

/// Eight values, starting at an index.
@inline(__always)
private func load(_ samples: Samples, _ place: Int) -> SIMD8<Float> {
  UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
}
