import PoseModel

/// How much both legs differ in the reps so far: little in squats, much in lunges.
///
/// Where the hips are lowest, legs differ in length, from hip to ankle and from the knee down to the ankle's height, and
/// in their angles at knee and hip. A camera near by or high up shows legs of unequal length even in squats, and one in
/// front unequal angles; hardly any shows both. A rep's difference is the geometric mean of the greater one of each kind.
///
/// - Source: developed here on ten people of UI-PRMD; figures on people left out are in docs/detectors.md.
struct LegDifference: Sendable {
  /// Both legs in a frame.
  private struct Moment: Sendable {
    var time: Microseconds
    /// Of the hips above the ankles, in trunk lengths.
    var height: Float
    /// Left minus right: from hip to ankle and of the knee above the ankle, in trunk lengths; half of that of the angles
    /// at knee and hip, in right angles.
    var differences: SIMD4<Float>
  }

  /// Frames that follow sooner are left out.
  private static let spacing = Microseconds(30_000)
  /// The mean of the moments within this time of the lowest one counts, against noise.
  private static let around = Microseconds(100_000)
  /// The most moments that are kept. Half of them are half a minute.
  private static let most = 2048
  /// The most that a rep's difference can be: a foreshortened trunk makes lengths explode.
  private static let mostDifference: Float = 1

  private let visibility: Visibility
  private let allowed: ClosedRange<Float>
  /// Since the last rep.
  private var moments: [Moment] = []
  private var sum: Float = 0
  private var count = 0

  /// - Parameter allowed: The mean differences of the exercise, within 0...1.
  init(_ visibility: Visibility, allowed: ClosedRange<Float>) {
    (self.visibility, self.allowed) = (visibility, allowed)
    moments.reserveCapacity(Self.most)
  }

  /// Whether the mean over the reps in which both legs were seen is allowed; true before the first.
  var isAllowed: Bool { count == 0 || allowed.contains(sum / Float(count)) }

  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int) {
    let time = poses.time(frame)
    if let last = moments.last, time - last.time < Self.spacing { return }
    let left = Limbs(.left, visibility, poses, frame)
    let right = Limbs(.right, visibility, poses, frame)
    let body = Limbs(between: left, right)
    let size = Limbs.trunkLength(of: body, left, right)
    let lengths = ((left.hip - left.ankle).length - (right.hip - right.ankle).length) / size
    let knees = ((left.ankle.y - left.knee.y) - (right.ankle.y - right.knee.y)) / size
    guard lengths.isFinite, knees.isFinite else { return }
    let angles = (left.kneeAngle - right.kneeAngle, left.hipAngle - right.hipAngle)
    if moments.count == Self.most { moments.removeFirst(Self.most / 2) }
    moments.append(
      Moment(
        time: time, height: (body.ankle.y - body.hip.y) / size,
        differences: SIMD4(lengths, knees, 0.5 * angles.0, 0.5 * angles.1)))
  }

  /// Takes a rep into account.
  mutating func add(_ rep: Rep) {
    if let newest = difference(in: rep) {
      sum += min(Self.mostDifference, newest)
      count += 1
    }
    moments.removeAll(keepingCapacity: true)
  }

  /// `nil` if both legs were not seen.
  private func difference(in rep: Rep) -> Float? {
    var lowest: Moment?
    for moment in moments where rep.start <= moment.time && moment.time <= rep.end {
      if moment.height < lowest?.height ?? .infinity { lowest = moment }
    }
    guard let bottom = lowest else { return nil }
    var (total, number) = (SIMD4<Float>.zero, Float.zero)
    for moment in moments where (moment.time - bottom.time).magnitude <= Self.around {
      total += moment.differences
      number += 1
    }
    let mean = total / number
    // The known one, if the other is unknown.
    let length = Float.maximum(abs(mean.x), abs(mean.y))
    let angle = Float.maximum(abs(mean.z), abs(mean.w))
    let difference = (length * angle).squareRoot()
    return difference.isFinite ? difference : nil
  }
}
