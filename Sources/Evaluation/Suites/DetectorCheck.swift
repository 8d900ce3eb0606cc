import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Statistics

/// A test of whether a detector is deterministic: in another order of clips, in a new process, and without look-ahead.
public struct DetectorCheck: Sendable {
  /// A way to replay the clips again.
  public enum Way: String, CaseIterable, Sendable {
    /// In the same processes, the last clip first.
    case reversed = "in another order"
    /// In a new process.
    case renewed = "in a new process"
    /// Each frame is sent only after the answer to the one before.
    case frameByFrame = "frame by frame"
  }

  public struct Difference: Sendable {
    public let clip: String
    public let way: Way
    /// The first events that differ; `nil` if one side has no more, or only measurements differ.
    public let first: Event?
    public let again: Event?
  }

  /// The replayed clips.
  public let clips: [String]
  public let ways: [Way]
  public private(set) var differences: [Difference] = []
  /// The time per frame in all, and by the detector's own clock, in nanoseconds; `nil` if unknown.
  public let costs: (all: Double?, own: Double?)

  /// Enough clips to see whether one affects the next.
  private static let clipCount = 3

  /// Replays the first clips of the detector's exercise.
  ///
  /// - Parameter dataset: The dataset to use; `nil` for the suite's or all of the project's.
  /// - Throws: `EvaluationError.missing` if there is no such clip, and errors of the detector's program.
  public init(_ plan: ReplayPlan, dataset: String?, in catalogue: DatasetCatalogue) throws {
    let setting = plan.setting
    let exercises = plan.suite?.exercises ?? [setting.profile.exercise].filter { !$0.isEmpty }
    let names = dataset.map { [$0] } ?? plan.suite?.datasets.map(\.name) ?? catalogue.project.datasetNames
    let conditions = plan.conditions
    var prepared: [PreparedClip] = []
    for name in names where prepared.count < Self.clipCount {
      let dataset = try catalogue.dataset(named: name)
      let fitting = try catalogue.store.clips(of: dataset).filter {
        $0.hasPoses && (exercises.isEmpty || exercises.contains($0.info.exercise))
      }
      prepared += try fitting.prefix(Self.clipCount - prepared.count).map {
        try PreparedClip($0, of: dataset, in: catalogue.store, under: conditions, measuring: setting.signals)
      }
    }
    guard !prepared.isEmpty else {
      throw EvaluationError.missing(
        what: "clips to check \(setting.name) on",
        expected: "a clip of \(exercises.isEmpty ? "any exercise" : exercises.joined(separator: ", ")) with poses in "
          + (names.isEmpty ? "a dataset" : names.joined(separator: ", ")),
        found: "none; import one with: bench dataset import")
    }
    clips = prepared.map(\.id)
    let isOutside = setting.outside != nil
    ways = isOutside ? Way.allCases : [.reversed]
    CommandProcesses.endAll()
    func said(of clip: PreparedClip, frameByFrame: Bool = false) throws -> OutsideAnswers {
      try clip.outsideAnswers(setting, frameByFrame: frameByFrame)
        ?? OutsideAnswers(events: clip.replay(setting).events)
    }
    let first = try prepared.map { try said(of: $0) }
    // The program has started by now.
    let clock = ContinuousClock()
    var again: [OutsideAnswers] = []
    let spent = try clock.measure { again = try prepared.reversed().map { try said(of: $0) }.reversed() }
    let frames = prepared.reduce(0) { $0 + $1.poses.frameCount }
    let told = again.flatMap(\.nanoseconds)
    costs = (frames > 0 && isOutside ? spent / .nanoseconds(1) / Double(frames) : nil, told.isEmpty ? nil : mean(told))
    compare(first, again, .reversed)
    guard isOutside else { return }
    compare(
      first,
      try prepared.map {
        CommandProcesses.endAll()
        return try said(of: $0)
      }, .renewed)
    compare(first, try prepared.map { try said(of: $0, frameByFrame: true) }, .frameByFrame)
  }

  private mutating func compare(_ first: [OutsideAnswers], _ again: [OutsideAnswers], _ way: Way) {
    for (clip, (one, other)) in zip(clips, zip(first, again)) {
      let place = zip(one.events, other.events).enumerated().first { $1.0 != $1.1 }?.offset
      let end = min(one.events.count, other.events.count)
      guard place != nil || one.events.count != other.events.count || !one.measuresLike(other) else { continue }
      func event(_ events: [Event]) -> Event? { (place ?? end) < events.count ? events[place ?? end] : nil }
      differences.append(Difference(clip: clip, way: way, first: event(one.events), again: event(other.events)))
    }
  }
}

extension OutsideAnswers {
  /// Whether the measurements are equal bit by bit; missing values are equal.
  fileprivate func measuresLike(_ other: OutsideAnswers) -> Bool {
    zip(series, other.series).allSatisfy { one, other in
      one.values.count == other.values.count
        && zip(one.values, other.values).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN }
    }
  }
}
