import Coaching
import Pipeline
import Scoring
import Statistics

/// The smallest change of each single parameter that mends a detector's mistake on a clip, and what it does to all other
/// clips.
public struct ParameterFix: Sendable {
  /// What is to be mended.
  public enum Mistake: Hashable, Sendable {
    /// The clip's count.
    case count
    /// A labelled rep or stroke that was not found, by its index.
    case missed(Int)
    /// A detection of a rep or stroke that matches no label, by its index.
    case invented(Int)
  }

  public struct Change: Sendable {
    public var parameter: Parameter
    public var before: Double
    public var after: Double
    /// The clip's count afterwards; `nil` for a detector that counts nothing.
    public var counted: Int?
    /// The other clips that are counted otherwise, or on which other reps or strokes are wrong.
    public var changed: [ClipResult]
    /// Those that become right.
    public var mended: [ClipResult]
    /// Those that become wrong.
    public var broken: [ClipResult]
    /// Phantoms a minute before and after; `nil` without negative time.
    public var phantoms: (before: Double, after: Double)?

    /// The people whose clips become wrong, in alphabetical order.
    public var people: [String] { Set(broken.map(\.subject)).sorted() }
  }

  public let mistake: Mistake
  /// `nil` for a detector that counts nothing.
  public let counted: Int?
  /// The true count; `nil` if unknown.
  public let truth: Int?
  /// Those that harm fewest clips first; empty if no single parameter mends it, or nothing is wrong.
  public let changes: [Change]
  /// The number of all other clips that are right or wrong, and of their people.
  public let others: (clips: Int, people: Int)

  /// Whether nothing has to be mended.
  public var isNeedless: Bool { mistake == .count && counted == truth }

  /// The values tried towards each end of a parameter's range, and the halvings of the last step.
  private static let (steps, halvings) = (24, 6)
  /// The changes that are tried on all clips.
  private static let most = 4

  /// - Parameters:
  ///   - clip: The index of a clip in the session.
  ///   - setting: The detector that makes the mistake; `nil` for the session's own.
  /// - Throws: `EvaluationError.missing` if the detector does not make the mistake on the clip; for a count, if the clip
  ///   has no true count or the detector counts nothing.
  public init(
    _ mistake: Mistake, onClip clip: Int, by setting: DetectorSetting? = nil, in session: ReplaySession
  ) throws {
    let setting = setting ?? session.setting
    let name = setting.name
    let own = try session.replay(clip, by: setting)
    self.mistake = mistake
    (truth, counted) = (own.result.trueCount, own.outcome?.count)
    let isMended = try Self.rule(mistake, of: own)
    func changed(_ parameter: Parameter, _ value: Double) throws -> DetectorSetting {
      try DetectorSetting(
        setting.definition, replacing: setting.values.values.merging([parameter.name: value]) { _, last in last })
    }
    func isRight(_ parameter: Parameter, _ value: Double) throws -> Bool {
      guard let setting = try? changed(parameter, value) else { return false }
      return try isMended(session.replay(clip, by: setting))
    }
    let isNeeded = !isMended(own)
    var found: [(parameter: Parameter, value: Double, share: Double)] = []
    for parameter in setting.definition.parameters where isNeeded {
      let value = setting.values[parameter]
      let range = parameter.range
      for end in [range.lowerBound, range.upperBound] where end != value {
        guard let mended = try Self.nearest(to: value, towards: end, parameter, isRight) else { continue }
        found.append((parameter, mended, abs(mended - value) / (range.upperBound - range.lowerBound)))
      }
    }
    let before = try session.score(setting)
    let labelled = before.clips.indices.filter { $0 != clip && before.clips[$0].isRight(setting) != nil }
    others = (labelled.count, Set(labelled.map { before.clips[$0].person }).count)
    let changes = try found.sorted { $0.share < $1.share }.prefix(Self.most).map { parameter, value, _ in
      let setting = try changed(parameter, value)
      let after = try session.score(setting)
      func turned(_ isRight: Bool) -> [ClipResult] {
        labelled.filter {
          before.clips[$0].isRight(setting) == !isRight && after.clips[$0].isRight(setting) == isRight
        }.map { after.clips[$0] }
      }
      func phantoms(_ score: ReplaySession.Score) -> Double? {
        score.metrics.first { $0.metric == PhantomMetrics.rate }?.value
      }
      let both = phantoms(before).flatMap { one in phantoms(after).map { (one, $0) } }
      return Change(
        parameter: parameter, before: own.setting.values[parameter], after: value,
        counted: after.clips[clip].outcomes[name]?.count,
        changed: labelled.filter { index in
          let (one, other) = (before.clips[index], after.clips[index])
          return one.outcomes[name]?.count != other.outcomes[name]?.count
            || one.errors(of: name)[1] != other.errors(of: name)[1]
        }.map { after.clips[$0] },
        mended: turned(true), broken: turned(false), phantoms: both)
    }
    self.changes = changes.sorted { $0.broken.count - $0.mended.count < $1.broken.count - $1.mended.count }
  }

