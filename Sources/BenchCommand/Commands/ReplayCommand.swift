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
    Terminal.out(screen.blocks + files.map { TextBlock.line(TonedText($0)) })
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
    try writeWhole(Data(try player.page(title: title, finding: clip.conclusion.finding).utf8), to: path)
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

/// A detector's predictions on one clip, and which of them are right, on one screen.
private struct ReplayScreen {
  let clip: ReplayedClip
  let plan: ReplayPlan
  /// What mends the clip, and the number of mistakes that it does not mend; `nil` if not asked for.
  let fixes: (shown: [ParameterFix], others: Int)?
  private let evidence: CountEvidence?

  init(_ clip: ReplayedClip, by plan: ReplayPlan, fixes: (shown: [ParameterFix], others: Int)?) {
    (self.clip, self.plan, self.fixes) = (clip, plan, fixes)
    evidence = clip.countEvidence
  }

  var blocks: [TextBlock] {
    let result = clip.result
    let origin = clip.manifest.origin == .synthetic ? "SYNTHETIC, " : ""
    let about =
      "\(origin)\(result.exercise), \(result.frames) frames at \(NumberText.plain(result.fps)) fps, true count "
      + (result.trueCount.map(String.init) ?? "unknown")
    let parts: [[TextBlock]] = [
      clip.conclusion.blocks, reasons, fixes.map { mending($0.shown, others: $0.others) } ?? [],
      [.gap, .labelled("\(result.id): ", TonedText(about), indent: 2), .line(TonedText(rule))], confidence, reps,
      strokes, [.gap], events,
    ]
    return parts.flatMap(\.self)
  }

  private var events: [TextBlock] {
    let events = clip.timeline.events.sorted { $0.reported < $1.reported }
    guard !events.isEmpty else { return [.line("\(clip.setting.name) has no prediction for this clip")] }
    let rows = events.map { event -> [String] in
      let (kind, words) = event.words
      return [seconds(event.reported.seconds) + " s", kind, words]
    }
    return [.line("events, by the time of their report:"), Self.table(rows, right: [0])]
  }

  private static func table(_ rows: [[String]], right: Set<Int>) -> TextBlock {
    .columns(TextTable(rows.map { TextTable.Row($0) }, right: right, indent: 2))
  }

