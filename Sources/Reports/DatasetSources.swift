import Evaluation

extension [RunResults.DatasetCard] {
  /// `SYNTHETIC squat-sample`
  var sources: String {
    map { "\($0.origin == .synthetic ? "SYNTHETIC " : "")\($0.name)" }.joined(separator: ", ")
  }

  /// What a reader must know of them before any number.
  var warnings: [WarningModel] {
    compactMap { dataset in
      let isSynthetic = dataset.origin == .synthetic
      guard isSynthetic || dataset.caveat != nil else { return nil }
      return WarningModel(
        label: isSynthetic ? "SYNTHETIC" : "Note",
        about: isSynthetic ? "\(dataset.name) shows no people" : dataset.name,
        text: "\(dataset.name): \(dataset.caveat ?? "a program made this motion.")")
    }
  }

  /// What brings those into a store that no checkout has, and by what to know that they are the same.
  var importCommands: [String] {
    filter { $0.isImported == true }.flatMap { dataset in
      [
        "# \(dataset.name) version \(dataset.version), content \(dataset.content): not in the repository",
        "./bench dataset import --from path/to/\(dataset.name)",
      ]
    }
  }

  /// What nobody may read into a result on them.
  var limits: [String] {
    let subjects = map(\.subjects).reduce(0, +)
    guard subjects > 0 else { return [] }
    return
      (contains { $0.origin == .synthetic }
      ? [
        "Results on synthetic data show that the tool works and what a change does there. They are no evidence about "
          + "people."
      ] : []) + [
        "\(subjects) subject\(subjects == 1 ? "" : "s") say little about people unlike them: the intervals speak of people "
          + "drawn like these."
      ]
  }
}
