/// A mean over values of which some may be undefined: those are left out of it, and counted beside it.
public struct MeanOfDefined: Hashable, Sendable {
  /// `nil` where no value is defined.
  public var value: Double?
  /// How many values the mean is of.
  public var defined: Int
  /// How many values are left out.
  public var undefined: Int

  public init(_ values: some Collection<Double?>) {
    let numbers = values.compactMap { $0 }
    defined = numbers.count
    undefined = values.count - numbers.count
    // Summed in sorted order so that the order of the values does not show in the last digit.
    value = numbers.isEmpty ? nil : numbers.sorted().reduce(0, +) / Double(numbers.count)
  }
}
