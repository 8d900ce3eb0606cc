import PoseModel

/// Makes of a swing's samples what is said of it: its type, metrics, insights, score and cue.
///
/// The document's metrics calculator, its shot classifier and its insight generator behind one another. Runs once a
/// swing, so it may allocate.
struct SwingAnalyst: Sendable {
  /// The criterion of the score, 0...10.
  static let criterion = "swing"

  private let settings: SwingSettings
  private let review: SwingReview
  private var classifier: SwingClassifier
  private var swings = 0

  init(_ settings: SwingSettings) {
    self.settings = settings
    review = SwingReview(thresholds: settings.review)
    classifier = SwingClassifier(settings.classifier, hand: settings.hand)
  }

  /// The hitting hand, where it is given or found out: then its wrist alone makes a swing.
  var hand: Hand? { classifier.hand }

  /// Says what there is to say of a swing.
  ///
  /// - Parameters:
  ///   - swing: by the positions of its samples; what is not kept any more is left out.
  ///   - time: of the frame on which this is said.
  mutating func report(
    _ swing: SwingCycle.Swing, in tracker: SwingTracker, at time: Microseconds, _ events: inout [Event]
  ) {
    let start = max(swing.start, tracker.oldest)
    guard let contact = tracker[swing.peak], let first = tracker[start], let last = tracker[swing.end] else { return }
    func sample(_ offset: Microseconds) -> SwingSample {
      tracker.position(nearest: contact.time + offset).flatMap { tracker[$0] } ?? contact
    }
    let verdict = classifier.classify(
      before: sample(Microseconds.zero - settings.classifierSpan), peak: contact,
      after: sample(settings.classifierSpan), facing: tracker.facing)
    swings += 1
    let analysis = analysis(
      (start...swing.end).compactMap { tracker[$0] }, contact: swing.peak - start, verdict)
    let stroke = Stroke(
      start: first.time, contact: contact.time, end: last.time, label: verdict.type?.rawValue, analysis: analysis)
    events.append(Event(time: contact.time, reported: time, kind: .stroke(stroke)))
    guard let analysis else { return }
    if let score = analysis.score {
      let rep = Rep(start: first.time, end: last.time, turn: contact.time)
      events.append(
        Event(time: last.time, reported: time, kind: .grade(criterion: Self.criterion, value: score, rep: rep)))
    }
    if let cue = Self.cue(analysis.insights) { events.append(Event(time, .cue(cue))) }
  }

  /// `nil` where the hitting wrist was not seen at contact.
  private func analysis(
    _ samples: [SwingSample], contact: Int, _ verdict: SwingClassifier.Verdict
  ) -> AnalysisResult? {
    // The wrist of the hand that hits, or the other where only that was seen.
    let hands = [verdict.hand, verdict.hand == .left ? .right : .left]
    guard
      let hand = hands.first(where: { samples[contact].wrist($0).isKnown && samples[contact].speed($0).isFinite })
    else { return nil }
    let metrics = SwingMetricsCalculator(
      samples: samples, contact: contact, hand: hand, pathPoints: settings.pathPoints)
    let result = metrics.metrics(bodyHeight: settings.bodyHeight)
    let reviewed = review.review(result, of: verdict.type, lead: metrics.lead)
    return AnalysisResult(
      shotId: "swing-\(swings)", timestamp: samples[contact].time.seconds, swingType: verdict.type, hand: verdict.hand,
      metrics: result, insights: reviewed.insights, score: reviewed.score)
  }

  /// The first of the gravest insights, said as urgently as it is grave: one thing to change at a time.
  private static func cue(_ insights: [AnalysisResult.Insight]) -> Cue? {
    for (severity, priority) in [
      (AnalysisResult.Insight.Severity.issue, Cue.Priority.high), (.warning, .normal), (.good, .low),
    ] {
      if let insight = insights.first(where: { $0.severity == severity }) { return Cue(insight.message, priority) }
    }
    return nil
  }
}
