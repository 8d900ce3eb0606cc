import Coaching
import Pipeline
import Scoring
import Statistics

/// The smallest change of each single parameter that counts a clip right, and what it does to all other clips.
public struct CountFix: Sendable {
  public struct Change: Sendable {
    public var parameter: Parameter
    public var before: Double
    public var after: Double
    /// The other clips whose counts become right.
    public var mended: [ClipResult]
    /// The other clips whose counts become wrong.
    public var broken: [ClipResult]
    /// Phantoms a minute before and after; `nil` without negative time.
    public var phantoms: (before: Double, after: Double)?

    /// The people whose clips become wrong, in alphabetical order.
    public var people: [String] { Set(broken.map(\.subject)).sorted() }
    /// The views in which clips become wrong, in alphabetical order.
    public var views: [String] { Set(broken.map(\.view)).filter { !$0.isEmpty }.sorted() }
  }

  public let counted: Int
  public let truth: Int
  /// Those that harm fewest clips first; empty if no single parameter counts the clip right.
  public let changes: [Change]
  /// The number of all other clips with a true count.
  public let others: Int

  /// The values tried towards each end of a parameter's range, and the halvings of the last step.
  private static let (steps, halvings) = (24, 6)
  /// The changes that are tried on all clips.
  private static let most = 4

  /// - Parameter clip: The index of a clip with a true count.
  /// - Throws: `EvaluationError.missing` for a clip without a true count, or a detector that counts nothing.
  public init(_ session: ReplaySession, clip: Int) throws {
    let name = session.setting.name
    let own = try session.replay(clip, by: session.setting).result
    guard let truth = own.trueCount, let counted = own.outcomes[name]?.count else {
      throw EvaluationError.missing(
        what: own.id, expected: "a true count and a detector that counts",
        found: own.trueCount == nil ? "no true count" : "\(name)")
    }
    (self.truth, self.counted) = (truth, counted)
    func isRight(_ parameter: Parameter, _ value: Double) throws -> Bool {
      guard let setting = try? session.setting(replacing: [parameter.name: value]) else { return false }
      return try session.replay(clip, by: setting).result.outcomes[name]?.count == truth
    }
    var found: [(parameter: Parameter, value: Double, share: Double)] = []
    for parameter in session.setting.definition.parameters where counted != truth {
      let value = session.setting.values[parameter]
      let range = parameter.range
      for end in [range.lowerBound, range.upperBound] where end != value {
        guard let mended = try Self.nearest(to: value, towards: end, parameter, isRight) else { continue }
        found.append((parameter, mended, abs(mended - value) / (range.upperBound - range.lowerBound)))
      }
    }
    let before = try session.score(session.setting)
    let labelled = before.clips.indices.filter { $0 != clip && before.clips[$0].countError(name) != nil }
    others = labelled.count
    let changes = try found.sorted { $0.share < $1.share }.prefix(Self.most).map { parameter, value, _ in
      let after = try session.score(session.setting(replacing: [parameter.name: value]))
      func turned(_ isRight: Bool) -> [ClipResult] {
        labelled.filter {
          (before.clips[$0].countError(name) == 0) != isRight && (after.clips[$0].countError(name) == 0) == isRight
        }.map { after.clips[$0] }
      }
      func phantoms(_ score: ReplaySession.Score) -> Double? {
        score.metrics.first { $0.metric == PhantomMetrics.rate }?.value
      }
      let both = phantoms(before).flatMap { one in phantoms(after).map { (one, $0) } }
      return Change(
        parameter: parameter, before: session.setting.values[parameter], after: value, mended: turned(true),
        broken: turned(false), phantoms: both)
    }
    self.changes = changes.sorted { $0.broken.count - $0.mended.count < $1.broken.count - $1.mended.count }
  }

  /// The value nearest to a parameter's own that counts right, in the direction of an end of its range; `nil` for none.
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
