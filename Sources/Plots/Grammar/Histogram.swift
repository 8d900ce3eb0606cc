/// How many of some values fall into each of equal steps along a scale.
struct Histogram {
  let counts: [Int]

  /// Counts the values that lie on the scale; its two ends belong to it.
  init(of values: [Double], on scale: some Scale, bins: Int) {
    var counts = [Int](repeating: 0, count: bins)
    for value in values {
      guard let fraction = scale.fraction(of: value), (0...1).contains(fraction) else { continue }
      counts[min(bins - 1, Int(fraction * Double(bins)))] += 1
    }
    self.counts = counts
  }

  var greatest: Int { counts.max() ?? 0 }
}
