/// One band of equal width for each name, in the order given; the value of a name is its position, counted from 0.
public struct CategoryScale: Scale {
  public let names: [String]

  public init(_ names: [String]) {
    self.names = names
  }

  /// The part of the axis that one band takes.
  public var band: Double { 1 / Double(max(1, names.count)) }

  /// The middle of the band.
  public func fraction(of value: Double) -> Double? {
    guard value.isFinite, value > -0.5, value < Double(names.count) - 0.5 else { return nil }
    return (value + 0.5) * band
  }

  /// All names, or each second, third or so on.
  public func ticks(atMost limit: Int) -> [Tick] {
    let step = max(1, (names.count + max(1, limit) - 1) / max(1, limit))
    return stride(from: 0, to: names.count, by: step).map { Tick(value: Double($0), label: names[$0]) }
  }
}
