import Datasets

extension DatasetCatalogue {
  /// Finds a clip by its name in the checkout's datasets and the store; of several, the one of `exercise`.
  ///
  /// Datasets that a recipe would first have to make are looked at only where the others don't hold the clip.
  ///
  /// - Parameter name: the clip's, or its dataset's and its own with a slash between them.
  /// - Throws: `EvaluationError.missing` where no clip is called so, `EvaluationError.usage` where several are; as
  ///   `dataset(named:)`.
  public func clip(
    named name: String, likelyOf exercise: String
  ) throws -> (dataset: StoredDataset, clip: StoredClip) {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    let wanted = parts.last ?? name
    var found: [(dataset: StoredDataset, clip: StoredClip)] = []
    var others: [String] = []
    let groups = parts.count == 2 ? [[parts[0]]] : try datasetNames(likelyOf: exercise)
    for names in groups {
      for dataset in try names.map(dataset(named:)) {
        for clip in try store.clips(of: dataset) {
          if clip.info.name == wanted { found.append((dataset, clip)) } else { others.append(clip.info.name) }
        }
      }
      let fitting = found.filter { $0.clip.info.exercise == exercise }
      if fitting.count == 1 { return fitting[0] }
    }
    guard let first = found.first else {
      let names = groups.joined().sorted()
      let more = names.count > 5 ? " and \(names.count - 5) more datasets" : ""
      throw EvaluationError.missing(
        what: "clip \(name)", expected: "a clip of \(names.prefix(5).joined(separator: ", "))" + more,
        found: "none called " + NearNames.question(wanted, in: others) + Self.alike(wanted, others))
    }
    guard found.count == 1 else {
      throw EvaluationError.usage(
        "\(name) is in several datasets: write "
          + found.map { "\($0.dataset.manifest.name)/\(wanted)" }.joined(separator: " or "))
    }
    return first
  }

  /// What may hold clips of `exercise`, and then what recipes make of other exercises only.
  private func datasetNames(likelyOf exercise: String) throws -> [[String]] {
    let imported = try store.datasets().filter { $0.content != nil && $0.folder == nil }.map(\.manifest.name)
    let ofOthers = project.datasetNames.filter { name in
      guard let recipe = try? DatasetRecipe(project.datasetFolder(name)) else { return false }
      return !recipe.generator.exercises.contains { $0.name == exercise }
    }
    let likely = Set(imported + project.datasetNames).subtracting(ofOthers)
    return [likely.sorted(), ofOthers.sorted()]
  }

  /// Some clips that hold the name where none is near it: `s01` is not a misspelt `s01_side_2`.
  private static func alike(_ wanted: String, _ clips: [String]) -> String {
    let found = clips.filter { $0.lowercased().contains(wanted.lowercased()) }
    guard !wanted.isEmpty, !found.isEmpty, NearNames.of(wanted, in: clips).isEmpty else { return "" }
    return "; there are \(found.prefix(3).joined(separator: ", "))"
      + (found.count > 3 ? " and \(found.count - 3) more" : "")
  }
}
