import Pipeline
import Statistics

/// What speaks against a verdict besides the metrics.
public struct Objections: Hashable, Sendable {
  /// Why no verdict can be trusted, one sentence each.
  public var faults: [String] = []
  /// The next step for all faults: `give both the same subject`.
  public var remedy = ""
  /// What the reader must know, one sentence each.
  public var findings: [String] = []

  public init(faults: [String] = [], remedy: String = "", findings: [String] = []) {
    (self.faults, self.remedy, self.findings) = (faults, remedy, findings)
  }
}

extension RunResults {
  /// Doubts about who is the same person.
  public var objectionsToPeople: Objections {
    Objections(
      faults: [copyNote].compactMap(\.self),
      remedy: "Give all clips of a person the same subject, or leave the copies out: bench dataset check lists them",
      findings: [peopleNote].compactMap(\.self))
  }

  /// Doubts about predictions from files: nobody marks a rep at the very time of a detector, or always as far from it.
  public var objectionsToPredictions: Objections {
    let findings = detectors.map(\.name).filter(isPredicted).compactMap { detector in
      distancesFromLabels(detector).map { start, end in
        let place =
          (start, end) == (0, 0)
          ? "at the very time of its label"
          : "at the same distance from its label (\(NumberText.plain(start)) and \(NumberText.plain(end)) ms)"
        return "Each matched rep of \(detector) begins and ends \(place): predictions made from labels say nothing"
      }
    }
    return Objections(findings: findings)
  }

  private static let fewestCopies = 10

  /// How many whole milliseconds after its label each matched rep begins and ends, apart from rounding; `nil` if that
  /// differs from rep to rep.
  private func distancesFromLabels(_ detector: String) -> (start: Double, end: Double)? {
    var (starts, ends): ([Double], [Double]) = ([], [])
    for clip in clips {
      guard let truth = clip.trueReps else { continue }
      for rep in clip.outcomes[detector]?.reps ?? [] {
        guard let place = rep.matches, truth.indices.contains(place) else { continue }
        starts.append(1000 * (rep.rep.start - truth[place].start))
        ends.append(1000 * (rep.rep.end - truth[place].end))
      }
    }
    // Times in files may be rounded to milliseconds.
    let isSame = [starts, ends].allSatisfy { ($0.max() ?? 0) - ($0.min() ?? 0) <= 1 }
    guard starts.count >= Self.fewestCopies, isSame, let start = mean(starts), let end = mean(ends) else { return nil }
    return (start.rounded(to: 0), end.rounded(to: 0))
  }
}
