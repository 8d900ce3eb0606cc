import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a run, from what was kept of it: nothing is scored for it, and clips are replayed only to show what the detector saw.
public struct RunReport: Sendable {
  /// What the run is called and what it was made by.
  public struct Run: Sendable {
    /// Within its suite: `2026-03-01T10-00-00Z`.
    public var name: String
    /// ISO 8601, UTC.
    public var created: String
    /// `nil` where nobody wrote it down.
    public var origin: RunOrigin?

    public init(name: String, created: String, origin: RunOrigin?) {
      self.name = name
      self.created = created
      self.origin = origin
    }
  }

  public private(set) var run: Run
  public let results: RunResults
  /// What the run is held against; `nil` where there is none that fits, `reasonWithoutVerdict` says why.
  public let baseline: Baseline?
  public let comparison: Comparison?
  public let verdict: Verdict?
  /// The gating metrics on every slice, beside the baseline's; `nil` where one of them keeps none.
  public let slices: [SlicedMetric]?
  public let reasonWithoutVerdict: String?
  /// Of `clipsToShow`, those whose data are still there.
  public let replayed: [ReplayedClip]
  /// What of the others is no longer as the run saw it: `dataset squats`.
  let gone: [String]
  /// Of each metric in the runs before.
  public let trail: MetricTrail

  /// - Parameters:
  ///   - baseline: what the run is held against where it fits.
  ///   - reasonWithoutBaseline: why there is none.
  ///   - replay: plays a clip again to a detector, and throws `EvaluationError.missing` where that can't be done any
  ///     more; `nil` where nobody asks for it.
  public init(
    _ results: RunResults, run: Run, baseline: Baseline?, reasonWithoutBaseline: String? = nil,
    trail: MetricTrail = MetricTrail(), replay: (ClipResult, String) throws -> ReplayedClip? = { _, _ in nil }
  ) throws {
    self.run = run
    self.results = results
    self.trail = trail
    var (comparison, reason): (Comparison?, String?) = (nil, reasonWithoutBaseline)
    var slices: [SlicedMetric]?
    do {
      comparison = try baseline.map { try Comparison(results, with: $0) }
      slices = try baseline.flatMap { try SlicedMetric.all(of: results, beside: $0) }
    } catch let error as EvaluationError {
      // Looking at a suite without a fitting baseline is fine; releasing on it is not, which the gate sees to.
      (comparison, slices) = (nil, nil)
      reason = "\(error)"
    }
    self.comparison = comparison
    self.baseline = comparison == nil ? nil : baseline
    reasonWithoutVerdict = reason
    verdict = comparison.map { Verdict($0) }
    self.slices = slices
    var (replayed, gone): ([ReplayedClip], [String]) = ([], [])
    if let detector = results.shownDetector {
      for clip in Self.clipsToShow(results, comparison) {
        do {
          if let clip = try replay(clip, detector) { replayed.append(clip) }
        } catch EvaluationError.missing(let what, _, _) where !gone.contains(what) {
          gone.append(what)
        } catch EvaluationError.missing {}
      }
    }
    (self.replayed, self.gone) = (replayed, gone)
  }

  static let worstClipLimit = 3
  private static let changedClipLimit = 2

  /// The clip that went farthest from the truth since the baseline, those that the detector which is shown does worst on,
  /// then others that changed most; the first one where all is well.
  private static func clipsToShow(_ results: RunResults, _ comparison: Comparison?) -> [ClipResult] {
    guard let detector = results.shownDetector else { return [] }
    let worst = results.worstClips(detector).prefix(worstClipLimit)
    let changes = (comparison?.changedClips ?? []).filter { $0.detector == detector }
    // What broke is what a reader looks for.
    let broke = changes.first.flatMap { change in
      (change.gain ?? 0) < 0 ? results.clips.first { $0.id == change.clip } : nil
    }
    var clips = [broke].compactMap(\.self)
    clips += worst.filter { $0.id != broke?.id }
    let limit = clips.count + changedClipLimit
    for change in changes.sorted(by: isGreater) where clips.count < limit {
      guard !clips.contains(where: { $0.id == change.clip }) else { continue }
      clips += results.clips.filter { $0.id == change.clip }
    }
    return clips.isEmpty ? Array(results.clips.prefix(1)) : clips
  }

  /// The gravest kind first, then by how much.
  private static func isGreater(_ a: ClipChange, _ b: ClipChange) -> Bool {
    func size(_ change: ClipChange) -> Double { abs((change.after ?? 0) - (change.before ?? 0)) }
    return (a.kind, -size(a), a.clip) < (b.kind, -size(b), b.clip)
  }

  /// Writes the report into a folder of its own within `folder`, which appears whole, and points `folder/latest` at it.
  ///
  /// The run may get another name: a number is added where another run has its own.
  ///
  /// - Parameter keep: keeps the run under its name before the report appears; where it throws, there is no report.
  /// - Returns: the folder of the report.
  /// - Throws: `DataError` where it can't be written or a template is wrong, `PlotError` where a chart can't be drawn.
  public func write(
    to folder: String, _ templates: ReportTemplates, keep: (String) throws -> Void
  ) throws -> String {
    let staged = try ReportFolder(called: run.name, in: folder)
    defer { staged.discard() }
    var report = self
    report.run.name = staged.name
    try report.write(templates) { try staged.write($0, to: $1) }
    try keep(staged.name)
    try staged.publish()
    try staged.pointLatest()
    return staged.destination
  }

  /// Writes the files of the report into a folder of the run's name within `folder`, in the place of those there.
  ///
  /// - Returns: the folder of the report.
  @discardableResult
  public func rewrite(in folder: String, _ templates: ReportTemplates) throws -> String {
    let destination = "\(folder)/\(run.name)"
    var written: Set<String> = []
    try write(templates) { data, file in
      try writeWhole(data, to: "\(destination)/\(file)")
      written.insert(file)
    }
    // A timeline that the report no longer has shows how someone moved whose recording may have been removed.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: destination)) ?? []
    for name in names where name.wholeMatch(of: #/timeline-\d+\.png/#) != nil && !written.contains(name) {
      try? FileManager.default.removeItem(atPath: "\(destination)/\(name)")
    }
    return destination
  }

  private func write(_ templates: ReportTemplates, to write: (Data, String) throws -> Void) throws {
    // All of them before the first is written: a template that is wrong leaves nothing behind.
    for file in try files(templates) { try write(file.data, file.name) }
  }

  /// What the report's folder holds.
  ///
  /// - Throws: `DataError` where a template is wrong, `PlotError` where a chart can't be drawn.
  public func files(_ templates: ReportTemplates) throws -> [ReportFile] {
    let drawn = try drawnPictures()
    let text = try templates.render("report", .markdown, model(drawn))
    return drawn.map { ReportFile(name: $0.file, $0.light) } + [
      ReportFile(name: "results.json", data: try numbers(of: pictures)),
      ReportFile(name: "report.md", data: Data(text.utf8)),
    ]
  }

  /// What is written into every picture.
  func metadata(_ run: String) -> [(key: String, value: String)] {
    [
      ("Software", "bench \(results.bench)"), ("Suite", results.suite), ("Run", run),
      ("Content", results.datasets.map { "\($0.name) \($0.content)" }.joined(separator: ", ")),
    ]
  }

  /// `SYNTHETIC squat-sample`: what a chart's numbers come from.
  var sources: String { results.datasets.sources }
}
