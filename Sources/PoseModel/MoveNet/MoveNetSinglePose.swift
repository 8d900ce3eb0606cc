/// Reads the output of MoveNet's single-pose models, [1, 1, 17, 3]: (y, x, confidence) of COCO's 17 keypoints, all in
/// 0...1 of the input.
///
/// The model gives every keypoint a place, also those out of the picture, with low confidence: 0.3 is the threshold that
/// its card recommends. A value that is not finite is a missing joint.
///
/// Source: Google, MoveNet.SinglePose model card, 2021, Outputs.
public struct MoveNetSinglePose: Hashable, Sendable {
  public static let shape = [1, 1, 17, 3]

  /// What the model's input showed of the image.
  public var region: InputRegion

  public init(region: InputRegion) { self.region = region }

  /// Replaces the frame's joints by those of the tensor; its time stays. Does not allocate.
  ///
  /// - Throws: `TensorError.wrongCount` unless there are 51 values; the frame is then as it was.
  public func decode(_ tensor: UnsafeBufferPointer<Float>, into frame: inout PoseFrame) throws(TensorError) {
    guard tensor.count == MoveNetKeypoints.width else {
      throw .wrongCount(shape: Self.shape, found: tensor.count)
    }
    MoveNetKeypoints.decode(tensor, from: 0, region: region, into: &frame)
  }

  /// The same from an array.
  public func decode(_ tensor: [Float], into frame: inout PoseFrame) throws(TensorError) {
    try tensor.withUnsafeBufferPointer { (tensor) throws(TensorError) in try decode(tensor, into: &frame) }
  }
}

/// The 17 rows of (y, x, confidence) that both of MoveNet's outputs begin with.
enum MoveNetKeypoints {
  static let joints = Skeleton.coco17.keypoints.compactMap { Joint(name: $0) }
  static let width = 17 * 3

  /// - Precondition: `tensor` holds `width` values from `start` on.
  static func decode(
    _ tensor: UnsafeBufferPointer<Float>, from start: Int, region: InputRegion, into frame: inout PoseFrame
  ) {
    frame.clear()
    for (index, joint) in joints.enumerated() {
      let row = start + index * 3
      let (y, x, confidence) = (tensor[row], tensor[row + 1], tensor[row + 2])
      guard y.isFinite && x.isFinite && confidence.isFinite else { continue }
      let place = region.place(x: x, y: y)
      frame.set(joint, x: place.x, y: place.y, confidence: min(max(confidence, 0), 1))
    }
    frame.setMidpoints()
  }
}
