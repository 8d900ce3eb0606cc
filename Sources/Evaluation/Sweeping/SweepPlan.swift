import Coaching
import Datasets

/// The settings of one detector that a sweep tries.
public struct SweepPlan: Hashable, Sendable {
  /// A sample of settings in place of all combinations.
  public struct Sampling: Hashable, Codable, Sendable {
    public var count: Int
    public var seed: UInt64

    public init(count: Int, seed: UInt64) {
      self.count = count
      self.seed = seed
    }
  }

  /// No sweep tries more settings than this: their tallies are all kept in memory.
  public static let limit = 10_000

  public let detector: String
  public let axes: [SweepAxis]
  public let sampling: Sampling?
  /// A value for each axis; no two alike.
  public let points: [[Double]]

  /// All combinations of the axes' values, the last axis varying fastest, or a sample of them.
  ///
  /// - Throws: `EvaluationError.usage` where there are no axes, axes of several detectors or of one parameter, a range
  ///   without a step and no sampling, or more settings than `limit`.
  public init(_ axes: [SweepAxis], sampling: Sampling? = nil) throws {
    guard let first = axes.first else { throw EvaluationError.usage("expected at least one parameter to sweep") }
    if let other = axes.first(where: { $0.detector != first.detector }) {
      throw EvaluationError.usage(
        "expected parameters of one detector, found \(first.detector) and \(other.detector): detectors do not see each "
          + "other, so sweep one after the other")
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
      throw EvaluationError.usage("--sample takes a whole number from 1, found \(sampling.count)")
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
          + (what == "samples" ? "" : "; take longer steps, or a sample of them with --sample"))
    }
  }
}
