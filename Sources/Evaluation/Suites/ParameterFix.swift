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
    /// A labelled stroke that was found and named otherwise, by its index.
    case misnamed(Int)
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
  /// What the detector finds: `rep` or `stroke`.
  public let noun: String
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

  /// The changes that are tried on all clips.
  private static let most = 4

  /// - Parameters:
  ///   - clip: The index of a clip in the session.
  ///   - setting: The detector that makes the mistake; `nil` for the session's own.
  /// - Throws: As the initializer for trials.
  public init(
    _ mistake: Mistake, onClip clip: Int, by setting: DetectorSetting? = nil, in session: ReplaySession
  ) throws {
    try self.init(mistake, by: ParameterTrials(onClip: clip, by: setting, in: session))
  }

  /// - Throws: `EvaluationError.missing` if the detector does not make the mistake on the clip; for a count, if the clip
  ///   has no true count or the detector counts nothing.
  public init(_ mistake: Mistake, by trials: ParameterTrials) throws {
    let (own, clip, setting) = (trials.own, trials.clip, trials.setting)
    let name = setting.name
    self.mistake = mistake
    noun = own.noun
    (truth, counted) = (own.result.trueCount, own.outcome?.count)
    let found = try trials.remedies(for: mistake)
    let before = try trials.score()
    let labelled = before.clips.indices.filter { $0 != clip && before.clips[$0].isRight(setting) != nil }
    others = (labelled.count, Set(labelled.map { before.clips[$0].person }).count)
    let changes = try found.prefix(Self.most).map { remedy in
      let after = try trials.score(remedy.parameter, remedy.value)
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
        parameter: remedy.parameter, before: own.setting.values[remedy.parameter], after: remedy.value,
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

  /// Whether what is found on the clip is without the mistake.
  fileprivate static func rule(
    _ mistake: Mistake, of own: ReplayedClip
  ) throws -> (ParameterTrials.Detections) -> Bool {
    let (id, noun, detected) = (own.result.id, own.noun, ParameterTrials.Detections(own))
    switch mistake {
    case .count:
      guard let truth = own.result.trueCount, own.outcome?.count != nil else {
        throw EvaluationError.missing(
          what: id, expected: "a true count and a detector that counts",
          found: own.result.trueCount == nil ? "no true count" : "\(own.setting.name)")
      }
      return { $0.count == truth }
    case .missed(let index):
      guard own.isMatched, own.truthCount > index, index >= 0, !detected.found.contains(index) else {
        throw EvaluationError.missing(
          what: "\(noun) \(index + 1) of \(id)", expected: "a labelled rep or stroke that \(own.setting.name) misses",
          found: "none")
      }
      return { $0.found.contains(index) }
    case .misnamed(let index):
      guard own.isMatched, detected.found.contains(index), !detected.named.contains(index) else {
        throw EvaluationError.missing(
          what: "\(noun) \(index + 1) of \(id)", expected: "a labelled stroke that \(own.setting.name) names otherwise",
          found: "none")
      }
      return { $0.named.contains(index) }
    case .invented(let index):
      guard own.isMatched, let span = detected.invented[index] else {
        throw EvaluationError.missing(
          what: "\(noun) \(index + 1) of \(id)", expected: "a detection of \(own.setting.name) without a label",
          found: "none")
      }
      return { detected in !detected.invented.values.contains { $0.overlaps(span) } }
    }
  }
}

/// Replays of one clip with single parameters of a detector changed. All mistakes of the clip share them.
public final class ParameterTrials {
  /// What a detector finds on the clip, as far as it is right or wrong.
  struct Detections: Equatable {
    var count: Int?
    /// The labelled reps or strokes that were found.
    var found: Set<Int>
    /// Those that were not named otherwise than labelled.
    var named: Set<Int>
    /// The detections without a label, in seconds; of a stroke half a second around its contact.
    var invented: [Int: ClosedRange<Double>]
  }

  private struct Change: Hashable {
    var parameter: String
    var value: Double
  }

  /// The value of a parameter nearest to its own that mends a mistake.
  struct Remedy {
    var parameter: Parameter
    var value: Double
    /// The share of the parameter's range that it is away.
    var share: Double
  }

  let clip: Int
  let setting: DetectorSetting
  let own: ReplayedClip
  let detected: Detections
  private let session: ReplaySession
  private var mending: [ParameterFix.Mistake: [Remedy]] = [:]
  /// `nil` for a value that contradicts other parameters.
  private var detections: [Change: Detections?] = [:]
  private var scores: [Change?: ReplaySession.Score] = [:]

  /// The values tried towards each end of a parameter's range, and the halvings of the last step.
  private static let (steps, halvings) = (24, 6)
  /// A parameter that changes nothing at any of these steps is not tried at those between them.
  private static let probes = [6, 12, 18, 24]

  /// - Parameters:
  ///   - clip: The index of a clip in the session.
  ///   - setting: The detector; `nil` for the session's own.
  /// - Throws: As `ReplaySession.replay`.
  public init(onClip clip: Int, by setting: DetectorSetting? = nil, in session: ReplaySession) throws {
    (self.clip, self.session) = (clip, session)
    self.setting = setting ?? session.setting
    own = try session.replay(clip, by: self.setting)
    detected = Detections(own)
  }

  /// The reps or strokes that are missed, misnamed or invented; `nil` if none are labelled.
  public var mistakes: [ParameterFix.Mistake]? {
    guard own.isMatched else { return nil }
    let labelled = (0..<own.truthCount).compactMap { index -> ParameterFix.Mistake? in
      guard detected.found.contains(index) else { return .missed(index) }
      return detected.named.contains(index) ? nil : .misnamed(index)
    }
    return labelled + detected.invented.keys.sorted().map { ParameterFix.Mistake.invented($0) }
  }

  /// Of mistakes those that the smallest changes mend, in that order; what no single parameter mends comes last.
  ///
  /// - Throws: As the initializer of `ParameterFix` with trials.
  public func easiest(of mistakes: [ParameterFix.Mistake], atMost limit: Int) throws -> [ParameterFix.Mistake] {
    let shares = try mistakes.map { try remedies(for: $0).first?.share ?? .infinity }
    return mistakes.indices.sorted { (shares[$0], $0) < (shares[$1], $1) }.prefix(limit).map { mistakes[$0] }
  }

  /// What mends a mistake on the clip, the smallest change first; nothing if nothing is wrong.
  func remedies(for mistake: ParameterFix.Mistake) throws -> [Remedy] {
    if let known = mending[mistake] { return known }
    let isMended = try ParameterFix.rule(mistake, of: own)
    var found: [Remedy] = []
    for parameter in isMended(detected) ? [] : setting.definition.parameters {
      let (value, range) = (setting.values[parameter], parameter.range)
      for end in [range.lowerBound, range.upperBound] where end != value {
        guard let mended = try nearest(parameter, towards: end, isMended) else { continue }
        let share = abs(mended - value) / (range.upperBound - range.lowerBound)
        found.append(Remedy(parameter: parameter, value: mended, share: share))
      }
    }
    found.sort { $0.share < $1.share }
    mending[mistake] = found
    return found
  }

  /// The scores of all clips, with one parameter changed or none.
  func score(_ parameter: Parameter? = nil, _ value: Double = 0) throws -> ReplaySession.Score {
    let change = parameter.map { Change(parameter: $0.name, value: value) }
    if let known = scores[change] { return known }
    let score = try session.score(parameter.map { try changed($0, value) } ?? setting)
    scores[change] = score
    return score
  }

  /// The value nearest to a parameter's own that mends a mistake, in the direction of an end of its range; `nil` for none.
  private func nearest(_ parameter: Parameter, towards end: Double, _ isMended: (Detections) -> Bool) throws -> Double?
  {
    func isRight(_ value: Double) throws -> Bool { try replayed(parameter, value).map(isMended) ?? false }
    guard parameter.unit != .toggle else { return try isRight(end) ? end : nil }
    let isWhole = [.frames, .reps, .sets, .wordsPerMinute].contains(parameter.unit)
    func rounded(_ value: Double) -> Double { isWhole ? value.rounded() : value }
    let value = setting.values[parameter]
    func tried(_ step: Int) -> Double { rounded(value + (end - value) * Double(step) / Double(Self.steps)) }
    guard try !Self.probes.allSatisfy({ try replayed(parameter, tried($0)) == detected }) else { return nil }
    var last = value
    for step in 1...Self.steps {
      var next = tried(step)
      guard next != last else { continue }
      guard try isRight(next) else {
        last = next
        continue
      }
      for _ in 0..<(isWhole ? 0 : Self.halvings) {
        let middle = (last + next) / 2
        if try isRight(middle) { next = middle } else { last = middle }
      }
      // A value that people would write, if it is right as well.
      let round = Double(NumberText.significant(next)) ?? next
      return try round != next && isRight(round) ? round : next
    }
    return nil
  }

  private func changed(_ parameter: Parameter, _ value: Double) throws -> DetectorSetting {
    try DetectorSetting(
      setting.definition, replacing: setting.values.values.merging([parameter.name: value]) { _, last in last })
  }

  private func replayed(_ parameter: Parameter, _ value: Double) throws -> Detections? {
    let change = Change(parameter: parameter.name, value: value)
    if let known = detections[change] { return known }
    let detected = try (try? changed(parameter, value)).map { Detections(try session.replay(clip, by: $0)) }
    detections[change] = .some(detected)
    return detected
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

  fileprivate var noun: String { strokes == nil ? "rep" : "stroke" }
}

extension ParameterTrials.Detections {
  fileprivate init(_ clip: ReplayedClip) {
    count = clip.outcome?.count
    found = Set(clip.strokes?.pairs.map(\.truth) ?? (clip.outcome?.reps ?? []).compactMap(\.matches))
    named = found.subtracting(clip.strokes?.misnamed.map(\.truth) ?? [])
    invented = [:]
    if let strokes = clip.strokes {
      let right = Set(strokes.pairs.map(\.predicted))
      for (index, stroke) in strokes.predicted.enumerated() where !right.contains(index) {
        let contact = stroke.contact.seconds
        invented[index] = contact - 0.25...contact + 0.25
      }
    } else {
      for (index, counted) in (clip.outcome?.reps ?? []).enumerated() where counted.matches == nil {
        guard clip.result.trueReps != nil || clip.labels.isNegative(counted.rep) else { continue }
        invented[index] = counted.rep.start...max(counted.rep.start, counted.rep.end)
      }
    }
  }
}
