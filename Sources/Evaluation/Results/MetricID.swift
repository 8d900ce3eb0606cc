/// A metric of a detector, by their names.
public struct MetricID: Hashable, Sendable, CustomStringConvertible {
  public var detector: String
  public var metric: String

  public init(_ detector: String, _ metric: String) { (self.detector, self.metric) = (detector, metric) }

  /// `squat-states count.mae`
  public var description: String { "\(detector) \(metric)" }
}

/// What belongs to a metric of a detector: a value, a change, a margin.
public protocol OfMetric {
  var detector: String { get }
  var metric: String { get }
}

extension OfMetric {
  public var metricID: MetricID { MetricID(detector, metric) }
}

extension Sequence where Element: OfMetric {
  /// The first one of a metric.
  public func first(of id: MetricID) -> Element? { first { $0.metricID == id } }

  public func contains(_ id: MetricID) -> Bool { contains { $0.metricID == id } }
}

extension RunResults.MetricResult: OfMetric {}
extension RunResults.SliceResult: OfMetric {}
