import PoseModel

/// Analyses a swing's samples: its type, metrics, insights, score and cue.
///
/// The document's metrics calculator, shot classifier and insight generator in sequence. Runs once per swing and may
/// allocate.
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

  /// The hitting hand, if given or inferred: only its wrist then makes a swing.
  var hand: Hand? { classifier.hand }

  /// Reports the analysis of a swing.
  ///
  /// - Parameters:
  ///   - swing: By the indices of its samples; dropped samples are left out.
  ///   - time: The time of the reporting frame.
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
      start: first.time, contact: contact.time, end: last.time, label: verdict.type?.rawValue, analysis: analysis,
      naming: .rule(verdict.rule))
    events.append(Event(time: contact.time, reported: time, kind: .stroke(stroke)))
    guard let analysis else { return }
    if let score = analysis.score {
      let rep = Rep(start: first.time, end: last.time, turn: contact.time)
      events.append(
        Event(time: last.time, reported: time, kind: .grade(criterion: Self.criterion, value: score, rep: rep)))
    }
    if let cue = Self.cue(analysis.insights) { events.append(Event(time, .cue(cue))) }
  }

  /// `nil` if the hitting wrist was not seen at contact.
  private func analysis(
    _ samples: [SwingSample], contact: Int, _ verdict: SwingClassifier.Verdict
  ) -> AnalysisResult? {
    // The wrist of the hitting hand, or the other one if only that was seen.
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

  /// The first of the most serious insights, with a matching priority: one correction at a time.
  private static func cue(_ insights: [AnalysisResult.Insight]) -> Cue? {
    for (severity, priority) in [
      (AnalysisResult.Insight.Severity.issue, Cue.Priority.high), (.warning, .normal), (.good, .low),
    ] {
      if let insight = insights.first(where: { $0.severity == severity }) { return Cue(insight.message, priority) }
    }
    return nil
  }
}

/// A detected stroke: its time and type.
public struct Stroke: Hashable, Sendable {
  /// The beginning of the swing, in recording time.
  public var start: Microseconds
  /// The time at which the racket met the ball, estimated from the pose.
  public var contact: Microseconds
  /// The end of the swing, in recording time.
  public var end: Microseconds
  /// `forehand`, by its name in labels; `nil` if the detector cannot tell.
  public var label: String?
  /// The detector's analysis of the stroke, if it analyses strokes.
  public var analysis: AnalysisResult?
  /// Why it has its label; `nil` if unknown.
  public var naming: StrokeNaming?

  /// - Precondition: `start <= contact <= end`.
  public init(
    start: Microseconds, contact: Microseconds, end: Microseconds, label: String?, analysis: AnalysisResult? = nil,
    naming: StrokeNaming? = nil
  ) {
    precondition(start <= contact && contact <= end)
    self.start = start
    self.contact = contact
    self.end = end
    self.label = label
    self.analysis = analysis
    self.naming = naming
  }
}

/// Why a stroke has its label.
public enum StrokeNaming: Hashable, Sendable {
  /// The share of each name in the detector's scores, 0 to 1; the greatest one names the stroke.
  case shares([String: Double])
  /// The rule that decided: `the wrists are as close as on one grip (gripDistance)`
  case rule(String)
}

/// The strokes of the tennis architecture, by their names in labels.
public enum SwingType: String, CaseIterable, Hashable, Codable, Sendable {
  /// `forehand`, `backhand` and `serve` in datasets.
  case forehand, backhand, serve
}

/// Distinguishes forehand, backhand and serve by three frames: some time before the fastest one, the fastest, and after
/// it.
///
/// The tennis architecture says "3-frame validation (can start with rules)" and gives no rule; the rules here are
/// geometry. The picture's sides become the person's own from how the shoulders and hips have faced the camera so far,
/// so the camera may stand behind or in front; from the side nothing can be told.
///
/// - A wrist above the head before or at the peak is a serve: groundstrokes get there after contact at most.
/// - Wrists as close in all three frames as on one grip are a two-handed backhand, as long as the hitting hand is
///   unknown.
/// - Otherwise it is a forehand if the hitting wrist moves from its own side to the other, a backhand if it comes from
///   the other side.
///
/// The hitting hand is given or inferred: in a stroke with the hands apart the hitting wrist moves further and lower,
/// because the other arm stays up for balance; a two-handed backhand moves towards the side of the hitting hand. The
/// evidence of strokes is added up as log odds; beyond 99 to 1 the hand counts as known.
struct SwingClassifier: Sendable {
  struct Thresholds: Hashable, Sendable {
    var serveClearance: Float
    var gripDistance: Float
    var minimumFacing: Float

    static let parameters = [serveClearance, gripDistance, minimumFacing]
  }

  /// The result from the three frames.
  struct Verdict: Hashable, Sendable {
    /// `nil` if it cannot be told.
    var type: SwingType?
    var hand: Hand
    /// What decided the type.
    var rule: String
  }

  let thresholds: Thresholds
  /// The given hand.
  let given: Hand?
  /// Log odds of the right hand against the left.
  private var evidence = Self.prior

  init(_ thresholds: Thresholds, hand: Hand?) {
    self.thresholds = thresholds
    given = hand
  }

  /// The hitting hand, if it is given or enough strokes indicate it.
  var hand: Hand? { given ?? (abs(evidence) >= Self.enough ? likelyHand : nil) }

  private var likelyHand: Hand { evidence < 0 ? .left : .right }

