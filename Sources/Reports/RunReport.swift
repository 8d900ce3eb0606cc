import Charts
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline

/// The report of a run, from its stored results. Nothing is scored again; clips are replayed only to show the
/// detector's signals.
public struct RunReport: Sendable {
  /// The run's name and origin.
  public struct Run: Sendable {
    /// Within its suite: `2026-03-01T10-00-00Z`.
    public var name: String
    /// ISO 8601, UTC.
    public var created: String
    /// `nil` if it was not recorded.
    public var origin: RunOrigin?

    public init(name: String, created: String, origin: RunOrigin?) {
      self.name = name
      self.created = created
      self.origin = origin
    }
  }

  public private(set) var run: Run
  public let results: RunResults
  /// The baseline; `nil` if none fits, with the reason in `reasonWithoutVerdict`.
  public let baseline: Baseline?
  public let comparison: Comparison?
  public let verdict: Verdict?
  /// The gating metrics on every slice, compared with the baseline; `nil` if the run or the baseline has no slices.
  public let slices: [SliceChange]?
  public let reasonWithoutVerdict: String?
  /// The replays of the clips in `clipsToShow` whose data still exists.
  public let replayed: [ReplayedClip]
  /// Replays with the baseline's parameters, by clip; empty if the parameters are the same.
  private let replayedBefore: [String: ReplayedClip]
  /// A correctly scored clip of each view, for `html`.
  private let typical: [ReplayedClip]
  /// A clip with a correct rep for each clip without one, by its id, for `html`.
  private let models: [String: ReplayedClip]
  /// What would mend missed and invented reps of the replayed clips, by clip, for `html`.
  private let fixes: [String: [ParameterFix.Mistake: [String]]]
  /// Datasets that were changed or removed since the run: `dataset squats`.
  let gone: [String]
  /// The metrics of earlier runs.
  public let trail: MetricTrail
  /// The clips on which the shown detector is wrong, the worst first.
  let worst: [ClipResult]
  /// The ids of `worst`.
  let wrong: Set<String>
  /// The changes since the baseline by clip.
  let clipChanges: [String: [ClipChange]]

