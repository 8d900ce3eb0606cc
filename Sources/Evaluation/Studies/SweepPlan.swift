import Coaching
import Datasets
import Pipeline
import Statistics

/// The settings of one detector that a sweep tries.
public struct SweepPlan: Hashable, Sendable {
  /// A sample of settings instead of all combinations.
  public struct Sampling: Hashable, Codable, Sendable {
    public var count: Int
    public var seed: UInt64

    public init(count: Int, seed: UInt64) {
      self.count = count
      self.seed = seed
    }
  }

  /// The maximum number of settings in a sweep: all their tallies are kept in memory.
  public static let limit = 10_000

  public let detector: String
  public let axes: [SweepAxis]
  public let sampling: Sampling?
  /// A value for each axis; all points differ.
  public let points: [[Double]]

  /// All combinations of the axes' values, the last axis varying fastest, or a sample of them.
  ///
  /// - Throws: `EvaluationError.usage` if there are no axes, axes of several detectors, two axes of one parameter, a
  ///   range without a step and no sampling, or more settings than `limit`.
  public init(_ axes: [SweepAxis], sampling: Sampling? = nil) throws {
    guard let first = axes.first else { throw EvaluationError.usage("expected at least one parameter to sweep") }
    if let other = axes.first(where: { $0.detector != first.detector }) {
      throw EvaluationError.usage(
        "expected parameters of one detector, found \(first.detector) and \(other.detector): detectors are independent, "
          + "so sweep them one after the other")
    }
    var names: Set<String> = []
    if let twice = axes.first(where: { !names.insert($0.parameter.name).inserted }) {
      throw EvaluationError.usage("expected each parameter once, found \(twice.parameter.name) twice")
    }
    detector = first.detector
    self.axes = axes
    self.sampling = sampling
    points = try sampling.map { try Self.sample($0, of: axes) } ?? Self.grid(of: axes)
  }

  private static func grid(of axes: [SweepAxis]) throws -> [[Double]] {
    let lists = try axes.map { axis in
      guard case .values(let values) = axis.extent else {
        throw EvaluationError.usage(
          "the range of \(axis.parameter.name) has no step: expected one such as 70...110:2, or --sample for a number of "
            + "settings within it")
      }
      return values
    }
    let count = lists.reduce(1.0) { $0 * Double($1.count) }
    try requireFew(count, "combinations")
    return lists.reduce([[]]) { points, values in points.flatMap { point in values.map { point + [$0] } } }
  }

  private static func sample(_ sampling: Sampling, of axes: [SweepAxis]) throws -> [[Double]] {
    guard sampling.count > 0 else {
      throw EvaluationError.usage("--sample takes a whole number of 1 or more, found \(sampling.count)")
    }
    try requireFew(Double(sampling.count), "samples")
    var generator = SeededGenerator(seed: sampling.seed)
    let sequence = Halton(dimensions: axes.count, using: &generator)
    var seen: Set<[Double]> = []
    return (0..<sampling.count).map { index in
      zip(axes, sequence.point(index)).map { $0.value(at: $1) }
    }.filter { seen.insert($0).inserted }
  }

  private static func requireFew(_ count: Double, _ what: String) throws {
    guard count <= Double(limit) else {
      let number = count < 1e15 ? "\(Int(count))" : "\(count)"
      throw EvaluationError.usage(
        "expected at most \(limit) settings, found \(number) \(what)"
          + (what == "samples" ? "" : "; take longer steps, or a sample with --sample"))
    }
  }
}

/// A parameter that a sweep varies, with its values: `reps.squat-states.bottomAngle=70...110:2`.
public struct SweepAxis: Hashable, Sendable {
  public enum Extent: Hashable, Sendable {
    /// At least one value, all different.
    case values([Double])
    /// Any value within the range: settings can only be sampled.
    case range(ClosedRange<Double>)
  }

  public let detector: String
  public let parameter: Parameter
  public let extent: Extent

