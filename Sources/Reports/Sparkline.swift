/// Values over time as a line of block characters, one per value: the lowest block is the smallest value, the highest
/// the largest.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// Equal values give a level line, missing values a dot. `nil` with fewer than two values.
  static func text(_ values: [Double?]) -> String? {
    let known = values.compactMap(\.self).filter(\.isFinite)
    guard known.count >= 2, let low = known.min(), let high = known.max() else { return nil }
    return String(
      values.map { value in
        guard let value, value.isFinite else { return "·" }
        guard high > low else { return blocks[3] }
        return blocks[min(7, Int((value - low) / (high - low) * 8))]
      })
  }
}
