import RealModule

/// The arithmetic mean; `nil` without values.
public func mean(_ values: [Double]) -> Double? {
  guard let first = values.first else { return nil }
  // The mean of equal values is exactly that value: a sum would round.
  if values.allSatisfy({ $0 == first }) { return first }
  return values.reduce(0, +) / Double(values.count)
}

/// The sample standard deviation, with n - 1; `nil` with fewer than two values.
public func standardDeviation(_ values: [Double]) -> Double? {
  guard values.count >= 2, let mean = mean(values) else { return nil }
  let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (squares / Double(values.count - 1)).squareRoot()
}

/// The value below which the fraction `p` of the values lies, interpolated linearly; `nil` without values.
///
/// - Parameter p: 0...1.
/// - Source: Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, definition 7 (numpy's default).
public func quantile(_ p: Double, of values: [Double]) -> Double? {
  quantile(p, ofSorted: values.sorted())
}

/// `quantile(_:of:)` for sorted values.
public func quantile(_ p: Double, ofSorted values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let position = p * Double(values.count - 1)
  let lower = min(max(Int(position.rounded(.down)), 0), values.count - 1)
  let upper = min(lower + 1, values.count - 1)
  return values[lower] + (values[upper] - values[lower]) * (position - Double(lower))
}
