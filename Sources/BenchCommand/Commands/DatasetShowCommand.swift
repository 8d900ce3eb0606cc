import ArgumentParser
import Charts
import Checks
import Datasets
import Evaluation
import Files
import Foundation
import Reports
import Statistics

struct DatasetShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show and draw a dataset's content, or how to get a public set.",
    discussion: """
      Examples:
        bench dataset show squat-sample
        bench dataset show repcount-pose --chart card.png --width 400
        bench dataset show squat-sample --html squat-sample.html
      """)

  @Argument(help: "The dataset.") var name: String
  @Option(help: ArgumentHelp("Also draw a dataset card to this file.", valueName: "png")) var chart: String?
  @Option(
    help: ArgumentHelp(
      "Also write a page of its clips as small moving skeletons, with labels and the findings of bench dataset check.",
      valueName: "file"))
  var html: String?
  @OptionGroup var picture: PictureOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let catalogue = DatasetCatalogue(project: storage.project, store: store)
    if chart == nil, html == nil, let set = try catalogue.absentSet(named: name) {
      Terminal.out(set.text)
      return
    }
    let dataset = try catalogue.dataset(named: name)
    let bar = ProgressBar("reading", total: dataset.clipCount)
    let summary: DatasetSummary
    do {
      defer { bar.finish() }
      summary = try DatasetSummary(dataset, in: store) { try bar.update($0) }
    }
    Terminal.out(summary.text)
    if let chart {
      let bytes = try picture.bytes(
        summary.card, try picture.format(named: chart), metadata: summary.metadata(bench: Bench.version))
      try writeWhole(Data(bytes), to: chart)
      Terminal.out("chart      \(chart)")
    }
    if let html { try writePage(of: dataset, in: store, to: html) }
  }
}

extension DatasetShowCommand {
  private func writePage(of dataset: StoredDataset, in store: Store, to path: String) throws {
    let clips = try store.clips(of: dataset)
    let bar = ProgressBar("checking", total: clips.count)
    defer { bar.finish() }
    var next = 0
    let suites = try storage.project.suites(on: dataset.manifest.name, registry: Bench.registry)
    let findings = try DatasetChecks.findings(dataset.manifest, suites: suites) {
      guard next < clips.count else { return nil }
      next += 1
      try bar.update(next)
      return try store.clip(clips[next - 1], of: dataset)
    }
    let page = try DatasetPage(
      dataset,
      findings: findings.sorted { $0.severity < $1.severity }.map {
        DatasetPage.Finding(
          clip: $0.clip, severity: $0.severity.rawValue, start: $0.start, words: "\($0.found) (\($0.check))")
      }, in: store)
    try writeWhole(Data(try page.html().utf8), to: path)
    bar.finish()
    Terminal.out("page       \(path)")
  }
}

extension PublicSet {
  /// The output of `bench dataset show` for a set that is not in the store.
  fileprivate var text: String {
    func line(_ title: String, _ text: String) -> String { title.padded(to: 11) + Terminal.wrap(text, indent: 11) }
    return [
      "\(Terminal.bold(name)), not in the store", line("holds", holds), line("size", size),
      "reps       \(reps)", "graders    \(graders)", line("licence", licence), line("source", source),
      line("cite", cite), "content    \(content)",
      // Not broken, to be copied.
      "import     \(importing.command)",
    ].joined(separator: "\n")
  }
}

extension DatasetSummary {
  /// The output of `bench dataset show`.
  var text: String {
    let manifest = dataset.manifest
    let labelled = clips.count(where: \.labels.hasMovements)
    var lines = [
      "\(Terminal.bold(manifest.name)) \(manifest.version), "
        + (manifest.origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded")
        + ": \(Terminal.count(clips.count, "clip")) of \(NumberText.count(subjects.count, "person")), "
        + (labelled == clips.count ? "all labelled" : "\(labelled) labelled")
    ]
    if let caveat = manifest.caveat { lines.append("caveat     " + Terminal.wrap(caveat, indent: 11)) }
    lines += [
      "content    \(dataset.content?.description ?? "unfinished")", "licence    \(manifest.licence)",
      "source     " + Terminal.wrap(manifest.source, indent: 11),
    ]
    if let expires = dataset.expires { lines.append("expires    \(expires)") }
    lines += [
      "skeleton   \(manifest.skeleton)", "unit       \(unit)",
      "clips      \(clips.count) of \(NumberText.count(subjects.count, "person"))",
      "frames     \(frames), \(NumberText.fixed(seconds, decimals: 0)) s",
      "exercises  " + Terminal.wrap(listed(counts(\.info.exercise)), indent: 11),
      "views      " + Terminal.wrap(listed(counts(\.info.view)), indent: 11),
      "fps        " + Terminal.wrap(listed(frameRates), indent: 11),
      "splits     " + Terminal.wrap(listed(counts(\.info.split)), indent: 11),
      "reps       \(reps.count), marked in \(reps.marked) clips",
    ]
    lines += labelLines
    if frames > 0 { lines.append("missing    " + Terminal.wrap(missingWords, indent: 11)) }
    return lines.joined(separator: "\n")
  }

  /// The number of labels of each kind, and their names.
  private var labelLines: [String] {
    func line(_ title: String, _ names: [String]) -> String? {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      return counts.isEmpty
        ? nil
        : title.padded(to: 11)
          + Terminal.wrap("\(names.count): " + listed(counts.map { ($0.key, $0.value) }), indent: 11)
    }
    let labels = clips.map(\.labels)
    return [
      line("events", labels.flatMap { $0.events.map(\.label) }),
      line("intervals", labels.flatMap { $0.intervals.map(\.label) }),
      line("grades", labels.flatMap { $0.grades.map(\.criterion) }),
      line("faults", labels.flatMap { $0.faults.map(\.name) }),
      raters.isEmpty ? nil : "raters     " + Terminal.wrap(raters.joined(separator: ", "), indent: 11),
    ].compactMap(\.self)
  }

  /// The joints that are missing most often, if any are missing.
  private var missingWords: String {
    let worst = missing.filter { $0.frames > 0 }.sorted { $0.frames > $1.frames }.prefix(6)
    let joints = worst.map { "\($0.joint.name) \(share($0.frames, of: frames - emptyFrames))" }
    return "no person in \(share(emptyFrames)) of the frames"
      + (joints.isEmpty ? ", no joint in the others" : "; in the others " + joints.joined(separator: ", "))
  }

  /// At most twelve of them by name.
  private func listed(_ counts: [(String, Int)]) -> String {
    let rest = counts.dropFirst(12)
    return counts.prefix(12).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      + (rest.isEmpty ? "" : ", and \(rest.count) more with \(rest.reduce(0) { $0 + $1.1 })")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
