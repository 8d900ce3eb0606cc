import Datasets
import PoseModel
import Scoring
import Statistics

/// What a run found on one clip.
public struct ClipResult: Codable, Hashable, Sendable {
  public struct RepTimes: Codable, Hashable, Sendable {
    /// Seconds.
    public var start: Double
    public var end: Double
    public var turn: Double?

    public init(_ rep: Rep) {
      start = rep.start.seconds
      end = rep.end.seconds
      turn = rep.turn?.seconds
    }
  }

  public struct PredictedRep: Codable, Hashable, Sendable {
    public var rep: RepTimes
    /// When it was reported, seconds of the recording.
    public var reported: Double
    /// Position of the true rep that it is, `nil` for a false one.
    public var matches: Int?
  }

  public struct GradedRep: Codable, Hashable, Sendable {
    /// Position of the true rep; `nil` for the whole clip.
    public var rep: Int?
    public var predicted: Double?
    /// By rater.
    public var ratings: [String: Double]

    /// What the raters gave, sorted; summed in this order, so that a dictionary's order does not show.
    public var sortedRatings: [Double] { ratings.values.sorted() }
    public var mean: Double? { Statistics.mean(sortedRatings) }
  }

  /// What people judged for faults, and what a detector said of it.
  public struct JudgedRep: Codable, Hashable, Sendable {
    /// Position of the true rep; `nil` for the whole clip.
    public var rep: Int?
    /// `nil` where the detector gave none.
    public var grade: Double?
    public var isFaulty: Bool
    public var isReported: Bool
  }

  /// What one detector said.
  public struct Outcome: Codable, Hashable, Sendable {
    public var count: Int?
    public var reps: [PredictedRep]?
    public var graded: [GradedRep]
    /// Milliseconds from the true end of each matched rep, in the recording's time.
    public var reportDelays: [Double]
    /// Milliseconds from each report to its cue, live.
    public var liveDelays: [Double]
    /// What was taken for what, frames or strokes; `nil` for a detector that names nothing.
    public var classes: ConfusionMatrix?
    /// Of a detector that judges; `nil` in runs that were kept before this was.
    public var judged: [JudgedRep]?
  }

  public var name: String
  public var dataset: String
  public var subject: String
  public var exercise: String
  public var view: String
  public var fps: Double
  public var frames: Int
  /// Seconds from the first to the last frame.
  public var duration: Double
  public var trueCount: Int?
  public var trueReps: [RepTimes]?
  /// By detector.
  public var outcomes: [String: Outcome]

  /// `squat-sample/s01_side_1`
  public var id: String { "\(dataset)/\(name)" }

  /// Predicted minus true count of a detector.
  public func countError(_ detector: String) -> Int? {
    guard let trueCount, let count = outcomes[detector]?.count else { return nil }
    return count - trueCount
  }

  /// Reps missed and reps made up, together.
  public func wrongReps(_ detector: String) -> Int {
    guard let trueReps, let reps = outcomes[detector]?.reps else { return 0 }
    let matched = reps.count { $0.matches != nil }
    return trueReps.count - matched + reps.count - matched
  }

  /// How wrong a detector is, the gravest kind of error first; what it doesn't do is 0.
  fileprivate func errors(of detector: String) -> [Double] {
    guard let outcome = outcomes[detector] else { return [0] }
    let mistaken = outcome.classes.map { $0.total - $0.detections.reduce(0) { $0 + $1.truePositives } } ?? 0
    let distances = outcome.graded.compactMap { graded in
      graded.predicted.flatMap { predicted in graded.mean.map { abs(predicted - $0) } }
    }
    let misjudged = (outcome.judged ?? []).count { $0.isFaulty != $0.isReported }
    return [
      Double(abs(countError(detector) ?? 0)), Double(wrongReps(detector) + mistaken), mean(distances) ?? 0,
      Double(misjudged),
    ]
  }
}

extension RunResults {
  /// What a detector took for what in all clips together; `nil` where it names nothing or nobody labelled anything.
  public func classes(_ detector: String) -> ConfusionMatrix? {
    let matrices = clips.compactMap { $0.outcomes[detector]?.classes }
    guard let first = matrices.first else { return nil }
    let sum = matrices.dropFirst().reduce(first, +)
    return sum.total > 0 ? sum : nil
  }

  /// The clips on which a detector goes wrong, the worst first: by its count error, then by what it misses, makes up or
  /// takes for something else; a rep counter by no more than these, another then by how far its grades are from people's,
  /// and by what it misjudges. Then by name.
  public func worstClips(_ detector: String) -> [ClipResult] {
    let isCounter = detectors.contains { $0.name == detector && $0.kind == "reps" }
    return clips.map { ($0, Array($0.errors(of: detector).prefix(isCounter ? 2 : 4))) }.filter {
      $0.1.contains { $0 > 0 }
    }
    .sorted { $0.1 != $1.1 ? $1.1.lexicographicallyPrecedes($0.1) : $0.0.id < $1.0.id }.map(\.0)
  }

  /// The first detector that counts reps.
  public var counter: String? { detectors.first { $0.kind == "reps" }?.name }

  /// The first detector that grades.
  public var scorer: String? { detectors.first { $0.kind == "form" }?.name }
}
