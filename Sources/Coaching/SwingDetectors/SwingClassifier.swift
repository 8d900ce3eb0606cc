import PoseModel

/// Tells forehand, backhand and serve by three frames: some time before the fastest one, the fastest, and after it.
///
/// The tennis architecture says "3-frame validation (can start with rules)" and gives no rule. These are geometry. The
/// picture's sides become the person's own by how the shoulders and hips have faced the camera so far, so the camera may
/// stand behind or in front; from the side nothing can be told.
///
/// - A wrist above the head before or at the peak is a serve: groundstrokes get there after contact at most.
/// - Wrists as close in all three frames as on one grip are a two-handed backhand, while it is not known which hand hits.
/// - Else it is a forehand when the hitting wrist comes from its own side and goes to the other, a backhand when it
///   comes from the other side.
///
/// Which hand hits is given, or found out: in a stroke with the hands apart the hitting wrist goes the longer way, and
/// goes lower, because the other arm stays up for balance; a two-handed backhand goes towards the side of the hitting
/// hand. What strokes say is added up as log odds, and once they are beyond 99 to 1 for a hand it counts as known.
struct SwingClassifier: Sendable {
  struct Thresholds: Hashable, Sendable {
    var serveClearance: Float
    var gripDistance: Float
    var minimumFacing: Float

    static let parameters = [serveClearance, gripDistance, minimumFacing]
  }

  /// What the three frames say.
  struct Verdict: Hashable, Sendable {
    /// `nil` where it can't be told.
    var type: SwingType?
    var hand: Hand
  }

  let thresholds: Thresholds
  /// The hand that was given.
  let given: Hand?
  /// Log odds of the right hand against the left.
  private var evidence = Self.prior

  init(_ thresholds: Thresholds, hand: Hand?) {
    self.thresholds = thresholds
    given = hand
  }

  /// The hitting hand, where it is given or enough strokes speak for it.
  var hand: Hand? { given ?? (abs(evidence) >= Self.enough ? likelyHand : nil) }

  private var likelyHand: Hand { evidence < 0 ? .left : .right }

  /// 10.6 % of people are left-handed (Papadatou-Pastou et al., Human handedness: A meta-analysis, 2020).
  private static let prior: Float = 2.13
  /// 99 to 1.
  private static let enough: Float = 4.6
  /// A clear stroke outweighs the prior by a little; no stroke says more.
  private static let most: Float = 2.5
  /// The head of a player whose nose is not seen, in body heights from the neck: half a head above the chin.
  private static let usualHead: Float = -0.1

  /// Takes the three frames of a stroke into account and names it.
  ///
  /// - Parameter facing: mean cosine as of `GirdleTurn`: above 0 is seen from behind.
  mutating func classify(before: SwingSample, peak: SwingSample, after: SwingSample, facing: Float) -> Verdict {
    let likely = given ?? likelyHand
    if isServe(before) || isServe(peak) { return Verdict(type: .serve, hand: likely) }
    guard abs(facing) >= thresholds.minimumFacing else { return Verdict(type: nil, hand: likely) }
    let frames = (before, peak, after)
    let side: Float = facing > 0 ? 1 : -1
    let isTwoHanded = separation(frames) < thresholds.gripDistance
    if isTwoHanded {
      let way = mean(travel(.left, frames), travel(.right, frames)) * side
      let isKnown = hand != nil
      add(way / thresholds.gripDistance)
      if !isKnown { return Verdict(type: .backhand, hand: way < 0 ? .left : .right) }
    } else {
      add(handEvidence(frames))
    }
    let hand = given ?? likelyHand
    // Where the wrist was before, and how far it goes from there to the other side, in the person's own directions.
    let start = position(hand, before, or: peak) * side * hand.sign
    let way = travel(hand, frames) * side * hand.sign
    let forehand = start - way
    return Verdict(type: forehand.isFinite ? (forehand > 0 ? .forehand : .backhand) : nil, hand: hand)
  }

  private func isServe(_ sample: SwingSample) -> Bool {
    let head = sample.head.isFinite ? sample.head : Self.usualHead
    return Float.minimum(sample.left.y, sample.right.y) < head - thresholds.serveClearance
  }

  private mutating func add(_ vote: Float) {
    guard vote.isFinite else { return }
    // No more than twice enough, so that another player may come.
    evidence = min(max(evidence + min(max(vote, -Self.most), Self.most), -2 * Self.enough), 2 * Self.enough)
  }

  /// What a stroke with the hands apart says of the hand: above 0 for the right; NaN where a wrist is unknown.
  private func handEvidence(_ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    let (before, peak, after) = frames
    let left = before.leftSpeed + peak.leftSpeed + after.leftSpeed
    let right = before.rightSpeed + peak.rightSpeed + after.rightSpeed
    let faster = (right - left) / (right + left)
    let lower = mean(before.right.y - before.left.y, peak.right.y - peak.left.y) / thresholds.gripDistance
    // Twice as fast, or lower by `gripDistance`, outweighs the prior.
    return mean(Self.most * 3 * faster, Self.most * lower)
  }

  /// The greatest distance of the wrists in the three frames; NaN where they are seen in none.
  private func separation(_ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    Float.maximum(Float.maximum(separation(frames.0), separation(frames.1)), separation(frames.2))
  }

  private func separation(_ sample: SwingSample) -> Float { (sample.right - sample.left).length }

  /// How far a wrist goes to the picture's right, from the first frame that shows it to the last.
  private func travel(_ hand: Hand, _ frames: (SwingSample, SwingSample, SwingSample)) -> Float {
    position(hand, frames.2, or: frames.1) - position(hand, frames.0, or: frames.1)
  }

  private func position(_ hand: Hand, _ sample: SwingSample, or other: SwingSample) -> Float {
    let wrist = sample.wrist(hand)
    return wrist.isKnown ? wrist.x : other.wrist(hand).x
  }

  /// The mean of two values of which one may be unknown.
  private func mean(_ a: Float, _ b: Float) -> Float {
    if a.isNaN { return b }
    return b.isNaN ? a : 0.5 * (a + b)
  }
}

extension SwingClassifier.Thresholds {
  private static let open = "left open by the tennis architecture; "

  static let serveClearance = Parameter(
    "serveClearance", 0.08, in: 0...0.5, .bodyHeights,
    "A wrist that is further above the nose before or at the peak belongs to a serve.",
    source: open + "the top of the head: a head is 0.13 of stature (Drillis and Contini 1966)")
  static let gripDistance = Parameter(
    "gripDistance", 0.15, in: 0.02...0.6, .bodyHeights, "Wrists that stay closer together than this hold one grip.",
    source: open
      + "hands side by side are a hand's breadth apart, 0.05 of stature, and twice that for the picture's error")
  static let minimumFacing = Parameter(
    "minimumFacing", 0.05, in: 0...1, .ratio,
    "Cosine of the player's mean turn to the camera below which left and right can't be told.",
    source: open + "within 3 degrees of the side view")

  init(_ values: ParameterValues) {
    serveClearance = Float(values[Self.serveClearance])
    gripDistance = Float(values[Self.gripDistance])
    minimumFacing = Float(values[Self.minimumFacing])
  }
}
