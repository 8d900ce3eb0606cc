import Coaching
import PoseModel
import Scoring
import Statistics

/// What a run found on one clip.
public struct ClipResult: Codable, Hashable, Sendable {
  public struct RepSpan: Codable, Hashable, Sendable {
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
    public var rep: RepSpan
    /// When it was reported, seconds of the recording.
    public var reported: Double
    /// Position of the true rep that it is, `nil` for a false one.
    public var matches: Int?
    /// Why it is a false one; `nil` for a true one, where nobody marked the true ones, and in runs of before it was kept.
    public var reason: RepReason?
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
    /// Of each metric over found cases only, a value for every true case, `nil` for one that was not found; absent in runs of
    /// before it was kept.
    public var cases: [String: [Double?]]?
    /// The labelled reps, or strokes, that were not found, or of a detector that only judges, not judged; `nil` where there
    /// are none, and in runs of before it was kept.
    public var missed: [MissedRep]?
  }

  public var name: String
  public var dataset: String
  public var subject: String
  /// What several datasets call the same people; `nil` where they are the dataset's own.
  public var people: String?
  public var exercise: String
  public var view: String
  public var fps: Double
  public var frames: Int
  /// Seconds from the first to the last frame.
  public var duration: Double
  public var trueCount: Int?
  public var trueReps: [RepSpan]?
  /// By detector.
  public var outcomes: [String: Outcome]

  /// `squat-sample/s01_side_1`
  public var id: String { "\(dataset)/\(name)" }

  /// `squat-sample/s01`, the one person whatever the dataset: the unit of all inference.
  public var person: String { "\(people ?? dataset)/\(subject)" }

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

extension ClipResult.Outcome {
  /// What a detector's tallies of a clip amount to.
  ///
  /// - Parameter trace: of the signal that it counts by; called only where something was missed.
  init(
    _ clip: LabelledPrediction, _ tallies: ClipTallies, by families: [any MetricFamily], of profile: DetectorProfile,
    matching: RepMatching, trace: () -> CountingTrace?
  ) {
    let cases = families.map { $0.caseValues(clip) }.reduce(into: [:]) { all, own in
      all.merge(own) { first, _ in first }
    }
    let reps = clip.prediction.reps
    let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: reps?.map(\.rep) ?? [])
    let reasons = RepReasons(clip, of: profile, pairs: pairs, matching: matching, trace: trace)
    let truthOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.predicted, $0.truth) })
    let delays = tallies.tally(of: LatencyMetrics.self)
    var judged = tallies.tally(of: AnyFaultMetrics.self)?.judged
    if judged == nil, let criterion = profile.criterion {
      // No metric of a detector without faults of its own looks at what people found faulty; its grades are drawn by it.
      judged = AnyFaultMetrics(matching: matching, criterion: criterion).tally(clip).judged
    }
    self.init(
      count: clip.prediction.count,
      reps: reps?.enumerated().map { index, counted in
        ClipResult.PredictedRep(
          rep: ClipResult.RepSpan(counted.rep), reported: counted.reported.seconds, matches: truthOf[index],
          reason: reasons?.wrong[index])
      },
      graded: (tallies.tally(of: GradeMetrics.self) ?? []).map {
        ClipResult.GradedRep(rep: $0.rep, predicted: $0.predicted, ratings: $0.ratings)
      },
      reportDelays: delays?.report ?? [], liveDelays: delays?.live ?? [],
      classes: tallies.tally(of: StrokeMetrics.self)?.confusion ?? tallies.tally(of: SegmentMetrics.self)?.frames,
      judged: judged?.map {
        ClipResult.JudgedRep(rep: $0.rep, grade: $0.grade, isFaulty: $0.isFaulty, isReported: $0.isReported)
      }, cases: cases.isEmpty ? nil : cases)
    missed = reasons?.missedReps
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

/// What a detector got wrong on a clip, by what it does: what does not apply is `nil`.
public struct ClipMistakes: Codable, Hashable, Sendable {
  /// Reps that were counted.
  public var counted: Int?
  /// Reps that there are.
  public var trueCount: Int?
  /// Reps missed and reps made up, together.
  public var wrongReps: Int?

  /// Strokes that the detector could name.
  public var strokes: Int?
  public var missedStrokes: Int?
  public var falseStrokes: Int?
  /// Found, and taken for others.
  public var misnamedStrokes: Int?

