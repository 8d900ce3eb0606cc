import Datasets
import Dispatch
import PoseModel
import Synchronization

/// Finds the same recording under two subjects or in two splits: parameters tuned on one copy are judged on the other,
/// and one person counts as two.
///
/// Clips of one subject in one split are not compared: a person's reps look alike, and resampling by subject allows for
/// that.
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
    let search = CopySearch(
      members.map { member in
        CopySearch.Movement(
          plain: member.fingerprint, fast: member.fastFingerprint, subject: member.info.subject,
          split: member.info.split)
      }, distance: Self.distance, share: Self.share)
    return search.copies().map { finding(members[$0.one], members[$0.other], $0.way, $0.match) }
  }

  private func finding(
    _ one: CheckedDataset.Member, _ other: CheckedDataset.Member, _ way: CopySearch.Way,
    _ match: MotionFingerprint.Match
  ) -> Finding {
    let isLeak = one.info.split != other.info.split
    // Times of the match are those of whichever was looked at as played faster.
    let (own, theirs) = (way == .halfAsFast ? 2.0 : 1, way == .twiceAsFast ? 2.0 : 1)
    let start = max(0, -match.shift) * own
    var words = ["is \(other.info.name)"] + (way == .same ? [] : [way.rawValue])
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

/// Looks in many movements for copies of each other.
struct CopySearch: Sendable {
  /// How the later of two may be made of the earlier one.
  enum Way: String, CaseIterable, Sendable {
    case same
    case mirrored
    case twiceAsFast = "twice as fast"
    case halfAsFast = "half as fast"
  }

  /// One that is a copy of an earlier one, by their positions, in the way that fits best.
  struct Copy: Sendable {
    var one: Int
    var other: Int
    var way: Way
    var match: MotionFingerprint.Match
  }

  struct Movement: Sendable {
    var plain: MotionFingerprint?
    /// As if it were played twice as fast.
    var fast: MotionFingerprint?
    var subject: String
    var split: String
  }

  private let plain: [MotionFingerprint?]
  private let fast: [MotionFingerprint?]
  /// A number for each subject within a split, whose movements are not compared with each other.
  private let people: [Int]
  private let distance: Float
  private let share: Float
  /// Those of the plain and of the fast movements.
  private let outlines: (plain: MotionOutlines, fast: MotionOutlines)

  /// - Parameters:
  ///   - distance: root mean square distance, in trunk lengths.
  ///   - share: the same as a share of how much the movement itself varies.
  init(_ movements: [Movement], distance: Float, share: Float) {
    plain = movements.map(\.plain)
    fast = movements.map(\.fast)
    self.distance = distance
    self.share = share
    outlines = (MotionOutlines(plain), MotionOutlines(fast))
    var numbers: [[String]: Int] = [:]
    people = movements.enumerated().map { index, movement in
      // Nobody knows whether those without a subject are of one.
      let key = [movement.subject, movement.split, movement.subject.isEmpty ? "\(index)" : ""]
      let number = numbers[key, default: numbers.count]
      numbers[key] = number
      return number
    }
  }

  /// The copies, by the later and then by the earlier one: the same with any number of threads.
  func copies() -> [Copy] {
    let found = Mutex<[Copy]>([])
    // Later ones have more before them, and come first so that no thread is left with them.
    DispatchQueue.concurrentPerform(iterations: plain.count) { iteration in
      let own = copies(of: plain.count - 1 - iteration)
      if !own.isEmpty { found.withLock { $0 += own } }
    }
    return found.withLock { $0 }.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
  }

  /// The earlier ones that one is a copy of.
  private func copies(of one: Int) -> [Copy] {
    var best: [Int: Copy] = [:]
    let ways: [(way: Way, fingerprint: MotionFingerprint?, others: MotionOutlines)] = [
      (.same, plain[one], outlines.plain), (.mirrored, plain[one]?.mirrored, outlines.plain),
      (.twiceAsFast, plain[one], outlines.fast), (.halfAsFast, fast[one], outlines.plain),
    ]
    for (way, fingerprint, others) in ways {
      guard let fingerprint else { continue }
      others.visit(near: fingerprint, before: one, distance: distance) { other in
        guard people[one] != people[other],
          let match = (way == .twiceAsFast ? fast[other] : plain[other])?
            .match(fingerprint, distance: distance, share: share),
          match.distance < best[other]?.match.distance ?? .infinity
        else { return }
        best[other] = Copy(one: one, other: other, way: way, match: match)
      }
    }
    return Array(best.values)
  }
}

/// What decides for most pairs of movements at a glance that neither is a copy of the other, side by side in memory.
///
/// Whatever half of a clip is found in another, one of its middle quarters is in it: where samples of both are far from the
/// box around all of the other, it is no copy.
struct MotionOutlines: Sendable {
  /// A movement after the other: its box, and its samples.
  private var values: [Float] = []
  private var kinds: [(count: Int, joints: UInt16, samples: (Int, Int))] = []

  /// Samples of a quarter.
  private static let looked = 8
  private static let width = MotionFingerprint.width
  private static let size = (2 + 2 * looked) * width

  init(_ movements: [MotionFingerprint?]) {
    values.reserveCapacity(movements.count * Self.size)
    for movement in movements {
      let start = values.count
      var samples = (0, 0)
      if let movement {
        values += movement.box
        let count = movement.count
        samples.0 = append(movement, count / 4..<count / 2)
        values += [Float](repeating: 0, count: (Self.looked - samples.0) * Self.width)
        samples.1 = append(movement, count / 2..<count * 3 / 4)
      }
      values += [Float](repeating: 0, count: start + Self.size - values.count)
      kinds.append((movement?.count ?? 0, movement?.joints ?? 0, samples))
    }
  }

  /// - Returns: how many.
  private mutating func append(_ movement: MotionFingerprint, _ quarter: Range<Int>) -> Int {
    let count = min(Self.looked, quarter.count)
    for sample in 0..<count {
      let place = (quarter.lowerBound + sample * quarter.count / count) * Self.width
      values += movement.samples[place..<place + Self.width]
    }
    return count
  }

  /// Visits all before an end that may be a copy of a movement, or it of them.
  func visit(near movement: MotionFingerprint, before end: Int, distance: Float, _ visit: (Int) -> Void) {
    let own = MotionOutlines([movement])
    let all = JointMask(.max)
    own.values.withUnsafeBufferPointer { mine in
      values.withUnsafeBufferPointer { theirs in
        kinds.withUnsafeBufferPointer { kinds in
          for other in 0..<end {
            let kind = kinds[other]
            let both = kind.joints & movement.joints
            guard both.nonzeroBitCount >= MotionFingerprint.fewestJoints else { continue }
            let mask = both == MotionFingerprint.allJoints ? all : JointMask(both)
            let most = distance * distance * Float(2 * both.nonzeroBitCount)
            let place = other * Self.size
            let isNear =
              kind.count <= movement.count
              ? Self.isNear(theirs, place, kind.samples, mine, 0, mask, most)
              : Self.isNear(mine, 0, own.kinds[0].samples, theirs, place, mask, most)
            if isNear { visit(other) }
          }
        }
      }
    }
  }

  /// Whether the samples of one of the quarters are near to a box.
  @inline(__always)
  private static func isNear(
    _ one: Samples, _ place: Int, _ samples: (Int, Int), _ other: Samples, _ box: Int, _ mask: JointMask, _ most: Float
  ) -> Bool {
    isNear(one, place + 2 * width, samples.0, other, box, mask, most)
      || isNear(one, place + (2 + looked) * width, samples.1, other, box, mask, most)
  }

  @inline(__always)
  private static func isNear(
    _ one: Samples, _ first: Int, _ count: Int, _ other: Samples, _ box: Int, _ mask: JointMask, _ most: Float
  ) -> Bool {
    let allowance = mask.allowance(count, most)
    var sum: Float = 0
    var sample = 0
    while sample < count, sum <= allowance {
      sum += mask.away(one, first + sample * width, other, box)
      sample += 1
    }
    return sum <= allowance
  }
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
  /// The same for every `largeGroup` samples.
  let largeBoxes: [Float]
  /// The same of all samples.
  let box: [Float]
  /// A bit for each joint that is there at all.
  let joints: UInt16

  static let width = 2 * BodyTrack.joints.count
  static let group = 8
  static let largeGroup = 64
  static let allJoints: UInt16 = 1 << BodyTrack.joints.count - 1
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

  /// - Parameters:
  ///   - samples: as `samples`, at least one.
  ///   - joints: as `joints`.
  init(samples: [Float], joints: UInt16) {
    self.samples = samples
    self.joints = joints
    boxes = Self.boxes(samples, Self.group)
    largeBoxes = Self.boxes(samples, Self.largeGroup)
    box = Self.box(samples, 0...samples.count / Self.width - 1)
  }

  private static func boxes(_ samples: [Float], _ group: Int) -> [Float] {
    let count = samples.count / width
    return stride(from: 0, through: count - group, by: group).flatMap { start in
      box(samples, start...min(start + group, count - 1))
    }
  }

  /// Samples that two movements of so many must share: half of the shorter one.
  static func need(_ count: Int, _ other: Int) -> Int { max(fewestSamples, (min(count, other) + 1) / 2) }

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
  /// no look: where a few samples of the one are further from the boxes around 64 of the other, or around eight, than the
  /// limit allows for, as many shifts are out at once.
  ///
  /// - Parameters:
  ///   - limit: root mean square distance, in trunk lengths.
  ///   - share: the same as a share of how much the movement itself varies.
  func match(_ other: MotionFingerprint, distance limit: Float, share: Float) -> Match? {
    let both = joints & other.joints
    guard both.nonzeroBitCount >= Self.fewestJoints else { return nil }
    let need = Self.need(count, other.count)
    guard count >= need, other.count >= need else { return nil }
    // A joint that one of the two lacks is left out of both.
    let search = Search(
      isUsed: JointMask(both), most: limit * limit * Float(2 * both.nonzeroBitCount), limit: limit, share: share,
      need: need)
    return samples.withUnsafeBufferPointer { mine in
      other.samples.withUnsafeBufferPointer { theirs in
        other.boxes.withUnsafeBufferPointer { boxes in
          other.largeBoxes.withUnsafeBufferPointer { search.best(mine, theirs, boxes, $0) }
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

  /// What so many samples may be away together from where they would be in a copy: noise is not spread evenly.
  ///
  /// - Parameter most: the limit as a sum of squares over a sample.
  func allowance(_ count: Int, _ most: Float) -> Float { most * (1.5 * Float(count) + 3) }

  /// The squared distance of a sample from a box.
  @inline(__always)
  func away(_ samples: Samples, _ sample: Int, _ boxes: Samples, _ box: Int) -> Float {
    @inline(__always) func part(_ column: Int) -> SIMD8<Float> {
      let value = load(samples, sample + column)
      let (low, high) = (load(boxes, box + column), load(boxes, box + MotionFingerprint.width + column))
      let away = (value - high).replacing(with: low - value, where: value .< low)
      return (away * away).replacing(with: SIMD8<Float>.zero, where: away .< SIMD8<Float>.zero)
    }
    return (part(0) * parts.0 + part(8) * parts.1 + part(16) * parts.2).sum()
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
  /// Samples that are compared with boxes.
  private static let looked = 8

  func best(
    _ mine: Samples, _ theirs: Samples, _ boxes: Samples, _ largeBoxes: Samples
  ) -> MotionFingerprint.Match? {
    let (count, others) = (mine.count / Self.width, theirs.count / Self.width)
    let (first, last) = (need - others, count - need)
    var found: MotionFingerprint.Match?
    var least = limit * limit
    // Shifts by 64 q + 1 to 64 q + 64 put each 64th sample of mine into one box of theirs; likewise by eight.
    forEachGroup(of: MotionFingerprint.largeGroup, in: first...last, mine, largeBoxes) { large in
      forEachGroup(of: MotionFingerprint.group, in: large, mine, boxes) { shifts in
        for shift in shifts {
          take(mine, theirs, shift: shift, next: 0, &least, &found)
          if shift > first { take(mine, theirs, shift: shift, next: Self.width, &least, &found) }
        }
      }
    }
    return found
  }

  /// Those of the shifts in groups that may match.
  @inline(__always)
  private func forEachGroup(
    of group: Int, in shifts: ClosedRange<Int>, _ mine: Samples, _ boxes: Samples, _ body: (ClosedRange<Int>) -> Void
  ) {
    var low = shifts.lowerBound
    while low <= shifts.upperBound {
      let q = Int((Double(low - 1) / Double(group)).rounded(.down))
      let high = min(shifts.upperBound, q * group + group)
      if mayMatch(mine, boxes, q, group) { body(low...high) }
      low = high + 1
    }
  }

  private func mayMatch(_ mine: Samples, _ boxes: Samples, _ q: Int, _ group: Int) -> Bool {
    let count = mine.count / Self.width
    let low = max(0, q + 1)
    let high = min((count - 1) / group, q + boxes.count / (2 * Self.width))
    guard low <= high else { return true }
    let step = max(1, (high - low + 1) / Self.looked)
    let allowance = isUsed.allowance((high - low) / step + 1, most)
    var sum: Float = 0
    var place = low
    while place <= high {
      sum += isUsed.away(mine, place * group * Self.width, boxes, (place - q - 1) * 2 * Self.width)
      if sum > allowance { return false }
      place += step
    }
    return true
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
        let other = (load(theirs, j + column) + load(theirs, j + next + column)) / 2
        let difference = load(mine, i + column) - other
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
        let value = load(samples, sample * Self.width + column)
        sum += value
        squares += value * value
      }
      return pointwiseMax(squares - sum * sum / Float(range.count), .zero)
    }
    return ((part(0) * isUsed.parts.0 + part(8) * isUsed.parts.1 + part(16) * isUsed.parts.2).sum() / terms)
      .squareRoot()
  }
}

/// Eight values from a place on.
@inline(__always)
private func load(_ samples: Samples, _ place: Int) -> SIMD8<Float> {
  UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
}
