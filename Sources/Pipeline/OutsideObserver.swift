import Coaching
import Datasets
import PoseModel
import Scoring

/// An observer that runs in another program.
public protocol OutsideObserver: PoseObserver {
  /// Whether it receives poses; false if it repeats earlier predictions.
  var needsPoses: Bool { get }

  /// All events of a fresh detector on a clip, in order.
  ///
  /// - Parameter frameByFrame: Whether each frame is sent only after the answer to the one before.
  /// - Throws: `DataError` if the program breaks the protocol.
  func answers(on clip: OutsideClip, frameByFrame: Bool) throws -> OutsideAnswers

  /// The hash of the program's files.
  func filesHash() throws -> String
}

extension OutsideObserver {
  public var needsPoses: Bool { true }

  func answers(on clip: OutsideClip) throws -> OutsideAnswers { try answers(on: clip, frameByFrame: false) }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {}
}

/// A detector's events and measurements on a clip.
public struct OutsideAnswers: Sendable {
  /// The events in order of `reported`.
  public var events: [Event]
  /// After the last frame; `nil` if the detector gives none.
  public var countConfidence: Double?
  public var series: [Timeline.Series]
  /// The processing time of each frame by the program's own clock; empty if it does not report one.
  public var nanoseconds: [Double]
  /// The predictions in the form that scoring reads; `nil` if they follow from `events`.
  public var prediction: Prediction?

  public init(
    events: [Event], countConfidence: Double? = nil, series: [Timeline.Series] = [], nanoseconds: [Double] = [],
    prediction: Prediction? = nil
  ) {
    self.events = events
    self.countConfidence = countConfidence
    self.series = series
    self.nanoseconds = nanoseconds
    self.prediction = prediction
  }
}

/// A clip for an observer in another program.
public struct OutsideClip: Sendable {
  /// `squat-sample/s01_side_1`
  public let id: String
  /// Nominal frames a second.
  public let fps: Double
  public let manifest: Manifest
  /// The poses, as for detectors in Swift.
  public let poses: PoseSequence
  /// Whether the poses were perturbed or smoothed.
  let isAltered: Bool
  /// The later time and other place at which the program gets the clip; `nil` for its own.
  public let displacement: Displacement?
  private let clip: @Sendable () throws -> Clip

  init(
    id: String, fps: Double, manifest: Manifest, poses: PoseSequence, isAltered: Bool, isDisplaced: Bool,
    clip: @escaping @Sendable () throws -> Clip
  ) {
    self.id = id
    self.fps = fps
    self.manifest = manifest
    self.poses = poses
    self.isAltered = isAltered
    displacement = isDisplaced ? Displacement(of: id, in: manifest.coordinates) : nil
    self.clip = clip
  }

  /// The same frames in the recording's own keypoints and units, displaced if the clip is.
  ///
  /// Perturbed or smoothed poses have only the keypoints that are common joints; the others are missing.
  ///
  /// - Throws: `EvaluationError` for a clip with labels only, and for perturbed poses in an unknown unit.
  public func recorded() throws -> Keypoints {
    let keypoints = try recordedHere()
    return displacement.map { keypoints.displaced(by: $0, in: manifest.coordinates) } ?? keypoints
  }

  private func recordedHere() throws -> Keypoints {
    guard let keypoints = try clip().keypoints, let skeleton = Skeleton.named(manifest.skeleton) else {
      throw EvaluationError.missing(what: "clip \(id)", expected: "poses", found: "labels only")
    }
    guard isAltered else { return keypoints.selecting(poses.times) }
    guard manifest.coordinates.unit != .metre, manifest.coordinates.unit != .relative else {
      throw EvaluationError.usage(
        "clip \(id): perturbed or smoothed poses have no recorded units where these are metres or relative; expected a "
          + "detector with poses: normalised")
    }
    return poses.keypoints(of: skeleton, channels: keypoints.channels, in: manifest.coordinates)
  }

  /// The common joints in image heights with y down, column by column, displaced if the clip is; without depth if no
  /// frame has it.
  public var normalised: Keypoints {
    let hasDepth = Joint.allCases.contains { poses.column($0, .z).contains { $0.isFinite } }
    let channels = Channel.allCases.filter { $0 != .z || hasDepth }
    let keypoints = Keypoints(
      times: poses.times, keypointCount: Joint.count, channels: channels,
      values: Joint.allCases.flatMap { joint in channels.flatMap { poses.column(joint, $0) } })
    return displacement.map { keypoints.displaced(by: $0, in: .normalised) } ?? keypoints
  }
}

extension CoordinateSystem {
  /// Image heights with y down, as detectors in Swift see every recording.
  public static let normalised = CoordinateSystem(unit: .imageHeight, yAxis: .down)
}

extension Keypoints {
  /// Selects the frames at these times, in order; all of them must exist.
  fileprivate func selecting(_ times: [Microseconds]) -> Keypoints {
    guard times.count != frameCount else { return self }
    var frames: [Int] = []
    var next = 0
    for time in times {
      while next < frameCount, self.times[next] < time { next += 1 }
      if next < frameCount { frames.append(next) }
    }
    let columns = 0..<keypointCount * channels.count
    return Keypoints(
      times: frames.map { self.times[$0] }, keypointCount: keypointCount, channels: channels,
      values: columns.flatMap { column in frames.map { values[column * frameCount + $0] } })
  }
}

extension PoseSequence {
  /// The common joints as keypoints of a skeleton in its own unit: the inverse of `init(_:skeleton:coordinates:)` for
  /// the keypoints that are joints.
  fileprivate func keypoints(of skeleton: Skeleton, channels: [Channel], in coordinates: CoordinateSystem) -> Keypoints
  {
    let (x, y) = coordinates.scale
    let sign: Float = coordinates.yAxis == .up ? -1 : 1
    var values = [Float](repeating: .nan, count: frameCount * skeleton.keypoints.count * channels.count)
    for joint in Joint.allCases {
      guard case .keypoint(let keypoint) = skeleton[joint] else { continue }
      for (place, channel) in channels.enumerated() {
        let factor: Float =
          switch channel {
          case .x, .z: 1 / x
          case .y: sign / y
          case .confidence: 1
          }
        let start = (keypoint * channels.count + place) * frameCount
        for (frame, value) in column(joint, channel).enumerated() { values[start + frame] = value * factor }
      }
    }
    return Keypoints(
      times: times, keypointCount: skeleton.keypoints.count, channels: channels, values: values)
  }
}
