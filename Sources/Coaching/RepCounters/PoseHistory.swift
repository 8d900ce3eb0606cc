import PoseModel

/// Rows of thirty-two numbers, one row after the other. Plain loops over a row's numbers become vector instructions;
/// `SIMD32` does so for little more than addition and multiplication.
struct PoseRows: Sendable {
  static let width = 32
  private(set) var values: [Float]

  init(rows: Int, _ value: Float = 0) { values = [Float](repeating: value, count: rows * Self.width) }

  /// The index of a row's first number.
  static func start(_ row: Int) -> Int { row * width }

  @inline(__always)
  mutating func withRows<Result>(_ body: (UnsafeMutableBufferPointer<Float>) -> Result) -> Result {
    values.withUnsafeMutableBufferPointer { body($0) }
  }

  /// The sum of a row's numbers times `weights`.
  @inline(__always)
  func dot(_ row: Int, _ weights: PoseRows, _ other: Int = 0) -> Float {
    values.withUnsafeBufferPointer { a in
      weights.values.withUnsafeBufferPointer { b in Self.dot(a, Self.start(row), b, Self.start(other)) }
    }
  }

  @inline(__always)
  static func dot(_ a: UnsafeBufferPointer<Float>, _ i: Int, _ b: UnsafeBufferPointer<Float>, _ j: Int) -> Float {
    var sum = SIMD8<Float>.zero
    for k in stride(from: 0, to: width, by: 8) { sum += Self.eight(a, i + k) * Self.eight(b, j + k) }
    return sum.sum()
  }

  /// The squared distance between two rows.
  func distance(_ row: Int, _ other: Int) -> Float {
    values.withUnsafeBufferPointer { values in
      var sum = SIMD8<Float>.zero
      for k in stride(from: 0, to: Self.width, by: 8) {
        let difference = Self.eight(values, Self.start(row) + k) - Self.eight(values, Self.start(other) + k)
        sum += difference * difference
      }
      return sum.sum()
    }
  }

  /// Copies a row over another one.
  mutating func move(_ row: Int, to other: Int) {
    let (from, to) = (Self.start(row), Self.start(other))
    for number in 0..<Self.width { values[to + number] = values[from + number] }
  }

  @inline(__always)
  static func eight(_ a: UnsafeBufferPointer<Float>, _ i: Int) -> SIMD8<Float> {
    SIMD8(a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7])
  }

  /// A row of length 1 in the direction of row 0; empty if row 0 has length 0.
  mutating func normalize() {
    let scale = 1 / (dot(0, self).squareRoot() + 1e-12)
    for number in 0..<Self.width { values[number] *= scale }
  }

  /// Multiplies row 0 by another's, number by number.
  mutating func multiply(by other: PoseRows) {
    for number in 0..<Self.width { values[number] *= other.values[number] }
  }

  mutating func copy(_ row: Int, from other: PoseRows, _ from: Int) {
    let (to, from) = (Self.start(row), Self.start(from))
    for number in 0..<Self.width { values[to + number] = other.values[from + number] }
  }

  subscript(_ row: Int, _ number: Int) -> Float {
    get { values[Self.start(row) + number] }
    set { values[Self.start(row) + number] = newValue }
  }
}

/// The numbers of a pose, 15 times a second, over the last 25 seconds; without samples in which no person was visible.
struct PoseHistory: Sendable {
  /// The length in samples.
  static let length = 25 * PoseSampler.rate
  /// Allocated once.
  private(set) var values = PoseRows(rows: 2 * length)
  /// The index of each row's sample, including samples without a person.
  private(set) var ticks = [Int](repeating: 0, count: 2 * length)
  private(set) var times = [Microseconds](repeating: .zero, count: 2 * length)
  /// The number of filled rows.
  private(set) var count = 0

  mutating func append(_ sample: PoseRows, tick: Int, time: Microseconds) {
    // Dropping half at a time is cheaper than a ring buffer's indices in every search.
    if count == ticks.count {
      count -= Self.length
      for kept in 0..<count {
        (ticks[kept], times[kept]) = (ticks[kept + Self.length], times[kept + Self.length])
        for number in 0..<PoseRows.width { values[kept, number] = values[kept + Self.length, number] }
      }
    }
    values.copy(count, from: sample, 0)
    (ticks[count], times[count]) = (tick, time)
    count += 1
  }

