/// What was measured of a repetition or a frame, one value a measure in the order of the measures; NaN is unknown.
public struct FormValues: Hashable, Sendable {
  private var values = SIMD8<Float>(repeating: .nan)

  public init() {}

  /// Whether anything is known.
  var isKnown: Bool { any(values .== values) }

  public subscript(_ measure: Int) -> Float {
    get { values[measure] }
    set { values[measure] = newValue }
  }
}
