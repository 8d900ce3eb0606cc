import Coaching
import Datasets
import PoseModel

/// Finds recordings whose depth an estimator guesses: limbs change their lengths in space from frame to frame. A guess
/// that makes an angle's movement smaller than in the picture is worse than none.
struct GuessedDepth: DatasetCheck {
  let name = "guessed-depth"
  let title = "depth is guessed by the estimator"
  let threshold = """
    in more than half of the clips with depth, limbs change their lengths from one thirtieth of a second to the next by \
    0.15 % or more; an angle whose range in space is below 90 % of that in the picture is worse for its depth. Motion \
    capture: 0.03 % and 97 to 120 %; BlazePose: 2 to 3 % and 58 to 78 %
    """
  let remedy =
    "none needed: exercise-* measure angles in the picture there; for others try --set KIND.DETECTOR.usesDepth=0"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let fits = dataset.members.compactMap(\.depth)
    let guessed = fits.filter { $0.steadyShare < 0.5 }
    guard guessed.count * 2 > fits.count, let first = guessed.first else { return [] }
    let smaller = first.ranges.keys.sorted().compactMap { angle -> (angle: String, ratio: Float)? in
      let ratios = guessed.compactMap { $0.ranges[angle] }
      guard !ratios.isEmpty else { return nil }
      let ratio = value(ofRank: ratios.count / 2, in: ratios)
      return ratio < DepthFit.leastRange ? (angle, ratio) : nil
    }
    let words = "limbs change their lengths in space from frame to frame in \(guessed.count) of \(fits.count) clips"
    guard let least = smaller.min(by: { $0.ratio < $1.ratio }) else {
      return [finding(.note, weight: Double(guessed.count), words)]
    }
    return [
      finding(
        .warning, weight: Double(guessed.count),
        "\(words), and the \(least.angle)'s angle moves by \(percent(Double(least.ratio))) of its range in the picture: "
          + "depth is worse than none")
    ]
  }
}

/// How a clip's depth agrees with a body.
struct DepthFit: Sendable {
  /// The share of frames in which the limbs of an arm or a leg keep their lengths, 0…1.
  let steadyShare: Float
  /// The range of each angle in space by that in the picture, from the 5th to the 95th percentile; only of angles that
  /// move by 20° or more in the picture.
  let ranges: [String: Float]

  /// Depth that shows less of a movement than this is worse than none.
  static let leastRange: Float = 0.9
  private static let leastMovement: Float = 20
  private static let angles = [("elbow", "shoulder", "elbow", "wrist"), ("knee", "hip", "knee", "ankle")]

  /// `nil` for a clip without depth.
  init?(_ poses: PoseSequence) {
    var (steady, frames) = (0, 0)
    var ranges: [String: Float] = [:]
    for (name, from, vertex, to) in Self.angles {
      guard let from = BodyPart(from), let vertex = BodyPart(vertex), let to = BodyPart(to) else { continue }
      let space = Visibility(minimumConfidence: 0, usesDepth: true)
      let picture = Visibility(minimumConfidence: 0, usesDepth: false)
      let signals: [any Signal] = [
        LimbsInSpace(from: from, vertex: vertex, to: to, space),
        JointAngle(from: from, vertex: vertex, to: to, side: .mean, space),
        JointAngle(from: from, vertex: vertex, to: to, side: .mean, picture),
      ]
      let table = SignalTable(signals, on: poses)
      let columns = signals.map { table.values(of: $0) }
      var limbs = SteadyLimbs()
      for (length, time) in zip(columns[0], poses.times) where length.isFinite {
        frames += 1
        if limbs.areSteady(length, at: time) { steady += 1 }
      }
      let known = zip(columns[1], columns[2]).filter { $0.0.isFinite && $0.1.isFinite }
      guard let inPicture = Self.range(known.map(\.1)), inPicture >= Self.leastMovement,
        let inSpace = Self.range(known.map(\.0))
      else { continue }
      ranges[name] = inSpace / inPicture
    }
    guard frames > 0 else { return nil }
    steadyShare = Float(steady) / Float(frames)
    self.ranges = ranges
  }

  private static func range(_ values: [Float]) -> Float? {
    guard values.count >= 20 else { return nil }
    return value(ofRank: values.count * 95 / 100, in: values) - value(ofRank: values.count * 5 / 100, in: values)
  }
}
