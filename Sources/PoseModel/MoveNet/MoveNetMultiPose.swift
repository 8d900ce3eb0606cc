/// Reads the output of MoveNet's multi-pose model, [1, 6, 56]: of each of up to six people COCO's 17 keypoints as
/// (y, x, confidence), then the box (ymin, xmin, ymax, xmax) and the person's score, all in 0...1.
///
/// The places of people who are not there hold low scores. The people's frames are made once and used again.
///
/// Source: Google, MoveNet.MultiPose model card, 2021, Outputs; the least score from tfjs-models' pose-detection,
/// `movenet/constants.ts`, `DEFAULT_MIN_POSE_SCORE`.
public struct MoveNetMultiPose: Sendable {
  public static let shape = [1, 6, 56]

  /// What the model's input showed of the image.
  public var region: InputRegion
  /// People below it are left out.
  public var minimumScore: Float
  /// Those of the last tensor, in its order.
  public var people: ArraySlice<DetectedPerson> { places[..<count] }

  private var places = [DetectedPerson](
    repeating: DetectedPerson(pose: PoseFrame(), score: 0), count: Self.shape[1])
  private var count = 0

  public init(region: InputRegion, minimumScore: Float = 0.25) {
    self.region = region
    self.minimumScore = minimumScore
  }

  /// Replaces `people` by those of the tensor. Does not allocate while nobody holds on to the last `people`.
  ///
  /// - Throws: `TensorError.wrongCount` unless there are 336 values; `people` are then as they were.
  public mutating func decode(
    _ tensor: UnsafeBufferPointer<Float>, at time: Microseconds
  ) throws(TensorError) {
    let width = Self.shape[2]
    guard tensor.count == places.count * width else { throw .wrongCount(shape: Self.shape, found: tensor.count) }
    count = 0
    for row in stride(from: 0, to: tensor.count, by: width) {
      let box = row + MoveNetKeypoints.width
      let score = tensor[box + 4]
      guard score >= minimumScore else { continue }
      MoveNetKeypoints.decode(tensor, from: row, region: region, into: &places[count].pose)
      places[count].pose.time = time
      places[count].score = score
      let (start, end) = (
        region.place(x: tensor[box + 1], y: tensor[box]), region.place(x: tensor[box + 3], y: tensor[box + 2])
      )
      places[count].box = PersonBox(left: start.x, top: start.y, right: end.x, bottom: end.y)
      count += 1
    }
  }

  /// The same from an array.
  public mutating func decode(_ tensor: [Float], at time: Microseconds) throws(TensorError) {
    try tensor.withUnsafeBufferPointer { (tensor) throws(TensorError) in try decode(tensor, at: time) }
  }
}
