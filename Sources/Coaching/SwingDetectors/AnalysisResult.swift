import PoseModel

/// What is made of one swing: its type, its metrics, what is good and bad about it, and a score.
///
/// The document's type of this name, with its fields. The identifier is the swing's number in its recording and the
/// timestamp is recording time, not a random UUID and the date, so that the same recording gives the same result. What
/// is not known is `nil`, in JSON an absent field.
public struct AnalysisResult: Hashable, Codable, Sendable {
  /// A place in body heights from the player's neck: x to the picture's right, y up, as the document's Vision has it.
  public struct Point: Hashable, Codable, Sendable {
    public var x: Float
    public var y: Float
  }

  /// Metres a second where the player's height was given, else body heights a second.
  public enum SpeedUnit: String, Hashable, Codable, Sendable {
    case metresPerSecond = "m/s"
    case bodyHeightsPerSecond = "body heights/s"
  }

  /// Degrees: of the two girdles, 0 is square to the camera from behind, 90 from the side, 180 square from the front; of
  /// the spine, 0 is upright.
  public struct BodyAngles: Hashable, Codable, Sendable {
    public var shoulderRotation: Float?
    public var hipRotation: Float?
    public var spineAngle: Float?
  }

  public struct SwingMetrics: Hashable, Codable, Sendable {
    /// In `speedUnit`, averaged over the window.
    public var maxWristSpeed: Float
    public var speedUnit: SpeedUnit
    /// The hitting wrist at its fastest.
    public var contactPoint: Point
    /// The hitting wrist from start to end, 10 to 15 points (fewer where there were fewer frames).
    public var swingPath: [Point]
    /// Degrees about the neck in the picture from the wrist's furthest place before contact to contact.
    public var backswingAngle: Float?
    /// How high the hitting wrist gets after contact, in body heights above the neck: below 0 is below it.
    public var followThroughHeight: Float?
    /// At contact.
    public var bodyAngles: BodyAngles
  }

  public struct Insight: Hashable, Codable, Sendable {
    public enum InsightType: String, CaseIterable, Hashable, Codable, Sendable {
      case contactPoint, followThrough, timing, posture
    }

    public enum Severity: String, CaseIterable, Hashable, Codable, Sendable {
      case good, warning, issue
    }

    public var type: InsightType
    public var message: String
    public var severity: Severity
  }

  /// `swing-1` is the recording's first.
  public var shotId: String
  /// Seconds from the recording's zero to contact.
  public var timestamp: Double
  /// `nil` where it can't be told.
  public var swingType: SwingType?
  public var hand: Hand
  public var metrics: SwingMetrics
  public var insights: [Insight]
  /// 0...10; `nil` where nothing can be judged.
  public var score: Double?
}
