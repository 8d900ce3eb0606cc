import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Foundation
import Plots
import PoseModel
import Reports
import Scoring

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Plays one clip to one detector and prints its events in order.",
    discussion: """
      Examples:
        bench replay s01_side_1
        bench replay s01_side_1 --detector squat-posture --chart --frames
        bench replay s01_side_1 --detector squat-posture --json
      """)

  @Argument(help: "The clip's name; with its dataset (squat-sample/s01_side_1) where several have one of that name.")
  var clip: String

  @Option(help: "The detector.")
  var detector = SquatStates.profile.name

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Sets a parameter; may be repeated.", valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @OptionGroup var parameterFiles: ParameterFileOptions

  @Flag(help: "Prints the events as JSON, strokes with their analysis.")
  var json = false

  @Flag(help: "Draws the clip's timeline.")
  var chart = false

  @Flag(
    help: """
      Draws the poses where reps turn, strokes meet the ball or states are told, and where they should have been; with \
      --chart below the timeline.
      """)
  var frames = false

  @Option(
    name: [.customLong("output"), .customLong("out")],
    help: ArgumentHelp(
      "Where to draw it: a file that ends in .png, or a folder. (default: <clip>-<detector>.png here)",
      valueName: "path"))
  var output: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    guard output == nil || chart || frames else {
      throw ValidationError("--output takes --chart, --frames or both, found neither")
    }
  }

  func run() throws {
    let definition = try Bench.registry.detector(named: detector)
    let fromFile = try parameterFiles.read(of: [definition]).first?.values ?? [:]
    let assigned = Dictionary(
      try assignments.flatMap { try Assignment.all($0, of: [definition]) }.map { ($0.parameter, $0.value) },
      uniquingKeysWith: { _, last in last })
    let values = fromFile.merging(assigned) { _, last in last }
    let setting: DetectorSetting
    do {
      setting = try DetectorSetting(definition, replacing: values)
    } catch let error as ParameterError {
      throw EvaluationError.usage("\(error)")
    }
    let store = try storage.open()
    let (dataset, stored) = try DatasetCatalogue(project: storage.project, store: store)
      .clip(named: clip, likelyOf: definition.profile.exercise)
    let found = try store.clip(stored, of: dataset)
    let poses = try found.poses(dataset.manifest)
    let timeline = Timeline(setting, on: poses)
    let events = timeline.events.sorted { $0.reported < $1.reported }
    let isSynthetic = dataset.manifest.origin == .synthetic
    let origin = isSynthetic ? "SYNTHETIC, " : ""
    var lines = [
      "\(dataset.manifest.name)/\(found.info.name): \(origin)\(found.info.exercise), \(timeline.times.count) frames at "
        + "\(NumberText.plain(found.info.fps)) fps, true count \(found.labels.repCount.map(String.init) ?? "unknown")"
    ]
    lines += Terminal.table(
      events.map { event in
        let (kind, words) = event.words
        return [NumberText.fixed(event.reported.seconds, decimals: 2) + " s", kind, words]
      }, right: [0], indent: 0)
    if events.isEmpty { lines.append("\(detector) says nothing of this clip") }
    if chart || frames {
      let path = PictureDestination(path: output).file("\(found.info.name)-\(detector).png")
      let source = "\(isSynthetic ? "SYNTHETIC " : "")\(dataset.manifest.name) · \(detector)"
      let timeline = self.timeline(
        timeline, of: found, by: setting, on: poses,
        bones: frames ? Skeleton.named(dataset.manifest.skeleton)?.bones ?? [] : nil, source: source)
      let drawn: any Chart =
        chart
        ? timeline
        : SkeletonStrip(clip: found.info.name, detector: detector, source: source, moments: timeline.moments)
      let changed = values.sorted { $0.key < $1.key }.map { "\(definition.profile.path).\($0)=\(NumberText.plain($1))" }
      let metadata =
        [
          (key: "Software", value: "bench \(Bench.version)"),
          (key: "Clip", value: "\(dataset.manifest.name)/\(found.info.name)"),
          (key: "Detector", value: definition.profile.path),
          (key: "Content", value: "\(dataset.manifest.name) \(dataset.content?.description ?? "unfinished")"),
        ] + (changed.isEmpty ? [] : [(key: "Set", value: changed.joined(separator: ", "))])
      try writeWhole(Data(try picture.png(drawn, metadata: metadata)), to: path)
      lines.append("drew \(path)")
    }
    guard !json else {
      let record = ReplayRecord(
        dataset: dataset.manifest.name, clip: found.info.name, detector: detector, isSynthetic: isSynthetic,
        events: events.map { ReplayRecord.Said($0) })
      return Terminal.out(String(decoding: try stableJSON(record), as: UTF8.self))
    }
    Terminal.out(lines.joined(separator: "\n"))
  }

  private func timeline(
    _ timeline: Timeline, of clip: Clip, by setting: DetectorSetting, on poses: PoseSequence, bones: [Bone]?,
    source: String
  ) -> ClipTimeline {
    let truth = clip.labels.reps ?? []
    let predicted = timeline.events.sorted { $0.reported < $1.reported }.compactMap { event in
      if case .rep(let rep) = event.kind { rep } else { nil }
    }
    let matching = RepMatching(instant: .end, tolerance: .init(500_000))
    let pairs = matching.pairs(truth: truth, predicted: predicted)
    let (trueFound, right) = (Set(pairs.map(\.truth)), Set(pairs.map(\.predicted)))
    func reps(_ reps: [Rep], matched: Set<Int>) -> [TimedRep] {
      reps.enumerated().map { index, rep in
        TimedRep(
          start: rep.start.seconds, end: rep.end.seconds, turn: rep.turn?.seconds, isMatched: matched.contains(index))
      }
    }
    var drawn = ClipTimeline(
      clip: clip.info.name, detector: detector, source: source, signals: [],
      trueReps: reps(truth, matched: trueFound), predictedReps: reps(predicted, matched: right),
      comparesReps: setting.profile.counts && clip.labels.reps != nil)
    drawn.show(
      timeline, of: setting, beside: clip.labels, on: poses, bones: bones, tolerance: matching.tolerance)
    return drawn
  }
}

extension Event {
  /// The kind of event and what it says.
  fileprivate var words: (kind: String, words: String) {
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