  /// Why reps and strokes were missed, and detections are false.
  private var reasons: [TextBlock] {
    let noun = clip.strokes == nil ? "rep" : "stroke"
    let isJudgedOnly = clip.strokes == nil && clip.outcome?.reps == nil
    let missed = (clip.outcome?.missed ?? []).map {
      "\(noun) \($0.rep + 1)\(isJudgedOnly ? " not judged" : ""): \($0.reason.words)"
    }
    let wrong =
      (clip.outcome?.reps ?? []).enumerated().compactMap { index, rep in rep.reason.map { (index, $0.words) } }
      + (clip.strokeReasons?.wrong ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value.words) }
    return missed.map { TextBlock.fact("missed", $0) } + misnamed + misjudged + countClues
      + wrong.map { TextBlock.fact("false", "detection \($0 + 1): \($1)") }
  }

  /// The strokes that were found and named otherwise than labelled.
  private var misnamed: [TextBlock] {
    clip.misnamedStrokes.map {
      .line("misnamed stroke \($0.truth + 1): labelled \($0.label), \($0.reason.words)")
    }
  }

  /// What explains a wrong count of reps whose times are not labelled.
  private var countClues: [TextBlock] {
    guard let evidence, let truth = clip.result.trueCount, let count = clip.outcome?.count else { return [] }
    return evidence.clues(counted: count, true: truth).map { .fact($0.label, $0.words) }
  }

  /// The reps that a detector that counts nothing judged otherwise than people.
  private var misjudged: [TextBlock] {
    guard clip.strokes == nil, let outcome = clip.outcome, outcome.count == nil else { return [] }
    return (outcome.judged ?? []).filter { $0.isFaulty != $0.isReported }.map { judged in
      let what = judged.rep.map { "rep \($0 + 1)" } ?? "the clip"
      let grade = judged.grade.map { ", graded \(NumberText.fixed($0, decimals: 1))" } ?? ""
      return .fact(
        "wrong",
        judged.isFaulty
          ? "\(what): labelled faulty, no fault reported\(grade)" : "\(what): labelled good, a fault reported\(grade)")
    }
  }

  /// What would mend the clip, and at which cost.
  private func mending(_ fixes: [ParameterFix], others: Int) -> [TextBlock] {
    let sentences = fixes.flatMap { fix -> [String] in
      guard let subject = fix.subject else { return fix.sentences }
      return fix.sentences.prefix(1).map { "\(subject): \($0)" }
    }
    let blocks = (fixes.isEmpty ? ["none needed: nothing is missed, misnamed or invented"] : sentences)
      .map { TextBlock.fact("fix", $0) }
    let rest =
      others > 0 ? [TextBlock.line("\(NumberText.count(others, "more mistake")): see the player, by --html FILE")] : []
    guard let best = fixes.first?.changes.first else { return blocks + rest }
    let suite = plan.suite.map { " --suite \($0.name)" } ?? ""
    let set = "--set \(clip.setting.profile.path).\(best.parameter.name)=\(NumberText.plain(best.after))"
    let step = Conclusion.Step("one clip chose it; see what it does to all:", "bench compare\(suite) \(set)")
    return blocks + rest + [.step(step)]
  }

  /// How the clip was replayed and matched.
  private var rule: String {
    let matching = clip.matching
    let rule =
      if clip.setting.profile.kind == .swing, let tolerance = matching.tolerance {
        "strokes match within \(NumberText.plain(tolerance.seconds)) s of their contact"
      } else {
        "reps match \(matching.words("their"))"
      }
    return "\(plan.suite.map { "suite \($0.name)" } ?? "no suite"): \(rule)"
      + (plan.smoothing.map { ", smoothing \($0)" } ?? "")
  }

  /// The confidence of the count, and the evidence against it.
  private var confidence: [TextBlock] {
    guard let confidence = clip.outcome?.countConfidence else { return [] }
    let abstains = confidence < CountConfidence.threshold ? ": the detector abstains" : ""
    let words = "\(NumberText.fixed(confidence, decimals: 2)) that the count is off by one at most\(abstains)"
    let doubts = clip.doubts?.words ?? []
    let evidence = doubts.isEmpty ? "" : "; doubts: \(doubts.joined(separator: ", "))"
    return [.labelled("confidence ", TonedText(words + evidence), indent: 2)]
  }

  private var reps: [TextBlock] {
    guard let found = FoundReps(clip) else { return [] }
    guard let marked = found.marked else {
      guard !clip.labels.hasNegativeTime else { return phantoms }
      guard clip.result.trueCount == nil else {
        let margins = (evidence?.counted ?? [:]).sorted { $0.key < $1.key }.map { index, reason in
          TextBlock.fact("counted", "detection \(index + 1): \(reason.words)")
        }
        return [.line("reps: not compared, as their times are not labelled")] + margins
      }
      return [.line("reps: not compared, as they are not labelled"), .step(labelling)]
    }
    func row(_ side: String, _ rep: FoundReps.Item, _ wrong: String) -> [String] {
      [side, "\(seconds(rep.start)) to \(seconds(rep.end)) s", rep.matched == true ? "matched" : wrong]
    }
    let rows = marked.map { row("true", $0, "missed") } + found.predicted.map { row("predicted", $0, "false") }
    return [Self.summary("reps", found.matched, found.missed, found.false), Self.table(rows, right: [1])]
  }

  /// The counted reps of a clip in which nobody does the exercise for some of the time.
  private var phantoms: [TextBlock] {
    let counted = (clip.outcome?.reps ?? []).map { (rep: $0.rep, isPhantom: clip.labels.isNegative($0.rep)) }
    let rows = counted.map { rep, isPhantom in
      ["predicted", "\(seconds(rep.start)) to \(seconds(rep.end)) s", isPhantom ? "false" : "not compared"]
    }
    return [
      .line("reps: false \(counted.count(where: \.isPhantom)), while nobody does the exercise"),
      Self.table(rows, right: [1]),
    ]
  }

  /// The command that labels the clip.
  private var labelling: Conclusion.Step {
    clip.isImported
      ? Conclusion.Step("label it:", "bench dataset label \(RunOrigin.quoted(clip.result.dataset)) --from LABELS")
      : Conclusion.Step("label it: rep_count in datasets/\(clip.result.dataset)/clips.csv, or reps in reps.csv there")
  }

  private var strokes: [TextBlock] {
    guard let found = FoundStrokes(clip) else { return [] }
    guard clip.labels.hasStrokeLabels else { return [.line("strokes: not compared, as they are not labelled")] }
    func row(_ side: String, _ stroke: FoundStrokes.Item, _ wrong: String) -> [String] {
      [side, "\(seconds(stroke.contact)) s", stroke.label, stroke.matched ? "matched" : wrong]
    }
    let rows = found.marked.map { row("true", $0, "missed") } + found.predicted.map { row("predicted", $0, "false") }
    return [Self.summary("strokes", found.matched, found.missed, found.false), Self.table(rows, right: [1])]
  }

  private static func summary(_ what: String, _ matched: Int?, _ missed: Int?, _ wrong: Int?) -> TextBlock {
    .line("\(what): matched \(matched ?? 0), missed \(missed ?? 0), false \(wrong ?? 0)")
  }

  private func seconds(_ time: Double) -> String { NumberText.fixed(time, decimals: 2) }
}

