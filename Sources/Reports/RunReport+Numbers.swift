import Evaluation
import Foundation

extension RunReport {
  /// Every number of the report, as `results.json` holds it: the run's results, what the report makes of them, and, beside a
  /// baseline, what changed.
  public func numbers() throws -> Data { try numbers(of: pictures) }

  func numbers(of pictures: [Picture]) throws -> Data {
    try stableJSON(
      RunNumbers(
        results: results, report: shownNumbers(pictures),
        measuredPictures: pictures.filter { $0.part == .latency }.map {
          ShownNumbers.Table(file: $0.file, words: $0.alternative, $0.chart.table)
        }, comparison: changeNumbers))
  }

  private func shownNumbers(_ pictures: [Picture]) -> ShownNumbers {
    ShownNumbers(
      detectors: results.detectors.count, clips: results.clips.count, subjects: subjects,
      level: Verdict.level, seed: RunResults.MetricResult.Bounds.seed,
      worst: wrongClips,
      // Latencies are among `measuredPictures`: nothing here depends on the machine.
      pictures: pictures.map { picture in
        ShownNumbers.Table(
          file: picture.file, words: picture.alternative, picture.part == .latency ? [] : picture.chart.table)
      })
  }

  /// The worst, and others whose timelines are shown.
  private var wrongClips: [ShownNumbers.Worst] {
    guard let detector = results.shownDetector else { return [] }
    let others = replayed.map(\.result).filter { clip in !worstClips.contains { $0.id == clip.id } }
    return (worstClips + others).map {
      ShownNumbers.Worst(clip: $0.id, detector: detector, mistakes: results.mistakes(detector, on: $0))
    }
  }

  private var changeNumbers: ChangeNumbers? {
    guard let comparison, let verdict else { return nil }
    return ChangeNumbers(
      verdict: ChangeNumbers.Answer(
        outcome: verdict.outcome.rawValue, reason: verdict.reason, detail: verdict.detail),
      summary: summaryNumbers(comparison),
      metrics: (comparison.changes + comparison.costs).map { change in
        let gate = verdict.metrics.first {
          $0.change.detector == change.detector && $0.change.metric == change.metric
        }
        let interval = change.isPooled ? nil : change.interval(level: Verdict.level)
        return ChangeNumbers.Metric(
          detector: change.detector, metric: change.metric, baseline: change.before, gain: change.gain,
          gains: change.gains, better: change.gains.values.count { $0 > 0 },
          worse: change.gains.values.count { $0 < 0 }, same: change.gains.values.count { $0 == 0 },
          oneSided: change.oneSided.count, low: interval?.low, high: interval?.high, margin: change.margin,
          outcome: gate?.outcome.rawValue)
      },
      slices: (slices ?? []).map { sliced in
        let change = sliced.metric.change
        return ChangeNumbers.Slice(
          dimension: sliced.slice.dimension.rawValue, slice: sliced.slice.value, detector: change.detector,
          metric: change.metric, baseline: sliced.metric.pairedBefore, value: sliced.metric.pairedAfter,
          gain: change.gain,
          low: sliced.metric.interval?.low, high: sliced.metric.interval?.high, adjustedP: sliced.metric.adjustedP,
          subjects: sliced.metric.pairs, clips: sliced.metric.clips)
      },
      parameters: comparison.changedParameters,
      counts: comparison.changedCounts.map {
        ChangeNumbers.Count(
          clip: $0.clip, detector: $0.detector, baseline: $0.before, count: $0.after, truth: $0.truth)
      }, answers: comparison.changedAnswers)
  }
}
