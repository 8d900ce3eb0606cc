/// What is asked of an exercise's form: the measures with what they are worth, and the parts with their weights.
public struct FormStandard: Sendable {
  struct Scale: Sendable {
    var fault: FormFault
    /// Position among the parts.
    var part: Int
    var good: Float
    var worst: Float

    /// 0...100; NaN where the value is unknown.
    func points(_ value: Float) -> Float {
      guard value.isFinite else { return .nan }
      return 100 * min(max((value - worst) / (good - worst), 0), 1)
    }
  }

  private static let bands = "left open by the AI coach guide; the squat form analyser's score bands"
  static let issueScore = Parameter(
    "issueScore", 60, in: 0...100, .points, "A measure worth less is an issue.", source: bands)
  static let strengthScore = Parameter(
    "strengthScore", 85, in: 0...100, .points, "A part worth at least this is a strength.", source: bands)

  let exercise: CoachedExercise
  let parts: [FormPart]
  let weights: [Double]
  let scales: [Scale]
  /// Positions in `scales`, those of the first part first, and for each part where its own end.
  private let measuresByPart: [Int]
  private let ends: [Int]
  let issueScore: Float
  let strengthScore: Double

  /// - Throws: `ParameterError.contradiction` where a measure's good and worst value are the same, or no part weighs
  ///   anything.
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

  /// A part's score, 0...100: the least of its measures; NaN where none is known.
  func score(ofPart part: Int, _ values: FormValues) -> Float {
    var score = Float.nan
    for place in part == 0 ? 0..<ends[0] : ends[part - 1]..<ends[part] {
      let measure = measuresByPart[place]
      score = Float.minimum(score, scales[measure].points(values[measure]))
    }
    return score
  }

  /// The weighted mean of the parts that are known, 0...100; NaN where none is.
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

  /// Whether a measure is worth so little that it is an issue.
  func isIssue(_ measure: Int, _ values: FormValues) -> Bool { scales[measure].points(values[measure]) < issueScore }

  /// Everything that there is to say of a repetition.
  public func evaluate(_ values: FormValues) -> FormEvaluation {
    let scored = parts.indices.map { part in
      let score = score(ofPart: part, values)
      return FormEvaluation.Part(
        parts[part], weight: weights[part], score: score.isFinite ? Double(score) : nil)
    }
    // What an issue costs of the overall score, the most first; the order of the measures breaks ties.
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
