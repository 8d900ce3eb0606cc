import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Importers
import Pipeline
import Reports
import Scoring
import Statistics

struct DatasetLabelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Add labels from annotation tools and tables to an imported dataset.",
    discussion: """
      Formats:
      \(LabelFormats.descriptions.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

      Annotations belong to the clip with the name of their video or file. Tracks or labels called reps
      are reps, those called faults or grade: NAME are faults or grades of the rep that they overlap most. All others
      are intervals or, if they are points, events. To map them differently, give --mapping a YAML file (see
      docs/labels.md). All labels are added, or none. A kind of label that a clip already has is an error without
      --replace.

      Example: bench dataset label my-squats --from annotations/
      Example: bench dataset label my-squats csv --from reps.csv --mapping columns.yaml
      """)

  @Argument(help: "The dataset.") var name: String
  @Argument(help: "The format. (default: detected)") var format: String?
  @Option(help: ArgumentHelp("The file, or a folder of files of one format.", valueName: "path")) var from: String
  @Option(help: ArgumentHelp("Map annotations and columns by this YAML file.", valueName: "file")) var mapping: String?
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Kind of the labels without a name, or with only a number: rep.", valueName: "kind"))
  var wordless: WordlessKind?
  @Flag(help: "Replace existing labels of the same kind and rater, and reps that contradict a new count.")
  var replace = false
  @OptionGroup var storage: StoreOptions

  func run() throws {
    guard FileManager.default.fileExists(atPath: from) else {
      throw EvaluationError.missing(what: from, expected: "a file or folder of labels", found: "nothing there")
    }
    let store = try storage.open()
    let all = try store.datasets().filter { $0.content != nil }
    guard let dataset = all.first(where: { $0.manifest.name == name }) else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a dataset of the store (see: bench dataset list)",
        found: "none called " + NearNames.question(name, in: all.map(\.manifest.name)))
    }
    try dataset.requireUnexpired()
    if let folder = dataset.folder {
      throw EvaluationError.usage(
        "\(name) is read from \(folder), whose own tables hold its labels; to label it in the store and write the labels "
          + "back, first run: bench dataset sync \(name)")
    }
    let labels = try LabelImport(from: from, format: format, mapping: mapping, wordlessAreReps: wordless == .rep)
    let outcome = try labels.put(into: dataset, of: store, replacing: replace)
    let counts = outcome.counts.sorted { $0.key < $1.key }.map { NumberText.count($0.value, String($0.key.dropLast())) }
      .joined(separator: ", ")
    let replaced = outcome.replaced > 0 ? "; \(NumberText.count(outcome.replaced, "label")) replaced" : ""
    var lines = [
      "labelled \(NumberText.count(outcome.clips, "clip")) of \(name): \(counts)\(replaced), content \(outcome.content)"
    ]
    if format == nil { lines.append("Detected format: \(labels.format)") }
    for (why, clips) in Dictionary(grouping: labels.leftOut, by: \.why).sorted(by: { $0.key < $1.key }) {
      let names = Excerpt.list(clips.map(\.clip))
      lines.append("note: left out \(NumberText.count(clips.count, "clip")) marked as \(why): \(names)")
    }
    for (track, count) in labels.empty.sorted(by: { $0.key < $1.key }) {
      lines.append("note: left out \(NumberText.count(count, "annotation")) without a value on \(track.visible)")
    }
    if !outcome.timelineRates.isEmpty {
      let rates = outcome.timelineRates.sorted().map(\.shortestDecimal).joined(separator: " and ")
      lines.append(
        "note: timeline labels are read as the clips' frames, \(rates) a second. Label Studio counts 25 a second, unless "
          + "its <Video> tag has another framerate. If they are too early or late, write the line fps: 25 into a file and "
          + "label again with --replace --mapping FILE")
    }
    if labels.wordless > 0, outcome.counts["reps"] == nil {
      lines.append(
        "warning: no label is a rep; \(NumberText.count(labels.wordless, "label")) without a name; to make them reps: --as rep"
      )
    } else if outcome.counts["reps"] == nil, outcome.counts["counts"] == nil,
      labels.intervals.contains(where: { !PhantomMetrics.isNegative($0) })
    {
      lines.append("warning: no label is a rep; to make intervals reps, call them rep or use --mapping")
    }
    var blocks: [TextBlock] = .lines(lines)
    if storage.project.datasetNames.contains(name) {
      let folder = storage.project.datasetFolder(name)
      blocks.append(.unbroken("next", "bring \(folder) up to date: bench dataset sync \(name)"))
    }
    Terminal.out(blocks)
  }
}

/// The possible kinds of labels without a name.
enum WordlessKind: String, ExpressibleByArgument, CaseIterable { case rep }
