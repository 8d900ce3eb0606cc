/// One of the people that an estimator found in a frame.
public struct DetectedPerson: Sendable {
  public var pose: PoseFrame
  /// How sure the estimator is of the person as a whole: higher is surer.
  public var score: Float
  /// Where the estimator drew a box.
  public var box: PersonBox?

  public init(pose: PoseFrame, score: Float, box: PersonBox? = nil) {
    self.pose = pose
    self.score = score
    self.box = box
  }

  /// A person of an estimator that scores only keypoints: the mean confidence of COCO's 17, a missing one counting 0, so
  /// that of two people equally sure the more complete one scores higher.
  public init(pose: PoseFrame) {
    var sum: Float = 0
    for joint in MoveNetKeypoints.joints { sum += pose[joint, .confidence] }
    self.init(pose: pose, score: sum / Float(MoveNetKeypoints.joints.count))
  }
}

/// A box around a person, in image heights with y down.
public struct PersonBox: Hashable, Sendable {
  public var left: Float
  public var top: Float
  public var right: Float
  public var bottom: Float

  public init(left: Float, top: Float, right: Float, bottom: Float) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }
}

extension PoseFrame {
  /// One frame of an estimator's keypoints on the common joints, mapped as a whole clip's are.
  ///
  /// - Parameters:
  ///   - values: keypoint by keypoint in the skeleton's order, channel by channel.
  ///   - coordinates: with a unit of no fixed size (`metre`, `relative`), the frame is scaled by its own trunk.
  /// - Precondition: `values` holds a value for each keypoint and channel.
  public init(
    _ values: [Float], channels: [Channel], at time: Microseconds, skeleton: Skeleton, coordinates: CoordinateSystem
  ) {
    let keypoints = Keypoints(
      times: [time], keypointCount: skeleton.keypoints.count, channels: channels, frames: values)
    self = PoseSequence(keypoints, skeleton: skeleton, coordinates: coordinates).frame(0)
  }
}
