import PoseModel

/// A fixed computation on a frame, whose cost says how fast the machine is just now.
///
/// The cosine of the angle at each joint between its two neighbours in the order of `Joint.allCases`: differences,
/// products, a square root and a quotient for each of 19 joints, the arithmetic that detectors do. It belongs to no
/// detector, so no detector's change can make it faster or slower.
enum ReferenceLoop {
  /// The sum of the cosines that are known.
  @inline(never)
  static func update(_ frame: PoseFrame) -> Float {
    let joints = Joint.allCases
    var sum: Float = 0
    for middle in 1..<joints.count - 1 {
      let (before, here, after) = (joints[middle - 1], joints[middle], joints[middle + 1])
      let (ax, ay) = (frame[before, .x] - frame[here, .x], frame[before, .y] - frame[here, .y])
      let (bx, by) = (frame[after, .x] - frame[here, .x], frame[after, .y] - frame[here, .y])
      let cosine = (ax * bx + ay * by) / ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
      if !cosine.isNaN { sum += cosine }
    }
    return sum
  }
}
