import Charts
import Testing

/// Colours mean the same in every chart: the test looks for them in the pictures.
struct SemanticColorTests {
  @Test func worseIsSeenOnlyWhereSomethingIsWrong() throws {
    let disc = 154  // A radius of 7 points.
    let bar = 416  // 26 x 16 points.
    let good = [CountedClip(clip: "a", truth: 5, predicted: 5), CountedClip(clip: "b", truth: 5, predicted: 6)]
    let bad = [CountedClip(clip: "a", truth: 5, predicted: 9)]
    #expect(try !shows(.worse, CountScatter(source: "", clips: good), legend: disc))
    #expect(try shows(.worse, CountScatter(source: "", clips: bad), legend: disc))
    #expect(try !shows(.worse, CountErrorByClip(source: "", clips: good)))
    #expect(try shows(.worse, CountErrorByClip(source: "", clips: bad)))

    let matched = TimedRep(start: 0, end: 1, isMatched: true)
    let single = TimedRep(start: 0, end: 1, isMatched: false)
    func timeline(_ truth: TimedRep, _ predicted: TimedRep) -> ClipTimeline {
      ClipTimeline(clip: "c", source: "", signals: [], trueReps: [truth], predictedReps: [predicted])
    }
    #expect(try !shows(.worse, timeline(matched, matched)))
    #expect(try shows(.worse, timeline(single, matched), legend: bar))
    #expect(try shows(.worse, timeline(matched, single), legend: bar))
  }

  @Test func uncertainIsSeenOnlyWhereThereIsAnInterval() throws {
    func errors(_ mean: Estimate) -> CountErrorByClip {
      CountErrorByClip(source: "", clips: Examples.clips, mean: mean)
    }
    #expect(try !shows(.uncertain, errors(Estimate(0.5))))
    #expect(try !shows(.uncertain, errors(Estimate(0.5, lower: .nan, upper: 2))))
    #expect(try !shows(.uncertain, errors(Estimate(0.5, lower: -.infinity, upper: 2))))
    #expect(try shows(.uncertain, errors(Estimate(0.5, lower: -1, upper: 2))))
  }

  /// The shade of a tolerance hardly differs from the background: it has an edge in a colour that does, at least one
  /// line as wide as the plot.
  @Test(arguments: [("light", Theme.light), ("dark", Theme.dark)])
  func aToleranceHasAnEdge(name: String, theme: Theme) throws {
    func edge(_ margin: Double?) throws -> Int {
      var chart = Examples.ladder
      chart.margin = margin
      let color = theme[.neutral]
      let wanted = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
      return try PNGFile(png(chart, theme: theme)).pixels.count { $0 == wanted }
    }
    #expect(try edge(0.5) > edge(nil) + 900, "\(name)")
    #expect(theme[.neutral].contrast(with: theme[.background]) >= 3)
  }

  /// Whether more pixels have the meaning's colour than the legend's sample, which is there in any case.
  private func shows(_ meaning: SemanticColor, _ chart: some Chart, legend: Int = 0) throws -> Bool {
    let color = Theme.light[meaning]
    let wanted = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    return try PNGFile(png(chart)).pixels.count { $0 == wanted } > legend
  }
}