/// True reps and the detector's own. Times are seconds of recording time.
private struct FoundReps: Encodable {
  struct Item: Encodable {
    var start: Double
    var turn: Double?
    var end: Double
    var reported: Double?
    /// `nil` where neither reps nor time without them are labelled.
    var matched: Bool?
    /// Why it was missed, is false or nearly counted, or where a count alone is labelled, how far a counted one went
    /// beyond its threshold; `nil` if it matched.
    var reason: RepReason?
  }

  /// `nil` if neither reps nor time without them are labelled, like the next two.
  var matched: Int?
  var missed: Int?
  var `false`: Int?
  var marked: [Item]?
  var predicted: [Item]
  /// Where a count alone is labelled, the turns that did not count and went at least half of the way, the farthest first.
  var nearly: [Item]?

  private enum CodingKeys: String, CodingKey {
    case matched, missed, `false`, predicted, nearly
    case marked = "true"
  }

  /// `nil` for a detector that counts no reps.
  init?(_ clip: ReplayedClip) {
    guard let reps = clip.outcome?.reps else { return nil }
    let evidence = clip.countEvidence
    let right = Set(reps.compactMap(\.matches))
    let isMarked = clip.result.trueReps != nil
    func isPhantom(_ rep: ClipResult.RepSpan) -> Bool { !isMarked && clip.labels.isNegative(rep) }
    let lost = clip.outcome?.missed ?? []
    marked = clip.result.trueReps?.enumerated().map { index, rep in
      Item(
        start: rep.start, turn: rep.turn, end: rep.end, matched: right.contains(index),
        reason: lost.first { $0.rep == index }?.reason)
    }
    predicted = reps.enumerated().map { index, found in
      Item(
        start: found.rep.start, turn: found.rep.turn, end: found.rep.end, reported: found.reported,
        matched: isMarked ? found.matches != nil : isPhantom(found.rep) ? false : nil,
        reason: found.reason ?? evidence?.counted[index])
    }
    nearly = evidence?.nearly.map {
      Item(start: $0.start.seconds, turn: $0.turn.seconds, end: $0.end.seconds, reason: $0.reason)
    }
    guard let marked else {
      if clip.labels.hasNegativeTime { (matched, missed, self.false) = (0, 0, reps.count { isPhantom($0.rep) }) }
      return
    }
    (matched, missed, self.false) = (right.count, marked.count - right.count, reps.count - right.count)
  }
}

