/// What a form is made up of: each has a score of 0 to 100 and a weight in the whole.
public enum FormPart: String, CaseIterable, Hashable, Sendable {
  // The squat's, which the AI coach guide weighs.
  case kneeTracking, back, depth, tempo, balance
  // The deadlift's.
  case barPath, hipHinge, spine, shoulders, feet
  // The bench press's; it shares the bar's path and the depth.
  case lockout, evenness, elbows

  /// For tables and sentences.
  public var name: String {
    switch self {
    case .kneeTracking: "knee tracking"
    case .back: "back alignment"
    case .depth: "depth"
    case .tempo: "tempo"
    case .balance: "balance"
    case .barPath: "bar path"
    case .hipHinge: "hip hinge"
    case .spine: "neutral spine"
    case .shoulders: "shoulders over the bar"
    case .feet: "foot placement"
    case .lockout: "lockout"
    case .evenness: "evenness"
    case .elbows: "elbow position"
    }
  }
}
