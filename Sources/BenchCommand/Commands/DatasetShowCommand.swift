import ArgumentParser
import Datasets
import Evaluation
import Reports

struct DatasetShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows what a dataset holds.", discussion: "Example: bench dataset show squat-sample"
  )

  @Argument(help: "The dataset.") var name: String
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let dataset = try DatasetCatalogue(project: storage.project, store: store).dataset(named: name)
    let manifest = dataset.manifest
    let clips = try store.clips(of: dataset)
    func counts(_ value: (StoredClip) -> String) -> String {
      Dictionary(grouping: clips, by: value).sorted { $0.key < $1.key }
        .map { "\($0.key.isEmpty ? "unknown" : $0.key) \($0.value.count)" }.joined(separator: ", ")
    }
    let labels = clips.map(\.labels)
    let raters = Set(labels.flatMap { $0.grades.map(\.rater) + $0.faults.map(\.rater) })
    var lines = [
      "\(Terminal.bold(manifest.name)) \(manifest.version), "
        + (manifest.origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded")
    ]
    if let caveat = manifest.caveat { lines.append("caveat     " + Terminal.wrap(caveat, indent: 11)) }
    lines += [
      "content    \(dataset.content?.description ?? "unfinished")", "licence    \(manifest.licence)",
      "source     " + Terminal.wrap(manifest.source, indent: 11), "skeleton   \(manifest.skeleton)",
      "clips      \(clips.count) of \(Terminal.count(Set(clips.map(\.info.subject)).count, "subject"))",
      "exercises  " + Terminal.wrap(counts(\.info.exercise), indent: 11),
      "views      \(counts(\.info.view))",
      "fps        " + Terminal.wrap(counts { NumberText.plain($0.info.fps) }, indent: 11),
      "splits     \(counts(\.info.split))",
      "reps       \(labels.compactMap(\.repCount).reduce(0, +)), marked in \(labels.count { $0.reps != nil }) clips",
      "events     \(labels.reduce(0) { $0 + $1.events.count }), intervals \(labels.reduce(0) { $0 + $1.intervals.count })",
      "grades     \(labels.reduce(0) { $0 + $1.grades.count }), fault labels \(labels.reduce(0) { $0 + $1.faults.count })"
        + (raters.isEmpty ? "" : ", raters \(raters.sorted().joined(separator: ", "))"),
    ]
    Terminal.out(lines.joined(separator: "\n"))
  }
}
