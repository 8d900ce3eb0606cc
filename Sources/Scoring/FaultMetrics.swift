import PoseModel

/// Whether faults were found, for each fault separately.
///
/// A rep has a fault if more than half of the raters who judged it say so. A fault judged for the whole clip is
/// compared with whether any judged rep has it. A true rep that the detector did not judge counts as reported without
/// faults; a fault reported in a rep that matches no true one is a false detection, if the clip has labelled reps at
/// all.
public struct FaultMetrics: MetricFamily {
  public static let title = "faults"

  public typealias Tally = [String: DetectionCounts]

  public var matching: RepMatching
  /// The faults that the detector can find.
  public var faults: [String]

  public init(matching: RepMatching, faults: [String]) {
    self.matching = matching
    self.faults = faults
  }

  public init?(for detector: ScoredDetector) {
    guard !detector.tasks.faults.isEmpty else { return nil }
    self.init(matching: detector.matching, faults: detector.tasks.faults)
  }

  public var metrics: [Metric] {
    faults.flatMap { fault in
      [
        Metric(
          "faults.\(fault).precision", "Share of the reps reported with \(fault) that have it.", .higherIsBetter,
          range: 0...1, undefined: "no rep judged by raters is reported with \(fault)", source: "the definition",
          aggregation: .ratio, trivial: [.everyRepFaulty, .noRepFaulty]),
        Metric(
          "faults.\(fault).recall", "Share of the reps with \(fault) that are reported with it.", .higherIsBetter,
          range: 0...1, undefined: "no rep has \(fault)", source: "the definition", aggregation: .ratio),
        Metric(
          "faults.\(fault).f1", "Harmonic mean of precision and recall of \(fault).", .higherIsBetter, range: 0...1,
          undefined: "no rep judged by raters has \(fault) or is reported with it",
          source: "van Rijsbergen, Information Retrieval, 1979", aggregation: .ratio,
          trivial: [.everyRepFaulty, .noRepFaulty]),
      ]
    }
  }

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let judged = clip.prediction.judged
    let reps = clip.groundTruth.reps ?? []
    let pairs = matching.pairs(truth: reps, predicted: judged.map(\.rep))
    let judgedOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.truth, judged[$0.predicted]) })
    let unmatched = Set(judged.indices).subtracting(pairs.map(\.predicted))
    var tally: Tally = [:]
    for fault in faults {
      let words = Dictionary(grouping: clip.groundTruth.faults.filter { $0.name == fault }, by: \.rep)
      var counts = DetectionCounts()
      for (rep, words) in words {
        let present = 2 * words.count(where: \.present) > words.count
        let reported =
          if let rep { judgedOf[rep]?.faults.contains(fault) ?? false } else {
            judged.contains { $0.faults.contains(fault) }
          }
        switch (present, reported) {
        case (true, true): counts.truePositives += 1
        case (true, false): counts.falseNegatives += 1
        case (false, true): counts.falsePositives += 1
        case (false, false): break
        }
      }
      if words.keys.contains(where: { $0 != nil }) {
        counts.falsePositives += unmatched.count { judged[$0].faults.contains(fault) }
      }
      tally[fault] = counts
    }
    return tally
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a.merging(b, uniquingKeysWith: +) }

  public func values(_ tally: Tally) -> [Double?] {
    faults.flatMap { fault in
      let counts = tally[fault] ?? DetectionCounts()
      return [counts.precision, counts.recall, counts.f1]
    }
  }
}
