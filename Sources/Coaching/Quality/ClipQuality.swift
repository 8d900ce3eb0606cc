import PoseModel

/// Whether a clip is good enough to be coached on: its frame rate, its length, and how well it shows the person.
///
/// The AI coach guide's `VideoQualityAssessment` reads the duration and throws where it is not above 0; for resolution,
/// frame rate and verdict it returns the constants 1920x1080, 30 and `true`, whatever the video. `isValid` is its rule;
/// `shortcomings` are what can be measured on keypoints. Keypoints have no resolution: in pixels their image's height is
/// known, otherwise nothing is, and its place is taken by the person's size and the estimator's confidence.
public struct ClipQuality: Hashable, Sendable {
  /// What a clip should have. Defaults that the guide does not give are this port's.
  public struct Standard: Hashable, Sendable {
    /// Frames a second: the least at which the sister documents (squat form analyser, tennis architecture) process.
    public var frameRate = 15.0
    /// Seconds: one slow repetition.
    public var duration = 2.0
    /// Share of the frames in which a person is found, as the guide's completeness of a pose.
    public var personShare = 0.8
    /// Mean confidence of the joints found: the guide's of a detected joint.
    public var confidence = 0.5
    /// Of the person in the picture, in image heights. COCO calls a person small below 32 of 480 pixels.
    public var personHeight = 0.25
    /// Pixels: half of the guide's 1080.
    public var imageHeight = 540.0

    public init() {}
  }

  /// What of a clip falls short of the standard.
  public enum Shortcoming: Hashable, Sendable {
    /// Each is the property of `Standard` and `ClipQuality` of the same name.
    case frameRate, duration, personShare, confidence, personHeight, imageHeight
  }

  /// Median frames a second; `nil` with fewer than two frames.
  public let frameRate: Double?
  /// Seconds from the first frame to the end of the last.
  public let duration: Double
  /// Share of the frames with at least one joint, 0...1; `nil` without a frame.
  public let personShare: Double?
  /// Mean confidence of the joints that have a place; `nil` where no joint has one.
  public let confidence: Double?
  /// Median height or width of the joints' box, whichever is greater, in image heights; `nil` where a recording has no
  /// image heights, or nobody is found.
  public let personHeight: Double?
  /// Pixels, where the recording is in pixels.
  public let imageHeight: Double?
  /// What the clip is compared with.
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
    sizes.sort()
    switch coordinates.unit {
    case .pixel(let height):
      imageHeight = coordinates.unit == .imageHeight ? nil : height
      personHeight = sizes.isEmpty ? nil : Double(sizes[sizes.count / 2])
    case .image:
      imageHeight = nil
      personHeight = sizes.isEmpty ? nil : Double(sizes[sizes.count / 2])
    case .metre, .relative:
      imageHeight = nil
      personHeight = nil
    }
    self.standard = standard
  }

  /// The guide's own verdict: the clip has a duration.
  public var isValid: Bool { duration > 0 }

  /// Where the clip falls short of the standard; what is not known does not.
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
