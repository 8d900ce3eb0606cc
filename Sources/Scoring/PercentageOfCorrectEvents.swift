/// PCE: the share of a swing's events whose predicted frame is within a tolerance.
///
/// Every clip has each event once, and its prediction is one frame. The tolerance grows with the length of the swing,
/// to keep slow motion from being harder: δ = max(⌊n / f⌉, 1) frames, where n is the number of frames from address to
/// impact and f the frame rate at which one frame is near enough.
///
/// - Source: McNally et al., GolfDB: A Video Database for Golf Swing Sequencing, 2019; its code divides by 30 and
///   rounds halves to even.
public struct PercentageOfCorrectEvents: Hashable, Codable, Sendable {
  /// Correct events and all events, by name.
  var correct: [String: Int] = [:]
  var total: [String: Int] = [:]

  public init() {}

  /// - Parameters:
  ///   - truth: The frame of each event, by name.
  ///   - predicted: The predicted frame of each event; a missing event is wrong.
  ///   - tolerance: In frames; see `tolerance(address:impact:rate:)`.
  public init(truth: [String: Int], predicted: [String: Int], tolerance: Int) {
    for (event, frame) in truth {
      total[event] = 1
      correct[event] = predicted[event].map { abs($0 - frame) <= tolerance } == true ? 1 : 0
    }
  }

  /// δ in frames.
  ///
  /// - Parameters:
  ///   - address: the frame of the address, before the swing.
  ///   - impact: the frame of the impact.
  ///   - rate: frames a second, above 0.
  public static func tolerance(address: Int, impact: Int, rate: Double = 30) -> Int {
    let frames = (Double(impact - address) / rate).rounded(.toNearestOrEven)
    return max(Int(exactly: frames) ?? 1, 1)
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.correct.merge(b.correct, uniquingKeysWith: +)
    sum.total.merge(b.total, uniquingKeysWith: +)
    return sum
  }

  /// The share over all events, 0...1; `nil` without events.
  public var value: Double? { share(correct.values.reduce(0, +), of: total.values.reduce(0, +)) }

  /// The share for one event, 0...1; `nil` if no clip has it.
  public func value(of event: String) -> Double? { share(correct[event] ?? 0, of: total[event] ?? 0) }

  private func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

extension PercentageOfCorrectEvents: MetricGroup {
  public static let title = "single events"

  public static let plainNames = ["events.pce": "events in time (PCE)"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.percentageOfCorrectEvents]
  }
}

extension Metric {
  public static let percentageOfCorrectEvents = Metric(
    "events.pce", "Share of a swing's events that are found within a tolerance that grows with the swing's length.",
    .higherIsBetter, range: 0...1, undefined: "no clip has its events labelled once each",
    source: "McNally et al., GolfDB: A Video Database for Golf Swing Sequencing, 2019", aggregation: .ratio)
}
