import Coaching
import Datasets
import Pipeline
import PoseModel
import Scoring
import Statistics

/// A smoothing, a preset or the depth that clearly helps a detector on a suite's own people.
///
/// Each person is scored with the option that is best on all the others, or with the suite's own setting. An option is
/// suggested only if the gains of the people left out are an improvement beyond the margin by the gate's rule, and no
/// gating metric gets worse beyond its own.
///
/// Without a true gain, at most 2 % of samples have a suggestion for one detector and 4 % for any of four, with a margin
/// of a quarter of a standard deviation. Of gains of just the margin up to 21 and 57 % are suggested: it is no proof that
/// a gain is beyond the margin. Simulated by `scripts/hint-check.py`.
///
/// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974.
public struct SettingSuggestion: Hashable, Sendable {
  /// For other commands: `--smooth average:3`, `--set form.squat-posture=corrected`.
  public let option: String
  /// For the suite: `smoothing: average:3`, `preset: corrected`.
  public let line: String
  /// Whether the line belongs to the detector.
  public let isOfDetector: Bool
  public let detector: String
  public let metric: String
  public let unit: String
  /// The mean of the people's values with the suite's own setting.
  public let before: Double
  /// The mean of their values with the option that the others chose.
  public let after: Double
  /// The mean gain of the people left out, above 0, in the metric's unit.
  public let gain: Double
  /// The 95 % interval of the gain over people.
  public let interval: Interval
  public let people: Int

  /// The greatest of the clear gains, as a multiple of the margin; `nil` without one, and with too few people for a pass
  /// of the gate.
  ///
  /// Detectors that are programs are left out; beside one, smoothing too, as it may need the recorded keypoints.
  ///
  /// - Parameters:
  ///   - margins: Those that the suite's people can show.
  ///   - progress: Called with the number of finished replays and of all.
  public static func greatest(
    of run: SuiteRun, _ margins: ShowableMargins, version: String, threads: Int,
    progress: @Sendable (_ done: Int, _ all: Int) throws -> Void = { _, _ in }
  ) async throws -> SettingSuggestion? {
    let people = Set(run.clips.indices.map(run.subject(ofClip:)))
    let names = run.settings.filter { $0.outside == nil }.map(\.name)
    guard people.count >= GateRule.fewestSubjects, !names.isEmpty else { return nil }
    let own = run.onDetectors(names)
    let trials = try Trial.all(of: own, smooths: names.count == run.settings.count)
    guard !trials.isEmpty else { return nil }
    let all = trials.count + 1
    let base = try await own.replay(version: version, threads: threads).results.metrics
    try progress(1, all)
    var tried: [(trial: Trial, metrics: [RunResults.MetricResult])] = []
    for trial in trials {
      tried.append((trial, try await trial.run.replay(version: version, threads: threads).results.metrics))
      try progress(tried.count + 1, all)
    }
    let found = names.compactMap { name -> (suggestion: SettingSuggestion, multiple: Double)? in
      guard let metric = base.first(where: { $0.detector == name && $0.margin != nil && $0.isPooled != true }),
        !margins.isUnshown(metric.metricID), let usual = metric.margin, usual > 0
      else { return nil }
      let margin = max(usual, margins.margin(metric.metricID) ?? 0)
      return chosen(for: metric, base, tried, margin: margin, family: names.count).map {
        (suggestion: $0, multiple: $0.gain / margin)
      }
    }
    return found.max { $0.multiple < $1.multiple }?.suggestion
  }
}

/// An option of one or all detectors, and the suite's run with it.
private struct Trial {
  struct Option: Hashable {
    let option: String
    let line: String
  }

  let run: SuiteRun
  /// By detector.
  let options: [String: Option]
  /// Whether it is the same for all detectors, which read the same poses.
  let isShared: Bool

  static func all(of run: SuiteRun, smooths: Bool) throws -> [Trial] {
    var trials: [Trial] = []
    if smooths {
      for choice in SmoothingChoice.usual where choice != SmoothingChoice(run.suite.smoothing) {
        let option = Option(option: "--smooth \(choice)", line: "smoothing: \(choice)")
        let options = Dictionary(uniqueKeysWithValues: run.settings.map { ($0.name, option) })
        trials.append(Trial(run: run.smoothed(by: choice), options: options, isShared: true))
      }
    }
    let hasDepth = run.clips.contains { $0.dataset.manifest.channels.contains(.z) }
    if hasDepth, let trial = try changed(run, by: depth(of:)) { trials.append(trial) }
    for place in 0..<(run.settings.map(\.definition.presets.count).max() ?? 0) {
      if let trial = try changed(run, by: { preset(place, of: $0) }) { trials.append(trial) }
    }
    return trials
  }

  private struct Change {
    let values: [String: Double]
    let option: Option
  }

