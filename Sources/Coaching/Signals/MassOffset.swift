import PoseModel

/// How far the body's centre of mass is to the side of the middle of the ankles in the picture, in trunk lengths.
///
/// Positive to the right. The centre of mass is that of head, arms and trunk (0.678 of the mass, 0.626 of the way from
/// hip to shoulder), thighs (0.100 each, 0.433 from the hip) and shanks with feet (0.061 each, 0.606 from the knee):
/// Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, table 4.1. A bar's mass is not in it. NaN
/// where trunk, knees or ankles are not all in sight.
public struct MassOffset: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "mass offset" }
  public var unit: String { "trunk lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame),
        let leftKnee = visibility.point(.leftKnee, poses, frame),
        let rightKnee = visibility.point(.rightKnee, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame)
      else { continue }
      let trunk = (neck - root).length
      guard trunk > 0 else { continue }
      let knee = 0.5 * (leftKnee.x + rightKnee.x)
      let ankle = 0.5 * (leftAnkle.x + rightAnkle.x)
      let mass =
        0.678 * (root.x + 0.626 * (neck.x - root.x)) + 0.2 * (root.x + 0.433 * (knee - root.x))
        + 0.122 * (knee + 0.606 * (ankle - knee))
      output[frame] = (mass - ankle) / trunk
    }
  }
}
