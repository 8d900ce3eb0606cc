import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Synchronization

struct ViewCommand: ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Play, tune and label clips in a browser on this machine.",
    discussion: """
      Serves a page with all clips of a stored run, a suite or a dataset: a list with filters, the player, and a slider \
      for each parameter of the detector, which replays the clip and counts all clips again. Only this machine can reach \
      it, and only by the address that it prints. Ctrl-C ends it.

      With --label the page marks reps by the keyboard: start, turn, end. Each is written at once to a table that bench \
      dataset label imports; an existing table is continued.

      A video with the name of its clip is played under the skeleton. It may be in the dataset's folder, in its poses or \
      videos, or in --videos.

      Examples:
        bench view --open
        bench view --suite squat --set reps.squat-states.bottomAngle=100
        bench view --dataset my-squats --videos ~/recordings --label --rater anna
      """)

  @Argument(
    help: ArgumentHelp(
      "The run, as bench history list names it. (default: latest, without --suite and --dataset)", valueName: "run"))
  var name: String?

  @OptionGroup var replay: ReplayOptions
  @OptionGroup var recordings: VideoOptions

  @Flag(help: "Mark reps and write them to a table.")
  var label = false

  @Option(help: "Name of the rater. (default: $USER)")
  var rater: String?

  @Option(
    help: ArgumentHelp("Write the marks to this file. (default: labels/<dataset>-<rater>.csv)", valueName: "csv"))
  var output: String?

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(help: "The port. (default: a free port)")
  var port: UInt16?

  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if name != nil, replay.dataset != nil { throw ValidationError("give a run or --dataset") }
    if !label, rater != nil || output != nil { throw ValidationError("--rater and --output need --label") }
  }

  func run() throws {
    let (session, title) = try session()
    let marks = try label ? marks(of: session) : nil
    let site = try ViewSite(session, title: title, marks: marks, videos: VideoFiles(in: recordings.videos))
    let server = try LoopbackServer(port: port ?? 0) { try site.answer($0, body: $1) }
    Interruption.watch()
    defer { Interruption.unwatch() }
    Terminal.out("\(title), \(Terminal.count(session.clips.count, "clip"))")
    if let marks { Terminal.out("marks of \(marks.rater) in \(marks.path)") }
    Terminal.out("\(server.address)\nCtrl-C ends it.")
    if open { Self.browse(server.address) }
    do {
      try server.serve { try Interruption.check() }
    } catch is CancellationError {
      guard let marks else { return }
      Terminal.out(
        "\nnext     import the marks: bench dataset label \(RunOrigin.quoted(session.clips[0].dataset.manifest.name)) "
          + "--from \(RunOrigin.quoted(marks.path))")
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
    let own = registry.detectors.first { $0.profile.name == "exercise-\(exercise)" }
    return own?.profile.name ?? RepsAny.profile.name
  }

  private func marks(of session: ReplaySession) throws -> RepMarks {
    let datasets = Set(session.clips.map(\.dataset.manifest.name)).sorted()
    guard datasets.count == 1 else {
      throw EvaluationError.usage(
        "--label marks one dataset at a time: give --dataset with one of \(datasets.joined(separator: ", "))")
    }
    let rater = rater ?? ProcessInfo.processInfo.environment["USER"] ?? ""
    guard !rater.isEmpty, rater == rater.visibleLine, rater == rater.trimmingCharacters(in: .whitespaces) else {
      throw EvaluationError.usage("--label needs to know who marks: give --rater NAME")
    }
    let name = PortableName.near("\(datasets[0])-\(rater)") + ".csv"
    let project = storage.project
    let file = (project.root.isEmpty ? "" : "\(project.root)/") + "labels/\(name)"
    return try RepMarks(path: output ?? project.within(file), rater: rater)
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

/// The answers to requests of the page of `bench view`.
struct ViewSite: Sendable {
  private let session: ReplaySession
  private let page: ViewPage
  private let marks: MarkFile?
  /// By clip; `nil` for none.
  private let videos: [String?]

  /// A change of the file at a time.
  private final class MarkFile: Sendable {
    let marks: Mutex<RepMarks>
    init(_ marks: RepMarks) { self.marks = Mutex(marks) }
  }

  init(_ session: ReplaySession, title: String, marks: RepMarks?, videos: VideoFiles) throws {
    self.session = session
    self.videos = session.clips.map { videos.path(of: $0.clip.info.name, inDataset: $0.dataset.folder) }
    self.marks = marks.map { MarkFile($0) }
    page = try ViewPage(
      session, title: title, labelling: marks.map { ViewPage.Labelling(rater: $0.rater, file: $0.path) }
    ) { [files = self.videos] clip in files[clip].map { _ in "video?clip=\(clip)" } }
  }

  func answer(_ request: HTTPRequest, body: Data) throws -> HTTPAnswer {
    do {
      switch (request.method, request.path) {
      case (.get, [""]):
        return HTTPAnswer(
          type: "text/html; charset=utf-8", .bytes(Data(try page.html().utf8)), policy: ViewPage.policy)
      case (.get, ["clip"]): return .json(try page.clip(clip(in: request), replacing: values(in: request)))
      case (.get, ["score"]): return .json(try page.score(replacing: values(in: request)))
      case (.get, ["video"]):
        guard let path = videos[try clip(in: request)] else { return HTTPAnswer(.notFound, "no video") }
        return HTTPAnswer(type: Self.type(ofVideo: path), .file(path))
      case (.get, ["marks"]):
        guard let marks else { break }
        return .json(try JSONEncoder().encode(marks.marks.withLock { try byID($0.read()) }))
      case (.post, ["marks"]):
        guard let marks else { break }
        try write(body, to: marks)
        return .json(Data("{}".utf8))
      default: break
      }
      return HTTPAnswer(.notFound, "not found")
    } catch let error as ParameterError {
      return HTTPAnswer(.unprocessable, "\(error)")
    } catch let error as RepMarks.Failure {
      guard case .changedMeanwhile = error else { return HTTPAnswer(.unprocessable, "\(error)") }
      return HTTPAnswer(.conflict, "\(error)")
    }
  }

  /// - Throws: `HTTPRequest.Refusal` if the request names no clip.
  private func clip(in request: HTTPRequest) throws -> Int {
    guard let index = request.query["clip"].flatMap({ Int($0) }), session.clips.indices.contains(index) else {
      throw HTTPRequest.Refusal(status: .notFound, words: "no such clip")
    }
    return index
  }

  private func values(in request: HTTPRequest) throws -> [String: Double] {
    try request.query.filter { $0.key != "clip" }.mapValues { text in
      guard let value = Double(text), value.isFinite else {
        throw HTTPRequest.Refusal(status: .badRequest, words: "expected a number for each parameter")
      }
      return value
    }
  }

  private struct Change: Decodable {
    var clip: String
    var before: [RepMarks.Mark]
    var marks: [RepMarks.Mark]
  }

  private func write(_ body: Data, to file: MarkFile) throws {
    guard let change = try? JSONDecoder().decode(Change.self, from: body),
      let index = session.clips.firstIndex(where: { $0.id == change.clip })
    else { throw HTTPRequest.Refusal(status: .badRequest, words: "expected a clip and its marks") }
    let length = try session.replay(index, by: session.setting).poses.times.last ?? .zero
    try file.marks.withLock {
      try $0.replace(
        change.before, with: change.marks, of: session.clips[index].clip.info.name, length: length.seconds)
    }
  }

  /// The marks of the session's clips by their ids.
  private func byID(_ marks: [String: [RepMarks.Mark]]) -> [String: [RepMarks.Mark]] {
    session.clips.reduce(into: [:]) { all, member in all[member.id] = marks[member.clip.info.name] }
  }

  private static func type(ofVideo path: String) -> String {
    switch PathParts(path).ending.lowercased() {
    case "webm": "video/webm"
    case "ogv": "video/ogg"
    case "mkv": "video/x-matroska"
    case "mov": "video/quicktime"
    default: "video/mp4"
    }
  }
}
