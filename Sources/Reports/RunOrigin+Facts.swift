import Evaluation

extension RunOrigin {
  /// The commit, the machine and the versions but for that of bench.
  var facts: [FactModel] {
    [
      FactModel(
        name: "commit",
        value: revision.map { $0 + (hasChanges == true ? ", with files changed" : "") } ?? "no git checkout"),
      FactModel(name: "machine", value: machine.description),
    ]
      + versions.filter { $0.key != "bench" }.sorted { $0.key < $1.key }
      .map { FactModel(name: $0.key, value: $0.value) }
  }

  /// What does the same again from nothing.
  func commands(on datasets: [RunResults.DatasetCard]) -> [String] {
    (revision.map { ["git checkout \($0)"] } ?? []) + datasets.importCommands + ["./\(command)"]
  }

  var commandsCaveat: String? {
    hasChanges == true
      ? "Files were changed beside the commit when this was run, so that the commit alone may give other numbers." : nil
  }
}
