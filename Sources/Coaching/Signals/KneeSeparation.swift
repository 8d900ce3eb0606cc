import PoseModel

/// The distance between the knees divided by that between the ankles: the knee-to-ankle separation ratio.
///
/// 1 with the shanks upright, less where the knees cave in. A surrogate of knee abduction that is defined on pictures
/// from the front (Willis et al., Relationship Between 2-Dimensional Frontal Plane Measures and the Knee Abduction Angle
/// During the Drop Vertical Jump, Journal of Sport Rehabilitation 28, 2019). From the side, where the ankles are less than
/// `KneeSeparation.leastStance` trunk lengths apart in the picture, it is NaN.
public struct KneeSeparation: Signal {
  /// Trunk lengths. Hips are 0.66 trunk lengths apart (0.191 and 0.288 of stature, Drillis and Contini 1966).
  public static let leastStance: Float = 0.35

  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "knee separation" }
  public var unit: String { "ankle separations" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let leftKnee = visibility.point(.leftKnee, poses, frame),
        let rightKnee = visibility.point(.rightKnee, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame),
        let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame)
      else { continue }
      let stance = (leftAnkle - rightAnkle).levelLength
      guard stance > Self.leastStance * (neck - root).length else { continue }
      output[frame] = (leftKnee - rightKnee).levelLength / stance
    }
  }
}
