import Coaching
import Datasets
import Files
import PoseModel
import Scoring
import Statistics

/// The result of a run on one clip.
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
    /// The time of the report, in seconds of the recording; `nil` if the system does not report one.
    public var reported: Double?
    /// Index of the matching true rep; `nil` for a false detection.
    public var matches: Int?
    /// The reason for a false detection; `nil` for a correct one, for clips without labelled reps, and in older runs.
    public var reason: RepReason?
  }

  public struct GradedRep: Codable, Hashable, Sendable {
    /// Index of the true rep; `nil` for the whole clip.
    public var rep: Int?
    public var predicted: Double?
    /// The raters' grades, by rater.
    public var ratings: [String: Double]

    /// The raters' grades, sorted, and summed in this order to make the result independent of a dictionary's order.
    public var sortedRatings: [Double] { ratings.values.sorted() }
    public var mean: Double? { Statistics.mean(sortedRatings) }
  }

  /// The faults that people judged, and the detector's prediction.
  public struct JudgedRep: Codable, Hashable, Sendable {
    /// Index of the true rep; `nil` for the whole clip.
    public var rep: Int?
    /// The detector's prediction; `nil` if it gave none.
    public var grade: Double?
    public var isFaulty: Bool
    public var isReported: Bool
  }

  /// The predictions of one detector.
  public struct Outcome: Codable, Hashable, Sendable {
    public var count: Int?
    /// The probability that the count is off by one rep at most; `nil` if unknown and in older runs.
    public var countConfidence: Double?
    public var reps: [PredictedRep]?
    public var graded: [GradedRep]
    /// Milliseconds of recording time from the end of each matched true rep to its report.
    public var reportDelays: [Double]
    /// Milliseconds from each report to its cue, live.
    public var liveDelays: [Double]
    /// The matrix of true and predicted labels of frames or strokes; `nil` for a detector without labels.
    public var classes: ConfusionMatrix?
    /// The judged faults, for a detector that judges; `nil` in older runs.
    public var judged: [JudgedRep]?
    /// For each metric over found cases only: a value for every true case, `nil` if it was not found; absent in older
    /// runs.
    public var cases: [String: [Double?]]?
    /// The labelled reps or strokes that were not found (for a detector that only judges: not judged); `nil` if there
    /// are none, and in older runs.
    public var missed: [MissedRep]?
  }

  public var name: String
  public var dataset: String
  public var subject: String
  /// The name under which several datasets share the same people; `nil` if the people are the dataset's own.
  public var people: String?
  public var exercise: String
  public var view: String
  public var fps: Double
  public var frames: Int
  /// Seconds from the first to the last frame.
  public var duration: Double
  public var trueCount: Int?
  public var trueReps: [RepSpan]?
  /// The outcome of each detector, by its name.
  public var outcomes: [String: Outcome]

  /// `squat-sample/s01_side_1`
  public var id: String { ClipID(dataset: dataset, clip: name).description }

  /// `squat-sample/s01`, one person whatever the dataset: the unit of all inference.
  public var person: String { personID.description }

  public var personID: PersonID { PersonID(people: people ?? dataset, subject: subject) }

  /// Predicted minus true count of a detector.
  public func countError(_ detector: String) -> Int? {
    guard let trueCount, let count = outcomes[detector]?.count else { return nil }
    return count - trueCount
  }

  /// Missed reps plus false detections.
  public func wrongReps(_ detector: String) -> Int {
    guard let trueReps, let reps = outcomes[detector]?.reps else { return 0 }
    let matched = reps.count { $0.matches != nil }
    return trueReps.count - matched + reps.count - matched
  }

  /// The errors of a detector, the most serious kind first; 0 for tasks that it does not have.
  package func errors(of detector: String) -> [Double] {
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

extension ClipResult {
  /// A clip of one second with counts only.
  ///
  /// - Parameter counts: The number of reps, by detector.
  package init(name: String, dataset: String, subject: String, exercise: String, trueCount: Int, counts: [String: Int])
  {
    self.init(
      name: name, dataset: dataset, subject: subject, exercise: exercise, view: "", fps: 30, frames: 30, duration: 1,
      trueCount: trueCount,
      outcomes: counts.mapValues { Outcome(count: $0, graded: [], reportDelays: [], liveDelays: []) })
  }
}

/// A run has thousands of clips, whose JSON is most of its results.
extension ClipResult: JSONWritable {
  package func write(to json: inout JSONWriter) throws {
    try json.object {
      try $0.member("dataset", dataset)
      try $0.member("duration", duration)
      try $0.member("exercise", exercise)
      try $0.member("fps", fps)
      $0.member("frames", frames)
      try $0.member("name", name)
      try $0.member("outcomes", outcomes) { try $1.write(to: &$0) }
      try $0.member("people", people)
      try $0.member("subject", subject)
      $0.member("trueCount", trueCount)
      try $0.member("trueReps", trueReps) { try $1.writeMembers(to: &$0) }
      try $0.member("view", view)
    }
  }
}

extension ClipResult.Outcome: JSONWritable {
  package func write(to json: inout JSONWriter) throws {
    try json.object {
      try $0.member("cases", cases) { json, values in try json.array(values) { try $0.value($1) } }
      try $0.member("classes", encoding: classes)
      $0.member("count", count)
      try $0.member("countConfidence", countConfidence)
      try $0.member("graded", graded) {
        try $0.member("predicted", $1.predicted)
        try $0.member("ratings", $1.ratings) { try $0.value($1) }
        $0.member("rep", $1.rep)
      }
      try $0.member("judged", judged) {
        try $0.member("grade", $1.grade)
        $0.member("isFaulty", $1.isFaulty)
        $0.member("isReported", $1.isReported)
        $0.member("rep", $1.rep)
      }
      try $0.member("liveDelays", liveDelays)
      try $0.member("missed", missed) {
        try $0.member("end", $1.end)
        try $0.member("reason", $1.reason)
        $0.member("rep", $1.rep)
        try $0.member("start", $1.start)
      }
      try $0.member("reportDelays", reportDelays)
      try $0.member("reps", reps) {
        $0.member("matches", $1.matches)
        try $0.member("reason", $1.reason)
        try $0.member("rep", $1.rep)
        try $0.member("reported", $1.reported)
      }
    }
  }
}

extension ClipResult.RepSpan: JSONWritable {
  package func write(to json: inout JSONWriter) throws { try json.object { try writeMembers(to: &$0) } }

  fileprivate func writeMembers(to json: inout JSONWriter) throws {
    try json.member("end", end)
    try json.member("start", start)
    try json.member("turn", turn)
  }
}

extension RepReason: JSONWritable {
  package func write(to json: inout JSONWriter) throws {
    try json.object {
      try $0.member("cause", cause.rawValue)
      try $0.member("limit", limit)
      try $0.member("parameter", parameter)
      try $0.member("signal", signal)
      try $0.member("unit", unit)
      try $0.member("value", value)
      try $0.member("words", words)
    }
  }
}

extension ClipResult.Outcome {
  /// Summarises a detector's tallies of a clip.
  ///
  /// - Parameters:
  ///   - own: What an external program reports of itself.
  ///   - trace: The signal that it counts by; called only if something was missed or invented.
  init(
    _ clip: LabelledPrediction, _ tallies: ClipTallies, by families: [any MetricFamily], of profile: DetectorProfile,
    matching: RepMatching, own: OwnSignal?, trace: () -> CountingTrace?
  ) {
    let cases = families.map { $0.caseValues(clip) }.reduce(into: [:]) { all, own in
      all.merge(own) { first, _ in first }
    }
    let reps = clip.prediction.reps
    let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: reps?.map(\.rep) ?? [])
    let reasons = RepReasons(clip, of: profile, pairs: pairs, matching: matching, own: own, trace: trace)
    let truthOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.predicted, $0.truth) })
    let delays = tallies.tally(of: LatencyMetrics.self)
    var judged = tallies.tally(of: AnyFaultMetrics.self)?.judged
    if judged == nil, let criterion = profile.tasks.criterion {
      // Metrics of a detector without faults of its own ignore the faulty reps; the chart of its grades shows them.
      judged = AnyFaultMetrics(matching: matching, criterion: criterion).tally(clip).judged
    }
    self.init(
      count: clip.prediction.count, countConfidence: clip.prediction.countConfidence,
      reps: reps?.enumerated().map { index, counted in
        ClipResult.PredictedRep(
          rep: ClipResult.RepSpan(counted.rep), reported: counted.reported?.seconds, matches: truthOf[index],
          reason: reasons?.wrong[index])
      },
      graded: (tallies.tally(of: GradeMetrics.self) ?? []).map {
        ClipResult.GradedRep(rep: $0.rep, predicted: $0.predicted, ratings: $0.ratings)
      },
      reportDelays: delays?.report ?? [], liveDelays: delays?.live ?? [],
      classes: profile.kind == .swing
        ? tallies.tally(of: StrokeMetrics.self)?.confusion : tallies.tally(of: SegmentMetrics.self)?.frames,
      judged: judged?.map {
        ClipResult.JudgedRep(rep: $0.rep, grade: $0.grade, isFaulty: $0.isFaulty, isReported: $0.isReported)
      }, cases: cases.isEmpty ? nil : cases)
    missed = reasons?.missedReps
  }
}

