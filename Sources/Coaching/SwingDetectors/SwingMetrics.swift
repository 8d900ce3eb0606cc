import PoseModel
import RealModule

/// Measures one swing on its samples: the document's metrics calculator.
struct SwingMetricsCalculator: Sendable {
  /// The samples from the swing's start to its end, at least the contact.
  let samples: [SwingSample]
  /// Index of the contact in `samples`: the wrist is fastest there.
  let contact: Int
  let hand: Hand
  /// The number of points in the simplified path.
  let pathPoints: ClosedRange<Int>

  /// - Parameter bodyHeight: In metres; `nil` if unknown: there are then no values in metres.
  func metrics(bodyHeight: Double?) -> AnalysisResult.SwingMetrics {
    let speed = samples[contact].speed(hand)
    return AnalysisResult.SwingMetrics(
      maxWristSpeed: bodyHeight.map { speed * Float($0) } ?? speed,
      speedUnit: bodyHeight == nil ? .bodyHeightsPerSecond : .metresPerSecond,
      contactPoint: Self.point(samples[contact].wrist(hand)),
      swingPath: DouglasPeucker.simplified(
        samples.map { $0.wrist(hand) }.filter(\.isKnown), to: pathPoints
      ).map(Self.point),
      backswingAngle: backswingAngle, followThroughHeight: followThroughHeight, bodyAngles: bodyAngles)
  }

  private static func point(_ place: SIMD2<Float>) -> AnalysisResult.Point {
    AnalysisResult.Point(x: place.x, y: -place.y)
  }

  /// The greatest angle about the neck between a position of the wrist before contact and that at contact.
  private var backswingAngle: Float? {
    let end = samples[contact].wrist(hand)
    return samples[..<contact].compactMap { sample -> Float? in
      let place = sample.wrist(hand)
      let angle = Angle.at(.zero, between: SIMD3(place.x, place.y, 0), and: SIMD3(end.x, end.y, 0))
      return angle.isFinite ? angle : nil
    }.max()
  }

  private var followThroughHeight: Float? {
    samples[(contact + 1)...].map { $0.wrist(hand).y }.filter(\.isFinite).min().map { -$0 }
  }

  private var bodyAngles: AnalysisResult.BodyAngles {
    func degrees(_ cosine: Float) -> Float? { cosine.isFinite ? Float.acos(cosine) * 180 / .pi : nil }
    let sample = samples[contact]
    return AnalysisResult.BodyAngles(
      shoulderRotation: degrees(sample.shoulderTurn), hipRotation: degrees(sample.hipTurn),
      spineAngle: sample.lean.isFinite ? sample.lean : nil)
  }

  /// Seconds from the middle of the shoulders' fastest turn to contact, negative if it comes later; NaN if no turn of
  /// the shoulders is seen.
  var lead: Float {
    var fastest: Float = 0
    var lead = Float.nan
    var last: SwingSample?
    for sample in samples where sample.shoulderTurn.isFinite {
      if let last {
        let seconds = Float((sample.time - last.time).count) / 1e6
        let rate = abs(Float.acos(sample.shoulderTurn) - Float.acos(last.shoulderTurn)) / seconds
        if rate > fastest {
          fastest = rate
          let contact = samples[contact].time
          lead = Float((contact - last.time).count + (contact - sample.time).count) / 2e6
        }
      }
      last = sample
    }
    return lead
  }
}

/// The analysis of one swing: its type, its metrics, what is good and bad about it, and a score.
///
/// The document's type of this name, with its fields. The identifier is the swing's number in its recording and the
/// timestamp is recording time, instead of a random UUID and the date: the same recording then gives the same result.
/// Unknown values are `nil`, in JSON absent fields.
public struct AnalysisResult: Hashable, Codable, Sendable {
  /// A position in body heights from the player's neck: x to the image's right, y up, as in the document's Vision.
  public struct Point: Hashable, Codable, Sendable {
    /// To the picture's right, body heights.
    public var x: Float
    /// Upwards, body heights.
    public var y: Float
  }

  /// Metres per second if the player's height was given, otherwise body heights per second.
  public enum SpeedUnit: String, Hashable, Codable, Sendable {
    /// The player's height was given.
    case metresPerSecond = "m/s"
    /// The player's height is not known.
    case bodyHeightsPerSecond = "body heights/s"
  }

  /// Degrees: of shoulders and hips, 0 is square to the camera from behind, 90 from the side, 180 square from the
  /// front; of the spine, 0 is upright.
  public struct BodyAngles: Hashable, Codable, Sendable {
    /// The rotation of the shoulders, 0...180 degrees.
    public var shoulderRotation: Float?
    /// The rotation of the hips, 0...180 degrees.
    public var hipRotation: Float?
    /// The lean of the spine, from 0 degrees.
    public var spineAngle: Float?
  }