  /// Reads values (`80,90,100`), a range with a step (`70...110:2`) or one without (`70...110`).
  ///
  /// - Throws: `EvaluationError.usage` if the text is none of these, or the parameter does not allow a value.
  public init(_ text: String, of detectors: [DetectorDefinition]) throws {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, !sides[1].isEmpty else {
      throw EvaluationError.usage(
        "expected <kind>.<detector>.<parameter>=<values> with values such as 80,90,100 or 70...110:2, found \(text)")
    }
    func assignment(_ value: some StringProtocol) throws -> Assignment {
      try Assignment("\(sides[0])=\(value)", of: detectors)
    }
    let range = sides[1].split(separator: "...", omittingEmptySubsequences: false)
    let isRange = range.count > 1
    guard isRange || sides[1].wholeMatch(of: /[0-9.]+[-:][0-9].*/) == nil else {
      throw EvaluationError.usage("\(text): expected a range such as 70...110:2, found \(sides[1])")
    }
    let ends = range.last?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    let listed = isRange ? [] : sides[1].split(separator: ",", omittingEmptySubsequences: false)
    let first = try assignment(isRange ? range[0] : listed[0])
    guard let detector = detectors.first(where: { $0.profile.name == first.detector }),
      let parameter = detector.parameters.first(where: { $0.name == first.parameter })
    else { throw EvaluationError.usage("\(text): expected a parameter of a detector") }
    self.detector = first.detector
    self.parameter = parameter
    guard isRange else {
      let values = try listed.map { try assignment($0).value }
      guard Set(values).count == values.count else {
        throw EvaluationError.usage("\(text): expected each value once")
      }
      extent = .values(values)
      return
    }
    guard parameter.unit != .toggle else {
      throw EvaluationError.usage("\(text): expected off,on for an on/off parameter")
    }
    guard range.count == 2, ends.count <= 2 else {
      throw EvaluationError.usage("\(text): expected a range such as 70...110:2, found \(sides[1])")
    }
    let last = try assignment(ends[0]).value
    guard first.value < last else {
      throw EvaluationError.usage("\(text): expected a range that goes up, found \(sides[1])")
    }
    guard ends.count == 2 else {
      extent = .range(first.value...last)
      return
    }
    guard let step = Double(ends[1]), step.isFinite, step > 0 else {
      throw EvaluationError.usage("\(text): expected a step above 0, found \(ends[1])")
    }
    extent = .values(try Self.values(from: first.value, through: last, by: step, of: text))
  }

  private static func values(
    from first: Double, through last: Double, by step: Double, of text: String
  ) throws -> [Double] {
    let steps = ((last - first) / step + 1e-9).rounded(.down)
    guard steps < Double(SweepPlan.limit) else {
      throw EvaluationError.usage("\(text): expected at most \(SweepPlan.limit) values; take a longer step")
    }
    // 0.1 + 2 x 0.1 must be 0.3, as a person types it.
    return (0...Int(steps)).map { ((first + Double($0) * step) * 1e9).rounded() / 1e9 }
  }

  /// The value at a fraction of the range, 0 to below 1, rounded to a ten thousandth of the range, which a person can
  /// type.
  func value(at part: Double) -> Double {
    switch extent {
    case .values(let values): return values[min(values.count - 1, Int(part * Double(values.count)))]
    case .range(let range):
      let span = range.upperBound - range.lowerBound
      var scale = 1.0
      while span * scale < 10_000, scale < 1e9 { scale *= 10 }
      let value = ((range.lowerBound + part * span) * scale).rounded() / scale
      return min(max(value, range.lowerBound), range.upperBound)
    }
  }
}

/// A sequence of points that fills the unit cube evenly wherever it is cut off, randomised by a seed.
///
/// Coordinate j of point i is i written in the j-th prime's base, each digit replaced by a random permutation for its
/// place, and mirrored at the point. The permutations break up the stripes that large bases otherwise produce.
///
/// - Source: Halton, On the efficiency of certain quasi-random sequences, Numerische Mathematik 2, 1960; Owen, A
///   randomized Halton algorithm in R, arXiv:1706.02808, 2017.
struct Halton: Sendable {
  private struct Coordinate: Sendable {
    var base: Int
    /// For each digit, the smallest place first, its replacement.
    var permutations: [[Int]]
  }

  private let coordinates: [Coordinate]

  /// - Parameter dimensions: 0 or more.
  init(dimensions: Int, using generator: inout some RandomNumberGenerator) {
    var coordinates: [Coordinate] = []
    for base in Self.primes(dimensions) {
      // As many digits as the 53 bits of a double can distinguish.
      var permutations: [[Int]] = []
      var weight = 1.0
      while weight > 0x1p-53 {
        permutations.append(Self.permutation(of: base, using: &generator))
        weight /= Double(base)
      }
      coordinates.append(Coordinate(base: base, permutations: permutations))
    }
    self.coordinates = coordinates
  }

  /// The coordinates of a point, each from 0 to below 1.
  ///
  /// - Parameter index: 0 or more.
  func point(_ index: Int) -> [Double] {
    coordinates.map { coordinate in
      var rest = index
      var weight = 1.0
      var sum = 0.0
      for permutation in coordinate.permutations {
        weight /= Double(coordinate.base)
        sum += Double(permutation[rest % coordinate.base]) * weight
        rest /= coordinate.base
      }
      return min(sum, 1 - 0x1p-53)
    }
  }

  static func primes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  /// Written out here, as the standard library's shuffle may change between versions.
  private static func permutation(of count: Int, using generator: inout some RandomNumberGenerator) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(last, Int(generator.next() % UInt64(last + 1)))
    }
    return order
  }
}