  /// 10.6 % of people are left-handed (Papadatou-Pastou et al., Human handedness: A meta-analysis, 2020).
  private static let prior: Float = 2.13
  /// 99 to 1.
  private static let enough: Float = 4.6
  /// A clear stroke slightly outweighs the prior; no stroke counts more.
  private static let most: Float = 2.5
  /// The head of a player whose nose is not seen, in body heights from the neck: half a head above the chin.
  private static let usualHead: Float = -0.1

  /// Uses the three frames of a stroke to name it.
  ///
  /// - Parameter facing: Mean cosine, see `TorsoYaw`: above 0 is seen from behind.
  mutating func classify(before: SwingSample, peak: SwingSample, after: SwingSample, facing: Float) -> Verdict {
    let likely = given ?? likelyHand
    if isServe(before) || isServe(peak) {
      let rule = "a wrist is above the head before the peak or at it (\(Thresholds.serveClearance.name))"
      return Verdict(type: .serve, hand: likely, rule: rule)
    }
    guard abs(facing) >= thresholds.minimumFacing else {
      let rule = "left and right are unknown from the side (\(Thresholds.minimumFacing.name))"
      return Verdict(type: nil, hand: likely, rule: rule)
    }
    let frames = (before, peak, after)
    let side: Float = facing > 0 ? 1 : -1
    let isTwoHanded = separation(frames) < thresholds.gripDistance
    if isTwoHanded {
      let way = mean(travel(.left, frames), travel(.right, frames)) * side
      let isKnown = hand != nil
      add(way / thresholds.gripDistance)
      if !isKnown {
        let rule = "the wrists are as close as on one grip (\(Thresholds.gripDistance.name))"
        return Verdict(type: .backhand, hand: way < 0 ? .left : .right, rule: rule)
      }
    } else {
      add(handEvidence(frames))
    }
    let hand = given ?? likelyHand
    // The wrist's earlier position, and how far it moves from there to the other side, in the person's own directions.
    let start = position(hand, before, or: peak) * side * hand.sign
    let way = travel(hand, frames) * side * hand.sign
    let forehand = start - way
    guard forehand.isFinite else {
      return Verdict(type: nil, hand: hand, rule: "the \(hand.rawValue) wrist was not seen")
    }
    let isForehand = forehand > 0
    return Verdict(
      type: isForehand ? .forehand : .backhand, hand: hand,
      rule: "the \(hand.rawValue) wrist comes from \(isForehand ? "its own" : "the other") side")
  }

  private func isServe(_ sample: SwingSample) -> Bool {
    let head = sample.head.isFinite ? sample.head : Self.usualHead
    return Float.minimum(sample.left.y, sample.right.y) < head - thresholds.serveClearance
  }

  private mutating func add(_ vote: Float) {
    guard vote.isFinite else { return }
    // No more than twice enough, to allow for another player later.
    evidence = min(max(evidence + min(max(vote, -Self.most), Self.most), -2 * Self.enough), 2 * Self.enough)
  }

  /// The evidence for the hand from a stroke with the hands apart: above 0 for the right; NaN if a wrist is unknown.
  private func handEvidence(_ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    let (before, peak, after) = frames
    let left = before.leftSpeed + peak.leftSpeed + after.leftSpeed
    let right = before.rightSpeed + peak.rightSpeed + after.rightSpeed
    let faster = (right - left) / (right + left)
    let lower = mean(before.right.y - before.left.y, peak.right.y - peak.left.y) / thresholds.gripDistance
    // Twice as fast, or lower by `gripDistance`, outweighs the prior.
    return mean(Self.most * 3 * faster, Self.most * lower)
  }

  /// The greatest distance of the wrists in the three frames; NaN if no frame shows both.
  private func separation(_ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    Float.maximum(Float.maximum(separation(frames.0), separation(frames.1)), separation(frames.2))
  }

  private func separation(_ sample: SwingSample) -> Float { (sample.right - sample.left).length }

  /// How far a wrist moves to the image's right, from the first frame that shows it to the last.
  private func travel(_ hand: Hand, _ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    position(hand, frames.2, or: frames.1) - position(hand, frames.0, or: frames.1)
  }

  private func position(_ hand: Hand, _ sample: SwingSample, or other: SwingSample) -> Float {
    let wrist = sample.wrist(hand)
    return wrist.isKnown ? wrist.x : other.wrist(hand).x
  }

  /// The mean of two values, one of which may be unknown.
  private func mean(_ a: Float, _ b: Float) -> Float {
    if a.isNaN { return b }
    return b.isNaN ? a : 0.5 * (a + b)
  }
}

extension SwingClassifier.Thresholds {
  private static let open = "left open by the tennis architecture; "

  static let serveClearance = Parameter(
    "serveClearance", 0.08, in: 0...0.5, .bodyHeights,
    "Height of the wrist above the nose, before or at the peak, above which a stroke is a serve.",
    source: open + "the top of the head: a head is 0.13 of stature (Drillis and Contini 1966)")
  static let gripDistance = Parameter(
    "gripDistance", 0.15, in: 0.02...0.6, .bodyHeights, "Distance of the wrists below which both hands hold the grip.",
    source: open
      + "hands side by side are a hand's breadth apart, 0.05 of stature, and twice that for the picture's error")
  static let minimumFacing = Parameter(
    "minimumFacing", 0.05, in: 0...1, .ratio,
    "Cosine of the player's mean turn to the camera below which left and right are unknown.",
    source: open + "within 3 degrees of the side view")

  init(_ values: ParameterValues) {
    serveClearance = Float(values[Self.serveClearance])
    gripDistance = Float(values[Self.gripDistance])
    minimumFacing = Float(values[Self.minimumFacing])
  }
}
