import Pipeline
import PoseModel
import Scoring
import Statistics

/// A metric of the clips of one slice on two sides.
public struct SliceChange: Sendable {
  public let slice: ClipSlice
  public internal(set) var metric: MetricChange

  /// Every listed metric on every slice: the same metric families score the slice's clips again, and a subject's value
  /// covers its clips in the slice. P values are corrected over all of them.
  static func all(from before: ReplayedSuite, to after: ReplayedSuite) throws -> [SliceChange] {
    let listed = after.results.metrics.filter(\.isListed)
    let (earlier, later) = (Baseline(allOf: before.results), Baseline(allOf: after.results))
    let names = Dictionary(grouping: listed, by: \.detector).mapValues { Set($0.map(\.metric)) }
    let sliced = try ClipSlice.all(of: after.results.clips, truths: after.groundTruth).flatMap {
      slice -> [SliceChange] in
      let (old, new) = (
        before.metrics(ofClips: slice.members, among: names), after.metrics(ofClips: slice.members, among: names)
      )
      return try listed.compactMap { metric in
        guard let old = old.first(of: metric.metricID), var new = new.first(of: metric.metricID) else { return nil }
        (new.margin, new.isListed) = (metric.margin, true)
        let cases = FoundCases(metric, of: slice.members.map { after.results.clips[$0] }, from: earlier, to: later)
        return SliceChange(
          slice: slice,
          metric: try MetricChange(
            new, from: Baseline.Value(old), to: Baseline.Value(new), clips: slice.members.count, cases: cases,
            in: "the slice"))
      }
    }
    return tested(sliced)
  }

  /// The gating metrics on every slice of a run and a baseline, from the subjects' values that both kept. P values are
  /// corrected over all of them. A metric over found cases only is left out of slices that depend on labels if other
  /// cases are found, as the baseline does not keep those slices' clips.
  ///
  /// - Returns: `nil` if the baseline, or the run, is from before they were kept.
  ///
  /// - Throws: `EvaluationError.missing` if a slice has other subjects.
  public static func all(of results: RunResults, beside baseline: Baseline) throws -> [SliceChange]? {
    guard let before = baseline.slices, let after = results.slices else { return nil }
    let later = Baseline(allOf: results)
    let known = ClipSlice.all(of: results.clips)
    return tested(
      try after.compactMap { slice -> SliceChange? in
        guard let values = slice.bySubject, var metric = results.metric(slice.detector, slice.metric),
          let old = before.first(where: {
            ($0.dimension, $0.slice, $0.detector, $0.metric)
              == (slice.dimension, slice.slice, slice.detector, slice.metric)
          })
        else { return nil }
        (metric.value, metric.bySubject, metric.isListed) = (slice.value, values, true)
        (metric.isPooled, metric.withoutSubject) = (slice.isPooled, slice.withoutSubject)
        var cases: FoundCases?
        if let all = FoundCases(metric, of: results.clips, from: baseline, to: later),
          all.otherCases != nil || !all.cases.areEqual
        {
          guard all.otherCases == nil,
            let clips = known.first(where: { ($0.dimension, $0.value) == (slice.dimension, slice.slice) })?.members
          else { return nil }
          cases = FoundCases(metric, of: clips.map { results.clips[$0] }, from: baseline, to: later)
        }
        return SliceChange(
          slice: ClipSlice(dimension: slice.dimension, value: slice.slice, members: []),
          metric: try MetricChange(
            metric,
            from: Baseline.Value(
              detector: old.detector, metric: old.metric, value: old.value, bySubject: old.bySubject,
              isPooled: old.isPooled, withoutSubject: old.withoutSubject),
            to: Baseline.Value(metric), clips: slice.clips, cases: cases, in: "the baseline"))
      })
  }

  private static func tested(_ slices: [SliceChange]) -> [SliceChange] {
    var metrics = slices.map(\.metric)
    for index in metrics.indices { metrics[index].runTest() }
    metrics.adjust(by: benjaminiHochberg) { $0.p != nil }
    for index in metrics.indices where (metrics[index].adjustedP ?? 1) <= GateRule.alpha {
      metrics[index].shown = metrics[index].gain.flatMap { $0 < 0 ? .worse : $0 > 0 ? .better : nil }
    }
    return zip(slices, metrics).map { SliceChange(slice: $0.slice, metric: $1) }
  }
}

extension SliceChange: Codable {
  private enum Key: String, CodingKey { case dimension, value, metric }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    slice = ClipSlice(
      dimension: try container.decode(ClipSlice.Dimension.self, forKey: .dimension),
      value: try container.decode(String.self, forKey: .value), members: [])
    metric = try container.decode(MetricChange.self, forKey: .metric)
  }

  /// Without the subjects' own values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(slice.dimension, forKey: .dimension)
    try container.encode(slice.value, forKey: .value)
    try container.encode(metric.summary, forKey: .metric)
  }
}
