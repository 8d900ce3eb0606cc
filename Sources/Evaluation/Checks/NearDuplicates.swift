import Datasets
import PoseModel

/// The same recording twice under two subjects or in two splits: what was tuned on the one is judged on the other, and one
/// person counts as two.
///
/// Clips of one subject within one split are not compared: a person's reps are alike, and whoever resamples by subject
/// knows.
struct NearDuplicates: DatasetCheck {
  let name = "near-duplicates"
  let title = "the same recording under two subjects or in two splits"
  let threshold = """
    over at least half of the shorter clip, coordinates within 0.05 trunk lengths (root mean square) and 0.4 of how much the \
    movement varies, once the hips' middle, the trunk's length, the frame rate and the start are made the same and both are \
    smoothed over a third of a second; also of what a mirror shows, and played twice or half as fast
    """
  let remedy = "leave one of the two out, or give both the same subject and split"

  private static let distance: Float = 0.05
  private static let share: Float = 0.4

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let members = dataset.members.filter { $0.fingerprint != nil }
    var found: [Finding] = []
    for (index, one) in members.enumerated() {
      let ways = Self.ways(one)
      for other in members[..<index] {
        let isLeak = one.info.split != other.info.split
        guard isLeak || one.info.subject != other.info.subject || one.info.subject.isEmpty,
          let best = Self.best(ways, of: other)
        else { continue }
        found.append(finding(one, other, best.way, best.match, isLeak: isLeak))
      }
    }
    return found
  }

  /// A way in which a recording may be copied, and how the copy looks.
  private struct Way {
    let words: String?
    /// By how much the copy is faster than the other; below 1 the other is looked at as played faster.
    let speed: Double
    let fingerprint: MotionFingerprint
  }

  private static func ways(_ one: CheckedDataset.Member) -> [Way] {
    guard let plain = one.fingerprint else { return [] }
    var ways = [
      Way(words: nil, speed: 1, fingerprint: plain), Way(words: "mirrored", speed: 1, fingerprint: plain.mirrored),
      Way(words: "twice as fast", speed: 2, fingerprint: plain),
    ]
    if let fast = one.fastFingerprint { ways.append(Way(words: "half as fast", speed: 0.5, fingerprint: fast)) }
    return ways
  }

  private static func best(
    _ ways: [Way], of other: CheckedDataset.Member
  ) -> (way: Way, match: MotionFingerprint.Match)? {
    var best: (way: Way, match: MotionFingerprint.Match)?
    for way in ways {
      guard let theirs = way.speed > 1 ? other.fastFingerprint : other.fingerprint,
        let match = theirs.match(way.fingerprint, distance: distance, share: share)
      else { continue }
      if match.distance < best?.match.distance ?? .infinity { best = (way, match) }
    }
    return best
  }

  private func finding(
    _ one: CheckedDataset.Member, _ other: CheckedDataset.Member, _ way: Way, _ match: MotionFingerprint.Match,
    isLeak: Bool
  ) -> Finding {
    // Times of the match are those of whichever was looked at as played faster.
    let (own, theirs) = (way.speed < 1 ? 2.0 : 1, way.speed > 1 ? 2.0 : 1)
    let start = max(0, -match.shift) * own
    var words = ["is \(other.info.name)"] + (way.words.map { [$0] } ?? [])
    if abs(match.shift) > 1 / MotionFingerprint.rate {
      words[words.count - 1] += " from \((max(0, match.shift) * theirs).rounded(toDecimals: 1)) s"
    }
    if isLeak { words.append("of split \(Self.named(one.info.split)) and \(Self.named(other.info.split))") }
    if one.info.subject != other.info.subject {
      words.append("of subject \(Self.named(one.info.subject)) and \(Self.named(other.info.subject))")
    }
    return finding(
      isLeak ? .problem : .warning, in: one.info.name, from: start, to: start + match.overlap * own,
      weight: 1 / (match.distance + 1e-3),
      words.joined(separator: ", ") + ": \(match.distance.rounded(toDecimals: 3)) trunk lengths apart")
  }

  private static func named(_ text: String) -> String { text.isEmpty ? "unknown" : text }
}

/// A clip's movement in a form in which copies of it look alike, however they were made.
///
/// Places are relative to the middle of the hips and in lengths of the trunk, so that cropping and scaling change nothing;
/// at 15 samples a second whatever the frame rate was; and smoothed over a third of a second, which takes small noise away.
struct MotionFingerprint: Sendable {
  static let rate = 15.0
  /// Samples that are smoothed together, from a first to a last one.
  static let smoothing = 5
  /// Values kept for each sample: what is between two samples counts too, as a spike of one frame would
  /// otherwise be in one copy and not in another.
  private static let oversampling = 4
  /// Samples that two clips must share at least: half a second, smoothed from nearly one.
  static let fewestSamples = 8
  static let fewestJoints = 8