  /// The other way to measure, in space or in the picture; `nil` for a detector that measures in one way only.
  private static func depth(of setting: DetectorSetting) -> Change? {
    let toggle = setting.definition.parameters.first { $0.name == "usesDepth" && $0.unit == .toggle }
    guard let toggle else { return nil }
    let value = 1 - setting.values[toggle]
    let text = NumberText.plain(value)
    return Change(
      values: [toggle.name: value],
      option: Option(
        option: "--set \(setting.profile.path).\(toggle.name)=\(text)",
        line: "parameters: { \(toggle.name): \(text) }"))
  }

  /// `nil` for a detector with fewer presets.
  private static func preset(_ place: Int, of setting: DetectorSetting) -> Change? {
    let presets = setting.definition.presets
    guard place < presets.count else { return nil }
    return Change(
      values: presets[place].values,
      option: Option(
        option: "--set \(setting.profile.path)=\(presets[place].name)", line: "preset: \(presets[place].name)"))
  }

  /// The run with other values of the detectors that have some; `nil` if none has.
  private static func changed(_ run: SuiteRun, by change: (DetectorSetting) -> Change?) throws -> Trial? {
    var changed: [DetectorSetting] = []
    var options: [String: Option] = [:]
    for setting in run.settings {
      guard let other = change(setting) else { continue }
      let values = setting.values.values.merging(other.values) { $1 }
      guard values != setting.values.values else { continue }
      do {
        changed.append(try DetectorSetting(setting.definition, replacing: values))
        options[setting.name] = other.option
      } catch is ParameterError {
        // Values that contradict the suite's own are no option.
        continue
      }
    }
    return changed.isEmpty ? nil : Trial(run: run.replacing(changed), options: options, isShared: false)
  }
}

extension SettingSuggestion {
  /// The choice among a detector's options for one metric, by leaving each person out; `nil` if none is clear.
  ///
  /// - Parameters:
  ///   - metric: With the suite's own setting, as all of `base`.
  ///   - family: The number of detectors, of which each has a choice.
  private static func chosen(
    for metric: RunResults.MetricResult, _ base: [RunResults.MetricResult],
    _ tried: [(trial: Trial, metrics: [RunResults.MetricResult])], margin: Double, family: Int
  ) -> SettingSuggestion? {
    let known = metric.bySubject.compactMapValues(\.self)
    let people = known.keys.sorted()
    let own = people.compactMap { known[$0] }
    guard people.count >= GateRule.fewestSubjects else { return nil }
    var options: [(place: Int, option: Trial.Option, values: [Double], gains: [Double])] = []
    for (place, one) in tried.enumerated() {
      let result = one.metrics.first(of: metric.metricID)
      guard let option = one.trial.options[metric.detector], let result,
        !isWorse(base, one.metrics, of: one.trial.isShared ? nil : metric.detector)
      else { continue }
      let values = people.compactMap { result.bySubject[$0] ?? nil }
      guard values.count == people.count else { continue }
      let gains = zip(own, values).map { -metric.direction.loss(from: $0, to: $1) + 0 }
      options.append((place, option, values, gains))
    }
    /// The best option on all people but one; `nil` for the suite's own setting.
    func best(without left: Int?) -> Int? {
      let sums = options.map { option in
        option.gains.indices.reduce(0.0) { $1 == left ? $0 : $0 + option.gains[$1] }
      }
      guard let most = sums.max(), most > 0 else { return nil }
      return sums.firstIndex(of: most)
    }
    let folds = people.indices.map { best(without: $0) }
    let gains = zip(folds, people.indices).map { fold, person in fold.map { options[$0].gains[person] } ?? 0 }
    let values = zip(folds, people.indices).map { fold, person in fold.map { options[$0].values[person] } ?? own[person]
    }
    var random = SeededGenerator(seed: JointTest.seed)
    guard let choice = best(without: nil), let before = mean(own), let after = mean(values), let gain = mean(gains),
      let interval = Interval.studentT(gains), interval.low > 0,
      GateRule(margin: margin).decide(gains) == .improvement,
      let flip = SignFlip(gains, flips: 9_999, using: &random), flip.twoSided <= GateRule.alpha / Double(family)
    else { return nil }
    let (place, option) = (options[choice].place, options[choice].option)
    return SettingSuggestion(
      option: option.option, line: option.line, isOfDetector: !tried[place].trial.isShared, detector: metric.detector,
      metric: metric.metric, unit: metric.unit, before: before, after: after, gain: gain, interval: interval,
      people: people.count)
  }

  /// Whether a gating metric loses more than its margin, on average or shown.
  ///
  /// - Parameter detector: `nil` for all.
  private static func isWorse(
    _ base: [RunResults.MetricResult], _ tried: [RunResults.MetricResult], of detector: String?
  ) -> Bool {
    zip(base, tried).contains { before, after in
      guard let margin = before.margin, detector == nil || before.detector == detector else { return false }
      let (old, new) = (before.sample, after.sample)
      guard old.count == new.count else { return true }
      let gains = zip(old, new).map { -before.direction.loss(from: $0, to: $1) }
      return (mean(gains) ?? 0) < -margin || GateRule(margin: margin).decide(gains) == .regression
    }
  }
}
