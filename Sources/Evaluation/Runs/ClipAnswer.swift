import Statistics

/// What a detector says of a clip besides how many reps there are, as far as it can be held against labels: enough to tell
/// on which clips another version answers otherwise. What does not apply is `nil`.
public struct ClipAnswer: Codable, Hashable, Sendable {
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
  var isEmpty: Bool { self == ClipAnswer() }
}

extension RunResults {
  /// By clip and detector; those without a label are left out.
  var answers: [String: [String: ClipAnswer]] {
    let kinds = Dictionary(detectors.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    let answers = clips.map { clip in
      let own = clip.outcomes.keys.map { ($0, ClipAnswer(clip, detector: $0, kind: kinds[$0] ?? "")) }
      return (clip.id, Dictionary(uniqueKeysWithValues: own.filter { !$0.1.isEmpty }))
    }
    return Dictionary(answers.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
  }
}
