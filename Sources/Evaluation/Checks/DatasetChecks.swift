import Datasets

/// The checks that there are, and how they are run.
public enum DatasetChecks {
  /// In the order in which they are told: labels, people, raters, poses.
  public static let all: [any DatasetCheck] = [
    Unreadable(), RepTimes(), LabelBounds(),
    SubjectsInSplits(), NearDuplicates(), SubjectCount(),
    RaterSilence(), RaterVariation(), RaterDisagreement(),
    FrameRate(), FrozenFrames(), ZerosForMissing(), Orientation(), Scale(), PersonChange(), SideSwaps(),
    MirroredSides(), LimbLengths(),
    ClipFitness(),
  ]

  /// The check of what can't be read.
  public static let unreadable = Unreadable().name

  /// Runs all checks over a dataset's clips.
  ///
  /// - Parameters:
  ///   - suites: those that take the dataset.
  ///   - next: gives the next clip, `nil` after the last.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)] = [], clips next: () throws -> Clip?
  ) throws -> [Finding] {
    try findings(manifest, suites: suites, unreadable: []) { try next().map { UncheckedClip($0) } }
  }

  /// Runs all checks over the clips of a folder whose labels may break the rules of the format.
  ///
  /// - Parameters:
  ///   - suites: those that take the dataset.
  ///   - unreadable: the rows of label files that could not be read.
  ///   - next: gives the next clip, `nil` after the last.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)], unreadable: [DataError],
    uncheckedClips next: () throws -> UncheckedClip?
  ) throws -> [Finding] {
    var unreadable = unreadable
    var found = [[Finding]](repeating: [], count: all.count)
    var members: [CheckedDataset.Member] = []
    while let next = try next() {
      let checked = try CheckedClip(next.clip, places: next.places, manifest: manifest)
      if let error = next.unreadable { unreadable.append(error) }
      for (index, check) in all.enumerated() { found[index] += check.findings(in: checked) }
      members.append(CheckedDataset.Member(checked))
    }
    let dataset = CheckedDataset(manifest: manifest, members: members, unreadable: unreadable, suites: suites)
    for (index, check) in all.enumerated() { found[index] += check.findings(across: dataset) }
    return found.flatMap { findings in
      findings.sorted {
        ($0.severity, -$0.weight, $0.clip ?? "", $0.start ?? 0) < (
          $1.severity, -$1.weight, $1.clip ?? "", $1.start ?? 0
        )
      }
    }
  }
}

extension Project {
  /// The suites of the project that take a dataset, with their baselines; those that can't be read are left out.
  public func suites(
    on dataset: String, registry: DetectorRegistry
  ) -> [(suite: Suite, baseline: Baseline?)] {
    suiteNames.compactMap { name in
      guard let suite = try? suite(named: name, registry: registry),
        suite.datasets.contains(where: { $0.name == dataset })
      else { return nil }
      return (suite, try? Baseline(file: baselineFile(name), suite: name))
    }
  }
}
