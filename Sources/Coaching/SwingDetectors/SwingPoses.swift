import PoseModel

/// A player's joints relative to the body, 30 times a second.
///
/// Positions are from the middle of the shoulders in trunk lengths, the median of the last 31, x to the player's right
/// and y down. A joint that is not seen stays where it was. Between frames, positions are interpolated. The player is
/// assumed to be seen from behind, as on television, until shoulders and hips were the other way round for about a
/// third of a second; afterwards the mean of 10 s decides.
struct SwingPoses: Sendable {
  /// Ticks a second.
  static let rate = 30
  /// In the order in which the network reads them.
  private static let joints: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
  ]
  /// Numbers a tick: x and y of each joint.
  static let width = 16
  /// The place of a joint that was never seen: that of a person who stands with hanging arms.
  private static let standing: [Float] = [
    -0.3, 0, 0.3, 0, -0.4, 0.5, 0.4, 0.5, -0.3, 0.8, 0.3, 0.8, -0.2, 1, 0.2, 1,
  ]
  /// The greatest distance of a joint from the shoulders, in trunk lengths.
  private static let reach: Float = 2.5
  private static let longestGap = Microseconds(500_000)
  /// The greatest distance in time of a tick that takes a frame without interpolation.
  private static let exact = Microseconds(1000)
  /// Ticks that the network looks back.
  private static let kept = 25
  /// Ticks of which half must show shoulders and hips.
  private static let seenTicks = 15

  private let minimumConfidence: Float
  private var trunks = MedianFilter(frames: 31)
  /// The mean difference of right and left shoulder or hip in trunk lengths, above 0 from behind.
  private var facing: Float = 0.5
  private var facingCount: Float = 30
  /// The time of the first tick.
  private var first = Microseconds.zero
  /// The newest frame's joints and those of the one before, in turn.
  private var frames = [ContiguousArray<Float>](repeating: ContiguousArray(standing), count: 2)
  private var times = (older: Microseconds.zero, newer: Microseconds.zero)
  private var areSeen = (older: false, newer: false)
  private var newest = 0
  private var frameCount = 0
  /// The newest tick.
  private var tick = ContiguousArray<Float>(repeating: 0, count: width)
  /// Means of two neighbouring ticks, which halve an estimator's jitter: place n mod `kept` ends with tick n.
  private var means = ContiguousArray<Float>(repeating: 0, count: width * kept)
  /// Whether each of the last ticks saw shoulders and hips, the newest in the lowest bit.
  private var seen: UInt32 = 0
  /// Ticks since the start or the last gap.
  private(set) var count = 0

  init(minimumConfidence: Float) { self.minimumConfidence = minimumConfidence }

  /// Adds a frame, from which `advance` then makes ticks.
  ///
  /// - Returns: Whether it comes after half a second or more without frames: ticks then count from 0 again.
  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int) -> Bool {
    let time = poses.time(frame)
    let isGap = frameCount > 0 && time - times.newer > Self.longestGap
    if isGap { frameCount = 0 }
    if frameCount == 0 {
      first = time
      count = 0
      seen = 0
    }
    frameCount += 1
    newest = 1 - newest
    for index in 0..<Self.width { frames[newest][index] = frames[1 - newest][index] }
    times = (times.newer, time)
    areSeen = (areSeen.newer, measure(poses, frame))
    return isGap
  }

  /// Makes the next tick, if it is not later than the newest frame.
  mutating func advance() -> Bool {
    let next = time(of: count)
    guard next <= times.newer + Self.exact else { return false }
    let isExact = frameCount == 1 || (times.newer - next).magnitude < Self.exact
    let share = isExact ? 1 : Float((next - times.older).count) / Float((times.newer - times.older).count)
    let place = count % Self.kept * Self.width
    for index in 0..<Self.width {
      let value =
        isExact
        ? frames[newest][index] : frames[1 - newest][index] * (1 - share) + frames[newest][index] * share
      means[place + index] = count == 0 ? value : 0.5 * (tick[index] + value)
      tick[index] = value
    }
    if count == 0 {
      // Assumes that the player stood like this before.
      for index in Self.width..<means.count { means[index] = means[index - Self.width] }
    }
    seen = seen << 1 | ((share < 0.5 ? areSeen.older : areSeen.newer) ? 1 : 0)
    count += 1
    return true
  }

  /// The time of a tick.
  func time(of tick: Int) -> Microseconds { first + Microseconds(frame: tick, rate: Double(Self.rate)) }

  /// Whether shoulders and hips were seen in half of the ticks up to the last but one.
  var wasSeen: Bool {
    let ticks = min(Self.seenTicks, count - 1)
    return 2 * (seen >> 1 & (1 << Self.seenTicks - 1)).nonzeroBitCount >= ticks
  }

  /// Writes the means of every second tick, the oldest first.
  func write(_ input: inout ContiguousArray<Float>) {
    var place = 0
    for back in stride(from: Self.kept - 1, through: 0, by: -2) {
      // Before the first tick all are the first one's.
      let start = (count - 1 - back + Self.kept) % Self.kept * Self.width
      for index in 0..<Self.width { input[place + index] = means[start + index] }
      place += Self.width
    }
  }

  /// Writes the joints that a frame shows.
  ///
  /// - Returns: Whether it shows shoulders and hips, without which nothing is measured.
  private mutating func measure(_ poses: borrowing PoseColumns, _ frame: Int) -> Bool {
    guard let leftShoulder = point(.leftShoulder, poses, frame), let leftHip = point(.leftHip, poses, frame),
      let rightShoulder = point(.rightShoulder, poses, frame), let rightHip = point(.rightHip, poses, frame)
    else { return false }
    let neck = 0.5 * (leftShoulder + rightShoulder)
    let trunk = (0.5 * (leftHip + rightHip) - neck).length
    guard trunk > 0 else { return false }
    let scale = trunks.update(trunk, at: times.newer)
    face((rightShoulder.x - leftShoulder.x) / scale)
    face((rightHip.x - leftHip.x) / scale)
    for (index, joint) in Self.joints.enumerated() {
      guard let point = point(joint, poses, frame) else { continue }
      let place = (point - neck) / scale
      let x = min(max(place.x, -Self.reach), Self.reach)
      frames[newest][2 * index] = facing < 0 ? -x : x
      frames[newest][2 * index + 1] = min(max(place.y, -Self.reach), Self.reach)
    }
    return true
  }

  private mutating func face(_ turn: Float) {
    facingCount = min(facingCount + 1, 600)
    facing += (min(max(turn, -1), 1) - facing) / facingCount
  }

  private func point(_ joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD2<Float>? {
    let place = poses.place(of: joint, frame)
    guard place.confidence > minimumConfidence, place.x.isFinite, place.y.isFinite else { return nil }
    return SIMD2(place.x, place.y)
  }
}
