import Statistics

/// A metric on two sides, subject by subject, and what the subjects' differences say of people like them.
public struct PairedMetric: Hashable, Sendable {
  /// A subject's own value on each side; `nil` where it is undefined.
  public struct Subject: Hashable, Sendable {
    public var name: String
    public var before: Double?
    public var after: Double?
    /// Above 0 is better; `nil` where a side has no value.
    public var gain: Double?
  }

  public private(set) var change: Comparison.Change
  /// By name.
  public let subjects: [Subject]
  public let clips: Int
  /// Whether the suite names the metric: these are shown first.
  public let isListed: Bool
  /// The t interval on the mean gain; `nil` for fewer than two subjects with a value on both sides. Of a pooled value
  /// the bootstrap's; `nil` where a side was not replayed for the comparison.
  public let interval: Interval?
  /// The test of the gains; `nil` for fewer than two, and for a pooled value.
  public let signFlip: SignFlip?
  /// The two-sided p value adjusted for the other tests of its family: by Holm over the metrics that gate, by Benjamini
  /// and Hochberg over the slices. `nil` for what is in no family.
  public internal(set) var adjustedP: Double?

  /// Subjects with a value on both sides; of a pooled value all.
  public var pairs: Int { change.isPooled ? subjects.count : change.gains.count }
  /// The means of the subjects with a value on both sides, whose difference is the gain; a pooled value as it is.
  public var pairedBefore: Double? { change.isPooled ? change.before : mean(paired.compactMap(\.before)) }
  public var pairedAfter: Double? { change.isPooled ? change.after : mean(paired.compactMap(\.after)) }
  private var paired: [Subject] { subjects.filter { $0.before != nil && $0.after != nil } }
  public var undefinedBefore: Int { subjects.count { $0.before == nil } }
  public var undefinedAfter: Int { subjects.count { $0.after == nil } }

  /// What more than twenty subjects' signs are drawn with.
  public static let seed: UInt64 = 1

  /// - Parameter pooled: the difference of a pooled value; `nil` for none, or where no predictions are at hand.
  init(
    _ change: Comparison.Change, from before: [String: Double?], to after: [String: Double?], clips: Int,
    isListed: Bool, pooled: PooledDifference? = nil
  ) {
    self.change = change
    self.clips = clips
    self.isListed = isListed
    subjects = Set(before.keys).union(after.keys).sorted().map { name in
      Subject(name: name, before: before[name] ?? nil, after: after[name] ?? nil, gain: change.gains[name])
    }
    let gains = subjects.compactMap(\.gain)
    interval = pooled == nil ? .studentT(gains, level: PairedComparison.level) : pooled?.interval
    var generator = SeededGenerator(seed: Self.seed)
    signFlip = gains.count < 2 ? nil : SignFlip(gains, using: &generator)
    guard let pooled else { return }
    // One side may have given the mean of its subjects.
    (self.change.before, self.change.after, self.change.pooledGain) = (pooled.before, pooled.after, pooled.gain)
  }
}

extension [PairedMetric] {
  /// Sets the adjusted p values of the family that `isMember` picks. A test without a p value is counted as one that
  /// found nothing, so that what is undefined makes no other test easier.
  mutating func adjust(by correction: ([Double]) -> [Double]?, where isMember: (PairedMetric) -> Bool) {
    let family = indices.filter { isMember(self[$0]) }
    guard let adjusted = correction(family.map { self[$0].signFlip?.twoSided ?? 1 }) else { return }
    for (index, p) in zip(family, adjusted) where self[index].signFlip != nil { self[index].adjustedP = p }
  }
}
