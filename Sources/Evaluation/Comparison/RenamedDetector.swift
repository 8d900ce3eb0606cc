import Coaching
import Files
import Pipeline

/// A gating detector that a change renames or replaces: the new one is judged on the values of the former one.
struct RenamedDetector: Hashable, Sendable {
  /// The name at the base.
  let former: String
  /// The name now.
  let name: String

  /// For each gating detector that a suite lacks, the new one that takes its place: the only one of its kind and criterion,
  /// on the same exercises, with a metric that the former one gates with. None where several could have taken a place.
  ///
  /// - Parameters:
  ///   - base: The suite before, with the metrics that gate and the detectors of its commit.
  ///   - suite: The suite now, with its detectors.
  static func all(
    from base: (suite: Suite, gated: [GatedMetric], registry: DetectorRegistry),
    to suite: (suite: Suite, registry: DetectorRegistry)
  ) -> [RenamedDetector] {
    let (before, now) = (base.suite, suite.suite)
    let gates = Dictionary(grouping: base.gated, by: \.detector).mapValues { Set($0.map(\.metric)) }
    let gone = before.detectors.filter { old in
      gates[old.name] != nil && !now.detectors.contains { $0.name == old.name }
    }
    let new = now.detectors.filter { own in !before.detectors.contains { $0.name == own.name } }
    let pairs = gone.flatMap { old in
      new.filter { own in
        guard let was = try? base.registry.detector(named: old.name).profile,
          let profile = try? suite.registry.detector(named: own.name).profile
        else { return false }
        return was.kind == profile.kind && was.tasks.criterion == profile.tasks.criterion
          && Set(before.exercises.filter(old.takes)) == Set(now.exercises.filter(own.takes))
          && now.listed(own.name).contains { gates[old.name]?.contains($0) ?? false }
      }.map { RenamedDetector(former: old.name, name: $0.name) }
    }
    return pairs.filter { pair in
      pairs.count { $0.former == pair.former } == 1 && pairs.count { $0.name == pair.name } == 1
    }
  }

  /// The definition of a detector in code that a commit's suite still names and the program no longer has: that of the
  /// only detector which is new in the suite.
  ///
  /// - Parameters:
  ///   - file: The suite's file at the commit.
  ///   - known: The detectors of the program and of the commit.
  ///   - suite: The suite now, with its detectors.
  static func definition(
    in file: InputFile, besides known: DetectorRegistry, for suite: (suite: Suite, registry: DetectorRegistry)
  ) -> DetectorDefinition? {
    let names = try? YAMLMapping(file).mappingsIfPresent("detectors").map { try $0.text("name") }
    let lost = (names ?? []).filter { name in !known.detectors.contains { $0.profile.name == name } }
    let new = suite.suite.detectors.filter { !(names ?? []).contains($0.name) }
    guard lost.count == 1, new.count == 1, let own = try? suite.registry.detector(named: new[0].name) else {
      return nil
    }
    var profile = own.profile
    profile.name = lost[0]
    return DetectorDefinition(profile: profile, parameters: own.parameters, presets: own.presets) {
      (values) throws(ParameterError) in try own.detector(values)
    }
  }

  /// The name now of a detector at the base.
  fileprivate func name(of detector: String) -> String { detector == former ? name : detector }
}

extension Suite {
  /// The names of the metrics that it lists of a detector.
  fileprivate func listed(_ detector: String) -> [String] {
    metrics.filter { $0.detector == detector }.map(\.metric)
      + costs.filter { $0.detector == detector }.map { _ in CostRatio.metric }
  }

  mutating func rename(_ renamed: RenamedDetector) {
    for index in detectors.indices { detectors[index].name = renamed.name(of: detectors[index].name) }
    for index in metrics.indices { metrics[index].detector = renamed.name(of: metrics[index].detector) }
    for index in costs.indices { costs[index].detector = renamed.name(of: costs[index].detector) }
    for index in percentiles.indices { percentiles[index].detector = renamed.name(of: percentiles[index].detector) }
  }
}

extension Baseline {
  /// Renames a detector everywhere but in its slices and the losses that were accepted of it.
  mutating func rename(_ renamed: RenamedDetector) {
    func byName<Entry>(_ table: [String: Entry]) -> [String: Entry] {
      Dictionary(table.map { (renamed.name(of: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    for index in detectors.indices { detectors[index].name = renamed.name(of: detectors[index].name) }
    for index in metrics.indices { metrics[index].detector = renamed.name(of: metrics[index].detector) }
    best = best?.map { value in
      var value = value
      value.detector = renamed.name(of: value.detector)
      return value
    }
    tunings = tunings?.map { tuning in
      var tuning = tuning
      tuning.detector = renamed.name(of: tuning.detector)
      return tuning
    }
    clips = clips.mapValues { byName($0) }
    costs = costs.map { byName($0) }
    costMargins = costMargins.map { byName($0) }
  }
}
