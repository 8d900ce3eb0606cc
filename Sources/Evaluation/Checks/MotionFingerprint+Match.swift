extension MotionFingerprint {
  /// How near two movements come to each other where they fit best.
  struct Match {
    /// Root mean square distance of the joints' coordinates, in trunk lengths.
    var distance: Double
    /// By how many seconds the other one begins later.
    var shift: Double
    /// Seconds that both have.
    var overlap: Double
  }

  /// The best match over at least half of the shorter clip; `nil` where none is nearer than both limits.
  ///
  /// Shifts are looked through by halves of a sample, as a copy's first frame may have been cut off in between. Most need
  /// no look: where a few samples of the one are further from the box around eight of the other than the limit allows for,
  /// eight shifts are out at once, and where those in the middle are far from the box around all of the other, all are.
  ///
  /// - Parameters:
  ///   - limit: root mean square distance, in trunk lengths.
  ///   - share: the same as a share of how much the movement itself varies.
  func match(_ other: MotionFingerprint, distance limit: Float, share: Float) -> Match? {
    let both = joints & other.joints
    guard both.nonzeroBitCount >= Self.fewestJoints else { return nil }
    let need = max(Self.fewestSamples, (min(count, other.count) + 1) / 2)
    guard count >= need, other.count >= need else { return nil }
    // A joint that one of the two lacks is left out of both.
    let search = Search(
      isUsed: JointMask(both), most: limit * limit * Float(2 * both.nonzeroBitCount), limit: limit, share: share,
      need: need)
    return samples.withUnsafeBufferPointer { mine in
      other.samples.withUnsafeBufferPointer { theirs in
        other.boxes.withUnsafeBufferPointer { boxes in
          let isNear =
            count <= other.count
            ? other.box.withUnsafeBufferPointer { search.middle(mine, isNear: $0) }
            : box.withUnsafeBufferPointer { search.middle(theirs, isNear: $0) }
          return isNear ? search.best(mine, theirs, boxes) : nil
        }
      }
    }
  }
}

/// 1 for a coordinate that is compared, 0 for another.
private struct JointMask {
  private(set) var parts = (SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 1))

  init(_ joints: UInt16) {
    for column in 0..<MotionFingerprint.width where joints & 1 << (column / 2) == 0 {
      switch column / 8 {
      case 0: parts.0[column % 8] = 0
      case 1: parts.1[column % 8] = 0
      default: parts.2[column % 8] = 0
      }
    }
  }
}

private typealias Samples = UnsafeBufferPointer<Float>

/// One movement looked for in another.
private struct Search {
  let isUsed: JointMask
  /// The limit as a sum of squares over a sample.
  let most: Float
  let limit: Float
  let share: Float
  /// Samples that both must have.
  let need: Int

  private static let width = MotionFingerprint.width
  private static let group = MotionFingerprint.group
  /// Samples that are held against boxes.
  private static let looked = 8

  /// What so many samples may be away together from where they would be in a copy: noise is not spread evenly.
  private func allowance(_ count: Int) -> Float { most * (1.5 * Float(count) + 3) }

  /// Whether one of the two middle quarters of a clip comes near to the box around another. Whatever half of a clip is
  /// found in the other, one of them is in it.
  func middle(_ samples: Samples, isNear box: Samples) -> Bool {
    let count = samples.count / Self.width
    return isNear(samples, count / 4, count / 2, box) || isNear(samples, count / 2, count * 3 / 4, box)
  }

  private func isNear(_ samples: Samples, _ low: Int, _ high: Int, _ box: Samples) -> Bool {
    let step = max(1, (high - low) / Self.looked)
    let allowance = allowance((high - low - 1) / step + 1)
    var sum: Float = 0
    var sample = low
    while sample < high, sum <= allowance {
      sum += away(samples, sample * Self.width, box, 0)
      sample += step
    }
    return sum <= allowance
  }

  func best(_ mine: Samples, _ theirs: Samples, _ boxes: Samples) -> MotionFingerprint.Match? {
    let (count, others) = (mine.count / Self.width, theirs.count / Self.width)
    let (first, last) = (need - others, count - need)
    var found: MotionFingerprint.Match?
    var least = limit * limit
    // Shifts by 8 q + 1 to 8 q + 8 put each eighth sample of mine into one box of theirs.
    var q = (first - 1) >> 3
    while q * Self.group + 1 <= last {
      if mayMatch(mine, boxes, q) {
        let low = max(first, q * Self.group + 1)
        var shift = low
        while shift <= min(last, q * Self.group + Self.group) {
          take(mine, theirs, shift: shift, next: 0, &least, &found)
          if shift > first { take(mine, theirs, shift: shift, next: Self.width, &least, &found) }
          shift += 1
        }
      }
      q += 1
    }
    return found
  }

