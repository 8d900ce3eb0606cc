import Datasets
import PoseModel
import Scoring

/// What is evaluated: the clips, the detectors, the metrics, and how much of each may be lost.
public struct Suite: Hashable, Sendable {
  /// A dataset, pinned to its content so that a changed one is never mistaken for a changed detector.
  public struct DatasetPin: Hashable, Sendable {
    public var name: String
    public var content: ContentHash
  }

  public struct DetectorChoice: Hashable, Sendable {
    public var name: String
    /// Values other than the detector's defaults.
    public var parameters: [String: Double]
  }

  public struct MetricChoice: Hashable, Sendable {
    public var detector: String
    public var metric: String
    /// The loss that is accepted, in the metric's unit; `nil` for a metric that does not gate.
    public var margin: Double?
    /// The value, in the metric's unit, that it must not be worse than; only beside a margin.
    public var floor: Double?
  }

  /// What a gate makes of a result that proves neither a loss nor its absence.
  public enum InconclusivePolicy: String, CaseIterable, Hashable, Sendable {
    case pass, fail
  }

  public var name: String
  public var version: Int
  public var datasets: [DatasetPin]
  /// Only clips of these exercises are taken.
  public var exercises: [String]
  /// What some of the datasets' events and intervals are called here: a slice played on the forehand side is a forehand.
  public var labels: [String: String] = [:]
  public var detectors: [DetectorChoice]
  public var matching: RepMatching
  public var camera: LiveCamera
  /// What every pose goes through before a detector sees it.
  public var smoothing: Smoothing?
  public var metrics: [MetricChoice]
  public var costs: [CostChoice] = []
  public var percentiles: [PercentileChoice] = []
  public var inconclusive: InconclusivePolicy

  /// What people said, in this suite's words.
  func renamed(_ truth: Truth) -> Truth {
    var renamed = truth
    for index in truth.events.indices {
      if let label = labels[truth.events[index].label] { renamed.events[index].label = label }
    }
    for index in truth.segments.indices {
      if let label = labels[truth.segments[index].label] { renamed.segments[index].label = label }
    }
    return renamed
  }

  /// The poses as a detector gets to see them.
  func smoothed(_ poses: PoseSequence) -> PoseSequence { smoothing.map { poses.smoothed(by: $0) } ?? poses }
}
