/// A recording as written by its pose estimator: keypoints in the skeleton's own order, unit and axes.
///
/// One contiguous buffer with one column per keypoint and channel, keypoint-major: the columns of keypoint 0 (x, y, …),
/// then those of keypoint 1. A missing value is NaN.
public struct Keypoints: Sendable {
  /// Recording time of each frame, in order.
  public let times: [Microseconds]
  /// Number of keypoints per frame.
  public let keypointCount: Int
  /// The channels of each keypoint, in column order.
  public let channels: [Channel]
  /// `keypointCount * channels.count * times.count` values.
  public let values: [Float]

  /// - Precondition: `values` holds a value for each frame, keypoint and channel.
  public init(times: [Microseconds], keypointCount: Int, channels: [Channel], values: [Float]) {
    precondition(values.count == times.count * keypointCount * channels.count)
    self.times = times
    self.keypointCount = keypointCount
    self.channels = channels
    self.values = values
  }

  /// Builds the columns from values in file order: frame by frame, keypoint by keypoint, channel by channel.
  ///
  /// - Precondition: `frames` holds a value for each frame, keypoint and channel.
  public init(times: [Microseconds], keypointCount: Int, channels: [Channel], frames: [Float]) {
    let width = keypointCount * channels.count
    let count = times.count
    precondition(frames.count == width * count)
    let values = [Float](unsafeUninitializedCapacity: frames.count) { columns, initialized in
      frames.withUnsafeBufferPointer { rows in
        for frame in 0..<count {
          for column in 0..<width { columns[column * count + frame] = rows[frame * width + column] }
        }
      }
      initialized = frames.count
    }
    self.init(times: times, keypointCount: keypointCount, channels: channels, values: values)
  }

  /// Passes the values' bytes to `body` in pieces, because a clip may be large. NaN has many bit patterns with one
  /// meaning, missing: each is passed as the canonical one.
  package func withCanonicalBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    values.withUnsafeBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: 1 << 14) {
        let piece = UnsafeBufferPointer(rebasing: values[start..<min(start + 1 << 14, values.count)])
        if Self.hasOtherNaN(piece) {
          piece.map { $0.isNaN ? Float.nan : $0 }.withUnsafeBytes(body)
        } else {
          body(UnsafeRawBufferPointer(piece))
        }
      }
    }
  }

  /// Whether there is a NaN with bits other than the canonical one.
  private static func hasOtherNaN(_ values: UnsafeBufferPointer<Float>) -> Bool {
    let infinity = Int32(bitPattern: Float.infinity.bitPattern)
    var found: UInt32 = 0
    for value in values {
      let isNaN: UInt32 = Int32(bitPattern: value.bitPattern & 0x7FFF_FFFF) > infinity ? 1 : 0
      let isOther: UInt32 = value.bitPattern != Float.nan.bitPattern ? 1 : 0
      found |= isNaN & isOther
    }
    return found != 0
  }

  /// Number of frames.
  public var frameCount: Int { times.count }

  /// One value per frame; `nil` if the recording has no such channel.
  public func column(_ keypoint: Int, _ channel: Channel) -> ArraySlice<Float>? {
    guard let offset = channels.firstIndex(of: channel) else { return nil }
    let start = (keypoint * channels.count + offset) * frameCount
    return values[start..<start + frameCount]
  }
}

/// How to read the numbers of a recording: their unit and the direction of y.
public struct CoordinateSystem: Hashable, Codable, Sendable {
  /// The unit of x and y; z has that of x.
  public enum Unit: Hashable, Codable, Sendable {
    /// 0...1 of the image's width and height; `aspect` is width divided by height.
    case image(aspect: Double)
    /// Pixels of an image of this height.
    case pixel(height: Double)
    /// Metres, or any other unit of length that stays the same throughout a clip.
    case metre
    /// No unit: even the scale of a frame is arbitrary, and only proportions within a frame have a meaning.
    case relative

    /// Lengths in image heights, for images whose size in pixels is unknown or varies between clips.
    public static let imageHeight = Unit.pixel(height: 1)
  }

  /// The direction of y in the image.
  public enum YAxis: String, CaseIterable, Hashable, Codable, Sendable {
    /// Towards the bottom of the image, or towards its top.
    case down, up
  }

  /// The unit of x and y; z has that of x.
  public var unit: Unit
  /// The direction of y in the image.
  public var yAxis: YAxis

  public init(unit: Unit, yAxis: YAxis) {
    self.unit = unit
    self.yAxis = yAxis
  }

  /// The trunk length, neck to root, that clips without image heights are scaled to, in image heights.
  ///
  /// A standing person who fills three quarters of the image's height has a trunk of 0.75 x 0.288: from the greater
  /// trochanter to the shoulder is 0.288 of stature (Drillis and Contini 1966, as in Winter, Biomechanics and Motor
  /// Control of Human Movement, 4th ed. 2009, figure 4.1).
  public static let trunkLength: Float = 0.75 * 0.288
}

