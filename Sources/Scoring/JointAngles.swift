import PoseModel

/// The angles of knees, hips, elbows and shoulders, which reps and form are measured by.
public struct BodyAngle: Hashable, Sendable {
  /// `left knee`
  public let name: String
  public let from: Joint
  public let vertex: Joint
  public let to: Joint

  /// Both sides of each.
  public static let all = [
    Self(name: "left knee", from: .leftHip, vertex: .leftKnee, to: .leftAnkle),
    Self(name: "right knee", from: .rightHip, vertex: .rightKnee, to: .rightAnkle),
    Self(name: "left elbow", from: .leftShoulder, vertex: .leftElbow, to: .leftWrist),
    Self(name: "right elbow", from: .rightShoulder, vertex: .rightElbow, to: .rightWrist),
    Self(name: "left hip", from: .leftShoulder, vertex: .leftHip, to: .leftKnee),
    Self(name: "right hip", from: .rightShoulder, vertex: .rightHip, to: .rightKnee),
    Self(name: "left shoulder", from: .leftHip, vertex: .leftShoulder, to: .leftElbow),
    Self(name: "right shoulder", from: .rightHip, vertex: .rightShoulder, to: .rightElbow),
  ]

  public var joints: [Joint] { [from, vertex, to] }

  /// Degrees, 0...180; NaN if a joint is missing.
  ///
  /// - Parameter inSpace: Whether the third coordinate counts; without it, the angle is that of the picture.
  public func degrees(in poses: PoseSequence, frame: Int, inSpace: Bool = false) -> Double {
    func place(_ joint: Joint) -> SIMD3<Float> {
      SIMD3(poses[joint, .x, frame], poses[joint, .y, frame], inSpace ? poses[joint, .z, frame] : 0)
    }
    return Double(Angle.at(place(vertex), between: place(from), and: place(to)))
  }
}

/// Sums over pairs of measurements of the same thing, by a reference and by another method. They pool by adding.
public struct PairedSums: Hashable, Sendable {
  public private(set) var count = 0
  private var reference = 0.0
  private var other = 0.0
  private var referenceSquares = 0.0
  private var otherSquares = 0.0
  private var products = 0.0

  public init() {}

  /// An angle in each frame in which both estimators have its joints.
  ///
  /// - Parameter inSpace: For each, whether its third coordinate counts.
  public init(
    of angle: BodyAngle, reference: PoseSequence, other: PoseSequence,
    inSpace: (reference: Bool, other: Bool) = (false, false)
  ) {
    for frame in reference.framesShared(with: other) {
      let a = angle.degrees(in: reference, frame: frame.own, inSpace: inSpace.reference)
      let b = angle.degrees(in: other, frame: frame.other, inSpace: inSpace.other)
      if a.isFinite && b.isFinite { add(reference: a, other: b) }
    }
  }

  public mutating func add(reference a: Double, other b: Double) {
    count += 1
    reference += a
    other += b
    referenceSquares += a * a
    otherSquares += b * b
    products += a * b
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.count += b.count
    sum.reference += b.reference
    sum.other += b.other
    sum.referenceSquares += b.referenceSquares
    sum.otherSquares += b.otherSquares
    sum.products += b.products
    return sum
  }

  /// Other minus reference, of one subject; `nil` without a pair.
  public var differences: BlandAltman.Subject? {
    guard count > 0 else { return nil }
    let mean = (other - reference) / Double(count)
    let squares = referenceSquares + otherSquares - 2 * products - Double(count) * mean * mean
    return BlandAltman.Subject(count: count, mean: mean, squares: max(squares, 0))
  }

  /// The intraclass correlations of the two methods; `nil` with fewer than two pairs.
  public var correlation: IntraclassCorrelation? {
    guard count > 1 else { return nil }
    let n = Double(count)
    let (sum, difference) = (reference + other, other - reference)
    let rows = (referenceSquares + otherSquares + 2 * products) / 2 - sum * sum / (2 * n)
    let within = (referenceSquares + otherSquares - 2 * products) / 2
    let columns = difference * difference / (2 * n)
    return IntraclassCorrelation(
      n: n, k: 2, rows: max(rows, 0) / (n - 1), within: max(within, 0) / n, columns: columns,
      residual: max(within - columns, 0) / (n - 1))
  }
}
