import Charts
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Statistics

/// The page of a dataset: its clips as small moving skeletons with labels and findings of its checks, and a player for
/// the selected clip.
public struct DatasetPage {
  /// A finding of a check.
  public struct Finding: Encodable, Sendable {
    /// `nil` for a finding about the whole dataset.
    public var clip: String?
    /// `problem`, `warning` or `note`
    public var severity: String
    /// Seconds into the clip; `nil` for a finding about the whole clip.
    public var start: Double?
    public var words: String

    public init(clip: String?, severity: String, start: Double?, words: String) {
      (self.clip, self.severity, self.start, self.words) = (clip, severity, start, words)
    }
  }

  private struct Card: Encodable {
    var id: String
    var subject: String
    var exercise: String
    var view: String
    var labels: String
    var findings: [Finding]
  }

  private let dataset: StoredDataset
  private let all: Int
  private var cards: [Card] = []
  private var clips: [PlayedClip] = []
  private let findings: [Finding]

  /// The limits of a page: bytes of frames, which keep it below 1.5 MB, and clips.
  private static let room = 950_000
  private static let most = 300

  /// - Parameter findings: In the order of their severity.
  public init(_ dataset: StoredDataset, findings: [Finding], in store: Store) throws {
    (self.dataset, self.findings) = (dataset, findings.filter { $0.clip == nil })
    let manifest = dataset.manifest
    let stored = try store.clips(of: dataset).filter(\.hasPoses)
    all = stored.count
    let share = Self.room / max(1, min(all, Self.most))
    for clip in Self.ordered(stored, findings) where clips.count < Self.most {
      let prepared = try PreparedClip(clip, of: dataset, in: store, under: ReplayConditions())
      guard let played = PlayedClip(prepared, of: manifest, room: share) else { continue }
      clips.append(played)
      cards.append(
        Card(
          id: prepared.id, subject: clip.info.subject, exercise: clip.info.exercise, view: clip.info.view,
          labels: Self.words(clip.labels), findings: findings.filter { $0.clip == clip.info.name }))
    }
  }

  public func html() throws -> String {
    let manifest = dataset.manifest
    var model = DatasetPageModel(
      title: manifest.name + (manifest.origin == .synthetic ? ", SYNTHETIC" : ""),
      about: "Version \(manifest.version), \(manifest.licence), \(dataset.content?.description ?? "unfinished"). "
        + "\(manifest.source)",
      shown: clips.count < all
        ? "\(clips.count) of \(all) clips: those with findings first, then a selection from each exercise, view and "
          + "person."
        : "\(NumberText.count(all, "clip")).")
    model.findings = findings.map { "\($0.severity): \($0.words)" }
    model.data = try InlineScript.data(cards)
    model.player = try Player(clips).model
    model.script = InlineScript(ReportTemplates.dataset)
    return try ReportTemplates.render("dataset-page", .html, model)
  }

  /// Clips with findings first; then each exercise, view and person in turn.
  private static func ordered(_ clips: [StoredClip], _ findings: [Finding]) -> [StoredClip] {
    let named = Set(findings.filter { $0.severity != "note" }.compactMap(\.clip))
    var turns: [[String]: Int] = [:]
    let keyed = clips.enumerated().map { index, clip in
      let key = [clip.info.exercise, clip.info.view, clip.info.subject]
      turns[key, default: 0] += 1
      return (isFound: !named.contains(clip.info.name), turn: turns[key] ?? 0, index: index, clip: clip)
    }
    return keyed.sorted {
      ($0.isFound ? 1 : 0, $0.turn, $0.index) < ($1.isFound ? 1 : 0, $1.turn, $1.index)
    }.map(\.clip)
  }

  /// `4 reps, 2 intervals, form by 3 raters, faults: knees_in`
  private static func words(_ labels: GroundTruth) -> String {
    var parts: [String] = []
    if let reps = labels.reps { parts.append(NumberText.count(reps.count, "rep")) }
    if labels.reps == nil, let count = labels.repCount { parts.append(NumberText.count(count, "rep") + ", not marked") }
    for (list, noun) in [(labels.events.map(\.label), "event"), (labels.intervals.map(\.label), "interval")]
    where !list.isEmpty {
      parts.append("\(NumberText.count(list.count, noun)): \(Set(list).sorted().joined(separator: ", "))")
    }
    let criteria = Dictionary(grouping: labels.grades, by: \.criterion).sorted { $0.key < $1.key }
    parts += criteria.map { "\($0.key) by \(NumberText.count(Set($0.value.map(\.rater)).count, "rater"))" }
    let faults = Set(labels.faults.filter { $0.present }.map(\.name)).sorted()
    if !faults.isEmpty { parts.append("faults: \(faults.joined(separator: ", "))") }
    return parts.isEmpty ? "no labels" : parts.joined(separator: ", ")
  }
}

struct DatasetPageModel: ModelPart {
  var title = ""
  var about = ""
  var shown = ""
  var findings: [String] = []
  var data = RawText(text: "[]")
  var player: [PlayerModel] = []
  var script = InlineScript("")
}