  mutating func removeAll() { count = 0 }

  /// The first row at or after a sample; `count` if there is none.
  func firstRow(since tick: Int) -> Int {
    var row = count
    while row > 0, ticks[row - 1] >= tick { row -= 1 }
    return row
  }
}

/// Measures the numbers of each frame's pose and resamples them to 15 a second.
///
/// A sample is the mean over its frames and the two samples before: a trailing mean of a fifth of a second. A missing
/// joint keeps its last numbers. After a quarter of a second without a person, samples are unknown.
struct PoseSampler: Sendable {
  static let rate = 15

  /// The effect on a number of exchanging left and right: none (1), a change of sign (-1), or unknown because it
  /// depends on the camera's position (0).
  static let mirror = SIMD32<Float>(
    1, -1, 1, -1, 1, -1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, -1, -1, 1)

  /// Eight values of `mirror`.
  static func mirror(_ first: Int) -> SIMD8<Float> {
    var eight = SIMD8<Float>.zero
    for place in 0..<8 { eight[place] = mirror[first + place] }
    return eight
  }

  private let visibility: Visibility
  /// 1 for numbers that are kept, 0 for others.
  private let mask: PoseRows?
  private var bucket: Int?
  private var time = Microseconds.zero
  /// The open sample: the sum of each number, and the number of frames with a value.
  private var sum = PoseRows(rows: 1)
  private var known = PoseRows(rows: 1)
  /// The last known numbers, now and one and two samples ago.
  private var held = PoseRows(rows: 3, .nan)
  private var frame = PoseRows(rows: 1)
  private var sample = PoseRows(rows: 1)
  private var unseen = PoseSampler.rate
  /// Number of samples so far.
  private(set) var closed = 0

  /// - Parameter mask: 1 for numbers that are kept, 0 for others; `nil` to keep all.
  init(_ visibility: Visibility, keeping mask: PoseRows? = nil) { (self.visibility, self.mask) = (visibility, mask) }

  /// The time of a sample, as its place on the scale of `closed`.
  func tick(of time: Microseconds) -> Float {
    Float(time.seconds * Double(Self.rate) - Double((bucket ?? 0) - closed))
  }

  /// The number of samples that end before a frame.
  mutating func due(at time: Microseconds) -> Int {
    // Seconds and the rest separately, to avoid overflow.
    let (seconds, rest) = time.count.quotientAndRemainder(dividingBy: 1_000_000)
    let now = Self.rate * Int(seconds) + (Self.rate * Int(rest) - (rest < 0 ? 999_999 : 0)) / 1_000_000
    guard let bucket else {
      bucket = now
      return 0
    }
    return now - bucket
  }

