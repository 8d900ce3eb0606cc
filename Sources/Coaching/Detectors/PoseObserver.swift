import PoseModel

/// Something that takes frames in order and says what it saw in them.
public protocol PoseObserver: Sendable {
  /// What is measured on the poses before `update` sees them, in the order of its signal columns. Observers with equal
  /// signals share one measurement. Empty for one that reads the joints itself.
  var signals: [any Signal] { get }

  /// How an app measures `signals` on each frame: one after the other, unless an observer whose signals look at the same
  /// joints does it in one go, with the same values.
  var measurement: any FrameMeasurement { get }

  /// The thresholds to draw over the signals in a timeline.
  var guides: [Guide] { get }

  /// Sees the next frames and appends what it has to say of them, in order of `reported`.
  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event])
}

extension PoseObserver {
  public var signals: [any Signal] { [] }
  public var measurement: any FrameMeasurement { SignalList(signals) }
  public var guides: [Guide] { [] }
}
