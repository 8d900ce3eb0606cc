import Pipeline

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

  /// Doubts about predictions from files: nobody marks a rep at the very microseconds of a detector.
  public var objectionsToPredictions: Objections {
    let copied = detectors.map(\.name).filter { isPredicted($0) && hasTimesOfLabels($0) }
    return Objections(
      findings: copied.map {
        "Each matched rep of \($0) begins and ends at the very time of its label: predictions made from labels say nothing"
      })
  }

  private static let fewestCopies = 10

  private func hasTimesOfLabels(_ detector: String) -> Bool {
    var copies = 0
    for clip in clips {
      guard let truth = clip.trueReps else { continue }
      for rep in clip.outcomes[detector]?.reps ?? [] {
        guard let place = rep.matches, truth.indices.contains(place) else { continue }
        guard rep.rep.start == truth[place].start, rep.rep.end == truth[place].end else { return false }
        copies += 1
      }
    }
    return copies >= Self.fewestCopies
  }
}
