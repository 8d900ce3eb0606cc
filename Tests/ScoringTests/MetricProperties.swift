import PoseModel
import Scoring
import TestSupport
import Testing

/// What holds for every metric of every family, on random clips.
struct MetricProperties {
  private static func families(_ matching: RepMatching) -> [any MetricFamily] {
    var detector = ScoredDetector.everything(
      matching: matching, faults: RandomClips.faults, labels: RandomClips.labels)
    detector.tasks.criterion = RandomClips.criterion
    detector.tasks.cooldown = RandomClips.cooldown
    return MetricFamilies.families(for: detector)
  }

  private static let matchings = RepMatching.Instant.allCases.map {
    RepMatching(instant: $0, tolerance: RandomClips.tolerance)
  }

  private static let seeds = 0..<40 as Range<UInt64>

  /// Each once: the matching of reps has no part in some.
  private static let families = matchings.flatMap { families($0) }.reduce(into: [any MetricFamily]()) { all, family in
    if !all.contains(where: { "\($0)" == "\(family)" }) { all.append(family) }
  }

  /// A family without its cases fails here: see `CheckedFamily`.
  @Test func everyFamilyIsHere() {
    let listed = MetricFamilies.all.filter { $0 is any MetricFamily.Type }.map { "\($0)" }
    #expect(Set(Self.families.map { "\(type(of: $0))" }) == Set(listed))
    for family in Self.families {
      let type = type(of: family)
      #expect(family is any CheckedFamily, "add `extension \(type): CheckedFamily` to \(type)Tests.swift")
    }
  }

  @Test func everyMetricSaysWhatItIs() {
    for family in Self.families {
      let metrics = family.metrics
      #expect(!metrics.isEmpty)
      #expect(Set(metrics.map(\.name)).count == metrics.count)
      #expect(family.values(ofClips: []).count == metrics.count)
      for metric in metrics {
        #expect(metric.name.wholeMatch(of: /[a-z]+(\.[a-z0-9-]+)+/) != nil, "\(metric.name)")
        #expect(metric.summary.count > 10 && metric.summary.hasSuffix("."), "\(metric.name)")
        #expect(!metric.undefined.isEmpty, "\(metric.name)")
        #expect(!metric.source.isEmpty, "\(metric.name)")
        #expect(metric.range.lowerBound < metric.range.upperBound, "\(metric.name)")
        #expect(metric.range.contains(best(metric)), "\(metric.name)")
      }
    }
  }

  @Test(arguments: seeds)
  func valuesLieInTheRange(seed: UInt64) {
    let clips = clips(seed)
    for family in Self.families {
      for (metric, value) in values(family, clips) {
        if let value { #expect(metric.range.contains(value), "seed \(seed): \(metric.name)") }
      }
    }
  }

  @Test(arguments: seeds)
  func thereIsNoValueExactlyWhenTheMetricSaysSo(seed: UInt64) {
    let all = clips(seed)
    // Of few clips too, or most metrics would always be defined.
    for count in [0, 1, 2, 3, 12] {
      let clips = Array(all.prefix(count))
      for matching in Self.matchings {
        let cases = UndefinedCases(matching: matching, clips: clips)
        for family in Self.families(matching) {
          for (metric, value) in values(family, clips) {
            guard let expected = cases.isUndefined(metric.name, of: family) else {
              Issue.record("\(metric.name) is not among the cases")
              continue
            }
            #expect(
              (value == nil) == expected, "seed \(seed), \(count) clips, \(matching.instant): \(metric.name)")
          }
        }
      }
    }
  }

