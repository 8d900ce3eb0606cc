/// By how much a metric got better, with its interval and the loss that is accepted.
public struct MetricDifference: Hashable, Sendable {
  /// `squat-states count.mae`
  public var name: String
  /// `reps`; empty for a plain number.
  public var unit: String
  /// The mean gain; NaN where it is undefined.
  public var gain: Estimate
  /// `nil` for a metric that does not gate.
  public var margin: Double?
  /// What stands beside the numbers: `p 0.031`.
  public var remark: String

  public init(name: String, unit: String, gain: Estimate, margin: Double? = nil, remark: String = "") {
    self.name = name
    self.unit = unit
    self.gain = gain
    self.margin = margin
    self.remark = remark
  }

  /// How far from 0 anything of this row lies.
  var reach: Double {
    let bounds = gain.interval.map { [$0.lowerBound, $0.upperBound] } ?? []
    return ([gain.value, margin ?? 0] + bounds).filter { $0.isFinite && abs($0) < 1e300 }.map(abs).max() ?? 0
  }

  /// Whether neither the gain nor its interval is anything but 0.
  var isUnchanged: Bool { gain.value == 0 && gain.interval == 0...0 }

  /// Whether there is a gain that is not 0 throughout.
  var isChanged: Bool { gain.value.isFinite && !isUnchanged }

  /// Better or worse where the whole interval is on that side.
  var meaning: Meaning {
    guard let interval = gain.interval else { return .neutral }
    return interval.lowerBound > 0 ? .better : interval.upperBound < 0 ? .worse : .neutral
  }
}
