import PoseModel

/// One of the measures that pose classes are told apart by, as a signal.
public struct PoseMeasure: Signal {
  public enum Quantity: String, CaseIterable, Hashable, Sendable {
    case trunkLean = "trunk lean"
    case legLean = "leg lean"
    case thighLean = "thigh lean"
    case shankLean = "shank lean"
    case kneeAngle = "knee angle"
    case hipAngle = "hip angle"
    case hipHeight = "hip height"
    case armSupport = "arm support"
    case imbalance
    case handHeight = "hand height"
    case hipClearance = "hip clearance"
  }

  public var quantity: Quantity
  public var visibility: Visibility

  public init(_ quantity: Quantity, _ visibility: Visibility) {
    self.quantity = quantity
    self.visibility = visibility
  }

  public var name: String { quantity.rawValue }

  public var unit: String {
    switch quantity {
    case .trunkLean, .legLean, .thighLean, .shankLean, .kneeAngle, .hipAngle: "degrees"
    case .hipHeight, .armSupport, .imbalance, .handHeight, .hipClearance: "trunk lengths"
    }
  }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    if quantity == .handHeight {
      for frame in 0..<poses.count { output[frame] = Self.handHeight(visibility, poses, frame) }
    } else {
      let parts = quantity.parts
      visibility.meanOverSides(poses, into: output) { side, poses, frame in
        SidePose(parts, of: side, visibility, poses, frame).value(of: quantity)
      }
    }
  }

  /// Needs the arms of both sides, unlike the others.
  static func handHeight(_ visibility: Visibility, _ poses: borrowing PoseColumns, _ frame: Int) -> Float {
    guard let nose = visibility.point(.nose, poses, frame), let neck = visibility.point(.neck, poses, frame),
      let root = visibility.point(.root, poses, frame), let left = visibility.point(.leftWrist, poses, frame),
      let right = visibility.point(.rightWrist, poses, frame)
    else { return .nan }
    return (nose.y - max(left.y, right.y)) / SidePose.length(root, neck)
  }
}

extension PoseMeasure.Quantity {
  /// The parts of a side that it is measured on: ten signals that each look at all would look five times as often.
  fileprivate var parts: SidePose.Parts {
    switch self {
    case .trunkLean: [.hip, .shoulder]
    case .legLean: [.hip, .knee, .ankle]
    case .thighLean: [.hip, .knee]
    case .shankLean, .kneeAngle: [.hip, .knee, .ankle]
    case .hipAngle: [.hip, .shoulder, .knee]
    case .hipHeight: [.hip, .shoulder, .ankle]
    case .armSupport, .hipClearance: [.hip, .shoulder, .arm]
    case .imbalance: [.hip, .shoulder, .knee, .ankle]
    case .handHeight: []
    }
  }
}