  /// A metric over found cases only is the mean or median of its cases, so that a comparison can leave some out. Live delays
  /// are those of false detections too, which are no true cases.
  @Test(arguments: seeds)
  func aMetricOfFoundCasesIsItsCases(seed: UInt64) {
    let clips = clips(seed)
    for family in Self.families {
      let cases = clips.map { family.caseValues($0) }
      let known = Set(family.metrics.filter { $0.caseStatistic != nil }.map(\.name))
      #expect(Set(cases.flatMap(\.keys)).isSubset(of: known))
      for (metric, value) in values(family, clips) where metric.name != "latency.live" {
        guard let statistic = metric.caseStatistic else { continue }
        let expected = statistic.value(of: cases.flatMap { $0[metric.name] ?? [] }.compactMap(\.self))
        let isSame = value.map { isClose(expected, $0, within: 1e-9) } ?? (expected == nil)
        #expect(
          isSame,
          "seed \(seed): \(metric.name) is \(String(describing: value)), its cases \(String(describing: expected))")
      }
    }
  }

  /// Whoever finds fewer cases must not be called better for it: such a metric says that it is of found cases.
  @Test func whatIsUndefinedWithoutAMatchIsOfFoundCases() {
    for metric in Self.families.flatMap(\.metrics) where metric.unit == "ms" {
      #expect(metric.caseStatistic != nil, "\(metric.name)")
    }
  }

  @Test(arguments: seeds)
  func poolingHalvesEqualsPoolingAll(seed: UInt64) {
    let clips = clips(seed)
    guard clips.count >= 2 else { return }
    func check(_ family: some MetricFamily) {
      let tallies = clips.map { family.tally($0) }
      let middle = tallies.count / 2
      // From the middle to both ends, where scoring pools from the first to the last.
      let left = tallies[..<middle].dropLast().reversed().reduce(tallies[middle - 1]) { family.pool($1, $0) }
      let right = tallies[middle...].dropLast().reversed().reduce(tallies[tallies.count - 1]) { family.pool($1, $0) }
      expectSame(family.metrics, family.values(family.pool(left, right)), family.values(ofClips: clips), seed)
    }
    for family in Self.families { check(family) }
  }

  @Test(arguments: seeds)
  func orderOfTheClipsChangesNothing(seed: UInt64) {
    var random = TestGenerator(seed: seed)
    let clips = clips(seed)
    for family in Self.families {
      expectSame(family, clips.shuffled(using: &random), clips, seed)
    }
  }

  /// Shares, means, medians and correlations do not depend on how many there are.
  @Test(arguments: seeds)
  func eachClipTwiceChangesNothing(seed: UInt64) {
    let clips = clips(seed)
    for family in Self.families {
      let (twice, once) = (values(family, clips + clips), values(family, clips))
      for (twice, once) in zip(twice, once) where !dependsOnSize(once.metric) {
        expectSame([once.metric], [twice.value], [once.value], seed)
      }
    }
  }

  @Test(arguments: seeds)
  func perfectPredictionsHaveTheBestValue(seed: UInt64) {
    let clips = clips(seed).map { RandomClips.perfect($0) }
    for family in Self.families {
      for (metric, value) in values(family, clips) where hasBest(metric) {
        if let value { #expect(isClose(value, best(metric)), "seed \(seed): \(metric.name) is \(value)") }
      }
    }
  }

  @Test(arguments: seeds)
  func worsePredictionsAreNeverBetter(seed: UInt64) {
    let gains = steps(seed).filter { !($0.loss >= -1e-12) }
    #expect(gains.isEmpty, "seed \(seed)")
  }

  @Test func everyMetricGetsWorseWithSomeWorsePredictions() {
    let losses = (0..<10).flatMap { steps($0) }.filter { $0.loss > 1e-6 }
    for (index, family) in Self.families.enumerated() {
      let worse = Set(losses.filter { $0.family == index }.map(\.metric))
      #expect(worse == Set(family.metrics.filter { hasBest($0) }.map(\.name)))
    }
  }

  @Test(arguments: seeds)
  func humanCeilingDoesNotDependOnThePredictions(seed: UInt64) {
    let real = clips(seed)
    let perfect = real.map { RandomClips.perfect($0) }
    for family in Self.families {
      for (a, b) in zip(values(family, real), values(family, perfect)) where isOfPeople(a.metric) {
        #expect(a.value == b.value, "seed \(seed): \(a.metric.name)")
      }
    }
  }

  /// Each metric with the family's value of the clips.
  private func values(_ family: any MetricFamily, _ clips: [LabelledPrediction]) -> [(metric: Metric, value: Double?)] {
    zip(family.metrics, family.values(ofClips: clips)).map { (metric: $0, value: $1) }
  }

  private func clips(_ seed: UInt64) -> [LabelledPrediction] {
    var random = RandomClips(seed: seed)
    return random.clips()
  }

  /// By how much a step of a degradation makes a metric worse.
  private struct Step {
    /// The place of the metric's family.
    var family: Int
    var metric: String
    var degradation: String
    var number: Int
    var loss: Double
  }

  /// The steps from perfect predictions, of each metric with a best value that is defined before and after it.
  private func steps(_ seed: UInt64) -> [Step] {
    let clips = clips(seed).map { RandomClips.perfect($0) }
    let metrics = Self.families.map { family in family.metrics.map { (metric: $0, hasBest: hasBest($0)) } }
    var steps: [Step] = []
    for degradation in Degradation.all {
      // Made once for all families.
      let degraded = (0...degradation.steps).map { degrade(clips, degradation, $0) }
      for (index, family) in Self.families.enumerated() {
        var before = family.values(ofClips: degraded[0])
        for number in 1...degradation.steps {
          let after = family.values(ofClips: degraded[number])
          for (place, (metric, hasBest)) in metrics[index].enumerated() where hasBest {
            guard let a = before[place], let b = after[place] else { continue }
            steps.append(
              Step(
                family: index, metric: metric.name, degradation: degradation.name, number: number,
                loss: metric.direction.loss(from: a, to: b)))
          }
          before = after
        }
      }
    }
    return steps
  }

  private func degrade(_ clips: [LabelledPrediction], _ degradation: Degradation, _ step: Int) -> [LabelledPrediction] {
    clips.map { clip in
      var clip = clip
      degradation.apply(&clip.prediction, step)
      return clip
    }
  }

  private func expectSame(
    _ family: any MetricFamily, _ a: [LabelledPrediction], _ b: [LabelledPrediction], _ seed: UInt64
  ) {
    expectSame(family.metrics, family.values(ofClips: a), family.values(ofClips: b), seed)
  }

  private func expectSame(_ metrics: [Metric], _ a: [Double?], _ b: [Double?], _ seed: UInt64) {
    for (metric, (a, b)) in zip(metrics, zip(a, b)) {
      let isSame = b.map { isClose(a, $0, within: 1e-12 * max(1, abs($0))) } ?? (a == nil)
      #expect(isSame, "seed \(seed): \(metric.name) is \(String(describing: a)) and \(String(describing: b))")
    }
  }

  private func best(_ metric: Metric) -> Double { metric.direction == .higherIsBetter ? 1 : 0 }

  /// Whether a system that had seen the labels would have its best value: one that says little is not better for it, and
  /// people do not always grade down what they find fault with. Who is less certain may be as well calibrated, and the
  /// consistency of opposite grades is undefined.
  private func hasBest(_ metric: Metric) -> Bool {
    !isOfPeople(metric)
      && !["cues.per-minute", "grades.roc-auc", "scores.calibration-error", "grades.icc-c-k"].contains(metric.name)
      // Agreement beyond chance depends on which grades there are, and not only on how far they are off.
      && !["grades.kappa", "grades.alpha"].contains(where: metric.name.hasPrefix)
  }

  /// Whether it is estimated from a sample, with one degree of freedom fewer than there are items.
  private func dependsOnSize(_ metric: Metric) -> Bool {
    ["grades.icc", "grades.alpha", "grades.limit"].contains(where: metric.name.hasPrefix)
  }

  /// Whether it is about the raters alone.
  private func isOfPeople(_ metric: Metric) -> Bool { metric.name.contains(".human-") }

  /// What a value is without each clip is what the others pooled have, and a clip that has no part changes nothing.
  @Test(arguments: seeds)
  func leavingOutIsPoolingTheOthers(seed: UInt64) {
    let clips = clips(seed)
    for family in Self.families {
      func check<Family: MetricFamily>(_ family: Family) {
        let tallies = clips.map(family.tally)
        guard let all = family.pooled(tallies).map(family.values) else { return }
        let without = family.valuesWithoutEach(tallies)
        #expect(without.count == tallies.count)
        for (left, values) in without.enumerated() {
          let others = family.pooled(tallies[..<left] + tallies[(left + 1)...]).map(family.values)
          let contributes = family.contributes(tallies[left])
          for (index, metric) in family.metrics.enumerated() {
            let expected = others?[index]
            let isSame =
              expected.map { isClose(values[index], $0, within: 1e-10 * max(1, abs($0))) } ?? (values[index] == nil)
            #expect(isSame, "seed \(seed): \(metric.name) without \(left)")
            guard !contributes[index], metric.aggregation.isPooled, tallies.count > 1 else { continue }
            let unmoved = all[index].map { isClose(values[index], $0, within: 1e-10) } ?? (values[index] == nil)
            #expect(unmoved, "seed \(seed): \(metric.name) with \(left), which has no part in it")
          }
        }
      }
      check(family)
    }
  }
}
