/// The size in pixels of a box whose pixel positions were divided by it.
///
/// Keypoints divided by the width and height of a person's box lose the person's proportions. Where the positions were
/// whole pixels, they can be had back: each value is a fraction whose denominator divides the size, and the least common
/// multiple of the denominators is the size, or a part of it where all pixels share a factor with it.
enum BoxSize {
  /// The least common denominator of some values in 0…1; `nil` where there is none up to `largest`, or nothing to go by.
  static func leastCommonDenominator(of values: some Sequence<Double>) -> Int? {
    var common = 1
    for value in values where value > 0 && value < 1 {
      guard let denominator = denominator(of: value) else { return nil }
      common = common / greatestCommonDivisor(common, denominator) * denominator
      guard common <= largest else { return nil }
    }
    return common > 1 ? common : nil
  }

  /// The size in each frame from the least common denominators.
  ///
  /// A denominator much below the median of its neighbours, from 7 frames before to 7 after, is taken as reduced by a
  /// factor that all pixels share, and multiplied up to the median. Where there is none, the median itself is the size.
  ///
  /// - Parameter usual: the size where a frame has no neighbour with a denominator.
  static func sizes(_ denominators: [Int?], usual: Double) -> [Double] {
    denominators.indices.map { frame in
      let around = denominators[max(0, frame - reach)...min(denominators.count - 1, frame + reach)]
      let known = around.compactMap(\.self).sorted()
      let median = known.isEmpty ? usual : Double(known[known.count / 2])
      guard let denominator = denominators[frame].map(Double.init) else { return median }
      let factor = median / denominator
      // A box that a stretched arm leaves shrinks by less than this from one frame to the next.
      return factor < 1.75 ? denominator : denominator * factor.rounded()
    }
  }

  private static let reach = 7

  /// The smallest denominator whose fraction is the value to within rounding, by continued fractions.
  private static func denominator(of value: Double) -> Int? {
    var (last, current) = (0, 1)
    var rest = value
    while true {
      let size = current
      if abs(value * Double(size) - (value * Double(size)).rounded()) < 1e-9 * Double(size) { return size }
      let fraction = rest - rest.rounded(.down)
      guard fraction > 1e-12 else { return nil }
      rest = 1 / fraction
      let next = rest.rounded(.down) * Double(current) + Double(last)
      guard next <= Double(largest) else { return nil }
      (last, current) = (current, Int(next))
    }
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }

  /// Pixels of a video that has 8K.
  private static let largest = 8192
}