  /// The measurements of one swing.
  public struct SwingMetrics: Hashable, Codable, Sendable {
    /// In `speedUnit`, averaged over the window.
    public var maxWristSpeed: Float
    /// The unit of `maxWristSpeed`.
    public var speedUnit: SpeedUnit
    /// The hitting wrist at its fastest.
    public var contactPoint: Point
    /// The hitting wrist from start to end, 10 to 15 points (fewer where there were fewer frames).
    public var swingPath: [Point]
    /// Degrees about the neck in the image from the wrist's furthest position before contact to contact.
    public var backswingAngle: Float?
    /// How high the hitting wrist gets after contact, in body heights above the neck; negative if it stays below.
    public var followThroughHeight: Float?
    /// The angles at contact.
    public var bodyAngles: BodyAngles
  }

  /// One thing that is good or bad about a swing.
  public struct Insight: Hashable, Codable, Sendable {
    /// The topic of an insight.
    public enum InsightType: String, CaseIterable, Hashable, Codable, Sendable {
      /// The contact point, the follow-through, the timing of turn and hit, and the posture.
      case contactPoint, followThrough, timing, posture
    }

    /// The severity of an insight.
    public enum Severity: String, CaseIterable, Hashable, Codable, Sendable {
      /// Praise, something to watch, something to change.
      case good, warning, issue
    }

    /// The topic.
    public var type: InsightType
    /// One sentence for the player.
    public var message: String
    /// The severity.
    public var severity: Severity
  }

  /// `swing-1` is the recording's first.
  public var shotId: String
  /// Seconds from the recording's zero to contact.
  public var timestamp: Double
  /// `nil` if it cannot be told.
  public var swingType: SwingType?
  /// The hand that holds the racket.
  public var hand: Hand
  /// The measurements.
  public var metrics: SwingMetrics
  /// The strengths and weaknesses, unordered.
  public var insights: [Insight]
  /// 0...10; `nil` if nothing can be judged.
  public var score: Double?
}

/// Judges a swing's metrics: an insight with a severity for each known metric, and a score from 0 to 10.
///
/// The tennis architecture names four insights, three severities and a score and leaves everything else open. Here each
/// insight has a good limit and an issue limit, with warnings in between; its part of the score falls linearly between
/// the two, and the score is ten times the mean part. A serve is judged by contact and timing alone: it ends low across
/// the body and leans on purpose.
struct SwingReview: Sendable {
  struct Thresholds: Hashable, Sendable {
    var contactReach: Span
    var serveContact: Span
    var followThrough: Span
    var timing: Span
    var lean: Span
  }

  /// The range from the value that is an issue to the good one.
  struct Span: Hashable, Sendable {
    var issue: Float
    var good: Float

    /// 1 is good, 0 an issue.
    func share(_ value: Float) -> Float { min(max((value - issue) / (good - issue), 0), 1) }
  }

  let thresholds: Thresholds

  typealias Insight = AnalysisResult.Insight

  /// - Parameters:
  ///   - metrics: Of the swing.
  ///   - lead: Seconds from the shoulders' fastest turn to contact; NaN where unknown.
  func review(_ metrics: AnalysisResult.SwingMetrics, of type: SwingType?, lead: Float) -> (
    insights: [Insight], score: Double?
  ) {
    var insights: [Insight] = []
    var sum: Float = 0
    func judge(_ kind: Insight.InsightType, _ value: Float?, _ span: Span) {
      guard let value, value.isFinite else { return }
      let share = span.share(value)
      let severity: Insight.Severity = share == 1 ? .good : share == 0 ? .issue : .warning
      sum += share
      insights.append(Insight(type: kind, message: Self.message(kind, severity, of: type), severity: severity))
    }
    let contact = metrics.contactPoint
    if type == .serve {
      judge(.contactPoint, contact.y, thresholds.serveContact)
    } else {
      judge(.contactPoint, SIMD2(contact.x, contact.y).length, thresholds.contactReach)
      judge(.followThrough, metrics.followThroughHeight, thresholds.followThrough)
    }
    judge(.timing, lead, thresholds.timing)
    if type != .serve { judge(.posture, metrics.bodyAngles.spineAngle, thresholds.lean) }
    return (insights, insights.isEmpty ? nil : Double(10 * sum / Float(insights.count)))
  }