extension PoseSequence {
  /// Converts keypoints of any skeleton, unit and axis to the common joints in image heights with y down.
  ///
  /// - A joint without a keypoint, or with a non-finite x or y, is NaN in every channel but confidence, which is 0. A
  ///   missing neck or root is halfway between the shoulders or hips, or at the one of them that is seen.
  /// - Confidence is clamped to 0...1; a recording without confidence has 1 wherever it has a position.
  /// - Without image heights (`metre`), a clip is scaled to a median trunk of `CoordinateSystem.trunkLength`;
  ///   without any scale (`relative`), every frame is scaled by its own trunk, or by the last known one.
  public init(_ keypoints: Keypoints, skeleton: Skeleton, coordinates: CoordinateSystem) {
    let count = keypoints.frameCount
    precondition(keypoints.keypointCount == skeleton.keypoints.count)
    let size = count * Joint.count * Channel.count
    let (scaleX, scaleY) = coordinates.scale
    let sign: Float = coordinates.yAxis == .up ? -1 : 1
    let values = [Float](unsafeUninitializedCapacity: size) { output, initialized in
      for joint in Joint.allCases {
        func column(_ channel: Channel) -> UnsafeMutableBufferPointer<Float> {
          let start = (joint.index * Channel.count + channel.index) * count
          return UnsafeMutableBufferPointer(rebasing: output[start..<start + count])
        }
        let confidence = column(.confidence)
        guard let origin = skeleton[joint] else {
          for channel in [Channel.x, .y, .z] { column(channel).initialize(repeating: .nan) }
          confidence.initialize(repeating: 0)
          continue
        }
        let (a, b): (Int, Int) =
          switch origin {
          case .keypoint(let index): (index, index)
          case .midpoint(let first, let second): (first, second)
          }
        // Of plain memory, without a branch a frame, the compiler makes loops over several frames at once.
        func combine(_ channel: Channel, _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) -> Void)
          -> Bool
        {
          guard let first = keypoints.column(a, channel), let second = keypoints.column(b, channel) else {
            return false
          }
          first.withUnsafeBufferPointer { first in second.withUnsafeBufferPointer { second in body(first, second) } }
          return true
        }
        func position(_ channel: Channel, scale: Float) -> UnsafeMutableBufferPointer<Float> {
          let position = column(channel)
          let isKnown = combine(channel) { first, second in
            // Halving each before adding keeps a keypoint that stands for itself exact.
            for frame in 0..<count { position[frame] = scale * (first[frame] * 0.5 + second[frame] * 0.5) }
          }
          if !isKnown { position.initialize(repeating: .nan) }
          return position
        }
        let x = position(.x, scale: scaleX)
        let y = position(.y, scale: scaleY * sign)
        let z = position(.z, scale: scaleX)
        let isKnown = combine(.confidence) { first, second in
          for frame in 0..<count {
            let lower = min(first[frame], second[frame])
            confidence[frame] = lower.isNaN ? 0 : min(max(lower, 0), 1)
          }
        }
        if !isKnown { confidence.initialize(repeating: 1) }
        for frame in 0..<count {
          let isSeen = x[frame].isFinite && y[frame].isFinite
          x[frame] = isSeen ? x[frame] : .nan
          y[frame] = isSeen ? y[frame] : .nan
          z[frame] = isSeen ? z[frame] : .nan
          confidence[frame] = isSeen ? confidence[frame] : 0
        }
      }
      Self.complete(.neck, from: (.leftShoulder, .rightShoulder), output, frameCount: count)
      Self.complete(.root, from: (.leftHip, .rightHip), output, frameCount: count)
      coordinates.rescale(output, frameCount: count)
      initialized = size
    }
    self.init(times: keypoints.times, values: values)
  }

  /// Puts a missing neck or root halfway between its pair of joints, with the lower of their confidences, or at the one
  /// that is seen: from the side, one is enough.
  private static func complete(
    _ middle: Joint, from pair: (Joint, Joint), _ values: UnsafeMutableBufferPointer<Float>, frameCount: Int
  ) {
    func place(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Int {
      (joint.index * Channel.count + channel.index) * frameCount + frame
    }
    func isSeen(_ joint: Joint, _ frame: Int) -> Bool {
      values[place(joint, .x, frame)].isFinite && values[place(joint, .y, frame)].isFinite
    }
    for frame in 0..<frameCount where !isSeen(middle, frame) {
      let seen = [pair.0, pair.1].filter { isSeen($0, frame) }
      guard let first = seen.first, let last = seen.last else { continue }
      for channel in [Channel.x, .y, .z] {
        values[place(middle, channel, frame)] =
          values[place(first, channel, frame)] * 0.5 + values[place(last, channel, frame)] * 0.5
      }
      values[place(middle, .confidence, frame)] = min(
        values[place(first, .confidence, frame)], values[place(last, .confidence, frame)])
    }
  }
}

extension CoordinateSystem {
  /// The factors of x (and depth) and y to image heights, if the unit defines them.
  package var scale: (x: Float, y: Float) {
    switch unit {
    case .image(let aspect): (Float(aspect), 1)
    case .pixel(let height): (Float(1 / height), Float(1 / height))
    case .metre, .relative: (1, 1)
    }
  }

  /// Scales a clip without image heights to the usual size by its trunk.
  func rescale(_ values: UnsafeMutableBufferPointer<Float>, frameCount: Int) {
    guard unit == .metre || unit == .relative else { return }
    func at(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
      values[(joint.index * Channel.count + channel.index) * frameCount + frame]
    }
    let trunks = (0..<frameCount).map { frame -> Float in
      let dx = at(.neck, .x, frame) - at(.root, .x, frame)
      let dy = at(.neck, .y, frame) - at(.root, .y, frame)
      let dz = at(.neck, .z, frame) - at(.root, .z, frame)
      return (dx * dx + dy * dy + (dz.isNaN ? 0 : dz * dz)).squareRoot()
    }
    let known = trunks.filter { $0 > 0 }.sorted()
    guard !known.isEmpty else { return }
    let median = known[known.count / 2]
    var scale = Self.trunkLength / median
    for frame in 0..<frameCount {
      if unit == .relative, trunks[frame] > 0 { scale = Self.trunkLength / trunks[frame] }
      for joint in 0..<Joint.count {
        for channel in 0..<3 { values[(joint * Channel.count + channel) * frameCount + frame] *= scale }
      }
    }
  }
}
