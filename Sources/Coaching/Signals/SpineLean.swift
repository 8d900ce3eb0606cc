import PoseModel

/// How far the line from the middle of the hips to the neck leans from the vertical: 0 degrees is upright.
///
/// Unlike `TrunkLean`, which is for a side view, it does not take a frontal view's tapering sides for a lean.
public struct SpineLean: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "spine lean" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      guard let root = visibility.point(.root, poses, frame), let neck = visibility.point(.neck, poses, frame) else {
        output[frame] = .nan
        continue
      }
      output[frame] = Angle.fromVertical(lower: root, upper: neck)
    }
  }
}
