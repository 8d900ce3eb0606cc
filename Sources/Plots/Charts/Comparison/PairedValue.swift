/// One thing measured twice: a subject's value or a clip's count, before and after.
public struct PairedValue: Hashable, Sendable {
  public var name: String
  /// NaN where it is missing, as is `after`.
  public var before: Double
  public var after: Double
  /// What the value should be, where somebody said so.
  public var truth: Double?
  /// By how much it got better, below 0 worse; NaN where that is not known.
  public var gain: Double

  public init(name: String, before: Double, after: Double, truth: Double? = nil, gain: Double) {
    self.name = name
    self.before = before
    self.after = after
    self.truth = truth
    self.gain = gain
  }

  var isComplete: Bool { before.isFinite && after.isFinite }

  var meaning: Meaning { gain > 0 ? .better : gain < 0 ? .worse : .neutral }

  /// The largest loss first, then by name.
  static func worstFirst(_ a: PairedValue, _ b: PairedValue) -> Bool {
    let (gainA, gainB) = (a.gain.isFinite ? a.gain : 0, b.gain.isFinite ? b.gain : 0)
    return gainA != gainB ? gainA < gainB : a.name < b.name
  }
}