/// True strokes that a detector can name, and its own. Times are seconds of recording time.
private struct FoundStrokes: Encodable {
  struct Item: Encodable {
    var contact: Double
    var label: String
    var matched: Bool
    /// Why it was missed, named otherwise than labelled or is false; `nil` if it is right.
    var reason: RepReason?
  }

  /// `nil` if no strokes are labelled, like the next two.
  var matched: Int?
  var missed: Int?
  var `false`: Int?
  var marked: [Item]
  var predicted: [Item]

  private enum CodingKeys: String, CodingKey {
    case matched, missed, `false`, predicted
    case marked = "true"
  }

  /// `nil` for a detector that finds no strokes.
  init?(_ clip: ReplayedClip) {
    guard let strokes = clip.strokes else { return nil }
    let (found, right) = (Set(strokes.pairs.map(\.truth)), Set(strokes.pairs.map(\.predicted)))
    marked = strokes.truth.enumerated().map {
      Item(
        contact: $1.time.seconds, label: $1.label, matched: found.contains($0),
        reason: clip.strokeReasons?.missed[$0] ?? clip.strokeReasons?.misnamed[$0])
    }
    predicted = strokes.predicted.enumerated().map {
      Item(
        contact: $1.contact.seconds, label: $1.segment.label, matched: right.contains($0),
        reason: clip.strokeReasons?.wrong[$0])
    }
    guard clip.labels.hasStrokeLabels else { return }
    (matched, missed) = (strokes.pairs.count, marked.count - strokes.pairs.count)
    self.false = predicted.count - strokes.pairs.count
  }
}

extension Event {
  /// The kind of event and its content.
  var words: (kind: String, words: String) {
    func seconds(_ time: Microseconds) -> String { NumberText.fixed(time.seconds, decimals: 2) }
    func span(_ rep: Rep) -> String { "from \(seconds(rep.start)) to \(seconds(rep.end)) s" }
    return switch kind {
    case .rep(let rep): ("rep", span(rep))
    case .phase(let phase): ("phase", phase)
    case .grade(let criterion, let value, let rep):
      ("grade", "\(criterion) \(NumberText.fixed(value, decimals: 1)) for the rep \(span(rep))")
    case .fault(let fault, let rep): ("fault", "\(fault) in the rep \(span(rep))")
    case .stroke(let stroke):
      (
        "stroke",
        "\(stroke.label ?? "unknown"), contact at \(seconds(stroke.contact)), from \(seconds(stroke.start)) to "
          + "\(seconds(stroke.end)) s"
      )
    case .cue(let cue): ("cue", "\"\(cue.text)\" (\(cue.priority) priority)")
    case .haptic(let pattern): ("haptic", pattern.rawValue)
    }
  }
}

/// A detector's predictions on one clip, as `bench replay --json` writes them.
private struct ReplayRecord: Encodable {
  struct Said: Encodable {
    /// Seconds of recording time.
    var time: Double
    var reported: Double
    /// `rep`, `phase`, `grade`, `fault`, `stroke`, `cue` or `haptic`.
    var kind: String
    /// The phase, criterion, fault, stroke, words or pattern.
    var name: String?
    /// A grade's value.
    var value: Double?
    /// The start of the rep or stroke that this is about.
    var start: Double?
    var turn: Double?
    var end: Double?
    /// A cue's priority.
    var priority: String?
    /// The fault that a cue corrects.
    var fault: String?
    /// A stroke's.
    var analysis: AnalysisResult?
  }

  struct Doubts: Encodable {
    var unclear: Int
    var longGaps: Int
    var idle: Double
    var unseen: Double

    init(_ doubts: CountDoubts) {
      (unclear, longGaps, idle, unseen) = (doubts.unclear, doubts.longGaps, doubts.idle, doubts.unseen)
    }
  }

  /// A signal that the detector reads, one value per time.
  struct Measured: Encodable {
    /// A value at which the detector's decision changes.
    struct Level: Encodable {
      var name: String
      /// For one that stays; otherwise `values`.
      var value: Double?
      /// `nil` while there is none.
      var values: [Float?]?
    }