  /// Of the recording, in which people labelled what the detector tells.
  public var labelledSeconds: Double?
  /// Of these, in which it says something else or nothing.
  public var wrongSeconds: Double?

  /// Reps, or clips, that people graded and the detector too.
  public var graded: Int?
  /// How far the grades are from the raters' means, on average; points.
  public var gradeDistance: Double?
  /// Reps, or clips, that people judged for faults.
  public var judged: Int?
  /// Of these, faulty ones that were not reported and sound ones that were.
  public var misjudged: Int?

  /// - Parameter kind: the detector's: `swing`.
  public init(_ clip: ClipResult, detector: String, kind: String) {
    guard let outcome = clip.outcomes[detector] else { return }
    if kind == "reps" {
      (counted, trueCount) = (outcome.count, clip.trueCount)
      if clip.trueReps != nil, outcome.reps != nil { wrongReps = clip.wrongReps(detector) }
    }
    if let classes = outcome.classes {
      let total = classes.total
      let right = classes.detections.reduce(0) { $0 + $1.truePositives }
      if kind == "swing" {
        let none = classes.labels.firstIndex(of: StrokeMetrics.none)
        let (made, missed) = (none.map { classes.support[$0] } ?? 0, none.map { classes.predicted[$0] } ?? 0)
        (strokes, missedStrokes, falseStrokes) = (total - made, missed, made)
        misnamedStrokes = total - right - made - missed
      } else if clip.fps > 0 {
        (labelledSeconds, wrongSeconds) = (Double(total) / clip.fps, Double(total - right) / clip.fps)
      }
    }
    let distances = outcome.graded.compactMap { graded in
      graded.predicted.flatMap { predicted in graded.mean.map { abs(predicted - $0) } }
    }
    (graded, gradeDistance) = (distances.isEmpty ? nil : distances.count, mean(distances))
    if let answers = outcome.judged, !answers.isEmpty {
      (judged, misjudged) = (answers.count, answers.count { $0.isFaulty != $0.isReported })
    }
  }
}

extension RunResults {
  /// The detector whose clips are shown: the first that counts reps, or that finds strokes, or that names what people
  /// labelled, or that grades; `nil` where none does.
  public var shownDetector: String? {
    counter ?? detectors.first { $0.kind == "swing" }?.name ?? detectors.first { classes($0.name) != nil }?.name
      ?? scorer
  }

  /// What a detector got wrong on a clip.
  public func mistakes(_ detector: String, on clip: ClipResult) -> ClipMistakes {
    ClipMistakes(clip, detector: detector, kind: detectors.first { $0.name == detector }?.kind ?? "")
  }
}

/// What a detector says of a clip besides how many reps there are, as far as there are labels to compare it with: enough
/// to tell on which clips another version says something else. What does not apply is `nil`.
public struct PredictionSummary: Codable, Hashable, Sendable {
  /// Of its reps those that are true ones.
  public var matchedReps: Int?
  public var missedStrokes: Int?
  public var falseStrokes: Int?
  /// Found, and taken for others.
  public var misnamedStrokes: Int?
  /// Of the recording, in which it says something else than people or nothing.
  public var wrongSeconds: Double?
  /// Of the reps, or the clip, that people graded.
  public var meanGrade: Double?
  /// Reps, or clips, whose faults were not reported, and sound ones that were.
  public var misjudged: Int?

  public init() {}

  /// - Parameter kind: the detector's: `swing`.
  public init(_ clip: ClipResult, detector: String, kind: String) {
    guard let outcome = clip.outcomes[detector] else { return }
    if clip.trueReps != nil { matchedReps = outcome.reps?.count { $0.matches != nil } }
    let mistakes = ClipMistakes(clip, detector: detector, kind: kind)
    (missedStrokes, falseStrokes) = (mistakes.missedStrokes, mistakes.falseStrokes)
    misnamedStrokes = mistakes.misnamedStrokes
    (wrongSeconds, misjudged) = (mistakes.wrongSeconds, mistakes.misjudged)
    meanGrade = Statistics.mean(outcome.graded.compactMap(\.predicted))
  }

  /// Whether nobody labelled anything that the detector tells.
  var isEmpty: Bool { self == PredictionSummary() }
}
