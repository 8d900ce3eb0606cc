import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Statistics
import Synchronization

struct ViewCommand: ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Play, tune and label clips in a browser on this machine.",
    discussion: """
      Serves a page with all clips of a stored run, a suite or a dataset: a list with filters, the player, and a slider \
      for each parameter of the detector, which replays the clip and counts all clips again. Only this machine can reach \
      it, and only by the address that it prints. Ctrl-C ends it.

      With --label the page labels clips by the keyboard: reps, faults, grades, events and intervals. Each label is \
      written at once to a file that bench dataset label imports; an existing file is continued. With --raters it shows \
      where two raters' files differ, to decide.

      A video with the name of its clip is played under the skeleton. It may be in the dataset's folder, in its poses or \
      videos, or in --videos.

      Examples:
        bench view --open
        bench view --suite squat --set reps.squat-states.bottomAngle=100
        bench view --dataset my-squats --videos ~/recordings --label --rater anna
        bench view --dataset my-squats --label --rater carol --raters labels/my-squats-anna.json \
      labels/my-squats-ben.json
      """)

  @Argument(
    help: ArgumentHelp(
      "The run, as bench history list names it. (default: latest, without --suite and --dataset)", valueName: "run"))
  var name: String?

  @OptionGroup var replay: ReplayOptions
  @OptionGroup var recordings: VideoOptions

  @Flag(help: "Label clips and write the labels to a file.")
  var label = false

  @Option(help: "Name of the rater. (default: $USER)")
  var rater: String?

  @Option(
    help: ArgumentHelp("Write the labels to this file. (default: labels/<dataset>-<rater>.json)", valueName: "json"))
  var output: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Decide where these files of two raters differ; with --label.", valueName: "json"))
  var raters: [String] = []

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(help: "The port. (default: a free port)")
  var port: UInt16?

  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if name != nil, replay.dataset != nil { throw ValidationError("give a run or --dataset") }
    if !label, rater != nil || output != nil || !raters.isEmpty {
      throw ValidationError("--rater, --raters and --output need --label")
    }
    if ![0, 2].contains(raters.count) { throw ValidationError("--raters needs two files") }
  }

  func run() throws {
    let (session, title) = try session()
    let labels = try label ? labels(of: session) : nil
    let clips = try ServedClips(session, videos: VideoFiles(in: recordings.videos))
    let server: LoopbackServer
    if let labels {
      let site = try LabelSite(clips, title: title, labels: labels, raters: raters)
      server = try LoopbackServer(port: port ?? 0) { try site.answer($0, body: $1) }
    } else {
      let site = try ViewSite(clips, title: title)
      server = try LoopbackServer(port: port ?? 0) { request, _ in try site.answer(request) }
    }
    Interruption.watch()
    defer { Interruption.unwatch() }
    Terminal.out(
      .lines(
        [server.address, "\(title), \(NumberText.count(session.clips.count, "clip"))"]
          + (labels.map { ["labels of \($0.rater) in \($0.path)"] } ?? [])
          + ["Open the address in a browser; Ctrl-C ends it."]))
    if open { Self.browse(server.address) }
    do {
      try server.serve { try Interruption.check() }
    } catch is CancellationError {
      guard let labels else { return }
      let dataset = session.clips[0].dataset
      let name = RunOrigin.quoted(dataset.manifest.name)
      // Only a dataset of the store takes labels.
      let steps =
        (dataset.folder == nil ? [] : ["bench dataset sync \(name)"])
        + ["bench dataset label \(name) --from \(RunOrigin.quoted(labels.path))"]
      // Below the terminal's ^C.
      Terminal.piece("\n")
      Terminal.out(
        [.unbroken("next", "import the labels: \(steps[0])")] + steps.dropFirst().map { .unbroken("", "then: \($0)") })
    }
  }

  private func session() throws -> (ReplaySession, String) {
    let registry = try Bench.registry
    let store = try storage.open()
    let catalogue = DatasetCatalogue(project: storage.project, store: store)
    let (suite, dataset, detector) = (replay.suite, replay.dataset, replay.detector)
    if suite == nil && dataset == nil || name != nil {
      let run = try store.storedRun(named: name ?? "latest", ofSuite: suite)
      let session = try ReplaySession(
        store.results(of: run), detector: detector, replacing: replay.changes, in: catalogue, registry: registry,
        threads: work.threads)
      return (session, "Run \(run.id), \(session.setting.name)")
    }
    let usual = try dataset.map { try usualDetector(of: $0, in: catalogue, registry) } ?? SquatStates.profile.name
    let plan = try ReplayPlan(
      detector: detector, usual: usual, suite: suite, replacing: replay.changes, in: storage.project,
      registry: registry)
    let session = try ReplaySession(plan, dataset: dataset, in: catalogue, threads: work.threads)
    let isSynthetic = session.clips.contains { $0.dataset.manifest.origin == .synthetic }
    return (
      session, "\(dataset ?? plan.suite?.name ?? ""), \(session.setting.name)" + (isSynthetic ? ", SYNTHETIC" : "")
    )
  }

  /// The project's or the built-in detector for the exercise that most clips have, or else the one for any exercise.
  private func usualDetector(
    of dataset: String, in catalogue: DatasetCatalogue, _ registry: DetectorRegistry
  ) throws -> String {
    let clips = try catalogue.store.clips(of: catalogue.dataset(named: dataset))
    let exercises = Dictionary(grouping: clips, by: \.info.exercise).sorted { $0.key < $1.key }
    let exercise = exercises.max { $0.value.count < $1.value.count }?.key ?? ""
    if exercise == SquatStates.profile.exercise { return SquatStates.profile.name }
    let own = registry.detectors.first { $0.profile.name == ExerciseDefinition.detectorName(of: exercise) }
    return own?.profile.name ?? RepsAny.profile.name
  }

  private func labels(of session: ReplaySession) throws -> RaterLabels {
    let datasets = Set(session.clips.map(\.dataset.manifest.name)).sorted()
    guard datasets.count == 1 else {
      throw EvaluationError.usage(
        "--label is for one dataset at a time: give --dataset with one of \(datasets.joined(separator: ", "))")
    }
    let rater = rater ?? ProcessInfo.processInfo.environment["USER"] ?? ""
    guard !rater.isEmpty, rater == rater.visibleLine, rater == rater.trimmingCharacters(in: .whitespaces) else {
      throw EvaluationError.usage("--label needs to know who labels: give --rater NAME")
    }
    let name = PortableName.near("\(datasets[0])-\(rater)") + ".json"
    let project = storage.project
    let file = (project.root.isEmpty ? "" : "\(project.root)/") + "labels/\(name)"
    return try RaterLabels(path: output ?? project.within(file), rater: rater)
  }

  /// Opens the address with the system's own command.
  private static func browse(_ address: String) {
    #if os(macOS)
      let command = "open"
    #else
      let command = "xdg-open"
    #endif
    let failure = "note: no browser could be opened; open the address yourself"
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      passed.contains(name) || ["LC_", "XDG_"].contains(where: name.hasPrefix)
    }
    environment["PATH"] = ChildProcess.path
    do {
      // Through `env`, which searches the path given to the child.
      try ChildProcess.start(["/usr/bin/env", command, address], environment: environment) { code in
        if code != 0 { Terminal.error(failure) }
      }
    } catch {
      Terminal.error(failure)
    }
  }

  /// The environment variables passed to a browser: display, session, folders and locale, but no keys or tokens.
  private static let passed: Set<String> = [
    "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "GNOME_DESKTOP_SESSION_ID", "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION", "BROWSER", "WSL_DISTRO_NAME", "WSL_INTEROP",
  ]
}