  private func mayMatch(_ mine: Samples, _ boxes: Samples, _ q: Int) -> Bool {
    let count = mine.count / Self.width
    let low = max(0, q + 1)
    let high = min((count - 1) / Self.group, q + boxes.count / (2 * Self.width))
    guard low <= high else { return true }
    let step = max(1, (high - low + 1) / Self.looked)
    let allowance = allowance((high - low) / step + 1)
    var sum: Float = 0
    var place = low
    while place <= high {
      sum += away(mine, place * Self.group * Self.width, boxes, (place - q - 1) * 2 * Self.width)
      if sum > allowance { return false }
      place += step
    }
    return true
  }

  /// The squared distance of a sample from a box.
  @inline(__always)
  private func away(_ samples: Samples, _ sample: Int, _ boxes: Samples, _ box: Int) -> Float {
    @inline(__always) func part(_ column: Int) -> SIMD8<Float> {
      let value = Self.load(samples, sample + column)
      let (low, high) = (Self.load(boxes, box + column), Self.load(boxes, box + Self.width + column))
      let away = (value - high).replacing(with: low - value, where: value .< low)
      return (away * away).replacing(with: SIMD8<Float>.zero, where: away .< SIMD8<Float>.zero)
    }
    return (part(0) * isUsed.parts.0 + part(8) * isUsed.parts.1 + part(16) * isUsed.parts.2).sum()
  }

  /// Takes a shift where it fits better than what was found so far.
  ///
  /// - Parameter next: 0, or the width of a sample where theirs are taken halfway to the next one.
  private func take(
    _ mine: Samples, _ theirs: Samples, shift: Int, next: Int, _ least: inout Float,
    _ found: inout MotionFingerprint.Match?
  ) {
    let (count, others) = (mine.count / Self.width, theirs.count / Self.width - (next > 0 ? 1 : 0))
    let (low, high) = (max(0, shift), min(count, others + shift))
    guard high - low >= need else { return }
    let terms = Float(high - low) * most / (limit * limit)
    let most = least * terms
    var sum: Float = 0
    var sample = low
    // Once the sum is beyond what may be, the rest can only add to it.
    while sample < high, sum <= most {
      let (i, j) = (sample * Self.width, (sample - shift) * Self.width)
      func part(_ column: Int) -> SIMD8<Float> {
        let other = (Self.load(theirs, j + column) + Self.load(theirs, j + next + column)) / 2
        let difference = Self.load(mine, i + column) - other
        return difference * difference
      }
      sum += (part(0) * isUsed.parts.0 + part(8) * isUsed.parts.1 + part(16) * isUsed.parts.2).sum()
      sample += 1
    }
    guard sum <= most else { return }
    let distance = (sum / terms).squareRoot()
    let movement = movement(mine, low..<high, terms: terms)
    guard movement > 0, distance < share * movement else { return }
    least = sum / terms
    let rate = MotionFingerprint.rate
    found = MotionFingerprint.Match(
      distance: Double(distance), shift: (Double(shift) - (next > 0 ? 0.5 : 0)) / rate,
      overlap: Double(high - low + MotionFingerprint.smoothing - 1) / rate)
  }

  /// The standard deviation of the coordinates about their means.
  private func movement(_ samples: Samples, _ range: Range<Int>, terms: Float) -> Float {
    func part(_ column: Int) -> SIMD8<Float> {
      var (sum, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for sample in range {
        let value = Self.load(samples, sample * Self.width + column)
        sum += value
        squares += value * value
      }
      return pointwiseMax(squares - sum * sum / Float(range.count), .zero)
    }
    return ((part(0) * isUsed.parts.0 + part(8) * isUsed.parts.1 + part(16) * isUsed.parts.2).sum() / terms)
      .squareRoot()
  }

  @inline(__always)
  private static func load(_ samples: Samples, _ place: Int) -> SIMD8<Float> {
    UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
  }
}
