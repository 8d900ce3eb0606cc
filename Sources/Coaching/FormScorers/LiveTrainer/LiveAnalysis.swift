/// What the live trainer makes of one frame.
public struct LiveAnalysis: Hashable, Sendable {
  public var isCorrect: Bool
  /// What to say to the person.
  public var feedback: String
  /// How sure the estimator is of the least sure joint that the analysis rests on: 0...1.
  public var confidence: Float
  /// What is wrong; `nil` where nothing is, or where the person is not seen well enough.
  public var fault: LiveFault?

  /// Whether the person was seen well enough to be judged.
  public var isJudged: Bool { isCorrect || fault != nil }

  static func correct(_ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(isCorrect: true, feedback: "Great form!", confidence: confidence, fault: nil)
  }

  static func incorrect(_ fault: LiveFault, _ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(isCorrect: false, feedback: fault.message, confidence: confidence, fault: fault)
  }

  /// The answer where a joint is not sure enough.
  static func lowConfidence(_ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(
      isCorrect: false, feedback: "Move so that your whole body is in view", confidence: confidence, fault: nil)
  }
}

/// What the live trainer can find wrong.
public struct LiveFault: Hashable, Sendable {
  /// By the name that labels use.
  public var name: String
  public var message: String
  public var severity: WorkoutSession.Severity

  public init(_ name: String, _ message: String, _ severity: WorkoutSession.Severity) {
    self.name = name
    self.message = message
    self.severity = severity
  }
}
