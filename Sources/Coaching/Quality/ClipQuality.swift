import PoseModel

/// Whether a clip is good enough for coaching: its frame rate, its length, and the visibility of the person.
///
/// The AI coach guide's `VideoQualityAssessment` reads the duration and throws unless it is above 0; for resolution,
/// frame rate and verdict it returns the constants 1920x1080, 30 and `true`, whatever the video. `isValid` is its rule;
/// `shortcomings` can be measured on keypoints. Keypoints have no resolution: the image's height is known only for
/// pixels, otherwise the person's size and the estimator's confidence replace it.
public struct ClipQuality: Hashable, Sendable {
  /// The requirements for a clip. Defaults that the guide does not give are this port's.
  public struct Standard: Hashable, Sendable {
    /// The lowest frame rate, per second, at which the related documents (squat form analyser, tennis architecture)
    /// process.
    public var frameRate = 15.0
    /// The shortest duration in seconds: one slow repetition.
    public var duration = 2.0
    /// The least share of frames with a person; the guide's completeness of a pose.
    public var personShare = 0.8
    /// The least mean confidence of the found joints; the guide's for a detected joint.
    public var confidence = 0.5
    /// The least height of the person in the image, in image heights. COCO calls a person small below 32 of 480 pixels.
    public var personHeight = 0.25
    /// The least height of the image in pixels: half of the guide's 1080.
    public var imageHeight = 540.0

    public init() {}
  }

  /// A requirement that a clip does not meet.
  public enum Shortcoming: Hashable, Sendable {
    /// Each is the property of `Standard` and `ClipQuality` of the same name.
    case frameRate, duration, personShare, confidence, personHeight, imageHeight
  }

  /// The median frame rate, per second; `nil` with fewer than two frames.
  public let frameRate: Double?
  /// Seconds from the first frame to the end of the last.
  public let duration: Double
  /// Share of the frames with at least one joint, 0...1; `nil` without a frame.
  public let personShare: Double?
  /// Mean confidence of the joints with a position; `nil` if no joint has one.
  public let confidence: Double?
  /// Median height or width of the joints' bounding box, whichever is greater, in image heights; `nil` if a recording
  /// has no image heights, or nobody is found.
  public let personHeight: Double?
  /// The image's height in pixels, if the recording is in pixels.
  public let imageHeight: Double?
  /// The standard for the comparison.
  public let standard: Standard

  public init(_ poses: PoseSequence, coordinates: CoordinateSystem, standard: Standard = Standard()) {
    let steps = zip(poses.times, poses.times.dropFirst()).map { $1 - $0 }.sorted()
    let step = steps.isEmpty ? nil : steps[steps.count / 2].seconds
    frameRate = step.map { 1 / $0 }
    duration = poses.times.first.flatMap { first in poses.times.last.map { ($0 - first).seconds + (step ?? 0) } } ?? 0
    var found = 0
    var confidences = (sum: 0.0, count: 0)
    var sizes: [Float] = []
    for frame in 0..<poses.frameCount {
      var low = SIMD2<Float>(repeating: .infinity)
      var high = -low
      for joint in Joint.allCases where poses[joint, .x, frame].isFinite {
        let place = SIMD2(poses[joint, .x, frame], poses[joint, .y, frame])
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
        confidences.sum += Double(poses[joint, .confidence, frame])
        confidences.count += 1
      }
      guard low.x <= high.x else { continue }
      found += 1
      sizes.append((high - low).max())
    }
    personShare = poses.frameCount > 0 ? Double(found) / Double(poses.frameCount) : nil
    confidence = confidences.count > 0 ? confidences.sum / Double(confidences.count) : nil
    let size = sizes.isEmpty ? nil : Double(value(ofRank: sizes.count / 2, in: sizes))
    switch coordinates.unit {
    case .pixel(let height):
      imageHeight = coordinates.unit == .imageHeight ? nil : height
      personHeight = size
    case .image:
      imageHeight = nil
      personHeight = size
    case .metre, .relative:
      imageHeight = nil
      personHeight = nil
    }
    self.standard = standard
  }

  /// The guide's own verdict: the clip has a duration.
  public var isValid: Bool { duration > 0 }

  /// The requirements that the clip does not meet; unknown values count as met.
  public var shortcomings: [Shortcoming] {
    func isShort(_ value: Double?, of least: Double) -> Bool { value.map { $0 < least } ?? false }
    let judged: [(Shortcoming, Bool)] = [
      // Frame times are whole microseconds, which puts a 15 fps clip at 14.9998.
      (.frameRate, isShort(frameRate, of: standard.frameRate * 0.999)),
      (.duration, isShort(duration, of: standard.duration)),
      (.personShare, isShort(personShare, of: standard.personShare)),
      (.confidence, isShort(confidence, of: standard.confidence)),
      (.personHeight, isShort(personHeight, of: standard.personHeight)),
      (.imageHeight, isShort(imageHeight, of: standard.imageHeight)),
    ]
    return judged.filter(\.1).map(\.0)
  }
}
