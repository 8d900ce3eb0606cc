import PoseModel

/// A clip's movement in a form in which copies of it look alike, however they were made.
///
/// Places are relative to the middle of the hips and in lengths of the trunk, so that cropping and scaling change nothing;
/// at 15 samples a second whatever the frame rate was; and smoothed over a third of a second, which takes small noise away.
struct MotionFingerprint: Sendable {
  static let rate = 15.0
  static let smoothing = 5
  /// Samples that two clips must share at least: half a second, smoothed from nearly one.
  static let fewestSamples = 8
  private static let fewestJoints = 8

  /// A sample after the other: x and y of each joint.
  let samples: [Float]
  /// The samples half a step later, for a copy whose first frame was cut off in between.
  let halfway: [Float]
  /// Whether a joint is there at all.
  let hasJoint: [Bool]

  static let width = 2 * BodyTrack.joints.count
  var count: Int { samples.count / Self.width }

  /// `nil` for a clip that is too short or shows too little.
  init?(_ body: BodyTrack) {
    guard let first = body.times.first, let last = body.times.last,
      // A slide show of single frames is no movement.
      (last - first) / Double(max(1, body.frameCount - 1)) < BodyTrack.longestStep
    else { return nil }
    var columns: [[(time: Double, value: Float)]] = []
    for joint in BodyTrack.joints.indices {
      var (x, y): ([(time: Double, value: Float)], [(time: Double, value: Float)]) = ([], [])
      for frame in 0..<body.frameCount {
        let place = body[joint, frame] - body.middle(ofPair: 3, frame)
        guard place.x.isFinite else { continue }
        x.append((body.times[frame], place.x))
        y.append((body.times[frame], place.y))
      }
      columns += [x, y]
    }
    hasJoint = BodyTrack.joints.indices.map { columns[2 * $0].count > 1 }
    guard hasJoint.count(where: \.self) >= Self.fewestJoints else { return nil }
    func sampled(from start: Double) -> [Float] {
      let count = Int((last - start) * Self.rate + 1e-9) + 1
      guard count >= Self.fewestSamples + Self.smoothing - 1 else { return [] }
      let raw = columns.map { Self.interpolated($0, from: start, count: count) }
      let kept = count - Self.smoothing + 1
      var samples = [Float](repeating: 0, count: kept * Self.width)
      for column in 0..<Self.width {
        for sample in 0..<kept {
          var sum: Float = 0
          for offset in 0..<Self.smoothing { sum += raw[column][sample + offset] }
          samples[sample * Self.width + column] = sum / Float(Self.smoothing)
        }
      }
      return samples
    }
    samples = sampled(from: first)
    halfway = sampled(from: first + 0.5 / Self.rate)
    guard !samples.isEmpty else { return nil }
  }

  /// Straight lines between what is known, and the nearest known value before and after.
  private static func interpolated(_ known: [(time: Double, value: Float)], from start: Double, count: Int) -> [Float] {
    guard let first = known.first, let last = known.last else { return [Float](repeating: 0, count: count) }
    var next = 0
    return (0..<count).map { sample in
      let time = start + Double(sample) / rate
      while next < known.count, known[next].time < time { next += 1 }
      guard next > 0 else { return first.value }
      guard next < known.count else { return last.value }
      let (a, b) = (known[next - 1], known[next])
      return a.value + (b.value - a.value) * Float((time - a.time) / (b.time - a.time))
    }
  }

  /// How near two movements come to each other where they fit best.
  struct Match {
    /// Root mean square distance of the joints' coordinates, in trunk lengths.
    var distance: Double
    /// The same as a share of how much the movement itself varies.
    var share: Double
    /// By how many seconds the other one begins later.
    var shift: Double
    /// Seconds that both have.
    var overlap: Double
  }

  /// The best match over at least half of the shorter clip; `nil` where none is nearer than both limits.
  func match(_ other: MotionFingerprint, distance limit: Float, share: Float) -> Match? {
    let joints = hasJoint.indices.filter { hasJoint[$0] && other.hasJoint[$0] }
    guard joints.count >= Self.fewestJoints else { return nil }
    var best: Match?
    for (phase, theirs) in [(0.0, other.samples), (0.5, other.halfway)] where !theirs.isEmpty {
      if let found = match(theirs, of: other, joints, phase: phase, limit: limit, share: share),
        found.distance < best?.distance ?? .infinity
      {
        best = found
      }
    }
    return best
  }

  private func match(
    _ theirs: [Float], of other: MotionFingerprint, _ joints: [Int], phase: Double, limit: Float, share: Float
  ) -> Match? {
    let (mine, others) = (count, theirs.count / Self.width)
    let need = max(Self.fewestSamples, (min(mine, others) + 1) / 2)
    guard mine >= need, others >= need else { return nil }
    // A joint that one of the two lacks is left out of both.
    let isUsed = (0..<Self.width).map { joints.contains($0 / 2) ? Float(1) : 0 }
    var best: Match?
    var least = limit * limit
    samples.withUnsafeBufferPointer { a in
      theirs.withUnsafeBufferPointer { b in
        isUsed.withUnsafeBufferPointer { used in
          var offset = need - others
          while offset <= mine - need {
            let (low, high) = (max(0, offset), min(mine, others + offset))
            let terms = Float((high - low) * 2 * joints.count)
            let most = least * terms
            var sum: Float = 0
            var sample = low
            // Once the sum is beyond what may be, the rest can only add to it.
            while sample < high, sum <= most {
              let (i, j) = (sample * Self.width, (sample - offset) * Self.width)
              for column in 0..<Self.width {
                let difference = (a[i + column] - b[j + column]) * used[column]
                sum += difference * difference
              }
              sample += 1
            }
            if sum <= most {
              let movement = Self.movement(a, low..<high, joints)
              let distance = (sum / terms).squareRoot()
              if movement > 0, distance < share * movement {
                least = sum / terms
                best = Match(
                  distance: Double(distance), share: Double(distance / movement),
                  shift: (Double(offset) + phase) / Self.rate,
                  overlap: Double(high - low + Self.smoothing - 1) / Self.rate)
              }
            }
            offset += 1
          }
        }
      }
    }
    return best
  }

  /// The standard deviation of the coordinates about their means.
  private static func movement(_ samples: UnsafeBufferPointer<Float>, _ range: Range<Int>, _ joints: [Int]) -> Float {
    var total: Float = 0
    for joint in joints {
      for column in 2 * joint..<2 * joint + 2 {
        var (sum, squares): (Float, Float) = (0, 0)
        for sample in range {
          let value = samples[sample * width + column]
          sum += value
          squares += value * value
        }
        let mean = sum / Float(range.count)
        total += max(0, squares / Float(range.count) - mean * mean)
      }
    }
    return (total / Float(2 * joints.count)).squareRoot()
  }
}
