import PoseModel
import RealModule

/// Tells an exercise from other movements that its counter also counts, such as lunges from squats.
///
/// A softmax regression gives the log odds of the exercise against 18 other movements, from 28 features of a rep. The gate
/// is open while their mean over all reps so far exceeds a limit.
///
/// - Source: training/exercise-gate/train.py, which measures it on people and movements left out; figures are in
///   docs/detectors.md.
struct ExerciseGate: Sendable {
  /// A statistic of a number of the pose (`PoseSampler`) over a rep.
  enum Feature {
    case low(Int), high(Int), range(Int), mean(Int)
    /// The range of the half difference of both knee angles, in that of their mean.
    case kneesApart
    /// The range of the height of one ankle above the other, in that of the hips above the ankles.
    case anklesApart
    /// The least height of the hips above the knees, in the greatest.
    case thighsFall
    /// The largest half difference of both knee angles, in how far the knees bend.
    case oneKnee
    /// The logarithm of the duration in seconds.
    case duration
  }

  /// The numbers that change their sign when left and right are exchanged: their size counts.
  private static let sided = [1, 3, 5, 7, 29, 30]
  /// The most that a feature, a standard score, and a rep's log odds can be, either way.
  private static let (mostFeature, mostScore, mostOdds): (Float, Float, Float) = (4, 3, 6)

  private let movement: Int
  private let limit: Float
  private var sum: Float = 0
  private var count = 0

  /// - Parameters:
  ///   - exercise: One of `ExerciseGateWeights.limits`.
  ///   - limit: The least mean log odds.
  init?(_ exercise: String, limit: Double) {
    guard let movement = ExerciseGateWeights.movements.firstIndex(of: exercise) else { return nil }
    (self.movement, self.limit) = (movement, Float(limit))
  }

  var isOpen: Bool { count > 0 && sum / Float(count) > limit }

  /// Takes a rep into account.
  ///
  /// - Parameters:
  ///   - samples: The rep's samples, `PoseRows.width` numbers each. Fewer than two are left out.
  ///   - seconds: Its duration.
  mutating func add(_ samples: ArraySlice<Float>, seconds: Double) {
    guard samples.count >= 2 * PoseRows.width else { return }
    sum += odds(Self.features(of: samples, seconds))
    count += 1
  }

  private func odds(_ features: [Float]) -> Float {
    typealias Weights = ExerciseGateWeights
    let scores = features.indices.map {
      Self.within(Self.mostScore, (features[$0] - Weights.center[$0]) / Weights.scale[$0])
    }
    let logits = Weights.movements.indices.map { movement in
      scores.indices.reduce(Weights.offsets[movement]) {
        $0 + Weights.weights[movement * scores.count + $1] * scores[$1]
      }
    }
    let others = logits.indices.filter { $0 != movement }.map { logits[$0] }
    let most = others.max() ?? 0
    let all = others.reduce(0) { $0 + Float.exp($1 - most) }
    return Self.within(Self.mostOdds, logits[movement] - most - Float.log(all))
  }

  private static func features(of samples: ArraySlice<Float>, _ seconds: Double) -> [Float] {
    let width = PoseRows.width
    let count = samples.count / width
    func values(_ number: Int) -> [Float] { (0..<count).map { samples[samples.startIndex + $0 * width + number] } }
    func sizes(_ number: Int) -> [Float] { sided.contains(number) ? values(number).map(abs) : values(number) }
    func low(_ number: Int) -> Float { sizes(number).min() ?? 0 }
    func high(_ number: Int) -> Float { sizes(number).max() ?? 0 }
    func range(_ number: Int) -> Float {
      let values = values(number)
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    func value(_ feature: Feature) -> Float {
      switch feature {
      case .low(let number): low(number)
      case .high(let number): high(number)
      case .range(let number): range(number)
      case .mean(let number): sizes(number).reduce(0, +) / Float(count)
      case .kneesApart: range(1) / (range(0) + 0.15)
      case .anklesApart: range(30) / (range(9) + 0.15)
      case .thighsFall: min(1.2, max(-1, low(13) / max(high(13), 0.2)))
      case .oneKnee: min(1.5, max(0, high(1) / max(2 - low(0), 0.2)))
      case .duration: Float(Double.log(max(seconds, 0.1)))
      }
    }
    return ExerciseGateWeights.features.map { within(mostFeature, value($0)) }
  }

  private static func within(_ most: Float, _ value: Float) -> Float { min(most, max(-most, value)) }
}