  /// - Parameters:
  ///   - baseline: The baseline, used if it fits.
  ///   - reasonWithoutBaseline: The reason if there is no baseline.
  ///   - isPlayed: Whether to replay clips for the player of `html` too: all with the baseline's parameters, and not
  ///     only the clip that broke first; one right clip of each view; and correct reps to show beside wrong ones.
  ///   - replay: Replays a clip with a detector, replacing some of the run's parameters. It throws
  ///     `EvaluationError.missing` if that is no longer possible and returns `nil` if no replay is needed.
  ///   - fix: What would mend missed and invented reps of a clip; called for the player's clips only.
  public init(
    _ results: RunResults, run: Run, baseline: Baseline?, reasonWithoutBaseline: String? = nil,
    trail: MetricTrail = MetricTrail(), isPlayed: Bool = false,
    replay: (ClipResult, String, [Assignment]) throws -> ReplayedClip? = { _, _, _ in nil },
    fix: (ReplayedClip) throws -> [ParameterFix.Mistake: [String]] = { _ in [:] }
  ) throws {
    self.run = run
    self.results = results
    self.trail = trail
    var (comparison, reason): (Comparison?, String?) = (nil, reasonWithoutBaseline)
    var slices: [SliceChange]?
    do {
      comparison = try baseline.map { try Comparison(results, with: $0) }
      slices = try baseline.flatMap { try SliceChange.all(of: results, beside: $0) }
    } catch let error as EvaluationError {
      // A report needs no baseline. Only the gate requires one.
      (comparison, slices) = (nil, nil)
      let (own, other) = (results.datasets.map(\.name).sorted(), (baseline?.datasets ?? [:]).keys.sorted())
      reason =
        own == other
        ? "\(error)"
        : "the baseline was made on \(other.joined(separator: ", ")), this run used \(own.joined(separator: ", "))"
    }
    self.comparison = comparison
    self.baseline = comparison == nil ? nil : baseline
    reasonWithoutVerdict = reason
    verdict = comparison.map { Verdict($0) }
    self.slices = slices
    let worst = results.shownDetector.map { results.worstClips($0) } ?? []
    (self.worst, wrong) = (worst, Set(worst.map(\.id)))
    clipChanges = Dictionary(grouping: comparison?.clipChanges ?? [], by: \.clip)
    var (replayed, gone): ([ReplayedClip], [String]) = ([], [])
    var before: [String: ReplayedClip] = [:]
    if let detector = results.shownDetector {
      let old = self.baseline?.detectors.first { $0.name == detector }?.parameters ?? [:]
      let now = results.detectors.first { $0.name == detector }?.parameters ?? [:]
      let changed = old.filter { now[$0.key] != $0.value }.sorted { $0.key < $1.key }.map {
        Assignment(detector: detector, parameter: $0.key, value: $0.value)
      }
      let broke = Self.broken(comparison, detector)?.clip
      for clip in Self.clipsToShow(results, comparison, worst) {
        do {
          if let clip = try replay(clip, detector, []) { replayed.append(clip) }
          if isPlayed || clip.id == broke, !changed.isEmpty {
            // The detector may reject the old parameters by now.
            do { before[clip.id] = try replay(clip, detector, changed) } catch EvaluationError.usage {}
          }
        } catch EvaluationError.missing(let what, _, _) where !gone.contains(what) {
          gone.append(what)
        } catch EvaluationError.missing {}
      }
    }
    (self.replayed, replayedBefore, self.gone) = (replayed, before, gone)
    var (typical, models): ([ReplayedClip], [String: ReplayedClip]) = ([], [:])
    if isPlayed, let detector = results.shownDetector {
      let right = Self.rightClips(results, detector, wrong)
      // Missing data was recorded above.
      func again(_ clip: ClipResult) throws -> ReplayedClip? {
        do { return try replay(clip, detector, []) } catch EvaluationError.missing { return nil }
      }
      typical = try Set(right.map(\.view)).sorted().prefix(Self.typicalLimit).compactMap { view in
        let own = right.filter { $0.view == view }
        guard !own.contains(where: { clip in replayed.contains { $0.result.id == clip.id } }) else { return nil }
        return try again(own[own.count / 2])
      }
      for clip in replayed {
        models[clip.result.id] = try Player.model(
          for: clip, among: right, about: { [$0.exercise, $0.view, $0.subject] }, replay: again)
      }
    }
    (self.typical, self.models) = (typical, models)
    fixes =
      isPlayed
      ? try Dictionary(replayed.map { ($0.result.id, try fix($0)) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  private static let typicalLimit = 6

  /// The clips without a mistake and with something found, by their duration.
  private static func rightClips(
    _ results: RunResults, _ detector: String, _ wrong: Set<String>
  ) -> [ClipResult] {
    results.clips.filter { clip in
      !wrong.contains(clip.id) && clip.trueCount != 0 && clip.outcomes[detector] != nil
    }.sorted { ($0.duration, $0.id) < ($1.duration, $1.id) }
  }

  static let worstClipLimit = 3
  private static let changedClipLimit = 2

  /// The clip that moved farthest from the ground truth since the baseline, the worst clips of the shown detector, then
  /// others that changed most; the first clip if all are right.
  private static func clipsToShow(
    _ results: RunResults, _ comparison: Comparison?, _ worst: [ClipResult]
  ) -> [ClipResult] {
    guard let detector = results.shownDetector else { return [] }
    let worst = worst.prefix(worstClipLimit)
    let changes = (comparison?.clipChanges ?? []).filter { $0.detector == detector }
    // Readers look first for what broke.
    let broke = broken(comparison, detector).flatMap { change in results.clips.first { $0.id == change.clip } }
    var clips = [broke].compactMap(\.self)
    clips += worst.filter { $0.id != broke?.id }
    let limit = clips.count + changedClipLimit
    for change in changes.sorted(by: isGreater) where clips.count < limit {
      guard !clips.contains(where: { $0.id == change.clip }) else { continue }
      clips += results.clips.filter { $0.id == change.clip }
    }
    return clips.isEmpty ? Array(results.clips.prefix(1)) : clips
  }

  /// The change of the clip that moved farthest from the ground truth; `nil` if none moved away from it.
  private static func broken(_ comparison: Comparison?, _ detector: String?) -> ClipChange? {
    comparison?.clipChanges.first { $0.detector == detector }.flatMap { ($0.gain ?? 0) < 0 ? $0 : nil }
  }

  /// The most serious kind first, then the largest.
  private static func isGreater(_ a: ClipChange, _ b: ClipChange) -> Bool {
    func size(_ change: ClipChange) -> Double { abs((change.after ?? 0) - (change.before ?? 0)) }
    return (a.kind, -size(a), a.clip) < (b.kind, -size(b), b.clip)
  }

  /// Writes the report into its own folder within `folder`, atomically, and points `folder/latest` at it.
  ///
  /// If the name of the run is taken, a number is appended.
  ///
  /// - Parameters:
  ///   - announce: Called with the folder of the report before its pictures are drawn, which may take longer than a
  ///     reader wants to wait for the verdict.
  ///   - keep: Stores the run under its name, with its results as JSON, before the report appears; if it throws, there is
  ///     no report.
  /// - Returns: The content of its `results.json`.
  /// - Throws: `DataError` if it cannot be written, `ChartError` if a chart cannot be drawn.
  public func write(
    to folder: String, announce: (String) -> Void = { _ in },
    keep: (_ name: String, _ results: String) throws -> Void
  ) throws -> Data {
    let staged = try ReportFolder(called: run.name, in: folder)
    defer { staged.discard() }
    announce(staged.destination)
    var report = self
    report.run.name = staged.name
    let written = try report.writeFiles(to: staged)
    try keep(staged.name, written.results)
    try staged.publish()
    try staged.pointLatest()
    return written.numbers
  }

  /// - Returns: The results as JSON, encoded while pictures are drawn, and the content of `results.json`.
  private func writeFiles(to folder: ReportFolder) throws -> (results: String, numbers: Data) {
    let clips = try results.clipsJSON
    let (made, encoded) = try concurrently {
      try files(clips: clips)
    } _: {
      try results.json(clips: clips)
    }
    for file in made.files { try folder.write(file.data, to: file.name) }
    return (encoded, made.numbers)
  }

  /// Writes the files of the report into the folder of the run, replacing existing ones.
  public func rewrite(in destination: String) throws {
    var written: Set<String> = []
    for file in try files() {
      try writeWhole(file.data, to: "\(destination)/\(file.name)")
      written.insert(file.name)
    }
    // A timeline that is no longer in the report may show a person whose recording was removed.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: destination)) ?? []
    for name in names
    where (name.wholeMatch(of: #/timeline-\d+(-dark)?\.png/#) != nil || name == Self.animationFile)
      && !written.contains(name)
    {
      try? FileManager.default.removeItem(atPath: "\(destination)/\(name)")
    }
  }

  static let animationFile = "broke.png"
  /// All numbers of the report.
  private static let numbersFile = "results.json"

  /// The clip that broke first, moving; `nil` if none moved away from the ground truth or its dataset is gone.
  var animation: ClipAnimation? {
    guard let broke = Self.broken(comparison, results.shownDetector),
      let clip = replayed.first(where: { $0.result.id == broke.clip })
    else { return nil }
    return ClipAnimation(clip, before: replayedBefore[broke.clip])
  }

  /// The files of the report's folder, all made before the first is written: a failing chart leaves nothing behind.
  ///
  /// - Throws: `ChartError` if a chart cannot be drawn.
  public func files() throws -> [ReportFile] { try files(clips: results.clipsJSON).files }

  /// - Parameter clips: The clips' JSON.
  /// - Returns: All files, and the content of `results.json`, which is one of them.
  private func files(clips: String) throws -> (files: [ReportFile], numbers: Data) {
    let (pictures, metadata) = (pictures, results.metadata(run: run.name))
    let (drawn, encoded) = try concurrently {
      try pictures.files(metadata: metadata)
        + [animation].compactMap(\.self).map {
          ReportFile(name: Self.animationFile, data: Data(try $0.png(metadata: metadata)))
        }
    } _: {
      try numbers(of: pictures, clips: clips)
    }
    let text = try ReportTemplates.render("report", .markdown, model(pictures.beside, for: .file))
    let written = [
      ReportFile(name: Self.numbersFile, data: encoded), ReportFile(name: "report.md", data: Data(text.utf8)),
    ]
    return (drawn + written, encoded)
  }
}

extension RunReport {
  /// The report of a stored run, compared with the baseline of its time.
  ///
  /// - Parameter isPlayed: Whether to replay clips for the player of `html` too.
  /// - Throws: `EvaluationError.missing` if the run has another format, `DataError` if it cannot be read.
  public init(
    _ stored: StoredRun, in catalogue: DatasetCatalogue, registry: DetectorRegistry, isPlayed: Bool = false
  ) throws {
    let store = catalogue.store
    let results = try store.results(of: stored)
    let kept = try HistoryRun(stored, head: results, in: store, tags: [:])
    var clips = RunClips(results, in: catalogue, registry: registry)
    var room = Player.fixRoom
    // Without a dataset of the run nothing says what a fix would cost.
    let session =
      isPlayed
      ? try? ReplaySession(
        results, detector: nil, replacing: { _ in ReplayChanges() }, in: catalogue, registry: registry,
        threads: availableCores) : nil
    try self.init(
      results,
      run: Run(
        name: stored.name, created: stored.created, origin: kept.origin),
      baseline: store.baseline(of: stored),
      reasonWithoutBaseline: "the run was not compared with a baseline when it was made",
      trail: MetricTrail(of: results, keptAs: stored.id, in: store), isPlayed: isPlayed,
      replay: { try clips.replay($0, detector: $1, replacing: $2) },
      fix: { clip in try session.map { try Player.fixes(for: clip, in: $0, room: &room) } ?? [:] })
  }
}

/// The renderings of the one model.
extension RunReport {
  /// The report as one self-contained HTML file in both themes, with a player of its clips and the pictures that
  /// explain the finding.
  ///
  /// - Parameter video: The address of a clip's video, relative to the page; `nil` for none.
  /// - Throws: `ChartError` if a chart cannot be drawn.
  public func html(video: (ReplayedClip) -> String? = { _ in nil }) throws -> String {
    let entries = try Player.fitting(
      (replayed + typical).map { clip in
        let id = clip.result.id
        return Player.Entry(
          title: role(of: clip.result) + heading(of: clip.result), clip: clip, before: replayedBefore[id],
          video: video(clip), model: models[id], fixes: fixes[id] ?? [:])
      })
    let player = try Player(entries).model
    // The player replaces the timelines, the heat map replaces the ladders.
    let shown = pictures.filter { picture in
      picture.part == .allClips && !picture.isAside || player.isEmpty && picture.part == .clip
    }
    var model = model(
      try shown.inline().fitting(beside: player), for: .page(played: Set(entries.map(\.clip.result.id))))
    (model.player, model.script) = (player, [.tables])
    return try ReportTemplates.render("report", .html, model)
  }

  /// The reason why the page has a clip: `broke: `.
  private func role(of clip: ClipResult) -> String {
    let change = clipChanges[clip.id]?.first { $0.detector == results.shownDetector }
    if typical.contains(where: { $0.result.id == clip.id }) {
      return clip.view.isEmpty ? "typical: " : "typical \(clip.view) view: "
    }
    guard let gain = change?.gain, gain != 0 else { return change == nil ? "" : "changed: " }
    return gain < 0 ? "got worse: " : "got better: "
  }

  /// The maximum length of a comment on GitHub in bytes.
  ///
  /// The API answers "Body is too long (maximum is 65536 characters)"; measurements found characters for pull requests
  /// and four times as many bytes for comments (github.com/dead-claudia/github-limits/pull/13). Counting bytes is safe
  /// for both.
  public static let commentLimit = 65_536

  /// The short form for a comment on a pull request, with as many changed clips as fit into `commentLimit`.
  ///
  /// - Parameter animation: The address of the clip that broke first, moving; `nil` to name the file.
  /// - Throws: `DataError` if it is too long even without clips.
  public func pullRequest(animation: String? = nil) throws -> String {
    var length = 0
    for limit in [5, 2, 0] {
      var model = model([], for: .comment(clips: limit))
      model.animationAddress = animation
      let text = try ReportTemplates.render("comment", .markdown, model)
      length = text.utf8.count
      if length <= Self.commentLimit { return text }
    }
    throw DataError(
      file: "the report for a pull request", expected: "at most \(Self.commentLimit) bytes, which GitHub accepts",
      found: "\(length)")
  }
}

extension RunReport {
  /// All numbers of the report as `results.json`: the run's results, the report's own numbers and, with a baseline, the
  /// changes.
  public func numbers() throws -> Data { try numbers(of: pictures, clips: results.clipsJSON) }

  private func numbers(of pictures: [ReportPicture], clips: String) throws -> Data {
    var numbers = RunNumbers(
      results: results, report: shownNumbers(pictures),
      measuredPictures: pictures.filter { $0.part == .latency }.map(ShownNumbers.Table.init), comparison: changeNumbers)
    numbers.results.clips = []
    return lineByLineJSON(compact: try compactJSON(numbers, list: clips, key: "clips"))
  }

  private func shownNumbers(_ pictures: [ReportPicture]) -> ShownNumbers {
    ShownNumbers(
      detectors: results.detectors.count, clips: results.clips.count, subjects: subjects,
      level: Verdict.level, seed: MetricChange.seed,
      worst: wrongClips,
      // Nothing here depends on the machine.
      pictures: pictures.filter { $0.part != .latency }.map(ShownNumbers.Table.init))
  }

  /// The wrong clips in the order of the report.
  private var wrongClips: [ShownNumbers.Worst] {
    guard let detector = results.shownDetector else { return [] }
    return listedClips.map {
      ShownNumbers.Worst(clip: $0.id, detector: detector, mistakes: results.mistakes(detector, on: $0))
    }
  }

  private var changeNumbers: ChangeNumbers? {
    guard let comparison, let verdict else { return nil }
    return ChangeNumbers(comparison, verdict, decision, summary: summaryNumbers(comparison), slices: slices ?? [])
  }
}

/// A run's results with three additional keys: `report` for the report's numbers, `measuredPictures` for those that
/// depend on the machine, and `comparison` for the changes since the baseline.
struct RunNumbers: Encodable {
  var results: RunResults
  let report: ShownNumbers
  let measuredPictures: [ShownNumbers.Table]
  let comparison: ChangeNumbers?

  private enum Key: CodingKey { case report, measuredPictures, comparison }

  func encode(to encoder: any Encoder) throws {
    try results.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(report, forKey: .report)
    try container.encode(measuredPictures, forKey: .measuredPictures)
    try container.encodeIfPresent(comparison, forKey: .comparison)
  }
}
