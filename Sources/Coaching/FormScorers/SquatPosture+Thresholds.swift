import PoseModel

/// What the squat analyser can find wrong with a squat, the most important first.
///
/// Safety comes before depth: a leaning back under load, then the knees, then range of motion.
public enum SquatFault: String, CaseIterable, Hashable, Sendable {
  case forwardLean = "forward_lean"
  case kneeForward = "knee_forward"
  case shallow

  /// What is said to the person.
  public var message: String {
    switch self {
    case .forwardLean: "Keep back straight - reduce forward lean"
    case .kneeForward: "Keep your knees behind your toes"
    case .shallow: "Go lower - squat deeper"
    }
  }
}

extension SquatPosture {
  /// What is measured of a squat, in one frame or over a rep; NaN where it is not known.
  public struct Posture: Hashable, Sendable {
    /// Hip–knee–ankle, degrees: 180 is a straight leg.
    public var kneeAngle: Float
    /// Shoulders over hips from the vertical, degrees.
    public var backLean: Float
    /// Knee beside ankle, image heights.
    public var kneeTravel: Float

    public init(kneeAngle: Float, backLean: Float, kneeTravel: Float) {
      self.kneeAngle = kneeAngle
      self.backLean = backLean
      self.kneeTravel = kneeTravel
    }
  }

  /// What the analyser makes of a posture.
  public struct Assessment: Hashable, Sendable {
    /// 0...100, the weighted mean over the parts that are known; `nil` where none is.
    public var score: Double?
    /// The most important first.
    public var faults: [SquatFault]
    /// What is said: praise from `perfectScore` up, praise and the most important correction from `goodScore` up, the
    /// correction alone below.
    public var message: String
    /// The fault that the message corrects; `nil` where it corrects none.
    public var corrected: SquatFault?
  }

  /// The analyser's thresholds and how it turns a posture into a score and a message.
  public struct Thresholds: Hashable, Sendable {
    let standingAngle: Float
    let hysteresis: Float
    let attemptAngle: Float
    let perfectKneeAngleMin: Float
    let perfectKneeAngleMax: Float
    let shallowKneeAngle: Float
    let maxBackLeanAngle: Float
    let worstBackLeanAngle: Float
    let kneeForwardThreshold: Float
    let worstKneeForward: Float
    let depthWeight: Double
    let backWeight: Double
    let kneeWeight: Double
    let perfectScore: Double
    let goodScore: Double

    /// Scores what is known of a posture and names its faults.
    public func assess(_ posture: Posture) -> Assessment {
      let parts = [
        (posture.kneeAngle, perfectKneeAngleMax, shallowKneeAngle, depthWeight, SquatFault.shallow),
        (posture.backLean, maxBackLeanAngle, worstBackLeanAngle, backWeight, .forwardLean),
        (posture.kneeTravel, kneeForwardThreshold, worstKneeForward, kneeWeight, .kneeForward),
      ].filter { $0.0.isFinite }
      let total = parts.reduce(0) { $0 + $1.3 }
      let score =
        total == 0
        ? nil
        : parts.reduce(0) { sum, part in
          let (value, threshold, worst, weight, _) = part
          return sum + weight * Double(1 - min(max((value - threshold) / (worst - threshold), 0), 1))
        } / total * 100
      let faults = SquatFault.allCases.filter { fault in parts.contains { $0.4 == fault && $0.0 > $0.1 } }
      return Assessment(
        score: score, faults: faults, message: message(posture, score: score, faults: faults),
        corrected: score.map { $0 < perfectScore } == true ? faults.first : nil)
    }

    /// The most important fault of a frame on the way; depth is judged when the squat is over.
    func fault(onTheWay posture: Posture) -> SquatFault? {
      if posture.backLean > maxBackLeanAngle { return .forwardLean }
      return posture.kneeTravel > kneeForwardThreshold ? .kneeForward : nil
    }

    private func message(_ posture: Posture, score: Double?, faults: [SquatFault]) -> String {
      guard let score else { return "Position yourself in camera view" }
      guard score < perfectScore else {
        return posture.kneeAngle < perfectKneeAngleMin ? "Excellent technique!" : "Perfect squat form!"
      }
      let correction = faults.first.map { [$0.message] } ?? []
      return ((score >= goodScore ? ["Good job!"] : []) + correction).joined(separator: " ")
    }
  }
}
