/// Simplifies a path: keeps the points without which it would deviate by more than a tolerance.
///
/// Splits at the point furthest from the line between the ends, then splits both halves likewise, with a stack instead
/// of recursion. Given a number of points instead of a tolerance, it finds the tolerance by bisection.
///
/// Source: Douglas and Peucker, Algorithms for the reduction of the number of points required to represent a digitized
/// line or its caricature, Cartographica 10(2), 1973.
public enum DouglasPeucker {
  /// The remaining points, including the first and the last.
  ///
  /// - Parameters:
  ///   - path: Finite.
  ///   - tolerance: The largest distance of a removed point from the line that replaces it, at least 0.
  public static func simplified(_ path: [SIMD2<Float>], tolerance: Float) -> [SIMD2<Float>] {
    guard path.count > 2 else { return path }
    var keeps = [Bool](repeating: false, count: path.count)
    keeps[0] = true
    keeps[path.count - 1] = true
    var open = [(first: 0, last: path.count - 1)]
    while let (first, last) = open.popLast() {
      var furthest = first
      var greatest = tolerance
      for index in first + 1..<max(last, first + 1) {
        let distance = distance(of: path[index], from: path[first], to: path[last])
        if distance > greatest {
          greatest = distance
          furthest = index
        }
      }
      guard furthest > first else { continue }
      keeps[furthest] = true
      open.append((first, furthest))
      open.append((furthest, last))
    }
    return path.indices.filter { keeps[$0] }.map { path[$0] }
  }

  /// The path with a number of points in `range`, by the first tolerance found that gives it.
  ///
  /// A path with no more points than the range allows is unchanged. If no tolerance gives a number in the range, for
  /// example because many points are equally far off, the upper bound of the range is picked evenly from the smallest
  /// number above it.
  ///
  /// - Parameters:
  ///   - path: The points in order.
  ///   - range: From 2 up.
  public static func simplified(_ path: [SIMD2<Float>], to range: ClosedRange<Int>) -> [SIMD2<Float>] {
    guard path.count > range.upperBound else { return path }
    var low: Float = 0
    var high = path.map { distance(of: $0, from: path[0], to: path[0]) }.max() ?? 0
    var best = path
    // Each step halves the interval; Float has only 24 bits to halve.
    for _ in 0..<24 {
      let tolerance = 0.5 * (low + high)
      let thinned = simplified(path, tolerance: tolerance)
      if range.contains(thinned.count) { return thinned }
      if thinned.count > range.upperBound {
        low = tolerance
        best = thinned
      } else {
        high = tolerance
      }
    }
    let step = Float(best.count - 1) / Float(range.upperBound - 1)
    return (0..<range.upperBound).map { best[Int((Float($0) * step).rounded())] }
  }

  /// How far a point is from the line segment between two others.
  private static func distance(of point: SIMD2<Float>, from a: SIMD2<Float>, to b: SIMD2<Float>) -> Float {
    let line = b - a
    let squared = (line * line).sum()
    let share = squared > 0 ? min(max(((point - a) * line).sum() / squared, 0), 1) : 0
    let offset = point - (a + line * share)
    return (offset * offset).sum().squareRoot()
  }
}
