/// An instant of a recording, or a span between two, in whole microseconds.
///
/// Files contain seconds; memory contains whole microseconds, which makes tolerances exact and equal times compare
/// equal. An instant counts from the recording's own zero.
public struct Microseconds: Hashable, Comparable, Codable, BitwiseCopyable, Sendable {
  /// Microseconds; negative before the recording's zero.
  public var count: Int64

  @inlinable public init(_ count: Int64) { self.count = count }

  /// Rounds to the nearest microsecond, halves away from zero.
  ///
  /// `nil` for NaN, an infinity, and anything beyond ±1e12 s (over 30,000 years).
  public init?(seconds: Double) {
    guard abs(seconds) <= 1e12 else { return nil }
    count = Int64((seconds * 1e6).rounded())
  }

  /// The start of frame `index` at `rate` frames a second, both positive and finite.
  public init(frame index: Int, rate: Double) {
    count = Int64((Double(index) / rate * 1e6).rounded())
  }

  /// The recording's zero, and no time at all.
  public static let zero = Microseconds(0)

  /// Reads a whole number of microseconds.
  public init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int64.self) }

  /// Writes a whole number of microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }

  /// The same time in seconds.
  @inlinable public var seconds: Double { Double(count) / 1e6 }
  /// The same time in milliseconds.
  @inlinable public var milliseconds: Double { Double(count) / 1e3 }
  /// The time without its sign.
  @inlinable public var magnitude: Microseconds { Microseconds(abs(count)) }

  /// Whether `a` is earlier, or less, than `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.count < b.count }
  /// Traps on overflow.
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(a.count + b.count) }
  /// Traps on overflow.
  @inlinable public static func - (a: Self, b: Self) -> Self { Self(a.count - b.count) }
}

extension [Microseconds] {
  /// The starts of the first frames of a recording at a constant rate, in frames a second.
  public init(frames count: Int, rate: Double) {
    self = (0..<count).map { Microseconds(frame: $0, rate: rate) }
  }

  /// The index of the first time that does not follow the one before it by more than 0 and at most a limit; `nil` if
  /// all do.
  package func firstBreak(longestStep: Microseconds) -> Int? {
    withUnsafeBufferPointer { times in
      for index in times.indices.dropFirst() {
        let step = times[index].count - times[index - 1].count
        if step <= 0 || step > longestStep.count { return index }
      }
      return nil
    }
  }
}