  /// Skips samples without a person.
  mutating func skip(_ count: Int) {
    bucket = bucket.map { $0 + count }
    closed += count
    unseen = Self.rate
  }

  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int) {
    measure(poses, frame)
    self.frame.withRows { frame in
      sum.withRows { sum in
        known.withRows { known in
          for number in 0..<PoseRows.width {
            let isKnown = frame[number] == frame[number]
            sum[number] += isKnown ? frame[number] : 0
            known[number] += isKnown ? 1 : 0
          }
        }
      }
    }
    time = poses.time(frame)
  }

  /// Ends the open sample.
  ///
  /// - Returns: Whether a person was visible in it or just before.
  mutating func close(into history: inout PoseHistory) -> Bool {
    let width = PoseRows.width
    let seen = held.withRows { held in
      sum.withRows { sum in
        known.withRows { known in
          sample.withRows { sample in
            var seen: Float = 0
            for number in 0..<width {
              let isKnown = known[number] > 0
              // No joint is eight trunk lengths away: a foreshortened trunk makes lengths explode.
              let mean = min(8, max(-8, sum[number] / max(1, known[number])))
              held[number] = isKnown ? mean : held[number]
              seen += isKnown ? 1 : 0
              let (a, b, c) = (held[number], held[width + number], held[2 * width + number])
              let count: Float = (a == a ? 1 : 0) + (b == b ? 1 : 0) + (c == c ? 1 : 0)
              sample[number] = ((a == a ? a : 0) + (b == b ? b : 0) + (c == c ? c : 0)) / max(1, count)
              held[2 * width + number] = b
              held[width + number] = a
              sum[number] = 0
              known[number] = 0
            }
            return seen
          }
        }
      }
    }
    // A person is visible if a quarter of the numbers is known.
    unseen = seen >= 8 ? 0 : unseen + 1
    let isRecent = unseen <= Self.rate / 4 + 1
    // A sample without frames gets the time of its start.
    let began = Microseconds(frame: bucket ?? 0, rate: Double(Self.rate))
    if let mask { sample.multiply(by: mask) }
    if isRecent { history.append(sample, tick: closed, time: max(time, began)) }
    bucket = bucket.map { $0 + 1 }
    closed += 1
    return isRecent
  }

  /// Angles in right angles, lengths in trunk lengths; NaN if a joint is missing.
  private mutating func measure(_ poses: borrowing PoseColumns, _ frame: Int) {
    let left = Limbs(.left, visibility, poses, frame)
    let right = Limbs(.right, visibility, poses, frame)
    let body = Limbs(between: left, right)
    let nose = visibility.point(.nose, poses, frame) ?? Limbs.missing
    let size = Limbs.trunkLength(of: body, left, right)
    func up(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (b.y - a.y) / size }
    func sideways(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a.x - b.x) / size }
    func apart(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a - b).length / size }
    func mean(_ a: Float, _ b: Float) -> Float { a.isNaN ? b : b.isNaN ? a : 0.5 * (a + b) }
    self.frame.withRows { all in
      (all[0], all[1]) = (mean(left.kneeAngle, right.kneeAngle), 0.5 * (left.kneeAngle - right.kneeAngle))
      (all[2], all[3]) = (mean(left.hipAngle, right.hipAngle), 0.5 * (left.hipAngle - right.hipAngle))
      (all[4], all[5]) = (mean(left.elbowAngle, right.elbowAngle), 0.5 * (left.elbowAngle - right.elbowAngle))
      (all[6], all[7]) = (mean(left.armAngle, right.armAngle), 0.5 * (left.armAngle - right.armAngle))
      (all[8], all[9]) = (up(body.wrist, body.shoulder), up(body.hip, body.ankle))
      (all[10], all[11]) = (up(body.shoulder, body.ankle), up(nose, body.hip))
      (all[12], all[13]) = (up(body.shoulder, body.hip), up(body.hip, body.knee))
      (all[14], all[15]) = (up(body.wrist, body.hip), up(body.elbow, body.shoulder))
      all[16] = up(nose, body.wrist)
      all[17] = mean(apart(left.wrist, left.hip), apart(right.wrist, right.hip))
      all[18] = mean(apart(left.wrist, left.shoulder), apart(right.wrist, right.shoulder))
      all[19] = mean(apart(left.hip, left.ankle), apart(right.hip, right.ankle))
      all[20] = mean(apart(left.shoulder, left.knee), apart(right.shoulder, right.knee))
      all[21] = mean(apart(left.shoulder, left.ankle), apart(right.shoulder, right.ankle))
      (all[22], all[23]) = (apart(left.wrist, right.wrist), apart(left.ankle, right.ankle))
      all[24] = apart(left.knee, right.knee)
      (all[25], all[26]) = (sideways(body.ankle, body.hip), sideways(body.wrist, body.shoulder))
      (all[27], all[28]) = (sideways(nose, body.hip), sideways(body.shoulder, body.hip))
      (all[29], all[30]) = (up(left.wrist, right.wrist), up(left.ankle, right.ankle))
      all[31] = up(nose, body.shoulder)
    }
  }
}

/// The poses of the last seconds, for those who look at them when a rep is over.
struct RecentPoses: Sendable {
  private var sampler: PoseSampler
  private var history = PoseHistory()