  /// Whether a replay of the clip no longer makes the mistake.
  private static func rule(_ mistake: Mistake, of own: ReplayedClip) throws -> (ReplayedClip) -> Bool {
    let id = own.result.id
    switch mistake {
    case .count:
      guard let truth = own.result.trueCount, own.outcome?.count != nil else {
        throw EvaluationError.missing(
          what: id, expected: "a true count and a detector that counts",
          found: own.result.trueCount == nil ? "no true count" : "\(own.setting.name)")
      }
      return { $0.outcome?.count == truth }
    case .missed(let index):
      guard own.isMatched, own.truthCount > index, index >= 0, !own.foundTruth.contains(index) else {
        throw EvaluationError.missing(
          what: "rep \(index + 1) of \(id)", expected: "a labelled rep or stroke that \(own.setting.name) misses",
          found: "none")
      }
      return { $0.foundTruth.contains(index) }
    case .invented(let index):
      guard own.isMatched, let span = own.invented[index] else {
        throw EvaluationError.missing(
          what: "rep \(index + 1) of \(id)", expected: "a detection of \(own.setting.name) without a label",
          found: "none")
      }
      return { clip in !clip.invented.values.contains { $0.overlaps(span) } }
    }
  }

  /// The value nearest to a parameter's own that mends it, in the direction of an end of its range; `nil` for none.
  private static func nearest(
    to value: Double, towards end: Double, _ parameter: Parameter, _ isRight: (Parameter, Double) throws -> Bool
  ) throws -> Double? {
    guard parameter.unit != .toggle else { return try isRight(parameter, end) ? end : nil }
    let isWhole = [.frames, .reps, .sets, .wordsPerMinute].contains(parameter.unit)
    func rounded(_ value: Double) -> Double { isWhole ? value.rounded() : value }
    var last = value
    for step in 1...steps {
      var next = rounded(value + (end - value) * Double(step) / Double(steps))
      guard next != last else { continue }
      guard try isRight(parameter, next) else {
        last = next
        continue
      }
      for _ in 0..<(isWhole ? 0 : halvings) {
        let middle = (last + next) / 2
        if try isRight(parameter, middle) { next = middle } else { last = middle }
      }
      // A value that people would write, if it is right as well.
      let round = Double(NumberText.significant(next)) ?? next
      return try round != next && isRight(parameter, round) ? round : next
    }
    return nil
  }
}

extension ClipResult {
  /// Whether the count, or without counts every stroke, is right; `nil` without labels for it.
  fileprivate func isRight(_ setting: DetectorSetting) -> Bool? {
    if let error = countError(setting.name) { return error == 0 }
    guard setting.profile.kind == .swing, let classes = outcomes[setting.name]?.classes, !classes.labels.isEmpty else {
      return nil
    }
    return errors(of: setting.name)[1] == 0
  }
}

extension ReplayedClip {
  /// Whether reps or strokes were compared with labels, or with time in which nobody does the exercise.
  fileprivate var isMatched: Bool {
    strokes == nil
      ? (result.trueReps != nil || labels.hasNegativeTime) && outcome?.reps != nil : labels.hasStrokeLabels
  }

  fileprivate var truthCount: Int { strokes?.truth.count ?? result.trueReps?.count ?? 0 }

  /// The labelled reps or strokes that were found.
  fileprivate var foundTruth: Set<Int> {
    Set(strokes?.pairs.map(\.truth) ?? (outcome?.reps ?? []).compactMap(\.matches))
  }

  /// The detections without a label, in seconds; of a stroke half a second around its contact.
  fileprivate var invented: [Int: ClosedRange<Double>] {
    var spans: [Int: ClosedRange<Double>] = [:]
    if let strokes {
      let right = Set(strokes.pairs.map(\.predicted))
      for (index, stroke) in strokes.predicted.enumerated() where !right.contains(index) {
        let contact = stroke.contact.seconds
        spans[index] = contact - 0.25...contact + 0.25
      }
    } else {
      for (index, counted) in (outcome?.reps ?? []).enumerated() where counted.matches == nil {
        guard result.trueReps != nil || labels.isNegative(counted.rep) else { continue }
        spans[index] = counted.rep.start...max(counted.rep.start, counted.rep.end)
      }
    }
    return spans
  }
}
