import PoseModel

/// The visibility thresholds of a signal: the required confidence of its joints, in the image or in 3D.
public struct Visibility: Hashable, Sendable {
  /// A joint counts when its confidence is above this, 0...1.
  public var minimumConfidence: Float
  /// Whether depth is used if a recording has it; otherwise angles are measured in the image.
  public var usesDepth: Bool

  public init(minimumConfidence: Float, usesDepth: Bool) {
    self.minimumConfidence = minimumConfidence
    self.usesDepth = usesDepth
  }

  /// A joint's position in image heights; `nil` if it is missing or has low confidence. z is 0 without depth.
  @inline(__always)
  func point(_ joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float>? {
    let place = poses.place(of: joint, frame)
    guard place.confidence > minimumConfidence && place.x.isFinite && place.y.isFinite else { return nil }
    return SIMD3(place.x, place.y, usesDepth && place.z.isFinite ? place.z : 0)
  }

  /// Writes the mean over the sides with a value for each frame; NaN if neither has one.
  @inline(__always)
  func meanOverSides(
    _ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>,
    _ measure: (Side, borrowing PoseColumns, Int) -> Float?
  ) {
    for frame in 0..<poses.count {
      output[frame] = Self.mean(measure(.left, poses, frame), measure(.right, poses, frame))
    }
  }

  /// The mean of the known values; NaN if neither is known.
  @inline(__always)
  static func mean(_ left: Float?, _ right: Float?) -> Float {
    switch (left, right) {
    case (let left?, let right?): 0.5 * (left + right)
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): .nan
    }
  }
}

/// The parameters that decide which joints a detector trusts.
public struct VisibilityThresholds: Hashable, Sendable {
  /// The confidence that a joint must exceed, 0...1.
  public var minimumConfidence: Parameter
  /// A toggle: whether depth is used if a recording has it.
  public var usesDepth: Parameter

  public init(minimumConfidence: Parameter, usesDepth: Parameter) {
    self.minimumConfidence = minimumConfidence
    self.usesDepth = usesDepth
  }

  var all: [Parameter] { [minimumConfidence, usesDepth] }

  func visibility(_ values: ParameterValues) -> Visibility {
    Visibility(minimumConfidence: Float(values[minimumConfidence]), usesDepth: values.isOn(usesDepth))
  }

  /// Joints above 0.3, angles in the image: the squat analyser runs on Apple Vision's 2D body pose.
  static let squatAnalyser = VisibilityThresholds(
    minimumConfidence: Parameter(
      "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
      source: "squat form analyser: confidenceThreshold"),
    usesDepth: .toggle(
      "usesDepth", false, "Measures angles in 3D instead of in the image if the recording has depth.",
      source: "off: the squat form analyser sees 2D poses"))
}

/// The lowest confidence of some joints, 0...1; a missing joint counts as 0.
public struct LowestConfidence: Signal {
  /// The parts whose confidence counts.
  public var parts: [BodyPart]
  /// Whether both sides must be seen, or the better one is enough.
  public var needsBothSides: Bool

  public init(_ parts: [BodyPart], needsBothSides: Bool) {
    self.parts = parts
    self.needsBothSides = needsBothSides
  }

  public var name: String { "lowest confidence" }
  public var unit: String { "" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      var left = Float(1)
      var right = Float(1)
      for index in parts.indices {
        let part = parts[index]
        left = lower(left, poses.confidence(part, .left, frame))
        right = lower(right, poses.confidence(part, .right, frame))
      }
      output[frame] = needsBothSides ? min(left, right) : max(left, right)
    }
  }

  private func lower(_ a: Float, _ b: Float) -> Float { b.isFinite ? min(a, b) : 0 }
}
