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

  /// `Abstaining on 20 % of clips raises counts within one from 78 % to 87 %`, if 87 % is outside the interval of 78 %.
  public var title: String {
    let (all, surest) = (curve.accuracy(at: 1), curve.accuracy(at: CountConfidence.coverage))
    let abstaining = "Abstaining on \(percent(1 - CountConfidence.coverage)) of clips"
    guard percent(all) != percent(surest) else {
      return "\(abstaining) does not help: \(percent(all)) of counts within one, as on all clips"
    }
    guard let interval = curve.points.last.flatMap({ estimate($0).interval }), !interval.contains(surest) else {
      return "\(abstaining) may not help: \(percent(all)) → \(percent(surest)) of counts within one"
    }
    return "\(abstaining) \(surest > all ? "raises" : "lowers") counts within one from \(percent(all)) to "
      + percent(surest)
  }

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
    func count(_ share: Double) -> Int { Int((share * Double(clips)).rounded()) }
    let interval = Interval.wilson(successes: count(point.right), of: count(point.coverage))
    return Estimate(point.accuracy, lower: interval?.low, upper: interval?.high)
  }

  private func percent(_ share: Double) -> String { "\(NumberText.fixed(100 * share, decimals: 0)) %" }
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
      remarks: ["count.coverage", "count.off-by-one-covered", "count.confidence-area"].compactMap {
        results.remark(detector, $0)
      })
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
}
