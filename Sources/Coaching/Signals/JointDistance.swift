import PoseModel

/// How far two joints are from each other, in image heights; in space where depth is used, else in the picture.
///
/// NaN where one of the two is missing or not sure enough.
public struct JointDistance: Signal {
  public var first: Joint
  public var second: Joint
  public var visibility: Visibility

  public init(_ first: Joint, _ second: Joint, _ visibility: Visibility) {
    self.first = first
    self.second = second
    self.visibility = visibility
  }

  public var name: String { "\(first.name) to \(second.name)" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      guard let a = visibility.point(first, poses, frame), let b = visibility.point(second, poses, frame) else {
        output[frame] = .nan
        continue
      }
      let offset = b - a
      output[frame] = (offset * offset).sum().squareRoot()
    }
  }
}
