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
    Objections(
      findings: detectors.map(\.name).filter(isPredicted).compactMap { detector in
        nearness(detector).map { "\($0): predictions made from labels say nothing" }
      })
  }

  private static let fewestCopies = 10
  /// Of a spread, fewer say too little.
  private static let fewestNear = 20
  /// The interquartile range of distances from labels, in milliseconds, that no detector reaches: of eight, it is 82 at
  /// least on generated motion, whose labels are exact, and 430 on people.
  private static let nearest = 40.0

  /// How the reps of a detector lie too close to their labels, in a sentence; `nil` if they do not.
  private func nearness(_ detector: String) -> String? {
    let (starts, ends) = distancesFromLabels(detector)
    guard starts.count >= Self.fewestCopies, let start = mean(starts), let end = mean(ends) else { return nil }
    // Times in files may be rounded to milliseconds.
    if [starts, ends].allSatisfy({ ($0.max() ?? 0) - ($0.min() ?? 0) <= 1 }) {
      let distances = (start.rounded(to: 0), end.rounded(to: 0))
      let place =
        distances == (0, 0)
        ? "at the very time of its label"
        : "at the same distance from its label (\(NumberText.plain(distances.0)) and \(NumberText.plain(distances.1)) ms)"
      return "Each matched rep of \(detector) begins and ends \(place)"
    }
    let spreads = [starts, ends].map { (quantile(0.75, of: $0) ?? .infinity) - (quantile(0.25, of: $0) ?? 0) }
    guard starts.count >= Self.fewestNear, let spread = spreads.max(), spread <= Self.nearest else { return nil }
    let range = NumberText.plain((spread / 2).rounded(to: 0))
    return "Half of the matched reps of \(detector) begin and end within \(range) ms of the same distance from their "
      + "labels, and people do not mark reps as exactly"
  }

  /// How many milliseconds after its label each matched rep begins and ends.
  private func distancesFromLabels(_ detector: String) -> (starts: [Double], ends: [Double]) {
    var (starts, ends): ([Double], [Double]) = ([], [])
    for clip in clips {
      guard let truth = clip.trueReps else { continue }
      for rep in clip.outcomes[detector]?.reps ?? [] {
        guard let place = rep.matches, truth.indices.contains(place) else { continue }
        starts.append(1000 * (rep.rep.start - truth[place].start))
        ends.append(1000 * (rep.rep.end - truth[place].end))
      }
    }
    return (starts, ends)
  }
}