  static func message(_ kind: Insight.InsightType, _ severity: Insight.Severity, of type: SwingType?) -> String {
    let isServe = type == .serve
    return switch (kind, severity) {
    case (.contactPoint, .good): isServe ? "High contact, well reached" : "Good distance to the ball"
    case (.contactPoint, .warning):
      isServe ? "Reach a little higher for the ball" : "Give the ball a little more room"
    case (.contactPoint, .issue):
      isServe ? "Toss higher and hit at full stretch" : "You are too close: hit with your arm away from your body"
    case (.followThrough, .good): "Full follow-through"
    case (.followThrough, .warning): "Finish a little higher"
    case (.followThrough, .issue): "Swing through and finish over your shoulder"
    case (.timing, .good): "Your shoulders lead the arm"
    case (.timing, .warning): "Start turning your shoulders a little earlier"
    case (.timing, .issue): "Turn your shoulders before your arm swings"
    case (.posture, .good): "Good upright posture"
    case (.posture, .warning): "Stay a little more upright"
    case (.posture, .issue): "Bend your knees, not your back"
    }
  }
}

extension SwingReview.Thresholds {
  private static let open = "left open by the tennis architecture; "
  private static let reach = "an arm is 0.33 of stature from shoulder to wrist (Drillis and Contini 1966)"

  static let goodReach = Parameter(
    "goodReach", 0.2, in: 0...1, .bodyHeights,
    "Least distance of a groundstroke's contact from the neck that is far enough.",
    source: open + reach)
  static let crampedReach = Parameter(
    "crampedReach", 0.1, in: 0...1, .bodyHeights,
    "Greatest distance from the neck at which a groundstroke's contact is cramped.",
    source: open + reach)
  static let goodServeHeight = Parameter(
    "goodServeHeight", 0.25, in: -1...1, .bodyHeights,
    "Least height of a serve's contact above the neck that is high enough.",
    source: open + reach)
  static let lowServeHeight = Parameter(
    "lowServeHeight", 0.1, in: -1...1, .bodyHeights,
    "Greatest height above the neck at which a serve's contact is low.",
    source: open + "the nose's height")
  static let goodFollowThrough = Parameter(
    "goodFollowThrough", 0, in: -1...1, .bodyHeights, "Least height above the neck of a full follow-through.",
    source: open + "chosen: the height of the shoulders, over which a forehand is finished")
  static let shortFollowThrough = Parameter(
    "shortFollowThrough", -0.2, in: -1...1, .bodyHeights,
    "Greatest height above the neck of an incomplete follow-through.",
    source: open + "two thirds of the way from shoulder to hip")
  static let goodLead = Parameter(
    "goodLead", 0, in: -1...1, .seconds,
    "The least time between the shoulders' fastest turn and contact for good timing.",
    source: open
      + "the trunk turns fastest 0.06 to 0.08 s before impact (Landlinger et al. 2010), a frame at 15 fps")
  static let lateLead = Parameter(
    "lateLead", -0.15, in: -1...1, .seconds,
    "Lead below which the shoulders are late; below 0 they turn fastest after contact.",
    source: open + "two frames at 15 fps")
  static let goodLean = Parameter(
    "goodLean", 20, in: 0...90, .degrees, "Greatest lean at contact of an upright trunk.",
    source: open + "chosen: the greatest lean of the squat form analyser")
  static let worstLean = Parameter(
    "worstLean", 45, in: 1...120, .degrees, "Least lean at contact of a trunk that bends too far.",
    source: open + "half of level")

  static let parameters = [
    goodReach, crampedReach, goodServeHeight, lowServeHeight, goodFollowThrough, shortFollowThrough, goodLead, lateLead,
    goodLean, worstLean,
  ]

  /// - Throws: `ParameterError.contradiction` if a good limit is worse than the issue limit.
  init(_ values: ParameterValues) throws(ParameterError) {
    func span(_ issue: Parameter, _ good: Parameter, higherIsBetter: Bool = true) throws(ParameterError)
      -> SwingReview.Span
    {
      let (lower, upper) = higherIsBetter ? (issue, good) : (good, issue)
      guard values[lower] < values[upper] else {
        throw .contradiction(
          "\(lower.name) (\(values[lower])) must be less than \(upper.name) (\(values[upper])) \(upper.unit.rawValue)")
      }
      return SwingReview.Span(issue: Float(values[issue]), good: Float(values[good]))
    }
    contactReach = try span(Self.crampedReach, Self.goodReach)
    serveContact = try span(Self.lowServeHeight, Self.goodServeHeight)
    followThrough = try span(Self.shortFollowThrough, Self.goodFollowThrough)
    timing = try span(Self.lateLead, Self.goodLead)
    lean = try span(Self.worstLean, Self.goodLean, higherIsBetter: false)
  }
}