  /// A sample after the other: x and y of each joint.
  let samples: [Float]
  /// For every `group` samples that follow each other, and the one after them: their least values, then their greatest.
  let boxes: [Float]
  /// The same of all samples.
  let box: [Float]
  /// A bit for each joint that is there at all.
  let joints: UInt16

  static let width = 2 * BodyTrack.joints.count
  static let group = 8
  var count: Int { samples.count / Self.width }

  /// `nil` for a clip that is too short or shows too little.
  ///
  /// - Parameter speed: by how much faster it is played.
  init?(_ body: BodyTrack, speed: Double = 1) {
    let times = body.times.map { $0 / speed }
    guard let first = times.first, let last = times.last,
      // A slide show of single frames is no movement.
      (last - first) / Double(max(1, body.frameCount - 1)) < BodyTrack.longestStep
    else { return nil }
    var columns: [[(time: Double, value: Float)]] = []
    for joint in BodyTrack.joints.indices {
      var (x, y): ([(time: Double, value: Float)], [(time: Double, value: Float)]) = ([], [])
      for frame in 0..<body.frameCount {
        let place = body[joint, frame] - body.middle(ofPair: 3, frame)
        guard place.x.isFinite else { continue }
        x.append((times[frame], place.x))
        y.append((times[frame], place.y))
      }
      columns += [x, y]
    }
    var joints: UInt16 = 0
    for joint in BodyTrack.joints.indices where columns[2 * joint].count > 1 { joints |= 1 << joint }
    guard joints.nonzeroBitCount >= Self.fewestJoints else { return nil }
    let count = Int((last - first) * Self.rate + 1e-9) + 1
    guard count >= Self.fewestSamples + Self.smoothing - 1 else { return nil }
    let kept = count - Self.smoothing + 1
    let window = (Self.smoothing - 1) * Self.oversampling + 1
    var samples = [Float](repeating: 0, count: kept * Self.width)
    for column in 0..<Self.width {
      let values = Self.interpolated(columns[column], from: first, count: (count - 1) * Self.oversampling + 1)
      for sample in 0..<kept {
        var sum: Float = 0
        for offset in 0..<window { sum += values[sample * Self.oversampling + offset] }
        samples[sample * Self.width + column] = sum / Float(window)
      }
    }
    self.init(samples: samples, joints: joints)
  }

  private init(samples: [Float], joints: UInt16) {
    self.samples = samples
    self.joints = joints
    let count = samples.count / Self.width
    var boxes: [Float] = []
    for start in stride(from: 0, through: count - Self.group, by: Self.group) {
      boxes += Self.box(samples, start...min(start + Self.group, count - 1))
    }
    self.boxes = boxes
    box = Self.box(samples, 0...max(0, count - 1))
  }

  /// As a mirror shows it: left is right, and the estimator takes it for that.
  var mirrored: MotionFingerprint {
    var mirrored = samples
    for place in samples.indices {
      let (sample, column) = (place / Self.width, place % Self.width)
      let other = sample * Self.width + 2 * (column / 2 ^ 1) + column % 2
      mirrored[other] = column % 2 == 0 ? -samples[place] : samples[place]
    }
    // The sides of a pair are neighbours.
    return MotionFingerprint(samples: mirrored, joints: (joints & 0x555) << 1 | (joints & 0xAAA) >> 1)
  }

  /// The least, then the greatest value of each column.
  private static func box(_ samples: [Float], _ range: ClosedRange<Int>) -> [Float] {
    var box = Array(samples[range.lowerBound * width..<(range.lowerBound + 1) * width])
    box += box
    for sample in range.dropFirst() {
      for column in 0..<width {
        let value = samples[sample * width + column]
        box[column] = min(box[column], value)
        box[width + column] = max(box[width + column], value)
      }
    }
    return box
  }

  /// Straight lines between what is known, and the nearest known value before and after.
  private static func interpolated(_ known: [(time: Double, value: Float)], from start: Double, count: Int) -> [Float] {
    guard let first = known.first, let last = known.last else { return [Float](repeating: 0, count: count) }
    var next = 0
    return (0..<count).map { place in
      let time = start + Double(place) / (rate * Double(oversampling))
      while next < known.count, known[next].time < time { next += 1 }
      guard next > 0 else { return first.value }
      guard next < known.count else { return last.value }
      let (a, b) = (known[next - 1], known[next])
      return a.value + (b.value - a.value) * Float((time - a.time) / (b.time - a.time))
    }
  }
}

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
