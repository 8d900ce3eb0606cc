import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Scoring
import Statistics

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Set up an app's repository: folders, a first suite, .gitignore and a GitHub workflow.",
    discussion: """
      Creates datasets/, datasets/suites/ and baselines/ in the current folder, and a suite with the dataset's name \
      and a comment on every key. Its margins are those that the dataset's people can show. If depth, a smoothing or a \
      preset clearly helps on people left out, it says so, once. Existing files are kept; missing lines are added to \
      .gitignore. If no dataset is named, it uses the only one, if any. With --predictions the suite has the metrics \
      that these files have values for, and the workflow passes them to the gate.

      Example: bench init
      Example: bench init my-squats
      Example: bench init my-squats --predictions predictions.csv
      """)

  @Argument(help: "The dataset: imported, or a folder in datasets/. (default: the only one)") var dataset: String?

  @OptionGroup var predictions: PredictionOptions
  @OptionGroup var storage: StoreOptions

  func run() async throws {
    let project = Project(root: "", store: storage.store)
    try requireNoProjectAbove()
    let store = try storage.open()
    let (template, suggestion) = try await self.template(in: project, store)
    var lines: [TextBlock] = []
    var finding = "The folders are ready; a suite needs a dataset."
    func say(_ word: String, _ text: String) { lines.append(.fact(word, text)) }
    // From here on it writes.
    for folder in ["datasets", "datasets/suites", "baselines"] {
      let isThere = FileManager.default.fileExists(atPath: folder)
      guard makeFolder(try project.within(folder)) else { throw DataError.cannotWrite(folder) }
      say(isThere ? "kept" : "made", "\(folder)/")
    }
    if let suite = template {
      let isMade = try write(suite.text, to: project.suiteFile(suite.name), in: project)
      let place = suite.isReplaced ? "predictions in place of " : ""
      finding =
        isMade
        ? "Suite \(suite.name) is ready: \(place)\(suite.detectors.joined(separator: ", ")), "
          + "\(NumberText.count(suite.metricCount, "metric")), \(suite.gatingCount) of them gate."
        : "Suite \(suite.name) was there and is kept."
      say(isMade ? "made" : "kept", project.suiteFile(suite.name))
    }
    let added = try ignore(in: project)
    say(added == 0 ? "kept" : "made", ".gitignore" + (added == 0 ? "" : ": \(NumberText.count(added, "line")) added"))
    guard let suite = template else {
      say("next", "import recordings, then make a suite for them:")
      say("", "bench dataset import --from ~/squats --name my-squats")
      say("", "bench init my-squats")
      Terminal.out(Conclusion(finding).blocks + lines)
      return
    }
    let checkout = Checkout(around: FileManager.default.currentDirectoryPath)
    let programs = try zip(project.commandNames, project.commands()).filter { !$1.command.isEmpty }.map(\.0)
    let runsPrograms = suite.detectors.contains(where: programs.contains)
    let isMade = try write(
      Workflow(
        suite: suite.name, directory: checkout.folder, predictions: predictions.predictions, runsPrograms: runsPrograms
      ).text,
      to: checkout.path(Workflow.path),
      in: Project(root: checkout.root))
    say(isMade ? "made" : "kept", checkout.path(Workflow.path))
    if !isMade { say("", "To gate \(suite.name) too, add a step like the one in it with suite: \(suite.name)") }
    if isMade { say("", "Replace \(Workflow.owner) with the account that has form-bench.") }
    if !project.datasetNames.contains(suite.name) {
      say(
        "note", "\(suite.name) is only in this machine's store, which CI does not have. To commit it (docs/privacy.md):"
      )
      say("", "bench dataset export \(suite.name) --to \(project.datasetFolder(suite.name))")
    }
    if let suggestion {
      say("hint", words(suggestion))
      say("", "bench compare --suite \(suite.name) \(suggestion.option)")
    }
    say("next", "read the suite, make the first baseline, and commit both:")
    let files = predictions.predictions.map(RunOrigin.quoted)
    say(
      "",
      "bench baseline accept --suite \(suite.name)"
        + (files.isEmpty ? "" : " --predictions \(files.joined(separator: " "))")
        + (runsPrograms ? " --allow-commands" : ""))
    Terminal.out(Conclusion(finding).blocks + lines)
  }

  /// A suite for the chosen dataset, and a setting that is better on it; none without a dataset.
  private func template(
    in project: Project, _ store: Store
  ) async throws -> (suite: SuiteTemplate?, suggestion: SettingSuggestion?) {
    let catalogue = DatasetCatalogue(project: project, store: store)
    guard let dataset = try chosenDataset(in: catalogue) else { return (nil, nil) }
    let isPredicted = !predictions.predictions.isEmpty
    func made(_ margins: ShowableMargins? = nil, told: RunResults? = nil) throws -> SuiteTemplate {
      try SuiteTemplate(
        for: dataset, clips: store.clips(of: dataset), in: store, registry: Bench.registry, isPredicted: isPredicted,
        margins: margins, told: told)
    }
    let usual = try made()
    let file = project.suiteFile(usual.name)
    guard FileKind(file) == nil else { return (usual, nil) }
    let run = try SuiteRun(
      Suite(yaml: InputFile(name: file, bytes: Data(usual.text.utf8)), registry: Bench.registry),
      from: ClipSource(predictions.files()), in: project, store: store, registry: Bench.registry)
    // The first baseline would say it only after the suite is written.
    try PredictionOptions.requireAll(run)
    let threads = availableCores
    let margins = try await ShowableMargins(run, version: Bench.version, threads: threads)
    let suggestion = try await suggested(of: run, margins, threads: threads)
    let told = try await run.predicted.isEmpty ? nil : run.results(version: Bench.version, threads: threads)
    return (try made(margins, told: told), suggestion)
  }

  private func suggested(
    of run: SuiteRun, _ margins: ShowableMargins, threads: Int
  ) async throws -> SettingSuggestion? {
    // How many replays it takes is known only later.
    let parts = 100
    let bar = ProgressBar("trying settings", total: parts)
    defer { bar.finish() }
    return try await SettingSuggestion.greatest(of: run, margins, version: Bench.version, threads: threads) {
      try bar.update(parts * $0 / $1)
    }
  }

  private func words(_ suggestion: SettingSuggestion) -> String {
    func text(_ value: Double) -> String { NumberText.value(value, unit: suggestion.unit) }
    let range = NumberText.interval(suggestion.interval, unit: suggestion.unit) ?? ""
    let place = suggestion.isOfDetector ? "below - name: \(suggestion.detector) in the suite" : "in the suite"
    return "\(suggestion.line) \(place) improves \(Metric.plainName(of: suggestion.metric)) of \(suggestion.detector) "
      + "on people left out: \(text(suggestion.before)) to \(text(suggestion.after)), by \(text(suggestion.gain)) "
      + "(\(range); \(NumberText.count(suggestion.people, "person"))). It was chosen on these people: record others to "
      + "judge it. See the clips that it changes:"
  }

  /// - Throws: `EvaluationError.usage` in a folder of a project: other commands would use the new project from then on.
  private func requireNoProjectAbove() throws {
    let above = Bench.project.root
    guard above.isEmpty || !FileManager.default.fileExists(atPath: "\(above)/datasets/suites") else {
      throw EvaluationError.usage("\(above) is already a project that contains this folder; run bench init there")
    }
  }

  /// - Returns: `nil` if none is named and there is none.
  /// - Throws: `EvaluationError.usage` if none is named and there are several.
  private func chosenDataset(in catalogue: DatasetCatalogue) throws -> StoredDataset? {
    if let dataset { return try catalogue.dataset(named: dataset) }
    let imported = try catalogue.store.datasets().filter { $0.folder == nil && $0.content != nil }.map(\.manifest.name)
    let names = Set(imported + catalogue.project.datasetNames).sorted()
    guard names.count < 2 else {
      throw EvaluationError.usage(
        "found the datasets \(Excerpt.list(names)); name one: bench init \(names[0])")
    }
    return try names.first.map { try catalogue.dataset(named: $0) }
  }

  /// - Returns: `false` if the file exists, which is kept.
  private func write(_ text: String, to path: String, in project: Project) throws -> Bool {
    guard FileKind(path) == nil else { return false }
    try writeWhole(Data(text.utf8), to: project.within(path))
    return true
  }

  /// Adds the generated folders to `.gitignore`.
  ///
  /// - Returns: How many lines it lacked.
  private func ignore(in project: Project) throws -> Int {
    let path = try project.within(".gitignore")
    let old = FileKind(path) == nil ? "" : try InputFile(path).text()
    let present = Set(old.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) })
    let missing = [".formbench/", "reports/"].filter { !present.contains($0) && !present.contains("/\($0)") }
    guard !missing.isEmpty else { return 0 }
    let start = old.isEmpty || old.hasSuffix("\n") ? old : old + "\n"
    let comment = "# form-bench: its store (recordings, history of runs) and its reports\n"
    try writeWhole(Data((start + comment + missing.map { "\($0)\n" }.joined()).utf8), to: path)
    return missing.count
  }
}

