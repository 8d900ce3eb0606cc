/// Reads the output of MoveNet's single-pose models, [1, 1, 17, 3]: (y, x, confidence) of COCO's 17 keypoints, all in
/// 0...1 of the input.
///
/// The model gives every keypoint a position, even outside the image, then with low confidence: its card recommends a
/// threshold of 0.3. A value that is not finite is a missing joint.
///
/// Source: Google, MoveNet.SinglePose model card, 2021, Outputs.
public struct MoveNetSinglePose: Hashable, Sendable {
  /// The shape of the output tensor: one image, one person, 17 keypoints of (y, x, score).
  public static let shape = [1, 1, 17, 3]

  /// The part of the image in the model's input.
  public var region: InputRegion

  public init(region: InputRegion) { self.region = region }

  /// Replaces the frame's joints by those of the tensor; its time stays. Does not allocate.
  ///
  /// - Throws: `TensorError.wrongCount` unless there are 51 values; the frame is then unchanged.
  public func decode(_ tensor: UnsafeBufferPointer<Float>, into frame: inout PoseFrame) throws(TensorError) {
    guard tensor.count == MoveNetKeypoints.width else {
      throw .wrongCount(shape: Self.shape, found: tensor.count)
    }
    MoveNetKeypoints.decode(tensor, from: 0, region: region, into: &frame)
  }

  /// Decodes the tensor from an array.
  public func decode(_ tensor: [Float], into frame: inout PoseFrame) throws(TensorError) {
    try tensor.withUnsafeBufferPointer { (tensor) throws(TensorError) in try decode(tensor, into: &frame) }
  }
}

/// The 17 rows of (y, x, confidence) at the start of both MoveNet outputs.
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

/// Reads the output of MoveNet's multi-pose model, [1, 6, 56]: of each of up to six people COCO's 17 keypoints as
/// (y, x, confidence), then the box (ymin, xmin, ymax, xmax) and the person's score, all in 0...1.
///
/// Unused rows have low scores. The people's frames are allocated once and reused.
///
/// Source: Google, MoveNet.MultiPose model card, 2021, Outputs; the least score from tfjs-models' pose-detection,
/// `movenet/constants.ts`, `DEFAULT_MIN_POSE_SCORE`.
public struct MoveNetMultiPose: Sendable {
  /// The shape of the output tensor: one image, six people of 17 keypoints of (y, x, score), a box and a score.
  public static let shape = [1, 6, 56]

  /// The part of the image in the model's input.
  public var region: InputRegion
  /// People with a lower score are left out.
  public var minimumScore: Float
  /// The people of the last tensor, in its order.
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
  /// - Throws: `TensorError.wrongCount` unless there are 336 values; `people` are then unchanged.
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

  /// Decodes the tensor from an array.
  public mutating func decode(_ tensor: [Float], at time: Microseconds) throws(TensorError) {
    try tensor.withUnsafeBufferPointer { (tensor) throws(TensorError) in try decode(tensor, at: time) }
  }
}

/// The part of an image in a network's input, in image heights, to map its output back.
///
/// It may reach beyond the image: a letterboxed input shows the image with bars beside it or above and below.
public struct InputRegion: Hashable, Sendable {
  /// The input's left edge; negative if there is a bar beside the image.
  public var left: Float
  /// The input's upper edge; negative if there is a bar above the image.
  public var top: Float
  /// The input's width in image heights, above 0.
  public var width: Float
  /// The input's height in image heights, above 0.
  public var height: Float

  public init(left: Float, top: Float, width: Float, height: Float) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// The whole image, stretched to the input's shape.
  ///
  /// - Parameter aspect: the image's width divided by its height.
  public static func stretched(aspect: Float) -> InputRegion {
    InputRegion(left: 0, top: 0, width: aspect, height: 1)
  }

  /// The whole image in the middle of the input, scaled as large as fits, with bars of whole pixels.
  ///
  /// Rounds like `tf.image.resize_with_pad` in MoveNet's examples: the scaled image and the bar before it are cut to
  /// whole pixels, the bar after it takes the rest.
  ///
  /// - Precondition: all sizes are positive.
  public static func letterbox(
    imageWidth: Int, imageHeight: Int, inputWidth: Int = 192, inputHeight: Int = 192
  ) -> InputRegion {
    precondition(imageWidth > 0 && imageHeight > 0 && inputWidth > 0 && inputHeight > 0)
    // Compares width / inputWidth with height / inputHeight, without a division that rounds.
    let isWide = imageWidth * inputHeight >= imageHeight * inputWidth
    let contentWidth = isWide ? inputWidth : max(1, imageWidth * inputHeight / imageHeight)
    let contentHeight = isWide ? max(1, imageHeight * inputWidth / imageWidth) : inputHeight
    let aspect = Float(imageWidth) / Float(imageHeight)
    // Image heights per input pixel.
    let (x, y) = (aspect / Float(contentWidth), 1 / Float(contentHeight))
    return InputRegion(
      left: -Float((inputWidth - contentWidth) / 2) * x, top: -Float((inputHeight - contentHeight) / 2) * y,
      width: Float(inputWidth) * x, height: Float(inputHeight) * y)
  }

  /// Converts a position in 0...1 of the input to image heights.
  @inlinable public func place(x: Float, y: Float) -> (x: Float, y: Float) { (left + x * width, top + y * height) }

  /// The share of the input covered by the bar to the left and by the bar above; 0 without bars.
  public var padding: (left: Float, top: Float) { (max(0, -left / width), max(0, -top / height)) }
}

/// Why a model's output can't be read.
public enum TensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of values differs from the shape's.
  case wrongCount(shape: [Int], found: Int)

  /// A sentence for people: what was expected and what was found.
  public var description: String {
    switch self {
    case .wrongCount(let shape, let found):
      "expected \(shape.reduce(1, *)) values of a tensor of shape \(shape), found \(found)"
    }
  }
}
