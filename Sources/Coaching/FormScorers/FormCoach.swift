import PoseModel

/// Counts an exercise's repetitions, scores each part of their form, and gives one correction after each.
///
/// The AI coach guide's `FormEvaluationEngine`: parts with weights, each 0 to 100, issues and strengths. It only names
/// the parts' methods; each `FormAnalysis` documents its measures. The grades of a repetition are `form` and one for
/// each known part, by the part's name.
public struct FormCoach<Analysis: FormAnalysis>: Detector {
  public static var profile: DetectorProfile {
    DetectorProfile(
      name: "coach-\(Analysis.exercise.rawValue)", kind: .form, exercise: Analysis.exercise.rawValue,
      summary: "Counts and grades each \(Analysis.exercise.title) by \(Analysis.subject), and gives one correction.",
      source: Analysis.source, joints: Analysis.joints,
      tasks: [.counts, .faults(Analysis.faults), .grades("form"), .cues(every: cueCooldown)])
  }

  static var cueCooldown: Parameter {
    Parameter(
      "cueCooldown", 4, in: 0...60, .seconds, "The shortest time between two cues.",
      source: "left open by the AI coach guide; the squat form analyser's minimumSpeechInterval")
  }

  static var advanced: Parameter {
    .toggle(
      "advanced", false, "Words feedback for an advanced user instead of a beginner.",
      source: "AI coach guide: beginners get simple cues, advanced users get technical details")
  }

  public static var parameters: [Parameter] { Analysis.parameters + [cueCooldown, advanced] }

  /// The evaluation of the last repetition; `nil` before the first.
  public private(set) var evaluation: FormEvaluation?
  private var analysis: Analysis
  private let standard: FormStandard
  private let cueCooldown: Microseconds
  private let level: CoachingLevel
  private var lastCue: Microseconds?

  public init(_ values: ParameterValues) throws(ParameterError) {
    analysis = try Analysis(values)
    standard = try FormStandard(Analysis.exercise, Analysis.measures, weights: Analysis.weights, values)
    cueCooldown = Microseconds(seconds: values[Self.cueCooldown]) ?? .zero
    level = values.isOn(Self.advanced) ? .advanced : .beginner
  }

  public var signals: [any Signal] { analysis.signals }
  public var guides: [Guide] { analysis.guides }
  public var countingRule: CountingRule? { analysis.countingRule }
  public var countedValue: Float { analysis.countedValue }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      guard let analysed = analysis.update(signals, frame, at: time) else { continue }
      judge(analysed.rep, standard.evaluate(analysed.values), at: time, &events)
    }
  }

  private mutating func judge(
    _ rep: Rep, _ evaluation: FormEvaluation, at time: Microseconds, _ events: inout [Event]
  ) {
    self.evaluation = evaluation
    func say(_ kind: Event.Kind) { events.append(Event(time: rep.end, reported: time, kind: kind)) }
    say(.rep(rep))
    if let score = evaluation.overallScore { say(.grade(criterion: "form", value: score, rep: rep)) }
    for part in evaluation.parts {
      if let score = part.score { say(.grade(criterion: part.part.name, value: score, rep: rep)) }
    }
    for fault in evaluation.issues { say(.fault(fault.rawValue, rep: rep)) }
    if let lastCue, time - lastCue < cueCooldown { return }
    lastCue = time
    let feedback = Feedback(evaluation, for: level)
    events.append(
      Event(
        time,
        .cue(Cue(feedback.spoken, feedback.fault == nil ? .low : .normal, fault: feedback.fault?.rawValue))))
  }
}

/// The standard for an exercise's form: the measures with their points, and the parts with their weights.
public struct FormStandard: Sendable {
  struct Scale: Sendable {
    var fault: FormFault
    /// Index among the parts.
    var part: Int
    var good: Float
    var worst: Float

    /// 0...100; NaN if the value is unknown.
    func points(_ value: Float) -> Float {
      guard value.isFinite else { return .nan }
      return 100 * min(max((value - worst) / (good - worst), 0), 1)
    }
  }