/// The git checkout around a folder.
private struct Checkout {
  /// Its top; empty for the folder itself, or if there is none.
  var root = ""
  /// The folder's path from there: `.` for the top itself.
  var folder = "."

  init(around directory: String) {
    let start = URL(fileURLWithPath: directory).standardizedFileURL
    var candidate = start
    while FileKind(candidate.appendingPathComponent(".git").path) == nil {
      let parent = candidate.deletingLastPathComponent()
      guard parent.path != candidate.path else { return }
      candidate = parent
    }
    guard candidate.path != start.path else { return }
    root = candidate.path
    folder = start.pathComponents.dropFirst(candidate.pathComponents.count).joined(separator: "/")
  }

  func path(_ file: String) -> String { root.isEmpty ? file : "\(root)/\(file)" }
}

/// A GitHub workflow that gates a suite on every pull request.
struct Workflow {
  static let path = ".github/workflows/form.yml"
  /// Stands for the account that has form-bench.
  static let owner = "OWNER"

  var suite: String
  /// The project's folder within the repository: `.` for its top.
  var directory = "."
  /// The files with the predictions that a step before the gate writes.
  var predictions: [String] = []
  /// Whether a detector of the suite is a program, which the step may then run.
  var runsPrograms = false

  var text: String {
    """
    # Compares each pull request with its target branch. bench init wrote this file; it is yours now.
    name: form
    on: pull_request

    permissions:
      contents: read
      # For the comment with the report.
      pull-requests: write

    # A new push cancels a check that is still running.
    concurrency:
      group: ${{ github.workflow }}-${{ github.ref }}
      cancel-in-progress: true

    jobs:
      gate:
        runs-on: ubuntu-24.04
        timeout-minutes: 30
        steps:
        - uses: actions/checkout@v6
          with:
            # All history: the baseline is read from the commit where the pull request began.
            fetch-depth: 0
            persist-credentials: false
    \(maker)    - uses: \(Self.owner)/form-bench@v1
          with:
            suite: \(suite)\(directory == "." ? "" : "\n        directory: \(Self.quoted(directory))")\(made)\(consent)

    """
  }

  /// Stands for the app's own test, which writes the predictions.
  private var maker: String {
    guard !predictions.isEmpty else { return "" }
    let files = predictions.joined(separator: " and ")
    return "    # Replace this step with the app's own test, which writes \(files).\n    - run: exit 1\n"
  }

  private var made: String {
    predictions.isEmpty ? "" : "\n        predictions: \(Self.quoted(predictions.joined(separator: " ")))"
  }

  private var consent: String {
    runsPrograms
      ? "\n        # Runs the programs of detectors/. A step before builds those that need it.\n        allow-commands: true"
      : ""
  }

  /// A YAML text in single quotes.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
