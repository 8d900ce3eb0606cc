import PoseModel
import RealModule

/// How much the joints tremble over the last frames, as noise in trunk lengths.
///
/// A joint's noise is estimated from its second differences: those of independent errors of variance σ² have the variance
/// 6σ², and steady motion has none (Gasser, Sroka and Jennen-Steinmetz, Residual Variance and Residual Pattern in
/// Nonlinear Regression, Biometrika 73, 1986, whose pseudo-residuals these are for evenly spaced frames). A squat
/// accelerates too: at 4 m/s² and 30 frames a second a second difference is 4 mm, under 1 % of a trunk.
struct JitterWindow: Sendable {
  private static let joints: [Joint] = BodyRegion.allCases.flatMap(\.joints)

  /// Per joint the last two places.
  private var before: [SIMD2<Float>]
  private var last: [SIMD2<Float>]
  /// Per frame the mean squared second difference, in squared trunk lengths; NaN where none is known.
  private var squares: [Float]
  private var next = 0

  /// - Parameter frames: how many are looked at, at least 1.
  init(frames: Int) {
    let unknown = SIMD2<Float>(repeating: .nan)
    before = [SIMD2<Float>](repeating: unknown, count: Self.joints.count)
    last = before
    squares = [Float](repeating: .nan, count: max(frames, 1))
  }

  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int, minimumConfidence: Float) {
    let trunk = SIMD2(
      poses[.neck, .x, frame] - poses[.root, .x, frame], poses[.neck, .y, frame] - poses[.root, .y, frame])
    let length = (trunk * trunk).sum()
    var sum: Float = 0
    var count: Float = 0
    for index in Self.joints.indices {
      let joint = Self.joints[index]
      let isSeen = poses[joint, .confidence, frame] > minimumConfidence
      let place = isSeen ? SIMD2(poses[joint, .x, frame], poses[joint, .y, frame]) : SIMD2(repeating: .nan)
      let difference = before[index] - 2 * last[index] + place
      let square = (difference * difference).sum()
      if square.isFinite {
        sum += square
        count += 1
      }
      before[index] = last[index]
      last[index] = place
    }
    squares[next] = length > 0 && count > 0 ? sum / (count * length) : .nan
    next = (next + 1) % squares.count
  }

  /// Standard deviation of a coordinate's noise in trunk lengths; NaN before three frames in a row are known.
  var noise: Float {
    var sum: Float = 0
    var count: Float = 0
    for index in squares.indices where squares[index].isFinite {
      sum += squares[index]
      count += 1
    }
    // Each square holds the second differences of two coordinates.
    return count > 0 ? (sum / count / 12).squareRoot() : .nan
  }
}
