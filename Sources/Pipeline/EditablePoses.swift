import PoseModel

/// A clip's poses, editable to simulate another estimator or camera.
///
/// A neck or root that the skeleton derives from shoulders or hips follows them: it moves by half of what one of them
/// moves, is where the other is if one is lost, and is lost with both.
public struct EditablePoses: Sendable {
  public private(set) var times: [Microseconds]
  /// The joints that the estimator finds, without derived ones.
  public let found: [Joint]
  private var values: [Float]
  private let middles: [Middle]

  private struct Middle: Sendable {
    var joint: Joint
    var ends: [Joint]
  }

  public init(_ poses: PoseSequence, of skeleton: Skeleton) {
    times = poses.times
    values = []
    values.reserveCapacity(poses.frameCount * Joint.count * Channel.count)
    for joint in Joint.allCases {
      for channel in Channel.allCases { values += poses.column(joint, channel) }
    }
    var middles: [Middle] = []
    var found: [Joint] = []
    for joint in Joint.allCases {
      switch skeleton[joint] {
      case .keypoint: found.append(joint)
      case .midpoint:
        middles.append(
          Middle(joint: joint, ends: joint == .neck ? [.leftShoulder, .rightShoulder] : [.leftHip, .rightHip]))
      case nil: break
      }
    }
    self.middles = middles
    self.found = found
  }

  public var frameCount: Int { times.count }

  private func place(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Int {
    (joint.index * Channel.count + channel.index) * times.count + frame
  }

  public private(set) subscript(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
    get { values[place(joint, channel, frame)] }
    set { values[place(joint, channel, frame)] = newValue }
  }

  public func has(_ joint: Joint, _ frame: Int) -> Bool { self[joint, .x, frame].isFinite }

  /// Moves a joint that is present.
  public mutating func move(_ joint: Joint, by step: SIMD3<Float>, _ frame: Int) {
    add(step, to: joint, frame)
    for middle in middles where middle.ends.contains(joint) { add(step / 2, to: middle.joint, frame) }
  }

  private mutating func add(_ step: SIMD3<Float>, to joint: Joint, _ frame: Int) {
    self[joint, .x, frame] += step.x
    self[joint, .y, frame] += step.y
    self[joint, .z, frame] += step.z
  }

  /// Removes a joint, as if it had not been found.
  public mutating func lose(_ joint: Joint, _ frame: Int) {
    forget(joint, frame)
    for middle in middles where middle.ends.contains(joint) {
      guard let other = middle.ends.first(where: { has($0, frame) }) else {
        forget(middle.joint, frame)
        continue
      }
      for channel in Channel.allCases { self[middle.joint, channel, frame] = self[other, channel, frame] }
    }
  }

  private mutating func forget(_ joint: Joint, _ frame: Int) {
    self[joint, .x, frame] = .nan
    self[joint, .y, frame] = .nan
    self[joint, .z, frame] = .nan
    self[joint, .confidence, frame] = 0
  }

  /// Swaps left and right in a frame.
  public mutating func swapSides(_ frame: Int) {
    for (left, right) in Self.pairs {
      for channel in Channel.allCases {
        values.swapAt(place(left, channel, frame), place(right, channel, frame))
      }
    }
  }

  /// Maps the position of every joint; missing joints stay missing.
  public mutating func map(_ change: (SIMD3<Float>) -> SIMD3<Float>, _ frame: Int) {
    for joint in Joint.allCases where has(joint, frame) {
      let moved = change(SIMD3(self[joint, .x, frame], self[joint, .y, frame], self[joint, .z, frame]))
      self[joint, .x, frame] = moved.x
      self[joint, .y, frame] = moved.y
      self[joint, .z, frame] = moved.z
    }
  }

  /// Keeps only these frames, in order.
  public mutating func keep(_ frames: [Int]) {
    let count = times.count
    var kept: [Float] = []
    kept.reserveCapacity(frames.count * Joint.count * Channel.count)
    for column in 0..<Joint.count * Channel.count {
      for frame in frames { kept.append(values[column * count + frame]) }
    }
    values = kept
    times = frames.map { times[$0] }
  }

  /// The current poses.
  public var poses: PoseSequence {
    PoseSequence(
      Keypoints(times: times, keypointCount: Joint.count, channels: Channel.allCases, values: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }

  /// The paired joints: each left one with its right one.
  static let pairs: [(left: Joint, right: Joint)] = Joint.allCases.compactMap { joint in
    guard joint.name.hasPrefix("left_") else { return nil }
    return Joint(name: "right_" + joint.name.dropFirst("left_".count)).map { (joint, $0) }
  }
}
