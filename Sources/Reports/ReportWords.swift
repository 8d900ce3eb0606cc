import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

/// What a result on generated data must say.
public enum GeneratedData {
  /// A sentence on the generated datasets with these names; none without any.
  public static func caveats(_ names: [String]) -> [String] {
    names.isEmpty ? [] : ["SYNTHETIC: generated data, not real people: \(names.joined(separator: ", "))."]
  }
}

extension [RunResults.DatasetCard] {
  /// A sentence on those that are generated; none without any.
  public var caveats: [String] { GeneratedData.caveats(filter { $0.origin == .synthetic }.map(\.name)) }

  /// Warnings about the datasets, shown before any number.
  var warnings: [WarningModel] {
    compactMap { dataset in
      let isSynthetic = dataset.origin == .synthetic
      guard isSynthetic || dataset.caveat != nil else { return nil }
      return WarningModel(
        label: isSynthetic ? "SYNTHETIC" : "Note",
        about: isSynthetic ? "\(dataset.name) is generated data, not real people" : dataset.name,
        text: "\(dataset.name): \(dataset.caveat ?? "generated motion, not real people.")")
    }
  }

  /// The commands that import datasets missing from the checkout, with their content hashes.
  var importCommands: [String] {
    filter { $0.isImported == true }.flatMap { dataset in
      [
        "# \(dataset.name) version \(dataset.version), content \(dataset.content): not in the repository",
        "bench dataset import --from path/to/\(dataset.name)",
      ]
    }
  }

  /// The limits of results on these datasets.
  var limits: [String] {
    let subjects = map(\.subjects).reduce(0, +)
    guard subjects > 0 else { return [] }
    return
      (contains { $0.origin == .synthetic }
      ? [
        "Results on synthetic data show the effect of a change on that data. They are no evidence about people."
      ] : []) + [
        "Intervals describe people like the \(NumberText.count(subjects, "person")) recorded here. Other people can "
          + "differ."
      ]
  }
}

extension RunOrigin {
  /// The commit, the machine and all versions except that of bench.
  var facts: [FactModel] {
    [
      FactModel(
        name: "commit",
        value: revision.map {
          $0 + (hasChanges == true ? ", with files changed" : "") + (revisionNote.map { " (\($0))" } ?? "")
        } ?? "unknown: \(revisionNote ?? "no git checkout")"),
      FactModel(name: "machine", value: machine.description),
    ]
      + versions.filter { $0.key != "bench" }.sorted { $0.key < $1.key }
      .map { FactModel(name: $0.key, value: $0.value) }
  }

  /// The commands that repeat the run from scratch.
  func commands(on datasets: [RunResults.DatasetCard]) -> [String] {
    (revision.map { ["git checkout \($0)"] } ?? []) + datasets.importCommands + [command]
  }

  var commandsCaveat: String? {
    hasChanges == true
      ? "There were uncommitted changes when this was run, so the commit alone may give other numbers." : nil
  }
}

extension RunResults {
  /// A sentence per tuned detector: the people it was tuned on, and how many of them are scored here. Empty without
  /// tuned detectors.
  public var tuningSentences: [String] {
    tunedSubjects.map { tuning, judged in
      let subjects = Set(clips.map(\.person)).count
      return "\(tuning.words): "
        + (judged.isEmpty
          ? "none of them is scored here."
          : "\(judged.count) of the \(subjects) scored here are among them, so these scores are optimistic and do not "
            + "predict scores on new people.")
    }
  }
}

extension RunResults {
  /// The measured cost ratios that the suite lists, one sentence each.
  public var costLines: [String] {
    measured.sorted { $0.key < $1.key }.flatMap { detector, measured -> [String] in
      guard let ratios = measured.ratios else { return [] }
      func line(_ ratio: CostRatio, _ other: String) -> String {
        let interval = ratio.interval.map {
          "95 % interval \(NumberText.value($0.low, unit: "")) to \(NumberText.value($0.high, unit: "")), sign"
        }
        return "an update of \(detector) takes \(NumberText.value(ratio.median, unit: "")) times as long as \(other) "
          + "(\(interval ?? "too few clips for an interval"); median of \(ratio.byClip.count) clips)"
      }
      return [line(ratios.toReference, "the fixed loop")]
        + (ratios.toBaseline.map { [line($0, "with the baseline's parameters, measured in turns")] } ?? [])
    }
  }
}

extension Smoothing {
  /// The delay of a smoothed pose, in words.
  public var delayText: String {
    switch method {
    case .movingAverage(let frames), .median(let frames):
      "delays a steady movement by \(NumberText.plain(Double(frames - 1) / 2)) frames"
    case .oneEuro:
      "delays a resting joint by \(NumberText.plain((delay(interval: 1 / 30) * 1000).rounded())) ms and a fast one by less"
    }
  }
}

extension Metric.Direction {
  var words: String {
    switch self {
    case .higherIsBetter: "higher is better"
    case .lowerIsBetter: "lower is better"
    case .zeroIsBest: "closer to 0 is better"
    }
  }
}