  init(_ visibility: Visibility) { sampler = PoseSampler(visibility) }

  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int) {
    var due = sampler.due(at: poses.time(frame))
    if due > PoseHistory.length {
      sampler.skip(due)
      history.removeAll()
      due = 0
    }
    for _ in 0..<due { _ = sampler.close(into: &history) }
    sampler.add(poses, frame)
  }

  /// The samples that ended within a rep, or two, `PoseRows.width` numbers each; fewer where nobody was seen.
  func samples(of rep: Rep) -> ArraySlice<Float> {
    func row(at time: Microseconds) -> Int { history.firstRow(since: Int(sampler.tick(of: time).rounded(.down))) }
    let first = row(at: rep.start)
    let last = min(history.count, max(first + 2, row(at: rep.end)))
    return history.values.values[PoseRows.start(first)..<PoseRows.start(last)]
  }
}

/// The joints of one side of the body, or the midpoints of both sides; NaN if a joint is missing.
struct Limbs {
  var (shoulder, elbow, wrist): (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  var (hip, knee, ankle): (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  static let missing = SIMD3<Float>(repeating: .nan)

  @inline(__always)
  init(_ side: Side, _ visibility: Visibility, _ poses: borrowing PoseColumns, _ frame: Int) {
    shoulder = visibility.point(side.shoulder, poses, frame) ?? Self.missing
    elbow = visibility.point(side.elbow, poses, frame) ?? Self.missing
    wrist = visibility.point(side.wrist, poses, frame) ?? Self.missing
    hip = visibility.point(side.hip, poses, frame) ?? Self.missing
    knee = visibility.point(side.knee, poses, frame) ?? Self.missing
    ankle = visibility.point(side.ankle, poses, frame) ?? Self.missing
  }

  /// The mean of both sides, or the visible one.
  @inline(__always)
  init(between left: Limbs, _ right: Limbs) {
    func middle(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> { a.x.isNaN ? b : b.x.isNaN ? a : 0.5 * (a + b) }
    shoulder = middle(left.shoulder, right.shoulder)
    elbow = middle(left.elbow, right.elbow)
    wrist = middle(left.wrist, right.wrist)
    hip = middle(left.hip, right.hip)
    knee = middle(left.knee, right.knee)
    ankle = middle(left.ankle, right.ankle)
  }

  var kneeAngle: Float { Angle.at(knee, between: hip, and: ankle) / 90 }
  var hipAngle: Float { Angle.at(hip, between: shoulder, and: knee) / 90 }
  var elbowAngle: Float { Angle.at(elbow, between: shoulder, and: wrist) / 90 }
  var armAngle: Float { Angle.at(shoulder, between: hip, and: elbow) / 90 }

  /// The trunk's length, estimated from all visible segments with average proportions, because single segments may be
  /// foreshortened. NaN if none is visible.
  ///
  /// Source: shares of stature of trunk, thigh, shank, upper arm and forearm, Drillis and Contini 1966, as in Winter,
  /// Biomechanics and Motor Control of Human Movement, 4th ed. 2009, figure 4.1. The trunk counts twice, for its sides.
  static func trunkLength(of body: Limbs, _ left: Limbs, _ right: Limbs) -> Float {
    let legs =
      segment(left.hip, left.knee, 0.245) + segment(right.hip, right.knee, 0.245)
      + segment(left.knee, left.ankle, 0.246) + segment(right.knee, right.ankle, 0.246)
    let arms =
      segment(left.shoulder, left.elbow, 0.186) + segment(right.shoulder, right.elbow, 0.186)
      + segment(left.elbow, left.wrist, 0.146) + segment(right.elbow, right.wrist, 0.146)
    let seen = 2 * segment(body.shoulder, body.hip, 0.288) + legs + arms
    return seen.x > 0 ? seen.x / seen.y * 0.288 : .nan
  }

  /// Adds a segment's length and its share of stature; nothing if it is not visible.
  private static func segment(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float) -> SIMD2<Float> {
    let length = (a - b).length
    return length.isNaN ? .zero : SIMD2(length, share)
  }
}
