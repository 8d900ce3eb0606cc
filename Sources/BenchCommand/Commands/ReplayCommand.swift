import ArgumentParser
import Charts
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct ReplayCommand: ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay one clip through one detector and show what it found and missed, and why.",
    discussion: """
      Replays and matches as the suite does: with its smoothing, tolerance, label names and parameters. \
      With --suite, the clip's dataset must have the content that the suite pins, unless --dataset names it. Without \
      --suite, it uses the only suite that has the detector; if there is none or several, the poses are not smoothed \
      and a rep matches within 0.5 s of its end.

      Examples:
        bench replay s01_side_1
        bench replay s01_side_1 --suite squat --detector squat-posture --chart --frames
        bench replay s01_side_1 --suite squat --set reps.squat-states.bottomAngle=100 --html clip.html
        bench replay s01_side_1 --dataset squat-sample --json
        bench replay s01_side_1 --suite squat --detector squat-states --fix
      """)

  @Argument(help: "The clip's name; with its dataset (squat-sample/s01_side_1) if several datasets have it.")
  var clip: String

  @OptionGroup var replay: ReplayOptions

  @Flag(help: "Print the events as JSON, strokes with their analysis.")
  var json = false

  @Flag(
    help: """
      Also say which smallest change of a parameter counts the clip right, or mends a stroke, and what that breaks.
      """)
  var fix = false

  @Flag(help: "Draw the clip's timeline.")
  var chart = false

  @Flag(
    help: """
      Draw the poses at each rep's turn, stroke's contact or reported state, true and predicted; with --chart, below \
      the timeline.
      """)
  var frames = false

  @Option(
    help: ArgumentHelp(
      "Write a page that plays the clip; with --set, next to the detector without --set.", valueName: "file"))
  var html: String?

  @OptionGroup var recordings: VideoOptions

  @Option(
    name: [.customLong("output"), .customLong("out")],
    help: ArgumentHelp(
      "A folder or a .png or .svg file. (default: <clip>-<detector>.png in the current folder)",
      valueName: "path"))
  var output: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    guard output == nil || chart || frames else {
      throw ValidationError("--output takes --chart, --frames or both, found neither")
    }
    if json, fix { throw ValidationError("give --json or --fix") }
    if html == nil, recordings.videos != nil { throw ValidationError("--videos needs --html") }
  }

  func run() throws {
    let plan = try ReplayPlan(
      detector: replay.detector, usual: SquatStates.profile.name, suite: replay.suite, replacing: replay.changes,
      in: storage.project,
      registry: Bench.registry)
    let catalogue = DatasetCatalogue(project: storage.project, store: try storage.open())
    let (dataset, replayed) = try plan.replay(clip, of: self.replay.dataset, in: catalogue)
    let drawn = chart || frames ? try draw(replayed, of: dataset, by: plan) : nil
    if let html { try writePage(of: replayed, by: plan, beside: catalogue, to: html) }
    guard !json else {
      return Terminal.out(
        String(decoding: try stableJSON(ReplayRecord(replayed, by: plan)), as: UTF8.self))
    }
    let fixes = try fix ? fixes(of: replayed, by: plan, in: catalogue) : nil
    let screen = ReplayScreen(replayed, by: plan, fixes: fixes)
    let files = [drawn.map { "drew \($0)" }, html.map { "wrote \($0)" }].compactMap(\.self)
    Terminal.out(screen.blocks + .lines(files))
  }

  /// What mends the count, or without a true count the missed, misnamed and invented movements that the smallest changes
  /// mend, with the least harm first; and how many others there are.
  private func fixes(
    of clip: ReplayedClip, by plan: ReplayPlan, in catalogue: DatasetCatalogue
  ) throws -> (shown: [ParameterFix], others: Int) {
    let session = try session(with: clip, by: plan, in: catalogue)
    guard let index = session.clips.firstIndex(where: { $0.id == clip.result.id }) else {
      throw EvaluationError.usage("--fix compares with the clips of the suite, and \(clip.result.id) is none of them")
    }
    let trials = try ParameterTrials(onClip: index, in: session)
    let counts = clip.result.trueCount != nil && clip.outcome?.count != nil
    let known: [ParameterFix.Mistake]? = counts ? [.count] : trials.mistakes
    guard let mistakes = known else {
      throw EvaluationError.missing(
        what: clip.result.id, expected: "a true count, or labels of what \(clip.setting.name) finds", found: "neither")
    }
    func harm(_ fix: ParameterFix) -> Int { fix.changes.first.map { $0.broken.count - $0.mended.count } ?? .max }
    // Each one scores all clips.
    let shown = try trials.easiest(of: mistakes, atMost: Self.fixLimit).map { try ParameterFix($0, by: trials) }
    return (shown.sorted { harm($0) < harm($1) }, mistakes.count - shown.count)
  }

  private static let fixLimit = 6

  /// All clips of the clip's suite, or else of its dataset.
  private func session(
    with clip: ReplayedClip, by plan: ReplayPlan, in catalogue: DatasetCatalogue
  ) throws -> ReplaySession {
    let isOfSuite = plan.suite?.datasets.contains { $0.name == clip.result.dataset } ?? false
    let dataset = replay.dataset ?? (isOfSuite ? nil : clip.result.dataset)
    return try ReplaySession(plan, dataset: dataset, in: catalogue, threads: work.threads)
  }

  private func writePage(
    of clip: ReplayedClip, by changed: ReplayPlan, beside catalogue: DatasetCatalogue, to path: String
  ) throws {
    let plan = try ReplayPlan(
      detector: replay.detector, usual: SquatStates.profile.name, suite: replay.suite,
      replacing: { _ in ReplayChanges() }, in: storage.project, registry: Bench.registry)
    let isChanged = plan.setting.values != clip.setting.values || plan.smoothing != changed.smoothing
    let before = isChanged ? try plan.replay(self.clip, of: replay.dataset, in: catalogue).clip : nil
    let isSynthetic = clip.manifest.origin == .synthetic
    let title = "\(clip.result.name), \(clip.setting.name)\(isSynthetic ? ", SYNTHETIC" : "")"
    let video = try VideoFiles(in: recordings.videos).address(for: clip, onPage: path)
    let session = try ReplaySession(plan, dataset: clip.result.dataset, in: catalogue, threads: 1)
    // A page needs no other clips: without the suite's other datasets it says no fixes.
    let others = try? self.session(with: clip, by: changed, in: catalogue)
    var room = Player.fixRoom
    let player = Player([
      Player.Entry(
        title: clip.result.name, clip: clip, before: before, video: video,
        model: try Player.model(for: clip, in: session),
        fixes: try others.map { try Player.fixes(for: clip, in: $0, room: &room) } ?? [:],
        sides: [plan, changed].map { "smoothing \($0.smoothing?.description ?? "none")" })
    ])
    let text = try player.page(title: title, finding: clip.conclusion.finding, cause: clip.firstCause)
    try writeWhole(Data(text.utf8), to: path)
  }

  /// - Returns: The destination.
  private func draw(_ clip: ReplayedClip, of dataset: StoredDataset, by plan: ReplayPlan) throws -> String {
    let (name, detector) = (clip.result.name, clip.setting.name)
    let isSynthetic = clip.manifest.origin == .synthetic
    let source = "\(isSynthetic ? "SYNTHETIC " : "")\(clip.manifest.name) · \(detector)"
    let timeline = ClipTimeline(clip, source: source, hasFigures: frames)
    let drawn: any Chart =
      chart ? timeline : SkeletonStrip(timeline)
    let definition = plan.setting.definition
    let changed = definition.parameters.filter { plan.setting.values[$0] != $0.defaultValue }.map {
      "\(definition.profile.path).\($0.name)=\(NumberText.plain(plan.setting.values[$0]))"
    }.sorted()
    let metadata =
      [
        (key: "Software", value: "bench \(Bench.version)"), (key: "Clip", value: clip.result.id),
        (key: "Detector", value: definition.profile.path),
        (key: "Content", value: "\(clip.manifest.name) \(dataset.content?.description ?? "unfinished")"),
      ] + (plan.suite.map { [(key: "Suite", value: $0.name)] } ?? [])
      + (changed.isEmpty ? [] : [(key: "Set", value: changed.joined(separator: ", "))])
    let format = try picture.format(named: output)
    let path = PictureDestination(path: output).file(format.named(PortableName.near("\(name)-\(detector).png")))
    try writeWhole(Data(try picture.bytes(drawn, format, metadata: metadata)), to: path)
    return path
  }
}