  private static let bands = "left open by the AI coach guide; the squat form analyser's score bands"
  static let issueScore = Parameter(
    "issueScore", 60, in: 0...100, .points, "A measure with fewer points is an issue.", source: bands)
  static let strengthScore = Parameter(
    "strengthScore", 85, in: 0...100, .points, "A part with at least this many points is a strength.", source: bands)

  let exercise: CoachedExercise
  let parts: [FormPart]
  let weights: [Double]
  let scales: [Scale]
  /// Indices in `scales`, those of the first part first, and the end of each part's indices.
  private let measuresByPart: [Int]
  private let ends: [Int]
  let issueScore: Float
  let strengthScore: Double

  /// - Throws: `ParameterError.contradiction` if a measure's good and worst value are the same, or no part has a
  ///   weight.
  init(
    _ exercise: CoachedExercise, _ measures: [FormMeasure], weights: [(part: FormPart, weight: Parameter)],
    _ values: ParameterValues
  ) throws(ParameterError) {
    for measure in measures where values[measure.good] == values[measure.worst] {
      throw .contradiction("\(measure.good.name) and \(measure.worst.name) must differ")
    }
    let parts = weights.map(\.part)
    self.exercise = exercise
    self.parts = parts
    self.weights = weights.map { values[$0.weight] }
    guard self.weights.reduce(0, +) > 0 else { throw .contradiction("at least one weight must be above 0") }
    let scales = measures.map { measure in
      Scale(
        fault: measure.fault, part: parts.firstIndex(of: measure.part) ?? 0, good: Float(values[measure.good]),
        worst: Float(values[measure.worst]))
    }
    self.scales = scales
    let byPart = parts.indices.map { part in scales.indices.filter { scales[$0].part == part } }
    measuresByPart = byPart.flatMap(\.self)
    ends = byPart.indices.map { byPart[...$0].reduce(0) { $0 + $1.count } }
    issueScore = Float(values[Self.issueScore])
    strengthScore = values[Self.strengthScore]
  }

  /// A part's score, 0...100: the least of its measures; NaN if none is known.
  func score(ofPart part: Int, _ values: FormValues) -> Float {
    var score = Float.nan
    for place in part == 0 ? 0..<ends[0] : ends[part - 1]..<ends[part] {
      let measure = measuresByPart[place]
      score = Float.minimum(score, scales[measure].points(values[measure]))
    }
    return score
  }

  /// The weighted mean of the known parts, 0...100; NaN if none is known.
  func score(_ values: FormValues) -> Float {
    var sum: Float = 0
    var known: Float = 0
    for part in parts.indices {
      let score = score(ofPart: part, values)
      guard score.isFinite else { continue }
      sum += Float(weights[part]) * score
      known += Float(weights[part])
    }
    return known > 0 ? sum / known : .nan
  }

  /// Whether a measure gets so few points that it is an issue.
  func isIssue(_ measure: Int, _ values: FormValues) -> Bool { scales[measure].points(values[measure]) < issueScore }

  /// The full evaluation of a repetition.
  public func evaluate(_ values: FormValues) -> FormEvaluation {
    let scored = parts.indices.map { part in
      let score = score(ofPart: part, values)
      return FormEvaluation.Part(
        parts[part], weight: weights[part], score: score.isFinite ? Double(score) : nil)
    }
    // The cost of an issue in the overall score, the largest first; ties in the order of the measures.
    var issues: [(fault: FormFault, cost: Double)] = []
    for index in scales.indices where isIssue(index, values) {
      let fault = scales[index].fault
      let cost = weights[scales[index].part] * (100 - Double(scales[index].points(values[index])))
      if let known = issues.firstIndex(where: { $0.fault == fault }) {
        issues[known].cost = max(issues[known].cost, cost)
      } else {
        issues.append((fault, cost))
      }
    }
    let byCost = issues.enumerated().sorted {
      ($1.element.cost, $0.offset) < ($0.element.cost, $1.offset)
    }
    let strengths = scored.enumerated().filter { ($0.element.score ?? -1) >= strengthScore }.sorted {
      ($1.element.score ?? 0, $1.element.weight, $0.offset) < ($0.element.score ?? 0, $0.element.weight, $1.offset)
    }
    return FormEvaluation(
      exercise: exercise, parts: scored, issues: byCost.map(\.element.fault),
      strengths: strengths.map(\.element.part))
  }
}
