import Evaluation
import Scoring
import Statistics

/// The share of counts within one rep against coverage: the share of clips that are left if the detector abstains on its
/// least confident ones.
///
/// - Source: the risk–coverage curve of El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification,
///   2010, with accuracy instead of risk.
public struct CoverageAccuracy: Chart {
  /// Dataset, its origin and the detector.
  public var source: String
  public var curve: CoverageCurve
  public var clips: Int
  public var subjects: Int?
  /// Results to print beside the plot, worded by the caller.
  public var remarks: [String]

  public init(source: String, curve: CoverageCurve, clips: Int, subjects: Int? = nil, remarks: [String] = []) {
    (self.source, self.curve, self.clips, self.subjects) = (source, curve, clips, subjects)
    self.remarks = remarks
  }

  /// The wrong counts among the clips that are left out, and as many clips at random:
  /// `Abstaining on the least confident 43 of 216 clips avoids 5 of 11 counts off by more than one; at random 2.2`
  public var title: String {
    guard let all = curve.points.last, let kept else { return "No count has a confidence" }
    let (leftOut, wrong) = (clips - count(kept.coverage), clips - count(all.right))
    guard wrong > 0 else { return "No count is off by more than one: \(NumberText.count(clips, "clip"))" }
    guard leftOut > 0 else {
      return "Abstaining on at most \(Self.most) of clips leaves out none: \(wrong) of "
        + "\(NumberText.count(clips, "count")) off by more than one"
    }
    let avoided = wrong - (count(kept.coverage) - count(kept.right))
    let random = Double(wrong) * Double(leftOut) / Double(clips)
    return "Abstaining on the least confident \(leftOut) of \(NumberText.count(clips, "clip")) avoids \(avoided) of "
      + "\(NumberText.count(wrong, "count")) off by more than one; at random \(NumberText.plain(random, decimals: 1))"
  }

  private static let most = "\(NumberText.fixed(100 * (1 - CountConfidence.coverage), decimals: 0)) %"

  /// The most confident clips that are at least `CountConfidence.coverage` of all. Equal confidences stay together.
  private var kept: CoverageCurve.Point? { curve.points.first { $0.coverage >= CountConfidence.coverage } }

  private func count(_ share: Double) -> Int { Int((share * Double(clips)).rounded()) }

  public var subtitle: String {
    ["Accuracy against coverage", source, NumberText.size("clip", clips, subjects: subjects)]
      .joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init("confidence", .fixed(3)), .init("coverage", .fixed(3))], .estimate("within one", .fixed(3)),
      rows: curve.points.map {
        ChartTable.row([.number($0.confidence), .number($0.coverage)], estimate($0).cells())
      })
  }

  public func bodyHeight(on page: Page) -> Double? { plot.bodyHeight(on: page) }

  public func draw(on canvas: Canvas, in area: Rect) { plot.draw(on: canvas, in: area) }

  private var plot: ThresholdPlot {
    let covered = curve.points.last { $0.confidence >= CountConfidence.threshold }
    let all = curve.accuracy(at: 1)
    // The interval of few clips, at the left, would take most of the axis.
    let ends = [covered, curve.points.last].compactMap(\.self).flatMap { estimate($0).values }
    return ThresholdPlot(
      xTitle: "coverage (share of clips)", yTitle: "share of counts within one rep",
      lines: [
        ThresholdPlot.Line(
          curve: ThresholdCurve(
            name: "most confident clips first", rates: [],
            operatingPoint: covered.map { _ in
              ThresholdRates(threshold: CountConfidence.threshold, recall: Estimate(.nan))
            }),
          points: curve.points.map { ($0.coverage, estimate($0)) },
          operatingPoint: covered.map { (Estimate($0.coverage), estimate($0)) })
      ], remarks: remarks, emptyNote: "No count has a confidence.",
      chance: ThresholdPlot.Chance(
        start: all, end: all, words: "all clips counted: \(NumberText.fixed(all, decimals: 2))"),
      range: LinearScale(covering: curve.points.map(\.accuracy) + ends + [all], within: 0...1).domain)
  }

  private func estimate(_ point: CoverageCurve.Point) -> Estimate {
    let interval = Interval.wilson(successes: count(point.right), of: count(point.coverage))
    return Estimate(point.accuracy, lower: interval?.low, upper: interval?.high)
  }
}

extension ChartRecipe {
  static let coverage = ChartRecipe(
    "coverage", "Counts within one rep against coverage, by the detector's confidence.",
    needs: "a run of a counter with confidences; --detector", takes: [.run, .detector],
    inReport: { run in
      run.results.detectors.map(\.name).filter { (run.results.coverage($0)?.accuracy(at: 1) ?? 1) < 1 }.compactMap {
        detector in
        CoverageAccuracy(run.results, detector).map {
          ReportPicture(
            file: "coverage-\(detector).png", heading: "Counts of \(detector) by its confidence", chart: $0)
        }
      }
    }
  ) { context in
    let run = try context.storedRun()
    let detector = try context.detector(in: run.results, having: "counts with a confidence") { name in
      run.results.coverage(name) != nil
    }
    return CoverageAccuracy(run.results, detector).map { [Picture($0, metadata: run.metadata)] } ?? []
  }
}

extension CoverageAccuracy {
  /// - Returns: `nil` if the detector gives no confidence.
  public init?(_ results: RunResults, _ detector: String) {
    guard let curve = results.coverage(detector) else { return nil }
    let counted = results.showing { $0.countError(detector) != nil }
    self.init(
      source: counted.source(detector), curve: curve, clips: counted.clips.count, subjects: counted.subjectCount,
      remarks: ["count.coverage", "count.off-by-one-covered", "count.off-by-one-80", "count.confidence-area"]
        .compactMap { results.remark(detector, $0) })
    if let kept, let words = counted.leftOut(detector, below: kept.confidence) { remarks.append(words) }
  }
}

extension RunResults {
  /// The curve of a detector's counts; `nil` if it gives no confidence.
  fileprivate func coverage(_ detector: String) -> CoverageCurve? {
    let counted = clips.compactMap { clip in
      clip.countError(detector).map { (clip.outcomes[detector]?.countConfidence, abs($0) <= 1) }
    }
    guard counted.contains(where: { $0.0 != nil }) else { return nil }
    return CoverageCurve(counted.map { (confidence: $0.0 ?? 0, isRight: $0.1) })
  }

  /// The clips with a lower confidence, by people and views: `Left out: 43 clips of 24 of 72 people, all clips of 2;
  /// front views 23 of 78, side views 20 of 138`
  ///
  /// - Returns: `nil` for none.
  fileprivate func leftOut(_ detector: String, below confidence: Double) -> String? {
    let leftOut = clips.filter { ($0.outcomes[detector]?.countConfidence ?? 0) < confidence }
    guard !leftOut.isEmpty else { return nil }
    let (all, missing) = (Dictionary(grouping: clips, by: \.person), Dictionary(grouping: leftOut, by: \.person))
    let unseen = missing.count { person, clips in clips.count == all[person]?.count }
    let views = Set(clips.map(\.view)).filter { !$0.isEmpty }.sorted()
    let byView =
      views.count < 2
      ? []
      : views.map { view in
        "\(view) views \(leftOut.count { $0.view == view }) of \(clips.count { $0.view == view })"
      }
    let people =
      "Left out: \(NumberText.count(leftOut.count, "clip")) of \(missing.count) of "
      + NumberText.count(all.count, "person") + (unseen > 0 ? ", all clips of \(unseen)" : "")
    return ([people] + (byView.isEmpty ? [] : [byView.joined(separator: ", ")])).joined(separator: "; ")
  }
}
