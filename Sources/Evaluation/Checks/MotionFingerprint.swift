import PoseModel

/// A clip's movement in a form in which copies of it look alike, however they were made.
///
/// Places are relative to the middle of the hips and in lengths of the trunk, so that cropping and scaling change nothing;
/// at 15 samples a second whatever the frame rate was; and smoothed over a third of a second, which takes small noise away.
struct MotionFingerprint: Sendable {
  static let rate = 15.0
  /// Samples that are smoothed together, from a first to a last one.
  static let smoothing = 5
  /// Values that are taken for each sample: what is between two samples counts too, as a spike of one frame would
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