    var name: String
    var unit: String
    /// Seconds of recording time.
    var times: [Double]
    /// `nil` if the signal is missing.
    var values: [Float?]
    var thresholds: [Level]

    init(_ signal: SignalSeries) {
      func known(_ values: [Float]) -> [Float?] { values.map { $0.isFinite ? $0 : nil } }
      (name, unit, times) = (signal.name, signal.unit, signal.times)
      values = known(signal.values)
      thresholds =
        signal.thresholds.map { Level(name: $0.label, value: $0.value) }
        + signal.moving.map { Level(name: $0.label, values: known($0.values)) }
    }
  }

  var dataset: String
  var clip: String
  var detector: String
  var isSynthetic: Bool
  /// `nil` if it was replayed without one.
  var suite: String?
  /// `nil` if unknown.
  var trueCount: Int?
  var smoothing: String?
  var matching: RunResults.Matching
  var events: [Said]
  /// The probability that the count is off by one rep at most; `nil` if unknown.
  var confidence: Double?
  /// The evidence against the count; `nil` if unknown.
  var doubts: Doubts?
  /// Those that are drawn, the one that decides first.
  var signals: [Measured]
  /// For a detector that counts reps.
  private var reps: FoundReps?
  /// For a detector that finds strokes.
  private var strokes: FoundStrokes?

  init(_ clip: ReplayedClip, by plan: ReplayPlan) {
    dataset = clip.result.dataset
    self.clip = clip.result.name
    detector = clip.setting.name
    isSynthetic = clip.manifest.origin == .synthetic
    suite = plan.suite?.name
    trueCount = clip.result.trueCount
    smoothing = plan.smoothing?.description
    matching = RunResults.Matching(clip.matching)
    events = clip.timeline.events.sorted { $0.reported < $1.reported }.map { Said($0) }
    confidence = clip.outcome?.countConfidence
    doubts = clip.doubts.map(Doubts.init)
    signals = ClipTimeline(clip, source: "", hasFigures: false).signals.map { Measured($0) }
    reps = FoundReps(clip)
    strokes = FoundStrokes(clip)
  }
}

extension CountDoubts {
  /// `3 movements of unclear size`; without those that hardly matter.
  fileprivate var words: [String] {
    [
      unclear > 0 ? NumberText.count(unclear, "movement") + " of unclear size" : nil,
      longGaps > 0 ? NumberText.count(longGaps, "long pause") + " between reps" : nil,
      idle >= 0.5 ? "\(NumberText.fixed(idle, decimals: 1)) rep lengths without a rep before and after" : nil,
      unseen >= 0.01 ? "unseen for \(NumberText.fixed(100 * unseen, decimals: 0)) % of the time" : nil,
    ].compactMap(\.self)
  }
}

extension ReplayRecord.Said {
  fileprivate init(_ event: Event) {
    time = event.time.seconds
    reported = event.reported.seconds
    func span(_ rep: Rep) -> (start: Double?, turn: Double?, end: Double?) {
      (rep.start.seconds, rep.turn?.seconds, rep.end.seconds)
    }
    switch event.kind {
    case .rep(let rep):
      kind = "rep"
      (start, turn, end) = span(rep)
    case .phase(let phase):
      kind = "phase"
      name = phase
    case .grade(let criterion, let grade, let rep):
      kind = "grade"
      name = criterion
      value = grade
      (start, turn, end) = span(rep)
    case .fault(let fault, let rep):
      kind = "fault"
      name = fault
      (start, turn, end) = span(rep)
    case .stroke(let stroke):
      kind = "stroke"
      name = stroke.label
      (start, end) = (stroke.start.seconds, stroke.end.seconds)
      analysis = stroke.analysis
    case .cue(let cue):
      kind = "cue"
      name = cue.text
      priority = "\(cue.priority)"
      fault = cue.fault
    case .haptic(let pattern):
      kind = "haptic"
      name = pattern.rawValue
    }
  }
}
