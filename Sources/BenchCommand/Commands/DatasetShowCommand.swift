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
      Terminal.out(set.blocks)
      return
    }
    let dataset = try catalogue.dataset(named: name)
    let bar = ProgressBar("reading", total: dataset.clipCount)
    let summary: DatasetSummary
    do {
      defer { bar.finish() }
      summary = try DatasetSummary(dataset, in: store) { try bar.update($0) }
    }
    Terminal.out(summary.blocks)
    if let chart {
      let bytes = try picture.bytes(
        summary.card, try picture.format(named: chart), metadata: summary.metadata(bench: Bench.version))
      try writeWhole(Data(bytes), to: chart)
      Terminal.out([.labelled("chart", TonedText(chart), indent: 11, isBroken: false)])
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
    Terminal.out([.labelled("page", TonedText(path), indent: 11, isBroken: false)])
  }
}

extension PublicSet {
  /// The output of `bench dataset show` for a set that is not in the store.
  fileprivate var blocks: [TextBlock] {
    [
      .line("\(name, .bold), not in the store"), .property("holds", holds), .property("size", size),
      .property("reps", "\(reps)"), .property("graders", "\(graders)"), .property("licence", licence),
      .property("source", source), .property("cite", cite), .property("content", "\(content)"),
      // To be copied.
      .property("import", importing.command, isBroken: false),
    ]
  }
}

extension DatasetSummary {
  /// The output of `bench dataset show`.
  var blocks: [TextBlock] {
    let manifest = dataset.manifest
    let labelled = clips.count(where: \.labels.hasLabels)
    let people = NumberText.count(subjects.count, "person")
    var title: TonedText = "\(manifest.name, .bold) \(manifest.version), "
    let isSynthetic = manifest.origin == .synthetic
    title.append(isSynthetic ? TonedText("SYNTHETIC", .unsure) : TonedText("recorded"))
    let share = labelled == clips.count ? "all labelled" : "\(labelled) labelled"
    title.append(TonedText(": \(NumberText.count(clips.count, "clip")) of \(people), \(share)"))
    var blocks: [TextBlock] = [.line(title)]
    if let caveat = manifest.caveat { blocks.append(.property("caveat", caveat)) }
    blocks += [
      .property("content", dataset.content?.description ?? "unfinished", isBroken: false),
      .property("licence", manifest.licence, isBroken: false), .property("source", manifest.source),
    ]
    if let expires = dataset.expires { blocks.append(.property("expires", "\(expires)")) }
    blocks += [
      .property("skeleton", "\(manifest.skeleton)"), .property("unit", "\(unit)"),
      .property("clips", "\(clips.count) of \(people)"),
      .property("frames", "\(frames), \(NumberText.fixed(seconds, decimals: 0)) s"),
      .property("exercises", listed(counts(\.info.exercise))), .property("views", listed(counts(\.info.view))),
      .property("fps", listed(frameRates)), .property("splits", listed(counts(\.info.split))),
      .property("reps", "\(reps.count), marked in \(reps.marked) clips"),
    ]
    return blocks + labelBlocks + (frames > 0 ? [TextBlock.property("missing", missingWords)] : [])
  }

  /// The number of labels of each kind, and their names.
  private var labelBlocks: [TextBlock] {
    func line(_ title: String, _ names: [String]) -> TextBlock? {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      guard !counts.isEmpty else { return nil }
      return TextBlock.property(title, "\(names.count): \(listed(counts.map { ($0.key, $0.value) }))")
    }
    let labels = clips.map(\.labels)
    return [
      line("events", labels.flatMap { $0.events.map(\.label) }),
      line("intervals", labels.flatMap { $0.intervals.map(\.label) }),
      line("grades", labels.flatMap { $0.grades.map(\.criterion) }),
      line("faults", labels.flatMap { $0.faults.map(\.name) }),
      raters.isEmpty ? nil : TextBlock.property("raters", raters.joined(separator: ", ")),
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

extension TextBlock {
  fileprivate static func property(_ name: String, _ text: String, isBroken: Bool = true) -> TextBlock {
    .labelled(TonedText(name), TonedText(text), indent: 11, isBroken: isBroken)
  }
}
