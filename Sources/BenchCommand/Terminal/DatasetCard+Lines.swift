import Evaluation

extension RunResults.DatasetCard {
  /// What a result rests on, and its caveat.
  var lines: [String] {
    let words = origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded"
    let line =
      "dataset  \(name) \(version), \(words), \(Terminal.count(clips, "clip")) of "
      + "\(Terminal.count(subjects, "subject")), \(content.prefix(19))"
    return [line] + (caveat.map { ["         " + Terminal.dim(Terminal.wrap($0, indent: 9))] } ?? [])
  }
}