/// A detector's errors on a clip; values of tasks that it does not have are `nil`.
public struct ClipMistakes: Codable, Hashable, Sendable {
  /// Counted reps.
  public var counted: Int?
  /// True reps.
  public var trueCount: Int?
  /// Missed reps plus false detections.
  public var wrongReps: Int?
  public var missedReps: Int?
  public var falseReps: Int?

  /// True strokes that the detector could name.
  public var strokes: Int?
  public var missedStrokes: Int?
  public var falseStrokes: Int?
  /// Strokes that were found but confused with another stroke.
  public var misnamedStrokes: Int?

  /// Seconds of the recording with labels of the detector's kind.
  public var labelledSeconds: Double?
  /// Seconds of these that were given another label or none.
  public var wrongSeconds: Double?

  /// Reps, or clips, that were graded by both people and the detector.
  public var graded: Int?
  /// The mean distance of the grades from the raters' means; points.
  public var gradeDistance: Double?
  /// Reps, or clips, that people judged for faults.
  public var judged: Int?
  /// Judged reps or clips on which the detector was wrong: faulty ones not reported, and correct ones reported.
  public var misjudged: Int?

  /// - Parameter kind: The kind of the detector: `swing`.
  public init(_ clip: ClipResult, detector: String, kind: String) {
    guard let outcome = clip.outcomes[detector] else { return }
    if kind == "reps" {
      (counted, trueCount) = (outcome.count, clip.trueCount)
      if let truth = clip.trueReps, let reps = outcome.reps {
        let matched = reps.count { $0.matches != nil }
        (missedReps, falseReps) = (truth.count - matched, reps.count - matched)
        wrongReps = clip.wrongReps(detector)
      }
    }
    // Of a clip without stroke labels there are no classes.
    if let classes = outcome.classes, kind != "swing" || !classes.labels.isEmpty {
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

/// A swing detector's errors on several clips.
public struct StrokeErrors: Hashable, Sendable {
  /// The labelled strokes that the detector could name.
  public private(set) var strokes = 0
  public private(set) var missed = 0
  public private(set) var invented = 0
  public private(set) var misnamed = 0

  /// `nil` if no clip has labelled strokes.
  public init?(_ clips: [ClipMistakes]) {
    let labelled = clips.filter { $0.strokes != nil }
    guard !labelled.isEmpty else { return nil }
    for clip in labelled {
      strokes += clip.strokes ?? 0
      missed += clip.missedStrokes ?? 0
      invented += clip.falseStrokes ?? 0
      misnamed += clip.misnamedStrokes ?? 0
    }
  }

  public var count: Int { missed + invented + misnamed }

  /// Strokes that were found and named right.
  public var right: Int { strokes - missed - misnamed }
}

/// The labelled seconds of several clips, and those of them that a detector names right.
public struct NamedSeconds: Hashable, Sendable {
  public let labelled: Double
  public let right: Double

  /// `nil` if no clip has labelled seconds.
  public init?(_ clips: [ClipMistakes]) {
    labelled = clips.compactMap(\.labelledSeconds).reduce(0, +)
    right = labelled - clips.compactMap(\.wrongSeconds).reduce(0, +)
    guard labelled > 0 else { return nil }
  }
}

/// A detector's predictions on a clip besides the count, as far as labels can judge them: enough to find the clips on
/// which two versions differ. Values that do not apply are `nil`.
public struct PredictionSummary: Codable, Hashable, Sendable {
  /// Predicted reps that match true ones.
  public var matchedReps: Int?
  public var missedStrokes: Int?
  public var falseStrokes: Int?
  /// Strokes that were found but confused with another stroke.
  public var misnamedStrokes: Int?
  /// Seconds of the recording with a label other than the true one, or none.
  public var wrongSeconds: Double?
  /// The mean of the detector's grades of the reps, or of the clip, that people graded.
  public var meanGrade: Double?
  /// Reps, or clips, with unreported faults, and correct ones with reported faults.
  public var misjudged: Int?

  public init() {}

  /// - Parameter kind: The kind of the detector: `swing`.
  public init(_ clip: ClipResult, detector: String, kind: String) {
    guard let outcome = clip.outcomes[detector] else { return }
    if clip.trueReps != nil { matchedReps = outcome.reps?.count { $0.matches != nil } }
    let mistakes = ClipMistakes(clip, detector: detector, kind: kind)
    (missedStrokes, falseStrokes) = (mistakes.missedStrokes, mistakes.falseStrokes)
    misnamedStrokes = mistakes.misnamedStrokes
    (wrongSeconds, misjudged) = (mistakes.wrongSeconds, mistakes.misjudged)
    meanGrade = Statistics.mean(outcome.graded.compactMap(\.predicted))
  }

  /// Whether no label can judge the detector's predictions.
  var isEmpty: Bool { self == PredictionSummary() }
}
