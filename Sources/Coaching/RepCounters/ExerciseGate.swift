import PoseModel
import RealModule

/// Tells an exercise from other movements that its counter also counts, such as lunges from squats.
///
/// A softmax regression gives the log odds of the exercise against 18 other movements, from 28 features of a rep. The gate
/// is open while their mean exceeds a limit: over all reps so far, or over the latest ones most of all.
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

  private typealias Weights = ExerciseGateWeights

  private let movement: Int
  private let limit: Float
  private let memory: Int?
  private var sum: Float = 0
  private var count = 0
  /// Of the newest rep; allocated once.
  private var scores = [Float](repeating: 0, count: Weights.features.count)
  private var logits = [Float](repeating: 0, count: Weights.movements.count)

  /// - Parameters:
  ///   - exercise: One of `ExerciseGateWeights.limits`.
  ///   - limit: The least mean log odds.
  ///   - memory: The number of reps that the mean is over, earlier ones with less weight; `nil` for all alike.
  init?(_ exercise: String, limit: Double, memory: Int? = nil) {
    guard let movement = Weights.movements.firstIndex(of: exercise) else { return nil }
    (self.movement, self.limit, self.memory) = (movement, Float(limit), memory)
  }

  var isOpen: Bool { count > 0 && sum / Float(count) > limit }

  /// Takes a rep into account.
  ///
  /// - Parameters:
  ///   - samples: The rep's samples, `PoseRows.width` numbers each. Fewer than two are left out.
  ///   - seconds: Its duration.
  mutating func add(_ samples: ArraySlice<Float>, seconds: Double) {
    guard samples.count >= 2 * PoseRows.width else { return }
    let newest = odds(samples, seconds)
    if count == memory { sum -= sum / Float(count) } else { count += 1 }
    sum += newest
  }

  private mutating func odds(_ samples: ArraySlice<Float>, _ seconds: Double) -> Float {
    for index in scores.indices {
      let feature = Self.within(Self.mostFeature, Self.value(Weights.features[index], of: samples, seconds))
      scores[index] = Self.within(Self.mostScore, (feature - Weights.center[index]) / Weights.scale[index])
    }
    var most = -Float.infinity
    for other in logits.indices {
      var logit = Weights.offsets[other]
      for index in scores.indices { logit += Weights.weights[other * scores.count + index] * scores[index] }
      logits[other] = logit
      if other != movement { most = max(most, logit) }
    }
    var all: Float = 0
    for other in logits.indices where other != movement { all += Float.exp(logits[other] - most) }
    return Self.within(Self.mostOdds, logits[movement] - most - Float.log(all))
  }

  /// A feature of a rep, without a limit.
  static func value(_ feature: Feature, of samples: ArraySlice<Float>, _ seconds: Double) -> Float {
    let rows = 0..<samples.count / PoseRows.width
    func value(_ number: Int, _ row: Int) -> Float { samples[samples.startIndex + row * PoseRows.width + number] }
    func size(_ number: Int, _ row: Int) -> Float {
      sided.contains(number) ? abs(value(number, row)) : value(number, row)
    }
    func low(_ number: Int) -> Float { rows.reduce(Float.infinity) { min($0, size(number, $1)) } }
    func high(_ number: Int) -> Float { rows.reduce(-Float.infinity) { max($0, size(number, $1)) } }
    func range(_ number: Int) -> Float {
      let greatest = rows.reduce(-Float.infinity) { max($0, value(number, $1)) }
      return greatest - rows.reduce(Float.infinity) { min($0, value(number, $1)) }
    }
    return switch feature {
    case .low(let number): low(number)
    case .high(let number): high(number)
    case .range(let number): range(number)
    case .mean(let number): rows.reduce(Float.zero) { $0 + size(number, $1) } / Float(rows.count)
    case .kneesApart: range(1) / (range(0) + 0.15)
    case .anklesApart: range(30) / (range(9) + 0.15)
    case .thighsFall: min(1.2, max(-1, low(13) / max(high(13), 0.2)))
    case .oneKnee: min(1.5, max(0, high(1) / max(2 - low(0), 0.2)))
    case .duration: Float(Double.log(max(seconds, 0.1)))
    }
  }

  private static func within(_ most: Float, _ value: Float) -> Float { min(most, max(-most, value)) }
}
